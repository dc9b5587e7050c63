use std::collections::BTreeMap;

use num_rational::Ratio;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::game::{Action, Node, perft};

fn setup(mode: Mode) -> Setup {
    Setup { mode, strong: Color::White, period: 0 }
}

fn read(mode: Mode, fen: &str) -> Equalizer {
    Equalizer::from_fen(&setup(mode), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Positions along random games of every mode, with many captures so that dice come up.
fn each_position(mut look: impl FnMut(&Equalizer)) {
    let mut random = StdRng::seed_from_u64(8);
    for mode in Mode::ALL {
        for _ in 0..30 {
            let mut position = Equalizer::start(&setup(mode));
            for _ in 0..120 {
                look(&position);
                let branches = perft::branches(&position);
                if branches.is_empty() {
                    break;
                }
                let noisy: Vec<_> = branches
                    .iter()
                    .copied()
                    .filter(|&action| position.gist(action).is_noisy())
                    .collect();
                let choice =
                    if noisy.is_empty() || random.random_bool(0.5) { &branches } else { &noisy };
                position.play(choice[random.random_range(0..choice.len())], &mut ());
            }
        }
    }
}

/// The decisions that a chance position leads to, each with its probability, by following events.
fn follow(position: &Equalizer, share: Ratio<u64>, found: &mut BTreeMap<String, Ratio<u64>>) {
    if !position.is_chance() {
        *found.entry(position.fen(&setup(position.mode))).or_default() += share;
        return;
    }
    let mut events = Vec::new();
    position.outcomes(|event, weight| events.push((event, u64::from(weight))));
    let total: u64 = events.iter().map(|event| event.1).sum();
    for (event, weight) in events {
        let mut child = *position;
        child.play(event, &mut ());
        follow(&child, share * Ratio::new(weight, total), found);
    }
}

#[test]
fn settled_outcomes_are_where_the_events_lead() {
    let mut seen = BTreeMap::new();
    each_position(|position| {
        if !position.is_chance() {
            return;
        }
        *seen.entry(format!("{:?}", position.due)).or_insert(0) += 1;
        let mut expected = BTreeMap::new();
        follow(position, Ratio::from_integer(1), &mut expected);
        let mut settled = Vec::new();
        position.settled_outcomes(|event, weight| settled.push((event, u64::from(weight))));
        let total: u64 = settled.iter().map(|event| event.1).sum();
        let mut found = BTreeMap::new();
        for (event, weight) in settled {
            let mut child = *position;
            child.play(event, &mut ());
            assert!(weight > 0, "{position:?} {event:?}");
            follow(&child, Ratio::new(weight, total), &mut found);
        }
        assert_eq!(found, expected, "{position:?}");
    });
    // Every kind of roll came up.
    assert_eq!(seen.len(), 6, "{seen:?}");
    assert!(seen.values().all(|&count| count >= 5), "{seen:?}");
}

#[test]
fn the_wild_event_allows_what_the_others_allow_together() {
    let mut seen = 0;
    each_position(|position| {
        let Some(wild) = position.wild() else { return };
        seen += 1;
        let mut together = Vec::new();
        let mut free = Vec::new();
        position.settled_outcomes(|event, _| {
            let mut child = *position;
            child.play(event, &mut ());
            let list = if event == wild { &mut free } else { &mut together };
            for action in perft::branches(&child) {
                let mut after = child;
                after.play(action, &mut ());
                list.push((action.to_bits(), after.key()));
            }
        });
        together.sort_unstable();
        free.sort_unstable();
        assert_eq!(together, free, "{position:?}");
    });
    assert!(seen > 100);
}

#[test]
fn movable_kinds_are_those_of_the_legal_moves() {
    each_position(|position| {
        let mut kinds = 0_u8;
        position.state.each_move(Wanted::All, |action| {
            let man = position.state.board().at(action.from()).unwrap();
            kinds |= 1 << man.kind().0;
        });
        assert_eq!(position.movable, kinds, "{position:?}");
    });
}

/// "A move that ends the game leaves no die or debt behind it in the tokens, except a bound die
/// already printed (`weaker`: `die=*` of a mated side)."
#[test]
fn the_end_leaves_no_dice_behind() {
    // Qh5xf7 is mate, with a capture and dice waiting on both sides.
    let board = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -";
    let mated = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0";
    for (mode, before, after) in [
        (Mode::CaptureRoll, "4 4 next=w:-,b:?", "4"),
        (Mode::Forecast, "4 4 next=w:Q,b:N", "4"),
        (Mode::Specific, "4 4 next=w:Q@h5,b:N@c6", "4"),
        (Mode::Winners, "4 6 die=Q next=w:-,b:N", "6"),
        (Mode::BackToBack, "4 3 die=Q next=w:-,b:N", "3"),
        (Mode::Weaker, "4 3 strong=b die=Q/N", "3 strong=b die=*"),
        (Mode::Normal, "4 4 die=Q", "4"),
        (Mode::Options, "4 4 die=*", "4"),
    ] {
        let mut position = read(mode, &format!("{board} {before}"));
        let action = position.parse_action(&setup(mode), "h5f7").unwrap();
        position.play(action, &mut ());
        assert_eq!(position.fen(&setup(mode)), format!("{mated} {after}"));
        assert_eq!(position.node(), Node::Over(Outcome::Win(Color::White)));
    }
}

#[test]
fn wrong_tokens_are_refused_with_what_would_be_right() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let black = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    for (mode, fen, token, message) in [
        (Mode::Normal, board, "next=w:N,b:-", "FEN: unknown key \"next\"; equalizer has die"),
        (
            Mode::Handicap,
            board,
            "period=3",
            "FEN: unknown key \"period\"; equalizer-handicap has strong, die",
        ),
        (Mode::Handicap, board, "strong=white", "FEN: strong=\"white\": wanted w or b"),
        (
            Mode::TieBreak,
            board,
            "period=0",
            "FEN: period=\"0\": wanted a whole number from 1 to 4294967295",
        ),
        (
            Mode::TieBreak,
            board,
            "period=+3",
            "FEN: period=\"+3\": wanted a whole number from 1 to 4294967295",
        ),
        (
            Mode::Normal,
            board,
            "die=Q",
            "FEN: die=\"Q\": wanted a face with which the side to move has a legal move",
        ),
        (Mode::Normal, board, "die=?", "FEN: die=\"?\": wanted one of *KQRBNP, or ??"),
        (
            Mode::Normal,
            board,
            "die=n",
            "FEN: die=\"n\": wanted one of *KQRBNP, ?, ?? or two faces as in N/P",
        ),
        (Mode::Forecast, board, "die=??", "FEN: die=\"??\": wanted one of *KQRBNP"),
        (
            Mode::Weaker,
            board,
            "die=N/P",
            "FEN: die=\"N/P\": wanted one face: the strong side is to move",
        ),
        (
            Mode::Winners,
            board,
            "die=N/N",
            "FEN: die=\"N/N\": wanted two faces that differ: there is nothing to choose between \
             equal ones",
        ),
        (Mode::Winners, black, "die=N/P", "FEN: die=\"N/P\": wanted one face: Black is to move"),
        (
            Mode::Winners,
            board,
            "next=w:?,b:-",
            "FEN: next=\"w:?,b:-\": wanted - or one of *KQRBNP for each side",
        ),
        (
            Mode::CaptureRoll,
            board,
            "next=w:N,b:-",
            "FEN: next=\"w:N,b:-\": wanted - or ? for each side",
        ),
        (
            Mode::Forecast,
            board,
            "next=w:?,b:-",
            "FEN: next=\"w:?,b:-\": wanted nothing awaited now for the side to move: it has not \
             just captured",
        ),
        (
            Mode::Forecast,
            board,
            "next=w:*,b:-",
            "FEN: next=\"w:*,b:-\": wanted -, ? or one of KQRBNP for each side",
        ),
        (
            Mode::Specific,
            black,
            "next=w:N,b:-",
            "FEN: next=\"w:N,b:-\": wanted -, ?, ??, a kind to pick as in N? or a man picked as \
             in N@f3 for each side",
        ),
        (
            Mode::Specific,
            "4k3/8/8/8/8/8/PPPP4/4K3 b - - 0 1",
            "next=w:N?,b:-",
            "FEN: next=\"w:N?,b:-\": wanted a kind of which there is a man to pick",
        ),
        (
            Mode::Specific,
            board,
            "next=b:-,w:-",
            "FEN: next=\"b:-,w:-\": wanted w:X,b:Y with -, ?, ??, a face, N? or N@f3 for each",
        ),
    ] {
        let error = Equalizer::from_fen(&setup(mode), &format!("{fen} {token}")).unwrap_err();
        assert_eq!(error.to_string(), message, "{token}");
    }
}

#[test]
fn options_shape_the_start_only() {
    let weak = Setup { mode: Mode::Weaker, strong: Color::Black, period: 2 };
    let start = Equalizer::start(&weak);
    assert_eq!(start.fen(&weak), format!("{START} strong=b period=2"));
    let read = Equalizer::from_fen(&weak, START).unwrap();
    assert_eq!(read.fen(&weak), START);
    let normal = Setup { mode: Mode::Normal, ..weak };
    assert_eq!(Equalizer::start(&normal).fen(&normal), START);
    let back = Setup { mode: Mode::BackToBack, ..weak };
    assert_eq!(Equalizer::start(&back).fen(&back), START);
}

/// Positions that differ in anything that decides what may come have keys that differ.
#[test]
fn keys_tell_rules_apart() {
    let board = "3q1rk1/5ppp/8/8/8/8/5PPP/R2Q2K1 b - - 0";
    for (mode, tails) in [
        (Mode::Handicap, &["1", "1 strong=b", "1 strong=b die=P", "1 die=P"][..]),
        (Mode::Weaker, &["3", "4 period=4", "3 period=4", "3 strong=b", "4", "3 die=P/N"]),
        (Mode::Winners, &["3", "4 period=4", "3 period=4", "3 next=w:-,b:P", "3 next=w:P,b:-"]),
        (Mode::TieBreak, &["3", "4", "3 period=9", "6"]),
        (Mode::BackToBack, &["1", "2", "3", "1 period=1", "3 next=w:P,b:-"]),
        (Mode::CaptureRoll, &["1", "1 next=w:?,b:-", "1 next=w:-,b:?", "1 next=w:?,b:?"]),
        (Mode::Forecast, &["1", "1 next=w:?,b:-", "1 next=w:P,b:-", "1 next=w:-,b:P"]),
        (Mode::Specific, &["1", "1 next=w:P@f2,b:-", "1 next=w:P@g2,b:-", "1 next=w:P?,b:-"]),
        (Mode::Options, &["1", "1 die=?", "1 die=??", "1 die=P", "1 die=*"]),
    ] {
        let key = |tail: &&str| read(mode, &format!("{board} {tail}")).key();
        let mut keys: Vec<u64> = tails.iter().map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), tails.len(), "{mode:?}");
    }
}

#[test]
fn the_drawing_says_what_is_due() {
    for (mode, fen, due) in [
        (Mode::Normal, START, "A roll for White"),
        (Mode::Normal, "4k3/8/8/8/8/8/PPPP4/R3K3 w Q - 0 1 die=??", "A second roll for White"),
        (Mode::Normal, "4k3/8/8/8/8/8/PPPP4/R3K3 w Q - 0 1 die=R", "White moves R"),
        (Mode::Weaker, "4k3/8/8/8/8/8/PPPP4/R3K3 w Q - 0 3 strong=b die=P/R", "White moves P or R"),
        (Mode::Normal, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "White moves any man"),
        (Mode::Winners, START.replace("0 1", "0 3").as_str(), "A roll of both dice"),
        (
            Mode::Winners,
            format!("{} die=N/P", START.replace("0 1", "0 3")).as_str(),
            "White takes one of the two dice",
        ),
        (
            Mode::Specific,
            "4k3/8/8/8/8/8/PPPP4/R3K3 b Q - 0 1 next=w:R?,b:-",
            "White picks its R to move",
        ),
        (
            Mode::Specific,
            "4k3/p7/8/8/8/8/PPPP4/R3K3 w Q - 0 1 next=w:R@a1,b:-",
            "White moves the man on a1",
        ),
        (
            Mode::Forecast,
            "4k3/p7/8/8/8/8/PPPP4/R3K3 b Q - 0 1 next=w:?,b:-",
            "A roll for White's next move",
        ),
        (Mode::Options, "4k3/8/8/8/p7/8/PPPP4/R3K3 w Q - 0 1", "White moves any man"),
        (Mode::Options, "4k3/8/8/8/8/p7/PPPP4/R3K3 w Q - 0 1", "White captures or refuses"),
    ] {
        let position = read(mode, fen);
        assert!(position.draw(&setup(mode), false).contains(&format!("\n{due}\n")), "{fen}");
    }
}

//! The evaluation: the same for both sides, kept incrementally, and the sum of its trace.

use alea::eval::network::Line;
use alea::eval::{Evaluator, trace};
use alea::game::blender::{self, Blender8, Blender8Night, Blender100, Blender100Night};
use alea::game::chess::{Chess, Setup};
use alea::game::ladders::{self, Ladders};
use alea::game::mutation::{self, Ground, Mutation};
use alea::game::quantum::{self, Quantum};
use alea::game::{AnySetup, Game, GameOptions, VARIANTS, perft, with_game};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Upside down with the colours changed, on any board, pools and all.
fn mirrored(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            })
            .collect()
    };
    let ranks: Vec<&str> = fields.next().unwrap().split('/').rev().collect();
    let turn = if fields.next() == Some("w") { "b" } else { "w" };
    let castling = swap(fields.next().unwrap());
    let (low, high) = ("3", (ranks.len() - 2).to_string());
    let ep = fields.next().unwrap();
    let ep = if let Some(file) = ep.strip_suffix(low) {
        format!("{file}{high}")
    } else {
        ep.replace(&high, low)
    };
    let pool = fields.find_map(|field| field.strip_prefix("pool="));
    let pool = pool.and_then(|pool| pool.split_once('/'));
    let pool = pool.map_or(String::new(), |(white, black)| format!(" pool={black}/{white}"));
    format!("{} {turn} {castling} {ep} 0 1{pool}", swap(&ranks.join("/")))
}

/// Plays random games and gives every position to `each`, with the one before it and the action or
/// event between the two.
fn wander<G: Game>(
    setup: &G::Setup,
    games: u64,
    mut each: impl FnMut(&G, Option<(&G, G::Action)>),
) {
    for seed in 0..games {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = G::start(setup);
        each(&position, None);
        for _ in 0..120 {
            let actions = perft::branches(&position);
            if actions.is_empty() {
                break;
            }
            let action = actions[random.random_range(0..actions.len())];
            let before = position.clone();
            position.play(action, &mut ());
            each(&position, Some((&before, action)));
        }
    }
}

fn colours_matter_not<G: Game>(setup: &G::Setup) {
    let evaluator = Evaluator::<G>::of(setup);
    wander::<G>(setup, 60, |position, _| {
        let fen = position.fen(setup);
        let mirror = G::from_fen(setup, &mirrored(&fen)).unwrap();
        assert_eq!(evaluator.evaluate_fresh(position), evaluator.evaluate_fresh(&mirror), "{fen}");
    });
}

#[test]
fn colours_do_not_matter() {
    colours_matter_not::<Chess>(&Setup::default());
    colours_matter_not::<Blender8>(&blender::Setup);
    colours_matter_not::<Blender8Night>(&blender::Setup);
    colours_matter_not::<Blender100>(&blender::Setup);
    colours_matter_not::<Blender100Night>(&blender::Setup);
}

/// Boards of `mutation` that are not symmetrical.
fn boards() -> impl Iterator<Item = Ground> {
    (0..8).map(|seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut rank = || -> String {
            (0..8).map(|_| char::from(b"rybkw"[random.random_range(0..5)])).collect()
        };
        let ranks: Vec<String> = (0..8).map(|_| rank()).collect();
        ranks.join("/").parse().unwrap()
    })
}

/// Whatever the board; and what board the evaluation was made for is no matter.
#[test]
fn colours_do_not_matter_on_coloured_boards() {
    let built_in = mutation::Setup::default();
    for ground in boards() {
        let setup = mutation::Setup { ground };
        let evaluators = [&built_in, &setup].map(Evaluator::<Mutation>::of);
        let ranks = ground.to_string();
        let ranks: Vec<&str> = ranks.split('/').rev().collect();
        wander::<Mutation>(&setup, 10, |position, _| {
            let fen = position.fen(&setup);
            let mirror = format!("{} board={}", mirrored(&fen), ranks.join("/"));
            let mirror = Mutation::from_fen(&setup, &mirror).unwrap();
            let [one, other] = [0, 1].map(|which| evaluators[which].evaluate_fresh(position));
            assert_eq!(one, other, "{fen}");
            assert_eq!(one, evaluators[0].evaluate_fresh(&mirror), "{fen}");
        });
    }
}

/// The tokens of a FEN of quantum with the colours changed, its squares upside down.
fn mirrored_tokens(fen: &str) -> String {
    let swapped = |text: &str, by: char| -> String {
        let (one, other) = text.split_once(by).unwrap();
        format!("{other}{by}{one}")
    };
    // No other digits stand behind letters of files.
    let flipped = |text: &str| -> String {
        let mut file = false;
        let flip = |letter: char| {
            let rank = file;
            file = ('a'..='h').contains(&letter);
            if rank { char::from(b'1' + b'8' - letter as u8) } else { letter }
        };
        text.chars().map(flip).collect()
    };
    let token = |text: &str| match text.split_once('=').unwrap() {
        ("gems", value) => format!(" gems={}", swapped(value, ',')),
        ("tracks", value) => format!(" tracks={}", flipped(&swapped(value, '/'))),
        (key @ ("jump" | "free"), value) => format!(" {key}={}", flipped(value)),
        (key, value) => format!(" {key}={value}"),
    };
    fen.split(' ').skip(6).map(token).collect()
}

#[test]
fn colours_do_not_matter_to_men_who_are_away() {
    let setup = quantum::Setup { up_to: true, ..quantum::Setup::default() };
    let evaluator = Evaluator::<Quantum>::of(&setup);
    let mut away = 0;
    wander::<Quantum>(&setup, 60, |position, _| {
        if position.ended().is_some() {
            return;
        }
        // Men leave in the order of the squares, which is another one upside down.
        if matches!(position.stage(), quantum::Stage::Jump(_)) {
            return;
        }
        let fen = position.fen(&setup);
        let mirror = format!("{}{}", mirrored(&fen), mirrored_tokens(&fen));
        let mirror = Quantum::from_fen(&setup, &mirror).unwrap_or_else(|e| panic!("{mirror}: {e}"));
        position.away(|_| away += 1);
        assert_eq!(evaluator.evaluate_fresh(position), evaluator.evaluate_fresh(&mirror), "{fen}");
    });
    assert!(away > 1000, "{away}");
}

/// The ladders change sides and ranks as the men do.
#[test]
fn colours_do_not_matter_with_ladders() {
    let setup = ladders::Setup::default();
    let evaluator = Evaluator::<Ladders>::of(&setup);
    let mut rides = 0;
    wander::<Ladders>(&setup, 60, |position, _| {
        if position.is_placing() || position.ended().is_some() {
            return;
        }
        let fen = position.fen(&setup);
        let ladders = fen.split("ladders=").nth(1).unwrap_or("-/-");
        let flip = |c: char| if c.is_ascii_digit() { (b'9' - c as u8 + b'0') as char } else { c };
        let (white, black) = ladders.split_once('/').unwrap();
        let [white, black] = [white, black].map(|side| side.chars().map(flip).collect::<String>());
        let mirror = format!("{} ladders={black}/{white}", mirrored(&fen));
        let mirror = Ladders::from_fen(&setup, &mirror).unwrap_or_else(|e| panic!("{mirror}: {e}"));
        assert_eq!(position.count_actions(), mirror.count_actions(), "{fen}");
        assert_eq!(evaluator.evaluate_fresh(position), evaluator.evaluate_fresh(&mirror), "{fen}");
        let trace = trace(&evaluator, position);
        let threats = alea::eval::layout::LADDER_THREAT;
        rides += trace.features.iter().filter(|&&(w, _)| usize::from(w) >= threats).count();
    });
    assert!(rides > 200, "{rides}");
}

fn sums_kept_equal_sums_made<G: Game>(setup: &G::Setup) {
    let evaluator = Evaluator::<G>::of(setup);
    wander::<G>(setup, 60, |position, step| {
        let Some((before, action)) = step else { return };
        let mut sums = evaluator.fresh(before);
        let mut after = before.clone();
        evaluator.play(&mut after, action, &mut sums, &mut Line::new(before));
        assert_eq!(sums, evaluator.fresh(position));
    });
}

#[test]
fn sums_kept_equal_sums_made_in_every_variant() {
    for name in VARIANTS {
        let any = AnySetup::named(name, &GameOptions::default()).unwrap();
        with_game!(any, G, setup => sums_kept_equal_sums_made::<G>(&setup));
    }
}

#[test]
fn a_trace_adds_up_to_the_evaluation() {
    traces_add_up::<Chess>(&Setup::default());
    traces_add_up::<Blender8Night>(&blender::Setup);
    traces_add_up::<Blender100>(&blender::Setup);
    traces_add_up::<Mutation>(&mutation::Setup::default());
    traces_add_up::<Quantum>(&quantum::Setup::default());
    traces_add_up::<Ladders>(&ladders::Setup::default());
    for ground in boards() {
        traces_add_up::<Mutation>(&mutation::Setup { ground });
    }
}

fn traces_add_up<G: Game>(setup: &G::Setup) {
    let evaluator = Evaluator::<G>::of(setup).with_network(None);
    wander::<G>(setup, 60, |position, _| {
        if position.ended().is_some() {
            return;
        }
        let trace = trace(&evaluator, position);
        let total: f32 = trace
            .features
            .iter()
            .map(|&(weight, count)| {
                let (mg, eg) = evaluator.weight(weight.into());
                f32::from(count) * (mg as f32 * trace.middlegame + eg as f32 * trace.endgame)
            })
            .sum();
        let exact = evaluator.evaluate_fresh(position) * position.turn().sign();
        // Rounding of the taper and of the endgame's scale.
        assert!((total - exact as f32).abs() < 3.0, "{total} {exact}");
    });
}

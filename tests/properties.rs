//! What must hold in every position of every game: at the nodes of small perfts and all along
//! random games.

mod support;

use alea::game::blender::{self, Blender8, Blender8Night, Blender100, Blender100Night};
use alea::game::bomber::{self, Bomber};
use alea::game::chess::{Chess, Setup};
use alea::game::ladders::{self, Ladders};
use alea::game::mutation::{self, Mutation};
use alea::game::quantum::{self, Quantum};
use alea::game::{Action, AnySetup, Game, GameOptions, Node, Wanted, perft, with_game};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::{data_lines, pick};

/// A small position, men of both sides all at home, or in the thick of it, with castling, en
/// passant and promotions near.
const POSITIONS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/4r3/8/2PpP3/8/8/8/4K3 w - d6 0 1",
];

/// Positions in which castling is told as in Chess960.
const POSITIONS_960: &[&str] = &[
    "4k3/8/8/8/8/8/8/RR1K2RR w BG - 0 1",
    "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
    "1rk3r1/P6P/8/8/8/8/p6p/1RK3R1 w KQkq - 0 1",
    "rk2r1qb/p3p2n/3p1ppp/1PpN4/1n4b1/7P/PP1PPPBB/RNK1R2Q w KQkq - 0 11",
    "4k3/8/8/8/8/8/8/qR1K3R w KQ - 0 1",
    "5rkr/8/8/8/8/8/8/1RK5 b kqQ - 0 1",
];

/// Explosions by all sorts of pawns' moves, near kings, castling rooks and edges; decks that are
/// nearly or quite used up; cards that are due; games that an explosion has ended.
const POSITIONS_BOMBER: &[&str] = &[
    "r3k2r/1p4p1/2n1p3/3p1P2/1P1pp3/5N2/2P1P3/4K3 b kq - 0 1",
    "4k3/2n1p3/3r1p2/1p1P4/2pP1p2/4P3/1P4P1/R3K2R w KQ - 0 1",
    "r3k2r/p6p/8/P6P/8/8/8/4K3 w kq - 0 1 deck=0,0,1,0,0,0,1,0,1",
    "4k3/3r4/3p4/4P3/8/8/8/4K3 w - - 0 1 deck=0,0,1,0,0,0,0,0,0",
    "4k3/8/8/4n3/3p4/8/4P3/4K3 w - - 0 1",
    "4k3/8/8/4q3/8/8/3PP2P/3K4 w - - 0 1",
    "8/8/8/4nk2/3K4/4P3/8/8 w - - 0 1 deck=0,0,0,1,0,0,2,0,0",
    "4r3/8/3kn3/8/4P3/8/8/4K3 w - - 0 1",
    "8/8/3kn3/4P3/8/8/8/4K3 w - - 7 1 boom=e5",
    "4k3/P6p/8/p6P/8/8/8/4K3 b - - 0 1 deck=0,0,0,0,0,0,0,0,0",
    "8/8/3kn3/4P3/8/8/8/4K3 b - - 0 1",
    "8/8/4n3/4P3/8/8/8/4K3 b - - 0 1 deck=1,2,2,2,2,2,2,2,2",
    "8/8/8/8/8/8/8/8 w - - 0 1",
];

/// Merges and separations of every sort, pinned, in check and on castling rooks; pawns about to
/// arrive with full and empty pools, and such as have stayed.
const POSITIONS_BLENDER: &[&str] = &[
    "r3k2r/1P4p1/2n1b3/1b1r4/3N1B2/2R2N2/1p4P1/R3K2R w KQkq - 0 1 pool=N+A/-",
    "6k1/8/8/2NPB3/2+C+AR3/2BQ+Q3/3N4/6K1 w - - 0 1",
    "4r2k/8/8/8/4+C3/2n5/8/4K3 w - - 0 1 pool=-/+M",
    "k7/8/8/4+q3/3+M4/7K/6p1/5N2 b - - 7 9 pool=Q/+QB",
    "r2Pk2r/8/8/4r3/8/3N4/1B2+Q3/+C3K2R w Kkq - 3 9",
];

const POSITIONS_NIGHT: &[&str] = &[
    "7k/8/2RNB3/2+QR+H3/2+CN+A3/2QNP3/8/6K1 w - - 0 1",
    "7k/8/1n6/3+S4/8/2b1+H3/8/4K3 w - - 0 1",
    "3+h2k1/1P6/8/4N3/5N2/8/1B5p/4K1R1 b - - 0 1 pool=+S+U/+H+V",
    "6k1/2+u5/8/8/3N4/8/4+V3/4K2R w K - 0 1",
];

const POSITIONS_BLENDER100: &[&str] = &[
    "r4k3r/2P4p2/10/3+a6/4+C5/10/3B2N3/10/6p3/R4K3R w KQkq - 0 1 pool=AC/+M",
    "8k1/10/10/2+QAN5/2CN+C5/2+AR+M5/2NQB5/10/10/6K3 w - - 0 1",
];

const POSITIONS_NIGHT100: &[&str] = &[
    "8k1/10/10/2+QAN5/2CN+C5/2+HR+U5/2NQB5/10/10/6K3 w - - 0 1",
    "r4k3r/1P8/3+h6/10/4N5/2+S7/10/5N4/7p2/R4K3R w KQkq - 0 1 pool=+V/C+U",
];

/// Pions on every colour, on last ranks, and on boards of a colour or two.
const POSITIONS_MUTATION: &[&str] = &[
    "ppppkppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPKPPP w - - 0 1",
    "p1p4p/ppp1k1p1/p2ppp1P/2p5/4PPp1/2P5/PP1PP1P1/P2PK2P w - - 0 1",
    "P2pk2p/1P6/8/2p2P2/3p4/8/2P3p1/pP1K3P b - - 13 30",
    "1P5k/8/4p3/2P5/8/3p4/p6P/K5p1 w - - 0 1 board=wwwwwwww/wwwwwwww/wwwwwwww/wwwwwwww/wwwwwwww/\
     wwwwwwww/wwwwwwww/wwwwwwww",
    "k7/2p5/8/3PP3/2pp4/8/4P3/K7 b - - 0 1 board=kwkwkwkw/wkwkwkwk/kwkwkwkw/wkwkwkwk/kwkwkwkw/\
     wkwkwkwk/kwkwkwkw/wkwkwkwk",
    "4p2k/8/8/8/4P3/8/4P3/4K3 w - - 0 1 board=rrrrbbbb/rrrrbbbb/yyyyrrrr/yyyywwww/rrrrrrrr/kkkkkkkk/\
     bybybybr/rrrrrrrr",
];

/// Turns of all sorts at their beginning and under way, kings on squares to which men come back, and
/// games that a return has ended.
const POSITIONS_QUANTUM: &[&str] = &[
    "4k3/8/8/8/3p1p2/8/4P3/4K2R w K - 0 1 gems=1,0",
    "4k3/7p/8/8/8/8/8/4K3 w - - 0 1 tracks=Na1:1,Rc2:1,-,Bb3:1/-,-,-,-",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 gems=0,0 tracks=Ne2:1,Bd1:1,Rf2:1,Qd2:1/Ne7:1,Bd8:1,Rf7:1,Qd7:1",
    "4k3/P7/8/8/3p4/8/8/4K3 w - - 0 1 board=1:3,1:2 rule=upto gems=0,0 tracks=Pe2:1,Pa2:1/-,Pc7:1",
    "4k3/8/8/8/3pP3/7P/8/7K w - e3 0 1 board=1:2,1:1 rule=upto free=1:1:e4",
    "4k3/7p/8/8/8/8/8/N4K2 w - - 1 1 tracks=-,Rc2:1,-,Bb3:1/-,-,-,- free=1:1:a1 due=2,4",
    "4k3/7P/8/8/8/8/8/4RK2 w - - 1 1 gems=1,2 tracks=-,Ne4:3,-,-/-,-,-,- jump=e4",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1 board=1:0 gems=9,1 tracks=-/Nh1:1",
    "8/8/8/8/3k4/8/8/4K3 b - - 99 1 tracks=-,Rd4:1,-,-/-,-,-,-",
    "7p/4k3/8/8/8/8/4K3/P7 w - - 0 1 board=1:1,2:2,1:3,2:4,1:5,2:6,1:7,2:8 gems=5,5",
    "8/8/8/8/3R4/8/8/5K2 b - - 0 1 gems=3,2",
];

/// Rides onto, from and through squares of castling and en passant, on last ranks and from first ones,
/// kings on ends, and boards that are being placed.
const POSITIONS_LADDERS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 place=2,2 tiles=left \
     ladders=a1a2,e3e4/c3c4,d6d7 blocks=a1,c3,e3,d6",
    "4k3/8/8/8/8/8/8/4K3 w - - 5 9 place=1,1 blocks=b2,d2,f2,b4,d4,f4,b6",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 \
     ladders=c1d2,f4g5,c5d6,g1h2/b6c7,e7f8,a3b4,g3h4",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ladders=c1d2,e1f2,g3h4,a5b6/d8c7,f8e7,g7h8,a3b4",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ladders=e3f4,c5d6/d4e5,f2g3",
    "4k3/4r3/8/2PpP3/8/8/P7/4K3 w - d6 0 1 ladders=a2c7,d6d5/e5e3",
    "8/PPPk4/8/8/8/8/4Kppp/P7 w - - 0 1 ladders=a7b8,g5h6/g1h2,c3d4",
    "4k3/1b3p2/8/8/2B5/8/1P6/4K3 b - - 0 1 ladders=d5e6,b4c5/c6d7,e4f5,g2h3",
];

const CHESS: Setup = Setup { names: alea::game::chess::Names::Chess, chess960: false };
const CHROMA: Setup = Setup { names: alea::game::chess::Names::Chroma, chess960: false };
const CHESS960: Setup = Setup { names: alea::game::chess::Names::Chess, chess960: true };

/// Every action that any number means, wherever it may be legal.
fn encodable<G: Game>() -> Vec<G::Action> {
    let end = 1_u64 << G::Action::BITS;
    let numbers = (0..end).into_par_iter();
    let all: Vec<_> = numbers.filter_map(|bits| G::Action::from_bits(bits as u32)).collect();
    for action in &all {
        for bit in G::Action::BITS..u32::BITS {
            assert_eq!(G::Action::from_bits(action.to_bits() | 1 << bit), None, "{action:?}");
        }
    }
    all
}

/// Checks one position; `all` are the actions that the predicate of legality is asked about.
fn check<G: Game>(position: &G, setup: &G::Setup, all: Option<&[G::Action]>) {
    let fen = position.fen(setup);
    assert_eq!(position.key(), position.fresh_key(), "key of {fen}");

    let again = G::from_fen(setup, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.fen(setup), fen);
    assert_eq!(again.key(), position.key(), "key of {fen} read again");
    assert_eq!(format!("{again:?}"), format!("{position:?}"), "{fen} read again");

    let actions = perft::branches(position);
    for &action in &actions {
        let text = position.action_text(setup, action);
        assert_eq!(position.parse_action(setup, &text), Some(action), "{text} in {fen}");
        assert_eq!(G::Action::from_bits(action.to_bits()), Some(action), "{text} in {fen}");
        assert_ne!(action.to_bits(), 0, "{text} in {fen}");
    }
    if position.ended().is_some() {
        // Asked for all the same, by those who have not looked.
        position.in_check();
        return;
    }
    if position.is_chance() {
        check_events(position, setup, &fen);
        return;
    }
    assert_eq!(position.count_actions(), actions.len() as u64, "count of {fen}");
    check_sorts(position, &actions, &fen);
    if let Some(all) = all {
        check_legality(position, &actions, all, &fen);
    }
}

/// Events have positive weights with a sum, and come in the order of their text.
fn check_events<G: Game>(position: &G, setup: &G::Setup, fen: &str) {
    let mut texts = Vec::new();
    let mut total = 0_u32;
    position.outcomes(|event, weight| {
        assert!(weight > 0, "{event:?} in {fen}");
        total = total.checked_add(weight).unwrap();
        texts.push(position.action_text(setup, event));
    });
    assert!(total > 0, "no events in {fen}");
    assert!(texts.is_sorted_by(|a, b| a < b), "{texts:?} in {fen}");
}

/// Noisy and quiet actions are disjoint, are all there are, and are what their gist says.
fn check_sorts<G: Game>(position: &G, actions: &[G::Action], fen: &str) {
    let sorted = |wanted| {
        let mut list = G::Actions::default();
        position.actions(wanted, &mut list);
        let mut bits: Vec<u32> = list.as_ref().iter().map(|action| action.to_bits()).collect();
        bits.sort_unstable();
        bits
    };
    let (noisy, quiet) = (sorted(Wanted::Noisy), sorted(Wanted::Quiet));
    let mut both = [noisy.clone(), quiet].concat();
    both.sort_unstable();
    let mut once = both.clone();
    once.dedup();
    assert_eq!(both, once, "an action listed twice in {fen}");
    assert_eq!(both, sorted(Wanted::All), "noisy and quiet actions of {fen}");
    for &action in actions {
        let is_noisy = position.gist(action).is_noisy();
        assert_eq!(noisy.binary_search(&action.to_bits()).is_ok(), is_noisy, "{action:?} in {fen}");
        assert!(position.is_legal(action), "{action:?} in {fen}");
    }
}

/// The predicate says yes to the generated actions and to no other action that a number can mean.
fn check_legality<G: Game>(position: &G, actions: &[G::Action], all: &[G::Action], fen: &str) {
    let mut legal = 0;
    for &action in all {
        if position.is_legal(action) {
            legal += 1;
            assert!(actions.contains(&action), "{action:?} is not legal in {fen}");
        }
    }
    assert_eq!(legal, actions.len(), "legal actions of {fen}");
}

/// Checks every position up to a depth, and legality among `all` actions up to another.
fn check_tree<G: Game>(
    position: &G,
    setup: &G::Setup,
    depth: u32,
    depth_of_all: u32,
    all: &[G::Action],
) {
    check(position, setup, (depth_of_all > 0).then_some(all));
    if depth == 0 {
        return;
    }
    for action in perft::branches(position) {
        let mut child = position.clone();
        child.play(action, &mut ());
        check_tree(&child, setup, depth - 1, depth_of_all.saturating_sub(1), all);
    }
}

/// Checks every position of a random game.
fn check_game<G: Game>(
    mut position: G,
    setup: &G::Setup,
    plies: usize,
    rng: &mut StdRng,
    all: &[G::Action],
) {
    for _ in 0..plies {
        let asked = rng.random_bool(0.05).then_some(all);
        check(&position, setup, asked);
        let branches = perft::branches(&position);
        if branches.is_empty() {
            return;
        }
        position.play(pick(rng, &branches), &mut ());
    }
}

#[test]
fn every_node_of_small_trees() {
    let standard = POSITIONS.iter().map(|&fen| (fen, CHESS));
    let chess960 = POSITIONS_960.iter().map(|&fen| (fen, CHESS960));
    let positions: Vec<_> = standard.chain(chess960).collect();
    let all = encodable::<Chess>();
    positions.par_iter().for_each(|(fen, setup)| {
        check_tree(&Chess::from_fen(setup, fen).unwrap(), setup, 2, 2, &all);
    });
    check_tree(&Chess::start(&CHESS), &CHESS, 3, 1, &all);
    check_tree(&Chess::start(&CHROMA), &CHROMA, 2, 1, &all);
}

#[test]
fn every_node_of_small_trees_of_bomber() {
    let setup = bomber::Setup::default();
    let all = encodable::<Bomber>();
    POSITIONS_BOMBER.iter().chain(&POSITIONS[..4]).par_bridge().for_each(|fen| {
        let position = Bomber::from_fen(&setup, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        check_tree(&position, &setup, 3, 3, &all);
    });
}

fn small_trees_of_blender<G: Game<Setup = blender::Setup>>(fens: &[&str], depth: u32) {
    let all = encodable::<G>();
    fens.par_iter().for_each(|fen| {
        let position =
            G::from_fen(&blender::Setup, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        check_tree(&position, &blender::Setup, depth, 2, &all);
    });
}

#[test]
fn every_node_of_small_trees_of_blender() {
    small_trees_of_blender::<Blender8>(POSITIONS_BLENDER, 2);
    small_trees_of_blender::<Blender8Night>(POSITIONS_NIGHT, 2);
    small_trees_of_blender::<Blender100>(POSITIONS_BLENDER100, 2);
    small_trees_of_blender::<Blender100Night>(POSITIONS_NIGHT100, 2);
}

#[test]
fn every_node_of_small_trees_of_mutation() {
    let setup = mutation::Setup::default();
    let all = encodable::<Mutation>();
    POSITIONS_MUTATION.par_iter().for_each(|fen| {
        let position = Mutation::from_fen(&setup, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        check_tree(&position, &setup, 2, 2, &all);
    });
}

#[test]
fn every_node_of_small_trees_of_quantum() {
    let setup = quantum::Setup::default();
    let all = encodable::<Quantum>();
    POSITIONS_QUANTUM.par_iter().for_each(|fen| {
        let position = Quantum::from_fen(&setup, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        check_tree(&position, &setup, 2, 2, &all);
    });
}

#[test]
fn every_node_of_small_trees_of_ladders() {
    let setup = ladders::Setup::default();
    let all = encodable::<Ladders>();
    POSITIONS_LADDERS.par_iter().for_each(|fen| {
        let position = Ladders::from_fen(&setup, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        check_tree(&position, &setup, 2, 1, &all);
    });
}

#[test]
fn every_position_of_the_perft_data() {
    let all = encodable::<Chess>();
    for (file, setup) in [("perft/chess.tsv", CHESS), ("perft/chess960.tsv", CHESS960)] {
        data_lines(file).par_iter().for_each(|line| {
            let fen = line.split('\t').nth(1).unwrap();
            check_tree(&Chess::from_fen(&setup, fen).unwrap(), &setup, 1, 1, &all);
        });
    }
}

#[test]
fn random_games_of_every_variant() {
    for name in alea::game::VARIANTS {
        let any = AnySetup::named(name, &GameOptions::default()).unwrap();
        with_game!(any, G, setup => {
            let all = encodable::<G>();
            (0..80_u64).into_par_iter().for_each(|seed| {
                let mut rng = StdRng::seed_from_u64(seed);
                check_game(G::start(&setup), &setup, 300, &mut rng, &all);
            });
        });
    }
}

#[test]
fn random_games_of_chess960() {
    let lines = data_lines("perft/chess960.tsv");
    let all = encodable::<Chess>();
    lines.par_iter().enumerate().for_each(|(seed, line)| {
        let fen = line.split('\t').nth(1).unwrap();
        let mut rng = StdRng::seed_from_u64(seed as u64);
        check_game(Chess::from_fen(&CHESS960, fen).unwrap(), &CHESS960, 150, &mut rng, &all);
    });
}

#[test]
fn chroma_is_chess_by_other_names() {
    let rename = |text: &str| -> String {
        let (board, rest) = text.split_once(' ').unwrap();
        let name = |letter: char| {
            let upper = match letter.to_ascii_uppercase() {
                'P' => 'G',
                'N' => 'B',
                'B' => 'Y',
                'R' => 'O',
                'Q' => 'R',
                'K' => 'V',
                other => other,
            };
            if letter.is_ascii_lowercase() { upper.to_ascii_lowercase() } else { upper }
        };
        format!("{} {rest}", board.chars().map(name).collect::<String>())
    };
    data_lines("perft/chess.tsv").par_iter().for_each(|line| {
        let fen = line.split('\t').nth(1).unwrap();
        let chess = Chess::from_fen(&CHESS, fen).unwrap();
        let chroma = Chess::from_fen(&CHROMA, &rename(fen)).unwrap();
        assert_eq!(chess, chroma, "{fen}");
        assert_eq!(chroma.fen(&CHROMA), rename(&chess.fen(&CHESS)));
        assert_eq!(perft::perft(&chess, 3), perft::perft(&chroma, 3), "{fen}");
        for action in perft::branches(&chess) {
            let (as_chess, as_chroma) =
                (chess.action_text(&CHESS, action), chroma.action_text(&CHROMA, action));
            let promotion = |text: &str| text.chars().nth(4);
            let renamed = promotion(&as_chess).map(|letter| match letter {
                'n' => 'b',
                'b' => 'y',
                'r' => 'o',
                _ => 'r',
            });
            assert_eq!(as_chess[..4], as_chroma[..4]);
            assert_eq!(renamed, promotion(&as_chroma));
        }
    });
    assert_eq!(perft::perft(&Chess::start(&CHROMA), 4), 197_281);
}

/// Without pawns nothing explodes, and without cards nothing does either.
#[test]
fn bomber_without_pawns_or_cards_is_chess() {
    let setup = bomber::Setup::default();
    let agree = |fen: &str, tokens: &str, depth: u32| {
        let chess = Chess::from_fen(&CHESS, fen).unwrap();
        let bomber = Bomber::from_fen(&setup, &format!("{fen}{tokens}")).unwrap();
        let counts = [perft::perft(&chess, depth), perft::perft(&bomber, depth)];
        assert_eq!(counts[0], counts[1], "perft {depth} of {fen}");
        assert_eq!(bomber.fen(&setup), chess.fen(&CHESS) + tokens);
    };
    data_lines("perft/chess.tsv").par_iter().for_each(|line| {
        let fen = line.split('\t').nth(1).unwrap();
        agree(fen, " deck=0,0,0,0,0,0,0,0,0", 3);
        let (board, rest) = fen.split_once(' ').unwrap();
        let fen = format!("{} {rest}", board.replace('P', "N").replace('p', "n"));
        // A knight in the pawn's place may give a check that cannot be.
        if Chess::from_fen(&CHESS, &fen).is_ok() {
            agree(&fen, "", 2);
        }
    });
}

/// What `fen` prints for that FEN.
fn printed(setup: Setup, fen: &str) -> String {
    Chess::from_fen(&setup, fen).unwrap_or_else(|error| panic!("{fen}: {error}")).fen(&setup)
}

/// Castling moves as text, in ASCII order.
fn castling(setup: Setup, fen: &str) -> Vec<String> {
    let position = Chess::from_fen(&setup, fen).unwrap();
    let mut texts: Vec<String> = perft::branches(&position)
        .into_iter()
        .filter(|action| action.tag() == alea::game::kernel::Tag::Castling)
        .map(|action| position.action_text(&setup, action))
        .collect();
    texts.sort_unstable();
    texts
}

#[test]
fn castling_letters_are_read_and_written() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    for setup in [CHESS, CHESS960] {
        for (letters, written) in [
            ("KQkq", "KQkq"),
            ("HAha", "KQkq"),
            ("qkQK", "KQkq"),
            ("Ah", "Qk"),
            ("-", "-"),
            // Letters of files without a rook name no right.
            ("BbKk", "Kk"),
            ("KK", "K"),
        ] {
            let fen = format!("{start} {letters} - 0 1");
            assert_eq!(printed(setup, &fen), format!("{start} {written} - 0 1"), "{letters}");
        }
    }
    for (fen, written) in [
        // Of two rooks on a side, K and Q mean the outer one; the inner one has its file's letter.
        ("4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1"),
        ("4k3/8/8/8/8/8/8/RR1K2RR w HA - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1"),
        ("4k3/8/8/8/8/8/8/RR1K2RR w GB - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w GB - 0 1"),
        ("rr1k2rr/8/8/8/8/8/8/4K3 b gb - 0 1", "rr1k2rr/8/8/8/8/8/8/4K3 b gb - 0 1"),
        ("4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1", "4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1"),
    ] {
        assert_eq!(printed(CHESS960, fen), written);
    }
}

#[test]
fn castling_rights_without_king_and_rook_at_home_are_dropped() {
    for (setup, fen, written) in [
        (CHESS, "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", "-"),
        (CHESS, "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", "-"),
        (CHESS, "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "-"),
        (CHESS, "4k3/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "K"),
        (CHESS, "4k3/8/8/8/8/8/8/n3K2R w KQ - 0 1", "K"),
        (CHESS, "4k3/8/8/8/8/8/8/r3K2R w KQ - 0 1", "K"),
        (CHESS, "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-"),
        (CHESS, "r3k3/8/8/8/8/8/8/4K3 b KQkq - 0 1", "q"),
        (CHESS960, "4k3/8/8/8/8/8/3K4/R6R w KQ - 0 1", "-"),
        (CHESS960, "4k3/8/8/8/8/8/8/3K3R w KQ - 0 1", "K"),
        (CHESS960, "4k3/8/8/8/8/8/R6R/3K4 w KQ - 0 1", "-"),
    ] {
        let text = printed(setup, fen);
        assert_eq!(text.split(' ').nth(2), Some(written), "{fen}");
    }
}

#[test]
fn castling_is_written_as_the_style_has_it() {
    let home = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(castling(CHESS, home), ["e1c1", "e1g1"]);
    assert_eq!(castling(CHESS960, home), ["e1a1", "e1h1"]);
    for (fen, wanted) in [
        // The king stays, or the rook does, or both do nothing but change places.
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", vec!["g1h1"]),
        ("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", vec!["c1b1"]),
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", vec!["e1f1"]),
        ("5k2/8/8/8/8/8/8/3RK3 w Q - 0 1", vec!["e1d1"]),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", vec!["f1g1"]),
        ("4k3/8/8/8/8/8/8/2RK4 w Q - 0 1", vec!["d1c1"]),
        // The inner rook castles only if the right is its own; the outer one cannot get past it.
        ("4k3/8/8/8/8/8/8/RR1K2RR w GB - 0 1", vec!["d1b1", "d1g1"]),
        ("4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1", vec![]),
        ("4k3/8/8/8/8/8/8/R2K1R1R w FA - 0 1", vec!["d1a1", "d1f1"]),
        // Somebody stands where the rook would land, or between.
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", vec!["e1h1"]),
        ("4k3/8/8/8/8/8/8/1R2KN1R w KQ - 0 1", vec!["e1b1"]),
        // The rook is all that shields the king's new square.
        ("4k3/8/8/8/8/8/8/qR1K3R w KQ - 0 1", vec!["d1h1"]),
    ] {
        assert_eq!(castling(CHESS960, fen), wanted, "{fen}");
    }
}

#[test]
fn castling_puts_king_and_rook_where_they_belong() {
    for (fen, action, after) in [
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", "c1b1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1a1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        ("5rkr/8/8/8/8/8/8/4K3 b kq - 7 9", "g8f8", "2kr3r/8/8/8/8/8/8/4K3 w - - 8 10"),
    ] {
        let mut position = Chess::from_fen(&CHESS960, fen).unwrap();
        let action = position.parse_action(&CHESS960, action).unwrap();
        position.play(action, &mut ());
        assert_eq!(position.fen(&CHESS960), after);
        assert_eq!(position.key(), position.fresh_key());
    }
}

#[test]
fn what_a_position_is_follows_the_order_of_the_rules() {
    let node = |fen: &str| Chess::from_fen(&CHESS, fen).unwrap().node().to_string();
    for (fen, wanted) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", "over white"),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 100 90", "over draw"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "over draw"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "over draw"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "decision white"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "over draw"),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "over draw"),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", "decision white"),
        ("4k2n/8/8/8/8/8/8/4KN2 w - - 0 1", "decision white"),
        ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", "over draw"),
        ("1b2kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "decision white"),
        ("b1b1k3/8/8/8/8/8/8/4KB1B w - - 0 1", "over draw"),
        ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", "decision white"),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "decision white"),
    ] {
        assert_eq!(node(fen), wanted, "{fen}");
    }
    assert!(matches!(Chess::start(&CHESS).node(), Node::Decision(_)));
}

//! Texts that are nearly FENs or actions, of every game that reads more than chess does: what is
//! accepted is a position, and nothing does harm.

mod support;

use alea::game::Game;
use alea::game::blender::{self, Blender8, Blender8Night, Blender100, Blender100Night};
use alea::game::bomber::{self, Bomber};
use alea::game::chess::{Chess, Names, Setup};
use alea::game::ladders::{self, Ladders};
use alea::game::mutation::{self, Mutation};
use alea::game::quantum::{self, Quantum};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::{data_lines, pick};

const CHESS: Setup = Setup { names: Names::Chess, chess960: false };
const CHROMA: Setup = Setup { names: Names::Chroma, chess960: false };
const CHESS960: Setup = Setup { names: Names::Chess, chess960: true };

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A text with a few bytes changed, doubled, lost or moved; what is no UTF-8 then is replaced.
fn mutate(text: &str, rng: &mut StdRng) -> String {
    const BYTES: &[u8] = b"KQRBNPkqrbnpGOYVgoyv0123456789/ -wbeah=+.\t\0\xc3\xa9\xff~";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.random_range(1..=2) {
        if bytes.is_empty() {
            break;
        }
        let place = rng.random_range(0..bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[place] = pick(rng, BYTES),
            1 => bytes.insert(place, pick(rng, BYTES)),
            2 => {
                bytes.remove(place);
            }
            3 => {
                let other = rng.random_range(0..bytes.len());
                bytes.swap(place, other);
            }
            4 => bytes.truncate(place),
            _ => bytes[place] = rng.random(),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Plays `accepted` positions a little further, with mutated actions too.
fn survive<G: Game + PartialEq>(setup: &G::Setup, text: &str, mut position: G, rng: &mut StdRng) {
    let printed = position.fen(setup);
    assert_eq!(G::from_fen(setup, &printed), Ok(position.clone()), "{text:?}");
    assert_eq!(position.key(), position.fresh_key(), "{text:?}");
    position.draw(setup, false);
    let actions = alea::game::perft::branches(&position);
    if !position.is_chance() && position.ended().is_none() {
        assert_eq!(position.count_actions(), actions.len() as u64, "{text:?}");
    }
    if actions.is_empty() {
        return;
    }
    let action = pick(rng, &actions);
    for _ in 0..4 {
        let action = mutate(&position.action_text(setup, action), rng);
        if let Some(action) = position.parse_action(setup, &action) {
            assert!(actions.contains(&action), "{action:?} in {text:?}");
        }
    }
    position.play(action, &mut ());
    assert_eq!(position.key(), position.fresh_key(), "{text:?}");
}

/// Mutates each FEN so often, alters it by what the game adds, and lets what is read survive; more
/// than `least` are.
fn survive_all<G: Game<Setup: Sync> + PartialEq>(
    setup: &G::Setup,
    fens: &[String],
    tries: u32,
    least: usize,
    alter: impl Fn(&mut String, &mut StdRng) + Sync,
) {
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..tries {
                let mut text = mutate(fen, &mut rng);
                alter(&mut text, &mut rng);
                let Ok(position) = G::from_fen(setup, &text) else { continue };
                accepted += 1;
                survive(setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > least, "{accepted}");
}

/// The positions of a file of vectors.
fn positions(file: &str) -> Vec<String> {
    data_lines(file)
        .into_iter()
        .filter_map(|line| Some(line.split('\t').nth(1)?.strip_prefix("fen ")?.to_owned()))
        .collect()
}

/// Whatever is accepted is a position that can be printed, read again and played on from.
#[test]
fn mutated_fens_and_actions_do_no_harm() {
    let fens: Vec<String> = ["perft/chess.tsv", "perft/chess960.tsv"]
        .into_iter()
        .flat_map(data_lines)
        .map(|line| line.split('\t').nth(1).unwrap().to_owned())
        .collect();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_500 {
                let text = mutate(fen, &mut rng);
                let setup = pick(&mut rng, &[CHESS, CHESS960, CHROMA]);
                let Ok(position) = Chess::from_fen(&setup, &text) else { continue };
                accepted += 1;
                survive(&setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 10_000, "{accepted}");
}

/// The same of bomber, whose FENs show more: lost kings, cards that are due.
#[test]
fn mutated_fens_and_actions_of_bomber_do_no_harm() {
    let fens = positions("vectors/bomber.tsv");
    let setup = bomber::Setup::default();
    survive_all::<Bomber>(&setup, &fens, 1_500, 5_000, |text, rng| {
        if rng.random_bool(0.1) {
            *text = text.replace('K', "1");
        }
    });
}

fn mutated_blender<G: Game<Setup = blender::Setup> + PartialEq>(variant: &str) {
    let prefix = format!("{variant}\tfen ");
    let fens: Vec<String> = data_lines("vectors/blender.tsv")
        .into_iter()
        .filter_map(|line| Some(line.strip_prefix(&prefix)?.split('\t').next()?.to_owned()))
        .collect();
    survive_all::<G>(&blender::Setup, &fens, 1_000, 250, |_, _| {});
}

/// The same of Blender Chess, whose FENs show merged men, pools and pawns at the edge.
#[test]
fn mutated_fens_and_actions_of_blender_do_no_harm() {
    mutated_blender::<Blender8>("blender");
    mutated_blender::<Blender8Night>("blender-nightrider");
    mutated_blender::<Blender100>("blender100");
    mutated_blender::<Blender100Night>("blender100-nightrider");
    for text in ["N".repeat(1_000_000), "+".repeat(1_000_000), "+N/".repeat(300_000)] {
        let fen = format!("{START} w - - 0 1 pool={text}");
        assert!(Blender8::from_fen(&blender::Setup, &fen).is_err());
    }
}

/// The same of mutation, on boards of all colours.
#[test]
fn mutated_fens_and_actions_of_mutation_do_no_harm() {
    let fens = positions("vectors/mutation.tsv");
    let setup = mutation::Setup::default();
    survive_all::<Mutation>(&setup, &fens, 1_500, 2_000, |_, _| {});
}

/// The same of ladders, while boards are placed and after.
#[test]
fn mutated_fens_and_actions_of_ladders_do_no_harm() {
    let fens = positions("vectors/ladders.tsv");
    let setup = ladders::Setup::default();
    survive_all::<Ladders>(&setup, &fens, 600, 2_000, |text, rng| {
        if rng.random_bool(0.2) && !text.contains("place=") {
            text.push_str(" place=2,1 tiles=left blocks=g7");
        }
    });
}

/// The same of quantum, whose FENs show turns under way.
#[test]
fn mutated_fens_and_actions_of_quantum_do_no_harm() {
    let fens: Vec<String> = data_lines("vectors/quantum.tsv")
        .into_iter()
        .filter_map(|line| {
            let mut columns = line.split('\t').skip(1);
            let (fen, actions) = (columns.next()?, columns.next()?);
            match columns.next()? {
                // What is printed after actions has more to say.
                "fen" if !actions.is_empty() => columns.nth(1).map(str::to_owned),
                _ => fen.strip_prefix("fen ").map(str::to_owned),
            }
        })
        .collect();
    let setup = quantum::Setup::default();
    survive_all::<Quantum>(&setup, &fens, 1_500, 5_000, |text, rng| {
        if rng.random_bool(0.2) {
            text.push_str(" rule=upto");
        }
    });
}

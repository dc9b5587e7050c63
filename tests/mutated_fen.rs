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
use support::data_lines;
use support::mangle::{mutated_text, survive};

const CHESS: Setup = Setup { names: Names::Chess, chess960: false };
const CHROMA: Setup = Setup { names: Names::Chroma, chess960: false };
const CHESS960: Setup = Setup { names: Names::Chess, chess960: true };

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Mutates each FEN so often, alters it by what the game adds, and lets what is read under one of the
/// setups survive; more than `least` are.
fn survive_all<G: Game<Setup: Sync> + PartialEq>(
    setups: &[G::Setup],
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
                let mut text = mutated_text(fen, &mut rng);
                alter(&mut text, &mut rng);
                let setup = &setups[rng.random_range(0..setups.len())];
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
    survive_all::<Chess>(&[CHESS, CHESS960, CHROMA], &fens, 1_500, 10_000, |_, _| {});
}

/// The same of bomber, whose FENs show more: lost kings, cards that are due.
#[test]
fn mutated_fens_and_actions_of_bomber_do_no_harm() {
    let fens = positions("vectors/bomber.tsv");
    let setup = bomber::Setup::default();
    survive_all::<Bomber>(&[setup], &fens, 1_500, 5_000, |text, rng| {
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
    survive_all::<G>(&[blender::Setup], &fens, 1_500, 250, |_, _| {});
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
    survive_all::<Mutation>(&[setup], &fens, 1_500, 2_000, |_, _| {});
}

/// The same of ladders, while boards are placed and after.
#[test]
fn mutated_fens_and_actions_of_ladders_do_no_harm() {
    let fens = positions("vectors/ladders.tsv");
    let setup = ladders::Setup::default();
    survive_all::<Ladders>(&[setup], &fens, 600, 2_000, |text, rng| {
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
    survive_all::<Quantum>(&[setup], &fens, 1_500, 5_000, |text, rng| {
        if rng.random_bool(0.2) {
            text.push_str(" rule=upto");
        }
    });
}

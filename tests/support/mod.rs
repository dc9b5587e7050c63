//! What several tests need.

// Each test is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod mangle;

use std::path::Path;

use alea::game::{Game, Record, perft};
use rand::RngExt;
use rand::rngs::StdRng;

/// The lines of a file of `tests/data` that are no comments.
pub(crate) fn data_lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// One of them.
pub(crate) fn pick<T: Copy>(rng: &mut StdRng, items: &[T]) -> T {
    items[rng.random_range(0..items.len())]
}

/// Up to that many actions or events at random, fewer if the game ends.
pub(crate) fn play_randomly<G: Game>(record: &mut Record<G>, plies: usize, rng: &mut StdRng) {
    for _ in 0..plies {
        let branches = perft::branches(record.position());
        if branches.is_empty() {
            return;
        }
        record.play(pick(rng, &branches));
    }
}

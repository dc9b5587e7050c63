//! The evaluation: the same for both sides, kept incrementally, and the sum of its trace.

use alea::eval::{Evaluator, trace};
use alea::game::chess::{Chess, Setup};
use alea::game::{Game, perft};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Upside down with the colours changed.
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
    let ep = fields.next().unwrap().replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{} {turn} {castling} {ep} 0 1", swap(&ranks.join("/")))
}

/// Plays random games and gives every position to `each`.
fn wander(
    games: u64,
    mut each: impl FnMut(&Chess, Option<&Chess>, Option<<Chess as Game>::Action>),
) {
    for seed in 0..games {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Chess::start(&Setup::default());
        each(&position, None, None);
        for _ in 0..120 {
            let actions = perft::branches(&position);
            if actions.is_empty() {
                break;
            }
            let action = actions[random.random_range(0..actions.len())];
            let before = position;
            position.play(action, &mut ());
            each(&position, Some(&before), Some(action));
        }
    }
}

#[test]
fn colours_do_not_matter() {
    let evaluator = Evaluator::<Chess>::of(&Setup::default());
    let setup = Setup::default();
    wander(60, |position, _, _| {
        let fen = position.fen(&setup);
        let mirror = Chess::from_fen(&setup, &mirrored(&fen)).unwrap();
        assert_eq!(
            evaluator.evaluate(position, &evaluator.fresh(position)),
            evaluator.evaluate(&mirror, &evaluator.fresh(&mirror)),
            "{fen}"
        );
    });
}

#[test]
fn sums_kept_equal_sums_made() {
    let evaluator = Evaluator::<Chess>::of(&Setup::default());
    wander(60, |position, before, action| {
        let (Some(before), Some(action)) = (before, action) else { return };
        let mut sums = evaluator.fresh(before);
        let mut after = *before;
        after.play(action, &mut evaluator.observer(&mut sums));
        assert_eq!(sums, evaluator.fresh(position));
    });
}

#[test]
fn a_trace_adds_up_to_the_evaluation() {
    let evaluator = Evaluator::<Chess>::of(&Setup::default());
    wander(60, |position, _, _| {
        let trace = trace(&evaluator, position);
        let total: f32 = trace
            .features
            .iter()
            .map(|&(weight, count)| {
                let (mg, eg) = evaluator.weight(weight.into());
                f32::from(count) * (mg as f32 * trace.middlegame + eg as f32 * trace.endgame)
            })
            .sum();
        let sums = evaluator.fresh(position);
        let exact = evaluator.evaluate(position, &sums) * position.turn().sign();
        // Rounding of the taper and of the endgame's scale.
        assert!((total - exact as f32).abs() < 3.0, "{total} {exact}");
    });
}

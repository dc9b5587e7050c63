//! The evaluation: the same for both sides, kept incrementally, and the sum of its trace.

use alea::eval::{Evaluator, trace};
use alea::game::chess::{Chess, Setup};
use alea::game::{AnySetup, Game, GameOptions, VARIANTS, perft, with_game};
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

#[test]
fn colours_do_not_matter() {
    let evaluator = Evaluator::<Chess>::of(&Setup::default());
    let setup = Setup::default();
    wander::<Chess>(&setup, 60, |position, _| {
        let fen = position.fen(&setup);
        let mirror = Chess::from_fen(&setup, &mirrored(&fen)).unwrap();
        assert_eq!(
            evaluator.evaluate(position, &evaluator.fresh(position)),
            evaluator.evaluate(&mirror, &evaluator.fresh(&mirror)),
            "{fen}"
        );
    });
}

fn sums_kept_equal_sums_made<G: Game>(setup: &G::Setup) {
    let evaluator = Evaluator::<G>::of(setup);
    wander::<G>(setup, 60, |position, step| {
        let Some((before, action)) = step else { return };
        let mut sums = evaluator.fresh(before);
        let mut after = before.clone();
        after.play(action, &mut evaluator.observer(&mut sums));
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
    let evaluator = Evaluator::<Chess>::of(&Setup::default());
    wander::<Chess>(&Setup::default(), 60, |position, _| {
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

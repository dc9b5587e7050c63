//! The search through chance against expectimax by brute force, which shares no code with it.

mod support;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alea::core::{
    DRAW, MATE_IN_MAX, ONE, Score, expected, mate_in, mated_in, moves_to_mate, nearest_score,
};
use alea::eval::Evaluator;
use alea::game::quantum::{self, Quantum};
use alea::game::{
    AnySetup, Game, GameOptions, Node, Outcome, Record, VARIANTS, perft, solve, with_game,
};
use alea::search::{Control, Engine, Limits, Method, Settings, Star, Table};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::pick;

/// Expectimax without any pruning. Values are for the position's [`Game::turn`].
struct Brute<'a, G: Game> {
    evaluator: &'a Evaluator<G>,
    depth: u32,
    rounded: HashMap<(u64, u32), Score>,
    unrounded: HashMap<(u64, u32), f64>,
}

impl<'a, G: Game> Brute<'a, G> {
    fn new(evaluator: &'a Evaluator<G>, depth: u32) -> Self {
        Self { evaluator, depth, rounded: HashMap::new(), unrounded: HashMap::new() }
    }

    /// How the position ended, if it did; a root that is drawn by rule is played on.
    fn outcome(&self, position: &G, depth: u32) -> Option<Outcome> {
        match position.node() {
            Node::Over(Outcome::Draw) if depth == self.depth && position.drawn_by_rule() => None,
            Node::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn evaluation(&self, position: &G) -> Score {
        self.evaluator.evaluate_fresh(position)
    }

    fn children(position: &G) -> Vec<G> {
        let branches = perft::branches(position);
        branches
            .into_iter()
            .map(|action| {
                let mut child = position.clone();
                child.play(action, &mut ());
                child
            })
            .collect()
    }

    /// [`Brute::score`] at the root, where the second rolls of a die are told apart as well.
    fn root_score(&mut self, position: &G) -> Score {
        if !position.is_chance() {
            return self.score(position, self.depth);
        }
        let mut events = Vec::new();
        position.outcomes(|event, weight| events.push((event, i64::from(weight))));
        self.average(position, self.depth, &events)
    }

    /// The average over events, certain wins as slow as the slowest of them.
    fn average(&mut self, position: &G, depth: u32, events: &[(G::Action, i64)]) -> Score {
        let total: i64 = events.iter().map(|event| event.1).sum();
        let (mut worst, mut best, mut sum) = (Score::MAX, Score::MIN, 0);
        for &(event, weight) in events {
            let mut child = position.clone();
            child.play(event, &mut ());
            let sign = if child.turn() == position.turn() { 1 } else { -1 };
            let score = sign * self.score(&child, depth);
            (worst, best) = (worst.min(score), best.max(score));
            sum += weight * expected(score);
        }
        if worst >= MATE_IN_MAX {
            worst
        } else if best <= -MATE_IN_MAX {
            best
        } else {
            nearest_score(sum / total).clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
        }
    }

    /// With the rounding that core/expected.rs and search/chance.rs document: to the nearest score
    /// at every chance node.
    fn score(&mut self, position: &G, depth: u32) -> Score {
        if let Some(&score) = self.rounded.get(&(position.key(), depth)) {
            return score;
        }
        let us = position.turn();
        let ply = (self.depth - depth) as usize;
        let at_horizon = depth == 0 && (G::EVENTS_ARE_QUIET || !position.is_chance());
        let seen_by = |child: &G, score: Score| if child.turn() == us { score } else { -score };
        let score = match self.outcome(position, depth) {
            Some(Outcome::Win(winner)) if winner == us => mate_in(ply),
            Some(Outcome::Win(_)) => mated_in(ply),
            Some(Outcome::Draw) => DRAW,
            None if at_horizon => self.evaluation(position),
            None if position.is_chance() => {
                let mut events = Vec::new();
                position.settled_outcomes(|event, weight| events.push((event, i64::from(weight))));
                self.average(position, depth, &events)
            }
            None => {
                let mut best = Score::MIN;
                for child in Self::children(position) {
                    best = best.max(seen_by(&child, self.score(&child, depth - 1)));
                }
                best
            }
        };
        self.rounded.insert((position.key(), depth), score);
        score
    }

    /// The expected result, −1 … 1, event by event and without rounding.
    fn result(&mut self, position: &G, depth: u32) -> f64 {
        if let Some(&result) = self.unrounded.get(&(position.key(), depth)) {
            return result;
        }
        let us = position.turn();
        let at_horizon = depth == 0 && (G::EVENTS_ARE_QUIET || !position.is_chance());
        let seen_by = |child: &G, result: f64| if child.turn() == us { result } else { -result };
        let result = match self.outcome(position, depth) {
            Some(Outcome::Win(winner)) => f64::from(i8::from(winner == us) * 2 - 1),
            Some(Outcome::Draw) => 0.0,
            None if at_horizon => {
                // 100 centipawns are half a result more than a draw.
                (f64::from(self.evaluation(position)) * 3_f64.ln() / 200.0).tanh()
            }
            None if position.is_chance() => {
                let (mut sum, mut total) = (0.0, 0.0);
                let mut events = Vec::new();
                position.outcomes(|event, weight| events.push((event, f64::from(weight))));
                for (event, weight) in events {
                    let mut child = position.clone();
                    child.play(event, &mut ());
                    sum += weight * seen_by(&child, self.result(&child, depth));
                    total += weight;
                }
                sum / total
            }
            None => Self::children(position)
                .iter()
                .map(|child| seen_by(child, self.result(child, depth - 1)))
                .fold(-1.0, f64::max),
        };
        self.unrounded.insert((position.key(), depth), result);
        result
    }
}

/// A position from a random game in which captures are preferred, with at most `most` men, and in
/// which each player action has few answers.
fn small_position<G: Game>(setup: &G::Setup, most: u32, rng: &mut StdRng) -> Record<G> {
    loop {
        let mut record = Record::new(G::start(setup));
        for _ in 0..rng.random_range(60..250) {
            let position = record.position();
            let branches = perft::branches(position);
            if branches.is_empty() {
                break;
            }
            let noisy =
                |action: &G::Action| !position.is_chance() && position.gist(*action).is_noisy();
            let captures: Vec<_> = branches.iter().copied().filter(noisy).collect();
            let chosen =
                if captures.is_empty() || rng.random_bool(0.3) { &branches } else { &captures };
            record.play(pick(rng, chosen));
        }
        let position = record.position();
        let men = position.state().board().occupied().count();
        let fresh = position.state().halfmove_clock() < 80;
        if men <= most && fresh && !matches!(record.node(), Node::Over(_)) {
            // What was played before is not to matter.
            return Record::new(position.clone());
        }
    }
}

fn engine<G: Game>(variant: &'static str, setup: &G::Setup, method: Method) -> Engine<G> {
    let settings = Settings { hash: 4, method, ..Settings::default() };
    Engine::new(variant, setup.clone(), settings, Arc::new(Table::new(4).unwrap()))
}

fn search<G: Game>(engine: &mut Engine<G>, record: &Record<G>, depth: u32) -> Score {
    engine.forget();
    engine.set_record(record.clone());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.think(&limits, &Control::new(false), &|_| {}).score
}

const EXACT: Method = Method { exact: true, star: Star::Two, table: true, share: true };

/// The games with chance, each with its name and setup.
fn chance_games() -> Vec<(&'static str, AnySetup)> {
    let has_chance = |any: &AnySetup| with_game!(any, G, _setup => G::HAS_CHANCE);
    VARIANTS
        .iter()
        .map(|&name| (name, AnySetup::named(name, &GameOptions::default()).unwrap()))
        .filter(|(_, any)| has_chance(any))
        .collect()
}

/// What rounding may add up to: half a centipawn, which is worth most near a draw, at every chance
/// node on the way.
fn tolerance(depth: u32) -> f64 {
    let half_centipawn = 3_f64.ln() / 400.0;
    f64::from(2 * depth + 1) * half_centipawn
}

fn check<G: Game>(variant: &'static str, setup: &G::Setup, record: &Record<G>, depth: u32) {
    let evaluator = Evaluator::<G>::of(setup);
    let position = record.position();
    let mut brute = Brute::new(&evaluator, depth);
    let found = search(&mut engine::<G>(variant, setup, EXACT), record, depth);
    let fen = position.fen(setup);
    assert_eq!(found, brute.root_score(position), "{variant} {fen} depth {depth}");
    let (result, found) = (brute.result(position, depth), expected(found) as f64 / ONE as f64);
    assert!(
        (result - found).abs() <= tolerance(depth),
        "{variant} {fen} depth {depth}: {found}, unrounded {result}"
    );
}

#[test]
fn the_search_without_pruning_is_expectimax() {
    let games = chance_games();
    assert_eq!(games.len(), 11);
    for (variant, any) in games {
        with_game!(any, G, setup => (0..25_u64).into_par_iter().for_each(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let record = small_position::<G>(&setup, 14, &mut rng);
            for depth in 1..=4 {
                check(variant, &setup, &record, depth);
            }
        }));
    }
}

/// No chance, but the same side acts several times running.
#[test]
fn the_search_of_quantum_without_pruning_is_minimax() {
    let setup = quantum::Setup::default();
    (0..60_u64).into_par_iter().for_each(|seed| {
        let mut rng = StdRng::seed_from_u64(seed);
        let record = small_position::<Quantum>(&setup, 14, &mut rng);
        for depth in 1..=3 {
            check("quantum", &setup, &record, depth);
        }
    });
}

/// In the thick of it, where the dice of every mode are about, but not so deep.
fn check_full_board<G: Game>(variant: &'static str, setup: &G::Setup, seed: u64) {
    let mut rng = StdRng::seed_from_u64(1000 + seed);
    let mut record = Record::new(G::start(setup));
    support::play_randomly(&mut record, 8 + seed as usize, &mut rng);
    if matches!(record.node(), Node::Over(_)) {
        return;
    }
    let record = Record::new(record.position().clone());
    for depth in 1..=2 {
        check(variant, setup, &record, depth);
    }
}

#[test]
fn full_boards_are_expectimax_too() {
    for (variant, any) in chance_games() {
        with_game!(any, G, setup => (0..25_u64).into_par_iter().for_each(|seed| {
            check_full_board::<G>(variant, &setup, seed);
        }));
    }
}

/// A win that no roll can stop has a mate score; one that a roll can stop has none, however likely.
#[test]
fn certain_wins_are_mates_and_likely_ones_are_not() {
    let any = AnySetup::named("equalizer", &GameOptions::default()).unwrap();
    with_game!(any, G, setup => for (fen, moves, depth, value) in [
        // White, with three men, does not roll: Rb7, and whatever Black rolls, Ra8 mates.
        ("4k3/5ppp/R7/1R6/8/8/8/K7 w - - 0 1", Some(2), 3, "1.000000000"),
        // The same before Black's roll.
        ("4k3/1R3ppp/R7/8/8/8/8/K7 b - - 0 1", Some(-1), 2, "-1.000000000"),
        // White has a fourth man and has to roll: mate needs a rook at the first or second roll, or
        // freedom; rook a6 mates at a8.
        ("4k3/1R3ppp/R7/8/8/8/P7/K7 w - - 0 1", None, 1, "0.350000000"),
    ] {
        let record = Record::<G>::parse::<&str>(&setup, Some(fen), &[]).unwrap();
        let stop = AtomicBool::new(false);
        let solved = solve::solve(&record, depth, &stop).unwrap();
        assert_eq!(solved.value_text(), value, "{fen}");
        let mut engine = engine::<G>("equalizer", &setup, Method::default());
        let score = search(&mut engine, &record, 9);
        assert_eq!(moves_to_mate(score), moves, "{fen}: {score}");
        assert!(moves.is_some() || score > 100, "{fen}: {score}");
    });
}

#[test]
fn every_method_finds_the_same_value() {
    for (variant, any) in chance_games() {
        with_game!(any, G, setup => (0..4_u64).into_par_iter().for_each(|seed| {
            let mut rng = StdRng::seed_from_u64(2000 + seed);
            let record = small_position::<G>(&setup, 10, &mut rng);
            let wanted = search(&mut engine::<G>(variant, &setup, EXACT), &record, 3);
            for star in [Star::None, Star::One, Star::Two] {
                for (table, share) in [(false, false), (false, true), (true, false), (true, true)] {
                    let method = Method { exact: true, star, table, share };
                    let found = search(&mut engine::<G>(variant, &setup, method), &record, 3);
                    let fen = record.position().fen(&setup);
                    assert_eq!(found, wanted, "{variant} {fen} {method:?}");
                }
            }
        }));
    }
}

/// Whose value it is does not depend on who is to move: mirrored positions are worth the opposite.
#[test]
fn the_start_is_worth_the_same_to_both_sides() {
    let any = AnySetup::named("equalizer", &GameOptions::default()).unwrap();
    with_game!(any, G, setup => {
        let start = G::start(&setup).fen(&setup);
        let mirrored = start.replace(" w ", " b ");
        let value = |fen: &str| {
            let record = Record::<G>::parse::<&str>(&setup, Some(fen), &[]).unwrap();
            search(&mut engine::<G>("equalizer", &setup, EXACT), &record, 3)
        };
        assert_eq!(value(&start), value(&mirrored));
    });
}

/// Extensions do not multiply by the faces of the die without end, with many captures at hand either.
#[test]
fn dice_do_not_make_the_search_explode() {
    const MOST: u64 = 1_500_000;
    let board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let waiting = format!("{board} next=w:N,b:Q");
    let method = Settings::default().method;
    for (variant, any) in chance_games() {
        let mut cases = vec![(board, 6)];
        if variant == "equalizer-forecast" {
            // With double extensions it took 28 million.
            cases.push((&waiting, 7));
        }
        with_game!(any, G, setup => if G::DICE {
            for (fen, depth) in cases {
                let mut engine = engine::<G>(variant, &setup, method);
                engine.set_record(Record::parse::<&str>(&setup, Some(fen), &[]).unwrap());
                let limits =
                    Limits { depth: Some(depth), nodes: Some(MOST), ..Limits::default() };
                let summary = engine.think(&limits, &Control::new(false), &|_| {});
                assert_eq!(summary.depth, depth, "{variant} {fen}: {} nodes", summary.nodes);
            }
        });
    }
}

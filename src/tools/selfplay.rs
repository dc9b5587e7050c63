//! Positions from alea's own games, for tuning.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::core::{Color, MATE_IN_MAX, Score};
use crate::game::{Game, Node, Outcome, Record, drawn_event};
use crate::search::{Control, Engine, Limits, STACK, Settings, Table};

use super::random;

/// A position of a game, with how the game ended.
#[derive(Clone, Debug)]
pub(super) struct Sample<G> {
    /// The position: quiet and not in check, but in games of dice any, as its evaluation is asked
    /// anywhere.
    pub(super) position: G,
    /// What White made of it: 1, 0.5 or 0.
    pub(super) result: f32,
    /// The search's score there, for White.
    pub(super) score: Score,
}

/// How self-play games are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelfPlay {
    /// Games.
    pub(super) games: u64,
    /// Nodes searched for each action.
    pub(super) nodes: u64,
    /// Random actions at the start of each game; every other game has one more.
    pub(super) random_plies: u32,
    /// Games follow from it alone.
    pub(super) seed: u64,
}

/// Beyond this both sides agree who has won, in centipawns.
const RESIGN: Score = 1500;
const LONGEST: usize = 400;
/// The hash table of each player in MiB: to empty it must not take longer than a game's searches.
const TABLE: usize = 1;

/// Plays games and keeps the quiet positions of each.
pub(super) fn play<G: Game>(
    variant: &'static str,
    setup: &G::Setup,
    wanted: SelfPlay,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Sample<G>>, ThreadPoolBuildError> {
    let done = AtomicU64::new(0);
    let pool = ThreadPoolBuilder::new().stack_size(STACK).build()?;
    let games = || {
        (0..wanted.games)
            .into_par_iter()
            .map_init(
                || {
                    let table = Table::new(TABLE).map(Arc::new);
                    table.map(|table| {
                        let settings = Settings::default();
                        let mut engine = Engine::<G>::new(variant, setup.clone(), settings, table);
                        engine.stay();
                        engine
                    })
                },
                |engine, game| {
                    let samples = engine.as_mut().map_or_else(Vec::new, |engine| {
                        let random = StdRng::seed_from_u64(wanted.seed.wrapping_add(game));
                        let plies = wanted.random_plies + (game % 2) as u32;
                        one_game(engine, setup, random, plies, wanted.nodes)
                    });
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                    samples
                },
            )
            .flatten()
            .collect()
    };
    Ok(pool.install(games))
}

fn opening<G: Game>(setup: &G::Setup, random: &mut StdRng, plies: u32) -> Record<G> {
    'again: loop {
        let mut record = Record::new(G::start(setup));
        for _ in 0..plies {
            if !random::step(&mut record, random) {
                continue 'again;
            }
        }
        if !matches!(record.node(), Node::Over(_)) {
            return record;
        }
    }
}

fn one_game<G: Game>(
    engine: &mut Engine<G>,
    setup: &G::Setup,
    mut random: StdRng,
    plies: u32,
    nodes: u64,
) -> Vec<Sample<G>> {
    let mut record = opening::<G>(setup, &mut random, plies);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut samples = Vec::new();
    let (mut decided, mut level) = (0, 0);
    engine.forget();
    let result = loop {
        match record.node() {
            Node::Over(Outcome::Draw) => break 0.5,
            Node::Over(Outcome::Win(color)) => break if color == Color::White { 1.0 } else { 0.0 },
            Node::Chance(_) => {
                record.play(drawn_event(record.position(), random.random()));
                continue;
            }
            Node::Decision(_) => {}
        }
        if record.keys().len() > LONGEST {
            break 0.5;
        }
        engine.set_record(record.clone());
        let summary = engine.think(&limits, &Control::new(false), &|_| {});
        let Some(action) = summary.best else { break 0.5 };
        let position = record.position();
        let score = summary.score * position.turn().sign();
        if samples.is_empty() && score.abs() > 400 {
            // A lost opening teaches nothing.
            return Vec::new();
        }
        decided = if score.abs() > RESIGN { decided + 1 } else { 0 };
        level = if score.abs() < 10 && record.keys().len() > 80 { level + 1 } else { 0 };
        if decided >= 4 {
            break if score > 0 { 1.0 } else { 0.0 };
        }
        if level >= 12 {
            break 0.5;
        }
        let quiet = !position.in_check() && !position.gist(action).is_noisy();
        let before = position.clone();
        record.play(action);
        if score.abs() < MATE_IN_MAX && record.position().ended().is_none() {
            if G::DICE {
                // The score is that of the position reached, before its roll.
                samples.push(Sample { position: record.position().clone(), result: 0.5, score });
            } else if quiet {
                samples.push(Sample { position: before, result: 0.5, score });
            }
        }
    };
    for sample in &mut samples {
        sample.result = result;
    }
    samples
}

/// Writes samples as lines `FEN;result;score`.
///
/// # Errors
/// What writing says.
pub(super) fn write<G: Game>(
    samples: &[Sample<G>],
    setup: &G::Setup,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for sample in samples {
        writeln!(out, "{};{};{}", sample.position.fen(setup), sample.result, sample.score)?;
    }
    Ok(())
}

/// Reads a line of what [`write`] wrote.
pub(super) fn sample<G: Game>(line: &str, setup: &G::Setup) -> Option<Sample<G>> {
    let mut fields = line.split(';');
    let position = G::from_fen(setup, fields.next()?).ok()?;
    let result = fields.next()?.parse().ok()?;
    let score = fields.next()?.parse().ok()?;
    Some(Sample { position, result, score })
}

/// Reads what [`write`] wrote; lines that are no samples are counted, not kept.
pub(super) fn read<G: Game>(text: &str, setup: &G::Setup) -> (Vec<Sample<G>>, usize) {
    let read: Vec<_> = text.par_lines().map(|line| sample(line, setup)).collect();
    let lines = read.len();
    let samples: Vec<_> = read.into_iter().flatten().collect();
    let bad = lines - samples.len();
    (samples, bad)
}

//! `alea tune`: fits the evaluation's weights to the results of self-play (Texel's method, with
//! the gradient descent of Adam, Kingma and Ba 2014).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use rayon::ThreadPoolBuildError;
use rayon::prelude::*;
use thiserror::Error;

use crate::eval::{Evaluator, Trace, layout, trace, weights};
use crate::game::{Game, GameOptions, with_game};

use super::selfplay::{self, Sample, SelfPlay};
use super::{ToolError, WhichGame};

/// Fit the evaluation's weights to games that alea plays against itself
#[derive(Args, Clone, Debug)]
pub struct Tune {
    #[command(flatten)]
    which: WhichGame,
    /// Games to play first
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Nodes for each move of these games
    #[arg(long, default_value_t = 3_000)]
    nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 7)]
    random_plies: u32,
    /// What the games follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions to read before, and to add the new ones to
    #[arg(long)]
    data: Option<PathBuf>,
    /// Passes over the data; 0 only plays
    #[arg(long, default_value_t = 600)]
    epochs: u32,
    /// How much of the aim is the game's result rather than the search's score, 0 to 1
    #[arg(long, default_value_t = 0.7)]
    result_share: f32,
    /// Where to write the weights, as Rust source; standard output if not given
    #[arg(long)]
    write: Option<PathBuf>,
}

/// Why tuning came to nothing.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There are no positions to fit to.
    #[error("no positions: give --games or a --data file that has some")]
    NoData,
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
}

/// An advantage of 100 centipawns scores three quarters: the scale of all scores.
pub(super) const SCALE: f32 = 0.010_986_123;

/// The expected result, 0 to 1.
pub(super) fn expected(centipawns: f32) -> f32 {
    1.0 / (1.0 + (-SCALE * centipawns).exp())
}

/// Plays, fits and writes.
///
/// # Errors
/// An unknown game, or a [`TuneError`].
pub fn run(wanted: &Tune) -> Result<(), ToolError> {
    let setup = super::game(wanted.which.name(), &GameOptions::default())?;
    with_game!(&setup, G, game => Ok(tune::<G>(setup.variant(), game, wanted)?))
}

fn tune<G: Game>(variant: &'static str, setup: &G::Setup, wanted: &Tune) -> Result<(), TuneError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |error| TuneError::File { path, error }
    };
    let mut samples: Vec<Sample<G>> = Vec::new();
    if let Some(path) = wanted.data.as_deref().filter(|path| path.exists()) {
        let text = fs::read_to_string(path).map_err(file(path))?;
        let bad;
        (samples, bad) = selfplay::read(&text, setup);
        eprintln!("{}: {} positions, {bad} lines left out", path.display(), samples.len());
    }
    if wanted.games > 0 {
        let games = wanted.games;
        let played = selfplay::play::<G>(
            variant,
            setup,
            SelfPlay {
                games,
                nodes: wanted.nodes,
                random_plies: wanted.random_plies,
                seed: wanted.seed,
            },
            &|done| {
                if done % 500 == 0 {
                    eprintln!("{done} of {games} games");
                }
            },
        )?;
        eprintln!("{games} games gave {} positions", played.len());
        if let Some(path) = &wanted.data {
            let mut out = fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .map(io::BufWriter::new)
                .map_err(file(path))?;
            selfplay::write(&played, setup, &mut out).map_err(file(path))?;
        }
        samples.extend(played);
    }
    if wanted.epochs == 0 {
        return Ok(());
    }
    if samples.is_empty() {
        return Err(TuneError::NoData);
    }
    let source = source(&fit(&samples, setup, wanted));
    match &wanted.write {
        Some(path) => fs::write(path, source).map_err(file(path)),
        None => {
            print!("{source}");
            Ok(())
        }
    }
}

type Weights = Vec<[f32; 2]>;

struct Example {
    trace: Trace,
    aim: f32,
}

fn fit<G: Game>(samples: &[Sample<G>], setup: &G::Setup, wanted: &Tune) -> Weights {
    let start = weights(G::family(setup));
    let evaluator = Evaluator::<G>::new(start);
    let examples: Vec<Example> = samples
        .par_iter()
        .map(|sample| {
            let share = wanted.result_share;
            let aim = share * sample.result + (1.0 - share) * expected(sample.score as f32);
            Example { trace: trace(&evaluator, &sample.position), aim }
        })
        .collect();
    let mut weights: Weights =
        start.iter().map(|&(mg, eg)| [f32::from(mg), f32::from(eg)]).collect();
    let (mut first, mut second) =
        (vec![[0.0_f32; 2]; weights.len()], vec![[0.0_f32; 2]; weights.len()]);
    let (rate, decay, decay_squares) = (1.0_f32, 0.9_f32, 0.999_f32);
    for epoch in 1..=wanted.epochs {
        let (loss, gradient) = gradient(&examples, &weights);
        // A falling rate lets the weights settle.
        let rate = rate * (1.0 - 0.9 * epoch as f32 / wanted.epochs as f32);
        for (index, slope) in gradient.iter().enumerate() {
            for phase in 0..2 {
                let slope = slope[phase] / examples.len() as f32;
                let (m, v) = (&mut first[index][phase], &mut second[index][phase]);
                *m = decay * *m + (1.0 - decay) * slope;
                *v = decay_squares * *v + (1.0 - decay_squares) * slope * slope;
                let m = *m / (1.0 - decay.powi(epoch as i32));
                let v = *v / (1.0 - decay_squares.powi(epoch as i32));
                weights[index][phase] -= rate * m / (v.sqrt() + 1e-8);
            }
        }
        if epoch % 50 == 0 || epoch == 1 {
            eprintln!("epoch {epoch}: mean squared error {:.6}", loss / examples.len() as f64);
        }
    }
    weights
}

/// The summed loss, and its slope by each weight. Chunks are of fixed size and added in order, so
/// that the outcome does not depend on the number of threads.
fn gradient(examples: &[Example], weights: &Weights) -> (f64, Weights) {
    let chunks: Vec<(f64, Weights)> = examples
        .par_chunks(16_384)
        .map(|chunk| {
            let (mut loss, mut slopes) = (0.0, vec![[0.0; 2]; weights.len()]);
            for Example { trace, aim } in chunk {
                let mut total = 0.0;
                for &(weight, count) in &trace.features {
                    let [mg, eg] = weights[usize::from(weight)];
                    total += f32::from(count) * (mg * trace.middlegame + eg * trace.endgame);
                }
                let score = expected(total);
                let error = score - aim;
                loss += f64::from(error * error);
                let slope = 2.0 * error * score * (1.0 - score);
                for &(weight, count) in &trace.features {
                    let slope = slope * f32::from(count);
                    let entry = &mut slopes[usize::from(weight)];
                    entry[0] += slope * trace.middlegame;
                    entry[1] += slope * trace.endgame;
                }
            }
            (loss, slopes)
        })
        .collect();
    let mut sum = (0.0, vec![[0.0; 2]; weights.len()]);
    for (loss, slopes) in chunks {
        sum.0 += loss;
        for (total, slope) in sum.1.iter_mut().zip(slopes) {
            total[0] += slope[0];
            total[1] += slope[1];
        }
    }
    sum
}

/// The weights as the source file that holds them.
fn source(weights: &Weights) -> String {
    let mut text = String::from(
        "//! The weights' values, (middlegame, endgame) in centipawns, written by `alea tune`.\n\n\
         use crate::eval::layout::COUNT;\n\n\
         /// In the order of [`crate::eval::layout`].\n\
         #[rustfmt::skip]\n\
         pub(super) static WEIGHTS: [(i16, i16); COUNT] = [\n",
    );
    let mut rest = weights.as_slice();
    for &(name, length) in layout::GROUPS {
        let _ = writeln!(text, "    // {name}");
        let (group, after) = rest.split_at(length);
        rest = after;
        for row in group.chunks(8) {
            text.push_str("   ");
            for &[mg, eg] in row {
                let _ = write!(text, " ({}, {}),", mg.round() as i16, eg.round() as i16);
            }
            text.push('\n');
        }
    }
    text.push_str("];\n");
    text
}

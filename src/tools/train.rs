//! `alea train`: fits a network to the results and scores of self-play (stochastic gradient descent
//! by Adam, Kingma and Ba 2014).

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use thiserror::Error;

use crate::core::Color;
use crate::eval::network::{
    BUCKETS, HIDDEN, Network, NetworkError, OUTPUT_ONE, Row, SUM_ONE, Shape, bucket_of, mirrors,
    row_of,
};
use crate::eval::{Evaluator, weights};
use crate::game::{Game, GameOptions, with_game};

use super::tune::{SCALE, expected};
use super::{ToolError, WhichGame, selfplay};

/// Fit a network for the evaluation to positions of games that alea played against itself
#[derive(Args, Clone, Debug)]
pub struct Train {
    #[command(flatten)]
    which: WhichGame,
    /// Positions, as `alea tune --epochs 0 --data` writes them
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// Passes over the data
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Positions for each step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// The first steps' length; it falls to nothing
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// How much of the aim is the game's result rather than the search's score, 0 to 1
    #[arg(long, default_value_t = 0.4)]
    result_share: f32,
    /// Let the output be the whole evaluation, not what is added to the weighted features
    #[arg(long)]
    alone: bool,
    /// A network to begin with, as of a game with the same men, instead of chance numbers
    #[arg(long)]
    from: Option<PathBuf>,
    /// What order and first weights follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the network
    #[arg(long)]
    write: PathBuf,
}

/// Why training came to nothing.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file to begin with is none.
    #[error("{path}: no network: {error}")]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// The network to begin with is for other men or another board.
    #[error("{path}: a network for {found}; {wanted} are wanted")]
    Misfit {
        /// The file.
        path: PathBuf,
        /// What it is for.
        found: Shape,
        /// What the game has.
        wanted: Shape,
    },
    /// There are no positions to fit to.
    #[error("no positions in the --data files")]
    NoData,
}

/// Reads, fits and writes.
///
/// # Errors
/// An unknown game, or a [`TrainError`].
pub fn run(wanted: &Train) -> Result<(), ToolError> {
    let setup = super::game(wanted.which.name(), &GameOptions::default())?;
    with_game!(&setup, G, game => Ok(train::<G>(game, wanted)?))
}

fn train<G: Game>(setup: &G::Setup, wanted: &Train) -> Result<(), TrainError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |error| TrainError::File { path, error }
    };
    let shape = Shape::of::<G>(wanted.alone);
    let mut random = StdRng::seed_from_u64(wanted.seed);
    let parameters = match &wanted.from {
        None => Parameters::new(shape.rows(), &mut random),
        Some(path) => {
            let bytes = fs::read(path).map_err(file(path))?;
            let network = Network::read(&bytes)
                .map_err(|error| TrainError::Network { path: path.clone(), error })?;
            if !network.fits::<G>() {
                let (path, found) = (path.clone(), network.shape());
                return Err(TrainError::Misfit { path, found, wanted: shape });
            }
            Parameters::of(&network, &mut random)
        }
    };
    let mut examples = Examples::default();
    for path in &wanted.data {
        let text = fs::read_to_string(path).map_err(file(path))?;
        let before = examples.facts.len();
        examples.read::<G>(&text, setup, wanted);
        let read = examples.facts.len() - before;
        let bad = text.lines().count() - read;
        eprintln!("{}: {read} positions, {bad} lines left out", path.display());
    }
    if examples.facts.is_empty() {
        return Err(TrainError::NoData);
    }
    let mut parameters = fit(&examples, parameters, random, wanted);
    parameters.forget_unseen(&examples.rows);
    fs::write(&wanted.write, parameters.network(shape).write()).map_err(file(&wanted.write))
}

/// A position as the network sees it.
struct Fact {
    /// Where its rows begin in [`Examples::rows`].
    start: usize,
    /// How many rows each view has; those of the side to decide come first.
    men: u8,
    bucket: u8,
    /// What is added to the output.
    offset: f32,
    /// The expected result for the side to decide, 0 to 1.
    aim: f32,
}

#[derive(Default)]
struct Examples {
    rows: Vec<u16>,
    facts: Vec<Fact>,
}

impl Examples {
    fn read<G: Game>(&mut self, text: &str, setup: &G::Setup, wanted: &Train) {
        let evaluator = Evaluator::<G>::new(weights(G::family(setup)));
        let lines: Vec<&str> = text.lines().collect();
        let share = wanted.result_share;
        for chunk in lines.chunks(1 << 20) {
            let read: Vec<(Vec<u16>, Fact)> = chunk
                .par_iter()
                .filter_map(|line| {
                    let sample = selfplay::sample::<G>(line, setup)?;
                    let position = &sample.position;
                    let (state, us) = (position.state(), position.turn());
                    let mut rows = Vec::new();
                    for view in [us, !us] {
                        let mirrored = state.has_king(view) && mirrors(state.king(view));
                        rows.extend(state.board().pieces().map(|(square, piece)| {
                            row_of::<G>(piece, square, view, mirrored) as u16
                        }));
                    }
                    let white =
                        share * sample.result + (1.0 - share) * expected(sample.score as f32);
                    let offset = if wanted.alone {
                        0.0
                    } else {
                        SCALE * evaluator.evaluate_fresh(position) as f32
                    };
                    let fact = Fact {
                        start: 0,
                        men: (rows.len() / 2) as u8,
                        bucket: bucket_of(state.board().occupied()) as u8,
                        offset,
                        aim: if us == Color::White { white } else { 1.0 - white },
                    };
                    Some((rows, fact))
                })
                .collect();
            for (rows, mut fact) in read {
                fact.start = self.rows.len();
                self.rows.extend(rows);
                self.facts.push(fact);
            }
        }
    }

    /// The rows of a position for the side to decide and the other one.
    fn rows(&self, fact: &Fact) -> [&[u16]; 2] {
        let men = usize::from(fact.men);
        let rows = &self.rows[fact.start..fact.start + 2 * men];
        let (own, enemy) = rows.split_at(men);
        [own, enemy]
    }
}

/// The numbers that are fitted, in one list: rows, bias, output weights by bucket, output biases.
struct Parameters {
    values: Vec<f32>,
    rows: usize,
}

impl Parameters {
    fn new(rows: usize, random: &mut StdRng) -> Self {
        let mut values = vec![0.0; (rows + 1 + 2 * BUCKETS) * HIDDEN + BUCKETS];
        let output = (rows + 1) * HIDDEN;
        for value in &mut values[..rows * HIDDEN] {
            *value = random.random_range(-0.1..0.1);
        }
        for value in &mut values[output..output + 2 * HIDDEN * BUCKETS] {
            *value = random.random_range(-0.05..0.05);
        }
        Self { values, rows }
    }

    /// Those of a network. Sums that a narrower one has not begin with chance numbers, and count for
    /// nothing yet.
    fn of(network: &Network, random: &mut StdRng) -> Self {
        let list = |row: &Row, one: i32| row.0.map(|number| f32::from(number) / one as f32);
        let sums = network.rows.iter().chain([&network.bias]);
        let mut values: Vec<f32> = sums.flat_map(|row| list(row, SUM_ONE)).collect();
        values.extend(network.output.iter().flatten().flat_map(|row| list(row, OUTPUT_ONE)));
        let biases = network.output_bias.iter();
        values.extend(biases.map(|&bias| bias as f32 / (SUM_ONE * OUTPUT_ONE) as f32));
        let rows = network.rows.len();
        for row in values[..rows * HIDDEN].chunks_exact_mut(HIDDEN) {
            row[network.width..].fill_with(|| random.random_range(-0.1..0.1));
        }
        Self { values, rows }
    }

    /// Makes those rows nothing that no position had: chance numbers would be noise where they occur.
    fn forget_unseen(&mut self, seen: &[u16]) {
        let mut unseen = vec![true; self.rows];
        for &row in seen {
            unseen[usize::from(row)] = false;
        }
        for (values, _) in self.values.chunks_exact_mut(HIDDEN).zip(unseen).filter(|&(_, not)| not)
        {
            values.fill(0.0);
        }
    }

    fn bias(&self) -> usize {
        self.rows * HIDDEN
    }

    /// Where the output weights of a bucket begin.
    fn output(&self, bucket: usize) -> usize {
        (self.rows + 1 + 2 * bucket) * HIDDEN
    }

    fn output_bias(&self, bucket: usize) -> usize {
        self.output(BUCKETS) + bucket
    }

    fn network(&self, shape: Shape) -> Network {
        let row = |at: usize, one: i32| {
            let mut row = Row::ZERO;
            for (to, from) in row.0.iter_mut().zip(&self.values[at..at + HIDDEN]) {
                *to = (from * one as f32).round() as i16;
            }
            row
        };
        Network {
            shape,
            width: HIDDEN,
            rows: (0..self.rows).map(|index| row(index * HIDDEN, SUM_ONE)).collect(),
            bias: row(self.bias(), SUM_ONE),
            output: std::array::from_fn(|bucket| {
                let at = self.output(bucket);
                [row(at, OUTPUT_ONE), row(at + HIDDEN, OUTPUT_ONE)]
            }),
            output_bias: std::array::from_fn(|bucket| {
                let bias = self.values[self.output_bias(bucket)];
                (bias * (SUM_ONE * OUTPUT_ONE) as f32).round() as i32
            }),
        }
    }

    /// The squared error of a position, and if wanted its slope by each parameter.
    fn look(&self, examples: &Examples, fact: &Fact, slopes: Option<&mut [f32]>) -> f32 {
        let bucket = usize::from(fact.bucket);
        let rows = examples.rows(fact);
        let output = self.output(bucket);
        let mut sums = [[0.0_f32; HIDDEN]; 2];
        let mut total = self.values[self.output_bias(bucket)] + fact.offset;
        for (view, sum) in sums.iter_mut().enumerate() {
            sum.copy_from_slice(&self.values[self.bias()..self.bias() + HIDDEN]);
            for &row in rows[view] {
                let at = usize::from(row) * HIDDEN;
                for (sum, value) in sum.iter_mut().zip(&self.values[at..at + HIDDEN]) {
                    *sum += value;
                }
            }
            let weights = &self.values[output + view * HIDDEN..output + (view + 1) * HIDDEN];
            let mut lanes = [0.0_f32; 16];
            for (sums, weights) in sum.chunks_exact(16).zip(weights.chunks_exact(16)) {
                for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *lane += clipped * clipped * weight;
                }
            }
            total += lanes.iter().sum::<f32>();
        }
        let score = 1.0 / (1.0 + (-total).exp());
        let error = score - fact.aim;
        let Some(slopes) = slopes else { return error * error };
        let slope = 2.0 * error * score * (1.0 - score);
        slopes[self.output_bias(bucket)] += slope;
        let bias = self.bias();
        for (view, sum) in sums.iter().enumerate() {
            let at = output + view * HIDDEN;
            let mut below = [0.0_f32; HIDDEN];
            for index in 0..HIDDEN {
                let clipped = sum[index].clamp(0.0, 1.0);
                let inside = if sum[index] > 0.0 && sum[index] < 1.0 { 2.0 * clipped } else { 0.0 };
                below[index] = slope * self.values[at + index] * inside;
            }
            for (to, sum) in slopes[at..at + HIDDEN].iter_mut().zip(sum) {
                let clipped = sum.clamp(0.0, 1.0);
                *to += slope * clipped * clipped;
            }
            let mut pass = |at: usize| {
                for (to, below) in slopes[at..at + HIDDEN].iter_mut().zip(&below) {
                    *to += below;
                }
            };
            pass(bias);
            for &row in rows[view] {
                pass(usize::from(row) * HIDDEN);
            }
        }
        error * error
    }
}

/// Weights stay within what the network's numbers can hold.
const BOUND: f32 = 1.98;

fn fit(
    examples: &Examples,
    mut parameters: Parameters,
    mut random: StdRng,
    wanted: &Train,
) -> Parameters {
    let mut order: Vec<u32> = (0..examples.facts.len() as u32).collect();
    // The last positions, those of other games, only tell how well it does.
    let held_back = (order.len() / 50).min(100_000);
    let (lessons, test) = order.split_at_mut(examples.facts.len() - held_back);
    let test = &*test;
    let count = parameters.values.len();
    let (mut first, mut second) = (vec![0.0_f32; count], vec![0.0_f32; count]);
    let (decay, decay_squares) = (0.9_f32, 0.999_f32);
    let steps = lessons.len().div_ceil(wanted.batch) as u32 * wanted.epochs;
    let mut step = 0;
    // Each part of a batch sums its own slopes; their number is fixed, so that the outcome does not
    // depend on the number of threads.
    let mut parts = vec![vec![0.0_f32; count]; 4];
    let error = |parameters: &Parameters| {
        let errors = test.par_iter().map(|&index| {
            f64::from(parameters.look(examples, &examples.facts[index as usize], None))
        });
        errors.sum::<f64>() / test.len().max(1) as f64
    };
    eprintln!("at first: mean squared error {:.6} of positions held back", error(&parameters));
    for epoch in 1..=wanted.epochs {
        lessons.shuffle(&mut random);
        let mut loss = 0.0;
        for batch in lessons.chunks(wanted.batch) {
            step += 1;
            let length = batch.len().div_ceil(parts.len());
            loss += parts
                .par_iter_mut()
                .zip(batch.par_chunks(length))
                .map(|(slopes, part)| {
                    slopes.fill(0.0);
                    part.iter()
                        .map(|&index| {
                            let fact = &examples.facts[index as usize];
                            f64::from(parameters.look(examples, fact, Some(slopes)))
                        })
                        .sum::<f64>()
                })
                .sum::<f64>();
            let used = batch.len().div_ceil(length);
            let rate = wanted.rate * (1.0 - step as f32 / (steps + 1) as f32);
            let (m_scale, v_scale) = (1.0 - decay.powi(step), 1.0 - decay_squares.powi(step));
            let share = 1.0 / batch.len() as f32;
            let bound = parameters.output_bias(0);
            parameters
                .values
                .par_chunks_mut(4096)
                .zip(first.par_chunks_mut(4096))
                .zip(second.par_chunks_mut(4096))
                .enumerate()
                .for_each(|(chunk, ((values, first), second))| {
                    for offset in 0..values.len() {
                        let index = chunk * 4096 + offset;
                        let slope =
                            parts[..used].iter().map(|part| part[index]).sum::<f32>() * share;
                        let (m, v) = (&mut first[offset], &mut second[offset]);
                        *m = decay * *m + (1.0 - decay) * slope;
                        *v = decay_squares * *v + (1.0 - decay_squares) * slope * slope;
                        values[offset] -= rate * (*m / m_scale) / ((*v / v_scale).sqrt() + 1e-8);
                        if index < bound {
                            values[offset] = values[offset].clamp(-BOUND, BOUND);
                        }
                    }
                });
        }
        eprintln!(
            "epoch {epoch}: mean squared error {:.6}, {:.6} of positions held back",
            loss / lessons.len() as f64,
            error(&parameters)
        );
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chess::Chess;

    #[test]
    fn a_network_is_begun_with_as_it_was_written() {
        let shape = Shape::of::<Chess>(false);
        let parameters = Parameters::new(shape.rows(), &mut StdRng::seed_from_u64(1));
        let network = parameters.network(shape);
        let random = &mut StdRng::seed_from_u64(2);
        assert_eq!(Parameters::of(&network, random).network(shape), network);
    }

    #[test]
    fn what_a_narrow_network_has_not_counts_for_nothing_at_first() {
        let shape = Shape::of::<Chess>(true);
        let random = &mut StdRng::seed_from_u64(1);
        let mut network = Parameters::new(shape.rows(), random).network(shape);
        network.width = 32;
        for row in network.rows.iter_mut().chain([&mut network.bias]) {
            row.0[32..].fill(0);
        }
        for row in network.output.iter_mut().flatten() {
            row.0[32..].fill(0);
        }
        let wider = Parameters::of(&network, random).network(shape);
        assert_eq!((wider.width, wider.output), (HIDDEN, network.output));
        for (wide, narrow) in wider.rows.iter().zip(&network.rows) {
            assert_eq!(wide.0[..32], narrow.0[..32]);
            assert!(wide.0[32..].iter().any(|&number| number != 0));
        }
    }

    #[test]
    fn rows_that_no_position_had_are_nothing() {
        let shape = Shape::of::<Chess>(true);
        let mut parameters = Parameters::new(shape.rows(), &mut StdRng::seed_from_u64(1));
        let network = parameters.network(shape);
        parameters.forget_unseen(&[3, 767]);
        let after = parameters.network(shape);
        for row in 0..768 {
            let expected = if [3, 767].contains(&row) { network.rows[row] } else { Row::ZERO };
            assert_eq!(after.rows[row], expected, "{row}");
        }
        assert_eq!((after.bias, after.output), (network.bias, network.output));
    }
}

//! `alea openings`: balanced start positions for matches.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};

use clap::Args;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use thiserror::Error;

use crate::core::{Score, zobrist};
use crate::game::{Game, Node, Record, with_game};
use crate::search::{Control, DeskError, Engine, Limits, Settings, Table};

use super::{GameArguments, ToolError, random};

/// Make a file of balanced and varied start positions for matches.
///
/// Each is reached by random play and is at the start of a turn, with no die, debt or card left
/// over, nobody in check and the game not over; a search finds that neither side stands clearly
/// better, and no two are the same. Their clocks are set back, so that rules that count moves count
/// them from the new start. The file has a FEN a line; lines that begin with # say what they are.
/// The same arguments make the same file, on however many threads.
#[derive(Args, Clone, Debug)]
pub struct Openings {
    /// The game.
    #[arg(default_value = "chess", value_name = "GAME", help = super::games())]
    pub variant: String,
    /// How many positions.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// Player actions of random play; every other candidate has one more, so that both sides come
    /// to move.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub plies: u32,
    /// Search each candidate for this many nodes.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The furthest that a score may lie from the center, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub max_score: Score,
    /// The score in centipawns, for White, around which positions are balanced: where one side has
    /// the worse rules for longer than a search sees, it has to be given material.
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(-10_000..=10_000)
    )]
    pub center: Score,
    /// What the random play follows from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many threads search; 0 means as many as the machine has.
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    /// Write to this file instead of to the standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Options of the game.
    #[command(flatten)]
    pub game: GameArguments,
}

/// Why there is no file of start positions.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// Random play leads to too few balanced positions.
    #[error(
        "only {found} of {tried} candidates are balanced and differ; wanted {wanted}: \
         try more --plies, a larger --max-score or another --center"
    )]
    TooFew {
        /// Positions found.
        found: usize,
        /// Positions wanted.
        wanted: u32,
        /// Candidates looked at.
        tried: u64,
    },
    /// The file cannot be written.
    #[error("--output {path:?} cannot be written: {error}; wanted a file in a folder that exists")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// So many candidates a wanted position, and no more, are looked at.
const PATIENCE: u64 = 2000;
/// Candidates that are looked at together. What is found does not depend on it: they are accepted
/// in their order.
const BATCH: u64 = 64;
/// MiB for the table of a search: it is emptied for each candidate, so more than enough costs time.
const HASH: usize = 4;

/// Makes the file.
///
/// # Errors
/// A wrong game; no threads or memory; an [`OpeningsError`]; nobody reads.
pub fn run(wanted: &Openings, output: &mut impl Write) -> Result<(), ToolError> {
    let setup = super::game(&wanted.variant, &wanted.game.options()?)?;
    let variant = setup.variant();
    let pool = ThreadPoolBuilder::new().num_threads(wanted.threads).build()?;
    let found = with_game!(setup, G, setup => {
        pool.install(|| Found::search::<G>(variant, &setup, wanted))?
    });
    let text = found.text(variant, wanted);
    match &wanted.output {
        None => Ok(output.write_all(text.as_bytes())?),
        Some(path) => Ok(fs::write(path, text)
            .map_err(|error| OpeningsError::File { path: path.clone(), error })?),
    }
}

/// What was found.
struct Found {
    /// FENs with tokens.
    positions: Vec<String>,
    /// Candidates up to the last position.
    tried: u64,
}

impl Found {
    fn search<G: Game>(
        variant: &'static str,
        setup: &G::Setup,
        wanted: &Openings,
    ) -> Result<Self, ToolError> {
        let count = wanted.count as usize;
        let patience = PATIENCE * u64::from(wanted.count);
        let mut found = Self { positions: Vec::new(), tried: 0 };
        let mut seen = HashSet::new();
        let mut begin = 0;
        while begin < patience {
            let batch = begin..(begin + BATCH).min(patience);
            begin = batch.end;
            let candidates: Vec<(u64, G, String)> = batch
                .into_par_iter()
                .filter_map(|index| {
                    let (position, fen) = candidate::<G>(setup, wanted, index)?;
                    Some((index, position, fen))
                })
                .collect();
            let new: Vec<(u64, G, String)> =
                candidates.into_iter().filter(|(_, _, fen)| seen.insert(fen.clone())).collect();
            let balanced: Vec<bool> = new
                .par_iter()
                .map_init(
                    || {
                        let table = Table::new(HASH).map(Arc::new);
                        table.map(|table| {
                            Engine::<G>::new(variant, setup.clone(), Settings::default(), table)
                        })
                    },
                    |engine, (_, position, _)| {
                        let engine = engine.as_mut().ok_or(DeskError::NoTable(HASH))?;
                        Ok(is_balanced(engine, position, wanted))
                    },
                )
                .collect::<Result<_, DeskError>>()?;
            let accepted = new.into_iter().zip(balanced).filter(|&(_, balanced)| balanced);
            for ((index, _, fen), _) in accepted {
                found.positions.push(fen);
                found.tried = index + 1;
                if found.positions.len() == count {
                    return Ok(found);
                }
            }
        }
        let found = found.positions.len();
        Err(OpeningsError::TooFew { found, wanted: wanted.count, tried: patience }.into())
    }

    /// The file.
    fn text(&self, variant: &str, wanted: &Openings) -> String {
        let mut text = format!(
            "# Start positions of {variant}: {} of {} candidates. Made by\n# {}\n",
            self.positions.len(),
            self.tried,
            command(variant, wanted)
        );
        for position in &self.positions {
            text.push_str(position);
            text.push('\n');
        }
        text
    }
}

/// The command that finds the same again. Threads and the name of the file have no part in that.
fn command(variant: &str, wanted: &Openings) -> String {
    let Openings { count, plies, nodes, max_score, center, seed, .. } = wanted;
    let mut text = format!(
        "alea openings {variant} --count {count} --plies {plies} --nodes {nodes} \
         --max-score {max_score} --center {center} --seed {seed}"
    );
    if wanted.game.chess960 {
        text.push_str(" --chess960");
    }
    for option in &wanted.game.options {
        // A setting may name a file, whatever that is called.
        let plain =
            option.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"=_-./".contains(&byte));
        let _ = if plain {
            write!(text, " --option {option}")
        } else {
            write!(text, " --option {option:?}")
        };
    }
    text
}

/// The candidate of that number and its FEN, if random play has come to a position that can be
/// started from.
fn candidate<G: Game>(setup: &G::Setup, wanted: &Openings, index: u64) -> Option<(G, String)> {
    let mut random = StdRng::seed_from_u64(zobrist::mix(wanted.seed).wrapping_add(index));
    let plies = wanted.plies + (index % 2) as u32;
    let mut record = Record::new(G::start(setup));
    let mut played = 0;
    while played < plies {
        let decides = !record.position().is_chance();
        if !random::step(&mut record, &mut random) {
            return None;
        }
        played += u32::from(decides);
    }
    let position = with_new_clocks(setup, record.position())?;
    let fen = position.fen(setup);
    can_start(&position).then_some((position, fen))
}

/// The position as the first of a game: what a mode does at some move is still to come.
fn with_new_clocks<G: Game>(setup: &G::Setup, position: &G) -> Option<G> {
    let fen = position.fen(setup);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields.get_mut(4..6)?.copy_from_slice(&["0", "1"]);
    G::from_fen(setup, &fields.join(" ")).ok()
}

fn can_start<G: Game>(position: &G) -> bool {
    position.is_fresh_turn() && !position.in_check() && !matches!(position.node(), Node::Over(_))
}

fn is_balanced<G: Game>(engine: &mut Engine<G>, position: &G, wanted: &Openings) -> bool {
    engine.forget();
    engine.set_record(Record::new(position.clone()));
    let limits = Limits { nodes: Some(wanted.nodes), ..Limits::default() };
    let summary = engine.think(&limits, &Control::new(false), &|_| {});
    let score = summary.score * position.turn().sign();
    // Without a finished iteration a score says nothing.
    summary.depth > 0 && (score - wanted.center).abs() <= wanted.max_score
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::game::{AnySetup, GameOptions, VARIANTS};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        wanted: Openings,
    }

    fn openings(arguments: &str) -> Openings {
        let words = std::iter::once("openings").chain(arguments.split_ascii_whitespace());
        Line::try_parse_from(words).unwrap().wanted
    }

    fn made(arguments: &str) -> Result<String, ToolError> {
        let mut output = Vec::new();
        run(&openings(arguments), &mut output)?;
        Ok(String::from_utf8(output).unwrap())
    }

    fn lines(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_the_seed_everything() {
        for variant in ["chess", "equalizer", "equalizer-specific", "bomber"] {
            let arguments = format!("{variant} --count 12 --nodes 300 --max-score 150");
            let one = made(&format!("{arguments} --threads 1")).unwrap();
            assert_eq!(one, made(&format!("{arguments} --threads 3")).unwrap(), "{variant}");
            let other = made(&format!("{arguments} --seed 2")).unwrap();
            let (one, other) = (lines(&one), lines(&other));
            assert_eq!((one.len(), other.len()), (12, 12), "{variant}");
            assert!(one.iter().all(|line| !other.contains(line)), "{variant}");
        }
    }

    #[test]
    fn positions_differ_and_can_be_started_from_by_either_side() {
        for &variant in VARIANTS {
            let text = made(&format!("{variant} --count 40 --nodes 50 --max-score 300")).unwrap();
            let lines = lines(&text);
            assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 40, "{variant}");
            let setup = AnySetup::named(variant, &GameOptions::default()).unwrap();
            with_game!(setup, G, setup => for line in &lines {
                let position = G::from_fen(&setup, line).unwrap();
                assert!(can_start(&position), "{variant} {line}");
                assert_eq!(&position.fen(&setup), line);
                assert_eq!(position.state().fullmove_number(), 1, "{variant} {line}");
                for token in ["die=", "next=", "boom="] {
                    assert!(!line.contains(token), "{variant} {line}");
                }
            });
            for side in [" w ", " b "] {
                let share = lines.iter().filter(|line| line.contains(side)).count();
                assert!(share >= 8, "{variant}: {side:?} {share}");
            }
        }
    }

    /// A search of the same size finds them as balanced again, around the center that was wanted.
    #[test]
    fn scores_lie_where_they_are_wanted() {
        for center in [0, -200] {
            let arguments = format!("--count 10 --nodes 1000 --max-score 40 --center {center}");
            let text = made(&arguments).unwrap();
            let setup = crate::game::chess::Setup::default();
            let table = Arc::new(Table::new(HASH).unwrap());
            let mut engine = Engine::new("chess", setup, Settings::default(), table);
            for line in lines(&text) {
                let position = crate::game::chess::Chess::from_fen(&setup, line).unwrap();
                assert!(is_balanced(&mut engine, &position, &openings(&arguments)), "{line}");
                assert!(!is_balanced(
                    &mut engine,
                    &position,
                    &Openings { center: center + 81, ..openings(&arguments) }
                ));
            }
        }
    }

    #[test]
    fn the_file_says_how_it_was_made() {
        let text = made(
            "EQUALIZER-weaker --threads 2 --count 2 --nodes 9 --plies 3 --max-score 900 \
             --option EqualizerPeriod=4 --option EqualizerStrong=b",
        )
        .unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("# Start positions of equalizer-weaker: 2 of "), "{text}");
        assert_eq!(
            lines[1],
            "# alea openings equalizer-weaker --count 2 --plies 3 --nodes 9 --max-score 900 \
             --center 0 --seed 1 --option EqualizerPeriod=4 --option EqualizerStrong=b"
        );
        assert!(lines[2..].iter().all(|line| line.ends_with(" strong=b period=4")), "{text}");
        assert_eq!(lines.len(), 4);
    }

    /// There is one position without a move, and there are twenty after one.
    #[test]
    fn it_gives_up() {
        let arguments = "--count 30 --plies 0 --nodes 200 --max-score 10000";
        assert_eq!(
            made(arguments).unwrap_err().to_string(),
            "only 21 of 60000 candidates are balanced and differ; wanted 30: \
             try more --plies, a larger --max-score or another --center"
        );
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let arguments = "--count 1 --nodes 9 --max-score 900 --output no/such/folder";
        let error = made(arguments).unwrap_err().to_string();
        assert!(error.starts_with("--output \"no/such/folder\" cannot be written: "), "{error}");
    }
}

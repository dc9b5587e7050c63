//! `alea perft`: counts sequences of player actions on all threads, and says how fast.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use rayon::ThreadPoolBuilder;

use crate::game::{Game, Record, perft, with_game};

use super::{GameArguments, PositionArguments, ToolError, WhichGame};

/// Count the sequences of N player actions, to check the rules or time them.
///
/// Chance events cost no depth; every outcome is followed.
#[derive(Args, Clone, Debug)]
pub struct Perft {
    /// The game.
    #[command(flatten)]
    pub which: WhichGame,
    /// The position.
    #[command(flatten)]
    pub position: PositionArguments,
    /// How many player actions deep.
    #[arg(long, value_name = "N")]
    pub depth: u32,
    /// How many threads count; 0 means as many as the machine has.
    #[arg(long, default_value_t = 1, value_name = "T")]
    pub threads: usize,
    /// Print the count of every action or event of the position, too.
    #[arg(long)]
    pub divide: bool,
    /// Options of the game.
    #[command(flatten)]
    pub game: GameArguments,
}

/// Counts and prints.
///
/// # Errors
/// A wrong game or position; no threads; nobody reads.
pub fn run(wanted: &Perft, output: &mut impl Write) -> Result<(), ToolError> {
    let setup = super::game(wanted.which.name(), &wanted.game.options()?)?;
    let pool = ThreadPoolBuilder::new().num_threads(wanted.threads).build()?;
    with_game!(setup, G, setup => {
        let actions = wanted.position.actions();
        let record = Record::<G>::parse(&setup, wanted.position.fen.as_deref(), &actions)?;
        let position = record.position();
        let begin = Instant::now();
        let stop = AtomicBool::new(false);
        let counts = pool.install(|| perft::divide(position, wanted.depth, &stop));
        let time = begin.elapsed();
        let branches: Vec<_> = counts
            .into_iter()
            .flatten()
            .map(|(action, count)| (position.action_text(&setup, action), count))
            .collect();
        let nodes = if wanted.depth == 0 { 1 } else { branches.iter().map(|branch| branch.1).sum() };
        report(wanted, branches, nodes, time.as_secs_f64(), output)
    })
}

fn report(
    wanted: &Perft,
    mut branches: Vec<(String, u64)>,
    nodes: u64,
    seconds: f64,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    if wanted.divide {
        branches.sort();
        for (action, count) in branches {
            writeln!(output, "{action}: {count}")?;
        }
    }
    let speed = nodes as f64 / seconds.max(1e-9);
    writeln!(output, "{nodes} nodes in {seconds:.3} s, {speed:.0} nodes/s")?;
    writeln!(output, "perft {} nodes {nodes}", wanted.depth)?;
    Ok(())
}

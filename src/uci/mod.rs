//! The protocol: lines in, lines out, for any game behind a [`Desk`]. The reference that users read
//! is `protocol.md` at the top of the package; a test runs its examples.
//!
//! Three threads work together. One reads lines. One, the worker, searches and counts. Between
//! them the session answers every line at once, hands jobs to the worker, and takes them back.
//! Nothing that comes in may make any of them panic.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation
    )
)]

mod command;
mod go;
pub(crate) mod input;
mod options;
pub(crate) mod output;
mod session;
#[cfg(test)]
mod tests;
mod worker;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::{Arc, mpsc};
use std::thread;

use thiserror::Error;

use crate::game::AnySetup;
use crate::search::{Desk, Settings, Table};
use output::Output;
use session::Session;

/// What opens a desk for a game.
pub type OpenDesk = fn(&AnySetup, &Settings, Arc<Table>) -> Box<dyn Desk>;

/// Why there could be no session at all.
#[derive(Debug, Error)]
pub enum UciError {
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// Not even a small hash table could be had.
    #[error("no memory for a hash table of {0} MiB")]
    Memory(usize),
    /// No game has the name that is in force before any other is chosen.
    #[error("there is no game called {0:?}")]
    NoGame(&'static str),
}

/// Talks over standard input and output until `quit` or the end of input.
///
/// # Errors
/// The session could not begin; nothing was read then.
pub fn run(open: OpenDesk) -> Result<(), UciError> {
    let colors = io::stdout().is_terminal();
    if io::stdin().is_terminal() {
        // Nobody reads it if it cannot be written, and the session notices that by itself.
        let _ = writeln!(io::stdout(), "alea {}; help lists commands", env!("CARGO_PKG_VERSION"));
    }
    talk(open, BufReader::new(io::stdin()), Box::new(io::stdout()), colors)
}

/// Talks over any two streams until `quit` or the end of input; boards are drawn in `colors`.
///
/// # Errors
/// The session could not begin; nothing was read then.
pub fn talk(
    open: OpenDesk,
    lines: impl BufRead + Send + 'static,
    output: Box<dyn Write + Send>,
    colors: bool,
) -> Result<(), UciError> {
    let output = Arc::new(Output::new(output));
    let (sender, events) = mpsc::channel();
    let jobs = worker::spawn(Arc::clone(&output), sender.clone())?;
    let session = Session::new(open, output, jobs, colors)?;
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || input::read_lines(lines, &sender))?;
    session.run(&events);
    Ok(())
}

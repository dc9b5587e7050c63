//! What a person runs from the command line: one file a tool, each with its arguments, which
//! `main.rs` puts together.

pub mod analyse;
pub mod bench;
pub mod perft;
mod selfplay;
pub mod tune;

use std::io;

use thiserror::Error;

use crate::game::{AnySetup, GameOptions, PositionError, VARIANTS};
use crate::search::DeskError;

/// Why a tool could not do what it was asked.
#[derive(Debug, Error)]
pub enum ToolError {
    /// No game is called so.
    #[error("there is no game called {0:?}; there are {list}", list = VARIANTS.join(", "))]
    NoGame(String),
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// What the desk says.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Tuning came to nothing.
    #[error(transparent)]
    Tune(#[from] tune::TuneError),
    /// Nobody reads what is printed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The game of a name in any case.
fn game(name: &str, options: &GameOptions) -> Result<AnySetup, ToolError> {
    AnySetup::named(&name.to_ascii_lowercase(), options)
        .ok_or_else(|| ToolError::NoGame(name.to_owned()))
}

/// The actions of an argument that lists them.
fn actions(moves: Option<&str>) -> Vec<&str> {
    moves.unwrap_or_default().split_ascii_whitespace().collect()
}

//! What a person runs from the command line: one file a tool, each with its arguments, which
//! `main.rs` puts together.

pub mod analyse;
pub mod bench;
pub mod openings;
pub mod perft;
pub mod pgn;
pub mod play_match;
mod random;
mod selfplay;
pub mod train;
pub mod tune;

use std::io;
use std::path::PathBuf;

use clap::Args;
use thiserror::Error;

use crate::arena::pgn::PgnError;
use crate::game::{AnySetup, GameOptions, OptionError, PositionError, VARIANTS};
use crate::search::DeskError;

/// Why a tool could not do what it was asked.
#[derive(Debug, Error)]
pub enum ToolError {
    /// No game is called so.
    #[error("there is no game called {0:?}; there are {list}", list = VARIANTS.join(", "))]
    NoGame(String),
    /// An option of a game has no name, or no value.
    #[error("--option {0:?}: wanted NAME=VALUE")]
    NoOption(String),
    /// An option of a game cannot be that.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// What the desk says.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A match could not be played.
    #[error(transparent)]
    Match(#[from] play_match::MatchError),
    /// There are no start positions, or no file to put them into.
    #[error(transparent)]
    Openings(#[from] openings::OpeningsError),
    /// Tuning came to nothing.
    #[error(transparent)]
    Tune(#[from] tune::TuneError),
    /// Training came to nothing.
    #[error(transparent)]
    Train(#[from] train::TrainError),
    /// A file could not be read.
    #[error("{path:?} cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is no PGN.
    #[error("{path:?}, {error}")]
    Pgn {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: Box<PgnError>,
    },
    /// Games cannot be played; the file and number of each.
    #[error("games that break the rules: {list}", list = .0.join("; "))]
    WrongGames(Vec<String>),
    /// Nobody reads what is printed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// What a tool says of its argument that names a game.
fn games() -> String {
    format!("The game: {}", VARIANTS.join(", "))
}

/// The game of a tool that takes it as a word, or by `--variant`.
#[derive(Args, Clone, Debug, Default)]
pub struct WhichGame {
    /// As a word; chess if neither is there.
    #[arg(value_name = "GAME", help = games(), default_value = "chess")]
    pub word: String,
    /// The same as GAME
    #[arg(long, value_name = "GAME", conflicts_with = "word")]
    pub variant: Option<String>,
}

impl WhichGame {
    fn name(&self) -> &str {
        self.variant.as_ref().unwrap_or(&self.word)
    }
}

/// A position, as arguments.
#[derive(Args, Clone, Debug)]
pub struct PositionArguments {
    /// Start from this position, in quotes, instead of the game's start.
    #[arg(long)]
    pub fen: Option<String>,
    /// Play these actions first, in quotes, separated by blanks, as "e2e4 e7e5".
    #[arg(long, value_name = "ACTIONS")]
    pub moves: Option<String>,
}

impl PositionArguments {
    fn actions(&self) -> Vec<&str> {
        self.moves.as_deref().unwrap_or_default().split_ascii_whitespace().collect()
    }
}

/// Options of games, as arguments.
#[derive(Args, Clone, Debug, Default)]
pub struct GameArguments {
    /// Castling as in Chess960: read from any files, written as king takes rook.
    #[arg(long)]
    pub chess960: bool,
    /// Set an option of a game, as EqualizerPeriod=4; protocol.md lists them.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
}

impl GameArguments {
    fn options(&self) -> Result<GameOptions, ToolError> {
        let mut options = GameOptions { chess960: self.chess960, ..GameOptions::default() };
        for setting in &self.options {
            let Some((name, value)) = setting.split_once('=') else {
                return Err(ToolError::NoOption(setting.clone()));
            };
            options.set(name, value)?;
        }
        Ok(options)
    }
}

/// The game of a name in any case.
fn game(name: &str, options: &GameOptions) -> Result<AnySetup, ToolError> {
    AnySetup::named(&name.to_ascii_lowercase(), options)
        .ok_or_else(|| ToolError::NoGame(name.to_owned()))
}

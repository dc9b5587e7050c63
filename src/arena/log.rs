//! The log of a match: JSON, one object a line, the plan first and then a line for each game as it
//! ends. Everything else that a match writes can be made from it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::core::Color;

use super::plan::Plan;

/// Whose step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mover {
    /// White decided.
    #[serde(rename = "w")]
    White,
    /// Black decided.
    #[serde(rename = "b")]
    Black,
    /// The table rolled or drew.
    #[serde(rename = "-")]
    Chance,
}

/// What an engine said of the action that it chose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// Its last score, for itself: `cp 31` or `mate -2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The depth of that, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How long it took by the referee's clock, in milliseconds; only in games that have a clock,
    /// so that the others are the same each time they are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// An action or event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The fullmove number before it.
    pub n: u32,
    /// Who made it.
    pub by: Mover,
    /// Its text, as in a `position` command.
    pub action: String,
    /// What the engine said; nothing for events and steps of the opening.
    #[serde(flatten)]
    pub thought: Thought,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The side to decide is in check and has no action.
    Checkmate,
    /// The side to decide has no action and is not in check.
    Stalemate,
    /// A king is gone or cannot be saved, by a rule of the game's own.
    KingLost,
    /// A hundred plies without capture or pawn's move.
    FiftyMoves,
    /// A position stood for the third time.
    Repetition,
    /// Too few men to mate.
    Material,
    /// The loser's scores were hopeless for long enough.
    ResignAdjudication,
    /// Both sides' scores were level for long enough.
    DrawAdjudication,
    /// The game was as long as games may be.
    LengthAdjudication,
    /// The loser's time was up.
    TimeForfeit,
    /// The loser answered with something that is no legal action.
    IllegalAction,
    /// The loser's program ended by a fault.
    Crash,
    /// The loser's program closed its output, or ended, without being asked.
    Disconnect,
    /// The loser did not answer at all.
    Stall,
    /// The loser could not be started, or does not play the game.
    Refusal,
}

/// The points of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// Nobody did.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// That side won.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1; games 2k−1 and 2k are pair k.
    pub game: u64,
    /// The name of the engine that had White.
    pub white: String,
    /// The name of the engine that had Black.
    pub black: String,
    /// What dice and cards follow from; the same in both games of a pair.
    pub seed: u64,
    /// The FEN of the start, if it is not the game's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// How many of the steps are the opening's.
    pub opening: usize,
    /// All that happened.
    pub steps: Vec<Step>,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// What else is to be said of the end: the illegal action, how the program ended …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What a log begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of alea that played the match.
    pub version: String,
    /// When it was begun, in UTC, as RFC 3339 has it.
    pub started: String,
    /// What is played.
    pub plan: Plan,
}

impl Header {
    /// Of a match that begins now.
    pub fn new(plan: Plan) -> Self {
        let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), started, plan }
    }

    /// The day on which the match was begun, as PGN writes it.
    pub fn date(&self) -> String {
        self.started.get(..10).unwrap_or("????-??-??").replace('-', ".")
    }
}

/// A line of a log.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Match(Box<Header>),
    Game(Box<GameRecord>),
}

/// Why a log does not serve.
#[derive(Debug, Error)]
pub enum LogError {
    /// It cannot be read or written.
    #[error("log {file:?}: {error}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// There is one already.
    #[error("log {0:?} is there already: --resume goes on with its match, another name begins one")]
    Exists(String),
    /// Another match is writing it.
    #[error("log {0:?} is being written by another match; wait for its end")]
    InUse(String),
    /// A line that is none of a log's.
    #[error("log {file:?}, line {line}: {error}")]
    Line {
        /// The file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The plan is missing or comes twice.
    #[error("log {file:?}, line {line}: wanted {wanted}")]
    Order {
        /// The file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What should be there.
        wanted: &'static str,
    },
}

/// A log that is being written.
#[derive(Debug)]
pub struct Log {
    file: String,
    writer: File,
}

impl Log {
    /// Whether a log of that name can be begun: there is none yet.
    ///
    /// # Errors
    /// There is one already.
    pub fn check_new(file: &str) -> Result<(), LogError> {
        if Path::new(file).exists() { Err(LogError::Exists(file.to_owned())) } else { Ok(()) }
    }

    /// Begins a log, which is locked while it is written.
    ///
    /// # Errors
    /// There is one already, or it cannot be written.
    pub fn create(file: &str, header: &Header) -> Result<Self, LogError> {
        let writer =
            OpenOptions::new().write(true).create_new(true).open(file).map_err(|error| {
                if error.kind() == ErrorKind::AlreadyExists {
                    LogError::Exists(file.to_owned())
                } else {
                    LogError::File { file: file.to_owned(), error }
                }
            })?;
        let mut log = Self { file: file.to_owned(), writer };
        log.lock()?;
        log.line(&Line::Match(Box::new(header.clone())))?;
        Ok(log)
    }

    /// Goes on with a log that was read; `whole` is its length without a last line that was cut
    /// off, in bytes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn resume(file: &str, whole: u64) -> Result<Self, LogError> {
        let failed = |error| LogError::File { file: file.to_owned(), error };
        let writer = OpenOptions::new().write(true).open(file).map_err(failed)?;
        let mut log = Self { file: file.to_owned(), writer };
        log.lock()?;
        log.writer.set_len(whole).map_err(failed)?;
        log.writer.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(log)
    }

    /// Keeps others from writing into it at the same time.
    fn lock(&self) -> Result<(), LogError> {
        self.writer.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogError::InUse(self.file.clone()),
            TryLockError::Error(error) => LogError::File { file: self.file.clone(), error },
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn game(&mut self, game: &GameRecord) -> Result<(), LogError> {
        self.line(&Line::Game(Box::new(game.clone())))
    }

    fn line(&mut self, line: &Line) -> Result<(), LogError> {
        let failed = |error| LogError::File { file: self.file.clone(), error };
        let mut text = serde_json::to_string(line).map_err(|error| failed(error.into()))?;
        text.push('\n');
        self.writer.write_all(text.as_bytes()).map_err(failed)
    }
}

/// What a log says.
#[derive(Clone, Debug)]
pub struct Logged {
    /// What is played.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// The length of all whole lines, in bytes: a last line that was cut off is not among them.
    pub whole: u64,
}

/// Reads a log.
///
/// # Errors
/// It cannot be read, or a line other than one cut off at the end is wrong.
pub fn read(file: &str) -> Result<Logged, LogError> {
    let bytes =
        std::fs::read(file).map_err(|error| LogError::File { file: file.to_owned(), error })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (mut header, mut games) = (None, Vec::new());
    for (index, line) in bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
        let (file, number) = (file.to_owned(), index + 1);
        match serde_json::from_slice(line) {
            Ok(Line::Match(first)) if index == 0 => header = Some(*first),
            Ok(Line::Game(game)) if index > 0 => games.push(*game),
            Ok(_) => {
                let wanted = if index == 0 { "the plan of the match" } else { "a game" };
                return Err(LogError::Order { file, line: number, wanted });
            }
            Err(error) => return Err(LogError::Line { file, line: number, error }),
        }
    }
    let file = file.to_owned();
    let header =
        header.ok_or(LogError::Order { file, line: 1, wanted: "the plan of the match" })?;
    Ok(Logged { header, games, whole: whole as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_have_one_name() {
        use Ending::{
            Checkmate, Crash, Disconnect, DrawAdjudication, FiftyMoves, IllegalAction, KingLost,
            LengthAdjudication, Material, Refusal, Repetition, ResignAdjudication, Stalemate,
            Stall, TimeForfeit,
        };
        for ending in [
            Checkmate,
            Stalemate,
            KingLost,
            FiftyMoves,
            Repetition,
            Material,
            ResignAdjudication,
            DrawAdjudication,
            LengthAdjudication,
            TimeForfeit,
            IllegalAction,
            Crash,
            Disconnect,
            Stall,
            Refusal,
        ] {
            let logged = serde_json::to_string(&ending).unwrap();
            assert_eq!(logged, format!("{:?}", ending.text()));
        }
    }
}

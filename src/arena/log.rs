//! The log of a match: JSON, one object a line, the plan first and then a line for each game as it
//! ends. Everything else that a match writes can be made from it.

use serde::{Deserialize, Serialize};

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

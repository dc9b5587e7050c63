use std::fmt;
use std::time::Duration;

use crate::core::{Score, moves_to_mate};

/// A score as UCI writes it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreText {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate: positive to give it, negative to suffer it, 0 if it stands on the board.
    Mate(i32),
}

impl From<Score> for ScoreText {
    fn from(score: Score) -> Self {
        moves_to_mate(score).map_or(Self::Cp(score), Self::Mate)
    }
}

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "cp {cp}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What a score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is this.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// The state of a search at the end of an iteration, for one of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// The line's rank, from 1.
    pub multipv: u32,
    /// For the side to move.
    pub score: ScoreText,
    /// Whether the score is a bound only.
    pub bound: Bound,
    /// Win, draw and loss for the side to move in per mille, if asked for.
    pub wdl: Option<[u32; 3]>,
    /// Nodes of all threads since the search began.
    pub nodes: u64,
    /// Per mille of the hash table used by this search.
    pub hashfull: u32,
    /// Since the search began.
    pub time: Duration,
    /// The line, every action legal.
    pub pv: Vec<String>,
}

impl Info {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// The UCI line without its first word.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "depth {} seldepth {} multipv {} score {}",
            self.depth, self.seldepth, self.multipv, self.score
        )?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(
            f,
            " nodes {} nps {} hashfull {} time {}",
            self.nodes,
            self.nps(),
            self.hashfull,
            self.time.as_millis()
        )?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

/// What follows an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// This is the best action then.
    Action(String),
    /// Another event, written in that form.
    Event(&'static str),
    /// A decision that the search has not come to.
    Unsearched,
    /// The end of the game.
    End,
}

/// What a search at a chance position found of an event that may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeInfo {
    /// The event.
    pub event: String,
    /// The event in words.
    pub name: String,
    /// Its probability as a reduced fraction.
    pub probability: (u32, u32),
    /// For the side to move by the FEN.
    pub score: ScoreText,
    /// Win, draw and loss for that side in per mille, if asked for.
    pub wdl: Option<[u32; 3]>,
    /// What comes after it.
    pub next: Next,
}

/// What follows `info string` of UCI.
impl fmt::Display for OutcomeInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, whole) = self.probability;
        write!(f, "outcome {} probability {share}/{whole} score {}", self.event, self.score)?;
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        match &self.next {
            Next::Action(action) => write!(f, " action {action}"),
            Next::Event(_) | Next::Unsearched | Next::End => Ok(()),
        }
    }
}

/// What a search tells while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line of an iteration.
    Info(Info),
    /// The root action being searched, once a search has taken seconds.
    Current {
        /// The iteration.
        depth: u32,
        /// The action.
        action: String,
        /// Its place in the order of search, from 1.
        number: u32,
    },
    /// At the end of a search at a chance position, for each event.
    Outcome(OutcomeInfo),
    /// Something for a person, shown as `info string`.
    Note(String),
    /// The end of the search: the action to play and the reply to ponder on; `None` at a chance
    /// position and where the game is over.
    Best {
        /// The action to play.
        action: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
}

use std::sync::Arc;

use thiserror::Error;

use crate::game::solve::SolveError;
use crate::game::{EndRule, PositionError};

use super::{Control, Limits, Report, Settings, Table};

/// Why a desk could not do what it was asked.
#[derive(Debug, Error)]
pub enum DeskError {
    /// The position is wrong; the former one stands.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An action of `searchmoves` is not legal.
    #[error("searchmoves: {0:?} is no legal action here")]
    SearchMove(String),
    /// The value cannot be worked out.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is not that much memory; the former table stays.
    #[error("no memory for a hash table of {wanted} MiB; that of {kept} MiB stays")]
    Memory {
        /// The size asked for, in MiB.
        wanted: usize,
        /// The former one's size, in MiB.
        kept: usize,
    },
    /// There is no memory for a first table.
    #[error("no memory for a hash table of {0} MiB")]
    NoTable(usize),
    /// The work was stopped before it was done.
    #[error("stopped before the result was there")]
    Stopped,
}

/// A game at an analyst's desk: a position, the means to search it, and text in and out.
///
/// This is what the edge of the program (UCI, command line) sees of a game of any kind. Lines that
/// it gives back are those of the specification's table of commands, without line ends.
pub trait Desk: Send {
    /// Sets the position: the start position or a FEN, and the actions played from it.
    ///
    /// # Errors
    /// What is wrong with them; the former position stands then.
    fn set_position(&mut self, fen: Option<&str>, actions: &[&str]) -> Result<(), DeskError>;

    /// `fen …`.
    fn fen_line(&self) -> String;
    /// `node …`.
    fn node_line(&self) -> String;
    /// By what rule the game is over, if it is.
    fn end_rule(&self) -> Option<EndRule>;
    /// `legal …`, at a chance position `chance …`.
    fn legal_line(&self) -> String;
    /// `variant … files F ranks R startpos <FEN>`, what is said when the game is chosen.
    fn variant_line(&self) -> String;
    /// The board for a person, several lines; in terminal colours if wished.
    fn drawing(&self, colors: bool) -> String;
    /// What the evaluation says and why, several lines.
    fn eval_text(&self) -> String;

    /// `perft N nodes C`.
    ///
    /// # Errors
    /// [`DeskError::Stopped`].
    fn perft_line(&self, depth: u32, control: &Control) -> Result<String, DeskError>;
    /// The lines of `go perft N`.
    ///
    /// # Errors
    /// [`DeskError::Stopped`].
    fn divide_lines(&self, depth: u32, control: &Control) -> Result<String, DeskError>;
    /// `solve N value … actions …`.
    ///
    /// # Errors
    /// [`DeskError::Stopped`].
    fn solve_line(&self, depth: u32, control: &Control) -> Result<String, DeskError>;

    /// Checks the limits against the position, before a search is started with them.
    ///
    /// # Errors
    /// [`DeskError::SearchMove`].
    fn check_limits(&self, limits: &Limits) -> Result<(), DeskError>;

    /// Searches; the last report is [`Report::Best`]. Under `infinite` and `ponder` it is not given
    /// before `control` says so.
    fn search(&mut self, limits: &Limits, control: &Control, sink: &(dyn Fn(Report) + Sync));

    /// Takes over changed settings; a new hash size empties the table.
    ///
    /// # Errors
    /// [`DeskError::Memory`]; nothing has changed then.
    fn configure(&mut self, settings: &Settings) -> Result<(), DeskError>;

    /// The hash table, to hand on to the desk that takes this one's place.
    fn table(&self) -> Arc<Table>;

    /// Forgets everything learnt in earlier searches, the hash table included.
    fn new_game(&mut self);
}

use std::time::Duration;

/// A side's clock as `go` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left; a GUI may say zero or less.
    pub time: i64,
    /// Milliseconds gained by each move.
    pub increment: i64,
}

/// What `go` asked for. Whatever is met first ends the search; nothing given means `infinite`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// A mate in that many moves.
    pub mate: Option<u32>,
    /// Exactly this long.
    pub movetime: Option<Duration>,
    /// White's and Black's clock.
    pub clocks: [Option<Clock>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Until `stop`, even when there is nothing left to find.
    pub infinite: bool,
    /// On the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these actions at the root; empty means all.
    pub search_moves: Vec<String>,
}

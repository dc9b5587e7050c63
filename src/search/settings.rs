use std::sync::Arc;

use crate::eval::network::Network;

use super::Parameters;

/// How chance nodes are cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Star {
    /// Not at all, and decisions are not either: every node has an open window.
    None,
    /// By the bounds of what was searched so far: Star1.
    One,
    /// By probing one action of each outcome before: Star2.
    Two,
}

/// What the search does beyond plain expectimax; the parts can be told apart for tests and benches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// No forward pruning, no reductions, no extensions, evaluations at the horizon: the value is
    /// that of plain expectimax.
    pub exact: bool,
    /// How chance nodes are cut short.
    pub star: Star,
    /// Whether the transposition table is used.
    pub table: bool,
    /// Whether an action that several events allow is searched once.
    pub share: bool,
}

impl Default for Method {
    fn default() -> Self {
        Self { exact: false, star: Star::Two, table: true, share: true }
    }
}

/// The engine's own options, those that belong to no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The transposition table's size in MiB, 1 … 1,048,576.
    pub hash: usize,
    /// Search threads, 1 … 512.
    pub threads: usize,
    /// Lines to report, 1 … 256.
    pub multi_pv: usize,
    /// Time kept back for every move for what the GUI and the wire take, in milliseconds, 0 … 5000.
    pub move_overhead: u64,
    /// Whether scores come with win, draw and loss in per mille.
    pub show_wdl: bool,
    /// Whether a person analyses: full strength whatever [`Settings::limit_strength`] says.
    pub analyse_mode: bool,
    /// Whether to play no better than [`Settings::elo`].
    pub limit_strength: bool,
    /// The strength to play at, [`Settings::ELO_RANGE`].
    pub elo: u32,
    /// A network in place of the one that is built in, in the games that it fits.
    pub network: Option<Arc<Network>>,
    /// What the search does.
    pub method: Method,
    /// The tunables of the search.
    pub parameters: Parameters,
}

impl Settings {
    /// What `UCI_Elo` may be.
    pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 1000..=2600;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            show_wdl: false,
            analyse_mode: false,
            limit_strength: false,
            elo: 2000,
            network: None,
            method: Method::default(),
            parameters: Parameters::default(),
        }
    }
}

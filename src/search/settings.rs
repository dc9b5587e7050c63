use super::Parameters;

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
            parameters: Parameters::default(),
        }
    }
}

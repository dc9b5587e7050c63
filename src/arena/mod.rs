//! Matches between engines, for every game.

pub mod log;

//! **alea** searches chess variants in which chance, time jumps, ladders, merging pieces and
//! coloured squares play a part, and chess itself.
//!
//! The rooms, in reading order; each knows only those before it:
//!
//! - [`core`]: the vocabulary: colours, squares, bitboards, attacks, Zobrist keys, scores.
//! - [`game`]: the rules.
//! - [`eval`]: what a position is worth.
//! - [`search`]: one search for all games.
//! - [`uci`]: the protocol.
//! - [`arena`]: matches between engines.
//! - [`tools`]: what a person runs from the command line.

pub mod arena;
pub mod core;
pub mod eval;
pub mod game;
pub mod search;
pub mod tools;
pub mod uci;

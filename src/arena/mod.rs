//! Matches between engines, for every game: the referee, clocks, engines as processes, statistics.
//!
//! [`plan`] says what a match is; [`run`] plays it: workers take games from a queue, each with two
//! engines of its own (`client`, over a `link`), and play them (`play`) at a table where a `referee`
//! knows the rules and rolls dice. [`log`] is what is kept; [`standing`], [`pgn`] and [`plot`] are
//! made from it.

mod client;
mod link;
pub mod log;
pub mod openings;
pub mod pgn;
pub mod plan;
mod play;
pub mod plot;
mod referee;
pub mod run;
pub mod sprt;
pub mod standing;
pub mod statistics;

//! The vocabulary of the house, without rules: colours, squares, bitboards on boards of two sizes,
//! attacks on them, Zobrist keys and scores.

mod attacks;
mod bitboard;
mod color;
mod expected;
mod geometry;
mod score;
mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, Bits, Squares};
pub use color::Color;
pub use expected::{Expected, ONE, expected, nearest_score, score_at_least, score_at_most};
pub use geometry::{Board8, Board10, Direction, Geometry, Mailbox};
pub use score::{
    DRAW, INFINITE, MATE, MATE_IN_MAX, MAX_PLY, Score, mate_in, mated_in, moves_to_mate,
};
pub use square::Square;

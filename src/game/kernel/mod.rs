//! What the games share of the rules of chess, over any board and any set of men.

mod board;
mod chessmen;
mod draw;
mod exchange;
mod fen;
mod ground;
mod legality;
mod make;
mod men;
mod movegen;
mod moves;
mod notation;
mod state;
#[cfg(test)]
mod tests;

pub use board::{Board, Observer};
pub use chessmen::{CHESS_LETTERS, ChessMen};
pub use draw::{draw_board, draw_cells, draw_facts};
pub use fen::{CastlingStyle, FenError, FenField, Flaw, Leniency, Letters, LooseFen, Placed};
pub use ground::Ground;
pub use men::{Kind, KindSets, Men, Movement, Piece};
pub(in crate::game) use movegen::Sight;
pub use movegen::Wanted;
pub use moves::{Move, Tag};
pub use state::State;

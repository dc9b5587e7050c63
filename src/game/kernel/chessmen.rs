use crate::core::{Bitboard, Board8};

use super::{Board, Kind, Letters, Men};

/// The names of the men of chess.
pub const CHESS_LETTERS: Letters = &["P", "N", "B", "R", "Q", "K"];

/// The six men of chess on 8×8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessMen;

impl Men for ChessMen {
    type Geometry = Board8;
    type Sets = [Bitboard<Board8>; 6];
    type Ground = ();
    const KINDS: usize = 6;
    const PROMOTIONS: &'static [Kind] = &[Kind::QUEEN, Kind::KNIGHT, Kind::ROOK, Kind::BISHOP];
    const CASTLING_FILES: [(usize, usize); 2] = [(6, 5), (2, 3)];
    const KING_FILE: usize = 4;
    const BY_WORTH: &'static [Kind] =
        &[Kind::PAWN, Kind::KNIGHT, Kind::BISHOP, Kind::ROOK, Kind::QUEEN, Kind::KING];
    const WORTH: &'static [i32] = &[100, 325, 335, 500, 975, 20_000];

    #[inline(always)]
    fn knights(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::KNIGHT)
    }

    #[inline(always)]
    fn diagonals(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::BISHOP) | board.kind(Kind::QUEEN)
    }

    #[inline(always)]
    fn orthogonals(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::ROOK) | board.kind(Kind::QUEEN)
    }
}

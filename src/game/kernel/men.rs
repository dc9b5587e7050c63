use std::fmt::Debug;
use std::num::NonZeroU8;

use crate::core::{Bitboard, Color, Geometry, Square};

use super::{Board, Ground};

/// What a piece is, regardless of its side: a number below its game's [`Men::KINDS`].
///
/// The first six are the men of chess in every game that has them; further ones are the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

impl Kind {
    /// The pawn.
    pub const PAWN: Self = Self(0);
    /// The knight.
    pub const KNIGHT: Self = Self(1);
    /// The bishop.
    pub const BISHOP: Self = Self(2);
    /// The rook.
    pub const ROOK: Self = Self(3);
    /// The queen.
    pub const QUEEN: Self = Self(4);
    /// The king.
    pub const KING: Self = Self(5);

    /// For indexing.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kind and a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// One more than the largest code of a set of `kinds` kinds: the length of a table by piece.
    pub const fn codes(kinds: usize) -> usize {
        2 * kinds + 2
    }

    /// The piece of that kind and side.
    #[inline(always)]
    pub const fn new(kind: Kind, color: Color) -> Self {
        // Codes start at 2, so the fallback is never taken.
        match NonZeroU8::new(2 * kind.0 + 2 + color as u8) {
            Some(code) => Self(code),
            None => Self(NonZeroU8::MIN),
        }
    }

    #[inline(always)]
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        match NonZeroU8::new(code) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// 2 … [`Piece::codes`] − 1, for indexing.
    #[inline(always)]
    pub const fn code(self) -> usize {
        self.0.get() as usize
    }

    /// What it is.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind((self.0.get() >> 1).wrapping_sub(1))
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        Color::white_if(self.0.get() & 1 == 0)
    }
}

impl Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.color(), self.kind())
    }
}

/// A bitboard per kind: an array of [`Men::KINDS`].
pub trait KindSets<G: Geometry>:
    Copy + Eq + Debug + Send + Sync + AsRef<[Bitboard<G>]> + AsMut<[Bitboard<G>]> + 'static
{
    /// All empty.
    const EMPTY: Self;
}

impl<G: Geometry, const N: usize> KindSets<G> for [Bitboard<G>; N] {
    const EMPTY: Self = [Bitboard::EMPTY; N];
}

/// A set of men: which kinds there are, and how each moves, told as bitboards of the men that move
/// in each elementary way, so that no code loops over kinds.
///
/// A queen is a diagonal and an orthogonal slider; an archbishop a knight and a diagonal slider. A
/// man whose movement depends on its square changes its kind with the square: [`Ground::settled`].
pub trait Men: Copy + Debug + Eq + Send + Sync + 'static {
    /// The board they stand on.
    type Geometry: Geometry;
    /// A bitboard per kind.
    type Sets: KindSets<Self::Geometry>;
    /// What the board itself says of them; `()` for nothing.
    type Ground: Ground<Self::Geometry>;
    /// The number of kinds.
    const KINDS: usize;
    /// What a pawn may become, in the order in which moves are listed; the pawn itself means that it
    /// may stay one. Where it is nothing, pawns may stand on any rank.
    const PROMOTIONS: &'static [Kind];
    /// Whether pawns may make two steps from every rank, not from their second only.
    const DOUBLE_STEPS_ANYWHERE: bool = false;
    /// Whether pawns take en passant.
    const EN_PASSANT: bool = true;
    /// Whether a pawn's move sets the halfmove clock back, as a capture does.
    const PAWNS_RESET_CLOCK: bool = true;
    /// The halfmove clock at which a game is drawn.
    const DRAW_CLOCK: u32 = 100;
    /// Whether there is castling.
    const CASTLES: bool = true;
    /// For castling to the king's and to the other side: the files where king and rook land.
    const CASTLING_FILES: [(usize, usize); 2];
    /// The file on which the king stands at home.
    const KING_FILE: usize;
    /// The kinds by rising worth, for exchanges on a square.
    const BY_WORTH: &'static [Kind];
    /// A rough worth of each kind in centipawns, for exchanges; the king's is beyond the rest.
    const WORTH: &'static [i32];
    /// Whether any man rides like a nightrider: where none does, nothing looks for them.
    const NIGHTRIDERS: bool = false;

    /// The men of both sides that leap like knights.
    fn knights(board: &Board<Self>) -> Bitboard<Self::Geometry>;
    /// The men of both sides that slide like bishops.
    fn diagonals(board: &Board<Self>) -> Bitboard<Self::Geometry>;
    /// The men of both sides that slide like rooks.
    fn orthogonals(board: &Board<Self>) -> Bitboard<Self::Geometry>;
    /// The men of both sides that repeat a knight's leap in a straight line over empty squares.
    #[inline(always)]
    fn nightriders(_board: &Board<Self>) -> Bitboard<Self::Geometry> {
        Bitboard::EMPTY
    }
}

/// The elementary ways in which a kind moves from a square, found by asking [`Men`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
// Each way is there or not, whatever the others are.
#[allow(clippy::struct_excessive_bools)]
pub struct Movement {
    /// Leaps like a knight.
    pub knight: bool,
    /// Slides like a bishop.
    pub diagonal: bool,
    /// Slides like a rook.
    pub orthogonal: bool,
    /// Rides like a nightrider.
    pub nightrider: bool,
}

impl Movement {
    /// The movement of a kind that stands on a square. Pawns and kings have none of these.
    pub fn of<M: Men>(kind: Kind, square: Square<M::Geometry>) -> Self {
        let mut board = Board::<M>::EMPTY;
        board.put(Piece::new(kind, Color::White), square, &mut ());
        Self {
            knight: M::knights(&board).any(),
            diagonal: M::diagonals(&board).any(),
            orthogonal: M::orthogonals(&board).any(),
            nightrider: M::nightriders(&board).any(),
        }
    }
}

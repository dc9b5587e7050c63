//! The ladders of one side.

use crate::core::zobrist::mix;
use crate::core::{Bitboard, Board8, Color, Square};

/// A side's ladders: their ends, and to each the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderSet {
    ends: Bitboard<Board8>,
    /// The lower ends, of lower index.
    low: Bitboard<Board8>,
    /// How many squares the upper end is after the lower one, if that is the same for all ladders,
    /// as it is for those of one board; else [`LadderSet::MIXED`]. 0 without ladders.
    span: u8,
    /// By square; a square that is no end is its own.
    other: [Square<Board8>; 64],
}

impl LadderSet {
    const MIXED: u8 = 64;

    /// Without ladders.
    pub fn new() -> Self {
        let none = Bitboard::EMPTY;
        Self { ends: none, low: none, span: 0, other: std::array::from_fn(Square::new) }
    }

    /// Every end of a ladder.
    #[inline(always)]
    pub fn ends(&self) -> Bitboard<Board8> {
        self.ends
    }

    /// The other end of the ladder with an end on that square; the square itself if there is none.
    #[inline(always)]
    pub fn other(&self, end: Square<Board8>) -> Square<Board8> {
        self.other[end.index() % 64]
    }

    /// The other ends of the ladders with ends on these squares.
    #[inline(always)]
    pub fn others(&self, squares: Bitboard<Board8>) -> Bitboard<Board8> {
        if self.span == Self::MIXED {
            return (squares & self.ends).into_iter().map(|end| self.other(end)).collect();
        }
        let span = u32::from(self.span);
        (squares & self.low) << span | (squares & (self.ends - self.low)) >> span
    }

    /// Both ends of the ladder with an end there.
    #[inline(always)]
    pub fn both(&self, end: Square<Board8>) -> Bitboard<Board8> {
        Bitboard::from(end) | self.other(end).into()
    }

    /// Adds a ladder between two different squares; whether neither was an end before.
    pub(super) fn add(&mut self, a: Square<Board8>, b: Square<Board8>) -> bool {
        let both = Bitboard::from(a) | b.into();
        let free = a != b && !self.ends.meets(both);
        if free {
            let (low, high) = (a.min(b), a.max(b));
            let span = (high.index() - low.index()) as u8;
            self.span = if self.ends.is_empty() || self.span == span { span } else { Self::MIXED };
            self.low |= low.into();
            self.ends |= both;
            self.other[a.index() % 64] = b;
            self.other[b.index() % 64] = a;
        }
        free
    }

    /// Every ladder by its lower end (on one rank, that of the lower file) and the other, in
    /// ascending order.
    pub fn ladders(&self) -> impl Iterator<Item = (Square<Board8>, Square<Board8>)> + '_ {
        self.ends.into_iter().map(|end| (end, self.other(end))).filter(|(low, high)| low < high)
    }

    /// The Zobrist key of all ladders as that side's.
    pub(super) fn key(&self, owner: Color) -> u64 {
        self.ladders().fold(0, |key, (low, high)| key ^ ladder_key(owner, low, high))
    }
}

impl Default for LadderSet {
    fn default() -> Self {
        Self::new()
    }
}

/// The Zobrist key of one ladder, whichever end comes first.
pub(super) fn ladder_key(owner: Color, a: Square<Board8>, b: Square<Board8>) -> u64 {
    let (low, high) = (a.min(b).index() as u64, a.max(b).index() as u64);
    mix(mix(11) ^ (owner as u64) << 16 ^ low << 8 ^ high)
}

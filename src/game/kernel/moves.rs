use crate::core::{Geometry, Square};

use super::Kind;

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// From here to there, capturing what stands there.
    Normal,
    /// A pawn's two steps.
    DoubleStep,
    /// A pawn's capture of a pawn that has just passed its square.
    EnPassant,
    /// Castling; the target is the rook's square.
    Castling,
    /// A pawn's move to its last rank, becoming something else.
    Promotion,
}

/// A move of a man, packed: from (7 bits), to (7), tag (4), the kind promoted to (6).
///
/// The number of no move is 0, which would go from a1 to a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Move(u32);

impl Move {
    /// No move.
    pub const NONE: Self = Self(0);

    /// A move without promotion.
    #[inline(always)]
    pub const fn new<G: Geometry>(from: Square<G>, to: Square<G>, tag: Tag) -> Self {
        Self(from.index() as u32 | (to.index() as u32) << 7 | (tag as u32) << 14)
    }

    /// A promotion to `kind`.
    #[inline(always)]
    pub const fn promotion<G: Geometry>(from: Square<G>, to: Square<G>, kind: Kind) -> Self {
        Self(Self::new(from, to, Tag::Promotion).0 | (kind.0 as u32) << 18)
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from<G: Geometry>(self) -> Square<G> {
        Square::new((self.0 & 0x7f) as usize)
    }

    /// Where it ends; in castling, where the rook stands.
    #[inline(always)]
    pub const fn to<G: Geometry>(self) -> Square<G> {
        Square::new((self.0 >> 7 & 0x7f) as usize)
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn tag(self) -> Tag {
        match self.0 >> 14 & 0xf {
            1 => Tag::DoubleStep,
            2 => Tag::EnPassant,
            3 => Tag::Castling,
            4 => Tag::Promotion,
            _ => Tag::Normal,
        }
    }

    /// What a promoted pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Kind> {
        match self.tag() {
            Tag::Promotion => Some(Kind((self.0 >> 18 & 0x3f) as u8)),
            _ => None,
        }
    }

    /// The packed number.
    #[inline(always)]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The move of a number that is known to be one's.
    #[inline(always)]
    pub(in crate::game) const fn from_own_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The move of that number, if it is one on the board `G` with `kinds` kinds of men. What it
    /// says may still be nonsense in every position.
    pub fn from_bits<G: Geometry>(bits: u32, kinds: usize) -> Option<Self> {
        let squares_fit =
            (bits & 0x7f) < G::SQUARES as u32 && (bits >> 7 & 0x7f) < G::SQUARES as u32;
        let (tag, kind) = (bits >> 14 & 0xf, bits >> 18);
        let kind_fits =
            if tag == Tag::Promotion as u32 { (kind as usize) < kinds } else { kind == 0 };
        (squares_fit && tag <= Tag::Promotion as u32 && kind_fits && bits != 0)
            .then_some(Self(bits))
    }
}

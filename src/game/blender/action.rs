use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::core::{Geometry, Square};
use crate::game::Action;
use crate::game::kernel::{Kind, Move, Tag};

use super::men::{KINDS, SORCEROR, parts};

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<G: Geometry> {
    /// A move as in chess; a promotion to a pawn stays one.
    Move(Move),
    /// A whole man goes onto an own one, and the two become one.
    Merge {
        /// Where it starts.
        from: Square<G>,
        /// Where the other one stands.
        to: Square<G>,
    },
    /// A part leaves the man of which it is one; on its target it captures or merges as any man of
    /// its kind does.
    Separation {
        /// Where the rest stays.
        from: Square<G>,
        /// Where the part goes.
        to: Square<G>,
        /// The part's kind: a merged one if it is of two pieces.
        part: Kind,
    },
}

/// A move, a merge or a separation, packed as [`Move`] is: from (7 bits), to (7), tag (4), kind (6),
/// with two tags more; the kind of a separation is the part's.
pub struct BlenderAction<G>(u32, PhantomData<G>);

const TAG: u32 = 14;
const KIND: u32 = 18;
const MERGE: u32 = Tag::Promotion as u32 + 1;
const SEPARATION: u32 = MERGE + 1;

// Derives would ask the same of `G`, which is only a name.
impl<G> Clone for BlenderAction<G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G> Copy for BlenderAction<G> {}
impl<G> PartialEq for BlenderAction<G> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<G> Eq for BlenderAction<G> {}
impl<G> Hash for BlenderAction<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<G: Geometry> std::fmt::Debug for BlenderAction<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.meaning().fmt(f)
    }
}

impl<G: Geometry> BlenderAction<G> {
    /// A move as in chess.
    #[inline(always)]
    pub const fn plain(action: Move) -> Self {
        Self(action.to_bits(), PhantomData)
    }

    /// A whole man goes onto an own one.
    #[inline(always)]
    pub const fn merge(from: Square<G>, to: Square<G>) -> Self {
        Self(from.index() as u32 | (to.index() as u32) << 7 | MERGE << TAG, PhantomData)
    }

    /// A part leaves.
    #[inline(always)]
    pub const fn separation(from: Square<G>, to: Square<G>, part: Kind) -> Self {
        let squares = from.index() as u32 | (to.index() as u32) << 7;
        Self(squares | SEPARATION << TAG | (part.0 as u32) << KIND, PhantomData)
    }

    /// What it is.
    #[inline(always)]
    pub const fn meaning(self) -> Meaning<G> {
        let from = Square::new((self.0 & 0x7f) as usize);
        let to = Square::new((self.0 >> 7 & 0x7f) as usize);
        match self.0 >> TAG & 0xf {
            MERGE => Meaning::Merge { from, to },
            SEPARATION => {
                Meaning::Separation { from, to, part: Kind((self.0 >> KIND & 0x3f) as u8) }
            }
            _ => Meaning::Move(Move::from_own_bits(self.0)),
        }
    }
}

impl<G: Geometry> Action for BlenderAction<G> {
    const BITS: u32 = 24;

    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> Option<Self> {
        let squares_fit =
            (bits & 0x7f) < G::SQUARES as u32 && (bits >> 7 & 0x7f) < G::SQUARES as u32;
        let kind = bits >> KIND;
        let is_one = match bits >> TAG & 0xf {
            MERGE => squares_fit && kind == 0,
            // All parts are parts of the sorceror.
            SEPARATION => {
                squares_fit && parts(SORCEROR).iter().any(|part| u32::from(part.0) == kind)
            }
            _ => Move::from_bits::<G>(bits, KINDS)
                .is_some_and(|action| action.promoted() != Some(Kind::KING)),
        };
        is_one.then_some(Self(bits, PhantomData))
    }
}

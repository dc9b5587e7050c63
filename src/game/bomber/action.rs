use crate::core::Board8;
use crate::game::Action;
use crate::game::kernel::{ChessMen, Men, Move, Tag};

use super::MAX_PATTERNS;

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A move as in chess.
    Move(Move),
    /// A pawn's move after which it explodes.
    Explosion(Move),
    /// The card of that number, from 0, is drawn.
    Card(usize),
}

/// A move, a pawn's move that ends in an explosion, or a card, packed: the 24 bits of [`Move`], one
/// that is set for an explosion, one that is set for a card, whose number is then in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BomberAction(u32);

impl BomberAction {
    const EXPLOSION: u32 = 1 << 24;
    const CARD: u32 = 1 << 25;

    /// A move as in chess.
    #[inline(always)]
    pub const fn simple(action: Move) -> Self {
        Self(action.to_bits())
    }

    /// A pawn's move after which it explodes.
    #[inline(always)]
    pub const fn explosion(action: Move) -> Self {
        Self(action.to_bits() | Self::EXPLOSION)
    }

    /// The card of that number, from 0 and below [`MAX_PATTERNS`], is drawn.
    #[inline(always)]
    pub const fn card(card: usize) -> Self {
        Self(card as u32 | Self::CARD)
    }

    /// What it is.
    #[inline(always)]
    pub const fn meaning(self) -> Meaning {
        if self.0 & Self::CARD != 0 {
            Meaning::Card((self.0 & !Self::CARD) as usize)
        } else if self.0 & Self::EXPLOSION != 0 {
            Meaning::Explosion(Move::from_own_bits(self.0 & !Self::EXPLOSION))
        } else {
            Meaning::Move(Move::from_own_bits(self.0))
        }
    }
}

impl Action for BomberAction {
    const BITS: u32 = 26;

    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> Option<Self> {
        let is_one = if bits & Self::CARD != 0 {
            ((bits & !Self::CARD) as usize) < MAX_PATTERNS
        } else {
            Move::from_bits::<Board8>(bits & !Self::EXPLOSION, ChessMen::KINDS).is_some_and(
                |action| {
                    bits & Self::EXPLOSION == 0
                        || matches!(action.tag(), Tag::Normal | Tag::DoubleStep)
                },
            )
        };
        is_one.then_some(Self(bits))
    }
}

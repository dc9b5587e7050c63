use crate::core::{Board8, Geometry, Square};
use crate::game::Action;
use crate::game::kernel::{ChessMen, Men, Move};

use super::MAX_TRACKS;

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A move, normal or free.
    Move(Move),
    /// `<square>t<track>`: the man on the square leaves for the track of that number, from 0.
    Initiate(Square<Board8>, usize),
    /// `end`: the turn's initiations, or the free moves of a man that has come back, are over.
    End,
}

/// A move, an initiation or an end, packed: the 24 bits of [`Move`]; one that is set for an
/// initiation, whose square and track are then in the lowest 9; one that is set for an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantumAction(u32);

const SQUARE_BITS: u32 = 6;

impl QuantumAction {
    const INITIATE: u32 = 1 << 24;
    const END: u32 = 1 << 25;

    /// `end`.
    pub const STOP: Self = Self(Self::END);

    /// A move, normal or free.
    #[inline(always)]
    pub const fn simple(action: Move) -> Self {
        Self(action.to_bits())
    }

    /// The man on that square leaves for that track, from 0 and below [`MAX_TRACKS`].
    #[inline(always)]
    pub const fn initiate(square: Square<Board8>, track: usize) -> Self {
        Self(square.index() as u32 | (track as u32) << SQUARE_BITS | Self::INITIATE)
    }

    /// What it is.
    #[inline(always)]
    pub const fn meaning(self) -> Meaning {
        if self.0 & Self::END != 0 {
            Meaning::End
        } else if self.0 & Self::INITIATE != 0 {
            let square = self.0 & ((1 << SQUARE_BITS) - 1);
            let track = (self.0 & !Self::INITIATE) >> SQUARE_BITS;
            Meaning::Initiate(Square::new(square as usize), track as usize)
        } else {
            Meaning::Move(Move::from_own_bits(self.0))
        }
    }
}

impl Action for QuantumAction {
    const BITS: u32 = 26;

    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> Option<Self> {
        let is_one = if bits & Self::END != 0 {
            bits == Self::END
        } else if bits & Self::INITIATE != 0 {
            ((bits & !Self::INITIATE) as usize) < Board8::SQUARES * MAX_TRACKS
        } else {
            Move::from_bits::<Board8>(bits, ChessMen::KINDS).is_some()
        };
        is_one.then_some(Self(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for square in Square::all() {
            for track in 0..MAX_TRACKS {
                let action = QuantumAction::initiate(square, track);
                assert_eq!(action.meaning(), Meaning::Initiate(square, track));
                assert_eq!(QuantumAction::from_bits(action.to_bits()), Some(action));
            }
        }
        assert_eq!(QuantumAction::STOP.meaning(), Meaning::End);
        let above = (1_u32 << 24..1 << 26).filter_map(QuantumAction::from_bits).count();
        assert_eq!(above, 64 * 8 + 1);
    }
}

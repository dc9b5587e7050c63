use crate::core::{Board8, Geometry, Square};
use crate::game::Action;
use crate::game::kernel::{ChessMen, Men, Move};

use super::Face;

/// A move, another decision of a player, or a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EqualizerAction {
    /// A move of chess.
    Move(Move),
    /// `roll:f`: one die.
    Roll(Face),
    /// `roll:fg`: two dice rolled together, f first.
    RollBoth(Face, Face),
    /// `take:1` or `take:2`: the die of two for the own next move.
    Take(Which),
    /// `pick:<square>`: the man that is to move.
    Pick(Square<Board8>),
    /// `refuse`: none of the captures.
    Refuse,
}

/// Of two dice, one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The one named first.
    First,
    /// The other.
    Second,
}

/// Moves fill the low 24 bits; the number of the sort stands above.
const SORT: u32 = 24;
const ROLL: u32 = 1 << SORT;
const ROLL_BOTH: u32 = 2 << SORT;
const TAKE: u32 = 3 << SORT;
const PICK: u32 = 4 << SORT;
const REFUSE: u32 = 5 << SORT;

impl Action for EqualizerAction {
    const BITS: u32 = SORT + 3;

    fn to_bits(self) -> u32 {
        match self {
            Self::Move(action) => action.to_bits(),
            Self::Roll(face) => ROLL | face.index(),
            Self::RollBoth(first, second) => ROLL_BOTH | first.index() << 3 | second.index(),
            Self::Take(Which::First) => TAKE,
            Self::Take(Which::Second) => TAKE | 1,
            Self::Pick(square) => PICK | square.index() as u32,
            Self::Refuse => REFUSE,
        }
    }

    fn from_bits(bits: u32) -> Option<Self> {
        let low = bits & ((1 << SORT) - 1);
        Some(match (bits - low, low) {
            (0, _) => Self::Move(Move::from_bits::<Board8>(bits, ChessMen::KINDS)?),
            (ROLL, _) => Self::Roll(Face::from_index(low)?),
            (ROLL_BOTH, _) => {
                Self::RollBoth(Face::from_index(low >> 3)?, Face::from_index(low & 7)?)
            }
            (TAKE, 0) => Self::Take(Which::First),
            (TAKE, 1) => Self::Take(Which::Second),
            (PICK, _) if low < Board8::SQUARES as u32 => Self::Pick(Square::new(low as usize)),
            (REFUSE, 0) => Self::Refuse,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        let faces = Face::ALL;
        let mut all: Vec<EqualizerAction> = faces.into_iter().map(EqualizerAction::Roll).collect();
        let pairs = faces.into_iter().flat_map(|f| faces.map(|g| EqualizerAction::RollBoth(f, g)));
        all.extend(pairs);
        all.extend(Square::all().map(EqualizerAction::Pick));
        all.extend([Which::First, Which::Second].map(EqualizerAction::Take));
        all.push(EqualizerAction::Refuse);
        for &action in &all {
            assert_eq!(EqualizerAction::from_bits(action.to_bits()), Some(action));
        }
        let above = (1..256).flat_map(|sort| (0..128).map(move |low| sort << SORT | low));
        let known = above.filter_map(EqualizerAction::from_bits).count();
        assert_eq!(known, all.len());
    }
}

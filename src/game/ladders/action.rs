use crate::core::{Board8, Square};
use crate::game::Action;
use crate::game::kernel::{ChessMen, Kind, Men, Move};

/// A move with a ride in it that no move of chess comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ride {
    /// Where the man stands.
    pub from: Square<Board8>,
    /// Where he ends.
    pub to: Square<Board8>,
    /// Where he captures.
    pub captured: Option<Square<Board8>>,
    /// What a pawn that ends on its last rank becomes.
    pub promoted: Option<Kind>,
}

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A move as in chess.
    Plain(Move),
    /// A move with a ride.
    Ride(Ride),
    /// A board is placed on the block with that lower left square.
    Place(Square<Board8>),
}

/// A move as in chess, a ride or the placing of a board, packed: the bits of [`Move`]; or from, to,
/// the square of the capture (where it is `from`, there is none), 6 bits each, and the kind promoted
/// to (3 bits, 0 for none), with bit 23; or the block's square with bit 22.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LadderAction(u32);

impl LadderAction {
    const RIDE: u32 = 1 << 23;
    const PLACE: u32 = 1 << 22;

    /// A move as in chess.
    #[inline(always)]
    pub const fn plain(action: Move) -> Self {
        Self(action.to_bits())
    }

    /// A move with a ride.
    #[inline(always)]
    pub fn ride(ride: Ride) -> Self {
        let captured = ride.captured.unwrap_or(ride.from);
        let promoted = ride.promoted.map_or(0, |kind| u32::from(kind.0));
        Self(
            ride.from.index() as u32
                | (ride.to.index() as u32) << 6
                | (captured.index() as u32) << 12
                | promoted << 18
                | Self::RIDE,
        )
    }

    /// A board is placed on the block with that lower left square.
    #[inline(always)]
    pub const fn place(block: Square<Board8>) -> Self {
        Self(block.index() as u32 | Self::PLACE)
    }

    /// The move of chess that it is, if it is one.
    #[inline(always)]
    pub(super) const fn as_plain(self) -> Option<Move> {
        if self.0 & (Self::RIDE | Self::PLACE) == 0 {
            Some(Move::from_own_bits(self.0))
        } else {
            None
        }
    }

    /// What it is.
    #[inline(always)]
    pub fn meaning(self) -> Meaning {
        let square = |bits: u32| Square::new((bits & 63) as usize);
        if self.0 & Self::RIDE != 0 {
            let (from, captured) = (square(self.0), square(self.0 >> 12));
            let promoted = (self.0 >> 18 & 7) as u8;
            Meaning::Ride(Ride {
                from,
                to: square(self.0 >> 6),
                captured: (captured != from).then_some(captured),
                promoted: (promoted != 0).then_some(Kind(promoted)),
            })
        } else if self.0 & Self::PLACE != 0 {
            Meaning::Place(square(self.0))
        } else {
            Meaning::Plain(Move::from_own_bits(self.0))
        }
    }
}

impl Action for LadderAction {
    const BITS: u32 = 24;

    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> Option<Self> {
        let is_one = if bits & Self::RIDE != 0 {
            let Meaning::Ride(ride) = Self(bits).meaning() else { return None };
            let on_last_rank = matches!(ride.to.rank(), 0 | 7);
            let may_become = |kind| on_last_rank && <ChessMen as Men>::PROMOTIONS.contains(&kind);
            // Bits 21 and 22 stay free.
            Self::ride(ride).0 == bits
                && ride.from != ride.to
                && ride.promoted.is_none_or(may_become)
        } else if bits & Self::PLACE != 0 {
            bits & !Self::PLACE < 64
        } else {
            Move::from_bits::<Board8>(bits, ChessMen::KINDS).is_some()
        };
        is_one.then_some(Self(bits))
    }
}

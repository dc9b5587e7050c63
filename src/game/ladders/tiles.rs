//! The boards that are placed: which blocks they fit and which squares their ladders join.

use crate::core::{Bitboard, Board8, Square};

type Set = Bitboard<Board8>;

/// Which board is placed, the option `LadderTiles`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tiles {
    /// On blocks with a dark lower left square: from there to the upper right one.
    #[default]
    Diagonal,
    /// On blocks with a light lower left square: from lower right to upper left.
    Antidiagonal,
    /// On any block: from lower left to upper left.
    Left,
    /// On any block: from lower right to upper right.
    Right,
}

impl Tiles {
    /// All of them, in the order of [`Tiles::NAMES`].
    pub const ALL: [Self; 4] = [Self::Diagonal, Self::Antidiagonal, Self::Left, Self::Right];
    /// Their names, as FENs and the option have them.
    pub const NAMES: &[&str] = &["diagonal", "antidiagonal", "left", "right"];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The tiles of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tiles| tiles.name() == name)
    }

    /// The lower left squares of the blocks that a board fits, whatever lies there.
    pub fn blocks(self) -> Set {
        // a1 is dark, and so is every square two files or two ranks from a dark one.
        let dark = Bitboard(0xaa55_aa55_aa55_aa55);
        whole_blocks()
            & match self {
                Self::Diagonal => dark,
                Self::Antidiagonal => !dark,
                Self::Left | Self::Right => Bitboard::ALL,
            }
    }

    /// The lower and the upper end of the ladder on a block that is wholly on the board.
    pub fn ladder(self, block: Square<Board8>) -> (Square<Board8>, Square<Board8>) {
        let corner =
            |files: usize, ranks: usize| Square::new((block.index() + files + 8 * ranks) % 64);
        match self {
            Self::Diagonal => (corner(0, 0), corner(1, 1)),
            Self::Antidiagonal => (corner(1, 0), corner(0, 1)),
            Self::Left => (corner(0, 0), corner(0, 1)),
            Self::Right => (corner(1, 0), corner(1, 1)),
        }
    }
}

/// The lower left squares of blocks that do not leave the board.
pub(super) fn whole_blocks() -> Set {
    !(Bitboard::file(7) | Bitboard::rank(7))
}

/// The squares under blocks with these lower left squares, which must be whole.
pub(super) fn covered(blocks: Set) -> Set {
    let low = blocks | blocks << 1;
    low | low << 8
}

/// The lower left squares of whole blocks without a square that those blocks cover.
pub(super) fn free_blocks(blocks: Set) -> Set {
    let covered = covered(blocks);
    let taken = covered | covered >> 1;
    whole_blocks() - (taken | taken >> 8)
}

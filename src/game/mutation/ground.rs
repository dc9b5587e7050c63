//! The coloured board: which colour each square has, as text and as bitboards.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::core::zobrist::mix;
use crate::core::{Bitboard, Board8, Geometry, Square};
use crate::game::kernel::{self, Kind};

const FILES: usize = Board8::FILES;
const RANKS: usize = Board8::RANKS;

/// The colours' letters. The place of each is the kind of man of chess that moves as a pion on it
/// does: white as a pawn, yellow as a knight, blue as a bishop, red as a rook, black as a queen.
const COLORS: &[u8] = b"wybrk";

/// The colours of the 64 squares.
///
/// Its text is the ranks 8 to 1, separated by `/`, of the letters `r`, `y`, `b`, `k` (black) and `w`.
/// The place of a colour among [`Kind`]s is kept, a bitboard for each of its three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground([Bitboard<Board8>; 3]);

/// Why a text is no coloured board: what was wanted there, and what there was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GroundError {
    /// The number of ranks is wrong.
    #[error("8 ranks of 8 colours, separated by '/', not {0}")]
    Ranks(usize),
    /// A rank is too long or too short.
    #[error("8 colours in rank {rank}, not {found}")]
    RankLength {
        /// Its number, 1 at the bottom.
        rank: usize,
        /// Its colours.
        found: usize,
    },
    /// A letter that no colour has.
    #[error("colours r, y, b, k or w in rank {rank}, not {letter:?}")]
    Letter {
        /// The rank's number, 1 at the bottom.
        rank: usize,
        /// The letter.
        letter: char,
    },
}

impl Ground {
    /// The built-in board's text.
    pub const DEFAULT_TEXT: &str =
        "rybkkbyr/wwwwwwww/ybyrryby/bykyykyb/bykyykyb/ybyrryby/wwwwwwww/rybkkbyr";

    /// The letter of a square's colour.
    pub fn letter(&self, square: Square<Board8>) -> char {
        char::from(COLORS[self.kind(square).index() % COLORS.len()])
    }

    /// What a pion on the square moves as.
    #[inline(always)]
    fn kind(&self, square: Square<Board8>) -> Kind {
        let bit = |place: usize| (self.0[place].0 >> square.index()) as u8 & 1;
        Kind(bit(0) | bit(1) << 1 | bit(2) << 2)
    }

    /// Gives a square that is still white the colour of that letter; whether it is one's.
    const fn paint(&mut self, square: usize, letter: u8) -> bool {
        let mut kind = 0;
        while kind < COLORS.len() {
            if COLORS[kind] == letter {
                let mut place = 0;
                while place < 3 {
                    self.0[place].0 |= ((kind as u64 >> place) & 1) << square;
                    place += 1;
                }
                return true;
            }
            kind += 1;
        }
        false
    }

    const fn built_in() -> Self {
        let text = Self::DEFAULT_TEXT.as_bytes();
        let mut ground = Self([Bitboard(0); 3]);
        let mut rank = 0;
        while rank < RANKS {
            let mut file = 0;
            while file < FILES {
                let letter = text[(RANKS - 1 - rank) * (FILES + 1) + file];
                assert!(ground.paint(rank * FILES + file, letter));
                file += 1;
            }
            rank += 1;
        }
        ground
    }
}

impl FromStr for Ground {
    type Err = GroundError;

    fn from_str(text: &str) -> Result<Self, GroundError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != RANKS {
            return Err(GroundError::Ranks(rows.len()));
        }
        let mut ground = Self([Bitboard::EMPTY; 3]);
        for (rank, row) in rows.into_iter().rev().enumerate() {
            let found = row.chars().count();
            if found != FILES {
                return Err(GroundError::RankLength { rank: rank + 1, found });
            }
            for (file, letter) in row.chars().enumerate() {
                let painted = u8::try_from(letter)
                    .is_ok_and(|letter| ground.paint(rank * FILES + file, letter));
                if !painted {
                    return Err(GroundError::Letter { rank: rank + 1, letter });
                }
            }
        }
        Ok(ground)
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            for file in 0..FILES {
                write!(f, "{}", self.letter(Square::new(rank * FILES + file)))?;
            }
            if rank > 0 {
                write!(f, "/")?;
            }
        }
        Ok(())
    }
}

impl Default for Ground {
    fn default() -> Self {
        <Self as kernel::Ground<Board8>>::DEFAULT
    }
}

impl kernel::Ground<Board8> for Ground {
    const CHANGES_MEN: bool = true;
    const DEFAULT: Self = Self::built_in();

    /// Kings stay what they are.
    #[inline(always)]
    fn settled(&self, kind: Kind, square: Square<Board8>) -> Kind {
        if kind == Kind::KING { kind } else { self.kind(square) }
    }

    #[inline(always)]
    fn squares(&self, kind: Kind) -> Bitboard<Board8> {
        self.0.into_iter().enumerate().fold(Bitboard::ALL, |squares, (place, set)| {
            squares & if kind.0 >> place & 1 == 1 { set } else { !set }
        })
    }

    fn key(&self) -> u64 {
        self.0.into_iter().fold(7, |key, set| mix(key ^ set.0))
    }
}

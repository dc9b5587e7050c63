use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub, SubAssign,
};

use super::{Color, Direction, Geometry, Square};

/// The machine word behind a bitboard: `u64` or `u128`.
pub trait Bits:
    Copy
    + Eq
    + Send
    + Sync
    + fmt::Debug
    + fmt::LowerHex
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No square.
    const ZERO: Self;
    /// The lowest square alone.
    const ONE: Self;
    /// The number of squares.
    fn count(self) -> u32;
    /// The number of the lowest square; the word's width if there is none.
    fn lowest(self) -> u32;
    /// The number of the highest square; meaningless if there is none.
    fn highest(self) -> u32;
    /// All but the lowest square.
    #[must_use]
    fn without_lowest(self) -> Self;
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn highest(self) -> u32 {
                (<$word>::BITS - 1).wrapping_sub(self.leading_zeros())
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}
bits!(u64);
bits!(u128);

/// A set of squares of the board `G`.
///
/// ```
/// use alea::core::{Bitboard, Board8, Geometry, Square};
/// let d4 = Square::<Board8>::parse("d4").unwrap();
/// assert_eq!(
///     Board8::knight(d4).to_string(),
///     ". . . . . . . .\n\
///      . . . . . . . .\n\
///      . . X . X . . .\n\
///      . X . . . X . .\n\
///      . . . . . . . .\n\
///      . X . . . X . .\n\
///      . . X . X . . .\n\
///      . . . . . . . .\n",
/// );
/// ```
pub struct Bitboard<G: Geometry>(pub G::Bits);

// Derives would ask of `G`, which is only a name, to be `Copy` too.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Geometry> Clone for Bitboard<G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Geometry> Copy for Bitboard<G> {}
impl<G: Geometry> PartialEq for Bitboard<G> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<G: Geometry> Eq for Bitboard<G> {}
impl<G: Geometry> Default for Bitboard<G> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<G: Geometry> Bitboard<G> {
    /// No square.
    pub const EMPTY: Self = Self(G::Bits::ZERO);
    /// Every square of the board.
    pub const ALL: Self = Self(G::ALL);

    /// The squares of that file, a = 0.
    #[inline(always)]
    pub fn file(file: usize) -> Self {
        Self(G::FILE_A << file as u32)
    }

    /// The squares of that rank as White counts it, from 0.
    #[inline(always)]
    pub fn rank(rank: usize) -> Self {
        Self(G::RANK_1 << (rank * G::FILES) as u32)
    }

    /// The squares of that rank as `color` counts it, from 0.
    #[inline(always)]
    pub fn relative_rank(color: Color, rank: usize) -> Self {
        Self::rank(match color {
            Color::White => rank,
            Color::Black => G::RANKS - 1 - rank,
        })
    }

    /// The number of squares.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    /// Whether there is no square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::Bits::ZERO
    }

    /// Whether there is a square.
    #[inline(always)]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub fn several(self) -> bool {
        self.0.without_lowest() != G::Bits::ZERO
    }

    /// Whether the square belongs to the set.
    #[inline(always)]
    pub fn has(self, square: Square<G>) -> bool {
        (self & square.into()).any()
    }

    /// Whether the sets share a square.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// The lowest square, if there is one.
    #[inline(always)]
    pub fn first(self) -> Option<Square<G>> {
        if self.is_empty() { None } else { Some(Square::new(self.0.lowest() as usize)) }
    }

    /// All squares one step in that direction; what leaves the board is gone.
    #[inline(always)]
    #[must_use]
    pub fn step(self, direction: Direction) -> Self {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        let files = G::FILES as u32;
        let first_file = Self(G::FILE_A);
        let last_file = Self::file(G::FILES - 1);
        match direction {
            North => self << files,
            South => self >> files,
            East => (self - last_file) << 1,
            West => (self - first_file) >> 1,
            NorthEast => (self - last_file) << (files + 1),
            NorthWest => (self - first_file) << (files - 1),
            SouthEast => (self - last_file) >> (files - 1),
            SouthWest => (self - first_file) >> (files + 1),
        }
    }

    /// All squares one rank ahead as `color` sees it.
    #[inline(always)]
    #[must_use]
    pub fn forward(self, color: Color) -> Self {
        self.step(match color {
            Color::White => Direction::North,
            Color::Black => Direction::South,
        })
    }

    /// The squares that pawns of `color` on these squares attack.
    #[inline(always)]
    #[must_use]
    pub fn pawn_attacks(self, color: Color) -> Self {
        let ahead = self.forward(color);
        ahead.step(Direction::East) | ahead.step(Direction::West)
    }

    /// The squares that knights on these squares attack.
    #[inline(always)]
    #[must_use]
    pub fn knight_attacks(self) -> Self {
        let (east, west) = (self.step(Direction::East), self.step(Direction::West));
        let near = east | west;
        let far = east.step(Direction::East) | west.step(Direction::West);
        let files = G::FILES as u32;
        (near << (2 * files)) | (near >> (2 * files)) | (far << files) | (far >> files)
    }

    /// The squares ahead of these on their own files, as `color` sees it.
    #[must_use]
    pub fn front_fill(self, color: Color) -> Self {
        let mut fill = self.forward(color);
        let mut reach = 1;
        while reach < G::RANKS {
            let shift = (reach * G::FILES) as u32;
            fill |= match color {
                Color::White => fill << shift,
                Color::Black => fill >> shift,
            };
            reach *= 2;
        }
        fill
    }
}

impl<G: Geometry> From<Square<G>> for Bitboard<G> {
    #[inline(always)]
    fn from(square: Square<G>) -> Self {
        Self(G::Bits::ONE << square.index() as u32)
    }
}

impl<G: Geometry> FromIterator<Square<G>> for Bitboard<G> {
    fn from_iter<I: IntoIterator<Item = Square<G>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign:ident $assign_method:ident: $a:ident $b:ident => $value:expr) => {
        impl<G: Geometry> $trait for Bitboard<G> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }
        impl<G: Geometry> $assign for Bitboard<G> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}
operator!(BitAnd bitand BitAndAssign bitand_assign: a b => a & b);
operator!(BitOr bitor BitOrAssign bitor_assign: a b => a | b);
operator!(BitXor bitxor BitXorAssign bitxor_assign: a b => a ^ b);
operator!(Sub sub SubAssign sub_assign: a b => a & !b);

impl<G: Geometry> Not for Bitboard<G> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(G::ALL & !self.0)
    }
}

impl<G: Geometry> Shl<u32> for Bitboard<G> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self((self.0 << by) & G::ALL)
    }
}

impl<G: Geometry> Shr<u32> for Bitboard<G> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

/// The squares of a bitboard in ascending order.
pub struct Squares<G: Geometry>(Bitboard<G>);

impl<G: Geometry> Iterator for Squares<G> {
    type Item = Square<G>;

    #[inline(always)]
    fn next(&mut self) -> Option<Square<G>> {
        let square = self.0.first()?;
        self.0 = Bitboard(self.0.0.without_lowest());
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.count() as usize, Some(self.0.count() as usize))
    }
}

impl<G: Geometry> IntoIterator for Bitboard<G> {
    type Item = Square<G>;
    type IntoIter = Squares<G>;

    #[inline(always)]
    fn into_iter(self) -> Squares<G> {
        Squares(self)
    }
}

/// The board as White sees it, one line a rank, `X` for a square of the set.
impl<G: Geometry> fmt::Display for Bitboard<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..G::RANKS).rev() {
            for file in 0..G::FILES {
                let mark = if self.has(Square::new(rank * G::FILES + file)) { 'X' } else { '.' };
                write!(f, "{}{mark}", if file == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<G: Geometry> fmt::Debug for Bitboard<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use super::attacks::{self, sliders8, sliders10};
use super::{Bitboard, Bits, Color, Square};

/// A direction in which lines run. The first four step to higher square numbers; each one's
/// opposite is four further on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Up a file.
    North,
    /// Right along a rank.
    East,
    /// Up and right.
    NorthEast,
    /// Up and left.
    NorthWest,
    /// Down a file.
    South,
    /// Left along a rank.
    West,
    /// Down and left.
    SouthWest,
    /// Down and right.
    SouthEast,
}

impl Direction {
    /// All eight; index them with `as usize`.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::NorthEast,
        Self::NorthWest,
        Self::South,
        Self::West,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// Whether rooks move that way (the others are the bishops').
    pub const fn is_orthogonal(self) -> bool {
        matches!(self, Self::North | Self::East | Self::South | Self::West)
    }
}

/// A slot per square, read and written by square number.
pub trait Mailbox:
    Copy + Eq + Debug + Send + Sync + Index<usize, Output = u8> + IndexMut<usize> + 'static
{
    /// All slots 0.
    const EMPTY: Self;
}

impl<const N: usize> Mailbox for [u8; N] {
    const EMPTY: Self = [0; N];
}

/// The shape of a board, and the attacks that follow from nothing else.
///
/// A type parameter rather than a value, so that the 8×8 games pay nothing for the 10×10 ones.
pub trait Geometry: Copy + Debug + Eq + Send + Sync + 'static {
    /// The word with a bit per square.
    type Bits: Bits;
    /// A byte per square.
    type Mailbox: Mailbox;
    /// The number of files, a first.
    const FILES: usize;
    /// The number of ranks.
    const RANKS: usize;
    /// The number of squares.
    const SQUARES: usize = Self::FILES * Self::RANKS;
    /// All squares.
    const ALL: Self::Bits;
    /// The squares of file a.
    const FILE_A: Self::Bits;
    /// The squares of rank 1.
    const RANK_1: Self::Bits;

    /// The squares a knight attacks.
    fn knight(square: Square<Self>) -> Bitboard<Self>;
    /// The squares a king attacks.
    fn king(square: Square<Self>) -> Bitboard<Self>;
    /// The squares a pawn of `color` attacks.
    fn pawn(color: Color, square: Square<Self>) -> Bitboard<Self>;
    /// The squares a rook attacks, the first man on each line included.
    fn rook(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self>;
    /// The squares a bishop attacks, the first man on each line included.
    fn bishop(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self>;
    /// The squares a nightrider attacks, which repeats a knight's leap in a straight line over
    /// empty squares, the first man on each line included.
    #[inline(always)]
    fn nightrider(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        attacks::rides(square, occupied)
    }
    /// The squares of that direction's line from a square to the edge, the square not included.
    fn ray(direction: Direction, square: Square<Self>) -> Bitboard<Self>;
    /// The squares that one of the eight leaps of a knight reaches when it is repeated up to the
    /// edge, the square not included. Ways 0 to 3 go to higher square numbers; each one's opposite
    /// is four further on.
    fn knight_ray(way: usize, square: Square<Self>) -> Bitboard<Self>;
    /// The squares strictly between two on a line of a queen or a nightrider; none if they share no
    /// line.
    fn between(from: Square<Self>, to: Square<Self>) -> Bitboard<Self>;
    /// The whole line of a queen or a nightrider through two squares, edge to edge; none if they
    /// share no line.
    fn line(from: Square<Self>, to: Square<Self>) -> Bitboard<Self>;
    /// What sliders threaten around an enemy king: the squares they attack with the king lifted off
    /// the board, and the men of either side that stand between it and one of them; with these may
    /// come empty squares.
    #[inline(always)]
    fn line_threats(
        orthogonals: Bitboard<Self>,
        diagonals: Bitboard<Self>,
        king: Square<Self>,
        occupied: Bitboard<Self>,
    ) -> (Bitboard<Self>, Bitboard<Self>) {
        let king = Bitboard::from(king);
        let attacks = Direction::ALL.map(|way| {
            let movers = if way.is_orthogonal() { orthogonals } else { diagonals };
            attacks::fill(movers, !occupied | king, way)
        });
        Direction::ALL.into_iter().fold((Bitboard::EMPTY, Bitboard::EMPTY), |(all, pins), way| {
            let from_king = attacks::fill(king, !occupied, way);
            (all | attacks[way as usize], pins | from_king & attacks[way as usize ^ 4])
        })
    }

    /// The number of moves onto `targets` of sliders, given for each of the axes of the first four
    /// [`Direction`]s those that may move along it, over `empty` squares up to the first man.
    ///
    /// Within one direction no square is reached by two sliders, so set sizes are move counts.
    #[inline(always)]
    fn count_line_moves(
        movers: [Bitboard<Self>; 4],
        empty: Bitboard<Self>,
        targets: Bitboard<Self>,
    ) -> u32 {
        Direction::ALL
            .into_iter()
            .map(|way| (attacks::fill(movers[way as usize & 3], empty, way) & targets).count())
            .sum()
    }
}

/// The board of 8 files and 8 ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board8;

/// The board of 10 files and 10 ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board10;

macro_rules! table_lookups {
    ($tables:ident) => {
        #[inline(always)]
        fn knight(square: Square<Self>) -> Bitboard<Self> {
            Bitboard($tables::KNIGHT[square.index() % $tables::ROWS])
        }
        #[inline(always)]
        fn king(square: Square<Self>) -> Bitboard<Self> {
            Bitboard($tables::KING[square.index() % $tables::ROWS])
        }
        #[inline(always)]
        fn pawn(color: Color, square: Square<Self>) -> Bitboard<Self> {
            Bitboard($tables::PAWN[color.index()][square.index() % $tables::ROWS])
        }
        #[inline(always)]
        fn ray(direction: Direction, square: Square<Self>) -> Bitboard<Self> {
            Bitboard($tables::RAYS[direction as usize][square.index() % $tables::ROWS])
        }
        #[inline(always)]
        fn knight_ray(way: usize, square: Square<Self>) -> Bitboard<Self> {
            Bitboard($tables::RIDES[way % 8][square.index() % $tables::ROWS])
        }
        #[inline(always)]
        fn between(from: Square<Self>, to: Square<Self>) -> Bitboard<Self> {
            let (from, to) = (from.index() % $tables::ROWS, to.index() % $tables::ROWS);
            Bitboard($tables::BETWEEN[from][to])
        }
        #[inline(always)]
        fn line(from: Square<Self>, to: Square<Self>) -> Bitboard<Self> {
            let (from, to) = (from.index() % $tables::ROWS, to.index() % $tables::ROWS);
            Bitboard($tables::LINE[from][to])
        }
    };
}

mod tables8 {
    use super::attacks::tables;
    tables!(u64, 8, 8, 64);
}

mod tables10 {
    use super::attacks::tables;
    tables!(u128, 10, 10, 128);
}

impl Geometry for Board8 {
    type Bits = u64;
    type Mailbox = [u8; 64];
    const FILES: usize = 8;
    const RANKS: usize = 8;
    const ALL: u64 = !0;
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const RANK_1: u64 = 0xff;

    table_lookups!(tables8);

    #[inline(always)]
    fn rook(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        Bitboard(sliders8::rook(square.index(), occupied.0))
    }

    #[inline(always)]
    fn bishop(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        Bitboard(sliders8::bishop(square.index(), occupied.0))
    }

    #[cfg(target_feature = "avx2")]
    #[inline(always)]
    fn line_threats(
        orthogonals: Bitboard<Self>,
        diagonals: Bitboard<Self>,
        king: Square<Self>,
        occupied: Bitboard<Self>,
    ) -> (Bitboard<Self>, Bitboard<Self>) {
        let king = Bitboard::from(king).0;
        let (attacks, pins) = sliders8::fill::threats(orthogonals.0, diagonals.0, king, occupied.0);
        (Bitboard(attacks), Bitboard(pins))
    }

    #[cfg(target_feature = "avx2")]
    #[inline(always)]
    fn count_line_moves(
        movers: [Bitboard<Self>; 4],
        empty: Bitboard<Self>,
        targets: Bitboard<Self>,
    ) -> u32 {
        sliders8::fill::count(movers.map(|set| set.0), empty.0, targets.0)
    }
}

impl Geometry for Board10 {
    type Bits = u128;
    type Mailbox = [u8; 100];
    const FILES: usize = 10;
    const RANKS: usize = 10;
    const ALL: u128 = (1 << 100) - 1;
    const FILE_A: u128 = Self::ALL / 0x3ff;
    const RANK_1: u128 = 0x3ff;

    table_lookups!(tables10);

    #[inline(always)]
    fn rook(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        sliders10::rook(square, occupied)
    }

    #[inline(always)]
    fn bishop(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        sliders10::bishop(square, occupied)
    }

    #[inline(always)]
    fn line_threats(
        orthogonals: Bitboard<Self>,
        diagonals: Bitboard<Self>,
        king: Square<Self>,
        occupied: Bitboard<Self>,
    ) -> (Bitboard<Self>, Bitboard<Self>) {
        sliders10::threats(orthogonals, diagonals, king, occupied)
    }

    #[inline(always)]
    fn count_line_moves(
        movers: [Bitboard<Self>; 4],
        empty: Bitboard<Self>,
        targets: Bitboard<Self>,
    ) -> u32 {
        sliders10::count(movers, empty, targets)
    }
}

//! Slider attacks on 10×10, line by line. Where the processor has PEXT and PDEP, a line's men become
//! the index of a small table and its answer a line's squares; elsewhere a bit scan finds the first
//! man of each direction.

#[cfg(target_feature = "bmi2")]
use super::{STEPS, ray};
#[cfg(not(target_feature = "bmi2"))]
use crate::core::Direction;
use crate::core::{Bitboard, Board10, Geometry, Square};

#[cfg(target_feature = "bmi2")]
const FILES: i32 = 10;
#[cfg(target_feature = "bmi2")]
const RANKS: i32 = 10;
/// The axes of the first four directions.
const AXES: usize = 4;

/// A whole line through a square.
#[cfg(target_feature = "bmi2")]
#[derive(Clone, Copy)]
struct Line {
    low: u64,
    high: u64,
    /// How many of its squares `low` has.
    split: u32,
    /// Where the rows of the square's place on the line start in [`REACH`].
    row: u32,
}

#[cfg(target_feature = "bmi2")]
static LINES: [[Line; 128]; AXES] = {
    let mut table = [[Line { low: 0, high: 0, split: 0, row: 0 }; 128]; AXES];
    let mut axis = 0;
    while axis < AXES {
        let mut square = 0;
        while square < FILES * RANKS {
            let behind = ray(FILES, RANKS, square, STEPS[axis ^ 4]);
            let line = ray(FILES, RANKS, square, STEPS[axis]) | behind | 1 << square;
            table[axis][square as usize] = Line {
                low: line as u64,
                high: (line >> 64) as u64,
                split: (line as u64).count_ones(),
                row: behind.count_ones() << 10,
            };
            square += 1;
        }
        axis += 1;
    }
    table
};

/// What a slider reaches of a line of ten squares, by its place and the men on the line, its own
/// square among them or not. On a shorter line the squares past its end are empty.
#[cfg(target_feature = "bmi2")]
static REACH: [u16; 16 << 10] = {
    let mut table = [0; 16 << 10];
    let mut place = 0;
    while place < 10 {
        let mut men = 0;
        while men < 1 << 10 {
            let mut reach = 0;
            let mut at = place + 1;
            while at < 10 {
                reach |= 1 << at;
                if men >> at & 1 != 0 {
                    break;
                }
                at += 1;
            }
            at = place;
            while at > 0 {
                at -= 1;
                reach |= 1 << at;
                if men >> at & 1 != 0 {
                    break;
                }
            }
            table[place << 10 | men] = reach;
            men += 1;
        }
        place += 1;
    }
    table
};

/// The squares that a slider reaches along an axis both ways, the first man each way included.
#[cfg(target_feature = "bmi2")]
#[inline(always)]
fn along(axis: usize, square: Square<Board10>, occupied: Bitboard<Board10>) -> Bitboard<Board10> {
    use core::arch::x86_64::{_pdep_u64, _pext_u64};
    let line = &LINES[axis % AXES][square.index() % 128];
    // SAFETY: the feature is on, or these lines would not have been compiled.
    unsafe {
        let low = _pext_u64(occupied.0 as u64, line.low);
        let high = _pext_u64((occupied.0 >> 64) as u64, line.high);
        let index = line.row as usize + (low | high << line.split) as usize;
        let reach = u64::from(REACH[index % REACH.len()]);
        let (low, high) = (_pdep_u64(reach, line.low), _pdep_u64(reach >> line.split, line.high));
        Bitboard(u128::from(high) << 64 | u128::from(low))
    }
}

/// The squares that a slider reaches along an axis both ways, the first man each way included.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
fn along(axis: usize, square: Square<Board10>, occupied: Bitboard<Board10>) -> Bitboard<Board10> {
    let reach = |way| super::blocked_ray(Direction::ALL[way % 8], square, occupied);
    reach(axis) | reach(axis ^ 4)
}

#[inline(always)]
pub(in crate::core) fn rook(
    square: Square<Board10>,
    occupied: Bitboard<Board10>,
) -> Bitboard<Board10> {
    along(0, square, occupied) | along(1, square, occupied)
}

#[inline(always)]
pub(in crate::core) fn bishop(
    square: Square<Board10>,
    occupied: Bitboard<Board10>,
) -> Bitboard<Board10> {
    along(2, square, occupied) | along(3, square, occupied)
}

/// See [`Geometry::line_threats`]. Sliders are few, and fills of 128 bits slow: so one by one.
#[inline(always)]
pub(in crate::core) fn threats(
    orthogonals: Bitboard<Board10>,
    diagonals: Bitboard<Board10>,
    king: Square<Board10>,
    occupied: Bitboard<Board10>,
) -> (Bitboard<Board10>, Bitboard<Board10>) {
    let lifted = occupied - king.into();
    let (mut attacks, mut pins) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for slider in orthogonals {
        attacks |= rook(slider, lifted);
    }
    for slider in diagonals {
        attacks |= bishop(slider, lifted);
    }
    let snipers =
        orthogonals & rook(king, Bitboard::EMPTY) | diagonals & bishop(king, Bitboard::EMPTY);
    for sniper in snipers {
        let shields = Board10::between(king, sniper) & occupied;
        if !shields.several() {
            pins |= shields;
        }
    }
    (attacks, pins)
}

/// See [`Geometry::count_line_moves`].
#[inline(always)]
pub(in crate::core) fn count(
    movers: [Bitboard<Board10>; AXES],
    empty: Bitboard<Board10>,
    targets: Bitboard<Board10>,
) -> u32 {
    let occupied = !empty;
    let mut count = 0;
    for (axis, movers) in movers.into_iter().enumerate() {
        for slider in movers {
            count += (along(axis, slider, occupied) & targets).count();
        }
    }
    count
}

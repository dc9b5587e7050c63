//! Slider attacks on 8×8: one table look-up a piece (PEXT where the processor has it, multiplied
//! magics elsewhere), and a vector fill for all sliders of a side at once.

use super::{STEPS, ray};

struct Slider {
    /// The squares whose men matter.
    mask: [u64; 64],
    /// Where each square's rows start in [`TABLE`].
    offset: [u32; 64],
}

const ROOK_ROWS: usize = 102_400;
const BISHOP_ROWS: usize = 5_248;

const fn slider(ways: [usize; 4], mut next: u32) -> Slider {
    let mut slider = Slider { mask: [0; 64], offset: [0; 64] };
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            // A man on the last square of a ray hides nothing.
            let line = RAYS[ways[i]][square];
            let mut rest = line;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if RAYS[ways[i]][to] != 0 {
                    slider.mask[square] |= 1 << to;
                }
            }
            i += 1;
        }
        slider.offset[square] = next;
        next += 1 << slider.mask[square].count_ones();
        square += 1;
    }
    slider
}

const RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut way = 0;
    while way < 8 {
        let mut square = 0;
        while square < 64 {
            table[way][square] = ray(8, 8, square as i32, STEPS[way]) as u64;
            square += 1;
        }
        way += 1;
    }
    table
};

const ROOK_WAYS: [usize; 4] = [0, 1, 4, 5];
const BISHOP_WAYS: [usize; 4] = [2, 3, 6, 7];

static ROOK: Slider = slider(ROOK_WAYS, 0);
static BISHOP: Slider = slider(BISHOP_WAYS, ROOK_ROWS as u32);

const fn attacks(ways: [usize; 4], square: usize, occupied: u64) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < 4 {
        let way = ways[i];
        let line = RAYS[way][square];
        let men = line & occupied;
        set |= line;
        if men != 0 {
            let first = if way < 4 { men.trailing_zeros() } else { 63 - men.leading_zeros() };
            set &= !RAYS[way][first as usize];
        }
        i += 1;
    }
    set
}

// The compiler fills 107,648 rows; it warns of long constants by default.
#[allow(long_running_const_eval)]
static TABLE: [u64; ROOK_ROWS + BISHOP_ROWS] = {
    let mut table = [0; ROOK_ROWS + BISHOP_ROWS];
    let mut kind = 0;
    while kind < 2 {
        let ways = if kind == 0 { ROOK_WAYS } else { BISHOP_WAYS };
        let slider = slider(ways, if kind == 0 { 0 } else { ROOK_ROWS as u32 });
        let mut square = 0;
        while square < 64 {
            let mask = slider.mask[square];
            let mut subset = 0_u64;
            let mut rank = 0;
            loop {
                // Subsets in ascending order stand at ascending PEXT indices.
                let row = index(kind, square, mask, subset, rank);
                table[slider.offset[square] as usize + row] = attacks(ways, square, subset);
                subset = subset.wrapping_sub(mask) & mask;
                rank += 1;
                if subset == 0 {
                    break;
                }
            }
            square += 1;
        }
        kind += 1;
    }
    table
};

#[cfg(target_feature = "bmi2")]
const fn index(_kind: usize, _square: usize, _mask: u64, _men: u64, rank: usize) -> usize {
    rank
}

#[cfg(not(target_feature = "bmi2"))]
const fn index(kind: usize, square: usize, mask: u64, men: u64, _rank: usize) -> usize {
    super::magics8::index(kind, square, mask, men)
}

#[inline(always)]
fn look_up(kind: usize, slider: &Slider, square: usize, occupied: u64) -> u64 {
    let square = square % 64;
    let mask = slider.mask[square];
    #[cfg(target_feature = "bmi2")]
    let row = {
        let _ = kind;
        // SAFETY: the feature is on, or this line would not have been compiled.
        unsafe { core::arch::x86_64::_pext_u64(occupied, mask) as usize }
    };
    #[cfg(not(target_feature = "bmi2"))]
    let row = super::magics8::index(kind, square, mask, occupied);
    let row = slider.offset[square] as usize + row;
    // SAFETY: an index within a square's rows is below 1 << mask.count_ones(), and offsets leave
    // room for just that; the tests look up every row.
    unsafe { *TABLE.get_unchecked(row) }
}

#[inline(always)]
pub(in crate::core) fn rook(square: usize, occupied: u64) -> u64 {
    look_up(0, &ROOK, square, occupied)
}

#[inline(always)]
pub(in crate::core) fn bishop(square: usize, occupied: u64) -> u64 {
    look_up(1, &BISHOP, square, occupied)
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const SHIFT: [u64; 4] = [8, 1, 9, 7];
const LANDING_UP: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];
const LANDING_DOWN: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

/// See [`crate::core::Geometry::rays`]; the arrays are shaped for four 64-bit vector lanes.
#[inline(always)]
pub(in crate::core) fn rays(movers: [u64; 8], empty: u64) -> [u64; 8] {
    let [a, b, c, d, e, f, g, h] = movers;
    let (mut up, mut down) = ([a, b, c, d], [e, f, g, h]);
    let mut free_up = LANDING_UP.map(|landing| landing & empty);
    let mut free_down = LANDING_DOWN.map(|landing| landing & empty);
    for round in 0..3 {
        for i in 0..4 {
            let by = SHIFT[i] << round;
            up[i] |= free_up[i] & (up[i] << by);
            down[i] |= free_down[i] & (down[i] >> by);
            free_up[i] &= free_up[i] << by;
            free_down[i] &= free_down[i] >> by;
        }
    }
    let up: [u64; 4] = std::array::from_fn(|i| (up[i] << SHIFT[i]) & LANDING_UP[i]);
    let down: [u64; 4] = std::array::from_fn(|i| (down[i] >> SHIFT[i]) & LANDING_DOWN[i]);
    let ([a, b, c, d], [e, f, g, h]) = (up, down);
    [a, b, c, d, e, f, g, h]
}

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
            let first = if way < 4 { men.trailing_zeros() } else { men.ilog2() };
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

/// Attacks of all sliders of a side at once, by Kogge-Stone fills in the lanes of two vectors: up
/// (north, east, north-east, north-west) and down (their opposites).
#[cfg(target_feature = "avx2")]
pub(in crate::core) mod fill {
    use core::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x,
        _mm256_setr_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64,
    };

    const NOT_A: i64 = !0x0101_0101_0101_0101;
    const NOT_H: i64 = 0x7f7f_7f7f_7f7f_7f7f;

    macro_rules! fill {
        ($name:ident, $shift:ident, $landing:expr) => {
            #[inline(always)]
            unsafe fn $name(mut reached: __m256i, empty: __m256i) -> __m256i {
                // SAFETY: AVX2 is on wherever this module is compiled.
                unsafe {
                    let [a, b, c, d] = $landing;
                    let landing = _mm256_setr_epi64x(a, b, c, d);
                    let [one, two, four] = [1, 2, 4]
                        .map(|steps| _mm256_setr_epi64x(8 * steps, steps, 9 * steps, 7 * steps));
                    let mut free = _mm256_and_si256(empty, landing);
                    let step = _mm256_and_si256(free, $shift(reached, one));
                    reached = _mm256_or_si256(reached, step);
                    free = _mm256_and_si256(free, $shift(free, one));
                    let step = _mm256_and_si256(free, $shift(reached, two));
                    reached = _mm256_or_si256(reached, step);
                    free = _mm256_and_si256(free, $shift(free, two));
                    let step = _mm256_and_si256(free, $shift(reached, four));
                    reached = _mm256_or_si256(reached, step);
                    _mm256_and_si256($shift(reached, one), landing)
                }
            }
        };
    }
    fill!(up, _mm256_sllv_epi64, [-1, NOT_A, NOT_A, NOT_H]);
    fill!(down, _mm256_srlv_epi64, [-1, NOT_H, NOT_H, NOT_A]);

    #[inline(always)]
    unsafe fn union(lanes: __m256i) -> u64 {
        // SAFETY: as above.
        unsafe {
            let half =
                _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
            _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
        }
    }

    /// See [`crate::core::Geometry::line_threats`].
    #[inline(always)]
    pub(in crate::core) fn threats(
        orthogonals: u64,
        diagonals: u64,
        king: u64,
        occupied: u64,
    ) -> (u64, u64) {
        // SAFETY: as above.
        unsafe {
            let (orthogonals, diagonals) = (orthogonals as i64, diagonals as i64);
            let movers = _mm256_setr_epi64x(orthogonals, orthogonals, diagonals, diagonals);
            let lifted = _mm256_set1_epi64x((!occupied | king) as i64);
            let empty = _mm256_set1_epi64x(!occupied as i64);
            let king = _mm256_set1_epi64x(king as i64);
            let (rising, falling) = (up(movers, lifted), down(movers, lifted));
            let attacks = union(_mm256_or_si256(rising, falling));
            let pins = union(_mm256_or_si256(
                _mm256_and_si256(up(king, empty), falling),
                _mm256_and_si256(down(king, empty), rising),
            ));
            (attacks, pins)
        }
    }

    /// See [`crate::core::Geometry::count_line_moves`].
    #[inline(always)]
    pub(in crate::core) fn count(movers: [u64; 4], empty: u64, targets: u64) -> u32 {
        // SAFETY: as above; the arrays have the vectors' size.
        unsafe {
            let [a, b, c, d] = movers.map(|set| set as i64);
            let movers = _mm256_setr_epi64x(a, b, c, d);
            let empty = _mm256_set1_epi64x(empty as i64);
            let targets = _mm256_set1_epi64x(targets as i64);
            let rising: [u64; 4] =
                core::mem::transmute(_mm256_and_si256(up(movers, empty), targets));
            let falling: [u64; 4] =
                core::mem::transmute(_mm256_and_si256(down(movers, empty), targets));
            rising.into_iter().chain(falling).map(u64::count_ones).sum()
        }
    }
}

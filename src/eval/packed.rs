use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A middlegame and an endgame score in one number, added and scaled together; each within ±32,767.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed(i32);

impl Packed {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Both scores.
    pub const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16) + middlegame as i32)
    }

    /// The middlegame's.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame's.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }
}

impl Add for Packed {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Packed {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Packed {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Packed {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Packed {
    type Output = Self;
    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak_into_each_other() {
        for (mg, eg) in [(0, 0), (-1, 1), (1, -1), (-300, -200), (32_000, -32_000)] {
            let packed = Packed::new(mg, eg);
            assert_eq!((packed.middlegame(), packed.endgame()), (mg.into(), eg.into()));
        }
        let sum = (Packed::new(-5, 7) + Packed::new(3, -9)) * -4 - Packed::new(1, 1);
        assert_eq!((sum.middlegame(), sum.endgame()), (7, 7));
    }
}

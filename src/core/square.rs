use std::fmt;
use std::marker::PhantomData;

use super::{Color, Geometry};

/// A square of the board `G`, numbered a1 = 0, b1 = 1, … rank by rank.
pub struct Square<G>(u8, PhantomData<G>);

// Derives would ask the same of `G`, which is only a name.
impl<G> Clone for Square<G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G> Copy for Square<G> {}
impl<G> PartialEq for Square<G> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<G> Eq for Square<G> {}
impl<G> PartialOrd for Square<G> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<G> Ord for Square<G> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<G> std::hash::Hash for Square<G> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<G: Geometry> Square<G> {
    /// The square of that number, which must be below `G::SQUARES`.
    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < G::SQUARES);
        Self(index as u8, PhantomData)
    }

    /// The square on that file and rank, both from 0, if the board has it.
    pub const fn at(file: i32, rank: i32) -> Option<Self> {
        if file < 0 || rank < 0 || file >= G::FILES as i32 || rank >= G::RANKS as i32 {
            None
        } else {
            Some(Self(rank as u8 * G::FILES as u8 + file as u8, PhantomData))
        }
    }

    /// 0 … `G::SQUARES` − 1, for indexing.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, a = 0.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % G::FILES
    }

    /// The rank as White counts it, from 0.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / G::FILES
    }

    /// The rank as `color` counts it, from 0 at its own first rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> usize {
        match color {
            Color::White => self.rank(),
            Color::Black => G::RANKS - 1 - self.rank(),
        }
    }

    /// The square that `color` sees where White sees this one: ranks mirrored for Black.
    #[inline(always)]
    #[must_use]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => {
                Self(((G::RANKS - 1 - self.rank()) * G::FILES + self.file()) as u8, PhantomData)
            }
        }
    }

    /// The square one rank ahead as `color` sees it; on its last rank this wraps around.
    #[inline(always)]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self::new((self.index() + G::FILES) % G::SQUARES),
            Color::Black => Self::new((self.index() + G::SQUARES - G::FILES) % G::SQUARES),
        }
    }

    /// The square that many files right and ranks up, if the board has it.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        Self::at(self.file() as i32 + files, self.rank() as i32 + ranks)
    }

    /// All squares in ascending order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..G::SQUARES).map(Self::new)
    }

    /// Reads `e4`, or `a10` on ten ranks; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (square, rest) = Self::parse_prefix(text)?;
        rest.is_empty().then_some(square)
    }

    /// Reads the square that `text` starts with, and gives back what follows it. Digits are read
    /// greedily: on ten ranks `a10` is one square.
    pub fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        let mut bytes = text.bytes();
        let file = bytes.next()?.checked_sub(b'a')?;
        let digits = bytes.take_while(u8::is_ascii_digit).count();
        let wanted = digits.min(if G::RANKS > 9 { 2 } else { 1 });
        for taken in (1..=wanted).rev() {
            let number = text.get(1..=taken)?;
            if number.starts_with('0') {
                return None;
            }
            let rank: i32 = number.parse().ok()?;
            if let Some(square) = Self::at(file.into(), rank - 1) {
                return Some((square, text.get(1 + taken..)?));
            }
        }
        None
    }
}

impl<G: Geometry> fmt::Display for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl<G: Geometry> fmt::Debug for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Board8, Board10};

    #[test]
    fn text_is_the_inverse_of_reading() {
        for square in Square::<Board8>::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        for square in Square::<Board10>::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "e", "e0", "e9", "i1", "e10", "E4", "4e", "e4 ", "é4", "e04"] {
            assert_eq!(Square::<Board8>::parse(text), None, "{text:?}");
        }
        for text in ["a11", "k1", "a0", "a01"] {
            assert_eq!(Square::<Board10>::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn digits_are_greedy_on_ten_ranks_only() {
        assert_eq!(Square::<Board10>::parse_prefix("a10q").unwrap().1, "q");
        assert_eq!(Square::<Board10>::parse_prefix("a9a10").unwrap().1, "a10");
        assert_eq!(Square::<Board8>::parse_prefix("e7e8q").unwrap().1, "e8q");
    }

    #[test]
    fn sides_see_mirrored_ranks() {
        let e2 = Square::<Board8>::parse("e2").unwrap();
        assert_eq!(e2.relative(Color::Black).to_string(), "e7");
        assert_eq!((e2.relative_rank(Color::White), e2.relative_rank(Color::Black)), (1, 6));
        assert_eq!(e2.forward(Color::White).to_string(), "e3");
        assert_eq!(e2.forward(Color::Black).to_string(), "e1");
    }
}

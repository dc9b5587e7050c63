use std::ops::Not;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The side that moves first, up the ranks.
    White = 0,
    /// The other side, moving down the ranks.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// `White` for `true`: the inverse of a `const WHITE: bool` parameter.
    #[inline(always)]
    pub const fn white_if(white: bool) -> Self {
        if white { Self::White } else { Self::Black }
    }

    /// The letter of the FEN's second field, `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// 0 for White, 1 for Black: for indexing.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for White, −1 for Black.
    #[inline(always)]
    pub const fn sign(self) -> i32 {
        1 - 2 * self as i32
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::white_if(matches!(self, Self::Black))
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

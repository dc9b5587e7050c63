//! The die's faces, what has been rolled and what waits, and their text in a FEN.

use std::fmt;

use crate::core::{Board8, Square};
use crate::game::kernel::{CHESS_LETTERS, Kind};

/// A face of the die: a kind of man, or ∞, written `*`, which allows every move. Ordered by
/// strength: pawn, knight, bishop, rook, queen, king, ∞.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

impl Face {
    /// ∞.
    pub const WILD: Self = Self(6);
    /// All faces, in the order of their letters.
    pub const ALL: [Self; 7] = [Self(6), Self(2), Self(5), Self(1), Self(0), Self(4), Self(3)];
    /// The sides of the die.
    pub const SIDES: u32 = 10;

    /// The face of that number, 0 … 6 by strength.
    pub const fn from_index(index: u32) -> Option<Self> {
        if index < 7 { Some(Self(index as u8)) } else { None }
    }

    /// Its number by strength, 0 … 6.
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// The face of a kind of man.
    pub const fn of(kind: Kind) -> Self {
        Self(kind.0)
    }

    /// The kind that it names; none for ∞.
    pub const fn kind(self) -> Option<Kind> {
        if self.0 < Self::WILD.0 { Some(Kind(self.0)) } else { None }
    }

    /// On how many of the ten sides it is.
    pub const fn sides(self) -> u32 {
        if self.0 == Kind::PAWN.0 { 4 } else { 1 }
    }

    /// Whether a man of one of these kinds (a bit each) may move by it.
    pub const fn fits(self, kinds: u8) -> bool {
        kinds >> self.0 & 1 != 0 || self.0 == Self::WILD.0
    }

    /// The face of that letter, upper case.
    pub fn parse(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// Its name, for a person.
    pub const fn name(self) -> &'static str {
        match self.kind() {
            Some(Kind::PAWN) => "pawn",
            Some(Kind::KNIGHT) => "knight",
            Some(Kind::BISHOP) => "bishop",
            Some(Kind::ROOK) => "rook",
            Some(Kind::QUEEN) => "queen",
            Some(_) => "king",
            None => "any man (∞)",
        }
    }

    /// Its letter in events and tokens.
    pub fn letter(self) -> char {
        let name = CHESS_LETTERS.get(usize::from(self.0)).copied().unwrap_or("*");
        name.chars().next().unwrap_or('*')
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The roll state of the side to move: the FEN's `die=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Die {
    /// Absent: the turn has just begun.
    #[default]
    Unrolled,
    /// `??`: the first roll was illegal, the second is awaited.
    Second,
    /// `?`: a capture was refused, the first roll is awaited.
    Refused,
    /// `f`: bound to the face; `*`: to nothing.
    Bound(Face),
    /// `f/g`: two dice of which one has still to be chosen, or used.
    Pair(Face, Face),
}

impl Die {
    /// The token's value; empty for none.
    pub(super) fn text(self) -> String {
        match self {
            Self::Unrolled => String::new(),
            Self::Second => "??".to_owned(),
            Self::Refused => "?".to_owned(),
            Self::Bound(face) => face.to_string(),
            Self::Pair(first, second) => format!("{first}/{second}"),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let die = match (letters.next()?, letters.next(), letters.next(), letters.next()) {
            ('?', None, ..) => Self::Refused,
            ('?', Some('?'), None, _) => Self::Second,
            (face, None, ..) => Self::Bound(Face::parse(face)?),
            (first, Some('/'), Some(second), None) => {
                Self::Pair(Face::parse(first)?, Face::parse(second)?)
            }
            _ => return None,
        };
        Some(die)
    }

    /// A number for the hash, 0 for none.
    pub(super) fn code(self) -> u64 {
        match self {
            Self::Unrolled => 0,
            Self::Second => 1,
            Self::Refused => 2,
            Self::Bound(face) => 8 + u64::from(face.index()),
            Self::Pair(first, second) => {
                64 + 8 * u64::from(first.index()) + u64::from(second.index())
            }
        }
    }
}

/// What waits for a side's next turn: half of the FEN's `next=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Waiting {
    /// `-`.
    #[default]
    Nothing,
    /// `?`: a roll is owed; in the forecasting modes it is awaited now.
    Roll,
    /// `??`: the second roll for a man to pick is awaited now.
    SecondRoll,
    /// `f`: this face.
    Face(Face),
    /// `f?`: a man of this kind is to be picked now.
    Pick(Kind),
    /// `f@s`: this man has been picked.
    Man(Kind, Square<Board8>),
}

impl Waiting {
    pub(super) fn text(self) -> String {
        match self {
            Self::Nothing => "-".to_owned(),
            Self::Roll => "?".to_owned(),
            Self::SecondRoll => "??".to_owned(),
            Self::Face(face) => face.to_string(),
            Self::Pick(kind) => format!("{}?", Face::of(kind)),
            Self::Man(kind, square) => format!("{}@{square}", Face::of(kind)),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let first = text.chars().next()?;
        let rest = text.get(first.len_utf8()..)?;
        Some(match (first, rest) {
            ('-', "") => Self::Nothing,
            ('?', "") => Self::Roll,
            ('?', "?") => Self::SecondRoll,
            (face, "") => Self::Face(Face::parse(face)?),
            (face, "?") => Self::Pick(Face::parse(face)?.kind()?),
            (face, place) => {
                Self::Man(Face::parse(face)?.kind()?, Square::parse(place.strip_prefix('@')?)?)
            }
        })
    }

    /// A number for the hash, 0 for nothing.
    pub(super) fn code(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Roll => 1,
            Self::SecondRoll => 2,
            Self::Face(face) => 8 + u64::from(face.index()),
            Self::Pick(kind) => 16 + u64::from(kind.0),
            Self::Man(kind, square) => 512 + 64 * u64::from(kind.0) + square.index() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_ordered_by_strength_and_make_ten_sides() {
        let letters = "PNBRQK*";
        for (index, letter) in letters.chars().enumerate() {
            let face = Face::parse(letter).unwrap();
            assert_eq!(face.index() as usize, index);
            assert_eq!(Face::from_index(index as u32), Some(face));
            assert_eq!(face.letter(), letter);
        }
        assert_eq!(Face::from_index(7), None);
        assert_eq!(Face::ALL.iter().map(|face| face.sides()).sum::<u32>(), Face::SIDES);
        let letters = Face::ALL.map(Face::letter);
        assert!(letters.is_sorted(), "{letters:?}");
    }

    #[test]
    fn tokens_are_read_as_written_and_nothing_else_is() {
        for text in ["?", "??", "*", "N", "P/*", "K/Q"] {
            assert_eq!(Die::parse(text).map(Die::text).as_deref(), Some(text));
        }
        for text in ["", "n", "???", "N/", "N/P/", "/", "NP", "-", "é", "N/é", "??/"] {
            assert_eq!(Die::parse(text), None, "{text:?}");
        }
        for text in ["-", "?", "??", "*", "N", "N?", "P@e4"] {
            assert_eq!(Waiting::parse(text).map(Waiting::text).as_deref(), Some(text));
        }
        for text in ["", "n", "???", "*?", "*@e4", "N@", "N@e9", "N@e4 ", "Ne4", "é", "?é"] {
            assert_eq!(Waiting::parse(text), None, "{text:?}");
        }
    }
}

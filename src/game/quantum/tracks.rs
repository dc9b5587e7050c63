//! The quantum board: how long its tracks are, and which men are on them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::core::zobrist::mix;
use crate::core::{Board8, Square};
use crate::game::kernel::Kind;

/// The most tracks that a player can have.
pub const MAX_TRACKS: usize = 8;

/// The tracks that each player has, top to bottom.
///
/// Its text is `<circles>:<free moves>` for each track, with commas between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackBoard {
    /// Circles of each track, 0 where there is no track.
    circles: [u8; MAX_TRACKS],
    /// Free moves of a man that comes back from it.
    free: [u8; MAX_TRACKS],
}

/// Why a text is no board of tracks: what was wanted there, and what there was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrackBoardError {
    /// The number of tracks is wrong.
    #[error("1 to 8 tracks with commas between, not {0}")]
    Count(usize),
    /// A track that is not two numbers.
    #[error(
        "circles (1 to 255) and free moves (0 to 255) of each track as in 3:2; track {number} is \
         {text:?}"
    )]
    Track {
        /// Its number, 1 at the top.
        number: usize,
        /// What it says.
        text: String,
    },
}

impl TrackBoard {
    /// The built-in board's text.
    pub const DEFAULT_TEXT: &str = "2:1,3:2,4:3,5:4";

    /// How many tracks there are.
    pub fn len(&self) -> usize {
        self.circles.iter().filter(|&&circles| circles > 0).count()
    }

    /// Never: there is one track at least.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All tracks, a bit each.
    #[inline(always)]
    pub(super) fn all(&self) -> u8 {
        // Tracks fill the places from the first, so the first empty place says how many there are.
        let circles = u64::from_le_bytes(self.circles);
        let used = u64::BITS - circles.leading_zeros();
        ((1_u32 << used.div_ceil(8)) - 1) as u8
    }

    /// The circles of a track, from 0; 0 if there is no such track.
    #[inline(always)]
    pub fn circles(&self, track: usize) -> u8 {
        self.circles.get(track).copied().unwrap_or_default()
    }

    /// The free moves of a man that comes back from a track, from 0.
    #[inline(always)]
    pub fn free_moves(&self, track: usize) -> u8 {
        self.free.get(track).copied().unwrap_or_default()
    }

    pub(super) fn key(&self) -> u64 {
        mix(u64::from_le_bytes(self.circles) ^ mix(u64::from_le_bytes(self.free)))
    }
}

impl Default for TrackBoard {
    fn default() -> Self {
        Self { circles: [2, 3, 4, 5, 0, 0, 0, 0], free: [1, 2, 3, 4, 0, 0, 0, 0] }
    }
}

/// A number up to 255 of nothing but digits.
pub(super) fn number(text: &str) -> Option<u8> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

impl FromStr for TrackBoard {
    type Err = TrackBoardError;

    fn from_str(text: &str) -> Result<Self, TrackBoardError> {
        let tracks: Vec<&str> = text.split(',').filter(|_| !text.is_empty()).collect();
        if tracks.is_empty() || tracks.len() > MAX_TRACKS {
            return Err(TrackBoardError::Count(tracks.len()));
        }
        let mut board = Self { circles: [0; MAX_TRACKS], free: [0; MAX_TRACKS] };
        let places = board.circles.iter_mut().zip(&mut board.free);
        for (index, (text, (circles, free))) in tracks.into_iter().zip(places).enumerate() {
            let read = text.split_once(':').and_then(|(circles, free)| {
                Some((number(circles).filter(|&circles| circles > 0)?, number(free)?))
            });
            let Some(read) = read else {
                return Err(TrackBoardError::Track { number: index + 1, text: text.to_owned() });
            };
            (*circles, *free) = read;
        }
        Ok(board)
    }
}

impl fmt::Display for TrackBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for track in 0..self.len() {
            let comma = if track == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", self.circles(track), self.free_moves(track))?;
        }
        Ok(())
    }
}

/// A man that has left the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traveller {
    /// What it is.
    pub kind: Kind,
    /// The square that it left, and to which it comes back.
    pub square: Square<Board8>,
    /// The circle on which it stands, 1 the left-most, from which it comes back.
    pub circle: u8,
}

/// Which men of a side are on which track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracks {
    /// Tracks with a man, a bit each. What the lists say of the others is 0.
    occupied: u8,
    circles: [u8; MAX_TRACKS],
    kinds: [u8; MAX_TRACKS],
    squares: [u8; MAX_TRACKS],
}

/// The numbers of the bits that are set, from the lowest.
#[inline(always)]
pub(super) fn each_bit(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (bit < MAX_TRACKS).then_some(bit)
    })
}

impl Tracks {
    /// Tracks with a man, a bit each from the top track.
    #[inline(always)]
    pub fn occupied(&self) -> u8 {
        self.occupied
    }

    /// The man on a track, from 0.
    #[inline(always)]
    pub fn at(&self, track: usize) -> Option<Traveller> {
        let index = track % MAX_TRACKS;
        (track < MAX_TRACKS && self.occupied >> index & 1 != 0).then(|| Traveller {
            kind: Kind(self.kinds[index]),
            square: Square::new(usize::from(self.squares[index])),
            circle: self.circles[index],
        })
    }

    /// Every man on a track with the track's number, from 0.
    #[inline(always)]
    pub fn travellers(&self) -> impl Iterator<Item = (usize, Traveller)> + '_ {
        each_bit(self.occupied).filter_map(|track| Some((track, self.at(track)?)))
    }

    /// Puts a man on a track below [`MAX_TRACKS`].
    pub(super) fn put(&mut self, track: usize, traveller: Traveller) {
        let index = track % MAX_TRACKS;
        self.occupied |= 1 << index;
        self.circles[index] = traveller.circle;
        self.kinds[index] = traveller.kind.0;
        self.squares[index] = traveller.square.index() as u8;
    }

    /// Takes the man off a track.
    pub(super) fn take(&mut self, track: usize) -> Option<Traveller> {
        let taken = self.at(track)?;
        let index = track % MAX_TRACKS;
        self.occupied &= !(1 << index);
        (self.circles[index], self.kinds[index], self.squares[index]) = (0, 0, 0);
        Some(taken)
    }

    /// The tracks on whose left-most circle a man stands, a bit each.
    #[inline(always)]
    pub(super) fn on_first_circle(&self) -> u8 {
        each_bit(self.occupied)
            .filter(|&track| self.circles[track % MAX_TRACKS] == 1)
            .fold(0, |set, track| set | 1 << track)
    }

    /// Moves every man one circle to the left; those that were on the left-most already stay there,
    /// and are given.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> u8 {
        let due = self.on_first_circle();
        for track in each_bit(self.occupied & !due) {
            self.circles[track % MAX_TRACKS] -= 1;
        }
        due
    }

    /// 0 for empty tracks.
    pub(super) fn key(&self) -> u64 {
        if self.occupied == 0 {
            return 0;
        }
        let [circles, kinds, squares] =
            [self.circles, self.kinds, self.squares].map(u64::from_le_bytes);
        mix(circles ^ mix(kinds ^ mix(squares)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_and_written() {
        assert_eq!(TrackBoard::DEFAULT_TEXT.parse(), Ok(TrackBoard::default()));
        for (text, tracks) in
            [(TrackBoard::DEFAULT_TEXT, 4), ("1:0", 1), ("255:255,1:0,1:1,1:2,1:3,1:4,1:5,9:9", 8)]
        {
            let board: TrackBoard = text.parse().unwrap();
            assert_eq!((board.to_string().as_str(), board.len()), (text, tracks));
            assert_eq!(board.all(), ((1_u32 << tracks) - 1) as u8, "{text}");
        }
        for (text, error) in [
            ("", "1 to 8 tracks with commas between, not 0"),
            ("1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1", "1 to 8 tracks with commas between, not 9"),
        ] {
            assert_eq!(text.parse::<TrackBoard>().unwrap_err().to_string(), error);
        }
        for track in ["0:1", "2", "2:", ":2", "2:-1", "+2:1", "256:1", "2:1:1", ""] {
            let error = TrackBoardError::Track { number: 2, text: track.to_owned() };
            assert_eq!(format!("3:2,{track}").parse::<TrackBoard>(), Err(error));
        }
    }

    #[test]
    fn men_move_to_the_left_and_come_due() {
        let traveller = |circle| Traveller { kind: Kind::ROOK, square: Square::new(9), circle };
        let mut tracks = Tracks::default();
        for (track, circle) in [(0, 1), (3, 2), (7, 1)] {
            tracks.put(track, traveller(circle));
        }
        assert_eq!(tracks.advance(), 0b1000_0001);
        assert_eq!(tracks.on_first_circle(), 0b1000_1001);
        assert_eq!(tracks.take(0), Some(traveller(1)));
        assert_eq!((tracks.take(0), tracks.at(1), tracks.at(8)), (None, None, None));
        assert_eq!(tracks.occupied(), 0b1000_1000);
        for track in [3, 7] {
            tracks.take(track);
        }
        assert_eq!((tracks, tracks.key()), (Tracks::default(), 0));
    }
}

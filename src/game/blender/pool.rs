use crate::core::{Color, zobrist};
use crate::game::kernel::{FenError, Kind, Letters, Piece};

use super::men::{
    AMAZON, MERGED_ARCHBISHOP, MERGED_CHANCELLOR, MERGED_QUEEN, NIGHTRIDER, POOLED, RAVEN,
    SORCEROR, UNICORN, pieces,
};

/// The key of the FEN's token.
pub(super) const POOL: &str = "pool";

/// The order in which merged men are broken for a part of theirs.
const BREAKING: [Kind; 8] = [
    MERGED_QUEEN,
    MERGED_ARCHBISHOP,
    MERGED_CHANCELLOR,
    NIGHTRIDER,
    AMAZON,
    UNICORN,
    RAVEN,
    SORCEROR,
];

const ENTRIES: usize = POOLED.len();

/// What each side has lost and can get back by promotion, with the incremental key of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// By side, in the order of [`POOLED`].
    counts: [[u16; ENTRIES]; 2],
    key: u64,
}

const fn slot(kind: Kind) -> Option<usize> {
    let mut slot = 0;
    while slot < ENTRIES {
        if POOLED[slot].0 == kind.0 {
            return Some(slot);
        }
        slot += 1;
    }
    None
}

/// The slot of each kind; a number past all slots for pawn and king.
static SLOTS: [u8; 64] = {
    let mut table = [u8::MAX; 64];
    let mut kind = 0;
    while kind < 64 {
        if let Some(slot) = slot(Kind(kind as u8)) {
            table[kind] = slot as u8;
        }
        kind += 1;
    }
    table
};

impl Pool {
    /// Nothing lost.
    pub const EMPTY: Self = Self { counts: [[0; ENTRIES]; 2], key: 0 };

    /// How many men of that kind a side has lost as they were.
    #[inline(always)]
    pub fn count(&self, color: Color, kind: Kind) -> u16 {
        let slot = usize::from(SLOTS[kind.index() % SLOTS.len()]);
        self.counts[color.index()].get(slot).copied().unwrap_or(0)
    }

    /// The key of all counts.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The key, computed from nothing but the counts.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for kind in POOLED {
                key ^= zobrist::lost(Piece::new(kind, color).code(), self.count(color, kind));
            }
        }
        key
    }

    fn set(&mut self, color: Color, kind: Kind, count: u16) {
        let code = Piece::new(kind, color).code();
        let slot = usize::from(SLOTS[kind.index() % SLOTS.len()]);
        if let Some(slot) = self.counts[color.index()].get_mut(slot) {
            self.key ^= zobrist::lost(code, *slot) ^ zobrist::lost(code, count);
            *slot = count;
        }
    }

    /// A man of that side is captured. Pawns enter nothing.
    #[inline]
    pub(super) fn add(&mut self, color: Color, kind: Kind) {
        self.set(color, kind, self.count(color, kind).saturating_add(1));
    }

    /// Whether that side can get a man of that kind back: as it was, or a single piece out of a
    /// merged man.
    pub(super) fn offers(&self, color: Color, kind: Kind) -> bool {
        self.count(color, kind) > 0 || self.broken_for(color, kind).is_some()
    }

    /// The merged man that is broken for a piece if that is not there as it is.
    fn broken_for(&self, color: Color, piece: Kind) -> Option<Kind> {
        let is_single = [Kind::KNIGHT, Kind::BISHOP, Kind::ROOK].contains(&piece);
        BREAKING.into_iter().find(|&whole| {
            is_single && self.count(color, whole) > 0 && pieces(whole).any(|other| other == piece)
        })
    }

    /// Takes out a man that the pool offers; what is left of one that is broken stays as single
    /// pieces.
    pub(super) fn take(&mut self, color: Color, kind: Kind) {
        let count = self.count(color, kind);
        if count > 0 {
            self.set(color, kind, count - 1);
        } else if let Some(whole) = self.broken_for(color, kind) {
            self.set(color, whole, self.count(color, whole) - 1);
            let mut left: Vec<Kind> = pieces(whole).collect();
            if let Some(taken) = left.iter().position(|&piece| piece == kind) {
                left.swap_remove(taken);
            }
            for piece in left {
                self.add(color, piece);
            }
        }
    }

    /// Reads `NN+A/-`: White's men and Black's, in any order, no more of a kind than `most`.
    pub(super) fn read(text: &str, letters: Letters, most: usize) -> Result<Self, FenError> {
        let names: Vec<&str> = POOLED
            .iter()
            .map(|kind| letters[kind.index()])
            .filter(|name| !name.is_empty())
            .collect();
        let error = || FenError::Token {
            key: POOL,
            value: text.to_owned(),
            wanted: format!(
                "White's lost men, /, and Black's, each of {} or - for none, at most {most} of a \
                 kind",
                names.join(" ")
            ),
        };
        let (white, black) = text.split_once('/').ok_or_else(error)?;
        let mut pool = Self::EMPTY;
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            if side == "-" {
                continue;
            }
            if side.is_empty() {
                return Err(error());
            }
            let mut rest = side;
            while !rest.is_empty() {
                let kind = POOLED.into_iter().find(|kind| {
                    let name = letters[kind.index()];
                    !name.is_empty() && rest.starts_with(name)
                });
                let kind = kind.ok_or_else(error)?;
                rest = &rest[letters[kind.index()].len()..];
                if usize::from(pool.count(color, kind)) >= most {
                    return Err(error());
                }
                pool.add(color, kind);
            }
        }
        Ok(pool)
    }

    /// One side's men as text.
    pub(super) fn side_text(&self, color: Color, letters: Letters) -> String {
        let mut text = String::new();
        for kind in POOLED {
            for _ in 0..self.count(color, kind) {
                text.push_str(letters[kind.index()]);
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// Both sides' men as text.
    pub(super) fn text(&self, letters: Letters) -> String {
        Color::ALL.map(|color| self.side_text(color, letters)).join("/")
    }

    /// Whether nobody has lost anything that comes back.
    pub(super) fn is_empty(&self) -> bool {
        self.counts == Self::EMPTY.counts
    }
}

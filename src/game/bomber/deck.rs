//! The deck: patterns of explosion, each with its number of copies, drawn in a text file.

use std::fs::File;
use std::io::Read;

use thiserror::Error;

use crate::core::{Bitboard, Board8, Color, Geometry, Square};

/// The most patterns that a deck has.
pub const MAX_PATTERNS: usize = 18;
/// The fewest cards of a full deck: one for each pawn of both sides.
pub const MIN_CARDS: u32 = 16;
/// The most copies of one card.
const MAX_COPIES: u8 = 99;
/// How many files and ranks a pattern reaches from the pawn in every direction.
const REACH: usize = 3;
/// The most rows and columns of a picture.
const MAX_SIZE: usize = 2 * REACH + 1;
/// The most characters of a name.
const LONGEST_NAME: usize = 30;
/// The most bytes of a file: pictures and many remarks have room.
const LONGEST_FILE: u64 = 1 << 16;

/// The squares of an explosion relative to the pawn, which do not include the pawn's own.
///
/// Kept as squares of a board on whose d4 a white pawn stands: all of 7×7 have room around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pattern(Bitboard<Board8>);

impl Pattern {
    const CENTRE: usize = 3 * 8 + 3;

    /// Marks the square that many files to the right and ranks ahead, both −3 … 3.
    fn mark(&mut self, right: i32, ahead: i32) {
        let centre = Square::<Board8>::new(Self::CENTRE);
        self.0 |= centre.offset(right, ahead).map_or(Bitboard::EMPTY, Bitboard::from);
    }

    /// The squares of the board that explode besides the pawn's own.
    #[inline]
    pub fn blast(self, pawn: Square<Board8>, us: Color) -> Bitboard<Board8> {
        // Black sees the board turned by half a circle.
        let (set, centre) = match us {
            Color::White => (self.0.0, Self::CENTRE),
            Color::Black => (self.0.0.reverse_bits(), Board8::SQUARES - 1 - Self::CENTRE),
        };
        let centre = Square::<Board8>::new(centre);
        let right = pawn.file() as i32 - centre.file() as i32;
        // What would leave the board sideways must go first, for it would come in again.
        let staying: u64 = if right >= 0 { 0xff >> right } else { 0xff << -right & 0xff };
        let set = set & (staying * Board8::FILE_A);
        let by = pawn.index() as i32 - centre.index() as i32;
        Bitboard(if by >= 0 { set << by } else { set >> -by })
    }
}

/// A pattern with its name, and how many cards show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What a person calls it.
    pub name: String,
    /// How many there are in the full deck, 1 … 99.
    pub copies: u8,
    /// What explodes.
    pub pattern: Pattern,
}

/// Up to 18 different cards, 16 or more with their copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    cards: Vec<Card>,
}

/// The built-in deck of the specification's page bomber.md.
impl Default for Deck {
    fn default() -> Self {
        // The text is a constant that the tests read.
        Self::parse(include_bytes!("../../../openings/bomber-deck.txt"))
            .unwrap_or_else(|error| unreachable!("{error}"))
    }
}

/// Why a text is no deck, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {flaw}")]
pub struct DeckError {
    /// The line's number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub flaw: DeckFlaw,
}

/// What can be wrong with the text of a deck.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeckFlaw {
    /// The bytes are no UTF-8.
    #[error("this is no text; wanted UTF-8")]
    NotText,
    /// Where a pattern should begin there is something else.
    #[error("{0:?} begins no pattern; wanted a name and a count, such as \"jab x2\"")]
    Header(String),
    /// A count that is none, or out of range.
    #[error("the count is {0:?}; wanted x1 to x{MAX_COPIES}")]
    Copies(String),
    /// A name that cannot be printed, or is too long.
    #[error("the name {0:?} cannot be used; wanted 1 to {LONGEST_NAME} printable characters")]
    Name(String),
    /// A name that another pattern has.
    #[error("there is a pattern {0:?} already; wanted different names")]
    DoubleName(String),
    /// One pattern too many.
    #[error("a pattern more than {MAX_PATTERNS}; wanted at most {MAX_PATTERNS}")]
    ManyPatterns,
    /// A character that means nothing in a picture.
    #[error(
        "{0:?} has no place in a picture; wanted '.', 'x' or 'o', and a blank line before the \
         next pattern"
    )]
    Mark(char),
    /// A row that is longer or shorter than those above it.
    #[error("the row has {found} squares; wanted {wanted}, as the rows above it have")]
    RowLength {
        /// Its squares.
        found: usize,
        /// The squares of the first row.
        wanted: usize,
    },
    /// A row or a picture that is too large.
    #[error("the picture is larger than {MAX_SIZE} by {MAX_SIZE} squares")]
    Size,
    /// A second pawn.
    #[error("a second 'o' in the picture; wanted one, the pawn")]
    ManyPawns,
    /// No pawn.
    #[error("the picture of {0:?} has no 'o'; wanted one, the pawn")]
    NoPawn(String),
    /// No picture below the name.
    #[error("{0:?} has no picture; wanted rows of '.', 'x' and 'o' on the lines right below it")]
    NoPicture(String),
    /// Squares too far from the pawn.
    #[error("the picture has squares {found} {way} the pawn; wanted at most {REACH}")]
    Far {
        /// How many files or ranks away they are.
        found: usize,
        /// In which direction.
        way: &'static str,
    },
    /// Too few cards.
    #[error("the deck ends with {0} cards; wanted at least {MIN_CARDS}, one for every pawn")]
    FewCards(u32),
}

/// Why a file gives no deck.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeckFileError {
    /// It cannot be read.
    #[error("{path:?} cannot be read: {reason}; wanted a deck's text file, or <empty>")]
    Unreadable {
        /// Its name.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// It is too long for a deck.
    #[error("{path:?} is longer than {LONGEST_FILE} bytes; wanted a deck's text file")]
    Long {
        /// Its name.
        path: String,
    },
    /// Its text is wrong.
    #[error("{path:?}, {error}")]
    Text {
        /// Its name.
        path: String,
        /// Where and why.
        error: DeckError,
    },
}

impl Deck {
    /// The cards in their order: the first is drawn by `card:1`.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// How many cards the full deck has.
    pub fn total(&self) -> u32 {
        self.cards.iter().map(|card| u32::from(card.copies)).sum()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or what [`Deck::parse`] says of it.
    pub fn read(path: &str) -> Result<Self, DeckFileError> {
        let unreadable = |error: std::io::Error| DeckFileError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        // Devices have no end.
        file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > LONGEST_FILE {
            return Err(DeckFileError::Long { path: path.to_owned() });
        }
        Self::parse(&bytes).map_err(|error| DeckFileError::Text { path: path.to_owned(), error })
    }

    /// Reads the text of a deck.
    ///
    /// Patterns are separated by blank lines. The first line of each is its name and `x` with the
    /// number of copies; the others are a picture of up to 7×7 squares as the exploding player
    /// sees it: `o` is the pawn, `x` a square that explodes, `.` one that does not, with or without
    /// blanks between them, none more than three files or ranks from the pawn. Lines that begin
    /// with `#` are remarks.
    ///
    /// ```
    /// use alea::game::bomber::Deck;
    /// let deck = Deck::parse(b"# Straight ahead.\njab x16\nx\no\n").unwrap();
    /// assert_eq!(deck.total(), 16);
    /// let error = Deck::parse(b"jab x2\nx\no\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 3: the deck ends with 2 cards; wanted at least 16, one for every pawn",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first thing that is wrong, and where.
    pub fn parse(bytes: &[u8]) -> Result<Self, DeckError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = before.split(|&byte| byte == b'\n').count();
            DeckError { line, flaw: DeckFlaw::NotText }
        })?;
        // Some editors begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut cards: Vec<Card> = Vec::new();
        let mut drawing: Option<Drawing> = None;
        let mut lines = 0;
        for (index, row) in text.lines().map(str::trim).enumerate() {
            lines = index + 1;
            if row.starts_with('#') {
                continue;
            }
            let at = |flaw| DeckError { line: lines, flaw };
            if row.is_empty() {
                if let Some(drawing) = drawing.take() {
                    cards.push(drawing.finish()?);
                }
            } else if let Some(drawing) = &mut drawing {
                drawing.add_row(lines, row).map_err(at)?;
            } else {
                if cards.len() == MAX_PATTERNS {
                    return Err(at(DeckFlaw::ManyPatterns));
                }
                let (name, copies) = parse_header(row).map_err(at)?;
                if cards.iter().any(|card| card.name == name) {
                    return Err(at(DeckFlaw::DoubleName(name)));
                }
                drawing = Some(Drawing { name, copies, header: lines, rows: Vec::new() });
            }
        }
        if let Some(drawing) = drawing {
            cards.push(drawing.finish()?);
        }
        let deck = Self { cards };
        if deck.total() < MIN_CARDS {
            return Err(DeckError { line: lines.max(1), flaw: DeckFlaw::FewCards(deck.total()) });
        }
        Ok(deck)
    }
}

/// `jab x2`: a name, which may have several words, and a count.
fn parse_header(text: &str) -> Result<(String, u8), DeckFlaw> {
    let (name, digits) = text
        .rsplit_once(char::is_whitespace)
        .and_then(|(name, count)| Some((name.trim_end(), count.strip_prefix('x')?)))
        .ok_or_else(|| DeckFlaw::Header(clip(text)))?;
    let copies = digits
        .parse()
        .ok()
        .filter(|copies| (1..=MAX_COPIES).contains(copies))
        .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| DeckFlaw::Copies(format!("x{}", clip(digits))))?;
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(DeckFlaw::Name(clip(name)));
    }
    Ok((name.to_owned(), copies))
}

/// Whoever writes rubbish need not get it all back.
fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME + 10) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What a square of a picture shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Nothing,
    Explosion,
    Pawn,
}

/// A pattern of which some lines have been read.
struct Drawing {
    name: String,
    copies: u8,
    /// The line of its name.
    header: usize,
    /// The rows so far, from the top, with the lines on which they stand.
    rows: Vec<(usize, Vec<Mark>)>,
}

impl Drawing {
    fn add_row(&mut self, line: usize, text: &str) -> Result<(), DeckFlaw> {
        let row = text
            .chars()
            .filter(|mark| !mark.is_whitespace())
            .map(|mark| match mark {
                '.' => Ok(Mark::Nothing),
                'x' => Ok(Mark::Explosion),
                'o' => Ok(Mark::Pawn),
                other => Err(DeckFlaw::Mark(other)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        if let Some((_, first)) = self.rows.first()
            && first.len() != row.len()
        {
            return Err(DeckFlaw::RowLength { found: row.len(), wanted: first.len() });
        }
        if row.len() > MAX_SIZE || self.rows.len() == MAX_SIZE {
            return Err(DeckFlaw::Size);
        }
        let pawns = |row: &[Mark]| row.iter().filter(|&&mark| mark == Mark::Pawn).count();
        if pawns(&row) + self.rows.iter().map(|(_, row)| pawns(row)).sum::<usize>() > 1 {
            return Err(DeckFlaw::ManyPawns);
        }
        self.rows.push((line, row));
        Ok(())
    }

    fn finish(self) -> Result<Card, DeckError> {
        let at_header = |flaw| DeckError { line: self.header, flaw };
        if self.rows.is_empty() {
            return Err(at_header(DeckFlaw::NoPicture(self.name.clone())));
        }
        let pawn = self.rows.iter().enumerate().find_map(|(above, (line, row))| {
            let left = row.iter().position(|&mark| mark == Mark::Pawn)?;
            Some((*line, left, row.len() - 1 - left, above))
        });
        let Some((line, left, right, above)) = pawn else {
            return Err(at_header(DeckFlaw::NoPawn(self.name.clone())));
        };
        let below = self.rows.len() - 1 - above;
        let sides = [
            (left, "files left of"),
            (right, "files right of"),
            (above, "ranks ahead of"),
            (below, "ranks behind"),
        ];
        if let Some(&(found, way)) = sides.iter().find(|(found, _)| *found > REACH) {
            return Err(DeckError { line, flaw: DeckFlaw::Far { found, way } });
        }
        let mut pattern = Pattern::default();
        for (row, (_, marks)) in self.rows.iter().enumerate() {
            for (column, &mark) in marks.iter().enumerate() {
                if mark == Mark::Explosion {
                    pattern.mark(column as i32 - left as i32, above as i32 - row as i32);
                }
            }
        }
        Ok(Card { name: self.name, copies: self.copies, pattern })
    }
}

//! Forsyth-Edwards notation with `key=value` tokens: text to a loose form, the loose form to a
//! validated [`State`], and back. The rules of both steps are the page "FEN" of the specification.

use std::fmt;

use thiserror::Error;

use crate::core::{Bitboard, Color, Geometry, Square};

use super::{Board, Ground, Kind, Men, Piece, State};

/// The upper-case names of the kinds, in their order: `P`, `N`, … and `+Q` for some merged men.
pub type Letters = &'static [&'static str];

/// A field of a FEN, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenField {
    /// The pieces.
    Board,
    /// `w` or `b`.
    SideToMove,
    /// `KQkq`.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Plies since the last capture or pawn's move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::SideToMove => "side to move",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why a text is no FEN, or a FEN no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// A field that must be there is not.
    #[error("FEN has no {0} field (field {number}); wanted: board, w or b, castling, en passant", number = *.0 as usize + 1)]
    Missing(FenField),
    /// A field's text is none of what the field may say.
    #[error("FEN {field} field {text:?}: wanted {wanted}")]
    Field {
        /// Which field.
        field: FenField,
        /// What it says.
        text: String,
        /// What it may say.
        wanted: &'static str,
    },
    /// The number of ranks is wrong.
    #[error("FEN board has {found} ranks; wanted {wanted}, separated by '/'")]
    Ranks {
        /// How many there are.
        found: usize,
        /// How many there must be.
        wanted: usize,
    },
    /// A rank is too long or too short.
    #[error("FEN board: rank {rank} ({text:?}) has {found} squares; wanted {wanted}")]
    RankLength {
        /// Its number, 1 at the bottom.
        rank: usize,
        /// The rank.
        text: String,
        /// Its squares.
        found: usize,
        /// The board's files.
        wanted: usize,
    },
    /// A letter that no man of the game has.
    #[error("FEN board: rank {rank} has the unknown letter {letter:?}; {hint}")]
    Letter {
        /// The rank's number, 1 at the bottom.
        rank: usize,
        /// The letter.
        letter: String,
        /// The letters that there are, or whose letters these are.
        hint: String,
    },
    /// Something that is neither a clock nor a token.
    #[error("FEN: {0:?} is neither a clock nor a key=value token")]
    Stray(String),
    /// A key given twice.
    #[error("FEN: the key {0:?} is given twice")]
    DoubleKey(String),
    /// A key that the game does not have.
    #[error("FEN: unknown key {key:?}; {variant} has {keys}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The game.
        variant: &'static str,
        /// The keys that it has.
        keys: String,
    },
    /// A token's value that the game does not understand, or that does not fit the position.
    #[error("FEN: {key}={value:?}: wanted {wanted}")]
    Token {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What it may be.
        wanted: String,
    },
    /// The text is a FEN, but what it shows is no position of the game.
    #[error("FEN shows no position: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Flaws(Vec<Flaw>),
}

/// One reason why pieces on a board are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Not exactly one king.
    #[error("{0} has {1} kings, wanted exactly 1")]
    Kings(Color, u32),
    /// More than one king, where there may be none.
    #[error("{0} has {1} kings, wanted at most 1")]
    ManyKings(Color, u32),
    /// A pawn where none can be.
    #[error("a {0} pawn on {1}, a first or last rank")]
    Pawn(Color, String),
    /// The side that has just moved left its king in check.
    #[error("{0} is in check, but {other} is to move", other = !*.0)]
    OtherSideInCheck(Color),
}

/// Pieces with the squares on which they stand.
pub type Placed<M> = Vec<(Square<<M as Men>::Geometry>, Piece)>;

/// A FEN that has been read, but not checked against any rule.
#[derive(Clone, Debug)]
pub struct LooseFen<M: Men> {
    /// What stands where.
    pub pieces: Placed<M>,
    /// The side to move.
    pub turn: Color,
    /// The castling field.
    pub castling: String,
    /// The ep field's square.
    pub ep: Option<Square<M::Geometry>>,
    /// The halfmove clock.
    pub halfmove: u32,
    /// The fullmove number.
    pub fullmove: u32,
    /// Keys and values in the order given, no key twice.
    pub tokens: Vec<(String, String)>,
    /// What the board itself says of the men: the default, which a game may replace.
    pub ground: M::Ground,
}

/// How castling rights are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CastlingStyle {
    /// King and rooks at home on their usual files; rights of others are dropped.
    #[default]
    Standard,
    /// Chess960: X-FEN (outermost rook) and Shredder-FEN (the rook's file) read, X-FEN written.
    Chess960,
}

/// What a game lets stand in a FEN beyond the positions of chess, because it can end otherwise than
/// by mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leniency {
    /// A side may have no king.
    pub missing_kings: bool,
    /// The side not to move may be in check.
    pub other_side_in_check: bool,
    /// Pawns may stand on their own first rank, and on their last.
    pub pawns_on_end_ranks: [bool; 2],
}

impl Leniency {
    /// Nothing.
    pub const NONE: Self =
        Self { missing_kings: false, other_side_in_check: false, pawns_on_end_ranks: [false; 2] };
}

impl<M: Men> LooseFen<M> {
    /// Reads a FEN.
    ///
    /// # Errors
    /// What is wrong in which field.
    pub fn parse(text: &str, letters: Letters) -> Result<Self, FenError> {
        let mut words = text.split_ascii_whitespace();
        let mut field = |field| words.next().ok_or(FenError::Missing(field));
        let pieces = parse_board::<M>(field(FenField::Board)?, letters)?;
        let turn = match field(FenField::SideToMove)? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(wrong(FenField::SideToMove, other, "w or b")),
        };
        let castling = field(FenField::Castling)?.to_owned();
        let ep = match field(FenField::EnPassant)? {
            "-" => None,
            word => match Square::parse(word) {
                Some(square) => Some(square),
                None => return Err(wrong(FenField::EnPassant, word, "a square, or -")),
            },
        };
        let mut rest = words.peekable();
        let mut clock = |field, default| match rest.next_if(|word| !word.contains('=')) {
            None => Ok(default),
            Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => {
                word.parse().map_err(|_| wrong(field, word, "a number up to 4294967295"))
            }
            Some(word) => Err(wrong(field, word, "a non-negative number")),
        };
        let halfmove = clock(FenField::HalfmoveClock, 0)?;
        let fullmove = clock(FenField::FullmoveNumber, 1)?;
        let mut tokens: Vec<(String, String)> = Vec::new();
        for word in rest {
            let Some((key, value)) = word.split_once('=') else {
                return Err(FenError::Stray(word.to_owned()));
            };
            if tokens.iter().any(|(other, _)| other == key) {
                return Err(FenError::DoubleKey(key.to_owned()));
            }
            tokens.push((key.to_owned(), value.to_owned()));
        }
        let ground = M::Ground::DEFAULT;
        Ok(Self { pieces, turn, castling, ep, halfmove, fullmove, tokens, ground })
    }

    /// Checks that there are no tokens but those of the game.
    ///
    /// # Errors
    /// [`FenError::UnknownKey`].
    pub fn check_keys(&self, variant: &'static str, keys: &[&str]) -> Result<(), FenError> {
        match self.tokens.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(FenError::UnknownKey {
                key: key.clone(),
                variant,
                keys: if keys.is_empty() { "none".to_owned() } else { keys.join(", ") },
            }),
        }
    }

    /// The value of a token, if it is there.
    pub fn token(&self, key: &str) -> Option<&str> {
        self.tokens.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str())
    }

    /// Checks the position and makes it playable. Impossible ep squares and castling rights
    /// without king and rook at home are dropped.
    ///
    /// # Errors
    /// Every reason why this is no position.
    pub fn into_state(self, style: CastlingStyle) -> Result<State<M>, FenError> {
        self.into_state_with(style, Leniency::NONE)
    }

    /// [`LooseFen::into_state`] of a game that lets more stand. Where a king is missing or can be
    /// taken nobody can move, so an ep square is impossible.
    ///
    /// # Errors
    /// Every reason why this is no position.
    pub fn into_state_with(
        self,
        style: CastlingStyle,
        leniency: Leniency,
    ) -> Result<State<M>, FenError> {
        let mut state = State {
            board: Board::EMPTY,
            ground: self.ground,
            castling: Bitboard::EMPTY,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
            ep: None,
            turn: Color::White,
        };
        state.board.toggle_key(self.ground.key());
        for (square, piece) in self.pieces {
            let settled = state.settled(piece, square);
            state.board.put(settled, square, &mut ());
        }
        let flaws = state.flaws(self.turn, leniency);
        if !flaws.is_empty() {
            return Err(FenError::Flaws(flaws));
        }
        if self.turn == Color::Black {
            state.pass_turn();
        }
        let castling = state.parse_castling(&self.castling, style)?;
        state.set_castling(castling);
        let playable = Color::ALL.iter().all(|&color| state.has_king(color))
            && !state.is_attacked(!state.turn);
        if let Some(target) = self.ep.filter(|_| playable) {
            state.set_ep(Some(target).filter(|&target| state.ep_is_possible(target)));
        }
        Ok(state)
    }
}

fn wrong(field: FenField, text: &str, wanted: &'static str) -> FenError {
    FenError::Field { field, text: text.to_owned(), wanted }
}

fn parse_board<M: Men>(text: &str, letters: Letters) -> Result<Placed<M>, FenError> {
    let (files, ranks) = (M::Geometry::FILES, M::Geometry::RANKS);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ranks {
        return Err(FenError::Ranks { found: rows.len(), wanted: ranks });
    }
    let mut pieces = Vec::new();
    for (row, text) in rows.into_iter().enumerate() {
        let rank = ranks - 1 - row;
        let mut file = 0_usize;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let (digits, after) = rest.split_at(end);
                if digits.starts_with('0') {
                    let wanted = "ranks of letters and of numbers of empty squares, from 1";
                    return Err(wrong(FenField::Board, text, wanted));
                }
                // A run too long for any number is too long for any rank.
                file = file.saturating_add(digits.parse().unwrap_or(usize::MAX));
                rest = after;
                continue;
            }
            let length = if first == '+' {
                rest.chars().take(2).map(char::len_utf8).sum()
            } else {
                first.len_utf8()
            };
            let (letter, after) = rest.split_at(length);
            let upper = letter.to_ascii_uppercase();
            let Some(kind) = letters.iter().position(|&known| known == upper) else {
                let hint = format!("the letters are {}", letters.concat());
                return Err(FenError::Letter { rank: rank + 1, letter: letter.to_owned(), hint });
            };
            let color = Color::white_if(letter == upper);
            if let Some(square) = Square::at(i32::try_from(file).unwrap_or(-1), rank as i32) {
                pieces.push((square, Piece::new(Kind(kind as u8), color)));
            }
            file = file.saturating_add(1);
            rest = after;
        }
        if file != files {
            let text = text.to_owned();
            return Err(FenError::RankLength { rank: rank + 1, text, found: file, wanted: files });
        }
    }
    Ok(pieces)
}

impl<M: Men> State<M> {
    fn flaws(&self, turn: Color, leniency: Leniency) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for color in Color::ALL {
            let kings = self.board.of(color, Kind::KING).count();
            if leniency.missing_kings {
                if kings > 1 {
                    flaws.push(Flaw::ManyKings(color, kings));
                }
            } else if kings != 1 {
                flaws.push(Flaw::Kings(color, kings));
            }
            if M::PROMOTIONS.is_empty() {
                continue;
            }
            let mut edge = Bitboard::EMPTY;
            if !leniency.pawns_on_end_ranks[0] {
                edge |= Bitboard::relative_rank(color, 0);
            }
            if !leniency.pawns_on_end_ranks[1] {
                edge |= Bitboard::relative_rank(color, M::Geometry::RANKS - 1);
            }
            for square in self.board.of(color, Kind::PAWN) & edge {
                flaws.push(Flaw::Pawn(color, square.to_string()));
            }
        }
        if flaws.is_empty()
            && !leniency.other_side_in_check
            && self.has_king(!turn)
            && self.is_attacked(!turn)
        {
            flaws.push(Flaw::OtherSideInCheck(!turn));
        }
        flaws
    }

    /// Whether the enemy can just have made a double step past `target`, and a pawn of the side to
    /// move may legally take it.
    fn ep_is_possible(&self, target: Square<M::Geometry>) -> bool {
        self.was_passed(target) && self.ep_is_legal(target)
    }

    /// Whether the enemy can just have made a double step past `target`.
    pub(in crate::game) fn was_passed(&self, target: Square<M::Geometry>) -> bool {
        let us = self.turn;
        if !M::EN_PASSANT || target.relative_rank(us) != M::Geometry::RANKS - 3 {
            return false;
        }
        let (pawn, start) = (target.forward(!us), target.forward(us));
        let occupied = self.board.occupied();
        !occupied.has(target) && !occupied.has(start) && self.board.of(!us, Kind::PAWN).has(pawn)
    }

    fn parse_castling(
        &self,
        text: &str,
        style: CastlingStyle,
    ) -> Result<Bitboard<M::Geometry>, FenError> {
        let error = |wanted| Err(wrong(FenField::Castling, text, wanted));
        let mut rights = Bitboard::EMPTY;
        if text == "-" {
            return Ok(rights);
        }
        for letter in text.chars() {
            let color = Color::white_if(letter.is_ascii_uppercase());
            let king = self.board.of(color, Kind::KING).first();
            let rooks = self.board.of(color, Kind::ROOK) & Bitboard::relative_rank(color, 0);
            let right_of_king =
                |rook: &Square<M::Geometry>| king.is_some_and(|king| rook.file() > king.file());
            let named = match letter.to_ascii_uppercase() {
                'K' => rooks.into_iter().filter(right_of_king).last(),
                'Q' => rooks.into_iter().find(|rook| !right_of_king(rook)),
                other if ('A'..).take(M::Geometry::FILES).any(|file| file == other) => {
                    let file = other as usize - 'A' as usize;
                    rooks.into_iter().find(|rook| rook.file() == file)
                }
                _ => return error("KQkq, letters of rooks' files, or -"),
            };
            let (Some(king), Some(rook)) = (king, named) else { continue };
            let at_home = M::CASTLES
                && king.relative_rank(color) == 0
                && (style == CastlingStyle::Chess960
                    || king.file() == M::KING_FILE
                        && (rook.file() == 0 || rook.file() == M::Geometry::FILES - 1));
            if at_home {
                let clash = rights & (rooks - rook.into());
                if clash.into_iter().any(|other| right_of_king(&other) == right_of_king(&rook)) {
                    return error("at most one rook on either side of a king");
                }
                rights |= rook.into();
            }
        }
        Ok(rights)
    }

    fn castling_text(&self, style: CastlingStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            let home = Bitboard::relative_rank(color, 0);
            let rooks = self.board.of(color, Kind::ROOK) & home;
            let Some(king) = self.board.of(color, Kind::KING).first() else { continue };
            // The king's side is that of the higher files.
            let mut own: Vec<_> = (self.castling & home).into_iter().collect();
            own.reverse();
            for rook in own {
                let kings_side = rook.file() > king.file();
                let outer = rooks.into_iter().any(|other| {
                    (other.file() > king.file()) == kings_side
                        && (other.file() > rook.file()) == kings_side
                        && other != rook
                });
                let letter = if outer && style == CastlingStyle::Chess960 {
                    (b'A' + rook.file() as u8) as char
                } else if kings_side {
                    'K'
                } else {
                    'Q'
                };
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// The six fields.
    pub fn fen(&self, letters: &[&str], style: CastlingStyle) -> String {
        let mut text = String::new();
        for rank in (0..M::Geometry::RANKS).rev() {
            let mut run = 0;
            for file in 0..M::Geometry::FILES {
                let Some(piece) = self.board.at(Square::new(rank * M::Geometry::FILES + file))
                else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    text.push_str(&run.to_string());
                    run = 0;
                }
                text.push_str(&piece_text(piece, letters));
            }
            if run > 0 {
                text.push_str(&run.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let ep = self.ep.map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!(
            "{text} {} {} {ep} {} {}",
            self.turn.letter(),
            self.castling_text(style),
            self.halfmove,
            self.fullmove
        )
    }
}

/// A piece's letter: upper case for White, lower for Black.
pub(super) fn piece_text(piece: Piece, letters: &[&str]) -> String {
    let name = letters.get(piece.kind().index()).copied().unwrap_or("?");
    match piece.color() {
        Color::White => name.to_owned(),
        Color::Black => name.to_ascii_lowercase(),
    }
}

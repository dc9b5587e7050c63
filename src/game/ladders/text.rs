//! The tokens of a FEN, the names of actions, and the board for a person.

use std::fmt::Write;

use crate::core::{Bitboard, Board8, Color, Square};
use crate::game::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Flaw, Leniency, LooseFen, Piece, draw_cells,
    draw_facts,
};

use super::action::{LadderAction, Meaning, Ride};
use super::placing::Placing;
use super::set::LadderSet;
use super::tiles::{Tiles, covered, whole_blocks};
use super::{Ladders, VARIANT};

/// Boards still to place.
const PLACE: &str = "place";
/// Which boards.
const TILES: &str = "tiles";
/// The ladders of both sides.
const LADDERS: &str = "ladders";
/// The blocks that are covered.
const BLOCKS: &str = "blocks";

type At = Square<Board8>;

fn token(key: &'static str, value: &str, wanted: impl Into<String>) -> FenError {
    FenError::Token { key, value: value.to_owned(), wanted: wanted.into() }
}

fn read_counts(text: &str) -> Result<[u8; 2], FenError> {
    let number = |word: &str| {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().ok().filter(|_| digits)
    };
    text.split_once(',')
        .and_then(|(white, black)| Some([number(white)?, number(black)?]))
        .ok_or_else(|| token(PLACE, text, "White's and Black's boards, 0 to 255 each: 4,4"))
}

fn read_tiles(text: &str) -> Result<Tiles, FenError> {
    Tiles::named(text).ok_or_else(|| token(TILES, text, Tiles::NAMES.join(" or ")))
}

fn read_blocks(text: &str) -> Result<Bitboard<Board8>, FenError> {
    let error = |wanted: String| token(BLOCKS, text, wanted);
    let mut blocks = Bitboard::EMPTY;
    for word in text.split(',') {
        let Some(block) = At::parse(word) else {
            return Err(error(format!("lower left squares with commas between, not {word:?}")));
        };
        let set = Bitboard::from(block);
        if !whole_blocks().has(block) {
            return Err(error(format!("blocks on the board; that of {block} leaves it")));
        }
        if covered(set).meets(covered(blocks)) {
            return Err(error(format!("blocks that do not overlap; that of {block} does")));
        }
        blocks |= set;
    }
    Ok(blocks)
}

fn read_ladders(text: &str) -> Result<[LadderSet; 2], FenError> {
    let error = |wanted: String| token(LADDERS, text, wanted);
    let Some((white, black)) = text.split_once('/') else {
        return Err(error(
            "White's and Black's ladders with a '/' between: a1b2,c3d4/-".to_owned(),
        ));
    };
    let mut sets = [LadderSet::new(); 2];
    for ((set, list), color) in sets.iter_mut().zip([white, black]).zip(Color::ALL) {
        if list == "-" {
            continue;
        }
        for word in list.split(',') {
            let ends = At::parse_prefix(word).and_then(|(a, rest)| Some((a, At::parse(rest)?)));
            let Some((a, b)) = ends else {
                return Err(error(format!(
                    "{color}'s ladders as two squares each with commas between, or -, not {word:?}"
                )));
            };
            if a == b {
                return Err(error(format!("ladders between two squares, not {word}")));
            }
            if !set.add(a, b) {
                return Err(error(format!(
                    "{color}'s ladders without a common end; {word} shares one with another"
                )));
            }
        }
    }
    Ok(sets)
}

fn ladders_text(set: &LadderSet) -> String {
    let words: Vec<String> = set.ladders().map(|(low, high)| format!("{low}{high}")).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

impl Ladders {
    /// The position of a FEN.
    pub(super) fn read(text: &str) -> Result<Self, FenError> {
        let loose = LooseFen::<ChessMen>::parse(text, CHESS_LETTERS)?;
        loose.check_keys(VARIANT, &[PLACE, TILES, LADDERS, BLOCKS])?;
        let placing = Placing {
            left: loose.token(PLACE).map_or(Ok([0; 2]), read_counts)?,
            tiles: loose.token(TILES).map_or(Ok(Tiles::default()), read_tiles)?,
            blocks: loose.token(BLOCKS).map_or(Ok(Bitboard::EMPTY), read_blocks)?,
        };
        let ladders = loose.token(LADDERS).map_or(Ok([LadderSet::new(); 2]), read_ladders)?;
        let ep = loose.ep;
        // Checks are looked at below, with rides.
        let leniency = Leniency {
            other_side_in_check: true,
            pawns_on_end_ranks: [true, false],
            ..Leniency::NONE
        };
        let state = loose.into_state_with(CastlingStyle::Standard, leniency)?;
        let placing = if placing.is_on() { placing } else { Placing::default() };
        let mut position = Self { state, sides: ladders, placing, ladder_key: 0 };
        position.state.set_ep(None);
        position.ladder_key = position.fresh_ladder_key();
        let turn = position.state.turn();
        if position.is_placing() {
            position.end_placing_if_over();
        }
        if position.is_placing() {
            return Ok(position);
        }
        let enemy = !position.state.turn();
        if position.is_attacked(enemy) {
            return Err(FenError::Flaws(vec![Flaw::OtherSideInCheck(enemy)]));
        }
        if let Some(target) = ep.filter(|&target| {
            turn == position.state.turn() && !placing.is_on() && position.state.was_passed(target)
        }) {
            position.offer_ep(target);
        }
        Ok(position)
    }

    /// The FEN with tokens.
    pub(super) fn text(&self) -> String {
        let mut text = self.state.fen(CHESS_LETTERS, CastlingStyle::Standard);
        let Placing { left: [white, black], tiles, blocks } = self.placing;
        if self.is_placing() {
            let _ = write!(text, " {PLACE}={white},{black}");
            if tiles != Tiles::default() {
                let _ = write!(text, " {TILES}={}", tiles.name());
            }
        }
        if self.sides.iter().any(|set| set.ends().any()) {
            let [white, black] = &self.sides;
            let _ = write!(text, " {LADDERS}={}/{}", ladders_text(white), ladders_text(black));
        }
        if blocks.any() {
            let words: Vec<String> = blocks.into_iter().map(|block| block.to_string()).collect();
            let _ = write!(text, " {BLOCKS}={}", words.join(","));
        }
        text
    }

    /// An action's name.
    pub(super) fn name(&self, action: LadderAction) -> String {
        match action.meaning() {
            Meaning::Plain(action) => {
                self.state.move_text(action, CHESS_LETTERS, CastlingStyle::Standard)
            }
            Meaning::Place(block) => format!("L@{block}"),
            Meaning::Ride(Ride { from, to, captured, promoted }) => {
                let mut text = format!("{from}{to}");
                if let Some(kind) = promoted {
                    text.push_str(&CHESS_LETTERS[kind.index()].to_ascii_lowercase());
                }
                if let Some(captured) = captured.filter(|&captured| captured != to) {
                    let _ = write!(text, "x{captured}");
                }
                text
            }
        }
    }

    /// The board for a person. To the left of a square stands the mark of White's ladder with an end
    /// there, a digit; to the right that of Black's, a letter. The two ends of a ladder have the same.
    pub(super) fn drawn(&self, colors: bool) -> String {
        let [white, black] = [Color::White, Color::Black].map(|owner| {
            let mut marks = [' '; 64];
            let names = match owner {
                Color::White => "123456789ABCDEFGHIJKLMNOPQRSTUVW",
                Color::Black => "abcdefghijklmnopqrstuvwxyz!$%&=?",
            };
            for ((low, high), name) in self.sides[owner.index()].ladders().zip(names.chars()) {
                marks[low.index() % 64] = name;
                marks[high.index() % 64] = name;
            }
            marks
        });
        let paint = |mark: char, ink: u8| {
            if colors && mark != ' ' {
                format!("\x1b[1;38;5;{ink}m{mark}\x1b[0m")
            } else {
                mark.to_string()
            }
        };
        let mut text = draw_cells(&self.state, |square, piece: Option<Piece>| {
            let empty = if (square.rank() + square.file()) % 2 == 0 { '.' } else { ' ' };
            let letter = piece.map_or(empty, letter);
            let at = square.index() % 64;
            format!("{}{letter}{}", paint(white[at], 160), paint(black[at], 33))
        });
        text.push('\n');
        let owners = [(Color::White, &white, 160), (Color::Black, &black, 33)];
        for (owner, marks, ink) in owners {
            let ladders: Vec<String> = self.sides[owner.index()]
                .ladders()
                .map(|(low, high)| format!("{} {low}-{high}", paint(marks[low.index() % 64], ink)))
                .collect();
            let side = match owner {
                Color::White => "White's ladders (left of the piece)",
                Color::Black => "Black's ladders (right of the piece)",
            };
            let list = if ladders.is_empty() { "none".to_owned() } else { ladders.join(", ") };
            let _ = writeln!(text, "{side}: {list}");
        }
        if self.is_placing() {
            let [white, black] = self.placing.left;
            let _ = writeln!(
                text,
                "Boards still to place ({}): White {white}, Black {black}",
                self.placing.tiles.name()
            );
        }
        text + "\n" + &draw_facts(&self.text(), self.ladder_key ^ self.state.key(), self.checkers())
    }
}

fn letter(piece: Piece) -> char {
    let name = CHESS_LETTERS[piece.kind().index()].chars().next().unwrap_or('?');
    match piece.color() {
        Color::White => name,
        Color::Black => name.to_ascii_lowercase(),
    }
}

//! `mutation`, Chess Mutation: pions that move by the colour of the square they stand on (seed
//! `003_bda621123c8214c3`, specification page mutation.md).

mod ground;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Board8, Color};

use super::kernel::{
    Board, CastlingStyle, ChessMen, FenError, Ground as _, Kind, Letters, LooseFen, Men, Move,
    Observer, Piece, State, Wanted, draw_cells, draw_facts,
};
use super::{Family, Game, Gist, Outcome};

pub use ground::{Ground, GroundError};

const VARIANT: &str = "mutation";
const START: &str = "ppppkppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPKPPP w - - 0 1";

/// The colours of the squares.
const BOARD: &str = "board";

/// A pion has the same letter whatever it moves as.
const LETTERS: Letters = &["P", "P", "P", "P", "P", "K"];

/// Pions and kings. A pion is of the kind of chess that moves as it does where it stands: a pawn on
/// white, a knight on yellow, a bishop on blue, a rook on red, a queen on black. So each colour's men
/// are a bitboard that is there already, whatever the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pions;

impl Men for Pions {
    type Geometry = Board8;
    type Sets = [Bitboard<Board8>; 6];
    type Ground = Ground;
    const KINDS: usize = 6;
    const PROMOTIONS: &'static [Kind] = &[];
    const DOUBLE_STEPS_ANYWHERE: bool = true;
    const EN_PASSANT: bool = false;
    const PAWNS_RESET_CLOCK: bool = false;
    const DRAW_CLOCK: u32 = 200;
    const CASTLES: bool = false;
    const CASTLING_FILES: [(usize, usize); 2] = ChessMen::CASTLING_FILES;
    const KING_FILE: usize = ChessMen::KING_FILE;
    const BY_WORTH: &'static [Kind] = ChessMen::BY_WORTH;
    const WORTH: &'static [i32] = &[85, 120, 135, 170, 180, 20_000];

    #[inline(always)]
    fn knights(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::KNIGHT)
    }

    #[inline(always)]
    fn diagonals(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::BISHOP) | board.kind(Kind::QUEEN)
    }

    #[inline(always)]
    fn orthogonals(board: &Board<Self>) -> Bitboard<Board8> {
        board.kind(Kind::ROOK) | board.kind(Kind::QUEEN)
    }
}

/// The board of `startpos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// Its colours.
    pub ground: Ground,
}

/// A position of mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutation {
    state: State<Pions>,
}

impl Mutation {
    /// The colours of the squares.
    pub fn ground(&self) -> &Ground {
        self.state.ground()
    }

    /// The position of a FEN, on the given ground or, without one, on that which the FEN names.
    fn read(text: &str, ground: Option<Ground>) -> Result<Self, FenError> {
        let mut loose = LooseFen::<Pions>::parse(text, LETTERS)?;
        loose.check_keys(VARIANT, &[BOARD])?;
        if let Some(ground) = ground {
            loose.ground = ground;
        } else if let Some(value) = loose.token(BOARD) {
            loose.ground = value.parse().map_err(|error: GroundError| FenError::Token {
                key: BOARD,
                value: value.to_owned(),
                wanted: error.to_string(),
            })?;
        }
        Ok(Self { state: loose.into_state(CastlingStyle::Standard)? })
    }
}

impl Game for Mutation {
    type Men = Pions;
    type Action = Move;
    // Queens on every black square of a board of one's own have fewer than 8 moves a free square.
    type Actions = ArrayVec<Move, 512>;
    type Setup = Setup;

    const HAS_CHANCE: bool = false;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = true;
    const PLAIN: bool = false;

    #[inline(always)]
    fn turn(&self) -> Color {
        self.state.turn()
    }

    #[inline(always)]
    fn state(&self) -> &State<Pions> {
        &self.state
    }

    #[inline(always)]
    fn is_chance(&self) -> bool {
        false
    }

    #[inline(always)]
    fn ended(&self) -> Option<Outcome> {
        None
    }

    fn outcome_without_actions(&self) -> Outcome {
        if self.in_check() { Outcome::Win(!self.turn()) } else { Outcome::Draw }
    }

    fn drawn_by_rule(&self) -> bool {
        let board = self.state.board();
        self.state.fifty_moves() || board.occupied() == board.kind(Kind::KING)
    }

    #[inline]
    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        self.state.each_move(wanted, |action| list.push(action));
    }

    #[inline(always)]
    fn count_actions(&self) -> u64 {
        self.state.count_moves()
    }

    fn is_legal(&self, action: Move) -> bool {
        self.state.is_legal(action)
    }

    fn outcomes(&self, _: impl FnMut(Move, u32)) {}

    #[inline(always)]
    fn play<O: Observer<Board8>>(&mut self, action: Move, observer: &mut O) {
        self.state.make(action, observer);
    }

    #[inline(always)]
    fn may_pass(&self) -> bool {
        true
    }

    fn play_null(&mut self) {
        self.state.make_null();
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key()
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key()
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.state.in_check()
    }

    #[inline(always)]
    fn gist(&self, action: Move) -> Gist {
        self.state.gist(action)
    }

    fn exchange_gains(&self, action: Move, threshold: i32) -> bool {
        self.state.exchange_gains(action, threshold)
    }

    fn family(_: &Setup) -> Family {
        Family::Mutation
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read, and no pion of the first two ranks attacks a
        // king behind two ranks of his own, whatever the colours.
        Self::read(START, Some(setup.ground)).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn from_fen(_: &Setup, text: &str) -> Result<Self, FenError> {
        Self::read(text, None)
    }

    fn fen(&self, _: &Setup) -> String {
        let mut text = self.state.fen(LETTERS, CastlingStyle::Standard);
        if *self.ground() != Ground::DEFAULT {
            let _ = write!(text, " {BOARD}={}", self.ground());
        }
        text
    }

    fn action_text(&self, _: &Setup, action: Move) -> String {
        self.state.move_text(action, LETTERS, CastlingStyle::Standard)
    }

    fn parse_action(&self, _: &Setup, text: &str) -> Option<Move> {
        self.state.parse_move(text, LETTERS, CastlingStyle::Standard)
    }

    fn letters(_: &Setup) -> Letters {
        LETTERS
    }

    fn plain_move(_: Move) -> Option<Move> {
        None
    }

    /// Each square shows the piece and its own colour: in terminal colours that of the background,
    /// else by its letter.
    fn draw(&self, setup: &Setup, colors: bool) -> String {
        let mut text = draw_cells(&self.state, |square, piece| {
            let letter = piece.map_or(' ', letter);
            let color = self.ground().letter(square);
            if colors { paint(color, piece, letter) } else { format!("{letter} {color}") }
        });
        if !colors {
            text.push_str(
                "\nBehind the piece the colour: r red, y yellow, b blue, k black, w white\n",
            );
        }
        text.push('\n');
        text + &draw_facts(&self.fen(setup), self.key(), self.state.checkers())
    }
}

fn letter(piece: Piece) -> char {
    let letter = if piece.kind() == Kind::KING { 'K' } else { 'P' };
    match piece.color() {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// A square on a terminal; Black's pieces are underlined.
fn paint(color: char, piece: Option<Piece>, letter: char) -> String {
    let (background, ink) = match color {
        'y' => (220, 16),
        'b' => (26, 231),
        'r' => (160, 231),
        'k' => (16, 231),
        _ => (255, 16),
    };
    let black = piece.is_some_and(|piece| piece.color() == Color::Black);
    let line = if black { ("\x1b[4m", "\x1b[24m") } else { ("", "") };
    format!("\x1b[1;38;5;{ink};48;5;{background}m {}{letter}{} \x1b[0m", line.0, line.1)
}

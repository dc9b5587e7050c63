//! `chess`: FIDE chess, Chess960 too; and `chroma`, `ChromaChess`, the same game with the pieces
//! named by colour (seed `004_08e1fa8057607ca2`, specification page chess.md).

use arrayvec::ArrayVec;

use crate::core::{Board8, Color};

use super::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Kind, Letters, LooseFen, Men, Move, Observer,
    Piece, State, Wanted, draw_board, draw_facts,
};
use super::{Action, Family, Game, Gist, Outcome};

/// By what names the men go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Names {
    /// Pawn, knight, bishop, rook, queen, king.
    #[default]
    Chess,
    /// Green, Blue, Yellow, Orange, Red, Violet.
    Chroma,
}

impl Names {
    /// The value of `UCI_Variant`.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Chroma => "chroma",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Chess => Self::Chroma,
            Self::Chroma => Self::Chess,
        }
    }

    const fn letters(self) -> Letters {
        match self {
            Self::Chess => CHESS_LETTERS,
            Self::Chroma => &["G", "B", "Y", "O", "R", "V"],
        }
    }

    const fn start(self) -> &'static str {
        match self {
            Self::Chess => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Self::Chroma => "obyrvybo/gggggggg/8/8/8/8/GGGGGGGG/OBYRVYBO w KQkq - 0 1",
        }
    }
}

/// Names, and whether castling is told as in Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// By what names the men go.
    pub names: Names,
    /// Castling of Chess960: read from any files, written as king takes rook.
    pub chess960: bool,
}

impl Action for Move {
    const BITS: u32 = 24;

    fn to_bits(self) -> u32 {
        Self::to_bits(self)
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Self::from_bits::<Board8>(bits, ChessMen::KINDS)
    }
}

/// A position of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chess {
    state: State<ChessMen>,
}

impl Game for Chess {
    type Men = ChessMen;
    type Action = Move;
    // 218 is the most from the start position's men; FENs may show more queens and knights.
    type Actions = ArrayVec<Move, 512>;
    type Setup = Setup;

    const HAS_CHANCE: bool = false;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = true;

    #[inline(always)]
    fn turn(&self) -> Color {
        self.state.turn()
    }

    #[inline(always)]
    fn state(&self) -> &State<ChessMen> {
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
        self.state.fifty_moves() || self.state.insufficient_material()
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
        Family::Chess
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        Self::from_fen(setup, setup.names.start()).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn from_fen(setup: &Setup, text: &str) -> Result<Self, FenError> {
        let (letters, other) = (setup.names.letters(), setup.names.other());
        let loose = match LooseFen::parse(text, letters) {
            Err(FenError::Letter { rank, letter, .. })
                if LooseFen::<ChessMen>::parse(text, other.letters()).is_ok() =>
            {
                let variant = other.variant();
                let hint = format!("this is a FEN of {variant}: set UCI_Variant to {variant}");
                return Err(FenError::Letter { rank, letter, hint });
            }
            read => read?,
        };
        loose.check_keys(setup.names.variant(), &[])?;
        Ok(Self { state: loose.into_state(Self::castling_style(setup))? })
    }

    fn fen(&self, setup: &Setup) -> String {
        self.state.fen(setup.names.letters(), Self::castling_style(setup))
    }

    fn action_text(&self, setup: &Setup, action: Move) -> String {
        self.state.move_text(action, setup.names.letters(), Self::castling_style(setup))
    }

    fn parse_action(&self, setup: &Setup, text: &str) -> Option<Move> {
        self.state.parse_move(text, setup.names.letters(), Self::castling_style(setup))
    }

    fn letters(setup: &Setup) -> Letters {
        setup.names.letters()
    }

    fn castling_style(setup: &Setup) -> CastlingStyle {
        if setup.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    fn plain_move(action: Move) -> Option<Move> {
        Some(action)
    }

    fn draw(&self, setup: &Setup, colors: bool) -> String {
        let paint = |piece: Piece, letter: &str| {
            if colors && setup.names == Names::Chroma {
                paint_chroma(piece, letter)
            } else {
                letter.to_owned()
            }
        };
        let mut text = draw_board(&self.state, setup.names.letters(), paint);
        text.push('\n');
        text + &draw_facts(&self.fen(setup), self.key(), self.state.checkers())
    }
}

/// The colour that names the piece; Black's, the square set, are underlined.
fn paint_chroma(piece: Piece, letter: &str) -> String {
    let color = match piece.kind() {
        Kind::PAWN => 34,
        Kind::KNIGHT => 33,
        Kind::BISHOP => 220,
        Kind::ROOK => 208,
        Kind::QUEEN => 196,
        _ => 129,
    };
    let line = if piece.color() == Color::Black { ";4" } else { "" };
    format!("\x1b[1;38;5;{color}{line}m{letter}\x1b[0m")
}

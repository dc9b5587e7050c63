//! The rules: one trait, a kernel of shared chess rules, a file per game, and the enum that picks
//! among the games at the edge of the program.

pub mod blender;
pub mod bomber;
pub mod chess;
pub mod equalizer;
pub mod kernel;
pub mod ladders;
mod lot;
pub mod mutation;
mod options;
pub mod perft;
pub mod quantum;
mod record;
pub mod solve;
mod variant;

use std::fmt::Debug;
use std::hash::Hash;

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Color, Geometry, Square};
pub use kernel::Wanted;
use kernel::{
    CHESS_LETTERS, CastlingStyle, FenError, Kind, Letters, Men, Move, Observer, Piece, State,
};

pub use lot::drawn_event;
pub use options::{GameOptions, NO_FILE, OPTIONS, OptionError, OptionKind, OptionSpec};
pub use record::{EndRule, PositionError, Record, Unplayable};
pub use variant::{AnySetup, VARIANTS, with_game};

/// The board of a game.
pub type GeometryOf<G> = <<G as Game>::Men as Men>::Geometry;
/// A square of a game's board.
pub type SquareOf<G> = Square<GeometryOf<G>>;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// That side won.
    Win(Color),
    /// Nobody did.
    Draw,
}

/// Games in which the same things are worth the same: each family has weights of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Chess.
    Chess,
    /// Chess in which a die says what kind of man has to move, at every turn of one side at least.
    Dice,
    /// Chess in which men merge and part, and pawns become what was lost.
    Blender,
    /// Chess Mutation, whose men move by the colour of their square.
    Mutation,
    /// Quantum Chess, whose men leave the board and come back.
    Quantum,
    /// Chess N Ladders, whose men ride.
    Ladders,
}

/// What a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// That side is to choose an action.
    Decision(Color),
    /// The table is to produce an event; the side is the FEN's side to move.
    Chance(Color),
    /// The game has ended.
    Over(Outcome),
}

/// The text of `node`: `decision white`, `chance`, `over draw` …
impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Decision(color) => write!(f, "decision {color}"),
            Self::Chance(_) => write!(f, "chance"),
            Self::Over(Outcome::Win(color)) => write!(f, "over {color}"),
            Self::Over(Outcome::Draw) => write!(f, "over draw"),
        }
    }
}

/// A move, a player's other decision, or a chance event, packed into a number.
pub trait Action: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Every number is below 2 to this power: so many are tried where all are to be.
    const BITS: u32 = u32::BITS;
    /// Its number, never 0.
    fn to_bits(self) -> u32;
    /// The action of that number, if the number is one's. It may be legal nowhere.
    fn from_bits(bits: u32) -> Option<Self>;
}

/// A caller's buffer, each game's own: of fixed capacity, unless a game's longest list is far longer
/// than its usual ones.
pub trait ActionList<A>: Default + AsRef<[A]> + AsMut<[A]> + Send {
    /// Appends an action.
    fn push(&mut self, action: A);
    /// Leaves the first `length` actions.
    fn truncate(&mut self, length: usize);
    /// Empties the list.
    fn clear(&mut self);
}

impl<A: Send, const N: usize> ActionList<A> for ArrayVec<A, N>
where
    Self: AsRef<[A]>,
{
    #[inline(always)]
    fn push(&mut self, action: A) {
        ArrayVec::push(self, action);
    }

    fn truncate(&mut self, length: usize) {
        ArrayVec::truncate(self, length);
    }

    fn clear(&mut self) {
        ArrayVec::clear(self);
    }
}

/// What the search wants to know of an action for ordering and pruning.
#[derive(Clone, Copy, Debug)]
pub struct Gist {
    /// Who moves: [`Piece::code`], 0 for an action without a man.
    pub piece: u8,
    /// Where it starts, a square number.
    pub from: u8,
    /// Where it ends, a square number.
    pub to: u8,
    /// The worth in centipawns of what it captures, 0 for nothing.
    pub victim: i32,
    /// [`kernel::Kind::index`] + 1 of what it captures, 0 for nothing.
    pub victim_kind: u8,
    /// The worth in centipawns that a promotion adds.
    pub promotion: i32,
}

impl Gist {
    /// Of an action that moves no man.
    pub const NONE: Self =
        Self { piece: 0, from: 0, to: 0, victim: 0, victim_kind: 0, promotion: 0 };

    /// Whether it captures or promotes: not quiet.
    pub fn is_noisy(&self) -> bool {
        self.victim_kind != 0 || self.promotion != 0
    }
}

/// A man that has left the board and will come back to the square that it left.
#[derive(Clone, Copy, Debug)]
pub struct Away<G: Geometry> {
    /// What it is.
    pub piece: Piece,
    /// Where it comes back.
    pub square: Square<G>,
    /// Turns of both sides that go by before the one that brings it back: 0 for the current one.
    pub wait: u32,
    /// The moves that it may make at once when it is back.
    pub free: u8,
}

/// A game: its positions, cheap to clone, and their rules.
///
/// Whose decision it is follows from the position alone; nothing may assume that sides alternate.
/// The constants let the compiler remove what a game does not use.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The men it is played with, and through them the board.
    type Men: Men;
    /// Its moves, decisions and chance events.
    type Action: Action;
    /// A buffer for the longest list of actions that any of its positions has.
    type Actions: ActionList<Self::Action>;
    /// Names and options: what text and `startpos` depend on, and play does not.
    type Setup: Clone + Debug + Send + Sync + 'static;

    /// Whether it has chance positions.
    const HAS_CHANCE: bool;
    /// Whether a die says what kind of man has to move, so that a threat is worth what its face is
    /// likely.
    const DICE: bool;
    /// Whether events leave the men as they are, so that a position may be evaluated before them.
    const EVENTS_ARE_QUIET: bool;
    /// Whether sides strictly alternate.
    const ALTERNATES: bool;
    /// Whether men may be away on tracks, and gems pay for it.
    const TRACKS: bool = false;
    /// Whether a pawn becomes only what its side has lost, which [`Game::best_promotion`] tells.
    const POOLED: bool = false;
    /// Whether a program that knows no more than how the men of chess move can take part, by the moves
    /// that [`Game::plain_move`] gives.
    const PLAIN: bool = true;
    /// Whether men also ride ladders, which [`Game::each_ladder`] and [`Game::ridden_attacks`] tell of.
    const HAS_LADDERS: bool = false;

    /// The side to decide; at a chance position the FEN's side to move.
    fn turn(&self) -> Color;

    /// Pieces, clocks and rights.
    fn state(&self) -> &State<Self::Men>;

    /// Whether the table is to produce an event.
    fn is_chance(&self) -> bool;

    /// How the game ended, as far as the position tells without looking at its actions: a king
    /// gone, say. Draws by rule do not count here.
    fn ended(&self) -> Option<Outcome>;

    /// How the game ended if this is a decision without any legal action.
    fn outcome_without_actions(&self) -> Outcome;

    /// Whether it is a draw by rule, as far as the position alone tells (clock, material). Mate
    /// and stalemate come before this.
    fn drawn_by_rule(&self) -> bool;

    /// Appends the legal actions of a decision that are wanted; moves by men before others.
    fn actions(&self, wanted: Wanted, list: &mut Self::Actions);

    /// The number of legal actions of a decision.
    fn count_actions(&self) -> u64 {
        let mut list = Self::Actions::default();
        self.actions(Wanted::All, &mut list);
        list.as_ref().len() as u64
    }

    /// Whether the action is legal at this decision, whatever it says.
    fn is_legal(&self, action: Self::Action) -> bool;

    /// Gives each event that may come at a chance position, with its integer weight, in text
    /// order; weights are positive and have no common scale but their sum.
    fn outcomes(&self, each: impl FnMut(Self::Action, u32));

    /// The distribution of [`Game::outcomes`] with events that come to the same folded into one: a
    /// die that has to be rolled again is told by where the second roll leads. What a search wants.
    fn settled_outcomes(&self, each: impl FnMut(Self::Action, u32)) {
        self.outcomes(each);
    }

    /// Among [`Game::settled_outcomes`], the event whose position allows just the actions that the
    /// positions of the others allow, each with the same effect, and none of which two others share.
    fn wild(&self) -> Option<Self::Action> {
        None
    }

    /// Whether a turn begins here with nothing left over from the turns before: no die on the table,
    /// no debt, no card due, no ladder to place. An event with which the turn itself begins may be still to come.
    fn is_fresh_turn(&self) -> bool {
        true
    }

    /// Whether the action completes a move, so that repetition compares the position after it. Dice
    /// and decisions before a move do not.
    fn is_move(_action: Self::Action) -> bool {
        true
    }

    /// Whether no turn is under way that may take several actions: only then positions are compared,
    /// and draws by rule judged.
    #[inline(always)]
    fn is_between_turns(&self) -> bool {
        true
    }

    /// Plays a legal action or a possible event.
    fn play<O: Observer<GeometryOf<Self>>>(&mut self, action: Self::Action, observer: &mut O);

    /// Whether passing is a sound lower bound for moving here, zugzwang aside; the side to decide is
    /// not in check.
    fn may_pass(&self) -> bool;

    /// Passes the turn, where [`Game::may_pass`] allows it.
    fn play_null(&mut self);

    /// The incremental hash of everything that tells positions apart, clocks excepted.
    fn key(&self) -> u64;

    /// [`Game::key`] computed from nothing but the position.
    fn fresh_key(&self) -> u64;

    /// What repetition compares.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// Whether the side to decide is in check.
    fn in_check(&self) -> bool;

    /// Gives every ladder of a side by its two ends.
    fn each_ladder(&self, _owner: Color, _found: impl FnMut([SquareOf<Self>; 2])) {}

    /// The further squares that the man on `from` attacks by riding, given what it attacks without: an
    /// estimate for the evaluation, which leaves out the rarer ways.
    fn ridden_attacks(
        &self,
        _from: SquareOf<Self>,
        _attacks: Bitboard<GeometryOf<Self>>,
    ) -> Bitboard<GeometryOf<Self>> {
        Bitboard::EMPTY
    }

    /// Facts about an action of this decision.
    fn gist(&self, action: Self::Action) -> Gist;

    /// Whether the exchange that an action starts gains at least that many centipawns.
    fn exchange_gains(&self, action: Self::Action, threshold: i32) -> bool;

    /// Gives each man that is away.
    fn away(&self, _each: impl FnMut(Away<GeometryOf<Self>>)) {}

    /// The gems that a side has.
    fn gem_count(&self, _color: Color) -> u32 {
        0
    }

    /// The man of the side to decide that has come back in this turn and has so many free moves left.
    fn free_mover(&self) -> Option<(SquareOf<Self>, u8)> {
        None
    }

    /// The worthiest kind that a pawn of that side may become now; the pawn, if it stays one.
    fn best_promotion(&self, _color: Color) -> Kind {
        Kind::QUEEN
    }

    /// Which weights hold.
    fn family(setup: &Self::Setup) -> Family;

    /// The start position.
    fn start(setup: &Self::Setup) -> Self;

    /// The position of a FEN with tokens.
    ///
    /// # Errors
    /// What is wrong in which field.
    fn from_fen(setup: &Self::Setup, text: &str) -> Result<Self, FenError>;

    /// The FEN with tokens.
    fn fen(&self, setup: &Self::Setup) -> String;

    /// An action as text.
    fn action_text(&self, setup: &Self::Setup, action: Self::Action) -> String;

    /// An event in words, for a person.
    fn event_name(&self, setup: &Self::Setup, event: Self::Action) -> String {
        self.action_text(setup, event)
    }

    /// How the events that are possible at a chance position are written, as in `card:<i>`.
    fn event_form(&self) -> &'static str {
        ""
    }

    /// The legal action, or possible event, of that text.
    fn parse_action(&self, setup: &Self::Setup, text: &str) -> Option<Self::Action>;

    /// The letters of the men in its FENs.
    fn letters(_setup: &Self::Setup) -> Letters {
        CHESS_LETTERS
    }

    /// How castling is written.
    fn castling_style(_setup: &Self::Setup) -> CastlingStyle {
        CastlingStyle::Standard
    }

    /// The move that an action is, if it is no more than a move such as chess has: one that a
    /// program knows which knows how the men move, and nothing else of the game.
    fn plain_move(action: Self::Action) -> Option<Move>;

    /// The board for a person, with the game's own state; in terminal colours if wished.
    fn draw(&self, setup: &Self::Setup, colors: bool) -> String;

    /// What the position is; repetitions, which it cannot know of, left aside.
    fn node(&self) -> Node {
        if let Some(outcome) = self.ended() {
            return Node::Over(outcome);
        }
        if self.is_chance() {
            return if self.drawn_by_rule() {
                Node::Over(Outcome::Draw)
            } else {
                Node::Chance(self.turn())
            };
        }
        if self.count_actions() == 0 {
            Node::Over(self.outcome_without_actions())
        } else if self.drawn_by_rule() {
            Node::Over(Outcome::Draw)
        } else {
            Node::Decision(self.turn())
        }
    }
}

/// One more than the largest [`Piece::code`] of a game: the length of its tables by piece.
pub const fn piece_codes<G: Game>() -> usize {
    Piece::codes(G::Men::KINDS)
}

/// The number of squares of a game's board.
pub const fn squares<G: Game>() -> usize {
    GeometryOf::<G>::SQUARES
}

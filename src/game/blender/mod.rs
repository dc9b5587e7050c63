//! `blender`, `blender-nightrider`, `blender100` and `blender100-nightrider`, Blender Chess: men
//! merge and part, and pawns become what their side has lost (seed `001_45d36e140e14775b`;
//! specification page blender.md).

mod action;
mod men;
mod moves;
#[cfg(test)]
mod naive;
mod pool;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::core::{Bitboard, Board8, Board10, Color, Geometry};

use super::kernel::{
    CastlingStyle, FenError, Kind, Leniency, Letters, LooseFen, Men, Move, Observer, State, Wanted,
    draw_board, draw_facts,
};
use super::{ActionList, Family, Game, Gist, Outcome};

pub use action::{BlenderAction, Meaning};
pub use men::{
    AMAZON, ARCHBISHOP, BlenderBoard, BlenderMen, CHANCELLOR, MERGED_ARCHBISHOP, MERGED_CHANCELLOR,
    MERGED_QUEEN, NIGHTRIDER, RAVEN, SORCEROR, UNICORN, merged, parts, rest,
};
use pool::POOL;
pub use pool::Pool;

const LENIENCY: Leniency = Leniency { pawns_on_end_ranks: [false, true], ..Leniency::NONE };

/// The games have no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup;

/// A list of actions.
///
/// On the heap: a square can be entered from each direction of a queen by four actions (of a
/// sorceror, or its parts) and from each of a knight by five, so that a FEN can show a position of
/// nearly six thousand on ten files, where sixty are usual.
pub struct Actions<G>(Vec<BlenderAction<G>>);

/// More than most positions have.
const USUAL_ACTIONS: usize = 192;

impl<G> Default for Actions<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G> AsRef<[BlenderAction<G>]> for Actions<G> {
    fn as_ref(&self) -> &[BlenderAction<G>] {
        &self.0
    }
}

impl<G> AsMut<[BlenderAction<G>]> for Actions<G> {
    fn as_mut(&mut self) -> &mut [BlenderAction<G>] {
        &mut self.0
    }
}

impl<G: Geometry> ActionList<BlenderAction<G>> for Actions<G> {
    #[inline(always)]
    fn push(&mut self, action: BlenderAction<G>) {
        self.0.push(action);
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// A position of Blender Chess on the board `G`; two knights merge if `NIGHT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blender<G: BlenderBoard, const NIGHT: bool> {
    state: State<BlenderMen<G, NIGHT>>,
    pool: Pool,
}

/// `blender`.
pub type Blender8 = Blender<Board8, false>;
/// `blender-nightrider`.
pub type Blender8Night = Blender<Board8, true>;
/// `blender100`.
pub type Blender100 = Blender<Board10, false>;
/// `blender100-nightrider`.
pub type Blender100Night = Blender<Board10, true>;

impl<G: BlenderBoard, const NIGHT: bool> Blender<G, NIGHT> {
    /// The value of `UCI_Variant`.
    pub const VARIANT: &'static str = match (G::ORIGINALS, NIGHT) {
        (false, false) => "blender",
        (false, true) => "blender-nightrider",
        (true, false) => "blender100",
        (true, true) => "blender100-nightrider",
    };

    const LETTERS: Letters = men::letters(G::ORIGINALS, NIGHT);

    /// What each side has lost.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// One king each and no more than a single knight or bishop beside them.
    fn insufficient_material(&self) -> bool {
        let board = self.state.board();
        let men = board.occupied() - board.kind(Kind::KING);
        let minors = board.kind(Kind::KNIGHT) | board.kind(Kind::BISHOP);
        !men.several() && (men - minors).is_empty()
    }
}

impl<G: BlenderBoard, const NIGHT: bool> Game for Blender<G, NIGHT> {
    type Men = BlenderMen<G, NIGHT>;
    type Action = BlenderAction<G>;
    type Actions = Actions<G>;
    type Setup = Setup;

    const HAS_CHANCE: bool = false;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = true;
    const POOLED: bool = true;

    #[inline(always)]
    fn turn(&self) -> Color {
        self.state.turn()
    }

    #[inline(always)]
    fn state(&self) -> &State<Self::Men> {
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
        self.state.fifty_moves() || self.insufficient_material()
    }

    #[inline]
    fn actions(&self, wanted: Wanted, list: &mut Actions<G>) {
        list.0.reserve(USUAL_ACTIONS);
        self.each_action(wanted, |action| list.push(action));
    }

    #[inline]
    fn count_actions(&self) -> u64 {
        self.count()
    }

    fn is_legal(&self, action: BlenderAction<G>) -> bool {
        self.allows(action)
    }

    fn outcomes(&self, _: impl FnMut(BlenderAction<G>, u32)) {}

    #[inline(always)]
    fn play<O: Observer<G>>(&mut self, action: BlenderAction<G>, observer: &mut O) {
        self.make(action, observer);
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
        self.state.key() ^ self.pool.key()
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key() ^ self.pool.fresh_key()
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.state.in_check()
    }

    fn gist(&self, action: BlenderAction<G>) -> Gist {
        self.gist_of(action)
    }

    fn exchange_gains(&self, action: BlenderAction<G>, threshold: i32) -> bool {
        self.exchange(action, threshold)
    }

    fn best_promotion(&self, color: Color) -> Kind {
        let best = Self::Men::PROMOTIONS.iter().find(|&&kind| self.pool.offers(color, kind));
        best.copied().unwrap_or(Kind::PAWN)
    }

    fn family(_: &Setup) -> Family {
        Family::Blender
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        Self::from_fen(setup, G::START).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn from_fen(_: &Setup, text: &str) -> Result<Self, FenError> {
        let loose = LooseFen::parse(text, Self::LETTERS)?;
        loose.check_keys(Self::VARIANT, &[POOL])?;
        let pool = match loose.token(POOL) {
            Some(text) => Pool::read(text, Self::LETTERS, G::SQUARES)?,
            None => Pool::EMPTY,
        };
        Ok(Self { state: loose.into_state_with(CastlingStyle::Standard, LENIENCY)?, pool })
    }

    fn fen(&self, _: &Setup) -> String {
        let mut text = self.state.fen(Self::LETTERS, CastlingStyle::Standard);
        if !self.pool.is_empty() {
            let _ = write!(text, " {POOL}={}", self.pool.text(Self::LETTERS));
        }
        text
    }

    fn action_text(&self, _: &Setup, action: BlenderAction<G>) -> String {
        self.text_of(action)
    }

    fn parse_action(&self, _: &Setup, text: &str) -> Option<BlenderAction<G>> {
        self.read_action(text)
    }

    fn letters(_: &Setup) -> Letters {
        Self::LETTERS
    }

    fn plain_move(action: BlenderAction<G>) -> Option<Move> {
        match action.meaning() {
            Meaning::Move(action) if action.promoted() != Some(Kind::PAWN) => Some(action),
            _ => None,
        }
    }

    fn draw(&self, setup: &Setup, _: bool) -> String {
        let mut text = draw_board(&self.state, Self::LETTERS, |_, letter| letter.to_owned());
        let [white, black] = Color::ALL.map(|color| self.pool.side_text(color, Self::LETTERS));
        let _ = writeln!(text, "\nPool: White {white}, Black {black}");
        text + &draw_facts(&self.fen(setup), self.key(), self.state.checkers())
    }
}

/// The squares that only men of merged kinds occupy, of both sides.
fn merged_men<G: BlenderBoard, const NIGHT: bool>(
    state: &State<BlenderMen<G, NIGHT>>,
) -> Bitboard<G> {
    let board = state.board();
    let plain = [
        Kind::PAWN,
        Kind::KNIGHT,
        Kind::BISHOP,
        Kind::ROOK,
        Kind::QUEEN,
        Kind::KING,
        ARCHBISHOP,
        CHANCELLOR,
    ];
    plain.into_iter().fold(board.occupied(), |set, kind| set - board.kind(kind))
}

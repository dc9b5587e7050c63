//! `ladders`, Chess N Ladders: chess with ladders that each side places before the game and rides at
//! the start, in the middle and at the end of its moves (seed `000_653ae52e982565f6`, Game #1;
//! specification page ladders.md).

mod action;
mod moves;
mod placing;
mod rides;
mod set;
#[cfg(test)]
mod tests;
mod text;
mod threats;
mod tiles;

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Board8, Color, Square};

use super::kernel::{ChessMen, FenError, Kind, Men, Move, Observer, Piece, State, Tag, Wanted};
use super::{Family, Game, Gist, Outcome};

pub use action::{LadderAction, Meaning, Ride};
use placing::Placing;
pub use set::LadderSet;
pub use tiles::Tiles;

const VARIANT: &str = "ladders";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 place=4,4";

/// Which boards are placed in `startpos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// Their kind.
    pub tiles: Tiles,
}

/// A position of ladders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladders {
    state: State<ChessMen>,
    /// White's ladders and Black's.
    sides: [LadderSet; 2],
    placing: Placing,
    /// The key of `sides` and `placing`.
    ladder_key: u64,
}

impl Ladders {
    /// That side's ladders.
    pub fn ladders(&self, owner: Color) -> &LadderSet {
        &self.sides[owner.index()]
    }

    fn fresh_ladder_key(&self) -> u64 {
        let [white, black] = &self.sides;
        white.key(Color::White) ^ black.key(Color::Black) ^ self.placing.key()
    }

    /// Whether the side to decide is in check; never while boards are placed.
    fn in_check_now(&self) -> bool {
        !self.is_placing() && self.is_attacked(self.state.turn())
    }
}

impl Game for Ladders {
    type Men = ChessMen;
    type Action = LadderAction;
    // A FEN may show men and ladders everywhere. A man has no more actions than twice the squares
    // that own men leave, so 32 of them have fewer than 2048, and fewer or more men have less.
    type Actions = ArrayVec<LadderAction, 2048>;
    type Setup = Setup;

    const HAS_CHANCE: bool = false;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    // White may place last and moves first.
    const ALTERNATES: bool = false;
    const HAS_LADDERS: bool = true;

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

    /// Boards may be placed while Black's king can be taken, and White moves first after that.
    #[inline(always)]
    fn ended(&self) -> Option<Outcome> {
        let us = self.turn();
        (!self.state.has_king(us)).then_some(Outcome::Win(!us))
    }

    fn outcome_without_actions(&self) -> Outcome {
        if self.in_check() { Outcome::Win(!self.turn()) } else { Outcome::Draw }
    }

    fn drawn_by_rule(&self) -> bool {
        !self.is_placing() && (self.state.fifty_moves() || self.state.insufficient_material())
    }

    #[inline]
    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        if self.is_placing() {
            if wanted != Wanted::Noisy {
                list.extend(self.places().into_iter().map(LadderAction::place));
            }
            return;
        }
        self.each_move(wanted, |action| list.push(action));
    }

    #[inline]
    fn count_actions(&self) -> u64 {
        if self.is_placing() { self.places().count().into() } else { self.count_moves() }
    }

    fn is_legal(&self, action: LadderAction) -> bool {
        match action.meaning() {
            Meaning::Place(block) => self.is_placing() && self.places().has(block),
            Meaning::Plain(action) => !self.is_placing() && self.plain_is_legal(action),
            Meaning::Ride(ride) => !self.is_placing() && self.ride_is_legal(ride),
        }
    }

    fn outcomes(&self, _: impl FnMut(LadderAction, u32)) {}

    fn is_fresh_turn(&self) -> bool {
        !self.is_placing()
    }

    #[inline(always)]
    fn play<O: Observer<Board8>>(&mut self, action: LadderAction, observer: &mut O) {
        self.make(action, observer);
    }

    #[inline(always)]
    fn may_pass(&self) -> bool {
        !self.is_placing()
    }

    fn play_null(&mut self) {
        self.state.make_null();
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key() ^ self.ladder_key
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key() ^ self.fresh_ladder_key()
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.in_check_now()
    }

    fn each_ladder(&self, owner: Color, mut found: impl FnMut([Square<Board8>; 2])) {
        for (low, high) in self.sides[owner.index()].ladders() {
            found([low, high]);
        }
    }

    /// By a ride at the start of a move, and by one from an empty square that the man attacks, after
    /// which a slider goes on.
    fn ridden_attacks(&self, from: Square<Board8>, attacks: Bitboard<Board8>) -> Bitboard<Board8> {
        rides::attacks(&self.state, &self.sides, from, attacks)
    }

    #[inline(always)]
    fn gist(&self, action: LadderAction) -> Gist {
        match action.meaning() {
            Meaning::Plain(action) => self.state.gist(action),
            Meaning::Place(_) => Gist::NONE,
            Meaning::Ride(ride) => {
                let board = self.state.board();
                let worth = |kind: Kind| ChessMen::WORTH[kind.index()];
                let victim = ride.captured.and_then(|at| board.at(at)).map(Piece::kind);
                Gist {
                    piece: board.at(ride.from).map_or(0, |piece| piece.code() as u8),
                    from: ride.from.index() as u8,
                    to: ride.to.index() as u8,
                    victim: victim.map_or(0, worth),
                    victim_kind: victim.map_or(0, |kind| kind.0 + 1),
                    promotion: ride.promoted.map_or(0, |kind| worth(kind) - worth(Kind::PAWN)),
                }
            }
        }
    }

    /// After a ride the exchange is that of chess on the square where it ends, whatever was captured
    /// on the way; rides of either side in the exchange are left out.
    fn exchange_gains(&self, action: LadderAction, threshold: i32) -> bool {
        match action.meaning() {
            Meaning::Plain(action) => self.state.exchange_gains(action, threshold),
            Meaning::Place(_) => threshold <= 0,
            Meaning::Ride(Ride { from, to, captured, promoted }) => {
                let on_the_way = captured.filter(|&at| at != to);
                let won = on_the_way
                    .and_then(|at| self.state.board().at(at))
                    .map_or(0, |piece| ChessMen::WORTH[piece.kind().index()]);
                let last = promoted.map_or_else(
                    || Move::new(from, to, Tag::Normal),
                    |kind| Move::promotion(from, to, kind),
                );
                self.state.exchange_gains(last, threshold - won)
            }
        }
    }

    fn family(_: &Setup) -> Family {
        Family::Ladders
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        let mut start = Self::read(START).unwrap_or_else(|error| unreachable!("{error}"));
        start.placing.tiles = setup.tiles;
        start.ladder_key = start.fresh_ladder_key();
        start
    }

    fn from_fen(_: &Setup, text: &str) -> Result<Self, FenError> {
        Self::read(text)
    }

    fn fen(&self, _: &Setup) -> String {
        self.text()
    }

    fn action_text(&self, _: &Setup, action: LadderAction) -> String {
        self.name(action)
    }

    fn parse_action(&self, setup: &Setup, text: &str) -> Option<LadderAction> {
        let mut list = Self::Actions::default();
        self.actions(Wanted::All, &mut list);
        let from = Square::<Board8>::parse_prefix(text).map(|(from, _)| from);
        let starts = |action: &LadderAction| match action.meaning() {
            Meaning::Place(_) => from.is_none(),
            Meaning::Plain(action) => from == Some(action.from()),
            Meaning::Ride(ride) => from == Some(ride.from),
        };
        list.into_iter().filter(starts).find(|&action| self.action_text(setup, action) == text)
    }

    fn plain_move(action: LadderAction) -> Option<Move> {
        action.as_plain()
    }

    fn draw(&self, _: &Setup, colors: bool) -> String {
        self.drawn(colors)
    }
}

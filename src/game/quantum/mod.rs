//! `quantum`, Quantum Chess: men leave the board for a track and come back with free moves (seed
//! `000_653ae52e982565f6`, Game #2; specification page quantum.md).

mod action;
mod draw;
#[cfg(test)]
mod tests;
mod text;
mod tracks;
mod turn;

use arrayvec::ArrayVec;

use crate::core::zobrist::mix;
use crate::core::{Bitboard, Board8, Color, Square};

use super::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Kind, Men, Move, Observer, Piece, State, Tag,
    Wanted,
};
use super::{Away, Family, Game, Gist, Outcome};

pub use action::{Meaning, QuantumAction};
use tracks::each_bit;
pub use tracks::{MAX_TRACKS, TrackBoard, TrackBoardError, Tracks, Traveller};

/// All gems that there are.
pub const GEMS: u8 = 10;
/// Those of each player at the start.
const START_GEMS: u8 = 2;

/// What `startpos` is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// The tracks.
    pub board: TrackBoard,
    /// Whether free moves may be given up, by `end`.
    pub up_to: bool,
}

/// How far a turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It begins.
    Start,
    /// The last man to be sent away left that square, and another may follow.
    Jump(Square<Board8>),
    /// The man on the square has come back from the track, from 0, and has so many free moves left,
    /// one at least.
    Free {
        /// The track that it came back from.
        track: u8,
        /// Free moves left.
        left: u8,
        /// Where it is now.
        square: Square<Board8>,
        /// Where it can go, one square at least.
        targets: Bitboard<Board8>,
    },
    /// A king is lost.
    Over,
}

/// A position of quantum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantum {
    state: State<ChessMen>,
    board: TrackBoard,
    up_to: bool,
    gems: [u8; 2],
    tracks: [Tracks; 2],
    stage: Stage,
    /// The tracks, a bit each, from which men come back in this turn after the current one.
    due: u8,
    /// The ep square that `end` leaves behind, if the man with free moves has just made a double step
    /// and may be captured there.
    ep: Option<Square<Board8>>,
}

impl Quantum {
    /// The tracks that each player has.
    pub fn board(&self) -> &TrackBoard {
        &self.board
    }

    /// Whether free moves may be given up.
    pub fn up_to(&self) -> bool {
        self.up_to
    }

    /// A player's gems.
    pub fn gems(&self, color: Color) -> u8 {
        self.gems[color.index()]
    }

    /// The gems that no player has.
    pub fn bank(&self) -> u8 {
        GEMS.saturating_sub(self.gems[0]).saturating_sub(self.gems[1])
    }

    /// A player's men on tracks.
    pub fn tracks(&self, color: Color) -> &Tracks {
        &self.tracks[color.index()]
    }

    /// How far the turn has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The tracks, a bit each, from which men come back in this turn after the current one.
    pub fn due(&self) -> u8 {
        self.due
    }

    #[inline(always)]
    fn own_tracks(&self) -> &Tracks {
        &self.tracks[self.state.turn().index()]
    }

    /// The tracks, a bit each, to which the side to move can send a man: none without a gem.
    #[inline(always)]
    fn open_tracks(&self) -> u8 {
        if self.gems[self.state.turn().index()] == 0 {
            0
        } else {
            self.board.all() & !self.own_tracks().occupied()
        }
    }

    /// Of men that may leave, those that come after the one on the square.
    fn after(liftable: Bitboard<Board8>, square: Square<Board8>) -> Bitboard<Board8> {
        Bitboard(liftable.0 & (!1 << square.index()))
    }

    /// The tracks from which men come back at the end of this turn, if it is a normal move.
    #[inline(always)]
    fn returning(&self) -> u8 {
        if self.stage == Stage::Start { self.own_tracks().on_first_circle() } else { 0 }
    }

    /// Squares to which men of that side come back with its next normal move.
    fn return_squares(&self, color: Color) -> Bitboard<Board8> {
        let tracks = self.tracks(color);
        each_bit(tracks.on_first_circle())
            .filter_map(|track| Some(tracks.at(track)?.square))
            .collect()
    }

    /// Whether every normal move captures, by a return to a square of an enemy.
    fn returns_capture(&self) -> bool {
        let returning = self.returning();
        let enemy = self.state.board().color(!self.state.turn());
        returning != 0 && self.return_squares(self.state.turn()).meets(enemy)
    }

    /// What the returns after a normal move capture: the worth in centipawns of enemies, that of own
    /// men, and the first enemy.
    fn return_captures(&self, action: Move) -> (i32, i32, Option<Kind>) {
        let us = self.state.turn();
        let (mut won, mut lost, mut first) = (0, 0, None);
        for track in each_bit(self.returning()) {
            let Some(Traveller { square, .. }) = self.own_tracks().at(track) else { continue };
            let standing = if action.tag() == Tag::Castling {
                self.state.board().at(square)
            } else if square == action.to() {
                self.state.board().at(action.from())
            } else {
                self.state.board().at(square).filter(|_| square != action.from())
            };
            let Some(standing) = standing else { continue };
            let worth = ChessMen::WORTH[standing.kind().index()];
            if standing.color() == us {
                lost += worth;
            } else {
                won += worth;
                first = first.or(Some(standing.kind()));
            }
        }
        (won, lost, first)
    }
}

impl Game for Quantum {
    type Men = ChessMen;
    type Action = QuantumAction;
    // Of m own men, each of 64 - m targets is reached by 16 at most, and each man has 8 tracks.
    type Actions = ArrayVec<QuantumAction, 1024>;
    type Setup = Setup;

    const HAS_CHANCE: bool = false;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = false;
    const TRACKS: bool = true;

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
        (self.stage == Stage::Over)
            .then(|| Outcome::Win(Color::white_if(self.state.has_king(Color::White))))
    }

    fn outcome_without_actions(&self) -> Outcome {
        if self.state.in_check() { Outcome::Win(!self.turn()) } else { Outcome::Draw }
    }

    fn is_between_turns(&self) -> bool {
        matches!(self.stage, Stage::Start | Stage::Over)
    }

    fn drawn_by_rule(&self) -> bool {
        let board = self.state.board();
        self.stage == Stage::Start
            && (self.state.fifty_moves()
                || board.occupied() == board.kind(Kind::KING)
                    && self.tracks.iter().all(|tracks| tracks.occupied() == 0))
    }

    #[inline]
    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        match self.stage {
            Stage::Start => self.list_turn(wanted, list),
            Stage::Jump(last) => {
                if wanted != Wanted::Noisy {
                    list_initiations(
                        Self::after(self.state.liftable(), last),
                        self.open_tracks(),
                        list,
                    );
                    list.push(QuantumAction::STOP);
                }
            }
            Stage::Free { square, targets, .. } => {
                self.state.each_move_to(square, targets, |action| {
                    let noisy = self.state.victim(action).is_some() || action.promoted().is_some();
                    if wanted == Wanted::All || noisy == (wanted == Wanted::Noisy) {
                        list.push(QuantumAction::simple(action));
                    }
                });
                if self.up_to && wanted != Wanted::Noisy {
                    list.push(QuantumAction::STOP);
                }
            }
            Stage::Over => {}
        }
    }

    #[inline]
    fn count_actions(&self) -> u64 {
        let tracks = || u64::from(self.open_tracks().count_ones());
        match self.stage {
            Stage::Start => {
                let sight = self.state.own_sight();
                let moves = self.state.count_moves_in(&sight, ChessMen::PROMOTIONS.len() as u32);
                let own = self.state.board().color(self.turn());
                moves + tracks() * u64::from(sight.liftable(own).count())
            }
            Stage::Jump(last) => {
                tracks() * u64::from(Self::after(self.state.liftable(), last).count()) + 1
            }
            Stage::Free { square, targets, .. } => {
                let mut moves = 0;
                self.state.each_move_to(square, targets, |_| moves += 1);
                moves + u64::from(self.up_to)
            }
            Stage::Over => 0,
        }
    }

    fn is_legal(&self, action: QuantumAction) -> bool {
        match (action.meaning(), self.stage) {
            (Meaning::Move(action), Stage::Start) => self.state.is_legal(action),
            (Meaning::Move(action), Stage::Free { square, .. }) => {
                action.from::<Board8>() == square
                    && !matches!(action.tag(), Tag::EnPassant | Tag::Castling)
                    && self.state.is_legal(action)
            }
            (Meaning::Initiate(square, track), Stage::Start) => {
                self.open_tracks() >> track & 1 != 0 && self.state.liftable().has(square)
            }
            (Meaning::Initiate(square, track), Stage::Jump(last)) => {
                self.open_tracks() >> track & 1 != 0
                    && Self::after(self.state.liftable(), last).has(square)
            }
            (Meaning::End, Stage::Jump(_)) => true,
            (Meaning::End, Stage::Free { .. }) => self.up_to,
            _ => false,
        }
    }

    fn outcomes(&self, _: impl FnMut(QuantumAction, u32)) {}

    fn is_fresh_turn(&self) -> bool {
        self.stage == Stage::Start
    }

    #[inline(always)]
    fn play<O: Observer<Board8>>(&mut self, action: QuantumAction, observer: &mut O) {
        match (action.meaning(), self.stage) {
            (Meaning::Move(action), Stage::Start) => self.move_normally(action, observer),
            (Meaning::Move(action), _) => self.move_freely(action, observer),
            (Meaning::Initiate(square, track), _) => self.initiate(square, track, observer),
            (Meaning::End, _) => self.end(observer),
        }
    }

    /// Not where men come back with this turn: what they capture may be own men, and their moves may
    /// be worse than none.
    fn may_pass(&self) -> bool {
        self.stage == Stage::Start && self.returning() == 0
    }

    /// Men on tracks stay where they are: who passes would rather have moved them.
    fn play_null(&mut self) {
        self.state.make_null();
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key() ^ self.tokens_key()
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key() ^ self.tokens_key()
    }

    /// Also where an enemy is about to come back to the king's square, unless it moves away; no check
    /// by the rules, but as urgent.
    fn in_check(&self) -> bool {
        if self.stage == Stage::Over {
            return false;
        }
        let us = self.state.turn();
        self.state.in_check()
            || self.tracks(!us).occupied() != 0
                && self.stage == Stage::Start
                && self.return_squares(!us).has(self.state.king(us))
    }

    /// A normal move captures what the returns that it brings about capture as well.
    #[inline(always)]
    fn gist(&self, action: QuantumAction) -> Gist {
        match action.meaning() {
            Meaning::Move(action) => {
                let gist = self.state.gist(action);
                if self.returning() == 0 {
                    return gist;
                }
                let (won, _, first) = self.return_captures(action);
                let by_kind = first.map_or(0, |kind| kind.0 + 1);
                Gist {
                    victim: gist.victim + won,
                    victim_kind: if gist.victim_kind == 0 { by_kind } else { gist.victim_kind },
                    ..gist
                }
            }
            // A track takes the place of a square: histories learn something of men and tracks.
            Meaning::Initiate(square, track) => Gist {
                piece: self.state.board().at(square).map_or(0, |piece| piece.code() as u8),
                from: square.index() as u8,
                to: track as u8,
                ..Gist::NONE
            },
            Meaning::End => Gist::NONE,
        }
    }

    fn exchange_gains(&self, action: QuantumAction, threshold: i32) -> bool {
        match action.meaning() {
            Meaning::Move(action) => {
                let (won, lost, _) = self.return_captures(action);
                self.state.exchange_gains(action, threshold - won + lost)
            }
            _ => threshold <= 0,
        }
    }

    fn away(&self, mut each: impl FnMut(Away<Board8>)) {
        for color in Color::ALL {
            for (track, traveller) in self.tracks(color).travellers() {
                let Traveller { kind, square, circle } = traveller;
                // The turns of both sides that go by before it comes back.
                let turns = 2 * u32::from(circle - 1);
                let wait = if color != self.state.turn() {
                    turns + 1
                } else if self.stage == Stage::Start || self.due >> track & 1 != 0 {
                    turns
                } else {
                    turns + 2
                };
                let free = self.board.free_moves(track);
                each(Away { piece: Piece::new(kind, color), square, wait, free });
            }
        }
    }

    fn gem_count(&self, color: Color) -> u32 {
        self.gems(color).into()
    }

    fn free_mover(&self) -> Option<(Square<Board8>, u8)> {
        match self.stage {
            Stage::Free { left, square, .. } => Some((square, left)),
            _ => None,
        }
    }

    fn family(_: &Setup) -> Family {
        Family::Quantum
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        let mut start =
            Self::from_fen(setup, text::START).unwrap_or_else(|error| unreachable!("{error}"));
        (start.board, start.up_to) = (setup.board, setup.up_to);
        start
    }

    fn from_fen(_: &Setup, text: &str) -> Result<Self, FenError> {
        Self::read(text)
    }

    fn fen(&self, _: &Setup) -> String {
        self.text()
    }

    fn action_text(&self, _: &Setup, action: QuantumAction) -> String {
        match action.meaning() {
            Meaning::Move(action) => {
                self.state.move_text(action, CHESS_LETTERS, CastlingStyle::Standard)
            }
            Meaning::Initiate(square, track) => format!("{square}t{}", track + 1),
            Meaning::End => "end".to_owned(),
        }
    }

    fn parse_action(&self, setup: &Setup, text: &str) -> Option<QuantumAction> {
        if self.stage == Stage::Over {
            return None;
        }
        let action = if text == "end" {
            QuantumAction::STOP
        } else if let Some((square, track)) = text.split_once('t') {
            let track = tracks::number(track)?.checked_sub(1)?;
            let track = Some(usize::from(track)).filter(|&track| track < MAX_TRACKS)?;
            QuantumAction::initiate(Square::parse(square)?, track)
        } else {
            let found = self.state.parse_move(text, CHESS_LETTERS, CastlingStyle::Standard)?;
            QuantumAction::simple(found)
        };
        // A number may be written in several ways, an action only in one.
        (self.is_legal(action) && self.action_text(setup, action) == text).then_some(action)
    }

    fn plain_move(action: QuantumAction) -> Option<Move> {
        match action.meaning() {
            Meaning::Move(action) => Some(action),
            Meaning::Initiate(..) | Meaning::End => None,
        }
    }

    fn draw(&self, _: &Setup, colors: bool) -> String {
        self.drawing(colors)
    }
}

/// Lists every way to send one of these men to one of these tracks.
fn list_initiations(men: Bitboard<Board8>, tracks: u8, list: &mut ArrayVec<QuantumAction, 1024>) {
    for square in men {
        for track in each_bit(tracks) {
            list.push(QuantumAction::initiate(square, track));
        }
    }
}

impl Quantum {
    /// The actions with which a turn may begin.
    #[inline(always)]
    fn list_turn(&self, wanted: Wanted, list: &mut ArrayVec<QuantumAction, 1024>) {
        let sort = match wanted {
            Wanted::All => Some(Wanted::All),
            _ if !self.returns_capture() => Some(wanted),
            Wanted::Noisy => Some(Wanted::All),
            Wanted::Quiet => None,
        };
        let sight = self.state.own_sight();
        if let Some(sort) = sort {
            self.state.each_move_in(
                &sight,
                !Bitboard::EMPTY,
                sort,
                ChessMen::PROMOTIONS,
                |action| {
                    list.push(QuantumAction::simple(action));
                },
            );
        }
        let tracks = self.open_tracks();
        if wanted != Wanted::Noisy && tracks != 0 {
            let own = self.state.board().color(self.turn());
            list_initiations(sight.liftable(own), tracks, list);
        }
    }

    /// What the hash says beyond the board.
    fn tokens_key(&self) -> u64 {
        let stage = match self.stage {
            Stage::Start | Stage::Over => 0,
            Stage::Jump(square) => 1 | (square.index() as u64) << 8,
            Stage::Free { track, left, square, .. } => {
                2 | (square.index() as u64) << 8 | u64::from(track) << 16 | u64::from(left) << 24
            }
        };
        let [white, black] = self.gems.map(u64::from);
        let ep = self.ep.map_or(0, |square| 1 + square.index() as u64);
        let word = white | black << 4 | stage << 8 | u64::from(self.due) << 40 | ep << 48;
        let rules = self.board.key() ^ u64::from(self.up_to);
        mix(rules ^ mix(word)) ^ self.tracks[0].key() ^ self.tracks[1].key().rotate_left(32)
    }
}

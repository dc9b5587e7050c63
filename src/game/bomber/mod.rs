//! `bomber`, Bomber Pawn: chess whose pawns may explode, with a deck of cards that say how (seed
//! `000_653ae52e982565f6`, Game #3; specification page bomber.md).

mod action;
mod deck;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Board8, Color, Geometry, Square, zobrist};

use super::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Kind, Leniency, LooseFen, Men, Move,
    Observer, Piece, State, Tag, Wanted, draw_board, draw_facts,
};
use super::{Family, Game, Gist, Outcome};

pub use action::{BomberAction, Meaning};
pub use deck::{Card, Deck, DeckError, DeckFileError, DeckFlaw, MAX_PATTERNS, MIN_CARDS, Pattern};

const VARIANT: &str = "bomber";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Copies left of each pattern.
const DECK: &str = "deck";
/// The pawn whose card is due.
const BOOM: &str = "boom";

/// A game that ends by an explosion has a last position without a king, or with one that can be
/// taken.
const LENIENCY: Leniency =
    Leniency { missing_kings: true, other_side_in_check: true, ..Leniency::NONE };

/// What exploding a king counts for, in centipawns, where an explosion's worth is estimated by
/// material: about as much as decides a game.
const KING_STAKE: i32 = 2000;

/// The deck.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// The cards; a FEN's `deck=` counts them in this order.
    pub deck: Arc<Deck>,
}

/// A position of bomber.
///
/// It has its cards with it: an index into a deck elsewhere would have to be shared, and counting
/// the sharers would cost every thread of a search more than copying three cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bomber {
    state: State<ChessMen>,
    patterns: [Pattern; MAX_PATTERNS],
    /// Copies left of each.
    left: [u8; MAX_PATTERNS],
    /// The pawn whose card is due; the turn has not passed yet.
    boom: Option<Square<Board8>>,
    /// How the game has ended by an explosion. Moves alone never end it so.
    outcome: Option<Outcome>,
    /// The key of `left` and `boom`.
    deck_key: u64,
}

impl Bomber {
    /// The pawn whose card is due.
    pub fn boom(&self) -> Option<Square<Board8>> {
        self.boom
    }

    /// How many cards of that number, from 0, are left.
    pub fn left(&self, card: usize) -> u8 {
        self.left.get(card).copied().unwrap_or_default()
    }

    /// How many cards are left.
    pub fn cards_left(&self) -> u32 {
        self.left.iter().map(|&left| u32::from(left)).sum()
    }

    #[inline(always)]
    fn is_decision(&self) -> bool {
        self.boom.is_none() && self.outcome.is_none()
    }

    fn has_cards(&self) -> bool {
        self.left != [0; MAX_PATTERNS]
    }

    fn fresh_deck_key(&self) -> u64 {
        let boom = self.boom.map_or(0, |pawn| zobrist::boom(pawn.index()));
        (0..).zip(self.left).fold(boom, |key, (card, left)| key ^ zobrist::card(card, left))
    }

    fn set_boom(&mut self, boom: Option<Square<Board8>>) {
        for pawn in [self.boom, boom].into_iter().flatten() {
            self.deck_key ^= zobrist::boom(pawn.index());
        }
        self.boom = boom;
    }

    /// Puts a card on the discard pile.
    fn discard(&mut self, card: usize) {
        let Some(left) = self.left.get_mut(card) else { return };
        debug_assert!(*left > 0, "there is no card {card} left");
        self.deck_key ^= zobrist::card(card, *left);
        *left = left.saturating_sub(1);
        self.deck_key ^= zobrist::card(card, *left);
    }

    fn explode<O: Observer<Board8>>(&mut self, card: usize, observer: &mut O) {
        debug_assert!(self.boom.is_some(), "no pawn explodes");
        let Some(pawn) = self.boom else { return };
        self.set_boom(None);
        self.discard(card);
        let pattern = self.patterns.get(card).copied().unwrap_or_default();
        let squares = pattern.blast(pawn, self.turn()) | pawn.into();
        self.state.clear_squares(squares, observer);
        self.state.end_turn();
        self.outcome = self.verdict();
    }

    /// How the game has ended here, looking at kings alone.
    fn verdict(&self) -> Option<Outcome> {
        let us = self.turn();
        match (self.state.has_king(us), self.state.has_king(!us)) {
            (false, false) => Some(Outcome::Draw),
            (false, true) => Some(Outcome::Win(!us)),
            (true, false) => Some(Outcome::Win(us)),
            // While a card is due the turn has not passed, and a check on the enemy is just that.
            (true, true) if self.boom.is_some() => None,
            (true, true) => self.state.is_attacked(!us).then_some(Outcome::Win(us)),
        }
    }

    /// The squares right in front of which, as the side to move sees it, an enemy man stands.
    #[inline(always)]
    fn contact(&self) -> Bitboard<Board8> {
        let us = self.turn();
        self.state.board().color(!us).forward(!us)
    }

    /// Every legal move whose pawn may explode. Promoted pawns and those that took en passant never
    /// have anybody in front of them.
    #[inline(always)]
    fn each_explosion(&self, mut found: impl FnMut(Move)) {
        let (us, board) = (self.turn(), self.state.board());
        let (pawns, enemy) = (board.of(us, Kind::PAWN), board.color(!us));
        let (contact, empty) = (self.contact(), !board.occupied());
        let steps = pawns.forward(us) & empty;
        let doubles = (steps & Bitboard::relative_rank(us, 2)).forward(us) & empty & contact;
        let steps = steps & contact;
        let captures = pawns.pawn_attacks(us) & enemy & contact;
        // Rarely true, so that the rest may ask about each move on its own.
        if (steps | doubles | captures).is_empty() || !self.has_cards() {
            return;
        }
        let mut offer = |from, to, tag| {
            let action = Move::new(from, to, tag);
            if self.state.is_legal(action) {
                found(action);
            }
        };
        for to in steps {
            offer(to.forward(!us), to, Tag::Normal);
        }
        for to in doubles {
            offer(to.forward(!us).forward(!us), to, Tag::DoubleStep);
        }
        for to in captures {
            for from in Board8::pawn(!us, to) & pawns {
                offer(from, to, Tag::Normal);
            }
        }
    }

    /// The kind that stands in front of the square where an exploding pawn ends.
    fn faced(&self, action: Move) -> Option<Kind> {
        let front = action.to::<Board8>().forward(self.turn());
        self.state.board().at(front).map(Piece::kind)
    }

    /// Whether the material that an exploding move can expect to win, over all cards left, is
    /// `threshold` centipawns or more. A king counts [`KING_STAKE`]; what the enemy then takes, and
    /// whether the own king comes into check, is not looked at.
    fn explosion_gains(&self, action: Move, threshold: i32) -> bool {
        let (us, board) = (self.turn(), self.state.board());
        let (from, to) = (action.from::<Board8>(), action.to::<Board8>());
        let enemy = board.color(!us) - to.into();
        let own = board.color(us) - from.into();
        let captured = board.at(to).map_or(0, |piece| stake(piece.kind()));
        // Captured man and exploding pawn are the same for all cards.
        let certain = i64::from(captured - stake(Kind::PAWN) - threshold);
        let mut sum = 0;
        for (&pattern, &left) in self.patterns.iter().zip(&self.left) {
            if left == 0 {
                continue;
            }
            let blast = pattern.blast(to, us);
            let mut balance = certain;
            for &kind in ChessMen::BY_WORTH {
                let hit = board.kind(kind) & blast;
                let difference = i64::from((hit & enemy).count()) - i64::from((hit & own).count());
                balance += difference * i64::from(stake(kind));
            }
            sum += balance * i64::from(left);
        }
        sum >= 0
    }

    fn read_deck(setup: &Setup, text: Option<&str>) -> Result<[u8; MAX_PATTERNS], FenError> {
        let cards = setup.deck.cards();
        let mut left = [0; MAX_PATTERNS];
        for (slot, card) in left.iter_mut().zip(cards) {
            *slot = card.copies;
        }
        let Some(text) = text else { return Ok(left) };
        let error = |wanted| Err(FenError::Token { key: DECK, value: text.to_owned(), wanted });
        let counts: Vec<&str> = text.split(',').collect();
        if counts.len() != cards.len() {
            let (patterns, found) = (cards.len(), counts.len());
            return error(format!(
                "{patterns} counts with commas between, one for each pattern of the deck, not {found}"
            ));
        }
        for (index, (count, card)) in counts.into_iter().zip(cards).enumerate() {
            let digits = count.bytes().all(|byte| byte.is_ascii_digit());
            match count.parse() {
                Ok(count) if digits && count <= card.copies => left[index] = count,
                _ => {
                    return error(format!(
                        "0 to {} cards of pattern {} ({}), not {count:?}",
                        card.copies,
                        index + 1,
                        card.name
                    ));
                }
            }
        }
        Ok(left)
    }

    /// Checks that the pawn on that square may explode.
    fn read_boom(&self, text: &str) -> Result<Square<Board8>, FenError> {
        let error = |wanted| FenError::Token { key: BOOM, value: text.to_owned(), wanted };
        if !self.has_cards() {
            return Err(error("no explosion, for the deck is empty".to_owned()));
        }
        let (us, board) = (self.turn(), self.state.board());
        let pawns = board.of(us, Kind::PAWN) & self.contact();
        Square::parse(text).filter(|&square| pawns.has(square)).ok_or_else(|| {
            error(format!("the square of a {us} pawn with a {} piece right in front of it", !us))
        })
    }
}

/// The worth of a kind in centipawns where material is added up.
fn stake(kind: Kind) -> i32 {
    if kind == Kind::KING { KING_STAKE } else { ChessMen::WORTH[kind.index()] }
}

impl Game for Bomber {
    type Men = ChessMen;
    type Action = BomberAction;
    // As many as chess has room for: a pawn with somebody to explode against has few other moves.
    type Actions = ArrayVec<BomberAction, 512>;
    type Setup = Setup;

    const HAS_CHANCE: bool = true;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = false;
    const ALTERNATES: bool = false;

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
        self.boom.is_some()
    }

    #[inline(always)]
    fn ended(&self) -> Option<Outcome> {
        self.outcome
    }

    fn outcome_without_actions(&self) -> Outcome {
        if self.in_check() { Outcome::Win(!self.turn()) } else { Outcome::Draw }
    }

    fn drawn_by_rule(&self) -> bool {
        self.state.fifty_moves() || self.state.insufficient_material()
    }

    /// None where a card is due or a king is lost.
    #[inline]
    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        if !self.is_decision() {
            return;
        }
        self.state.each_move(wanted, |action| list.push(BomberAction::simple(action)));
        if wanted != Wanted::Quiet {
            self.each_explosion(|action| list.push(BomberAction::explosion(action)));
        }
    }

    #[inline]
    fn count_actions(&self) -> u64 {
        if !self.is_decision() {
            return 0;
        }
        let mut count = self.state.count_moves();
        self.each_explosion(|_| count += 1);
        count
    }

    /// At a chance position the events that are possible are legal, and nothing else.
    fn is_legal(&self, action: BomberAction) -> bool {
        match action.meaning() {
            Meaning::Move(action) => self.is_decision() && self.state.is_legal(action),
            Meaning::Explosion(action) => {
                let pawns = self.state.board().of(self.turn(), Kind::PAWN);
                self.is_decision()
                    && matches!(action.tag(), Tag::Normal | Tag::DoubleStep)
                    && pawns.has(action.from())
                    && self.contact().has(action.to())
                    && self.has_cards()
                    && self.state.is_legal(action)
            }
            Meaning::Card(card) => {
                self.boom.is_some() && self.outcome.is_none() && self.left(card) > 0
            }
        }
    }

    fn outcomes(&self, mut each: impl FnMut(BomberAction, u32)) {
        // As text: card:1, card:10, …, card:18, card:2, …
        let order = std::iter::once(0).chain(9..MAX_PATTERNS).chain(1..9);
        for card in order {
            let left = self.left(card);
            if left > 0 {
                each(BomberAction::card(card), left.into());
            }
        }
    }

    fn is_fresh_turn(&self) -> bool {
        self.boom.is_none()
    }

    #[inline(always)]
    fn play<O: Observer<Board8>>(&mut self, action: BomberAction, observer: &mut O) {
        match action.meaning() {
            Meaning::Move(action) => self.state.make(action, observer),
            Meaning::Explosion(action) => {
                self.state.make_men(action, observer);
                self.set_boom(Some(action.to()));
            }
            Meaning::Card(card) => self.explode(card, observer),
        }
    }

    #[inline(always)]
    fn may_pass(&self) -> bool {
        self.is_decision()
    }

    fn play_null(&mut self) {
        self.state.make_null();
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key() ^ self.deck_key
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key() ^ self.fresh_deck_key()
    }

    /// Never in a game that an explosion has ended.
    #[inline(always)]
    fn in_check(&self) -> bool {
        self.outcome.is_none() && self.state.in_check()
    }

    /// An explosion is told as the capture of the man in front of the pawn, at whom it is aimed,
    /// besides what the move itself captures, whichever kind that is then told first. So it is noisy
    /// even if the move is quiet.
    fn gist(&self, action: BomberAction) -> Gist {
        match action.meaning() {
            Meaning::Move(action) => self.state.gist(action),
            Meaning::Explosion(action) => {
                let gist = self.state.gist(action);
                let faced = self.faced(action);
                let by_kind = faced.map_or(0, |kind| kind.0 + 1);
                Gist {
                    victim: gist.victim + faced.map_or(0, stake),
                    victim_kind: if gist.victim_kind == 0 { by_kind } else { gist.victim_kind },
                    ..gist
                }
            }
            Meaning::Card(_) => Gist::NONE,
        }
    }

    fn exchange_gains(&self, action: BomberAction, threshold: i32) -> bool {
        match action.meaning() {
            Meaning::Move(action) => self.state.exchange_gains(action, threshold),
            Meaning::Explosion(action) => self.explosion_gains(action, threshold),
            Meaning::Card(_) => threshold <= 0,
        }
    }

    fn family(_: &Setup) -> Family {
        Family::Chess
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        Self::from_fen(setup, START).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn from_fen(setup: &Setup, text: &str) -> Result<Self, FenError> {
        let mut loose = LooseFen::parse(text, CHESS_LETTERS)?;
        loose.check_keys(VARIANT, &[DECK, BOOM])?;
        let left = Self::read_deck(setup, loose.token(DECK))?;
        let boom = loose.token(BOOM).map(str::to_owned);
        if boom.is_some() {
            // Nobody can capture before the card is drawn, nor after it.
            loose.ep = None;
        }
        let mut patterns = [Pattern::default(); MAX_PATTERNS];
        for (slot, card) in patterns.iter_mut().zip(setup.deck.cards()) {
            *slot = card.pattern;
        }
        let mut position = Self {
            state: loose.into_state_with(CastlingStyle::Standard, LENIENCY)?,
            patterns,
            left,
            boom: None,
            outcome: None,
            deck_key: 0,
        };
        if let Some(text) = boom {
            position.boom = Some(position.read_boom(&text)?);
        }
        position.outcome = position.verdict();
        position.deck_key = position.fresh_deck_key();
        Ok(position)
    }

    fn fen(&self, setup: &Setup) -> String {
        let mut text = self.state.fen(CHESS_LETTERS, CastlingStyle::Standard);
        let cards = setup.deck.cards();
        if cards.iter().zip(self.left).any(|(card, left)| card.copies != left) {
            let counts: Vec<_> = self.left.iter().take(cards.len()).map(u8::to_string).collect();
            let _ = write!(text, " {DECK}={}", counts.join(","));
        }
        if let Some(pawn) = self.boom {
            let _ = write!(text, " {BOOM}={pawn}");
        }
        text
    }

    fn action_text(&self, _: &Setup, action: BomberAction) -> String {
        let text = |action| self.state.move_text(action, CHESS_LETTERS, CastlingStyle::Standard);
        match action.meaning() {
            Meaning::Move(action) => text(action),
            Meaning::Explosion(action) => text(action) + "*",
            Meaning::Card(card) => format!("card:{}", card + 1),
        }
    }

    fn plain_move(action: BomberAction) -> Option<Move> {
        match action.meaning() {
            Meaning::Move(action) => Some(action),
            Meaning::Explosion(_) | Meaning::Card(_) => None,
        }
    }

    fn event_name(&self, setup: &Setup, event: BomberAction) -> String {
        match event.meaning() {
            Meaning::Card(card) => setup.deck.cards().get(card).map(|card| card.name.clone()),
            _ => None,
        }
        .unwrap_or_else(|| self.action_text(setup, event))
    }

    fn event_form(&self) -> &'static str {
        "card:<i>"
    }

    fn parse_action(&self, setup: &Setup, text: &str) -> Option<BomberAction> {
        let action = if let Some(number) = text.strip_prefix("card:") {
            let card = number.parse::<usize>().ok()?.checked_sub(1)?;
            BomberAction::card((card < MAX_PATTERNS).then_some(card)?)
        } else if self.is_decision() {
            let (body, explodes) =
                text.strip_suffix('*').map_or((text, false), |body| (body, true));
            let found = self.state.parse_move(body, CHESS_LETTERS, CastlingStyle::Standard)?;
            if explodes { BomberAction::explosion(found) } else { BomberAction::simple(found) }
        } else {
            return None;
        };
        // A number may be written in several ways, an action only in one.
        (self.is_legal(action) && self.action_text(setup, action) == text).then_some(action)
    }

    fn draw(&self, setup: &Setup, _: bool) -> String {
        let mut text = draw_board(&self.state, CHESS_LETTERS, |_, letter| letter.to_owned());
        let _ = write!(text, "\nDeck: {} cards left", self.cards_left());
        for (index, (card, left)) in setup.deck.cards().iter().zip(self.left).enumerate() {
            let mark = if index == 0 { ':' } else { ',' };
            let _ = write!(text, "{mark} {} {} x{left}", index + 1, card.name);
        }
        text.push('\n');
        if let Some(pawn) = self.boom {
            let _ = writeln!(text, "Boom: the pawn on {pawn} awaits its card");
        }
        let checkers =
            if self.state.has_king(self.turn()) { self.state.checkers() } else { Bitboard::EMPTY };
        text + &draw_facts(&self.fen(setup), self.key(), checkers)
    }
}

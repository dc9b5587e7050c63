use thiserror::Error;

use crate::core::Color;

use super::kernel::FenError;
use super::{Game, Node, Outcome, perft};

/// Why a `position` was refused; the position before it stands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An action of the list is not legal where it stands.
    #[error("action {place} ({text:?}) {reason}, after {fen}")]
    Action {
        /// Its place in the list, from 1.
        place: usize,
        /// The action.
        text: String,
        /// What is wrong with it.
        reason: Unplayable,
        /// The position in which it should have been played.
        fen: String,
    },
}

/// Why a text is nothing that can be played in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unplayable {
    /// The game has ended.
    #[error("comes after the end of the game")]
    Over,
    /// A player is to decide, and it is none of the actions.
    #[error("is no legal action, such as {0}")]
    Illegal(String),
    /// Chance is to decide, and it is none of the events.
    #[error("is no possible event; {form} is due, such as {example}")]
    NoEvent {
        /// How those are written.
        form: &'static str,
        /// The likeliest of them.
        example: String,
    },
}

impl Unplayable {
    /// Why nothing that is written otherwise than the actions and events of the position can be played.
    fn of<G: Game>(setup: &G::Setup, position: &G, text: &str) -> Self {
        // A list may run on through a draw by rule, so that is no reason.
        if position.ended().is_some() {
            return Self::Over;
        }
        if !position.is_chance() {
            let like = alike(setup, position, text);
            return if like.is_empty() { Self::Over } else { Self::Illegal(like.join(", ")) };
        }
        let (mut likeliest, mut most) = (None, 0);
        position.outcomes(|event, weight| {
            if weight > most {
                (likeliest, most) = (Some(event), weight);
            }
        });
        let example = likeliest.map(|event| position.action_text(setup, event));
        Self::NoEvent { form: position.event_form(), example: example.unwrap_or_default() }
    }
}

/// Some of the legal actions that are written most like a text: what may have been meant.
fn alike<G: Game>(setup: &G::Setup, position: &G, text: &str) -> Vec<String> {
    const MOST: usize = 3;
    let text = text.to_ascii_lowercase();
    let likeness = |legal: &str| {
        let legal = legal.to_ascii_lowercase();
        let same = |(a, b): &(char, char)| a == b;
        let front = legal.chars().zip(text.chars()).take_while(same).count();
        let back = legal.chars().rev().zip(text.chars().rev()).take_while(same).count();
        2 * front + back
    };
    let legal = perft::branches(position).into_iter();
    let mut legal: Vec<(usize, String)> = legal
        .map(|action| position.action_text(setup, action))
        .map(|legal| (likeness(&legal), legal))
        .collect();
    let most = legal.iter().map(|&(likeness, _)| likeness).max();
    legal.retain(|&(likeness, _)| Some(likeness) == most);
    legal.sort();
    legal.into_iter().take(MOST).map(|(_, legal)| legal).collect()
}

/// By what rule a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndRule {
    /// The side to decide is in check and has no action.
    Checkmate,
    /// The side to decide has no action and is not in check.
    Stalemate,
    /// A king is gone or cannot be saved, by a rule of the game's own.
    KingLost,
    /// So many moves without a capture or a pawn's move.
    FiftyMoves,
    /// The position stands for the third time.
    Repetition,
    /// Too few men to mate.
    Material,
}

/// A position and how it came about: what repetition needs to know.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    position: G,
    /// The repetition keys of the positions after each move, the latest last.
    keys: Vec<u64>,
}

impl<G: Game> Record<G> {
    /// A game that begins here.
    pub fn new(position: G) -> Self {
        let keys = vec![position.repetition_key()];
        Self { position, keys }
    }

    /// A start position or FEN, and the actions played from it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse<S: AsRef<str>>(
        setup: &G::Setup,
        fen: Option<&str>,
        actions: &[S],
    ) -> Result<Self, PositionError> {
        let start = match fen {
            Some(fen) => G::from_fen(setup, fen)?,
            None => G::start(setup),
        };
        let mut record = Self::new(start);
        for (index, text) in actions.iter().enumerate() {
            let text = text.as_ref();
            let Some(action) = record.position.parse_action(setup, text) else {
                let position = &record.position;
                return Err(PositionError::Action {
                    place: index + 1,
                    text: text.to_owned(),
                    reason: Unplayable::of(setup, position, text),
                    fen: position.fen(setup),
                });
            };
            record.play(action);
        }
        Ok(record)
    }

    /// The current position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The repetition keys of the first position and of those after each move, the latest last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal action or a possible event.
    pub fn play(&mut self, action: G::Action) {
        self.position.play(action, &mut ());
        if G::is_move(action) && self.position.is_between_turns() {
            self.keys.push(self.position.repetition_key());
        }
    }

    /// Whether the current position stands for the third time.
    pub fn is_threefold(&self) -> bool {
        self.position.is_between_turns() && is_threefold(&self.keys)
    }

    /// What the current position is, repetition included.
    pub fn node(&self) -> Node {
        match self.position.node() {
            Node::Over(outcome) => Node::Over(outcome),
            _ if self.is_threefold() => Node::Over(Outcome::Draw),
            node => node,
        }
    }

    /// Who won and by what rule, if the game is over.
    pub fn end(&self) -> Option<(Outcome, EndRule)> {
        let Node::Over(outcome) = self.node() else { return None };
        let position = &self.position;
        let state = position.state();
        let stuck = || !position.is_chance() && position.count_actions() == 0;
        let rule = match outcome {
            _ if Color::ALL.iter().any(|&color| !state.has_king(color)) => EndRule::KingLost,
            Outcome::Win(color) if position.turn() != color && position.in_check() => {
                EndRule::Checkmate
            }
            Outcome::Win(_) => EndRule::KingLost,
            Outcome::Draw if position.ended().is_some() || stuck() => EndRule::Stalemate,
            Outcome::Draw if self.is_threefold() => EndRule::Repetition,
            Outcome::Draw if state.fifty_moves() => EndRule::FiftyMoves,
            Outcome::Draw => EndRule::Material,
        };
        Some((outcome, rule))
    }
}

/// Whether the last of these repetition keys stands for the third time.
pub(super) fn is_threefold(keys: &[u64]) -> bool {
    let current = keys.last();
    keys.iter().filter(|&key| Some(key) == current).count() >= 3
}

//! The exact value of a position within a number of player actions, as the specification defines
//! `solve`: rational arithmetic, true probabilities, no heuristics.
//!
//! The tree is cut only where the rest cannot matter: alpha-beta between decisions, nothing across
//! chance. It shares no code with the search, so that the one can be checked against the other.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul};
use thiserror::Error;

use crate::core::Color;

use super::record::is_threefold;
use super::{Game, Outcome, Record, Wanted};

/// Why a position has not been solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// It was told to stop.
    #[error("stopped before the position was solved")]
    Stopped,
    /// The probabilities of this position and depth make fractions that 127 bits cannot hold.
    #[error("the exact value needs a fraction of more than 127 bits; try a smaller depth")]
    Overflow,
}

/// The exact value of a position within so many player actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<A> {
    /// From −1, lost, to +1, won, for the side whose decision the position is; at a chance position
    /// for the FEN's side to move.
    pub value: Ratio<i128>,
    /// Every action that attains the value, in the order of generation. None if no player is to
    /// decide, if the position is over, or if nothing may be played within 0 actions.
    pub best: Vec<A>,
}

impl<A> Solution<A> {
    /// The value with nine decimals, rounded half away from zero.
    pub fn value_text(&self) -> String {
        decimal(self.value)
    }
}

/// Nine decimals of a fraction by long division in steps of addition, which cannot overflow.
fn decimal(value: Ratio<i128>) -> String {
    const DIGITS: u32 = 9;
    let (numerator, denominator) = (value.numer().unsigned_abs(), value.denom().unsigned_abs());
    let mut whole = numerator / denominator;
    let mut rest = numerator % denominator;
    let mut digits: u64 = 0;
    for _ in 0..DIGITS {
        let (mut digit, mut tenfold) = (0, 0);
        for _ in 0..10 {
            tenfold += rest;
            if tenfold >= denominator {
                tenfold -= denominator;
                digit += 1;
            }
        }
        digits = 10 * digits + digit;
        rest = tenfold;
    }
    if rest >= denominator - rest {
        digits += 1;
        if digits == 10_u64.pow(DIGITS) {
            (whole, digits) = (whole + 1, 0);
        }
    }
    let negative = *value.numer() < 0 && (whole, digits) != (0, 0);
    format!("{}{whole}.{digits:09}", if negative { "-" } else { "" })
}

/// What a position is worth within `depth` player actions, and what attains it.
///
/// Draws by rule end a line; for repetition the positions of the record count too. `stop` is
/// looked at all the while.
///
/// # Errors
/// `stop` was raised, or the value is no fraction of two 128-bit numbers.
pub fn solve<G: Game>(
    record: &Record<G>,
    depth: u32,
    stop: &AtomicBool,
) -> Result<Solution<G::Action>, SolveError> {
    let position = record.position();
    let us = position.turn();
    let mut solver = Solver::<G> { keys: record.keys().to_vec(), stop, game: PhantomData };
    let (value, best) = solver.root(position, depth)?;
    Ok(Solution { value: value * i128::from(us.sign()), best })
}

/// For White, as all values inside are: the sides need not alternate.
type Value = Ratio<i128>;

const fn worth(outcome: Outcome) -> Value {
    Ratio::new_raw(
        match outcome {
            Outcome::Win(Color::White) => 1,
            Outcome::Win(Color::Black) => -1,
            Outcome::Draw => 0,
        },
        1,
    )
}

fn is_better(us: Color, value: Value, than: Value) -> bool {
    match us {
        Color::White => value > than,
        Color::Black => value < than,
    }
}

/// How good for one side a value must at least be to matter.
#[derive(Clone, Copy)]
struct Bound {
    value: Value,
    /// Whether an equal value matters too.
    closed: bool,
}

/// The values that matter: for each side, what it can have elsewhere.
#[derive(Clone, Copy)]
struct Window([Bound; 2]);

impl Window {
    /// Every value.
    const FULL: Self = Self([
        Bound { value: worth(Outcome::Win(Color::Black)), closed: true },
        Bound { value: worth(Outcome::Win(Color::White)), closed: true },
    ]);

    /// Whether a value is so good for `us` that the other side will not let it come to this.
    fn is_refused(&self, us: Color, value: Value) -> bool {
        let other = &self.0[(!us).index()];
        is_better(us, value, other.value) || (value == other.value && !other.closed)
    }

    /// `us` can have that value.
    fn secure(&mut self, us: Color, value: Value, closed: bool) {
        let own = &mut self.0[us.index()];
        if is_better(us, value, own.value) || value == own.value {
            *own = Bound { value, closed: closed && (value != own.value || own.closed) };
        }
    }
}

struct Solver<'a, G> {
    /// The repetition keys up to the current position.
    keys: Vec<u64>,
    stop: &'a AtomicBool,
    game: PhantomData<G>,
}

impl<G: Game> Solver<'_, G> {
    fn root(&mut self, position: &G, depth: u32) -> Result<(Value, Vec<G::Action>), SolveError> {
        let mut best = Vec::new();
        if depth == 0 || position.ended().is_some() || position.is_chance() {
            return Ok((self.value(position, depth, Window::FULL)?, best));
        }
        let mut list = G::Actions::default();
        position.actions(Wanted::All, &mut list);
        if let Some(outcome) = self.outcome(position, list.as_ref().is_empty()) {
            return Ok((worth(outcome), best));
        }
        let us = position.turn();
        let mut value = worth(Outcome::Win(!us));
        let mut window = Window::FULL;
        for &action in list.as_ref() {
            let found = self.child(position, action, depth - 1, window)?;
            if is_better(us, found, value) {
                value = found;
                best.clear();
                // Closed: all that is as good is wanted as well.
                window.secure(us, value, true);
            }
            if found == value {
                best.push(action);
            }
        }
        Ok((value, best))
    }

    /// How a position ended that is a chance position, or a decision with or without actions.
    fn outcome(&self, position: &G, stuck: bool) -> Option<Outcome> {
        if stuck {
            Some(position.outcome_without_actions())
        } else if position.drawn_by_rule()
            || position.is_between_turns() && is_threefold(&self.keys)
        {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn child(
        &mut self,
        position: &G,
        action: G::Action,
        depth: u32,
        window: Window,
    ) -> Result<Value, SolveError> {
        let mut child = position.clone();
        child.play(action, &mut ());
        if depth == 0 {
            return Ok(at_horizon(&child));
        }
        let keys = self.keys.len();
        if G::is_move(action) && child.is_between_turns() {
            self.keys.push(child.repetition_key());
        }
        let value = self.value(&child, depth, window);
        self.keys.truncate(keys);
        value
    }

    /// The value if it matters to `window`; else one on the same side of it, between it and the
    /// true one.
    fn value(&mut self, position: &G, depth: u32, mut window: Window) -> Result<Value, SolveError> {
        if depth == 0 {
            return Ok(at_horizon(position));
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        if let Some(outcome) = position.ended() {
            return Ok(worth(outcome));
        }
        if G::HAS_CHANCE && position.is_chance() {
            return match self.outcome(position, false) {
                Some(outcome) => Ok(worth(outcome)),
                None => self.expectation(position, depth),
            };
        }
        let mut list = G::Actions::default();
        position.actions(Wanted::All, &mut list);
        if let Some(outcome) = self.outcome(position, list.as_ref().is_empty()) {
            return Ok(worth(outcome));
        }
        let us = position.turn();
        let mut value = worth(Outcome::Win(!us));
        for &action in list.as_ref() {
            let found = self.child(position, action, depth - 1, window)?;
            if is_better(us, found, value) {
                value = found;
            }
            if value == worth(Outcome::Win(us)) || window.is_refused(us, value) {
                break;
            }
            window.secure(us, value, false);
        }
        Ok(value)
    }

    fn expectation(&mut self, position: &G, depth: u32) -> Result<Value, SolveError> {
        let mut outcomes = Vec::new();
        position.outcomes(|event, weight| outcomes.push((event, weight)));
        let mut sum = worth(Outcome::Draw);
        let mut total = worth(Outcome::Draw);
        for (event, weight) in outcomes {
            let weight = Ratio::from_integer(i128::from(weight));
            let found = self.child(position, event, depth, Window::FULL)?;
            let share = found.checked_mul(&weight).ok_or(SolveError::Overflow)?;
            sum = sum.checked_add(&share).ok_or(SolveError::Overflow)?;
            total = total.checked_add(&weight).ok_or(SolveError::Overflow)?;
        }
        sum.checked_div(&total).ok_or(SolveError::Overflow)
    }
}

/// The value when no action is left. Draws and positions that are not over are worth the same, so
/// only a decisive end has to be looked for.
fn at_horizon<G: Game>(position: &G) -> Value {
    worth(position.ended().unwrap_or_else(|| {
        if position.is_chance() {
            return Outcome::Draw;
        }
        match position.outcome_without_actions() {
            Outcome::Win(winner) if position.count_actions() == 0 => Outcome::Win(winner),
            _ => Outcome::Draw,
        }
    }))
}

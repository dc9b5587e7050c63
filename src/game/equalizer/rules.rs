//! What is due in each mode and what follows from it, in the order of the rulebook (seed
//! `002_6be5d1ae19d3951a`, "Chess Equalizer Rulebook") and in the words of the specification page
//! equalizer.md. No other file knows a rule of a mode.

use crate::core::{Board8, Color, Square};
use crate::game::kernel::Kind;

use super::{Die, Equalizer, Face, Mode, Waiting, Which};

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// A move by the side to move. Without any legal move the game is over.
    Move(Limit),
    /// A capture by the side to move, or its refusal.
    CaptureOrRefuse,
    /// That side chooses between two dice.
    Take(Color),
    /// The side that has just moved picks a man of that kind.
    Pick(Kind),
    /// One die.
    Roll(Roll),
    /// Two dice.
    RollBoth,
}

/// What may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Any man.
    Any,
    /// Men of these kinds, a bit each.
    Kinds(u8),
    /// The man on that square.
    Man(Square<Board8>),
}

/// What a single die is rolled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Roll {
    /// The move now, the first time.
    First,
    /// The move now, the last time.
    Second,
    /// The next move of the side that has just captured.
    Forecast,
    /// A man of that side to pick, the first time.
    Specific,
    /// The same, the last time.
    SpecificSecond,
}

/// A side with so few men does not roll.
const FREE_MEN: u32 = 3;

impl Equalizer {
    /// "Whenever a player has only 3 pieces or less that player no longer rolls".
    fn is_free(&self, side: Color) -> bool {
        self.state.board().color(side).count() <= FREE_MEN
    }

    /// Bound to a face that may turn out to allow no move, which sets free.
    fn bound(&self, face: Face) -> Due {
        Due::Move(match face.kind() {
            Some(_) if face.fits(self.movable) => Limit::Kinds(1 << face.index()),
            _ => Limit::Any,
        })
    }

    /// The face, or ∞ if it allows no move.
    fn or_wild(&self, face: Face) -> Face {
        if face.fits(self.movable) { face } else { Face::WILD }
    }

    /// What comes next.
    // Modes with the same answer are told apart: the order is the rulebook's.
    #[allow(clippy::match_same_arms)]
    pub(super) fn work_out_due(&self) -> Due {
        let us = self.state.turn();
        let free_move = Due::Move(Limit::Any);
        // "A position with no legal chess move is over before any roll."
        if self.movable == 0 {
            return free_move;
        }
        if matches!(self.mode, Mode::Forecast | Mode::Specific) {
            match (self.mode, self.next[(!us).index()]) {
                (Mode::Forecast, Waiting::Roll) => return Due::Roll(Roll::Forecast),
                (_, Waiting::Roll) => return Due::Roll(Roll::Specific),
                (_, Waiting::SecondRoll) => return Due::Roll(Roll::SpecificSecond),
                (_, Waiting::Pick(kind)) => return Due::Pick(kind),
                _ => {}
            }
        }
        match self.die {
            Die::Unrolled => {}
            Die::Second => return Due::Roll(Roll::Second),
            Die::Refused => return Due::Roll(Roll::First),
            Die::Bound(face) => return self.bound(face),
            Die::Pair(white, black) if self.mode == Mode::Winners => {
                return Due::Take(Color::white_if(white >= black));
            }
            Die::Pair(first, second) => {
                let wild = first == Face::WILD || second == Face::WILD;
                let kinds = (1 << first.index() | 1 << second.index()) & self.movable;
                return Due::Move(if wild || kinds == 0 {
                    Limit::Any
                } else {
                    Limit::Kinds(kinds)
                });
            }
        }
        let waiting = self.next[us.index()];
        let number = self.state.fullmove_number();
        let both_roll = Color::ALL.iter().all(|&side| !self.is_free(side));
        let roll_first = Due::Roll(Roll::First);
        match (self.mode, waiting) {
            // Normal game, tie breaker, handicap
            (Mode::Normal, _) if !self.is_free(us) => roll_first,
            (Mode::TieBreak, _) if number <= self.period && !self.is_free(us) => roll_first,
            (Mode::Handicap, _) if us == self.strong && !self.is_free(us) => roll_first,
            // Weaker choice
            (Mode::Weaker, _)
                if us != self.strong && number.is_multiple_of(self.period) && both_roll =>
            {
                Due::RollBoth
            }
            // Winners choice, back to backs
            (Mode::Winners | Mode::BackToBack, Waiting::Face(face)) => self.bound(face),
            (Mode::Winners, _)
                if us == Color::White
                    && number.is_multiple_of(self.period)
                    && both_roll
                    && self.next[Color::Black.index()] == Waiting::Nothing =>
            {
                Due::RollBoth
            }
            (Mode::BackToBack, _)
                if us == Color::White
                    && number == self.period.saturating_add(1)
                    && both_roll
                    && self.next[Color::Black.index()] == Waiting::Nothing
                    && !self.state.in_check() =>
            {
                Due::RollBoth
            }
            // Capture roll
            (Mode::CaptureRoll, Waiting::Roll) if !self.is_free(us) => roll_first,
            // Capture forecast
            (Mode::Forecast, Waiting::Face(face)) => {
                if face.fits(self.movable) {
                    self.bound(face)
                } else if self.is_free(us) {
                    free_move
                } else {
                    Due::Roll(Roll::Second)
                }
            }
            // Forecast specific
            (Mode::Specific, Waiting::Man(kind, square)) => {
                let man = self.state.board().at(square);
                let stands = man.is_some_and(|man| man.color() == us && man.kind() == kind);
                if stands && self.can_move(square) {
                    Due::Move(Limit::Man(square))
                } else if self.is_free(us) {
                    free_move
                } else {
                    Due::Roll(Roll::Second)
                }
            }
            // Options
            (Mode::Options, _) if !self.is_free(us) && self.can_capture() => Due::CaptureOrRefuse,
            _ => free_move,
        }
    }

    /// Whether the next turns are those of chess, whatever is played now.
    pub(super) fn plays_chess(&self) -> bool {
        match self.mode {
            Mode::Normal => Color::ALL.iter().all(|&side| self.is_free(side)),
            Mode::Handicap => self.is_free(self.strong),
            Mode::TieBreak => self.state.fullmove_number() > self.period,
            Mode::Weaker | Mode::Winners => {
                let next = self.state.fullmove_number().saturating_add(1);
                !next.is_multiple_of(self.period)
            }
            Mode::BackToBack => self.state.fullmove_number() > self.period.saturating_add(1),
            Mode::CaptureRoll | Mode::Forecast | Mode::Specific | Mode::Options => true,
        }
    }

    /// A single die shows a face.
    pub(super) fn rolled(&mut self, roll: Roll, face: Face) {
        let us = self.state.turn();
        let mover = (!us).index();
        let kind = face.kind();
        let stands = |kind| self.state.board().of(!us, kind).any();
        match roll {
            Roll::First => {
                let fits = face.fits(self.movable);
                self.die = if fits { Die::Bound(face) } else { Die::Second };
                if self.mode == Mode::CaptureRoll {
                    self.next[us.index()] = Waiting::Nothing;
                }
            }
            Roll::Second => self.die = Die::Bound(self.or_wild(face)),
            Roll::Forecast => {
                self.next[mover] = kind.map_or(Waiting::Nothing, |_| Waiting::Face(face));
            }
            Roll::Specific | Roll::SpecificSecond => {
                self.next[mover] = match kind {
                    Some(kind) if stands(kind) => Waiting::Pick(kind),
                    Some(_) if roll == Roll::Specific => Waiting::SecondRoll,
                    _ => Waiting::Nothing,
                };
            }
        }
    }

    /// Whether a die of that roll binds, or forecasts, as it shows; else it comes to the same as
    /// another event, or to a second roll.
    pub(super) fn counts(&self, roll: Roll, face: Face) -> bool {
        let us = self.state.turn();
        match roll {
            Roll::First | Roll::Second => face.fits(self.movable),
            Roll::Forecast => true,
            Roll::Specific | Roll::SpecificSecond => {
                face.kind().is_none_or(|kind| self.state.board().of(!us, kind).any())
            }
        }
    }

    /// Two dice show faces.
    pub(super) fn rolled_both(&mut self, first: Face, second: Face) {
        match self.mode {
            Mode::Winners if first == second => self.share_out(Color::White, first, second),
            Mode::BackToBack => {
                let leader = Color::white_if(first >= second);
                if leader == Color::Black {
                    self.state.hand_over_turn();
                    self.movable = self.state.movable_kinds() as u8;
                }
                let (own, other) =
                    if leader == Color::White { (first, second) } else { (second, first) };
                if self.movable == 0 {
                    return;
                }
                self.share_out(leader, own, other);
            }
            _ => self.die = Die::Pair(first, second),
        }
    }

    /// Binds the side to move to its die, and lets the other's wait.
    fn share_out(&mut self, mover: Color, own: Face, other: Face) {
        self.die = Die::Bound(self.or_wild(own));
        self.next[(!mover).index()] = Waiting::Face(other);
    }

    /// The winner of two dice has chosen one.
    pub(super) fn taken(&mut self, winner: Color, which: Which) {
        let Die::Pair(first, second) = self.die else { return };
        let (own, other) = match which {
            Which::First => (first, second),
            Which::Second => (second, first),
        };
        // White moves first, whoever has won.
        let (white, black) = if winner == Color::White { (own, other) } else { (other, own) };
        self.share_out(Color::White, white, black);
    }

    /// What a move leaves behind: `die` is what bound it, `kinds` are those that could have moved.
    pub(super) fn moved(&mut self, mover: Color, moved: Kind, captured: bool, kinds: u8) {
        let die = std::mem::take(&mut self.die);
        self.next[mover.index()] = Waiting::Nothing;
        let owes = captured
            && match self.mode {
                Mode::CaptureRoll => true,
                Mode::Forecast | Mode::Specific => !self.is_free(mover),
                _ => false,
            };
        if owes {
            self.next[mover.index()] = Waiting::Roll;
        }
        if self.movable == 0 {
            self.next = [Waiting::Nothing; 2];
        }
        if let (Mode::Weaker, Die::Pair(first, second)) = (self.mode, die) {
            self.die = Die::Bound(self.or_wild(unused(first, second, moved, kinds)));
        }
    }
}

/// Of the weak side's two dice, the one that its move has not used: used is the die that names the
/// moved man; if neither does, the ∞; if there is none, the stronger of the two, both illegal.
fn unused(first: Face, second: Face, moved: Kind, kinds: u8) -> Face {
    let moved = Face::of(moved);
    if first == moved {
        second
    } else if second == moved {
        first
    } else if first == Face::WILD {
        second
    } else if second == Face::WILD {
        first
    } else {
        debug_assert!(!first.fits(kinds) && !second.fits(kinds));
        first.min(second)
    }
}

//! `equalizer` and its nine further modes: chess with ten-sided dice (seed
//! `002_6be5d1ae19d3951a`, specification page equalizer.md).

mod action;
mod dice;
mod mode;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Board8, Color, Square, zobrist};

use super::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Kind, LooseFen, Move, Observer, State,
    Wanted, draw_board, draw_facts,
};
use super::{Family, Game, Gist, Outcome};

pub use action::{EqualizerAction, Which};
pub use dice::{Die, Face, Waiting};
pub use mode::Mode;
use rules::{Due, Limit, Roll};

/// The mode, and what `startpos` means in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The mode.
    pub mode: Mode,
    /// The stronger side in `startpos`, where the mode calls one so.
    pub strong: Color,
    /// The count of moves in `startpos`, where the mode has one; 0 is the mode's own.
    pub period: u32,
}

/// A position of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equalizer {
    state: State<ChessMen>,
    mode: Mode,
    strong: Color,
    period: u32,
    die: Die,
    /// What waits for each side's next turn.
    next: [Waiting; 2],
    /// The kinds of which the side to move has a man with a legal move, a bit each.
    movable: u8,
    /// What the hash says of `strong` and `period`, which stay as they are.
    rules_key: u64,
    due: Due,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Equalizer {
    /// What is on the die of the side to move.
    pub fn die(&self) -> Die {
        self.die
    }

    /// What waits for that side's next turn.
    pub fn waiting(&self, side: Color) -> Waiting {
        self.next[side.index()]
    }

    fn refresh(&mut self) {
        self.movable = self.state.movable_kinds() as u8;
        self.due = self.work_out_due();
    }

    fn can_capture(&self) -> bool {
        let mut can = false;
        self.state.each_move(Wanted::Noisy, |action| can |= self.state.victim(action).is_some());
        can
    }

    fn can_move(&self, square: Square<Board8>) -> bool {
        let mut can = false;
        self.state.each_move_of(square.into(), Wanted::All, |_| can = true);
        can
    }

    /// The men that may move now, if moves are what is due.
    fn movers(&self) -> Option<Bitboard<Board8>> {
        match self.due {
            Due::Move(Limit::Any) | Due::CaptureOrRefuse => Some(!Bitboard::EMPTY),
            Due::Move(Limit::Man(square)) => Some(square.into()),
            Due::Move(Limit::Kinds(kinds)) => {
                let all = (0..8).filter(|kind| kinds >> kind & 1 != 0);
                let board = self.state.board();
                Some(all.fold(Bitboard::EMPTY, |set, kind| set | board.kind(Kind(kind))))
            }
            _ => None,
        }
    }

    fn allows_move(&self, action: Move) -> bool {
        self.movers().is_some_and(|movers| movers.has(action.from()))
            && (self.due != Due::CaptureOrRefuse || self.state.victim(action).is_some())
    }

    /// What the hash says beyond the board.
    fn dice_key(&self) -> u64 {
        self.rules_key ^ self.roll_key()
    }

    /// The side that is strong and the period, where they are not the mode's own.
    fn work_out_rules_key(&self) -> u64 {
        if self.strong == Color::White && self.mode.period().is_none_or(|own| own == self.period) {
            return 0;
        }
        zobrist::mix(u64::from(self.period) << 1 | self.strong.index() as u64 | 1 << 40)
    }

    fn roll_key(&self) -> u64 {
        let number = u64::from(self.state.fullmove_number());
        let period = u64::from(self.period);
        // What the number of the move decides, now or later.
        let phase = match self.mode {
            Mode::TieBreak => (period + 1).saturating_sub(number),
            Mode::Weaker | Mode::Winners => number % period,
            Mode::BackToBack => (period + 2).saturating_sub(number),
            _ => 0,
        };
        let [white, black] = self.next.map(Waiting::code);
        let dice = self.die.code() | white << 8 | black << 20 | phase << 32;
        if dice == 0 { 0 } else { zobrist::mix(dice) }
    }

    fn parse_tokens(&mut self, loose: &LooseFen<ChessMen>) -> Result<(), FenError> {
        let bad = |key, value: &str, wanted: &str| {
            Err(FenError::Token { key, value: value.to_owned(), wanted: wanted.to_owned() })
        };
        loose.check_keys(self.mode.variant(), self.mode.keys())?;
        if let Some(value) = loose.token("strong") {
            self.strong = match value {
                "w" => Color::White,
                "b" => Color::Black,
                _ => return bad("strong", value, "w or b"),
            };
        }
        if let Some(value) = loose.token("period") {
            self.period = match value.parse() {
                Ok(period @ 1..) if value.bytes().all(|b| b.is_ascii_digit()) => period,
                _ => return bad("period", value, "a whole number from 1 to 4294967295"),
            };
        }
        if let Some(value) = loose.token("die") {
            let Some(die) = Die::parse(value) else {
                return bad("die", value, "one of *KQRBNP, ?, ?? or two faces as in N/P");
            };
            if let Err(wanted) = self.check_die(die) {
                return bad("die", value, wanted);
            }
            self.die = die;
        }
        if let Some(value) = loose.token("next") {
            let Some(next) = parse_next(value) else {
                return bad("next", value, "w:X,b:Y with -, ?, ??, a face, N? or N@f3 for each");
            };
            for side in Color::ALL {
                if let Err(wanted) = self.check_waiting(side, next[side.index()]) {
                    return bad("next", value, wanted);
                }
            }
            self.next = next;
        }
        Ok(())
    }

    fn check_die(&self, die: Die) -> Result<(), &'static str> {
        let us = self.state.turn();
        let ok = match die {
            Die::Unrolled => true,
            Die::Bound(face) if face.fits(self.movable) => true,
            Die::Bound(_) => return Err("a face with which the side to move has a legal move"),
            Die::Second => matches!(
                self.mode,
                Mode::Normal | Mode::TieBreak | Mode::Handicap | Mode::CaptureRoll | Mode::Options
            ),
            Die::Refused => self.mode == Mode::Options,
            Die::Pair(first, second) => match self.mode {
                Mode::Weaker => us != self.strong,
                Mode::Winners if first == second => {
                    return Err(
                        "two faces that differ: there is nothing to choose between equal ones",
                    );
                }
                Mode::Winners => us == Color::White,
                _ => false,
            },
        };
        if ok {
            return Ok(());
        }
        Err(match (self.mode, die) {
            (Mode::Weaker, Die::Pair(..)) => "one face: the strong side is to move",
            (Mode::Winners, Die::Pair(..)) => "one face: Black is to move",
            (Mode::Weaker | Mode::Winners, _) => "one of *KQRBNP, or two faces as in N/P",
            (Mode::Options, _) => "one of *KQRBNP, ? or ??",
            (Mode::BackToBack | Mode::Forecast | Mode::Specific, _) => "one of *KQRBNP",
            _ => "one of *KQRBNP, or ??",
        })
    }

    fn check_waiting(&self, side: Color, waiting: Waiting) -> Result<(), &'static str> {
        let now = matches!(waiting, Waiting::Roll | Waiting::SecondRoll | Waiting::Pick(_));
        let (fits, wanted) = match (self.mode, waiting) {
            (_, Waiting::Nothing) => (true, ""),
            (Mode::Winners | Mode::BackToBack, _) => {
                (matches!(waiting, Waiting::Face(_)), "- or one of *KQRBNP for each side")
            }
            (Mode::CaptureRoll, _) => (waiting == Waiting::Roll, "- or ? for each side"),
            (Mode::Forecast, _) => (
                matches!(waiting, Waiting::Roll)
                    || matches!(waiting, Waiting::Face(face) if face != Face::WILD),
                "-, ? or one of KQRBNP for each side",
            ),
            _ => (
                now || matches!(waiting, Waiting::Man(..)),
                "-, ?, ??, a kind to pick as in N? or a man picked as in N@f3 for each side",
            ),
        };
        if !fits {
            return Err(wanted);
        }
        if self.mode != Mode::CaptureRoll && now && side == self.state.turn() {
            return Err("nothing awaited now for the side to move: it has not just captured");
        }
        match waiting {
            Waiting::Pick(kind) if self.state.board().of(side, kind).is_empty() => {
                Err("a kind of which there is a man to pick")
            }
            _ => Ok(()),
        }
    }

    fn tokens(&self) -> String {
        let mut text = String::new();
        if self.strong == Color::Black && self.mode.has_strong() {
            text.push_str(" strong=b");
        }
        if self.mode.period().is_some_and(|own| own != self.period) {
            let _ = write!(text, " period={}", self.period);
        }
        if self.die != Die::Unrolled {
            let _ = write!(text, " die={}", self.die.text());
        }
        let [white, black] = self.next;
        if self.next != [Waiting::Nothing; 2] {
            let _ = write!(text, " next=w:{},b:{}", white.text(), black.text());
        }
        text
    }

    /// For a person: what comes next.
    fn due_text(&self) -> String {
        let name = |side: Color| if side == Color::White { "White" } else { "Black" };
        let us = self.state.turn();
        match self.due {
            Due::Move(_) if self.movable == 0 => "The game is over".to_owned(),
            Due::Move(Limit::Any) => format!("{} moves any man", name(us)),
            Due::Move(Limit::Man(square)) => format!("{} moves the man on {square}", name(us)),
            Due::Move(Limit::Kinds(kinds)) => {
                let faces = Face::ALL.into_iter().filter(|face| kinds >> face.index() & 1 != 0);
                let kinds: Vec<String> = faces.map(|face| face.to_string()).collect();
                format!("{} moves {}", name(us), kinds.join(" or "))
            }
            Due::CaptureOrRefuse => format!("{} captures or refuses", name(us)),
            Due::Take(side) => format!("{} takes one of the two dice", name(side)),
            Due::Pick(kind) => format!("{} picks its {} to move", name(!us), Face::of(kind)),
            Due::Roll(Roll::First) => format!("A roll for {}", name(us)),
            Due::Roll(Roll::Second) => format!("A second roll for {}", name(us)),
            Due::Roll(Roll::SpecificSecond) => {
                format!("A second roll for {}'s next move", name(!us))
            }
            Due::Roll(_) => format!("A roll for {}'s next move", name(!us)),
            Due::RollBoth => "A roll of both dice".to_owned(),
        }
    }
}

fn parse_next(text: &str) -> Option<[Waiting; 2]> {
    let (white, black) = text.strip_prefix("w:")?.split_once(",b:")?;
    Some([Waiting::parse(white)?, Waiting::parse(black)?])
}

impl Game for Equalizer {
    type Men = ChessMen;
    type Action = EqualizerAction;
    // As in chess, and one more to refuse.
    type Actions = ArrayVec<EqualizerAction, 513>;
    type Setup = Setup;

    const HAS_CHANCE: bool = true;
    const DICE: bool = true;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = false;

    #[inline(always)]
    fn turn(&self) -> Color {
        match self.due {
            Due::Take(side) => side,
            Due::Pick(_) => !self.state.turn(),
            _ => self.state.turn(),
        }
    }

    #[inline(always)]
    fn state(&self) -> &State<ChessMen> {
        &self.state
    }

    #[inline(always)]
    fn is_chance(&self) -> bool {
        matches!(self.due, Due::Roll(_) | Due::RollBoth)
    }

    #[inline(always)]
    fn ended(&self) -> Option<Outcome> {
        (self.movable == 0).then(|| self.outcome_without_actions())
    }

    fn outcome_without_actions(&self) -> Outcome {
        if self.state.in_check() { Outcome::Win(!self.state.turn()) } else { Outcome::Draw }
    }

    fn drawn_by_rule(&self) -> bool {
        self.state.fifty_moves() || self.state.insufficient_material()
    }

    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        if let Some(movers) = self.movers() {
            let captures_only = self.due == Due::CaptureOrRefuse;
            self.state.each_move_of(movers, wanted, |action| {
                if !captures_only || self.state.victim(action).is_some() {
                    list.push(EqualizerAction::Move(action));
                }
            });
        }
        if wanted == Wanted::Noisy {
            return;
        }
        match self.due {
            Due::CaptureOrRefuse => list.push(EqualizerAction::Refuse),
            Due::Take(_) => {
                list.extend([Which::First, Which::Second].map(EqualizerAction::Take));
            }
            Due::Pick(kind) => {
                let men = self.state.board().of(self.turn(), kind);
                list.extend(men.into_iter().map(EqualizerAction::Pick));
            }
            _ => {}
        }
    }

    fn count_actions(&self) -> u64 {
        if self.due == Due::Move(Limit::Any) {
            return self.state.count_moves();
        }
        let mut list = Self::Actions::default();
        self.actions(Wanted::All, &mut list);
        list.len() as u64
    }

    fn is_legal(&self, action: EqualizerAction) -> bool {
        match (action, self.due) {
            (EqualizerAction::Move(action), _) => {
                self.state.is_legal(action) && self.allows_move(action)
            }
            (EqualizerAction::Refuse, Due::CaptureOrRefuse)
            | (EqualizerAction::Take(_), Due::Take(_)) => true,
            (EqualizerAction::Pick(square), Due::Pick(kind)) => {
                self.state.board().of(self.turn(), kind).has(square)
            }
            _ => false,
        }
    }

    fn outcomes(&self, mut each: impl FnMut(EqualizerAction, u32)) {
        match self.due {
            Due::Roll(_) => {
                for face in Face::ALL {
                    each(EqualizerAction::Roll(face), face.sides());
                }
            }
            Due::RollBoth => {
                for first in Face::ALL {
                    for second in Face::ALL {
                        let weight = first.sides() * second.sides();
                        each(EqualizerAction::RollBoth(first, second), weight);
                    }
                }
            }
            _ => {}
        }
    }

    fn settled_outcomes(&self, mut each: impl FnMut(EqualizerAction, u32)) {
        let Due::Roll(roll) = self.due else { return self.outcomes(each) };
        let again: u32 =
            Face::ALL.into_iter().filter(|&face| !self.counts(roll, face)).map(Face::sides).sum();
        let twice = matches!(roll, Roll::First | Roll::Specific);
        for face in Face::ALL.into_iter().filter(|&face| self.counts(roll, face)) {
            let mut weight = face.sides();
            if twice {
                weight *= Face::SIDES + again;
            }
            if face == Face::WILD {
                // In the end, what counts for nothing sets free.
                weight += if twice { again * again } else { again };
            }
            each(EqualizerAction::Roll(face), weight);
        }
    }

    fn wild(&self) -> Option<EqualizerAction> {
        matches!(self.due, Due::Roll(Roll::First | Roll::Second))
            .then_some(EqualizerAction::Roll(Face::WILD))
    }

    fn is_fresh_turn(&self) -> bool {
        self.die == Die::Unrolled && self.next == [Waiting::Nothing; 2]
    }

    fn is_move(action: EqualizerAction) -> bool {
        matches!(action, EqualizerAction::Move(_))
    }

    fn play<O: Observer<Board8>>(&mut self, action: EqualizerAction, observer: &mut O) {
        match (action, self.due) {
            (EqualizerAction::Move(action), _) => {
                let mover = self.state.turn();
                let captured = self.state.victim(action).is_some();
                let moved = self.state.board().at(action.from()).map(super::kernel::Piece::kind);
                self.state.make(action, observer);
                let kinds = self.movable;
                self.movable = self.state.movable_kinds() as u8;
                self.moved(mover, moved.unwrap_or(Kind::PAWN), captured, kinds);
            }
            (EqualizerAction::Roll(face), Due::Roll(roll)) => self.rolled(roll, face),
            (EqualizerAction::RollBoth(first, second), _) => self.rolled_both(first, second),
            (EqualizerAction::Take(which), Due::Take(winner)) => self.taken(winner, which),
            (EqualizerAction::Pick(square), Due::Pick(kind)) => {
                self.next[self.turn().index()] = Waiting::Man(kind, square);
            }
            (EqualizerAction::Refuse, _) => self.die = Die::Refused,
            _ => debug_assert!(false, "{action:?} where {:?} is due", self.due),
        }
        self.due = self.work_out_due();
    }

    /// A die may force what is worse than passing, so only turns without any count.
    fn may_pass(&self) -> bool {
        self.due == Due::Move(Limit::Any)
            && self.die == Die::Unrolled
            && self.next == [Waiting::Nothing; 2]
            && self.plays_chess()
    }

    fn play_null(&mut self) {
        self.state.make_null();
        self.die = Die::Unrolled;
        self.refresh();
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key() ^ self.dice_key()
    }

    fn fresh_key(&self) -> u64 {
        self.state.fresh_key() ^ self.work_out_rules_key() ^ self.roll_key()
    }

    /// Dice do not count, and the rest stays as it is throughout a game.
    fn repetition_key(&self) -> u64 {
        self.state.key()
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.turn() == self.state.turn() && self.state.in_check()
    }

    #[inline(always)]
    fn gist(&self, action: EqualizerAction) -> Gist {
        match action {
            EqualizerAction::Move(action) => self.state.gist(action),
            EqualizerAction::Pick(square) => Gist { to: square.index() as u8, ..Gist::NONE },
            EqualizerAction::Take(Which::Second) => Gist { from: 1, ..Gist::NONE },
            _ => Gist::NONE,
        }
    }

    fn exchange_gains(&self, action: EqualizerAction, threshold: i32) -> bool {
        match action {
            EqualizerAction::Move(action) => self.state.exchange_gains(action, threshold),
            _ => threshold <= 0,
        }
    }

    fn family(setup: &Setup) -> Family {
        match setup.mode {
            Mode::Normal | Mode::Handicap => Family::Dice,
            // Most moves are free in the others.
            _ => Family::Chess,
        }
    }

    fn start(setup: &Setup) -> Self {
        // The text is a constant that the tests read.
        let mut start =
            Self::from_fen(setup, START).unwrap_or_else(|error| unreachable!("{error}"));
        if setup.mode.has_strong() {
            start.strong = setup.strong;
        }
        if setup.period > 0 && setup.mode.period().is_some() {
            start.period = setup.period;
        }
        start.rules_key = start.work_out_rules_key();
        start.due = start.work_out_due();
        start
    }

    fn from_fen(setup: &Setup, text: &str) -> Result<Self, FenError> {
        let loose = LooseFen::parse(text, CHESS_LETTERS)?;
        let state = loose.clone().into_state(CastlingStyle::Standard)?;
        let mut position = Self {
            state,
            mode: setup.mode,
            strong: Color::White,
            period: setup.mode.period().unwrap_or(1),
            die: Die::Unrolled,
            next: [Waiting::Nothing; 2],
            movable: state.movable_kinds() as u8,
            rules_key: 0,
            due: Due::Move(Limit::Any),
        };
        position.parse_tokens(&loose)?;
        position.rules_key = position.work_out_rules_key();
        position.due = position.work_out_due();
        Ok(position)
    }

    fn fen(&self, _: &Setup) -> String {
        self.state.fen(CHESS_LETTERS, CastlingStyle::Standard) + &self.tokens()
    }

    fn action_text(&self, _: &Setup, action: EqualizerAction) -> String {
        match action {
            EqualizerAction::Move(action) => {
                self.state.move_text(action, CHESS_LETTERS, CastlingStyle::Standard)
            }
            EqualizerAction::Roll(face) => format!("roll:{face}"),
            EqualizerAction::RollBoth(first, second) => format!("roll:{first}{second}"),
            EqualizerAction::Take(Which::First) => "take:1".to_owned(),
            EqualizerAction::Take(Which::Second) => "take:2".to_owned(),
            EqualizerAction::Pick(square) => format!("pick:{square}"),
            EqualizerAction::Refuse => "refuse".to_owned(),
        }
    }

    fn plain_move(action: EqualizerAction) -> Option<Move> {
        match action {
            EqualizerAction::Move(action) => Some(action),
            _ => None,
        }
    }

    fn event_name(&self, setup: &Setup, event: EqualizerAction) -> String {
        match event {
            EqualizerAction::Roll(face) => face.name().to_owned(),
            EqualizerAction::RollBoth(first, second) => {
                format!("{} + {}", first.name(), second.name())
            }
            _ => self.action_text(setup, event),
        }
    }

    fn event_form(&self) -> &'static str {
        if self.due == Due::RollBoth { "roll:<face><face>" } else { "roll:<face>" }
    }

    fn parse_action(&self, _: &Setup, text: &str) -> Option<EqualizerAction> {
        if let Some(faces) = text.strip_prefix("roll:") {
            let mut letters = faces.chars();
            let first = Face::parse(letters.next()?)?;
            return match (self.due, letters.next(), letters.next()) {
                (Due::Roll(_), None, _) => Some(EqualizerAction::Roll(first)),
                (Due::RollBoth, Some(second), None) => {
                    Some(EqualizerAction::RollBoth(first, Face::parse(second)?))
                }
                _ => None,
            };
        }
        let action = match text {
            "take:1" => EqualizerAction::Take(Which::First),
            "take:2" => EqualizerAction::Take(Which::Second),
            "refuse" => EqualizerAction::Refuse,
            _ => match text.strip_prefix("pick:") {
                Some(square) => EqualizerAction::Pick(Square::parse(square)?),
                None => EqualizerAction::Move(self.state.parse_move(
                    text,
                    CHESS_LETTERS,
                    CastlingStyle::Standard,
                )?),
            },
        };
        self.is_legal(action).then_some(action)
    }

    fn draw(&self, setup: &Setup, _: bool) -> String {
        let mut text = draw_board(&self.state, CHESS_LETTERS, |_, letter| letter.to_owned());
        let _ = writeln!(text, "\n{}", self.due_text());
        text + &draw_facts(&self.fen(setup), self.key(), self.state.checkers())
    }
}

//! One game: the players asked in turn, their clocks, and why it ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::core::Color;
use crate::core::zobrist::mix;
use crate::game::Node;

use super::client::{Answer, Client, Failure, NoAnswer};
use super::log::{Ending, GameRecord, GameResult, Mover, Step, Thought};
use super::openings::Opening;
use super::plan::{Adjudication, EngineSpec, Protocol, Thinking, TimeControl};
use super::referee::{Dice, Referee};

/// A mate in any number of moves, in centipawns.
const MATE: i32 = 30_000;

/// Who decides for a side.
pub(super) enum Player<'a> {
    /// An engine.
    Engine(Client<'a>),
    /// Nobody: any action, each as likely.
    Random,
}

/// A game that is to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixture<'a> {
    /// Its number, from 1.
    pub(super) game: u64,
    /// What dice, cards and random players follow from.
    pub(super) seed: u64,
    /// Its start.
    pub(super) opening: &'a Opening,
    /// White's and Black's engine.
    pub(super) specs: [&'a EngineSpec; 2],
}

/// Why a game was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Plays a game; an engine that failed in it is not to be used any more.
///
/// # Errors
/// The match is being stopped.
pub(super) fn play(
    fixture: Fixture<'_>,
    referee: &mut dyn Referee,
    players: [&mut Player<'_>; 2],
    adjudication: &Adjudication,
    stop: &AtomicBool,
) -> Result<GameRecord, Stopped> {
    let timed = fixture.specs.iter().any(|spec| spec.thinking.is_timed());
    let clocks = fixture.specs.map(|spec| Clock::new(spec.thinking.clock));
    let mut game = Game {
        fixture,
        referee,
        players,
        clocks,
        timed,
        position: String::new(),
        steps: Vec::new(),
        opening: 0,
        first: 1,
        watch: Watch { rules: *adjudication, hopeless: [0; 2], winning: [0; 2], level: [0; 2] },
    };
    let (result, ending, detail) = match game.run(stop) {
        Ok((result, ending)) => (result, ending, None),
        Err((_, NoAnswer::Stopped)) => return Err(Stopped),
        Err((loser, NoAnswer::Failed(Failure { ending, detail }))) => {
            (GameResult::win(!loser), ending, Some(detail))
        }
    };
    let [white, black] = fixture.specs.map(|spec| spec.name.clone());
    Ok(GameRecord {
        game: fixture.game,
        white,
        black,
        seed: fixture.seed,
        fen: fixture.opening.fen.clone(),
        opening: game.opening,
        steps: game.steps,
        result,
        ending,
        detail,
    })
}

struct Game<'g, 'p> {
    fixture: Fixture<'g>,
    referee: &'g mut dyn Referee,
    players: [&'g mut Player<'p>; 2],
    clocks: [Clock; 2],
    timed: bool,
    /// The `position` command for engines of our protocol.
    position: String,
    steps: Vec<Step>,
    opening: usize,
    /// The fullmove number at the start.
    first: u32,
    watch: Watch,
}

type Lost = (Color, NoAnswer);

impl Game<'_, '_> {
    fn run(&mut self, stop: &AtomicBool) -> Result<(GameResult, Ending), Lost> {
        self.begin()?;
        let mut dice = Dice::new(self.fixture.seed);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err((Color::White, NoAnswer::Stopped));
            }
            if let Some(verdict) = self.referee.verdict() {
                return Ok(verdict);
            }
            match self.referee.node() {
                Node::Decision(color) => {
                    if let Some(verdict) = self.decision(color)? {
                        return Ok(verdict);
                    }
                }
                Node::Chance(_) | Node::Over(_) => {
                    let event = dice.event(self.referee);
                    self.step(&event, Mover::Chance, Thought::default());
                }
            }
        }
    }

    /// The opening is on the board, and the engines have forgotten the game before.
    fn begin(&mut self) -> Result<(), Lost> {
        let Opening { fen, actions } = self.fixture.opening;
        self.position = match fen {
            Some(fen) => format!("position fen {fen} moves"),
            None => "position startpos moves".to_owned(),
        };
        for color in Color::ALL {
            if let Player::Engine(client) = &mut self.players[color.index()] {
                client.new_game().map_err(|error| (color, error))?;
            }
        }
        // Openings are checked when they are read.
        let set_up = self.referee.set_up(fen.as_deref(), &[]);
        debug_assert!(set_up.is_ok());
        self.first = self.referee.turn().1;
        for action in actions {
            let by = match self.referee.node() {
                Node::Decision(color) => mover(color),
                Node::Chance(_) => Mover::Chance,
                // A list may run on through a draw.
                Node::Over(_) => mover(self.referee.turn().0),
            };
            self.step(action, by, Thought::default());
        }
        self.opening = self.steps.len();
        Ok(())
    }

    /// Plays a legal action or event; whether it was one.
    fn step(&mut self, action: &str, by: Mover, thought: Thought) -> bool {
        let (_, n) = self.referee.turn();
        let legal = self.referee.play(action);
        if legal {
            self.position.push(' ');
            self.position.push_str(action);
            self.steps.push(Step { n, by, action: action.to_owned(), thought });
        }
        legal
    }

    /// A player decides; the verdict, if that ends the game otherwise than by its rules.
    fn decision(&mut self, color: Color) -> Result<Option<(GameResult, Ending)>, Lost> {
        let turn = self.referee.turn();
        let number = turn.1.saturating_sub(self.first) + 1;
        if self.watch.rules.maxmoves.is_some_and(|most| number > most) {
            return Ok(Some((GameResult::Draw, Ending::LengthAdjudication)));
        }
        let choice = self.choose(color).map_err(|error| (color, error))?;
        let score = choice.thought.score.as_deref().and_then(centipawns);
        let asked = choice.asked;
        if !self.step(&choice.action, mover(color), choice.thought) {
            let fen = self.referee.fen();
            let failure = match &mut self.players[color.index()] {
                Player::Engine(client) => client.illegal(&choice.action, &fen),
                Player::Random => unreachable!("what is picked from the list is legal"),
            };
            return Err((color, NoAnswer::Failed(failure)));
        }
        if self.referee.turn() != turn {
            self.clocks[color.index()].turn_over();
        }
        // Who was not asked has no opinion, and no other than before.
        Ok(if asked { self.watch.see(color, score, number) } else { None })
    }

    /// What the player of that side wants to play, legal or not.
    fn choose(&mut self, color: Color) -> Result<Choice, NoAnswer> {
        let spec = self.fixture.specs[color.index()];
        let Player::Engine(client) = &mut *self.players[color.index()] else {
            let legal = self.referee.legal();
            let number = mix(mix(self.fixture.seed ^ self.fixture.game) ^ self.steps.len() as u64);
            let index = number as usize % legal.len();
            return Ok(Choice::free(legal[index].clone()));
        };
        let mut go = go_command(color, &self.clocks, &spec.thinking);
        let mut plain_moves = None;
        let mut position = self.position.as_str();
        let bare;
        if spec.proto == Protocol::Plain {
            let plain = self.referee.plain(&spec.letters).map_err(|error| {
                let (ending, detail) = (Ending::Refusal, error.to_string());
                NoAnswer::Failed(Failure { ending, detail })
            })?;
            // Where it has no choice of its own it is not asked; see protocol.md.
            match &plain.moves[..] {
                [] => return Ok(Choice::free(self.referee.legal().swap_remove(0))),
                [(_, only)] => return Ok(Choice::free(only.clone())),
                moves => {
                    go.push_str(" searchmoves");
                    for (text, _) in moves {
                        go.push(' ');
                        go.push_str(text);
                    }
                }
            }
            bare = format!("position fen {}", plain.fen);
            position = &bare;
            plain_moves = Some(plain.moves);
        } else if self.steps.is_empty() {
            position = position.trim_end_matches(" moves");
        }
        let clock = &mut self.clocks[color.index()];
        let limit = clock.limit(&spec.thinking);
        let Answer { action, mut thought, elapsed } = client.think(position, &go, limit)?;
        if limit.is_some_and(|limit| elapsed > limit) {
            return Err(NoAnswer::Failed(clock.too_late(&spec.thinking, elapsed)));
        }
        clock.spend(elapsed);
        if self.timed {
            thought.ms = u64::try_from(elapsed.as_millis()).ok();
        }
        let action = match plain_moves {
            // Anything but a move that it was offered is not played.
            Some(moves) => moves
                .into_iter()
                .find(|(text, _)| *text == action)
                .map_or_else(|| format!("{action} (not offered)"), |(_, own)| own),
            None => action,
        };
        Ok(Choice { action, thought, asked: true })
    }
}

struct Choice {
    action: String,
    thought: Thought,
    /// Whether an engine was asked.
    asked: bool,
}

impl Choice {
    /// Without any thought.
    fn free(action: String) -> Self {
        Self { action, thought: Thought::default(), asked: false }
    }
}

const fn mover(color: Color) -> Mover {
    match color {
        Color::White => Mover::White,
        Color::Black => Mover::Black,
    }
}

/// A score as an engine wrote it, mates as [`MATE`].
fn centipawns(score: &str) -> Option<i32> {
    let (kind, value) = score.split_once(' ')?;
    let value: i32 = value.parse().ok()?;
    Some(if kind == "mate" { if value > 0 { MATE } else { -MATE } } else { value })
}

fn go_command(color: Color, clocks: &[Clock; 2], thinking: &Thinking) -> String {
    let mut go = "go".to_owned();
    let mut add = |key: &str, value: u128| {
        for word in [key, &value.to_string()] {
            go.push(' ');
            go.push_str(word);
        }
    };
    let own = &clocks[color.index()];
    if own.control.is_some() {
        for (clock, time, increment) in
            [(&clocks[0], "wtime", "winc"), (&clocks[1], "btime", "binc")]
        {
            // An opponent without a clock is shown with the own one, as engines expect two.
            let clock = if clock.control.is_some() { clock } else { own };
            add(time, clock.left.as_millis());
            add(increment, u128::from(clock.control.map_or(0, |control| control.increment)));
        }
        if let Some(moves) = own.control.and_then(|control| control.moves) {
            add("movestogo", u128::from(moves - own.turns % moves));
        }
    }
    for (key, value) in [
        ("movetime", thinking.movetime),
        ("nodes", thinking.nodes),
        ("depth", thinking.depth.map(u64::from)),
    ] {
        if let Some(value) = value {
            add(key, u128::from(value));
        }
    }
    go
}

/// A side's clock.
#[derive(Clone, Debug)]
struct Clock {
    control: Option<TimeControl>,
    left: Duration,
    /// Turns finished.
    turns: u32,
}

impl Clock {
    fn new(control: Option<TimeControl>) -> Self {
        let base = control.map_or(0, |control| control.base);
        Self { control, left: Duration::from_millis(base), turns: 0 }
    }

    /// How long the next action may take, if time is limited at all.
    fn limit(&self, thinking: &Thinking) -> Option<Duration> {
        let margin = Duration::from_millis(thinking.margin);
        let clock = self.control.map(|_| self.left + margin);
        let fixed = thinking
            .movetime
            .map(|ms| Duration::from_millis(ms) + Thinking::MOVETIME_SLACK + margin);
        clock.into_iter().chain(fixed).min()
    }

    fn too_late(&self, thinking: &Thinking, elapsed: Duration) -> Failure {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let had = match thinking.movetime {
            Some(movetime) if self.control.is_none() => movetime as f64,
            _ => ms(self.left),
        };
        let detail = format!("{:.1} ms used, {had:.1} ms left", ms(elapsed));
        Failure { ending: Ending::TimeForfeit, detail }
    }

    fn spend(&mut self, elapsed: Duration) {
        self.left = self.left.saturating_sub(elapsed);
    }

    /// A turn is over: the increment comes in, and after the last of so many moves the base time.
    fn turn_over(&mut self) {
        let Some(control) = self.control else { return };
        self.turns += 1;
        self.left += Duration::from_millis(control.increment);
        if control.moves.is_some_and(|moves| self.turns.is_multiple_of(moves)) {
            self.left += Duration::from_millis(control.base);
        }
    }
}

/// The engines' scores, and whether they end the game.
struct Watch {
    rules: Adjudication,
    /// Decisions in a row in which each side saw itself lost.
    hopeless: [u32; 2],
    /// … won.
    winning: [u32; 2],
    /// … level.
    level: [u32; 2],
}

impl Watch {
    /// Takes a side's score of an action in; a side without one breaks off every row.
    fn see(
        &mut self,
        color: Color,
        score: Option<i32>,
        number: u32,
    ) -> Option<(GameResult, Ending)> {
        let side = color.index();
        let count = |row: &mut [u32; 2], holds: bool| {
            row[side] = if holds { row[side] + 1 } else { 0 };
            *row
        };
        if let Some(resign) = self.rules.resign {
            let lost = count(&mut self.hopeless, score.is_some_and(|score| score <= -resign.score));
            let won = count(&mut self.winning, score.is_some_and(|score| score >= resign.score));
            let [own, other] = [side, 1 - side];
            for (loser, winner) in [(own, other), (other, own)] {
                if lost[loser] >= resign.movecount
                    && (!resign.twosided || won[winner] >= resign.movecount)
                {
                    let result = GameResult::win(Color::white_if(winner == 0));
                    return Some((result, Ending::ResignAdjudication));
                }
            }
        }
        if let Some(draw) = self.rules.draw {
            let level =
                count(&mut self.level, score.is_some_and(|score| score.abs() <= draw.score));
            if number >= draw.movenumber && level.iter().all(|&row| row >= draw.movecount) {
                return Some((GameResult::Draw, Ending::DrawAdjudication));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Resign;
    use super::*;

    fn clock(moves: Option<u32>, base: u64, increment: u64) -> Clock {
        Clock::new(Some(TimeControl { moves, base, increment }))
    }

    #[test]
    fn clocks_run_and_are_wound_up() {
        let mut clock = clock(Some(2), 1000, 100);
        clock.spend(Duration::from_micros(300_500));
        assert_eq!(clock.left, Duration::from_micros(699_500));
        // Another action of the same turn, then the turn is over.
        clock.spend(Duration::from_millis(200));
        clock.turn_over();
        assert_eq!(clock.left, Duration::from_micros(599_500));
        clock.spend(Duration::from_secs(9));
        assert_eq!(clock.left, Duration::ZERO);
        clock.turn_over();
        assert_eq!(clock.left, Duration::from_millis(1100));
    }

    #[test]
    fn engines_are_told_of_both_clocks_and_the_moves_to_go() {
        let mut clocks = [clock(Some(40), 60_000, 500), clock(None, 3000, 30)];
        clocks[0].turn_over();
        clocks[1].spend(Duration::from_micros(999_900));
        let none = Thinking::default();
        let white = "go wtime 60500 winc 500 btime 2000 binc 30 movestogo 39";
        assert_eq!(go_command(Color::White, &clocks, &none), white);
        let black = "go wtime 60500 winc 500 btime 2000 binc 30";
        assert_eq!(go_command(Color::Black, &clocks, &none), black);
        // One with a clock against one without.
        clocks[0] = Clock::new(None);
        let thinking = Thinking { nodes: Some(7), depth: Some(3), ..Thinking::default() };
        assert_eq!(go_command(Color::White, &clocks, &thinking), "go nodes 7 depth 3");
        let black = "go wtime 2000 winc 30 btime 2000 binc 30 nodes 7 depth 3";
        assert_eq!(go_command(Color::Black, &clocks, &thinking), black);
    }

    #[test]
    fn the_shorter_of_two_limits_holds() {
        let thinking = Thinking { movetime: Some(500), margin: 10, ..Thinking::default() };
        assert_eq!(Clock::new(None).limit(&thinking), Some(Duration::from_millis(710)));
        assert_eq!(clock(None, 100, 0).limit(&thinking), Some(Duration::from_millis(110)));
        assert_eq!(Clock::new(None).limit(&Thinking::default()), None);
    }

    #[test]
    fn scores_are_watched_side_by_side() {
        let resign = Resign { movecount: 2, score: 500, twosided: true };
        let mut watch = Watch {
            rules: Adjudication { resign: Some(resign), ..Adjudication::default() },
            hopeless: [0; 2],
            winning: [0; 2],
            level: [0; 2],
        };
        let mut see = |color, score| watch.see(color, Some(score), 9);
        assert_eq!(see(Color::White, -500), None);
        assert_eq!(see(Color::Black, 700), None);
        assert_eq!(see(Color::White, -MATE), None);
        let wanted = Some((GameResult::Black, Ending::ResignAdjudication));
        assert_eq!(see(Color::Black, 500), wanted);
        assert_eq!(see(Color::Black, 499), None);
    }

    #[test]
    fn mates_are_more_than_any_score() {
        assert_eq!(centipawns("cp -31"), Some(-31));
        assert_eq!(centipawns("mate 3"), Some(MATE));
        assert_eq!(centipawns("mate -1"), Some(-MATE));
        assert_eq!(centipawns("mate 0"), Some(-MATE));
        assert_eq!(centipawns("cp"), None);
    }
}

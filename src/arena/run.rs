//! A match: workers that play its games, and the thread that hears of them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::Color;
use crate::game::AnySetup;

use super::client::{Client, Failure, NoAnswer, Setting};
use super::link::Trace;
use super::log::{Ending, GameRecord, GameResult};
use super::openings::Opening;
use super::plan::{EngineSpec, Plan, Protocol};
use super::play::{Fixture, Player, Stopped, play};
use super::referee::{Referee, referee};

/// So many games in a row an engine may fail in before the match is given up.
const STRIKES: u32 = 3;

/// What happens in a match.
#[derive(Clone, Debug)]
pub enum Happening {
    /// A game is over.
    Game(Box<GameRecord>),
    /// Something that somebody should know.
    Warning(String),
    /// An engine cannot be used; the match ends.
    Useless(String),
}

/// Why a match came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Close {
    /// All games are played.
    Finished,
    /// Somebody who heard of the games had heard enough, or it was stopped from outside.
    Stopped,
    /// An engine cannot be used: which, and why.
    Failed(String),
}

/// How a match is played, apart from what its games follow from.
#[derive(Clone, Debug)]
pub struct Conduct {
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether the match goes on whatever its engines do.
    pub recover: bool,
    /// The file into which all that engines hear and say is written, if any.
    pub trace: Option<String>,
}

/// What all workers share.
struct Hall<'a> {
    plan: &'a Plan,
    setup: &'a AnySetup,
    openings: &'a [Opening],
    queue: Mutex<VecDeque<u64>>,
    recover: bool,
    stop: &'a AtomicBool,
    trace: Trace,
}

/// Plays those games; `hear` is told of all that happens, in the order in which it does, and says
/// whether it wants to go on. `stop` ends the match from outside; games that are not over then
/// count as not played.
pub fn run(
    plan: &Plan,
    setup: &AnySetup,
    openings: &[Opening],
    games: Vec<u64>,
    conduct: &Conduct,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(&Happening) -> bool,
) -> Close {
    if let Err(why) = check_plain(plan, setup, openings) {
        return Close::Failed(why);
    }
    let trace = match conduct.trace.as_deref().map(Trace::create) {
        None => Trace::default(),
        Some(Ok(trace)) => trace,
        Some(Err(error)) => return Close::Failed(format!("the trace cannot be written: {error}")),
    };
    let workers = conduct.concurrency.clamp(1, games.len().max(1));
    let hall = Hall {
        plan,
        setup,
        openings,
        queue: Mutex::new(games.into()),
        recover: conduct.recover,
        stop,
        trace,
    };
    let (sender, happenings) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || work(hall, &sender));
        }
        drop(sender);
        let mut close = Close::Finished;
        let mut strikes = [0; 2];
        for happening in &happenings {
            if close != Close::Finished {
                // The others are on their way out.
                continue;
            }
            if !hear(&happening) {
                close = Close::Stopped;
            }
            match &happening {
                Happening::Useless(why) => close = Close::Failed(why.clone()),
                Happening::Game(game) if !conduct.recover => {
                    if let Some(why) = strike(plan, game, &mut strikes) {
                        close = Close::Failed(why);
                    }
                }
                _ => {}
            }
            if close != Close::Finished {
                stop.store(true, Ordering::Relaxed);
            }
        }
        if close == Close::Finished && stop.load(Ordering::Relaxed) {
            close = Close::Stopped;
        }
        close
    })
}

/// Whether plain engines know the men of every opening: better found out before the first game.
fn check_plain(plan: &Plan, setup: &AnySetup, openings: &[Opening]) -> Result<(), String> {
    for spec in plan.engines.iter().filter(|spec| spec.proto == Protocol::Plain) {
        let mut table = referee(setup);
        for opening in openings {
            let known = table
                .set_up(opening.fen.as_deref(), &opening.actions)
                .map_err(|error| error.to_string())
                .and_then(|()| table.plain(&spec.letters).map_err(|error| error.to_string()));
            known.map_err(|why| format!("{}: {why}", spec.name))?;
        }
    }
    Ok(())
}

/// Counts games in a row in which an engine failed; why the match is to end, if it is.
fn strike(plan: &Plan, game: &GameRecord, strikes: &mut [u32; 2]) -> Option<String> {
    let failed = matches!(game.ending, Ending::Crash | Ending::Disconnect | Ending::Stall);
    let loser = if game.result == GameResult::White { &game.black } else { &game.white };
    for (engine, strikes) in plan.engines.iter().zip(strikes) {
        *strikes = if failed && engine.name == *loser { *strikes + 1 } else { 0 };
        if *strikes == STRIKES {
            let how = game.ending.text();
            return Some(format!(
                "{loser} failed in {STRIKES} games in a row, at last by {how}; --recover goes on \
                 all the same"
            ));
        }
    }
    None
}

/// Plays games until none is left.
fn work(hall: &Hall<'_>, sender: &Sender<Happening>) {
    let mut table = referee(hall.setup);
    let mut players: [Option<Player<'_>>; 2] = [None, None];
    while !hall.stop.load(Ordering::Relaxed) {
        let next = hall.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(game) = next else { break };
        match one_game(hall, &mut *table, &mut players, game, sender) {
            Ok(record) => {
                if sender.send(Happening::Game(Box::new(record))).is_err() {
                    break;
                }
            }
            Err(Stopped) => break,
        }
    }
}

fn one_game<'a>(
    hall: &'a Hall<'a>,
    table: &mut dyn Referee,
    players: &mut [Option<Player<'a>>; 2],
    game: u64,
    sender: &Sender<Happening>,
) -> Result<GameRecord, Stopped> {
    let pair = game.div_ceil(2);
    let opening = &hall.openings[hall.plan.opening(pair)];
    let white = usize::from(game.is_multiple_of(2));
    let sides = [white, 1 - white];
    let specs = sides.map(|side| &hall.plan.engines[side]);
    let fixture = Fixture { game, seed: hall.plan.pair_seed(pair), opening, specs };
    for (color, &side) in Color::ALL.into_iter().zip(&sides) {
        let spec = &hall.plan.engines[side];
        if spec.restart {
            players[side] = None;
        }
        if players[side].is_some() {
            continue;
        }
        let warn = |warning: String| {
            // The games are what counts if nobody listens any more.
            let _ = sender.send(Happening::Warning(warning));
        };
        match seat(hall, spec, &warn) {
            Ok(player) => players[side] = Some(player),
            Err(NoAnswer::Stopped) => return Err(Stopped),
            Err(NoAnswer::Failed(failure)) => {
                let why = format!("{}: {}", spec.name, failure.detail);
                if !hall.recover {
                    let _ = sender.send(Happening::Useless(why));
                    return Err(Stopped);
                }
                return Ok(forfeit(&fixture, color, failure));
            }
        }
    }
    let [first, second] = players;
    let (Some(first), Some(second)) = (first.as_mut(), second.as_mut()) else {
        return Err(Stopped);
    };
    let seats = if white == 0 { [first, second] } else { [second, first] };
    let record = play(fixture, table, seats, &hall.plan.adjudication, hall.stop)?;
    if record.ending.is_fault() {
        // Whatever state it is in, the next game begins with another.
        let loser = if record.result == GameResult::White { sides[1] } else { sides[0] };
        players[loser] = None;
        if record.ending == Ending::Refusal && !hall.recover {
            let why = record.detail.clone().unwrap_or_default();
            let name = &hall.plan.engines[loser].name;
            let _ = sender.send(Happening::Useless(format!("{name}: {why}")));
            return Err(Stopped);
        }
    }
    Ok(record)
}

/// Starts a player.
fn seat<'a>(
    hall: &'a Hall<'a>,
    spec: &EngineSpec,
    warn: &dyn Fn(String),
) -> Result<Player<'a>, NoAnswer> {
    if spec.cmd == EngineSpec::RANDOM {
        return Ok(Player::Random);
    }
    let setting = Setting {
        variant: &hall.plan.variant,
        options: &hall.plan.options,
        patience: Duration::from_millis(hall.plan.patience),
        stop: hall.stop,
        trace: hall.trace.clone(),
    };
    Client::start(spec, setting, warn).map(Player::Engine)
}

/// A game that could not begin.
fn forfeit(fixture: &Fixture<'_>, loser: Color, failure: Failure) -> GameRecord {
    let [white, black] = fixture.specs.map(|spec| spec.name.clone());
    GameRecord {
        game: fixture.game,
        white,
        black,
        seed: fixture.seed,
        fen: fixture.opening.fen.clone(),
        opening: 0,
        steps: Vec::new(),
        result: GameResult::win(!loser),
        ending: failure.ending,
        detail: Some(failure.detail),
    }
}

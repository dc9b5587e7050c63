//! `alea match` and `alea match-merge`: matches between engines.

use std::collections::{BTreeMap, HashSet};
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thiserror::Error;

use crate::arena::log::{self, GameRecord, Header, Log, LogError, Logged};
use crate::arena::openings::{self, Opening, OpeningError, Order};
use crate::arena::pgn::{self, Heading, PgnError, PgnGame};
use crate::arena::plan::{
    Adjudication, Book, DrawRule, EngineSpec, Plan, PlanError, Resign, Shard, parse_sprt,
};
use crate::arena::run::{Close, Conduct, Happening};
use crate::arena::sprt::{Sprt, Verdict};
use crate::arena::standing::Standing;
use crate::arena::{plot, run as arena};
use crate::core::zobrist::mix;
use crate::game::{AnySetup, Game, with_game};

use super::{GameArguments, ToolError};

/// Of a test that accepts that there is no gain.
const EXIT_H0: u8 = 10;
/// Of a test without a verdict.
const EXIT_OPEN: u8 = 11;
/// Of a match that was interrupted.
const EXIT_INTERRUPTED: u8 = 130;

/// Pipes get the score after so many games.
const SCORE_INTERVAL: u64 = 10;

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A wrong setting.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Openings that do not serve.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A log that does not serve.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A first opening that there is not.
    #[error("--start {start}: there are {count} openings; wanted 1 to {count}")]
    Start {
        /// What was asked for.
        start: usize,
        /// How many there are.
        count: usize,
    },
    /// A game that there is not.
    #[error("--game {game}: this match has no such game; it has {count}, from 1")]
    Game {
        /// What was asked for.
        game: u64,
        /// How many there are.
        count: usize,
    },
    /// The log is another match's.
    #[error("log {file:?} is of another match: its {what} differ; --resume needs the same")]
    OtherMatch {
        /// The log.
        file: String,
        /// What differs first.
        what: &'static str,
    },
    /// Logs of several matches.
    #[error("{first:?} and {second:?} are not of one match: their {what} differ")]
    Apart {
        /// A log.
        first: String,
        /// Another.
        second: String,
        /// What differs first.
        what: &'static str,
    },
    /// A game that is in logs twice.
    #[error("log {0:?} has a second game {1}, which is another than the first")]
    Twice(String, u64),
    /// A game that the match has not.
    #[error("log {0:?} has a game {1}; there is none of that number in its match")]
    Stray(String, u64),
    /// A file cannot be written.
    #[error("{file:?} cannot be written: {error}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// The plot cannot be drawn.
    #[error("plot {0:?}: {1}")]
    Plot(String, String),
    /// An engine cannot be used.
    #[error("{0}")]
    Engine(String),
    /// The games written before cannot be read.
    #[error("{file:?}: {error}")]
    Pgn {
        /// The file.
        file: String,
        /// What is wrong.
        error: Box<PgnError>,
    },
    /// Interrupts cannot be heard.
    #[error("interrupts cannot be heard: {0}")]
    Interrupts(#[from] ctrlc::Error),
}

/// Let two engines play each other, and say who is stronger.
///
/// Every opening is played twice with colours changed, and with the same dice and cards. An engine
/// is a program or builtin:alea or builtin:random; KEY is one of cmd (which comes first), args, dir,
/// stderr (a file), name, proto (alea, or plain for an engine that plays chess only), tc ([MOVES/]SECONDS[+SECONDS]),
/// st (seconds for each action), nodes, depth, timemargin (milliseconds), restart (on or off),
/// letters and option.NAME.
///
/// Example: alea match equalizer --engine cmd=builtin:alea --engine cmd=stockfish proto=plain --each
/// tc=3+0.03 --rounds 100 --concurrency 2
///
/// Exit code: 0 for a match that was played or a test that found a gain, 10 for a test that found
/// none, 11 for a test without a verdict, 130 after Ctrl-C, 1 for errors.
#[derive(Args, Clone, Debug)]
pub struct Match {
    /// The game.
    #[arg(default_value = "chess", value_name = "GAME", help = super::games())]
    pub variant: String,
    /// An engine; give it twice.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", required = true)]
    pub engine: Vec<String>,
    /// Settings of both engines.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Play so many pairs of games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub rounds: u64,
    /// Play so many games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Begin from the openings of this file: FENs, EPD, lists of actions, or PGN.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// In what order.
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    pub order: Order,
    /// From which of them on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub start: usize,
    /// Take so many players' actions of lists.
    #[arg(long, value_name = "N")]
    pub plies: Option<usize>,
    /// Dice, cards, the random order and random players follow from it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Give up a game as lost: movecount=3 score=600 twosided=false.
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub resign: Option<Vec<String>>,
    /// Give up a game as drawn: movenumber=40 movecount=8 score=10.
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub draw: Option<Vec<String>>,
    /// Break off games as drawn after this move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub maxmoves: Option<u32>,
    /// End the match when the test has a verdict: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized.
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub sprt: Option<Vec<String>>,
    /// Go on whatever the engines do; else the match ends when one cannot be started or fails in
    /// three games in a row.
    #[arg(long)]
    pub recover: bool,
    /// Let an engine be silent this long, beyond its time if it has a clock.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub patience: f64,
    /// Write what happens into this file, as JSON, a line each game.
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Go on with the match of the log.
    #[arg(long, requires = "log")]
    pub resume: bool,
    /// Add the games to this file.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<String>,
    /// Draw the score over the games into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<String>,
    /// Play only this part of the match.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Play only this game of the match.
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "log"])]
    pub game: Option<u64>,
    /// Write all that engines hear and say into this file.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<String>,
    /// What the match is called in PGN.
    #[arg(long, value_name = "NAME", default_value = "alea match")]
    pub event: String,
    /// Options of the game.
    #[command(flatten)]
    pub options: GameArguments,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    number.ok_or_else(|| "wanted seconds, above 0".to_owned())
}

/// Put the logs of the parts of a match together.
///
/// This prints what one run of the whole match would have printed at its end, with the same exit code.
#[derive(Args, Clone, Debug)]
pub struct Merge {
    /// Logs of one match.
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<String>,
    /// Write all games into this log, in the order of their numbers.
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Add the games to this file.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<String>,
    /// Draw the score over the games into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<String>,
}

impl Match {
    fn plan(&self, setup: &AnySetup, openings: &[Opening]) -> Result<Plan, MatchError> {
        let rule = |words: &Option<Vec<String>>| words.clone();
        let options = self.options.options.iter().filter_map(|setting| setting.split_once('='));
        let mut options: Vec<(String, String)> =
            options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        if self.options.chess960 {
            options.insert(0, ("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        let book = self.openings.as_ref().map(|file| Book {
            file: file.clone(),
            count: openings.len(),
            fingerprint: fingerprint(&openings),
            order: self.order,
            start: self.start,
            plies: self.plies,
        });
        if self.start == 0 || self.start > openings.len() {
            return Err(MatchError::Start { start: self.start, count: openings.len() });
        }
        Ok(Plan {
            event: self.event.clone(),
            variant: self.variant.to_ascii_lowercase(),
            options,
            rules: fingerprint(setup),
            engines: EngineSpec::parse(&self.engine, &self.each)?,
            pairs: self.rounds,
            seed: self.seed,
            book,
            adjudication: Adjudication {
                resign: rule(&self.resign).map(|words| Resign::parse(&words)).transpose()?,
                draw: rule(&self.draw).map(|words| DrawRule::parse(&words)).transpose()?,
                maxmoves: self.maxmoves,
            },
            sprt: rule(&self.sprt).map(|words| parse_sprt(&words)).transpose()?,
            patience: (self.patience * 1000.0).round() as u64,
            shard: self.shard.as_deref().map(Shard::parse).transpose()?,
        })
    }
}

/// A number that follows from all that something consists of.
fn fingerprint(thing: &impl std::fmt::Debug) -> u64 {
    format!("{thing:?}").bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Plays a match and tells of it.
///
/// # Errors
/// A wrong setting, position or file; an engine that cannot be used.
pub fn run(wanted: &Match, output: &mut impl Write) -> Result<ExitCode, ToolError> {
    let setup = super::game(&wanted.variant, &wanted.options.options()?)?;
    let openings = match &wanted.openings {
        Some(file) => openings::read(file, &setup, wanted.plies).map_err(MatchError::from)?,
        None => vec![Opening::default()],
    };
    let plan = wanted.plan(&setup, &openings)?;
    let mut header = Header::new(plan.clone());
    let mut games = match wanted.game {
        Some(game) if (1..=2 * plan.pairs).contains(&game) => vec![game],
        Some(game) => {
            return Err(MatchError::Game { game, count: plan.games().len() }.into());
        }
        None => plan.games(),
    };
    let mut standing = Standing::new(&plan);
    let mut played = BTreeMap::new();
    let mut log = Journal::None;
    if let Some(file) = &wanted.log {
        log = Journal::ToCome(file.clone());
        if wanted.resume {
            let logged = log::read(file).map_err(MatchError::from)?;
            if let Some(what) = difference(&logged.header.plan, &plan) {
                return Err(MatchError::OtherMatch { file: file.clone(), what }.into());
            }
            log = Journal::Open(Log::resume(file, logged.whole).map_err(MatchError::from)?);
            header = logged.header;
            collect(file, &header.plan, logged.games, &mut played)?;
            games.retain(|game| !played.contains_key(game));
            for game in played.values() {
                standing.add(game);
            }
            writeln!(output, "Resumed: {} games are played, {} to go", played.len(), games.len())?;
        } else {
            Log::check_new(file).map_err(MatchError::from)?;
        }
    }
    if is_decided(&plan, &standing) {
        games.clear();
    }
    if wanted.game.is_none()
        && let Some(warning) = repetition(&plan, &setup, openings.len())
    {
        eprintln!("Warning: {warning}");
    }
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let flags = [Arc::clone(&stop), Arc::clone(&interrupted)];
    let interrupt = move || flags.iter().for_each(|flag| flag.store(true, Ordering::SeqCst));
    ctrlc::set_handler(interrupt).map_err(MatchError::from)?;
    let conduct = Conduct {
        concurrency: usize::from(wanted.concurrency),
        recover: wanted.recover,
        trace: wanted.trace.clone(),
    };
    let mut scribe = Scribe::new(&header, wanted.pgn.as_deref(), &games);
    scribe.catch_up(&played)?;
    let mut desk = Desk {
        header: &header,
        standing,
        log,
        output,
        bar: bar(games.len()),
        warned: HashSet::new(),
        error: None,
    };
    let close = arena::run(&plan, &setup, &openings, games, &conduct, &stop, &mut |happening| {
        desk.hear(happening, &mut scribe)
    });
    let Desk { standing, bar, error, output, .. } = desk;
    scribe.finish()?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(error) = error {
        return Err(error);
    }
    let was_interrupted = interrupted.load(Ordering::SeqCst);
    if was_interrupted {
        writeln!(output, "Interrupted; --resume goes on with a match that has a log")?;
    }
    conclude(&plan, &standing, wanted.plot.as_deref(), output)?;
    match close {
        Close::Failed(why) => Err(MatchError::Engine(why).into()),
        _ if was_interrupted => Ok(EXIT_INTERRUPTED.into()),
        _ => Ok(exit_code(&plan, &standing)),
    }
}

/// What there is to say of a match that plays the same games again and again.
fn repetition(plan: &Plan, setup: &AnySetup, openings: usize) -> Option<String> {
    let has_chance = with_game!(setup, G, _setup => G::HAS_CHANCE);
    let repeats = !has_chance && plan.engines.iter().all(EngineSpec::repeats_itself);
    (repeats && plan.pairs > openings as u64).then(|| {
        let openings = match openings {
            1 => "one opening".to_owned(),
            _ => format!("{openings} openings"),
        };
        format!(
            "{} rounds have {openings}, and neither chance nor a clock: games are likely to repeat; \
             give --openings a file with more, or lower --rounds",
            plan.pairs
        )
    })
}

/// A log that begins with its first game, so that a match which cannot begin leaves none.
enum Journal {
    None,
    ToCome(String),
    Open(Log),
}

impl Journal {
    fn add(&mut self, header: &Header, game: &GameRecord) -> Result<(), LogError> {
        if let Self::ToCome(file) = self {
            *self = Self::Open(Log::create(file, header)?);
        }
        match self {
            Self::Open(log) => log.game(game),
            Self::None | Self::ToCome(_) => Ok(()),
        }
    }
}

/// Hears of a match while it is played.
struct Desk<'a, W> {
    header: &'a Header,
    standing: Standing,
    log: Journal,
    output: &'a mut W,
    bar: Option<ProgressBar>,
    /// Once is enough.
    warned: HashSet<String>,
    /// What went wrong with files or output.
    error: Option<ToolError>,
}

impl<W: Write> Desk<'_, W> {
    /// Takes it in; whether the match is to go on.
    fn hear(&mut self, happening: &Happening, scribe: &mut Scribe<'_>) -> bool {
        match self.note(happening, scribe) {
            Ok(go_on) => go_on,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    fn note(&mut self, happening: &Happening, scribe: &mut Scribe<'_>) -> Result<bool, ToolError> {
        let game = match happening {
            Happening::Game(game) => game,
            Happening::Warning(text) => {
                if self.warned.insert(text.clone()) {
                    self.say(&format!("Warning: {text}"))?;
                }
                return Ok(true);
            }
            // It is the match's error, and told as such.
            Happening::Useless(_) => return Ok(true),
        };
        self.log.add(self.header, game).map_err(MatchError::from)?;
        scribe.add(game)?;
        self.standing.add(game);
        self.say(&game_line(game))?;
        let line = self.standing.line();
        let test = self.standing.sprt_line(&self.header.plan);
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(
                [Some(line), test].into_iter().flatten().collect::<Vec<_>>().join("\n"),
            );
        } else if self.standing.tally().games().is_multiple_of(SCORE_INTERVAL) {
            writeln!(self.output, "{line}")?;
            if let Some(test) = test {
                writeln!(self.output, "{test}")?;
            }
            self.output.flush()?;
        }
        Ok(!is_decided(&self.header.plan, &self.standing))
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                bar.println(line);
                Ok(())
            }
            None => writeln!(self.output, "{line}"),
        }
    }
}

/// Whether a test has its verdict; a part of a match is no test.
fn is_decided(plan: &Plan, standing: &Standing) -> bool {
    let decided = |sprt: Sprt| sprt.verdict(standing.tally()) != Verdict::Continue;
    plan.shard.is_none() && plan.sprt.is_some_and(decided)
}

/// Puts games by their numbers; each may be there once, or twice the same.
fn collect(
    file: &str,
    plan: &Plan,
    found: Vec<GameRecord>,
    games: &mut BTreeMap<u64, GameRecord>,
) -> Result<(), MatchError> {
    let numbers: HashSet<u64> = plan.games().into_iter().collect();
    for game in found {
        let number = game.game;
        if !numbers.contains(&number) {
            return Err(MatchError::Stray(file.to_owned(), number));
        }
        if games.insert(number, game.clone()).is_some_and(|other| other != game) {
            return Err(MatchError::Twice(file.to_owned(), number));
        }
    }
    Ok(())
}

/// The live table, if there is a terminal to show it on.
fn bar(games: usize) -> Option<ProgressBar> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let bar = ProgressBar::with_draw_target(Some(games as u64), ProgressDrawTarget::stdout());
    let style = "{wide_bar} {pos}/{len} games, {elapsed_precise} gone, {eta_precise} to go\n{msg}";
    // A style that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    Some(bar)
}

/// A game in one line.
fn game_line(game: &GameRecord) -> String {
    let GameRecord { game: number, white, black, result, ending, detail, .. } = game;
    let mut line =
        format!("Game {number}: {white} vs {black} {} ({})", result.text(), ending.text());
    if let Some(detail) = detail {
        line.push_str(": ");
        line.push_str(detail);
    }
    line
}

/// Writes games as PGN in the order of their numbers, as soon as those before them are there.
struct Scribe<'a> {
    header: &'a Header,
    file: Option<&'a str>,
    /// Games to come, the next one last.
    order: Vec<u64>,
    waiting: BTreeMap<u64, GameRecord>,
}

impl<'a> Scribe<'a> {
    fn new(header: &'a Header, file: Option<&'a str>, games: &[u64]) -> Self {
        let order = games.iter().rev().copied().collect();
        Self { header, file, order, waiting: BTreeMap::new() }
    }

    /// Writes those games of a match that is gone on with which are not in the file yet: a match
    /// that was broken off may not have written all that it logged.
    fn catch_up(&mut self, played: &BTreeMap<u64, GameRecord>) -> Result<(), MatchError> {
        let Some(file) = self.file else { return Ok(()) };
        if played.is_empty() || !std::path::Path::new(file).exists() {
            return self.write(&played.values().cloned().collect::<Vec<_>>());
        }
        let bytes = std::fs::read(file)
            .map_err(|error| MatchError::File { file: file.to_owned(), error })?;
        let written = pgn::read(&String::from_utf8_lossy(&bytes))
            .map_err(|error| MatchError::Pgn { file: file.to_owned(), error: Box::new(error) })?;
        let key = |game: &PgnGame| {
            ["Round", "Seed", "White", "Black"].map(|tag| game.tag(tag).map(str::to_owned))
        };
        let written: HashSet<_> = written.iter().map(key).collect();
        let missing = played.values().filter(|game| {
            let text = pgn_text(self.header, game);
            pgn::read(&text).is_ok_and(|own| own.iter().all(|own| !written.contains(&key(own))))
        });
        self.write(&missing.cloned().collect::<Vec<_>>())
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        if self.file.is_none() {
            return Ok(());
        }
        self.waiting.insert(game.game, game.clone());
        let mut ready = Vec::new();
        while let Some(next) = self.order.last()
            && let Some(game) = self.waiting.remove(next)
        {
            self.order.pop();
            ready.push(game);
        }
        self.write(&ready)
    }

    /// Writes what still waits for games that will not come.
    fn finish(&mut self) -> Result<(), MatchError> {
        let rest: Vec<_> = std::mem::take(&mut self.waiting).into_values().collect();
        self.write(&rest)
    }

    fn write(&self, games: &[GameRecord]) -> Result<(), MatchError> {
        let Some(file) = self.file else { return Ok(()) };
        if games.is_empty() {
            return Ok(());
        }
        let text: String = games.iter().map(|game| pgn_text(self.header, game)).collect();
        let failed = |error| MatchError::File { file: file.to_owned(), error };
        let mut writer = OpenOptions::new().create(true).append(true).open(file).map_err(failed)?;
        writer.write_all(text.as_bytes()).map_err(failed)
    }
}

fn pgn_text(header: &Header, game: &GameRecord) -> String {
    let plan = &header.plan;
    let time_controls = [&game.white, &game.black].map(|name| {
        let spec = plan.engines.iter().find(|engine| engine.name == *name);
        let clock = spec.and_then(|engine| engine.thinking.clock);
        clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string())
    });
    let heading = Heading {
        event: &plan.event,
        site: "",
        date: header.date(),
        variant: &plan.variant,
        options: &plan.options,
        time_controls,
    };
    pgn::text(game, &heading)
}

/// The summary, and the plot.
fn conclude(
    plan: &Plan,
    standing: &Standing,
    plot_file: Option<&str>,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    write!(output, "\n{}", standing.summary(plan))?;
    output.flush()?;
    if let Some(file) = plot_file {
        let [first, second] = &plan.engines;
        let title = format!("{}: {} vs {}", plan.variant, first.name, second.name);
        let svg = plot::svg(&title, &first.name, &second.name, &standing.points())
            .map_err(|error| MatchError::Plot(file.to_owned(), error.to_string()))?;
        std::fs::write(file, svg)
            .map_err(|error| MatchError::File { file: file.to_owned(), error })?;
    }
    Ok(())
}

fn exit_code(plan: &Plan, standing: &Standing) -> ExitCode {
    match plan.sprt.map(|sprt| sprt.verdict(standing.tally())) {
        None | Some(Verdict::AcceptH1) => ExitCode::SUCCESS,
        Some(Verdict::AcceptH0) => EXIT_H0.into(),
        Some(Verdict::Continue) => EXIT_OPEN.into(),
    }
}

/// What makes two plans not the same match, if they are not.
fn difference(first: &Plan, second: &Plan) -> Option<&'static str> {
    let differ = [
        ("games (UCI_Variant)", first.variant != second.variant),
        ("options of the game", first.options != second.options || first.rules != second.rules),
        ("engines", first.engines != second.engines),
        ("numbers of rounds", first.pairs != second.pairs),
        ("seeds", first.seed != second.seed),
        ("openings", first.book != second.book),
        ("rules of adjudication", first.adjudication != second.adjudication),
        ("tests", first.sprt != second.sprt),
        ("shards", first.shard != second.shard),
        ("names or patience", first.event != second.event || first.patience != second.patience),
    ];
    differ.into_iter().find_map(|(what, differs)| differs.then_some(what))
}

/// Puts logs together.
///
/// # Errors
/// Logs that are wrong or of several matches; files that cannot be written.
pub fn merge(wanted: &Merge, output: &mut impl Write) -> Result<ExitCode, ToolError> {
    let mut whole: Option<(String, Header)> = None;
    let mut games: BTreeMap<u64, GameRecord> = BTreeMap::new();
    for file in &wanted.logs {
        let Logged { mut header, games: found, .. } = log::read(file).map_err(MatchError::from)?;
        header.plan.shard = None;
        match &mut whole {
            None => whole = Some((file.clone(), header)),
            Some((first, kept)) => {
                if let Some(what) = difference(&kept.plan, &header.plan) {
                    let (first, second) = (first.clone(), file.clone());
                    return Err(MatchError::Apart { first, second, what }.into());
                }
                kept.started = kept.started.clone().min(header.started);
            }
        }
        if let Some((_, kept)) = &whole {
            collect(file, &kept.plan, found, &mut games)?;
        }
    }
    let Some((_, header)) = whole else { return Ok(ExitCode::SUCCESS) };
    let mut standing = Standing::new(&header.plan);
    let mut scribe =
        Scribe::new(&header, wanted.pgn.as_deref(), &games.keys().copied().collect::<Vec<_>>());
    let mut log = wanted.log.clone().map_or(Journal::None, Journal::ToCome);
    for game in games.values() {
        standing.add(game);
        scribe.add(game)?;
        log.add(&header, game).map_err(MatchError::from)?;
    }
    let missing = header.plan.games().len() - games.len();
    if missing > 0 {
        writeln!(output, "{missing} games of the match are in none of these logs")?;
    }
    conclude(&header.plan, &standing, wanted.plot.as_deref(), output)?;
    Ok(exit_code(&header.plan, &standing))
}

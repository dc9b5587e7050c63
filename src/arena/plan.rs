//! What a match is to be: the engines, how long they may think, when a game is broken off. Texts
//! in `key=value` form, as the command line has them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::core::zobrist::mix;

use super::openings::Order;
use super::sprt::{Model, Sprt, SprtError};

/// Why a setting is wrong.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A word without `=`.
    #[error("{place}: {word:?} is no setting; wanted KEY=VALUE, as {example}")]
    NoSetting {
        /// Where it stands.
        place: &'static str,
        /// The word.
        word: String,
        /// A right one.
        example: &'static str,
    },
    /// A key that is none.
    #[error("{place}: there is no setting {key:?}; there are {keys}")]
    Unknown {
        /// Where it stands.
        place: &'static str,
        /// The key.
        key: String,
        /// Those that there are.
        keys: &'static str,
    },
    /// A value that the key cannot have.
    #[error("{place}: {key} cannot be {value:?}; wanted {wanted}")]
    Value {
        /// Where it stands.
        place: &'static str,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// Not two engines.
    #[error("a match has two engines, this one {0}; each begins with --engine cmd=PROGRAM")]
    Engines(usize),
    /// A setting of an engine before any `cmd=`.
    #[error("--engine: {0:?} comes before cmd=; each --engine begins with cmd=PROGRAM")]
    NoCommand(String),
    /// An engine with nothing that ends its thinking.
    #[error(
        "{0} has no limit to its thinking: give tc=BASE+INC, st=SECONDS, nodes=N or depth=N, to \
         one with --engine or to both with --each"
    )]
    NoLimit(String),
    /// A test with wrong bounds.
    #[error("--sprt: {0}")]
    Sprt(#[from] SprtError),
    /// A shard that is none.
    #[error("--shard {0:?}: wanted I/N with 1 <= I <= N, as 1/4")]
    Shard(String),
}

/// A side's time for the game: `40/60+0.5` is 40 moves in 60 seconds and half a second more for
/// each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Turns until `base` is given again; none for the whole game.
    pub moves: Option<u32>,
    /// Milliseconds at the start.
    pub base: u64,
    /// Milliseconds gained by each turn.
    pub increment: u64,
}

impl TimeControl {
    /// Reads `[MOVES/]BASE[+INCREMENT]`, times in seconds or as minutes:seconds.
    fn parse(text: &str) -> Option<Self> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let control =
            Self { moves, base: milliseconds(base)?, increment: milliseconds(increment)? };
        (control.base > 0 || control.increment > 0).then_some(control)
    }
}

impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", seconds(self.base))?;
        if self.increment > 0 {
            write!(f, "+{}", seconds(self.increment))?;
        }
        Ok(())
    }
}

/// Seconds, or minutes and seconds with a colon, of at most a thousand hours.
fn milliseconds(text: &str) -> Option<u64> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let minutes: u32 = minutes.parse().ok()?;
    let seconds: f64 = seconds.parse().ok()?;
    let all = f64::from(minutes) * 60.0 + seconds;
    (seconds >= 0.0 && all <= 3_600_000.0).then(|| (all * 1000.0).round() as u64)
}

/// What an engine is told of its thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// A clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds for each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes for each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds by which a time may be overrun.
    pub margin: u64,
}

impl Thinking {
    /// Whether time plays a part.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }

    fn is_limited(&self) -> bool {
        self.is_timed() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// In what words an engine is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Ours: start and list of all actions and events.
    #[default]
    Alea,
    /// That of an engine for plain chess: the bare board, and the moves it may choose from.
    Plain,
}

/// One of the engines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// What it is called in this match.
    pub name: String,
    /// The program, or one of [`EngineSpec::BUILT_IN`].
    pub cmd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// The file to which what it says on its error stream is added; else nobody hears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// How it is spoken to.
    pub proto: Protocol,
    /// What is set with `setoption`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// For `proto=plain`: letters of men and what they are called there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<(String, String)>,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// How long it may think.
    pub thinking: Thinking,
}

impl EngineSpec {
    /// The engine that is part of this program.
    pub const ALEA: &'static str = "builtin:alea";
    /// One that plays any legal action, each as likely.
    pub const RANDOM: &'static str = "builtin:random";
    /// The engines that need no program.
    pub const BUILT_IN: [&'static str; 2] = [Self::ALEA, Self::RANDOM];

    /// Whether it is told to think for so long as comes to the same each time, as far as can be told
    /// from outside.
    pub fn repeats_itself(&self) -> bool {
        let threads = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let is_single = threads.is_none_or(|(_, count)| count.trim() == "1");
        self.cmd != Self::RANDOM && !self.thinking.is_timed() && is_single
    }

    const KEYS: &'static str = "cmd, args, dir, stderr, name, proto, tc, st, nodes, depth, \
                                timemargin, restart, letters, option.NAME";

    /// The two engines of `--engine` settings in a row, each beginning with `cmd=`, with what
    /// `--each` says for both.
    ///
    /// # Errors
    /// A wrong setting; not two engines; one without a limit.
    pub fn parse(engines: &[String], each: &[String]) -> Result<[Self; 2], PlanError> {
        let mut groups: Vec<Vec<&str>> = Vec::new();
        for word in engines {
            if word.starts_with("cmd=") {
                groups.push(vec![word]);
            } else if let Some(group) = groups.last_mut() {
                group.push(word);
            } else {
                return Err(PlanError::NoCommand(word.clone()));
            }
        }
        let mut specs = Vec::new();
        for group in &groups {
            let mut spec = Self::default();
            for word in each {
                spec.set("--each", word)?;
            }
            for word in group {
                spec.set("--engine", word)?;
            }
            if spec.name.is_empty() {
                spec.name = spec.default_name();
            }
            if spec.cmd != Self::RANDOM && !spec.thinking.is_limited() {
                return Err(PlanError::NoLimit(spec.name));
            }
            specs.push(spec);
        }
        let count = specs.len();
        let mut specs: [Self; 2] = specs.try_into().map_err(|_| PlanError::Engines(count))?;
        if specs[0].name == specs[1].name {
            specs[1].name.push_str(" 2");
        }
        Ok(specs)
    }

    fn default_name(&self) -> String {
        let file = self.cmd.strip_prefix("builtin:").unwrap_or(&self.cmd);
        let path = std::path::Path::new(file);
        path.file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    fn set(&mut self, place: &'static str, word: &str) -> Result<(), PlanError> {
        let (key, value) = setting(place, word, "tc=8+0.08")?;
        if let Some(option) = key.strip_prefix("option.") {
            self.options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        let wrong = |wanted| wrong(place, key, value, wanted);
        let positive = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
        let thinking = &mut self.thinking;
        match key {
            "cmd" if value.starts_with("builtin:") && !Self::BUILT_IN.contains(&value) => {
                return Err(wrong("a program, builtin:alea or builtin:random"));
            }
            "cmd" if value.is_empty() => return Err(wrong("a program")),
            "cmd" => value.clone_into(&mut self.cmd),
            "args" => self.args.extend(value.split_ascii_whitespace().map(str::to_owned)),
            "dir" => self.dir = Some(value.to_owned()),
            "stderr" => self.stderr = Some(value.to_owned()),
            "name" if value.trim().is_empty() => return Err(wrong("a name")),
            "name" => value.clone_into(&mut self.name),
            "proto" => {
                self.proto = match value {
                    "alea" => Protocol::Alea,
                    "plain" => Protocol::Plain,
                    _ => return Err(wrong("alea or plain")),
                }
            }
            "tc" if value == "inf" => thinking.clock = None,
            "tc" => {
                let control = TimeControl::parse(value)
                    .ok_or_else(|| wrong("[MOVES/]SECONDS[+SECONDS], as 40/60+0.5, or inf"))?;
                thinking.clock = Some(control);
            }
            "st" => {
                let time = milliseconds(value).filter(|&ms| ms > 0);
                thinking.movetime = Some(time.ok_or_else(|| wrong("seconds for each action"))?);
            }
            "nodes" => {
                thinking.nodes = Some(positive(value).ok_or_else(|| wrong("a positive number"))?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|&depth| depth > 0);
                thinking.depth = Some(depth.ok_or_else(|| wrong("a positive number"))?);
            }
            "timemargin" => {
                thinking.margin = value.parse().map_err(|_| wrong("milliseconds"))?;
            }
            "restart" => self.restart = truth(value).ok_or_else(|| wrong("on or off"))?,
            "letters" => {
                for pair in value.split(',') {
                    let (ours, theirs) = pair
                        .split_once(':')
                        .filter(|(ours, theirs)| !ours.is_empty() && !theirs.is_empty())
                        .ok_or_else(|| wrong("OURS:THEIRS,…, as A:A,+Q:C"))?;
                    let pair = (ours.to_ascii_uppercase(), theirs.to_ascii_uppercase());
                    self.letters.push(pair);
                }
            }
            _ => return Err(unknown(place, key, Self::KEYS)),
        }
        Ok(())
    }
}

/// When a game is given up as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Turns in a row.
    pub movecount: u32,
    /// Centipawns, or more, that the engine sees itself behind in each.
    pub score: i32,
    /// Whether the opponent must see itself as far ahead.
    pub twosided: bool,
}

impl Resign {
    /// Reads `movecount=N score=CP [twosided=true]`.
    ///
    /// # Errors
    /// A wrong setting.
    pub fn parse(words: &[String]) -> Result<Self, PlanError> {
        const PLACE: &str = "--resign";
        let mut resign = Self { movecount: 3, score: 600, twosided: false };
        for word in words {
            let (key, value) = setting(PLACE, word, "score=600")?;
            match key {
                "movecount" => resign.movecount = count(PLACE, key, value)?,
                "score" => resign.score = count(PLACE, key, value)? as i32,
                "twosided" => {
                    resign.twosided =
                        truth(value).ok_or_else(|| wrong(PLACE, key, value, "true or false"))?;
                }
                _ => return Err(unknown(PLACE, key, "movecount, score, twosided")),
            }
        }
        Ok(resign)
    }
}

/// When a game is given up as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this fullmove number.
    pub movenumber: u32,
    /// Turns in a row of each side.
    pub movecount: u32,
    /// Centipawns within which both sides see the game in each.
    pub score: i32,
}

impl DrawRule {
    /// Reads `movenumber=N movecount=N score=CP`.
    ///
    /// # Errors
    /// A wrong setting.
    pub fn parse(words: &[String]) -> Result<Self, PlanError> {
        const PLACE: &str = "--draw";
        let mut rule = Self { movenumber: 40, movecount: 8, score: 10 };
        for word in words {
            let (key, value) = setting(PLACE, word, "movenumber=40")?;
            match key {
                "movenumber" => rule.movenumber = count(PLACE, key, value)?,
                "movecount" => rule.movecount = count(PLACE, key, value)?,
                "score" => rule.score = count(PLACE, key, value)? as i32,
                _ => return Err(unknown(PLACE, key, "movenumber, movecount, score")),
            }
        }
        Ok(rule)
    }
}

/// When games are broken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// As lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// As drawn by scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// As drawn when this fullmove number is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxmoves: Option<u32>,
}

/// Reads `elo0=E elo1=E [alpha=P] [beta=P] [model=logistic|normalized]`.
///
/// # Errors
/// A wrong setting, or bounds that make no test.
pub fn parse_sprt(words: &[String]) -> Result<Sprt, PlanError> {
    const PLACE: &str = "--sprt";
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let mut model = Model::Normalised;
    for word in words {
        let (key, value) = setting(PLACE, word, "elo1=5")?;
        let number = || value.parse::<f64>().map_err(|_| wrong(PLACE, key, value, "a number"));
        match key {
            "elo0" => elo0 = number()?,
            "elo1" => elo1 = number()?,
            "alpha" => alpha = number()?,
            "beta" => beta = number()?,
            "model" => {
                model = match value {
                    "logistic" => Model::Logistic,
                    "normalized" | "normalised" => Model::Normalised,
                    _ => return Err(wrong(PLACE, key, value, "logistic or normalized")),
                }
            }
            _ => return Err(unknown(PLACE, key, "elo0, elo1, alpha, beta, model")),
        }
    }
    Ok(Sprt::new(elo0, elo1, alpha, beta, model)?)
}

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// The file.
    pub file: String,
    /// How many it has.
    pub count: usize,
    /// A number that is another one if the openings are.
    pub fingerprint: u64,
    /// In what order they come.
    pub order: Order,
    /// The first that is played, from 1.
    pub start: usize,
    /// How many actions of players are taken from lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
}

/// All that the games of a match follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What the match is called.
    pub event: String,
    /// The game: a value of `UCI_Variant`.
    pub variant: String,
    /// Options of the game that are set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// A number that is another one if what the options say is, files that they name included.
    pub rules: u64,
    /// The two engines; the first has White in the first game of each pair.
    pub engines: [EngineSpec; 2],
    /// Pairs of games with the same opening and the same dice and cards, colours changed.
    pub pairs: u64,
    /// What the pairs' own seeds follow from.
    pub seed: u64,
    /// The openings; none for the game's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Book>,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// What ends the match early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// How long an engine may be silent, in milliseconds.
    pub patience: u64,
    /// The part of the match that is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Plan {
    /// The numbers of the games to play, in order.
    pub fn games(&self) -> Vec<u64> {
        let pairs = (1..=self.pairs).filter(|&pair| self.shard.is_none_or(|shard| shard.has(pair)));
        pairs.flat_map(|pair| [2 * pair - 1, 2 * pair]).collect()
    }

    /// The seed of a pair, counted from 1.
    pub fn pair_seed(&self, pair: u64) -> u64 {
        mix(mix(self.seed) ^ pair)
    }

    /// Which opening of the book a pair has, from 0.
    pub fn opening(&self, pair: u64) -> usize {
        let Some(book) = &self.book else { return 0 };
        let count = book.count as u64;
        let place = pair - 1 + (book.start as u64 - 1);
        let (round, place) = (place / count, (place % count) as usize);
        match book.order {
            Order::Sequential => place,
            Order::Random => {
                // Each round has a shuffle of its own (Fisher and Yates; Durstenfeld 1964).
                let mut order: Vec<usize> = (0..book.count).collect();
                let mut number = mix(mix(self.seed ^ SHUFFLE) ^ round);
                for last in (1..book.count).rev() {
                    number = mix(number);
                    order.swap(last, (number % (last as u64 + 1)) as usize);
                }
                order[place]
            }
        }
    }
}

/// Sets the openings' order apart from dice and cards.
const SHUFFLE: u64 = 0x6f70_656e_696e_6773;

/// A part of a match: the `index`-th of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Reads `I/N`.
    ///
    /// # Errors
    /// Another form, or a part that there is not.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        parts
            .filter(|shard| shard.index >= 1 && shard.index <= shard.count)
            .ok_or_else(|| PlanError::Shard(text.to_owned()))
    }

    /// Whether a pair, counted from 1, is in it.
    pub fn has(self, pair: u64) -> bool {
        pair % self.count == self.index % self.count
    }
}

fn setting<'a>(
    place: &'static str,
    word: &'a str,
    example: &'static str,
) -> Result<(&'a str, &'a str), PlanError> {
    word.split_once('=').ok_or_else(|| PlanError::NoSetting {
        place,
        word: word.to_owned(),
        example,
    })
}

fn wrong(place: &'static str, key: &str, value: &str, wanted: &'static str) -> PlanError {
    PlanError::Value { place, key: key.to_owned(), value: value.to_owned(), wanted }
}

fn unknown(place: &'static str, key: &str, keys: &'static str) -> PlanError {
    PlanError::Unknown { place, key: key.to_owned(), keys }
}

fn count(place: &'static str, key: &str, value: &str) -> Result<u32, PlanError> {
    let number = value.parse().ok().filter(|number| (1..=100_000).contains(number));
    number.ok_or_else(|| wrong(place, key, value, "a whole number from 1 to 100000"))
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "on" | "true" | "yes" => Some(true),
        "off" | "false" | "no" => Some(false),
        _ => None,
    }
}

impl Thinking {
    /// Beyond what an engine with a fixed time for each action is not asked to be exact, as it
    /// cannot answer before that time is over.
    pub(super) const MOVETIME_SLACK: Duration = Duration::from_millis(200);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_ascii_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn time_controls_of_every_form() {
        let control = |moves, base, increment| Some(TimeControl { moves, base, increment });
        for (text, wanted) in [
            ("8+0.08", control(None, 8000, 80)),
            ("40/60", control(Some(40), 60_000, 0)),
            ("40/1:30.5+1", control(Some(40), 90_500, 1000)),
            ("0+0.1", control(None, 0, 100)),
            ("0", None),
            ("0/60", None),
            ("-1", None),
            ("1e99", None),
            ("nan", None),
            ("60+", None),
            ("", None),
            ("1:2:3", None),
        ] {
            assert_eq!(TimeControl::parse(text), wanted, "{text}");
        }
        assert_eq!(TimeControl::parse("40/1:30.5+1").unwrap().to_string(), "40/90.5+1");
    }

    #[test]
    fn an_engine_overrules_what_holds_for_each() {
        let [first, second] = EngineSpec::parse(
            &words("cmd=/a/b.exe option.Hash=1 cmd=builtin:random name=r"),
            &words("tc=1+1 option.hash=64 option.Threads=2 nodes=5"),
        )
        .unwrap();
        assert_eq!((&first.name[..], &second.name[..]), ("b", "r"));
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(first.options, [option("Threads", "2"), option("Hash", "1")]);
        assert_eq!(second.options, [option("hash", "64"), option("Threads", "2")]);
        assert_eq!(first.thinking.nodes, Some(5));
        assert_eq!(first.thinking.clock, TimeControl::parse("1+1"));
        // Two of one name are told apart.
        let [first, second] = EngineSpec::parse(&words("cmd=a cmd=a"), &words("depth=3")).unwrap();
        assert_eq!((&first.name[..], &second.name[..]), ("a", "a 2"));
    }

    fn plan(order: Order, start: usize) -> Plan {
        Plan {
            event: String::new(),
            variant: "chess".to_owned(),
            options: Vec::new(),
            rules: 0,
            engines: EngineSpec::parse(&words("cmd=a cmd=b"), &words("depth=3")).unwrap(),
            pairs: 7,
            seed: 5,
            book: Some(Book {
                file: String::new(),
                count: 5,
                fingerprint: 0,
                order,
                start,
                plies: None,
            }),
            adjudication: Adjudication::default(),
            sprt: None,
            patience: 0,
            shard: None,
        }
    }

    #[test]
    fn openings_come_round_and_round() {
        let places = |plan: &Plan| (1..=10).map(|pair| plan.opening(pair)).collect::<Vec<_>>();
        assert_eq!(places(&plan(Order::Sequential, 1)), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
        assert_eq!(places(&plan(Order::Sequential, 4)), [3, 4, 0, 1, 2, 3, 4, 0, 1, 2]);
        let random = places(&plan(Order::Random, 1));
        for round in random.chunks(5) {
            let mut sorted = round.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4]);
        }
        assert_ne!(random[..5], random[5..]);
        let other = Plan { seed: 6, ..plan(Order::Random, 1) };
        assert_ne!(places(&other), random);
    }

    /// Parts have each game once, pairs whole.
    #[test]
    fn shards_share_out_the_pairs() {
        let whole = plan(Order::Sequential, 1);
        assert_eq!(whole.games(), (1..=14).collect::<Vec<_>>());
        let mut all = Vec::new();
        for index in 1..=3 {
            let shard = Some(Shard::parse(&format!("{index}/3")).unwrap());
            let games = Plan { shard, ..whole.clone() }.games();
            assert!(games.chunks(2).all(|pair| pair[0] % 2 == 1 && pair[1] == pair[0] + 1));
            all.extend(games);
        }
        all.sort_unstable();
        assert_eq!(all, whole.games());
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/3"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}

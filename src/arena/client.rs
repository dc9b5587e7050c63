//! One engine of a match: what it is told, what it answers, and what it does wrong.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::uci::output::clip;

use super::link::{Heard, Link, Trace};
use super::log::{Ending, Thought};
use super::plan::{EngineSpec, Protocol};

/// How often a wait looks whether the match is being stopped.
const TICK: Duration = Duration::from_millis(50);

/// So many times its patience a search without a limit in time may take, whatever it says.
const LONGEST_SEARCH: u32 = 100;

/// The longest quotation of an engine in a message, in characters.
const LONGEST_QUOTE: usize = 80;

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// What kind of fault it is.
    pub(super) ending: Ending,
    /// In words.
    pub(super) detail: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The engine failed.
    Failed(Failure),
    /// The match is being stopped.
    Stopped,
}

/// An engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The action as it wrote it.
    pub(super) action: String,
    /// What else it said; without the time.
    pub(super) thought: Thought,
    /// From the command to the answer.
    pub(super) elapsed: Duration,
}

/// What the games of a match have in common, as an engine is told it.
#[derive(Clone, Debug)]
pub(super) struct Setting<'a> {
    /// The value of `UCI_Variant`.
    pub(super) variant: &'a str,
    /// Options of the game that are set.
    pub(super) options: &'a [(String, String)],
    /// How long an engine may be silent.
    pub(super) patience: Duration,
    /// Set when the match is to end.
    pub(super) stop: &'a AtomicBool,
    /// Where the conversation is written down.
    pub(super) trace: Trace,
}

/// An engine that has been started and plays the game.
pub(super) struct Client<'a> {
    link: Link,
    setting: Setting<'a>,
    /// The last error that it told.
    complaint: Option<String>,
}

impl<'a> Client<'a> {
    /// Starts an engine, and tells it the game and its options; warnings go to `warn`.
    pub(super) fn start(
        spec: &EngineSpec,
        setting: Setting<'a>,
        warn: &dyn Fn(String),
    ) -> Result<Self, NoAnswer> {
        let link = Link::open(spec, setting.trace.clone())
            .map_err(|error| refusal(format!("cannot start {:?}: {error}", spec.cmd)))?;
        let mut client = Self { link, setting, complaint: None };
        let offered = client.introduce()?;
        for (name, value) in client.game_options(spec, &offered)? {
            client.say(&format!("setoption name {name} value {value}"))?;
        }
        for (name, value) in &spec.options {
            let offers = |line: &String| option_name(line).eq_ignore_ascii_case(name);
            if !offered.iter().any(offers) {
                warn(format!("{} offers no option {name}; it is set all the same", spec.name));
            }
            client.say(&format!("setoption name {name} value {value}"))?;
        }
        client.ready()?;
        match client.complaint.take() {
            Some(complaint) => Err(refusal(complaint)),
            None => Ok(client),
        }
    }

    /// Waits for `uciok`; the options that it offers.
    fn introduce(&mut self) -> Result<Vec<String>, NoAnswer> {
        let mut offered = Vec::new();
        self.say("uci")?;
        self.wait("uciok", |line| {
            if let Some(option) = line.strip_prefix("option name ") {
                offered.push(option.to_owned());
            }
        })
        .map_err(|error| match error {
            NoAnswer::Failed(Failure { ending: Ending::Stall, detail }) => refusal(detail),
            error => error,
        })?;
        Ok(offered)
    }

    /// What has to be set so that the engine plays the match's game.
    fn game_options(
        &self,
        spec: &EngineSpec,
        offered: &[String],
    ) -> Result<Vec<(String, String)>, NoAnswer> {
        let Setting { variant, options, .. } = self.setting;
        let own = options.iter().filter(|(name, _)| {
            spec.proto == Protocol::Alea || name.eq_ignore_ascii_case("UCI_Chess960")
        });
        let own = own.cloned();
        if spec.proto == Protocol::Plain {
            return Ok(own.collect());
        }
        let games = offered.iter().find(|line| option_name(line) == "UCI_Variant");
        let plays = games.map_or(variant == "chess", |line| {
            let mut words = line.split_ascii_whitespace();
            words.any(|word| word == variant)
        });
        if !plays {
            return Err(refusal(format!(
                "it does not play {variant}: its option UCI_Variant does not offer it; proto=plain \
                 lets an engine for chess play where men move as in chess"
            )));
        }
        let game = games.map(|_| ("UCI_Variant".to_owned(), variant.to_owned()));
        Ok(game.into_iter().chain(own).collect())
    }

    /// Has it forget the game before.
    pub(super) fn new_game(&mut self) -> Result<(), NoAnswer> {
        self.say("ucinewgame")?;
        self.ready()
    }

    fn ready(&mut self) -> Result<(), NoAnswer> {
        self.say("isready")?;
        self.wait("readyok", |_| {})
    }

    fn say(&mut self, line: &str) -> Result<(), NoAnswer> {
        if self.link.say(line) { Ok(()) } else { Err(self.gone()) }
    }

    /// Listens until a line begins with that word.
    fn wait(&mut self, word: &str, mut each: impl FnMut(&str)) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + self.setting.patience;
        loop {
            let heard = self.listen(deadline)?;
            if let Some((line, _)) = &heard {
                if line.split_ascii_whitespace().next() == Some(word) {
                    return Ok(());
                }
                each(line);
            }
            if is_late(heard.as_ref(), deadline) {
                let seconds = self.setting.patience.as_secs_f64();
                return Err(failure(Ending::Stall, format!("no {word} within {seconds} s")));
            }
        }
    }

    /// The next line; none if none comes in time.
    fn listen(&mut self, deadline: Instant) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            if self.setting.stop.load(Ordering::Relaxed) {
                return Err(NoAnswer::Stopped);
            }
            match self.link.hear(deadline.min(Instant::now() + TICK)) {
                Heard::Line(line, at) => {
                    if let Some(complaint) = line.strip_prefix("info string error:") {
                        self.complaint = Some(quoted(complaint.trim()));
                    }
                    return Ok(Some((line, at)));
                }
                Heard::Closed => return Err(self.gone()),
                Heard::Silence if Instant::now() >= deadline => return Ok(None),
                // What it has started may hold its output open.
                Heard::Silence if self.link.has_ended() => return Err(self.gone()),
                Heard::Silence => {}
            }
        }
    }

    /// The engine has ended, or will not be spoken to.
    fn gone(&mut self) -> NoAnswer {
        if self.setting.stop.load(Ordering::Relaxed) {
            return NoAnswer::Stopped;
        }
        match self.link.exit_status() {
            Some(status) if !status.success() => failure(Ending::Crash, status.to_string()),
            Some(_) => failure(Ending::Disconnect, "it ended without being asked".to_owned()),
            None => failure(Ending::Disconnect, "it closed its input or output".to_owned()),
        }
    }

    /// Asks for an action. `position` and `go` are the whole commands; `limit` is how long it may
    /// take, after which it is told to stop and has the match's patience to answer; without one it
    /// may be silent for so long, as nobody can say how long a search of so many nodes takes.
    pub(super) fn think(
        &mut self,
        position: &str,
        go: &str,
        limit: Option<Duration>,
    ) -> Result<Answer, NoAnswer> {
        // Whatever it still had to say is no answer to this.
        self.ready()?;
        self.complaint = None;
        let start = Instant::now();
        self.say(&format!("{position}\n{go}"))?;
        let mut thought = Thought::default();
        let patience = self.setting.patience;
        let mut deadline = start + limit.unwrap_or(patience);
        let last = start + patience.saturating_mul(LONGEST_SEARCH);
        let mut told = false;
        loop {
            let heard = self.listen(deadline)?;
            if let Some((line, at)) = &heard {
                let mut words = line.split_ascii_whitespace();
                match words.next() {
                    Some("info") => note(words, &mut thought),
                    Some("bestmove") if *at >= start => {
                        let action = words.next().unwrap_or_default().to_owned();
                        return Ok(Answer { action, thought, elapsed: *at - start });
                    }
                    _ => {}
                }
                if limit.is_none() {
                    deadline = (*at + patience).min(last);
                }
            }
            if is_late(heard.as_ref(), deadline) {
                if told || limit.is_none() {
                    let waited = start.elapsed().as_secs_f64();
                    return Err(failure(Ending::Stall, format!("no bestmove in {waited:.1} s")));
                }
                told = true;
                self.say("stop")?;
                deadline = Instant::now() + patience;
            }
        }
    }

    /// What an answer that is no legal action looks like in the log.
    pub(super) fn illegal(&mut self, action: &str, fen: &str) -> Failure {
        let mut detail = format!("{:?} in {fen}", quoted(action));
        if let Some(complaint) = self.complaint.take() {
            detail.push_str(", having said ");
            detail.push_str(&complaint);
        }
        Failure { ending: Ending::IllegalAction, detail }
    }
}

/// What an engine wrote, fit to be shown: not long, and without what a terminal would obey.
fn quoted(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clip(&text, LONGEST_QUOTE)
}

/// Whether nothing came in time; an engine that prints without end is late too.
fn is_late(heard: Option<&(String, Instant)>, deadline: Instant) -> bool {
    heard.is_none_or(|(_, at)| *at >= deadline)
}

fn failure(ending: Ending, detail: String) -> NoAnswer {
    NoAnswer::Failed(Failure { ending, detail })
}

fn refusal(detail: String) -> NoAnswer {
    failure(Ending::Refusal, detail)
}

/// The name in `NAME type KIND …`.
fn option_name(declaration: &str) -> &str {
    declaration.split(" type ").next().unwrap_or_default().trim()
}

/// Takes over what an `info` line says of the first line of play.
fn note<'a>(mut words: impl Iterator<Item = &'a str>, thought: &mut Thought) {
    let mut said = Thought::default();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        match word {
            "string" | "pv" => break,
            "multipv" if number() != Some(1) => return,
            "depth" => said.depth = number().and_then(|depth| u32::try_from(depth).ok()),
            "nodes" => said.nodes = number(),
            "score" => {
                let kind = words.next().filter(|&kind| kind == "cp" || kind == "mate");
                let value = words.next().and_then(|word| word.parse::<i32>().ok());
                said.score = kind.zip(value).map(|(kind, value)| format!("{kind} {value}"));
            }
            _ => {}
        }
    }
    // A depth belongs to a score; lines without one tell of the move being searched.
    if said.score.is_some() {
        thought.score = said.score;
        thought.depth = said.depth.or(thought.depth);
    }
    thought.nodes = said.nodes.or(thought.nodes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(lines: &[&str]) -> Thought {
        let mut thought = Thought::default();
        for line in lines {
            note(line.split_ascii_whitespace(), &mut thought);
        }
        thought
    }

    #[test]
    fn the_first_line_of_play_is_what_counts() {
        let wanted = Thought {
            score: Some("cp -31".to_owned()),
            depth: Some(12),
            nodes: Some(2000),
            ms: None,
        };
        assert_eq!(
            noted(&[
                "depth 11 seldepth 20 multipv 1 score cp 5 nodes 1000 pv e2e4",
                "depth 12 multipv 1 score cp -31 upperbound nodes 1800 pv depth 99",
                "depth 12 multipv 2 score cp -50 nodes 1900 pv d2d4",
                "depth 13 currmove e2e4 currmovenumber 1 nodes 2000",
                "string score cp 1000",
            ]),
            wanted
        );
    }

    #[test]
    fn rubbish_says_nothing() {
        for line in
            ["score", "score cp", "score cp x", "score mate", "depth -1", "depth 9999999999"]
        {
            assert_eq!(noted(&[line]).score, None, "{line}");
            assert_eq!(noted(&[line]).depth, None, "{line}");
        }
    }
}

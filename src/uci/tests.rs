//! Whole conversations with a desk that knows no game.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::EndRule;
use crate::search::{Bound, Control, DeskError, Info, Limits, Report, ScoreText};

use super::*;

/// A desk that searches until it is told to stop, unless it has a depth.
struct FakeDesk {
    position: String,
    hash: usize,
    table: Arc<Table>,
}

fn open(setup: &AnySetup, settings: &Settings, table: Arc<Table>) -> Box<dyn Desk> {
    let _ = setup;
    Box::new(FakeDesk { position: "startpos".to_owned(), hash: settings.hash, table })
}

impl FakeDesk {
    fn count(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        if depth > 9 {
            control.wait(false);
            return Err(DeskError::Stopped);
        }
        Ok(format!("{depth} {}", self.position))
    }
}

impl Desk for FakeDesk {
    fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    fn set_position(&mut self, fen: Option<&str>, actions: &[&str]) -> Result<(), DeskError> {
        if actions.contains(&"bad") {
            return Err(DeskError::NoTable(0));
        }
        self.position = format!("{} {}", fen.unwrap_or("startpos"), actions.join(","));
        Ok(())
    }

    fn fen_line(&self) -> String {
        format!("fen {}", self.position)
    }

    fn node_line(&self) -> String {
        "node decision white".to_owned()
    }

    fn end_rule(&self) -> Option<EndRule> {
        None
    }

    fn legal_line(&self) -> String {
        "legal".to_owned()
    }

    fn variant_line(&self) -> String {
        format!("variant fake hash {}", self.hash)
    }

    fn drawing(&self, colors: bool) -> String {
        format!("colors {colors}\n")
    }

    fn eval_text(&self) -> String {
        "even".to_owned()
    }

    fn perft_line(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        self.count(depth, control).map(|text| format!("perft {text}"))
    }

    fn divide_lines(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        self.count(depth, control).map(|text| format!("a: 1\n\nNodes searched: {text}"))
    }

    fn solve_line(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        self.count(depth, control).map(|text| format!("solve {text}"))
    }

    fn check_limits(&self, limits: &Limits) -> Result<(), DeskError> {
        match limits.search_moves.first() {
            Some(action) if action == "bad" => Err(DeskError::SearchMove(action.clone())),
            _ => Ok(()),
        }
    }

    fn search(&mut self, limits: &Limits, control: &Control, sink: &(dyn Fn(Report) + Sync)) {
        sink(Report::Info(Info {
            depth: 1,
            seldepth: 2,
            multipv: 1,
            score: ScoreText::Cp(3),
            bound: Bound::Exact,
            wdl: None,
            nodes: 4,
            hashfull: 5,
            time: Duration::from_secs(1),
            pv: vec!["a".to_owned(), "b".to_owned()],
        }));
        sink(Report::Current { depth: 2, action: "a".to_owned(), number: 1 });
        sink(Report::Note("a note".to_owned()));
        if limits.depth.is_none() {
            control.wait(limits.ponder && !limits.infinite);
        }
        let action = (limits.depth != Some(7)).then(|| "a".to_owned());
        let ponder = (limits.depth != Some(8)).then(|| "b".to_owned());
        sink(Report::Best { action, ponder });
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), DeskError> {
        if settings.hash > 1_000_000 {
            return Err(DeskError::NoTable(settings.hash));
        }
        self.hash = settings.hash;
        Ok(())
    }

    fn new_game(&mut self) {
        "new game".clone_into(&mut self.position);
    }
}

/// The reading end of a pipe within the process.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = self.1.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

/// The writing end.
struct Spout(Sender<Vec<u8>>);

impl Write for Spout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Both ends of a conversation.
struct Talk {
    input: Option<Sender<Vec<u8>>>,
    output: Option<Receiver<Vec<u8>>>,
    session: Option<thread::JoinHandle<()>>,
}

impl Talk {
    fn new() -> Self {
        let (input, lines) = mpsc::channel();
        let (spout, output) = mpsc::channel();
        let session = thread::spawn(move || {
            let lines = BufReader::new(Pipe(lines, Vec::new()));
            talk(open, lines, Box::new(Spout(spout)), false).unwrap();
        });
        Self { input: Some(input), output: Some(output), session: Some(session) }
    }

    fn say(&self, text: &str) {
        self.input.as_ref().unwrap().send(format!("{text}\n").into_bytes()).unwrap();
    }

    /// What one writing says: a line, or several that belong together.
    fn hear(&self) -> String {
        let bytes = self.output.as_ref().unwrap().recv_timeout(Duration::from_secs(20)).unwrap();
        String::from_utf8(bytes).unwrap().trim_end().to_owned()
    }

    fn ask(&self, text: &str) -> String {
        self.say(text);
        self.hear()
    }

    /// Starts a search and hears what it says at first.
    fn go(&self, text: &str) {
        assert_eq!(
            self.ask(text),
            "info depth 1 seldepth 2 multipv 1 score cp 3 nodes 4 nps 4 hashfull 5 time 1000 pv a b"
        );
        assert_eq!(self.hear(), "info depth 2 currmove a currmovenumber 1");
        assert_eq!(self.hear(), "info string a note");
    }

    /// Nothing more was said; ends by the end of input.
    fn end(mut self) -> String {
        self.input = None;
        self.session.take().unwrap().join().unwrap();
        let rest: Vec<u8> = self.output.take().unwrap().iter().flatten().collect();
        String::from_utf8(rest).unwrap()
    }
}

#[test]
fn uci_lists_name_and_options() {
    let talk = Talk::new();
    let lines = talk.ask("uci");
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines[0], format!("id name alea {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(lines[1], "id author the alea authors");
    assert!(lines.contains(&"option name Hash type spin default 16 min 1 max 1048576"));
    assert!(lines.contains(&"option name Clear Hash type button"));
    assert!(lines.iter().any(|line| {
        line.starts_with("option name UCI_Variant type combo default chess var chess var ")
    }));
    assert!(lines.contains(&"option name UCI_Chess960 type check default false"));
    assert_eq!(lines.last(), Some(&"uciok"));
    assert_eq!(talk.end(), "");
}

#[test]
fn a_search_is_answered_by_one_bestmove() {
    let talk = Talk::new();
    talk.go("go depth 3");
    assert_eq!(talk.hear(), "bestmove a ponder b");
    talk.go("go depth 7");
    assert_eq!(talk.hear(), "bestmove (none)");
    talk.go("go depth 8");
    assert_eq!(talk.hear(), "bestmove a");
    assert_eq!(
        talk.ask("go searchmoves bad"),
        "info string error: go: searchmoves: \"bad\" is no legal action here"
    );
    assert!(talk.ask("go deep").starts_with("info string error: go: wanted depth, "));
    talk.say("stop");
    talk.say("ponderhit");
    assert_eq!(talk.ask("isready"), "readyok");
    assert_eq!(talk.end(), "");
}

#[test]
fn while_a_search_runs_nothing_changes() {
    let talk = Talk::new();
    talk.say("position startpos moves x");
    talk.go("go");
    assert_eq!(talk.ask("isready"), "readyok");
    assert!(talk.ask("uci").ends_with("uciok"));
    for line in [
        "position startpos",
        "setoption name Hash value 1",
        "go depth 1",
        "go perft 1",
        "ucinewgame",
        "fen",
        "node",
        "legal",
        "perft 1",
        "solve 1",
        "d",
        "eval",
    ] {
        let command = line.split(' ').next().unwrap();
        assert_eq!(
            talk.ask(line),
            format!("info string error: {command} is refused while a search runs; stop ends it")
        );
    }
    talk.say("ponderhit");
    assert_eq!(talk.ask("stop"), "bestmove a ponder b");
    assert_eq!(talk.ask("fen"), "fen startpos x");
    assert_eq!(talk.end(), "");
}

#[test]
fn ponderhit_lets_a_pondering_search_go() {
    let talk = Talk::new();
    talk.go("go ponder wtime 10 btime 10");
    assert_eq!(talk.ask("isready"), "readyok");
    assert_eq!(talk.ask("ponderhit"), "bestmove a ponder b");
    talk.go("go ponder wtime 10 btime 10");
    assert_eq!(talk.ask("stop"), "bestmove a ponder b");
    assert_eq!(talk.end(), "");
}

#[test]
fn quit_and_the_end_of_input_stop_a_search() {
    let begin = Instant::now();
    let talk = Talk::new();
    talk.go("go infinite");
    talk.say("quit");
    assert_eq!(talk.hear(), "bestmove a ponder b");
    assert_eq!(talk.end(), "");
    let talk = Talk::new();
    talk.go("go infinite");
    assert_eq!(talk.end(), "bestmove a ponder b\n");
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn counting_can_be_stopped() {
    let talk = Talk::new();
    talk.say("position fen x y");
    assert_eq!(talk.ask("perft 3"), "perft 3 x y");
    assert_eq!(talk.ask("solve 0"), "solve 0 x y");
    assert_eq!(talk.ask("go perft 1"), "a: 1\n\nNodes searched: 1 x y");
    for (line, name) in [("perft 10", "perft"), ("go perft 10", "go perft"), ("solve 10", "solve")]
    {
        talk.say(line);
        assert_eq!(talk.ask("isready"), "readyok");
        assert_eq!(
            talk.ask("stop"),
            format!("info string error: {name}: stopped before the result was there")
        );
    }
    assert_eq!(talk.end(), "");
}

#[test]
fn what_is_asked_during_a_count_is_answered_after_it() {
    let talk = Talk::new();
    talk.say("perft 10\nposition startpos moves x\nperft 3\nfen");
    assert_eq!(talk.ask("isready"), "readyok");
    assert!(talk.ask("stop").starts_with("info string error: perft: stopped"));
    assert_eq!(talk.hear(), "perft 3 startpos x");
    assert_eq!(talk.hear(), "fen startpos x");
    talk.say("perft 10\ngo infinite");
    assert!(talk.ask("stop").starts_with("info string error: perft: stopped"));
    let rest = talk.end();
    assert!(rest.ends_with("info string a note\nbestmove a ponder b\n"), "{rest}");
}

#[test]
fn counts_are_finished_before_the_end() {
    for quit in ["", "quit"] {
        let talk = Talk::new();
        talk.say(&format!("perft 3\nsolve 2\nfen\n{quit}"));
        assert_eq!(talk.end(), "perft 3 startpos\nsolve 2 startpos\nfen startpos\n");
    }
    let begin = Instant::now();
    let talk = Talk::new();
    talk.say("perft 10\nfen\nquit");
    assert_eq!(talk.end(), "info string error: perft: stopped before the result was there\n");
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[test]
fn options_reach_the_desk_or_change_nothing() {
    let talk = Talk::new();
    talk.say("position startpos moves x");
    talk.say("setoption name hash value 32");
    assert_eq!(
        talk.ask("setoption name Hash value 1048576"),
        "info string error: setoption: no memory for a hash table of 1048576 MiB"
    );
    assert_eq!(
        talk.ask("setoption name Hash value x"),
        "info string error: setoption: option Hash cannot be \"x\"; wanted a whole number from 1 \
         to 1048576"
    );
    talk.say("setoption name UCI_Chess960 value false");
    assert_eq!(talk.ask("fen"), "fen startpos x");
    talk.say("setoption name UCI_Chess960 value true");
    assert_eq!(talk.ask("fen"), "fen startpos");
    assert_eq!(
        talk.ask("setoption name UCI_Variant value chroma"),
        "info string variant fake hash 32"
    );
    talk.say("position startpos moves x");
    assert_eq!(
        talk.ask("setoption name uci_variant value Chroma"),
        "info string variant fake hash 32"
    );
    assert_eq!(talk.ask("fen"), "fen startpos");
    talk.say("ucinewgame");
    assert_eq!(talk.ask("fen"), "fen new game");
    assert_eq!(talk.end(), "");
}

#[test]
fn a_wrong_position_changes_nothing() {
    let talk = Talk::new();
    talk.say("position fen 8/8 w moves x y");
    assert!(talk.ask("position startpos moves bad").starts_with("info string error: position: "));
    assert!(talk.ask("position").starts_with("info string error: position: "));
    assert_eq!(talk.ask("fen"), "fen 8/8 w x,y");
    assert_eq!(talk.end(), "");
}

#[test]
fn rubbish_is_answered_by_one_line_each() {
    let talk = Talk::new();
    for rubbish in ["xyzzy", "\0\u{1}", "UCI", "go depth depth", "setoption", "\u{1F600} \u{7f}"] {
        let answer = talk.ask(rubbish);
        assert!(answer.starts_with("info string error: "), "{answer}");
        assert!(!answer.contains('\n'));
    }
    talk.say("\r\n\t \n\ndebug on\nregister later");
    assert!(talk.ask(&"x".repeat(2 << 20)).ends_with("is not read"));
    assert_eq!(talk.ask("  isready\r"), "readyok");
    assert_eq!(talk.end(), "");
}

#[test]
fn a_broken_pipe_ends_it() {
    let mut talk = Talk::new();
    talk.output = None;
    talk.say("isready");
    talk.session.take().unwrap().join().unwrap();
}

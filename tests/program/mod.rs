//! The program as a child process, at both ends of its pipes.

// Each test is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on the slowest machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running alea.
pub(crate) struct Alea {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Alea {
    /// Starts it with those arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alea"));
        command.args(arguments);
        Self::of(command)
    }

    /// Starts it by that command.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { input: child.stdin.take(), child, lines }
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends bytes.
    pub(crate) fn pour(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line; `None` if none comes any more.
    pub(crate) fn hear(&self) -> Option<String> {
        self.lines.recv_timeout(PATIENCE).ok()
    }

    /// Sends a line and gives the next that comes.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear().unwrap()
    }

    /// Lines up to one that begins so; that one.
    pub(crate) fn hear_until(&self, start: &str) -> String {
        loop {
            let line = self.hear().unwrap_or_else(|| panic!("no {start:?} came"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// All that was said before an `isready` was answered.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.say("isready");
        let mut said = Vec::new();
        loop {
            let line = self.hear().expect("no readyok came");
            if line == "readyok" {
                return said;
            }
            said.push(line);
        }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the input; what was said after that.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.input = None;
        let begin = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < PATIENCE, "alea goes on without input");
            thread::sleep(Duration::from_millis(2));
        }
        assert!(self.child.wait().unwrap().success());
        self.lines.iter().collect()
    }
}

/// No process is left behind by a test that fails.
impl Drop for Alea {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The games that it offers.
pub(crate) fn variants() -> Vec<String> {
    let mut alea = Alea::start(&[]);
    alea.say("uci");
    let line = alea.hear_until("option name UCI_Variant type combo ");
    line.split(" var ").skip(1).map(str::to_owned).collect()
}

/// Runs it to its end, without input.
pub(crate) fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alea")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

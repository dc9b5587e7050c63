//! Lines to and from an engine: a program behind pipes, or the engine in this program behind the
//! same.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::search::open_desk;
use crate::uci::{
    self,
    input::{Line, next_line},
};

use super::plan::EngineSpec;

/// How long a program may take to end after `quit`.
const GRACE: Duration = Duration::from_millis(500);

/// Lines that wait to be heard; an engine that prints more has to wait itself.
const MOST_LINES: usize = 4096;

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, and when it came.
    Line(String, Instant),
    /// Nothing yet.
    Silence,
    /// Nothing ever again.
    Closed,
}

/// An engine at the other end.
pub(super) struct Link {
    /// None once it was closed.
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<(String, Instant)>,
    /// None for the engine in this program.
    child: Option<Child>,
}

impl Link {
    /// Starts the engine.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn open(spec: &EngineSpec) -> io::Result<Self> {
        if spec.cmd == EngineSpec::ALEA {
            let (engine_input, input) = io::pipe()?;
            let (output, engine_output) = io::pipe()?;
            thread::Builder::new().name("builtin alea".to_owned()).spawn(move || {
                // What keeps a session from beginning shows as an engine that says nothing.
                let _ = uci::talk(
                    open_desk,
                    BufReader::new(engine_input),
                    Box::new(engine_output),
                    false,
                );
            })?;
            return Ok(Self { input: Some(Box::new(input)), lines: listen(output)?, child: None });
        }
        let mut command = Command::new(&spec.cmd);
        command.args(&spec.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        // A Ctrl-C at the terminal is for the match, which ends its engines in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take().map(|input| Box::new(input) as Box<dyn Write + Send>);
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { input, lines: listen(output)?, child: Some(child) })
    }

    /// Sends lines; whether the other end could take them.
    pub(super) fn say(&mut self, text: &str) -> bool {
        self.input.as_mut().is_some_and(|input| {
            input.write_all(format!("{text}\n").as_bytes()).and_then(|()| input.flush()).is_ok()
        })
    }

    /// The next line, if one comes before that.
    pub(super) fn hear(&self, deadline: Instant) -> Heard {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((line, at)) => Heard::Line(line, at),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// How the program ended, if it has ended or does so soon.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        let child = self.child.as_mut()?;
        let deadline = Instant::now() + GRACE;
        loop {
            match child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

/// Asks to quit, and does not take no for an answer.
impl Drop for Link {
    fn drop(&mut self) {
        self.say("quit");
        self.input = None;
        if self.exit_status().is_none()
            && let Some(child) = &mut self.child
        {
            kill(child);
        }
    }
}

/// Ends a program and what it has started; all of it may have ended by now.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A thread that notes when each line came; lines too long to be any engine's are left out.
fn listen(output: impl Read + Send + 'static) -> io::Result<Receiver<(String, Instant)>> {
    let (sender, lines) = mpsc::sync_channel(MOST_LINES);
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut output = BufReader::new(output);
        while let Ok(Some(line)) = next_line(&mut output) {
            let Line::Text(line) = line else { continue };
            if sender.send((line, Instant::now())).is_err() {
                break;
            }
        }
    })?;
    Ok(lines)
}

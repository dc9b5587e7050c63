//! Lines to and from an engine: a program behind pipes, or the engine in this program behind the
//! same.

use std::fs::OpenOptions;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::search::open_desk;
use crate::uci::{self, input::Line, input::next_line};

use super::plan::EngineSpec;

/// How long a program may take to end after `quit`.
const GRACE: Duration = Duration::from_millis(500);

/// Lines that wait to be heard; an engine that prints more has to wait itself.
const MOST_LINES: usize = 1024;

/// The longest line of an engine that is heard, in bytes.
const LONGEST_LINE: usize = 1 << 16;

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

/// Where all that is said is written down, if anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    file: Option<Arc<(Mutex<std::fs::File>, Instant)>>,
}

impl Trace {
    /// Into a new file of that name.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn create(file: &str) -> io::Result<Self> {
        let file = std::fs::File::create(file)?;
        Ok(Self { file: Some(Arc::new((Mutex::new(file), Instant::now()))) })
    }

    /// A line: when, who, in which direction, what.
    fn note(&self, engine: &str, mark: char, text: &str) {
        let Some(trace) = &self.file else { return };
        let (file, start) = &**trace;
        let seconds = start.elapsed().as_secs_f64();
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            // A match is not to end because its trace does.
            let _ = writeln!(file, "{seconds:.6} {engine} {mark} {line}");
        }
    }
}

/// An engine at the other end.
pub(super) struct Link {
    name: String,
    /// To the thread that writes, as an engine that does not read would block whoever does; none
    /// once it was closed.
    input: Option<Sender<String>>,
    /// Whether the engine takes no more.
    deaf: Arc<AtomicBool>,
    lines: Receiver<(String, Instant)>,
    /// None for the engine in this program, and once it has been waited for.
    child: Option<Child>,
    status: Option<ExitStatus>,
    trace: Trace,
}

impl Link {
    /// Starts the engine.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn open(spec: &EngineSpec, trace: Trace) -> io::Result<Self> {
        let name = spec.name.clone();
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
            let (input, deaf) = speak(input)?;
            let (input, lines) = (Some(input), listen(output)?);
            return Ok(Self { name, input, deaf, lines, child: None, status: None, trace });
        }
        let mut command = Command::new(&spec.cmd);
        command.args(&spec.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        if let Some(file) = &spec.stderr {
            command.stderr(OpenOptions::new().create(true).append(true).open(file)?);
        }
        // A Ctrl-C at the terminal is for the match, which ends its engines in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (input, deaf) = speak(child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?)?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (input, lines) = (Some(input), listen(output)?);
        Ok(Self { name, input, deaf, lines, child: Some(child), status: None, trace })
    }

    /// Sends lines; whether the other end takes any.
    pub(super) fn say(&self, text: &str) -> bool {
        self.trace.note(&self.name, '<', text);
        let sent = self.input.as_ref().is_some_and(|input| input.send(format!("{text}\n")).is_ok());
        sent && !self.deaf.load(Ordering::Relaxed)
    }

    /// The next line, if one comes before that.
    pub(super) fn hear(&self, deadline: Instant) -> Heard {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((line, at)) => {
                self.trace.note(&self.name, '>', &line);
                Heard::Line(line, at)
            }
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// Whether the program has ended; never the engine in this one.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_some_and(has_ended)
    }

    /// How the program ended, if it has ended or does so soon; what it had started ends with it.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        while let Some(child) = &mut self.child {
            if has_ended(child) {
                self.end();
            } else if Instant::now() >= deadline {
                return None;
            } else {
                thread::sleep(Duration::from_millis(5));
            }
        }
        self.status
    }

    /// Ends the program and what it has started; all of it may have ended by now.
    fn end(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = child.kill();
        self.status = child.wait().ok();
    }
}

/// Asks to quit, and does not take no for an answer.
impl Drop for Link {
    fn drop(&mut self) {
        self.say("quit");
        self.input = None;
        if self.exit_status().is_none() {
            self.end();
        }
    }
}

/// Whether a program has ended; it is left to be waited for, so that its number is not another's.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let Ok(number) = i32::try_from(child.id()) else { return false };
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    // An error is that it was waited for before.
    !matches!(
        waitid(Id::Pid(nix::unistd::Pid::from_raw(number)), flags),
        Ok(WaitStatus::StillAlive)
    )
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// A thread that writes what it is sent, and the mark that it sets when that fails.
fn speak(mut input: impl Write + Send + 'static) -> io::Result<(Sender<String>, Arc<AtomicBool>)> {
    let (sender, texts) = mpsc::channel::<String>();
    let deaf = Arc::new(AtomicBool::new(false));
    let mark = Arc::clone(&deaf);
    thread::Builder::new().name("engine input".to_owned()).spawn(move || {
        for text in texts {
            if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                mark.store(true, Ordering::Relaxed);
                break;
            }
        }
    })?;
    Ok((sender, deaf))
}

/// A thread that notes when each line came; lines too long to be any engine's are left out.
fn listen(output: impl Read + Send + 'static) -> io::Result<Receiver<(String, Instant)>> {
    let (sender, lines) = mpsc::sync_channel(MOST_LINES);
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut output = BufReader::new(output);
        while let Ok(Some(line)) = next_line(&mut output, LONGEST_LINE) {
            let Line::Text(line) = line else { continue };
            if sender.send((line, Instant::now())).is_err() {
                break;
            }
        }
    })?;
    Ok(lines)
}

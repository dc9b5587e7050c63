//! The thread that searches and counts while the session listens.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::search::{Control, Desk, Limits, Report};

use super::output::Output;
use super::session::Event;

/// The worker's stack: searches recurse deeply, and some games' positions are large.
const STACK: usize = 64 << 20;

/// What there is to do at a desk.
#[derive(Debug)]
pub(super) enum Task {
    Search(Limits),
    Divide(u32),
    Perft(u32),
    Solve(u32),
}

/// A task, and the desk that goes to the worker for its duration.
pub(super) struct Job {
    pub(super) desk: Box<dyn Desk>,
    pub(super) task: Task,
    pub(super) control: Arc<Control>,
}

/// Starts the thread. Every job ends with [`Event::Done`]; the session then prints what it says,
/// so that a GUI that has read a `bestmove` cannot be faster than the desk's return.
pub(super) fn spawn(output: Arc<Output>, events: Sender<Event>) -> io::Result<Sender<Job>> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    thread::Builder::new().name("worker".to_owned()).stack_size(STACK).spawn(move || {
        for Job { mut desk, task, control } in inbox {
            let last = work(&mut *desk, &task, &control, &output);
            if events.send(Event::Done { desk, last }).is_err() {
                break;
            }
        }
    })?;
    Ok(jobs)
}

/// Does it; its last words.
fn work(
    desk: &mut dyn Desk,
    task: &Task,
    control: &Control,
    output: &Output,
) -> Result<String, String> {
    let named = |name: &'static str| move |error| format!("{name}: {error}");
    match *task {
        Task::Search(ref limits) => Ok(search(desk, limits, control, output)),
        Task::Divide(depth) => desk.divide_lines(depth, control).map_err(named("go perft")),
        Task::Perft(depth) => desk.perft_line(depth, control).map_err(named("perft")),
        Task::Solve(depth) => desk.solve_line(depth, control).map_err(named("solve")),
    }
}

/// Searches and prints what the search tells, but not the `bestmove` line: that is the result.
fn search(desk: &mut dyn Desk, limits: &Limits, control: &Control, output: &Output) -> String {
    let best = Mutex::new(None);
    desk.search(limits, control, &|report| {
        match report {
            Report::Info(info) => output.line(format_args!("info {info}")),
            Report::Current { depth, action, number } => output
                .line(format_args!("info depth {depth} currmove {action} currmovenumber {number}")),
            Report::Outcome(outcome) => output.line(format_args!("info string {outcome}")),
            Report::Note(note) => output.line(format_args!("info string {note}")),
            Report::Best { action, ponder } => {
                *best.lock().unwrap_or_else(PoisonError::into_inner) = action.zip(Some(ponder));
            }
        }
        if output.is_broken() {
            control.stop();
        }
    });
    match best.into_inner().unwrap_or_else(PoisonError::into_inner) {
        None => "bestmove (none)".to_owned(),
        Some((action, None)) => format!("bestmove {action}"),
        Some((action, Some(ponder))) => format!("bestmove {action} ponder {ponder}"),
    }
}

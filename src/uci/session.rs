//! The loop that obeys: one event after the other, none of which takes long.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::game::{AnySetup, GameOptions};
use crate::search::{Control, Desk, Limits, Settings, Table};

use super::command::{Command, DeskCommand, HELP};
use super::options::{self, DEFAULT_VARIANT, Effect};
use super::output::Output;
use super::worker::{Job, Task};
use super::{OpenDesk, UciError};

/// How long counts may go on after `quit`.
const GRACE: Duration = Duration::from_millis(500);

/// How long a stopped search may take to say its `bestmove` at the end of the session.
const PATIENCE: Duration = Duration::from_secs(1);

fn time_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// What can happen to a session.
pub(super) enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that was longer than that, in bytes.
    LongLine(usize),
    /// No more lines will come.
    EndOfInput,
    /// The worker is done: its last words or what went wrong, and the desk.
    Done { desk: Box<dyn Desk>, last: Result<String, String> },
}

/// Where the desk is.
enum Place {
    /// Here.
    Here(Box<dyn Desk>),
    /// With the worker, which counts or searches.
    Away {
        /// What ends it.
        control: Arc<Control>,
        /// Whether it counts: `perft`, `solve`, `go perft`.
        counting: bool,
    },
}

/// What a conversation remembers.
pub(super) struct Session {
    open: OpenDesk,
    output: Arc<Output>,
    jobs: Sender<Job>,
    colors: bool,
    place: Place,
    settings: Settings,
    games: GameOptions,
    variant: &'static str,
    /// Lines that wait for the end of a count, or of a search that has been stopped.
    waiting: VecDeque<String>,
}

impl Session {
    /// A session at the start position of the default game.
    pub(super) fn new(
        open: OpenDesk,
        output: Arc<Output>,
        jobs: Sender<Job>,
        colors: bool,
    ) -> Result<Self, UciError> {
        let settings = Settings::default();
        let games = GameOptions::default();
        let variant = DEFAULT_VARIANT;
        let setup = AnySetup::named(variant, &games).ok_or(UciError::NoGame(variant))?;
        let table = Table::new(settings.hash).ok_or(UciError::Memory(settings.hash))?;
        let place = Place::Here(open(&setup, &settings, Arc::new(table)));
        Ok(Self {
            open,
            output,
            jobs,
            colors,
            place,
            settings,
            games,
            variant,
            waiting: VecDeque::new(),
        })
    }

    /// Obeys until `quit`, the end of input, or nobody reads any more.
    ///
    /// A search that runs then is stopped and still says its `bestmove`. Scripts send everything
    /// at once and want every answer, so counts are finished first; after `quit` they have
    /// [`GRACE`] for it.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        let mut ended = false;
        let mut deadline = None;
        while !self.output.is_broken() {
            self.catch_up();
            if ended && !self.is_closed() {
                break;
            }
            let event = match deadline {
                None => events.recv().ok(),
                Some(deadline) => events.recv_timeout(time_until(deadline)).ok(),
            };
            match event {
                Some(Event::Line(line)) if !ended => {
                    if self.hear(line) {
                        ended = true;
                        deadline = Some(Instant::now() + GRACE);
                    }
                }
                Some(Event::LongLine(longest)) if !ended => self
                    .output
                    .error(format_args!("a line of more than {longest} bytes is not read")),
                Some(Event::Line(_) | Event::LongLine(_)) => {}
                Some(Event::Done { desk, last }) => self.take_back(desk, last),
                Some(Event::EndOfInput) => ended = true,
                None => break,
            }
        }
        self.finish(events);
    }

    /// Whether lines wait: for the end of a count, or of a search that has been told to end.
    fn is_closed(&self) -> bool {
        matches!(&self.place, Place::Away { control, counting } if *counting || control.is_stopped())
    }

    /// Obeys what had to wait for the end of a count or a search; what has to wait again, for what that
    /// begins, keeps its place.
    fn catch_up(&mut self) {
        while !self.is_closed() && !self.waiting.is_empty() {
            for line in mem::take(&mut self.waiting) {
                self.hear(line);
            }
        }
    }

    /// Obeys a line, now or after what has to end before; whether it is `quit`.
    fn hear(&mut self, line: String) -> bool {
        let command = match Command::parse(&line) {
            Ok(Command::Quit) => return true,
            Ok(command) => command,
            Err(_) if self.is_closed() => {
                self.waiting.push_back(line);
                return false;
            }
            Err(error) => {
                self.output.error(error);
                return false;
            }
        };
        if self.is_closed() {
            let waits = match command {
                // A search may be waiting that they are meant for.
                Command::Stop | Command::PonderHit => !self.waiting.is_empty(),
                Command::AtDesk(_) => true,
                _ => false,
            };
            if !waits || command == Command::Stop {
                self.obey(command);
            }
            if waits {
                self.waiting.push_back(line);
            }
        } else {
            self.obey(command);
        }
        false
    }

    fn take_back(&mut self, desk: Box<dyn Desk>, last: Result<String, String>) {
        self.place = Place::Here(desk);
        match last {
            Ok(text) => self.output.line(text),
            Err(error) => self.output.error(error),
        }
    }

    /// Stops what runs and lets it say its last words.
    fn finish(&mut self, events: &Receiver<Event>) {
        let deadline = Instant::now() + PATIENCE;
        while let Place::Away { control, .. } = &self.place {
            control.stop();
            match events.recv_timeout(time_until(deadline)) {
                Ok(Event::Done { desk, last }) => self.take_back(desk, last),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    /// Obeys what can be obeyed at any time; passes the rest on if no search runs.
    fn obey(&mut self, command: Command<'_>) {
        match (command, &mut self.place) {
            (Command::Uci, _) => self.introduce(),
            (Command::IsReady, _) => self.output.line("readyok"),
            (Command::Help, _) => self.output.line(HELP),
            (Command::Stop, Place::Away { control, .. }) => control.stop(),
            (Command::PonderHit, Place::Away { control, .. }) => control.ponderhit(),
            // A late stop or ponderhit crosses a bestmove on the wire.
            (Command::Stop | Command::PonderHit | Command::Nothing | Command::Quit, _) => {}
            (Command::AtDesk(command), Place::Here(_)) => self.obey_at_desk(command),
            (Command::AtDesk(command), Place::Away { .. }) => self.output.error(format_args!(
                "{} is refused while a search runs; stop ends it",
                command.name()
            )),
        }
    }

    fn introduce(&self) {
        let mut lines = vec![
            format!("id name alea {}", env!("CARGO_PKG_VERSION")),
            "id author the alea authors".to_owned(),
        ];
        lines.extend(options::lines());
        lines.push("uciok".to_owned());
        self.output.line(lines.join("\n"));
    }

    fn obey_at_desk(&mut self, command: DeskCommand<'_>) {
        let Place::Here(desk) = &mut self.place else { return };
        match command {
            DeskCommand::NewGame => desk.new_game(),
            DeskCommand::Position { fen, actions } => {
                if let Err(error) = desk.set_position(fen.as_deref(), &actions) {
                    self.output.error(format_args!("position: {error}"));
                }
            }
            DeskCommand::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            DeskCommand::Go(limits) => self.search(limits),
            DeskCommand::Divide(depth) => self.hand_over(Task::Divide(depth), false),
            DeskCommand::Perft(depth) => self.hand_over(Task::Perft(depth), false),
            DeskCommand::Solve(depth) => self.hand_over(Task::Solve(depth), false),
            DeskCommand::Fen => self.output.line(desk.fen_line()),
            DeskCommand::Node => self.output.line(desk.node_line()),
            DeskCommand::Legal => self.output.line(desk.legal_line()),
            DeskCommand::Draw => self.output.line(desk.drawing(self.colors)),
            DeskCommand::Eval => self.output.line(desk.eval_text()),
        }
    }

    fn search(&mut self, limits: Limits) {
        let Place::Here(desk) = &self.place else { return };
        match desk.check_limits(&limits) {
            Ok(()) => {
                let ponder = limits.ponder;
                self.hand_over(Task::Search(limits), ponder);
            }
            Err(error) => self.output.error(format_args!("go: {error}")),
        }
    }

    /// Sends the desk to the worker.
    fn hand_over(&mut self, task: Task, ponder: bool) {
        let control = Arc::new(Control::new(ponder));
        let counting = !matches!(task, Task::Search(_));
        let away = Place::Away { control: Arc::clone(&control), counting };
        let Place::Here(desk) = mem::replace(&mut self.place, away) else { return };
        if let Err(unsent) = self.jobs.send(Job { desk, task, control }) {
            self.place = Place::Here(unsent.0.desk);
            self.output.error("the searching thread has ended; quit and start again");
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let effect = match options::effect(name, value, &self.settings, &self.games) {
            Ok(effect) => effect,
            Err(error) => return self.output.error(format_args!("setoption: {error}")),
        };
        let Place::Here(desk) = &mut self.place else { return };
        match effect {
            Effect::ClearHash => desk.new_game(),
            Effect::Settings(settings) => self.configure(*settings),
            Effect::Network(network) => {
                self.configure(Settings { network, ..self.settings.clone() });
                self.tell_of_misfit();
            }
            Effect::Game(games) => {
                let setup = |games| AnySetup::named(self.variant, games);
                // What matters to other games only leaves this one as it is.
                if setup(&games) == setup(&self.games) || self.reopen(self.variant, &games) {
                    self.games = games;
                }
            }
            Effect::Variant(variant) => self.choose(variant),
        }
    }

    fn configure(&mut self, settings: Settings) {
        let Place::Here(desk) = &mut self.place else { return };
        match desk.configure(&settings) {
            Ok(()) => self.settings = settings,
            Err(error) => self.output.error(format_args!("setoption: {error}")),
        }
    }

    /// Says so if the network of `EvalFile` is for other games than the chosen one.
    fn tell_of_misfit(&self) {
        let Some(network) = &self.settings.network else { return };
        let (shape, variant) = (network.shape(), self.variant);
        if !shape.variants().any(|name| name == variant) {
            self.output.line(format_args!(
                "info string EvalFile is for {shape}; {variant} has others and keeps its own \
                 evaluation"
            ));
        }
    }

    /// Goes to a game's start position and says what GUIs want to know of the game.
    fn choose(&mut self, variant: &'static str) {
        let games = self.games.clone();
        let is_other = variant != self.variant;
        if is_other {
            if !self.reopen(variant, &games) {
                return;
            }
            self.variant = variant;
        }
        let Place::Here(desk) = &mut self.place else { return };
        match desk.set_position(None, &[]) {
            Ok(()) => self.output.line(format_args!("info string {}", desk.variant_line())),
            Err(error) => self.output.error(format_args!("setoption: {error}")),
        }
        if is_other {
            self.tell_of_misfit();
        }
    }

    /// Puts a desk for that game in the place of the present one; whether there is such a game.
    fn reopen(&mut self, variant: &str, games: &GameOptions) -> bool {
        let Some(setup) = AnySetup::named(variant, games) else {
            self.output.error(format_args!("setoption: there is no game called {variant:?}"));
            return false;
        };
        let Place::Here(desk) = &mut self.place else { return false };
        let table = desk.table();
        table.clear();
        self.place = Place::Here((self.open)(&setup, &self.settings, table));
        true
    }
}

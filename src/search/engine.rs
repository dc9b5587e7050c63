use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::core::{Color, DRAW, INFINITE, Score, mated_in};
use crate::eval::network::Line;
use crate::eval::{self, Evaluator};
use crate::game::{EndRule, Game, GeometryOf, Node, Outcome, Record, Wanted, perft, solve};

use super::chance::average;
use super::history::Histories;
use super::strength;
use super::time::TimeManager;
use super::wdl::win_draw_loss;
use super::worker::{RootAction, Shared, Worker};
use super::{
    Bound, Control, Desk, DeskError, Info, Limits, Next, OutcomeInfo, Report, ScoreText, Settings,
    Table,
};

/// Search threads recurse deeply; only what is touched takes memory.
pub(crate) const STACK: usize = 64 << 20;

/// From when on the root action that is being searched is told, and how long nothing is told of it then:
/// some GUIs choke on thousands of lines a second.
const CURRENT_FROM: Duration = Duration::from_secs(3);
const CURRENT_PAUSE: Duration = Duration::from_millis(50);

/// The engine of one game: a [`Desk`].
pub struct Engine<G: Game> {
    variant: &'static str,
    setup: G::Setup,
    record: Record<G>,
    settings: Settings,
    evaluator: Evaluator<G>,
    table: Arc<Table>,
    histories: Vec<Histories>,
    /// Whether the first thread's search runs on the caller's thread.
    stays: bool,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Summary<A> {
    /// The action to play.
    pub best: Option<A>,
    /// The line from the root, the action to play first.
    pub line: Vec<A>,
    /// For the side to decide, at a chance position for the side to move.
    pub score: Score,
    /// What chance may bring, where it is chance that decides.
    pub outcomes: Vec<OutcomeSummary<A>>,
    /// The last finished iteration, in plies.
    pub depth: u32,
    /// Of all threads.
    pub nodes: u64,
}

/// What a search found of an event that may come.
#[derive(Clone, Debug)]
pub struct OutcomeSummary<A> {
    /// The event.
    pub event: A,
    /// Its weight; probabilities are shares of the sum.
    pub weight: u32,
    /// For the FEN's side to move.
    pub score: Score,
    /// The line after it, up to the next event.
    pub line: Vec<A>,
}

impl<G: Game> Engine<G> {
    /// An engine at the start position of a game.
    pub fn new(
        variant: &'static str,
        setup: G::Setup,
        settings: Settings,
        table: Arc<Table>,
    ) -> Self {
        let record = Record::new(G::start(&setup));
        let evaluator = evaluator(&setup, &settings);
        Self {
            variant,
            setup,
            record,
            settings,
            evaluator,
            table,
            histories: Vec::new(),
            stays: false,
        }
    }

    /// Lets searches of one thread run on the caller's, whose stack has to be [`STACK`] bytes at
    /// least: where a search takes less than a millisecond, to start a thread takes long.
    pub(crate) fn stay(&mut self) {
        self.stays = true;
    }

    /// Forgets everything learnt in earlier searches, the table included.
    pub fn forget(&mut self) {
        self.table.clear();
        self.histories.clear();
    }

    /// The position searched, and how it came about.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// Sets the position to search.
    pub fn set_record(&mut self, record: Record<G>) {
        self.record = record;
    }

    /// Searches and tells `sink` of it, all but the last report; see [`Desk::search`].
    pub fn think(
        &mut self,
        limits: &Limits,
        control: &Control,
        sink: &(dyn Fn(Report) + Sync),
    ) -> Summary<G::Action> {
        let start = Instant::now();
        let threads = self.settings.threads.max(1);
        let limited = self.settings.limit_strength && !self.settings.analyse_mode;
        let mut limits = limits.clone();
        if limited {
            let nodes = strength::nodes(self.settings.elo);
            limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        }
        let lines = self.settings.multi_pv.max(if limited { strength::LINES } else { 1 });
        let root_actions = self.root_actions(&limits);
        if root_actions.is_empty() {
            return Summary {
                best: None,
                line: Vec::new(),
                score: DRAW,
                outcomes: Vec::new(),
                depth: 0,
                nodes: 0,
            };
        }
        self.table.age();
        self.histories.resize_with(threads, Histories::new::<G>);

        let shared = Shared {
            table: &self.table,
            control,
            evaluator: &self.evaluator,
            parameters: &self.settings.parameters,
            method: self.settings.method,
            limits: &limits,
            halt: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        };
        let position = self.record.position();
        let time = TimeManager::new(&limits, position.turn(), self.settings.move_overhead, start);
        let teller = Teller { setup: &self.setup, settings: &self.settings, sink };
        let last_current = Mutex::new(CURRENT_FROM);
        let current = |depth: u32, action: G::Action, number: u32| {
            let elapsed = start.elapsed();
            let mut last = last_current.lock().unwrap_or_else(PoisonError::into_inner);
            if elapsed > *last {
                *last = elapsed + CURRENT_PAUSE;
                let action = position.action_text(&self.setup, action);
                sink(Report::Current { depth, action, number });
            }
        };

        let (roots, depth) = std::thread::scope(|scope| {
            let keys = self.record.keys();
            let mut first = None;
            for (id, histories) in self.histories.iter_mut().enumerate() {
                let (shared, root_actions, time) = (&shared, root_actions.clone(), time.clone());
                let (teller, current) = (&teller, &current);
                let work = move || {
                    let mut worker =
                        Worker::new(shared, id, histories, position, keys, root_actions, time);
                    if id > 0 {
                        worker.deepen(lines, None);
                        return (Vec::new(), 0);
                    }
                    worker.on_current = Some(current);
                    worker.deepen(
                        lines,
                        Some(&|worker: &Worker<'_, G>, lines| teller.tell(worker, lines)),
                    );
                    shared.halt.store(true, Ordering::Relaxed);
                    shared.nodes[id].store(worker.nodes, Ordering::Relaxed);
                    (std::mem::take(&mut worker.root_actions), worker.depth as u32)
                };
                if self.stays && threads == 1 {
                    return work();
                }
                let handle = std::thread::Builder::new()
                    .name(format!("search {id}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, work);
                match handle {
                    Ok(handle) if id == 0 => first = Some(handle),
                    Ok(_) => {}
                    Err(error) => {
                        let text = format!("error: search thread {id} did not start: {error}");
                        sink(Report::Note(text));
                    }
                }
            }
            first.and_then(|handle| handle.join().ok()).unwrap_or((root_actions, 0))
        });

        let nodes = shared.nodes();
        if position.is_chance() {
            let score = chance_score(&roots);
            let outcomes = roots
                .into_iter()
                .map(|root| OutcomeSummary {
                    event: root.action,
                    weight: root.weight,
                    score: root.score,
                    line: root.pv,
                })
                .collect();
            return Summary { best: None, line: Vec::new(), score, outcomes, depth, nodes };
        }
        let chosen = if limited { strength::choose(&roots, self.settings.elo) } else { 0 };
        let best = &roots[chosen.min(roots.len() - 1)];
        if chosen != 0 {
            // What is played must be what was said last.
            let state =
                State { depth, nodes, hashfull: self.table.hashfull(), time: start.elapsed() };
            sink(Report::Info(teller.info(position, best, 1, &state)));
        }
        let line = if best.pv.is_empty() { vec![best.action] } else { best.pv.clone() };
        let (best, score) = (Some(best.action), best.score);
        Summary { best, line, score, outcomes: Vec::new(), depth, nodes }
    }

    fn root_actions(&self, limits: &Limits) -> Vec<RootAction<G::Action>> {
        let position = self.record.position();
        let mut roots = Vec::new();
        if position.ended().is_some() {
            return roots;
        }
        if position.is_chance() {
            position.outcomes(|event, weight| roots.push(RootAction::new(event, weight)));
            return roots;
        }
        let mut list = G::Actions::default();
        position.actions(Wanted::All, &mut list);
        let wanted: Vec<G::Action> = limits
            .search_moves
            .iter()
            .filter_map(|text| position.parse_action(&self.setup, text))
            .collect();
        list.as_ref()
            .iter()
            .filter(|action| wanted.is_empty() || wanted.contains(action))
            .map(|&action| RootAction::new(action, 1))
            .collect()
    }

    /// The reply that the line or the table expects.
    fn ponder_action(&self, summary: &Summary<G::Action>) -> Option<String> {
        let mut position = self.record.position().clone();
        position.play(summary.best?, &mut ());
        let reply = summary.line.get(1).copied().or_else(|| {
            let entry = self.table.probe(position.key(), 1)?;
            Worker::<G>::known_action(&position, entry.action)
        })?;
        (position.ended().is_none() && !position.is_chance())
            .then(|| position.action_text(&self.setup, reply))
    }
}

/// The average over the outcomes of a chance position, each with its score.
fn chance_score<A>(roots: &[RootAction<A>]) -> Score {
    average(roots.iter().map(|root| (root.score, i64::from(root.weight))), 0)
}

/// A score for `us`. Where a turn may take several actions, moves to mate are counted along the line
/// that leads to it.
fn score_text<G: Game>(us: Color, position: &G, score: Score, line: &[G::Action]) -> ScoreText {
    let text = ScoreText::from(score);
    let ScoreText::Mate(moves) = text else { return text };
    if G::ALTERNATES {
        return text;
    }
    let mut position = position.clone();
    let (mut turns, mut begins) = (0, true);
    for &action in line {
        turns += i32::from(begins && position.turn() == us);
        position.play(action, &mut ());
        begins = G::is_move(action) && position.is_between_turns();
    }
    let is_over =
        position.ended().is_some() || !position.is_chance() && position.count_actions() == 0;
    if is_over && turns > 0 { ScoreText::Mate(moves.signum() * turns) } else { text }
}

/// How far a search is.
struct State {
    depth: u32,
    nodes: u64,
    hashfull: u32,
    time: Duration,
}

/// Turns the state of a worker into reports.
struct Teller<'a, G: Game> {
    setup: &'a G::Setup,
    settings: &'a Settings,
    sink: &'a (dyn Fn(Report) + Sync),
}

impl<G: Game> Teller<'_, G> {
    fn tell(&self, worker: &Worker<'_, G>, lines: usize) {
        let shared = worker.shared;
        shared.nodes[worker.id].store(worker.nodes, Ordering::Relaxed);
        let state = State {
            depth: worker.depth as u32,
            nodes: shared.nodes(),
            hashfull: shared.table.hashfull(),
            time: worker.elapsed(),
        };
        if !worker.root_decides {
            let seldepth = worker.root_actions.iter().map(|root| root.seldepth).max();
            let score = chance_score(&worker.root_actions);
            (self.sink)(Report::Info(Info {
                depth: state.depth,
                seldepth: seldepth.unwrap_or(0) as u32,
                multipv: 1,
                score: ScoreText::from(score),
                bound: Bound::Exact,
                wdl: self.settings.show_wdl.then(|| win_draw_loss(score)),
                nodes: state.nodes,
                hashfull: state.hashfull,
                time: state.time,
                pv: Vec::new(),
            }));
            return;
        }
        let wanted = self.settings.multi_pv.min(lines);
        for (index, root) in worker.root_actions.iter().take(wanted).enumerate() {
            if root.score == -INFINITE {
                continue;
            }
            (self.sink)(Report::Info(self.info(&worker.root, root, index as u32 + 1, &state)));
        }
    }

    /// What there is to say of a root action.
    fn info(
        &self,
        position: &G,
        root: &RootAction<G::Action>,
        multipv: u32,
        state: &State,
    ) -> Info {
        Info {
            depth: state.depth,
            seldepth: root.seldepth as u32,
            multipv,
            score: score_text(position.turn(), position, root.score, &root.pv),
            bound: root.bound,
            wdl: self.settings.show_wdl.then(|| win_draw_loss(root.score)),
            nodes: state.nodes,
            hashfull: state.hashfull,
            time: state.time,
            pv: self.line_text(position, &root.pv),
        }
    }

    fn line_text(&self, root: &G, line: &[G::Action]) -> Vec<String> {
        let mut position = root.clone();
        line.iter()
            .map(|&action| {
                let text = position.action_text(self.setup, action);
                position.play(action, &mut ());
                text
            })
            .collect()
    }
}

impl<G: Game> Desk for Engine<G> {
    fn set_position(&mut self, fen: Option<&str>, actions: &[&str]) -> Result<(), DeskError> {
        self.record = Record::parse(&self.setup, fen, actions)?;
        Ok(())
    }

    fn fen_line(&self) -> String {
        format!("fen {}", self.record.position().fen(&self.setup))
    }

    fn node_line(&self) -> String {
        format!("node {}", self.record.node())
    }

    fn end_rule(&self) -> Option<EndRule> {
        self.record.end().map(|(_, rule)| rule)
    }

    fn legal_line(&self) -> String {
        let position = self.record.position();
        let (head, words) = match self.record.node() {
            Node::Over(_) => ("legal", Vec::new()),
            Node::Decision(_) => ("legal", self.texts(&perft::branches(position))),
            Node::Chance(_) => {
                let mut weights = Vec::new();
                position.outcomes(|event, weight| weights.push((event, weight)));
                let total: u32 = weights.iter().map(|&(_, weight)| weight).sum();
                let mut shares: Vec<(String, num_rational::Ratio<u32>)> = weights
                    .into_iter()
                    .map(|(event, weight)| {
                        let text = position.action_text(&self.setup, event);
                        (text, num_rational::Ratio::new(weight, total))
                    })
                    .collect();
                shares.sort();
                let word = |(event, share): (String, num_rational::Ratio<u32>)| {
                    format!("{event}={}/{}", share.numer(), share.denom())
                };
                ("chance", shares.into_iter().map(word).collect())
            }
        };
        [head.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    fn variant_line(&self) -> String {
        use crate::core::Geometry;
        format!(
            "variant {} files {} ranks {} startpos {}",
            self.variant,
            GeometryOf::<G>::FILES,
            GeometryOf::<G>::RANKS,
            G::start(&self.setup).fen(&self.setup)
        )
    }

    fn drawing(&self, colors: bool) -> String {
        self.record.position().draw(&self.setup, colors)
    }

    fn eval_text(&self) -> String {
        let position = self.record.position();
        let stuck = !position.is_chance() && position.count_actions() == 0;
        if position.ended().is_some() || stuck {
            return "The game is over: there is nothing to evaluate.".to_owned();
        }
        // In games of dice the evaluation is fitted to positions in check as well.
        if position.in_check() && !G::DICE {
            return "The side to move is in check: the evaluation is not asked there.".to_owned();
        }
        let trace = eval::trace(&self.evaluator, position);
        let mut text = String::from("In centipawns, White less Black:\n\n");
        let _ = writeln!(text, "{:20} {:>10} {:>8}", "", "middlegame", "endgame");
        let mut from = 0;
        for &(name, length) in eval::layout::GROUPS {
            let group = from..from + length;
            from += length;
            let (mut middlegame, mut endgame) = (0, 0);
            for &(weight, count) in &trace.features {
                if group.contains(&usize::from(weight)) {
                    let (mg, eg) = self.evaluator.weight(weight.into());
                    middlegame += mg * i32::from(count);
                    endgame += eg * i32::from(count);
                }
            }
            if (middlegame, endgame) != (0, 0) {
                let name = name.to_ascii_lowercase().replace('_', " ");
                let _ = writeln!(text, "{name:20} {middlegame:>10} {endgame:>8}");
            }
        }
        let sums = self.evaluator.fresh(position);
        let mut line = Line::new(position);
        let own = self.evaluator.evaluate(position, &sums, &mut line);
        if let Some(learned) = self.evaluator.learned(position, &mut line) {
            if self.evaluator.is_learned_alone() {
                text = String::from(
                    "In centipawns, White less Black; the features count for nothing:\n\n",
                );
            }
            let learned = learned * position.turn().sign();
            let _ = writeln!(text, "{:20} {learned:>10} {learned:>8}", "network");
        }
        let _ = write!(
            text,
            "\nshare of middlegame {:.2}, of endgame {:.2}\ntotal {:+} for White, {:+} for the \
             side to move",
            trace.middlegame,
            trace.endgame,
            own * position.turn().sign(),
            own
        );
        text
    }

    fn perft_line(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        let nodes = if depth == 0 {
            1
        } else {
            let counts = perft::divide(self.record.position(), depth, control.stop_flag())
                .ok_or(DeskError::Stopped)?;
            counts.into_iter().map(|(_, nodes)| nodes).sum()
        };
        Ok(format!("perft {depth} nodes {nodes}"))
    }

    fn divide_lines(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        let position = self.record.position();
        let counts =
            perft::divide(position, depth, control.stop_flag()).ok_or(DeskError::Stopped)?;
        let total: u64 = counts.iter().map(|&(_, nodes)| nodes).sum();
        let mut branches: Vec<(String, u64)> = counts
            .into_iter()
            .map(|(action, nodes)| (position.action_text(&self.setup, action), nodes))
            .collect();
        branches.sort();
        let lines: Vec<String> =
            branches.into_iter().map(|(action, nodes)| format!("{action}: {nodes}\n")).collect();
        let total = if depth == 0 { 1 } else { total };
        Ok(format!("{}\nNodes searched: {total}", lines.concat()))
    }

    fn solve_line(&self, depth: u32, control: &Control) -> Result<String, DeskError> {
        let solution = solve::solve(&self.record, depth, control.stop_flag())?;
        let mut line = format!("solve {depth} value {}", solution.value_text());
        if !solution.best.is_empty() {
            let _ = write!(line, " actions {}", self.texts(&solution.best).join(" "));
        }
        Ok(line)
    }

    fn check_limits(&self, limits: &Limits) -> Result<(), DeskError> {
        let position = self.record.position();
        for text in &limits.search_moves {
            if position.is_chance() || position.parse_action(&self.setup, text).is_none() {
                return Err(DeskError::SearchMove(text.clone()));
            }
        }
        Ok(())
    }

    fn search(&mut self, limits: &Limits, control: &Control, sink: &(dyn Fn(Report) + Sync)) {
        let summary = self.think(limits, control, sink);
        if summary.best.is_none() && summary.outcomes.is_empty() {
            let score = match self.record.position().node() {
                Node::Over(Outcome::Win(_)) => mated_in(0),
                _ => DRAW,
            };
            sink(Report::Info(Info {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score: score.into(),
                bound: Bound::Exact,
                wdl: self.settings.show_wdl.then(|| win_draw_loss(score)),
                nodes: 0,
                hashfull: 0,
                time: Duration::ZERO,
                pv: Vec::new(),
            }));
        }
        if limits.infinite || limits.ponder {
            control.wait(!limits.infinite);
        }
        let position = self.record.position();
        for outcome in self.outcome_infos(&summary) {
            sink(Report::Outcome(outcome));
        }
        sink(Report::Best {
            action: summary.best.map(|action| position.action_text(&self.setup, action)),
            ponder: self.ponder_action(&summary),
        });
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), DeskError> {
        if settings.hash != self.settings.hash {
            let table = Table::in_place_of(&self.table, settings.hash);
            let (wanted, kept) = (settings.hash, self.settings.hash);
            self.table = Arc::new(table.ok_or(DeskError::Memory { wanted, kept })?);
        }
        self.histories.truncate(settings.threads);
        if settings.network != self.settings.network {
            self.evaluator = evaluator(&self.setup, settings);
            // What was learnt by another evaluation misleads.
            self.forget();
        }
        self.settings = settings.clone();
        Ok(())
    }

    fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    fn new_game(&mut self) {
        self.forget();
    }
}

/// The evaluation of a game, with the network of the settings if that fits it.
fn evaluator<G: Game>(setup: &G::Setup, settings: &Settings) -> Evaluator<G> {
    let built_in = Evaluator::of(setup);
    match settings.network.clone().filter(|network| network.fits::<G>()) {
        Some(network) => built_in.with_network(Some(network)),
        None => built_in,
    }
}

impl<G: Game> Engine<G> {
    /// What a search at a chance position has to say of each event, in the order of their texts.
    fn outcome_infos(&self, summary: &Summary<G::Action>) -> Vec<OutcomeInfo> {
        let position = self.record.position();
        let total: u32 = summary.outcomes.iter().map(|outcome| outcome.weight).sum();
        let info = |outcome: &OutcomeSummary<G::Action>| {
            let share = num_rational::Ratio::new(outcome.weight, total.max(1));
            let mut after = position.clone();
            after.play(outcome.event, &mut ());
            OutcomeInfo {
                event: position.action_text(&self.setup, outcome.event),
                name: position.event_name(&self.setup, outcome.event),
                probability: (*share.numer(), *share.denom()),
                score: score_text(position.turn(), &after, outcome.score, &outcome.line),
                wdl: self.settings.show_wdl.then(|| win_draw_loss(outcome.score)),
                next: match outcome.line.first() {
                    Some(&action) => Next::Action(after.action_text(&self.setup, action)),
                    None => match after.node() {
                        Node::Chance(_) => Next::Event(after.event_form()),
                        Node::Decision(_) => Next::Unsearched,
                        Node::Over(_) => Next::End,
                    },
                },
            }
        };
        let mut infos: Vec<_> = summary.outcomes.iter().map(info).collect();
        infos.sort_by(|a, b| a.event.cmp(&b.event));
        infos
    }

    /// Actions of the current position as text, in ASCII order.
    fn texts(&self, actions: &[G::Action]) -> Vec<String> {
        let position = self.record.position();
        let mut texts: Vec<String> =
            actions.iter().map(|&action| position.action_text(&self.setup, action)).collect();
        texts.sort();
        texts
    }
}

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::core::{Color, DRAW, INFINITE, MAX_PLY, Score, mate_in, mated_in};
use crate::eval::network::Line;
use crate::eval::{Accumulator, Evaluator};
use crate::game::kernel::{Kind, Men};
use crate::game::{Action, Game, Outcome};

use super::history::{Histories, Played};
use super::settings::Star;
use super::table::Entry;
use super::time::TimeManager;
use super::{Control, Limits, Method, Parameters, Table};

/// What all threads of a search see.
pub(super) struct Shared<'a, G: Game> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) evaluator: &'a Evaluator<G>,
    pub(super) parameters: &'a Parameters,
    pub(super) method: Method,
    pub(super) limits: &'a Limits,
    /// Raised when the search has to end for whatever reason.
    pub(super) halt: AtomicBool,
    /// Nodes of each thread, written now and then.
    pub(super) nodes: Vec<AtomicU64>,
}

impl<G: Game> Shared<'_, G> {
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// A root action, or an event where the root is a chance position, with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootAction<A> {
    pub(super) action: A,
    /// The event's weight.
    pub(super) weight: u32,
    /// Of the current iteration; −[`INFINITE`] if it was not better than others.
    pub(super) score: Score,
    /// Of the iteration before.
    pub(super) before: Score,
    pub(super) bound: super::Bound,
    pub(super) seldepth: usize,
    pub(super) pv: Vec<A>,
    pub(super) nodes: u64,
}

impl<A> RootAction<A> {
    pub(super) const fn new(action: A, weight: u32) -> Self {
        Self {
            action,
            weight,
            score: -INFINITE,
            before: -INFINITE,
            bound: super::Bound::Exact,
            seldepth: 0,
            pv: Vec::new(),
            nodes: 0,
        }
    }
}

/// What the search remembers of a ply of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<A> {
    pub(super) eval: Score,
    pub(super) played: Played,
    /// An action left out, while its being singular is looked into.
    pub(super) excluded: Option<A>,
    pub(super) killer: Option<A>,
    /// Cutoffs at the children: many make late siblings less likely to matter.
    pub(super) cutoffs: u32,
    pub(super) double_extensions: u32,
    /// An uncorrected evaluation, with the key of the board and the side to decide that it is of.
    pub(super) board_eval: (u64, Color, Score),
}

impl<A> Frame<A> {
    const fn new() -> Self {
        Self {
            eval: -INFINITE,
            played: 0,
            excluded: None,
            killer: None,
            cutoffs: 0,
            double_extensions: 0,
            board_eval: (0, Color::White, Entry::NO_EVAL),
        }
    }
}

/// Nodes of a first iteration that is not finished as others are if the search has to end: where
/// nearly everything can be captured, quiescence is not found in a lifetime.
const LONG_FIRST_ITERATION: u64 = 10_000;

/// Plies before the root that the stack can be asked for.
pub(super) const BEFORE_ROOT: usize = 4;

/// A search thread.
pub(super) struct Worker<'a, G: Game> {
    pub(super) shared: &'a Shared<'a, G>,
    pub(super) id: usize,
    pub(super) histories: &'a mut Histories,
    pub(super) root: G,
    pub(super) root_sums: Accumulator,
    /// Positions from the root to the current one, as the network sees them.
    pub(super) learned: Line,
    /// Whether the root is a decision; else what chance may bring there is looked at one by one.
    pub(super) root_decides: bool,
    pub(super) root_actions: Vec<RootAction<G::Action>>,
    /// The place of the line being searched.
    pub(super) line: usize,
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    /// No pruning and no reductions: values are those of plain minimax.
    pub(super) exact: bool,
    pub(super) frames: Vec<Frame<G::Action>>,
    pub(super) lines: Vec<Vec<G::Action>>,
    /// Events that change the board on the line of the quiescence search.
    pub(super) upheavals: u32,
    /// Repetition keys of the game and of the line, the current position's last.
    pub(super) keys: Vec<u64>,
    pub(super) root_key: usize,
    /// Late move reductions in 1024ths of a ply by logarithms of depth and move number.
    pub(super) logarithms: &'static [i32; 512],
    pub(super) time: TimeManager,
    pub(super) pondering: bool,
    /// Told of the root action being searched, by the first thread only.
    pub(super) on_current: Option<&'a (dyn Fn(u32, G::Action, u32) + Sync)>,
}

/// The score of a game that has ended so, for `us`, at distance `ply` of the root.
pub(super) fn outcome_score(outcome: Outcome, us: Color, ply: usize) -> Score {
    match outcome {
        Outcome::Win(winner) if winner == us => mate_in(ply),
        Outcome::Win(_) => mated_in(ply),
        Outcome::Draw => DRAW,
    }
}

/// The natural logarithm in 1024ths, by integer arithmetic, so that it is the same everywhere.
fn logarithm(number: u32) -> i32 {
    if number < 2 {
        return 0;
    }
    let whole = number.ilog2();
    // Ten bits of the fraction by repeated squaring, in 2^30ths.
    let mut mantissa = (u64::from(number) << 30) >> whole;
    let mut log2 = i64::from(whole) << 10;
    for bit in (0..10).rev() {
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            log2 += 1 << bit;
        }
    }
    (log2 * 710 / 1024) as i32
}

static LOGARITHMS: LazyLock<[i32; 512]> =
    LazyLock::new(|| std::array::from_fn(|number| logarithm(number as u32)));

impl<'a, G: Game> Worker<'a, G> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        shared: &'a Shared<'a, G>,
        id: usize,
        histories: &'a mut Histories,
        root: &G,
        keys: &[u64],
        root_actions: Vec<RootAction<G::Action>>,
        time: TimeManager,
    ) -> Self {
        Self {
            shared,
            id,
            histories,
            root: root.clone(),
            root_sums: shared.evaluator.fresh(root),
            learned: Line::new(root),
            root_decides: !root.is_chance(),
            root_actions,
            line: 0,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            exact: shared.method.exact,
            frames: vec![Frame::new(); MAX_PLY + BEFORE_ROOT + 4],
            lines: vec![Vec::new(); MAX_PLY + 4],
            upheavals: 0,
            keys: keys.to_vec(),
            root_key: keys.len().saturating_sub(1),
            logarithms: &LOGARITHMS,
            time,
            pondering: shared.control.is_pondering(),
            on_current: None,
        }
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame<G::Action> {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// Rows of the continuation history for the actions one, two and four plies before.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize) -> [Played; 3] {
        [1, 2, 4].map(|back| self.frames[ply + BEFORE_ROOT - back].played)
    }

    /// The table's key of a position; searches without pruning keep to their own entries.
    #[inline(always)]
    pub(super) fn table_key(&self, position: &G) -> u64 {
        if self.exact { position.key() ^ 0x5bd1_e995_9d1b_58d3 } else { position.key() }
    }

    /// What the table knows of a position.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        if self.shared.method.table { self.shared.table.probe(key, ply) } else { None }
    }

    /// Whether nothing at all is cut: plain expectimax.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.exact && self.shared.method.star == Star::None
    }

    /// Whether an entry settles a search of that depth and window. Without pruning, deeper is not
    /// better but another value.
    #[inline(always)]
    pub(super) fn settles(&self, entry: &Entry, depth: i32, alpha: Score, beta: Score) -> bool {
        let deep_enough = if self.exact { entry.depth == depth } else { entry.depth >= depth };
        deep_enough && entry.decides(alpha, beta)
    }

    /// Remembers a position in the table.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, ply: usize, entry: Entry) {
        if self.shared.method.table {
            self.shared.table.store(key, ply, entry);
        }
    }

    /// Counts a node, and looks now and then whether the search has to end.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.shared.limits.nodes.is_some() || self.nodes.is_multiple_of(512) {
            self.look_up_from_work();
        }
    }

    #[cold]
    fn look_up_from_work(&mut self) {
        let shared = self.shared;
        shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        if self.id != 0 {
            return;
        }
        let nodes_used =
            shared.limits.nodes.is_some_and(|limit| self.nodes >= limit || shared.nodes() >= limit);
        let mut over = nodes_used || shared.control.is_stopped();
        // Reading the clock at every node would cost more than the node.
        if self.nodes.is_multiple_of(512) {
            if self.pondering && !shared.control.is_pondering() {
                self.pondering = false;
                self.time.ponderhit();
            }
            over |= !self.pondering && self.time.is_over();
        }
        if over {
            shared.halt.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the search has to end. The first iteration is always finished, so that there is a
    /// score to every answer.
    #[inline(always)]
    pub(super) fn is_halted(&self) -> bool {
        self.depth > 1 && self.shared.halt.load(Ordering::Relaxed)
    }

    /// Whether the search has to end in its first iteration and that takes long: then the rest of it
    /// is evaluations.
    #[inline(always)]
    pub(super) fn is_hurried(&self) -> bool {
        self.depth <= 1
            && self.nodes > LONG_FIRST_ITERATION
            && self.shared.halt.load(Ordering::Relaxed)
    }

    /// Whether the current position is a draw by repetition, clock or material, or close enough:
    /// inside the search one repetition is as good as two.
    pub(super) fn is_draw(&self, position: &G) -> bool {
        if position.drawn_by_rule() {
            // Mate comes before the clock.
            let mated =
                !position.is_chance() && position.in_check() && position.count_actions() == 0;
            return !mated;
        }
        if !position.is_between_turns() {
            return false;
        }
        let current = self.keys.len() - 1;
        let key = self.keys[current];
        let reach = (position.state().halfmove_clock() as usize).min(current);
        let mut seen = 0;
        let step = if G::ALTERNATES { 2 } else { 1 };
        for back in (step..=reach).step_by(step) {
            if self.keys[current - back] == key {
                if current - back > self.root_key {
                    return true;
                }
                seen += 1;
                if seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The evaluation of the position that was entered last.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &G, sums: &Accumulator) -> Score {
        self.shared.evaluator.evaluate(position, sums, &mut self.learned)
    }

    /// Whether the side to decide has men besides king and pawns, so that passing is worse than
    /// moving.
    pub(super) fn has_men(position: &G) -> bool {
        let board = position.state().board();
        let others = board.color(position.turn()) - board.kind(Kind::PAWN) - board.kind(Kind::KING);
        others.any()
    }

    /// The table's action, if it is legal here.
    pub(super) fn known_action(position: &G, bits: u32) -> Option<G::Action> {
        G::Action::from_bits(bits).filter(|&action| position.is_legal(action))
    }

    pub(super) fn extend_line(&mut self, ply: usize, action: G::Action) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(action);
        line.extend_from_slice(&tail[0]);
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }

    /// The worth in centipawns of a kind of man for exchanges, for pruning in quiescence.
    pub(super) const fn pawn_worth() -> i32 {
        <G::Men as Men>::WORTH[Kind::PAWN.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn logarithms_are_natural() {
        for number in 1..512_u32 {
            let exact = f64::from(number).ln() * 1024.0;
            assert!((f64::from(logarithm(number)) - exact).abs() < 6.0, "{number}");
        }
    }
}

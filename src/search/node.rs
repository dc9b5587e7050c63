//! Alpha-beta with principal variation search (Marsland and Campbell 1982), and what prunes,
//! reduces and extends it. Each part is headed by its name in the field.

use arrayvec::ArrayVec;

use crate::core::{DRAW, INFINITE, MATE_IN_MAX, MAX_PLY, Score, mate_in, mated_in};
use crate::eval::{Accumulator, MAX_EVAL};
use crate::game::{Action, Game, Gist};

use super::Bound;
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Worker, outcome_score};

/// What kind of node is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Whether its window is open: a node of the principal variation.
    pub(super) pv: bool,
    /// Whether a cutoff is expected.
    pub(super) cut: bool,
}

impl Node {
    pub(super) const PV: Self = Self { pv: true, cut: false };

    pub(super) const fn zero_window(cut: bool) -> Self {
        Self { pv: false, cut }
    }
}

/// A child position with its sums and hash key on the line.
pub(super) struct Child<G> {
    pub(super) position: G,
    pub(super) sums: Accumulator,
    /// Whether the side to decide is another one than before.
    pub(super) turned: bool,
    /// Whether its repetition key is on the line.
    pub(super) keyed: bool,
}

impl<G: Game> Worker<'_, G> {
    /// Plays an action on a copy, and puts the new position on the line.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        position: &G,
        sums: &Accumulator,
        action: G::Action,
    ) -> Child<G> {
        let mut child =
            Child { position: position.clone(), sums: *sums, turned: true, keyed: false };
        let evaluator = self.shared.evaluator;
        evaluator.play(&mut child.position, action, &mut child.sums, &mut self.learned);
        child.turned = G::ALTERNATES || child.position.turn() != position.turn();
        self.shared.table.prefetch(self.table_key(&child.position));
        child.keyed = G::is_move(action) && child.position.is_between_turns();
        if child.keyed {
            self.keys.push(child.position.repetition_key());
        }
        self.count_node();
        child
    }

    /// Takes a child, the last position, off the line.
    #[inline(always)]
    pub(super) fn leave(&mut self, child: &Child<G>) {
        self.learned.pop();
        if child.keyed {
            self.keys.pop();
        }
    }

    /// Searches a child with a window given from the parent's point of view: signs turn only if
    /// the side to decide did.
    #[inline(always)]
    pub(super) fn below(
        &mut self,
        child: &Child<G>,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        node: Node,
    ) -> Score {
        if child.turned {
            -self.search(&child.position, &child.sums, -beta, -alpha, depth, ply, node)
        } else {
            self.search(&child.position, &child.sums, alpha, beta, depth, ply, node)
        }
    }

    /// The value of a position to the side that decides in it, `depth` plies deep.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn search(
        &mut self,
        position: &G,
        sums: &Accumulator,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        node: Node,
    ) -> Score {
        let at_root = ply == 0 && self.root_decides;
        let us = position.turn();
        self.lines[ply].clear();
        if node.pv {
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if !at_root {
            if self.is_halted() {
                return DRAW;
            }
            if let Some(outcome) = position.ended() {
                return outcome_score(outcome, us, ply);
            }
            if self.is_draw(position) {
                return DRAW;
            }
            // Mate distance pruning
            if !self.is_plain() {
                alpha = alpha.max(mated_in(ply));
                beta = beta.min(mate_in(ply + 1));
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        if depth <= 0 || ply > 0 && self.is_hurried() {
            return self.quiescence(position, sums, alpha, beta, ply, node.pv);
        }
        if G::HAS_CHANCE && position.is_chance() && ply < MAX_PLY {
            return self.chance(position, sums, alpha, beta, depth, ply, node);
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(position, sums) };
        }

        // Transposition table
        let excluded = self.frame(ply).excluded;
        let key = self.table_key(position);
        let entry = if excluded.is_none() { self.probe(key, ply) } else { None };
        let known = if at_root {
            self.root_actions.get(self.line).map(|root| root.action)
        } else {
            entry.and_then(|entry| Self::known_action(position, entry.action))
        };
        let table_pv = node.pv || entry.is_some_and(|entry| entry.pv);
        if let Some(entry) = entry
            && !node.pv
            && self.settles(&entry, depth, alpha, beta)
            // Near the clock's end the same position may be worth something else.
            && position.state().clock_left() > 10
        {
            if let Some(action) = known
                && entry.score >= beta
                && !position.gist(action).is_noisy()
            {
                let (gist, before) = (position.gist(action), self.before(ply));
                let bonus = self.bonus(depth);
                self.histories.reward_quiet(us, &gist, before, bonus);
            }
            return entry.score;
        }

        // Static evaluation
        let mut raw_eval = Entry::NO_EVAL;
        let mut eval = -INFINITE;
        if in_check {
            self.frame(ply).eval = -INFINITE;
        } else if excluded.is_some() {
            eval = self.frame(ply).eval;
        } else {
            raw_eval = self.board_eval(position, sums, ply, entry);
            let correction = self.histories.correction(us, sums, self.shared.parameters.correction);
            eval = (raw_eval + correction).clamp(-MAX_EVAL, MAX_EVAL);
            self.frame(ply).eval = eval;
            eval = entry.map_or(eval, |entry| entry.refined(eval));
        }
        let static_eval = self.frame(ply).eval;
        let earlier = |worker: &mut Self, back: usize| match ply.checked_sub(back) {
            Some(ply) => worker.frame(ply).eval,
            None => -INFINITE,
        };
        let improving = !in_check
            && match (earlier(self, 2), earlier(self, 4)) {
                (two, _) if two != -INFINITE => static_eval > two,
                (_, four) if four != -INFINITE => static_eval > four,
                _ => true,
            };
        self.frame(ply + 1).killer = None;
        self.frame(ply + 2).cutoffs = 0;
        self.frame(ply + 1).excluded = None;

        let may_prune = !self.exact && !node.pv && !in_check && excluded.is_none();
        if may_prune
            && let Some(score) =
                self.prune(position, sums, alpha, beta, depth, ply, node, eval, improving, known)
        {
            return score;
        }

        // Internal iterative reduction
        let parameters = self.shared.parameters;
        if !self.exact
            && !at_root
            && known.is_none()
            && excluded.is_none()
            && depth >= parameters.iir_depth
            && (node.pv || node.cut)
        {
            depth -= 1;
        }

        // ProbCut
        if may_prune
            && let Some(score) = self.probcut(position, sums, beta, depth, ply, node, entry, known)
        {
            return score;
        }

        let before = self.before(ply);
        let killer = self.frame(ply).killer;
        let mut picker = Picker::new(known, killer);
        let mut best = -INFINITE;
        let mut best_action = None;
        let start_alpha = alpha;
        // Below chance nodes windows are open off the principal variation too.
        let open = node.pv || beta - alpha > 1;
        let mut tried = 0;
        let mut quiets = Tried::new();
        let mut noisies = Tried::new();
        let known_noisy = known.is_some_and(|action| position.gist(action).is_noisy());

        loop {
            let action = if at_root {
                match self.root_actions.get(self.line + tried) {
                    Some(root) => root.action,
                    None => break,
                }
            } else {
                match picker.next(position, self.histories, before) {
                    Some(action) => action,
                    None => break,
                }
            };
            if Some(action) == excluded {
                continue;
            }
            tried += 1;
            if at_root && let Some(tell) = self.on_current {
                tell(self.depth as u32, action, (self.line + tried) as u32);
            }
            let gist = position.gist(action);
            let noisy = gist.is_noisy();
            let history = if noisy {
                self.histories.capture(&gist)
            } else {
                self.histories.quiet(us, &gist, before)
            };
            let logarithms =
                self.logarithms[depth.min(511) as usize] * self.logarithms[tried.min(511)] / 1024;
            let mut reduction =
                parameters.reduction_base + logarithms * 1024 / parameters.reduction_divisor;

            if ply > 0
                && !self.exact
                && best > -MATE_IN_MAX
                && Self::has_men(position)
                && self.is_pruned(
                    position,
                    action,
                    noisy,
                    Late {
                        alpha,
                        depth,
                        tried,
                        improving,
                        in_check,
                        history,
                        reduction,
                        static_eval,
                        losing: picker.is_losing(),
                    },
                    &mut picker,
                )
            {
                continue;
            }

            // A decision before the move costs no depth.
            let mut extension = i32::from(!self.exact && !G::is_move(action));

            // Singular extension (Anantharaman, Campbell and Hsu 1988)
            if !at_root
                && !self.exact
                && Some(action) == known
                && excluded.is_none()
                && depth >= parameters.singular_depth
                && ply < 2 * self.depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && entry.score.abs() < MATE_IN_MAX
            {
                let margin = depth * parameters.singular_margin / 16;
                let bar = (entry.score - margin).max(-MAX_EVAL);
                self.frame(ply).excluded = Some(action);
                let without = Node::zero_window(node.cut);
                let score =
                    self.search(position, sums, bar - 1, bar, (depth - 1) / 2, ply, without);
                self.frame(ply).excluded = None;
                self.lines[ply].clear();
                if self.is_halted() {
                    return DRAW;
                }
                if score < bar {
                    extension = 1;
                    // With dice each ply more multiplies by the faces too.
                    if !node.pv
                        && !G::DICE
                        && score < bar - parameters.singular_double
                        && self.frame(ply).double_extensions < 8
                    {
                        extension = 2;
                    }
                } else if bar >= beta {
                    // Multi-cut: two actions beat beta.
                    return bar;
                } else if entry.score >= beta {
                    extension = -2;
                } else if node.cut {
                    extension = -1;
                }
            }

            let doubles = self.frame(ply).double_extensions + u32::from(extension == 2);
            self.frame(ply + 1).double_extensions = doubles;
            self.frame(ply).played = self.histories.played(&gist);
            let nodes_before = self.nodes;
            let child = self.enter(position, sums, action);
            let next_depth = depth - 1 + extension;
            let mut score = -INFINITE;

            // Late move reduction
            let plain = self.is_plain();
            let mut full_depth = !plain && (!open || tried > 1);
            if !self.exact && depth >= 2 && tried > 1 + usize::from(at_root) {
                if table_pv {
                    reduction -= parameters.reduction_pv;
                }
                if node.cut {
                    reduction += parameters.reduction_cut;
                }
                if !improving {
                    reduction += parameters.reduction_worse;
                }
                if known_noisy && !noisy {
                    reduction += parameters.reduction_noisy;
                }
                if child.position.in_check() {
                    reduction -= parameters.reduction_check;
                }
                if self.frame(ply + 1).cutoffs > 3 {
                    reduction += parameters.reduction_cutoffs;
                }
                reduction -= history * 1024 / parameters.reduction_history;
                let reduced = (next_depth - reduction / 1024).clamp(1, next_depth.max(1));
                let cut = Node::zero_window(true);
                score = self.below(&child, alpha, alpha + 1, reduced, ply + 1, cut);
                full_depth = score > alpha && reduced < next_depth;
            }
            if full_depth {
                let below = Node::zero_window(!node.cut);
                score = self.below(&child, alpha, alpha + 1, next_depth, ply + 1, below);
            }
            if open && (tried == 1 || score > alpha || plain) {
                let below = Node { pv: node.pv, cut: false };
                let (low, high) = if plain { (-INFINITE, INFINITE) } else { (alpha, beta) };
                score = self.below(&child, low, high, next_depth, ply + 1, below);
            }
            self.leave(&child);

            if self.is_halted() {
                return DRAW;
            }
            if at_root {
                self.note_root(tried - 1, score, alpha, beta, nodes_before);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_action = Some(action);
                    if node.pv {
                        self.extend_line(ply, action);
                    }
                    if score >= beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(action) != best_action {
                // Those that find no room were tried too late to matter.
                let _ = if noisy { noisies.try_push(gist) } else { quiets.try_push(gist) };
            }
        }

        if tried == 0 {
            if excluded.is_some() {
                return alpha;
            }
            return outcome_score(position.outcome_without_actions(), us, ply);
        }
        if let Some(action) = best_action.filter(|_| best >= beta) {
            self.reward(position, action, depth, ply, &quiets, &noisies);
        }

        let bound = if best >= beta {
            Bound::Lower
        } else if best > start_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_none() && !(at_root && self.line > 0) {
            let action = best_action.map_or(0, Action::to_bits);
            self.store(
                key,
                ply,
                Entry { action, score: best, eval: raw_eval, depth, bound, pv: table_pv },
            );
            let quiet_best = best_action.is_none_or(|a| !position.gist(a).is_noisy());
            if !in_check
                && !self.exact
                && quiet_best
                && best.abs() < MATE_IN_MAX
                && !(bound == Bound::Lower && best <= static_eval)
                && !(bound == Bound::Upper && best >= static_eval)
            {
                self.histories.correct(us, sums, depth, best - static_eval);
            }
        }
        best
    }

    /// What prunes a whole node before any action is tried.
    #[allow(clippy::too_many_arguments)]
    fn prune(
        &mut self,
        position: &G,
        sums: &Accumulator,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        node: Node,
        eval: Score,
        improving: bool,
        known: Option<G::Action>,
    ) -> Option<Score> {
        let parameters = self.shared.parameters;

        // Razoring
        if alpha.abs() < MATE_IN_MAX
            && depth <= parameters.razor_max_depth
            && eval + parameters.razor + parameters.razor_depth * depth * depth < alpha
        {
            let score = self.quiescence(position, sums, alpha, alpha + 1, ply, false);
            if score <= alpha {
                return Some(score);
            }
        }

        // Reverse futility
        let margin = parameters.reverse_futility * (depth - i32::from(improving));
        if depth <= parameters.reverse_futility_depth
            && beta.abs() < MATE_IN_MAX
            && eval < MATE_IN_MAX
            && eval - margin >= beta
            && known.is_none_or(|action| position.gist(action).is_noisy() || depth < 6)
        {
            return Some(i32::midpoint(eval, beta));
        }

        // Null move (Donninger 1993)
        if position.may_pass()
            && node.cut
            && depth >= 3
            && eval >= beta
            && self.frame(ply).eval
                >= beta + parameters.null_margin - parameters.null_margin_depth * depth
            && beta > -MATE_IN_MAX
            && ply > 0
            && self.frames[ply + super::worker::BEFORE_ROOT - 1].played != NULL
            && Self::has_men(position)
        {
            let reduction = parameters.null_base
                + depth / parameters.null_divisor
                + ((eval - beta) / parameters.null_eval).min(3);
            self.frame(ply).played = NULL;
            let mut child =
                Child { position: position.clone(), sums: *sums, turned: true, keyed: true };
            self.shared.evaluator.play_null(&mut child.position, &mut self.learned);
            self.keys.push(child.position.repetition_key());
            self.count_node();
            let below = Node::zero_window(false);
            let score = self.below(&child, beta - 1, beta, depth - reduction, ply + 1, below);
            self.leave(&child);
            if self.is_halted() {
                return Some(DRAW);
            }
            if score >= beta {
                let score = if score >= MATE_IN_MAX { beta } else { score };
                if depth < parameters.null_verify_depth {
                    return Some(score);
                }
                // Verification, against zugzwang.
                let again = Node::zero_window(false);
                let verified =
                    self.search(position, sums, beta - 1, beta, depth - reduction, ply, again);
                if verified >= beta {
                    return Some(score);
                }
            }
        }
        None
    }

    /// A capture that beats beta by far in a shallow search is taken to do so in a deep one.
    #[allow(clippy::too_many_arguments)]
    fn probcut(
        &mut self,
        position: &G,
        sums: &Accumulator,
        beta: Score,
        depth: i32,
        ply: usize,
        node: Node,
        entry: Option<Entry>,
        known: Option<G::Action>,
    ) -> Option<Score> {
        let parameters = self.shared.parameters;
        let bar = beta + parameters.probcut;
        if depth < parameters.probcut_depth
            || beta.abs() >= MATE_IN_MAX
            || bar >= MAX_EVAL
            || entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.score < bar)
        {
            return None;
        }
        let threshold = bar - self.frame(ply).eval;
        let known = known.filter(|&action| {
            position.gist(action).is_noisy() && position.exchange_gains(action, threshold)
        });
        let mut picker = Picker::noisy(known, threshold);
        while let Some(action) = picker.next(position, self.histories, self.before(ply)) {
            self.frame(ply).played = self.histories.played(&position.gist(action));
            let child = self.enter(position, sums, action);
            let mut score = if child.turned {
                -self.quiescence(&child.position, &child.sums, -bar, -bar + 1, ply + 1, false)
            } else {
                self.quiescence(&child.position, &child.sums, bar - 1, bar, ply + 1, false)
            };
            if score >= bar {
                let below = Node::zero_window(!node.cut);
                score = self.below(&child, bar - 1, bar, depth - 4, ply + 1, below);
            }
            self.leave(&child);
            if self.is_halted() {
                return Some(DRAW);
            }
            if score >= bar && score.abs() < MATE_IN_MAX {
                let key = self.table_key(position);
                self.store(
                    key,
                    ply,
                    Entry {
                        action: action.to_bits(),
                        score,
                        eval: Entry::NO_EVAL,
                        depth: depth - 3,
                        bound: Bound::Lower,
                        pv: false,
                    },
                );
                return Some(score);
            }
        }
        None
    }

    /// Whether a late action is not worth playing out.
    fn is_pruned(
        &self,
        position: &G,
        action: G::Action,
        noisy: bool,
        late: Late,
        picker: &mut Picker<G>,
    ) -> bool {
        let parameters = self.shared.parameters;
        let depth = late.depth;
        let reduced = (depth - late.reduction / 1024).max(0);
        if noisy {
            // Exchange pruning of captures
            return depth <= parameters.exchange_noisy_depth
                && late.losing
                && !position.exchange_gains(action, -parameters.exchange_noisy * depth);
        }
        // Late move pruning
        let limit = (parameters.late_moves + depth * depth) / if late.improving { 1 } else { 2 };
        if late.tried as i32 > limit {
            picker.skip_quiet();
            return true;
        }
        // Futility
        if !late.in_check
            && reduced <= parameters.futility_max_depth
            && late.static_eval + parameters.futility + parameters.futility_depth * reduced
                <= late.alpha
        {
            picker.skip_quiet();
            return true;
        }
        // History pruning
        if depth <= parameters.history_prune_depth
            && late.history < -parameters.history_prune * depth
        {
            return true;
        }
        // Exchange pruning of quiet moves
        depth <= parameters.exchange_quiet_depth
            && !position.exchange_gains(action, -parameters.exchange_quiet * reduced * reduced)
    }

    fn bonus(&self, depth: i32) -> i32 {
        let parameters = self.shared.parameters;
        (parameters.history_bonus * depth).min(parameters.history_bonus_max)
    }

    /// Teaches the histories that one action beat beta and those before it did not.
    fn reward(
        &mut self,
        position: &G,
        action: G::Action,
        depth: i32,
        ply: usize,
        quiets: &[Gist],
        noisies: &[Gist],
    ) {
        let us = position.turn();
        let before = self.before(ply);
        let bonus = self.bonus(depth);
        let gist = position.gist(action);
        if gist.is_noisy() {
            self.histories.reward_capture(&gist, bonus);
        } else {
            self.frame(ply).killer = Some(action);
            self.histories.reward_quiet(us, &gist, before, bonus);
            for gist in quiets {
                self.histories.reward_quiet(us, gist, before, -bonus);
            }
        }
        for gist in noisies {
            self.histories.reward_capture(gist, -bonus);
        }
    }

    /// Notes the score of a root action; those that are no better than the best so far have none.
    fn note_root(
        &mut self,
        index: usize,
        score: Score,
        alpha: Score,
        beta: Score,
        nodes_before: u64,
    ) {
        let (seldepth, nodes) = (self.seldepth, self.nodes - nodes_before);
        let below = self.lines[1].clone();
        let Some(root) = self.root_actions.get_mut(self.line + index) else { return };
        root.nodes += nodes;
        if index == 0 || score > alpha {
            root.score = score;
            root.seldepth = seldepth;
            root.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root.pv.clear();
            root.pv.push(root.action);
            root.pv.extend(below);
        } else {
            root.score = -INFINITE;
        }
    }
}

/// Actions tried before the one that beat beta.
type Tried = ArrayVec<Gist, 32>;

/// The row of the continuation history that no man has: the null move's.
const NULL: usize = 1;

/// What late pruning looks at.
struct Late {
    alpha: Score,
    depth: i32,
    tried: usize,
    improving: bool,
    in_check: bool,
    history: i32,
    reduction: i32,
    static_eval: Score,
    losing: bool,
}

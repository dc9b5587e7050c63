//! Iterative deepening with aspiration windows, and when to stop it.

use crate::core::{INFINITE, MATE_IN_MAX, MAX_PLY, Score, mate_in, moves_to_mate};
use crate::game::Game;

use super::node::Node;
use super::worker::Worker;

/// Told of the worker after each iteration, and when a window failed in a long search.
pub(super) type OnIteration<'a, G> = &'a dyn Fn(&Worker<'_, G>, usize);

/// Plies beyond the mate's own that a search with pruning may take to find it, before one without
/// pruning settles the matter.
const MATE_SLACK: i32 = 8;

fn is_mate_within(score: Score, plies: i32) -> bool {
    score >= mate_in(plies as usize)
}

impl<G: Game> Worker<'_, G> {
    /// Deepens at a chance position: every event that may come, each in an open window.
    fn deepen_chance(&mut self, most: i32, report: Option<OnIteration<'_, G>>) {
        for depth in 1..=most {
            self.depth = depth;
            self.seldepth = 0;
            let before = self.root_actions.clone();
            for index in 0..self.root_actions.len() {
                let (root, sums) = (self.root.clone(), self.root_sums);
                let child = self.enter(&root, &sums, self.root_actions[index].action);
                let score = self.below(&child, -INFINITE, INFINITE, depth, 0, Node::PV);
                self.leave(&child);
                if self.is_halted() {
                    self.root_actions = before;
                    return;
                }
                let line = self.lines[0].clone();
                let outcome = &mut self.root_actions[index];
                outcome.score = score;
                outcome.pv = line;
                outcome.seldepth = self.seldepth;
            }
            if let Some(report) = report {
                report(self, 1);
            }
            let own_clock = !self.pondering && !self.shared.control.is_pondering();
            if self.id == 0 && own_clock && self.time.is_enough(100) {
                return;
            }
        }
    }

    /// Deepens until a limit is met. `lines` is the number of best lines wanted.
    pub(super) fn deepen(&mut self, lines: usize, report: Option<OnIteration<'_, G>>) {
        let limits = self.shared.limits;
        let most = limits.depth.map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, 245) as i32);
        if !self.root_decides {
            return self.deepen_chance(most, report);
        }
        let lines = lines.min(self.root_actions.len());
        let mut pruned = Vec::new();
        let mut stable = 0;
        let mut last_best = None;
        let mut last_told = Vec::new();
        let mut depth = 0;
        while depth < most {
            depth += 1;
            self.depth = depth;
            // Helpers run ahead by turns, so that the threads do not all do the same.
            if self.id % 2 == 1 && depth > 4 && (depth as usize + self.id / 2).is_multiple_of(2) {
                self.depth = (depth + 1).min(MAX_PLY as i32 - 1);
            }
            for root in &mut self.root_actions {
                root.before = root.score;
            }
            for line in 0..lines {
                self.line = line;
                self.seldepth = 0;
                self.aspire(report);
                if self.is_halted() {
                    break;
                }
            }
            self.root_actions[..lines].sort_by_key(|root| -root.score);
            if self.is_halted() {
                // What is played, and expected after it, must be what was said last.
                if let Some(report) = report
                    && self.root_actions[0].pv != last_told
                {
                    report(self, lines);
                }
                break;
            }
            if let Some(report) = report {
                report(self, lines);
                last_told.clone_from(&self.root_actions[0].pv);
            }
            if self.id != 0 {
                continue;
            }

            let best = &self.root_actions[0];
            if let Some(moves) = limits.mate {
                let plies = 2 * moves.clamp(1, MAX_PLY as u32 / 2) as i32 - 1;
                if is_mate_within(best.score, plies) {
                    break;
                }
                if self.exact && depth >= plies {
                    // There is none; what the first search found stands.
                    self.root_actions = pruned;
                    if let Some(report) = report {
                        report(self, lines);
                    }
                    break;
                }
                if !self.exact && depth >= plies + MATE_SLACK {
                    // Not found where it was likely: now look everywhere.
                    self.exact = true;
                    pruned.clone_from(&self.root_actions);
                    depth = 0;
                    continue;
                }
            }
            if Some(best.action) == last_best {
                stable += 1;
            } else {
                stable = 0;
                last_best = Some(best.action);
            }
            // A mate that is closer than the search is deep will not get shorter.
            let mated = moves_to_mate(best.score).is_some_and(|m| 2 * m.abs() < depth - 8);
            if mated && lines == 1 && limits.depth.is_none() {
                break;
            }
            if !self.pondering && self.time.is_on_clock() && !self.shared.control.is_pondering() {
                let only = self.root_actions.len() == 1;
                if only || self.time.is_enough(self.time_percent(stable)) {
                    break;
                }
            }
        }
    }

    /// How much of the planned time is worth using: less for a best action that stands for long
    /// and takes most nodes, more when the score falls.
    fn time_percent(&self, stable: usize) -> u32 {
        let best = &self.root_actions[0];
        let steady = [190, 130, 108, 95, 85, 78, 72][stable.min(6)];
        let total = self.root_actions.iter().map(|root| root.nodes).sum::<u64>().max(1);
        let share = (best.nodes * 100 / total) as u32;
        let effort = 215 - share * 3 / 2;
        let fall = (best.before - best.score).clamp(-20, 60);
        let fall = if best.before == -INFINITE { 100 } else { 100 + fall * 7 / 10 };
        (steady * effort / 100 * fall as u32 / 100).clamp(25, 300)
    }

    /// Searches one line at the current depth, first in a narrow window around the last score.
    fn aspire(&mut self, report: Option<OnIteration<'_, G>>) {
        let before = self.root_actions[self.line].before;
        let mut delta = self.shared.parameters.aspiration + before.abs().min(2000) / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if self.depth >= 5 && before.abs() < MATE_IN_MAX {
            alpha = (before - delta).max(-INFINITE);
            beta = (before + delta).min(INFINITE);
        }
        let mut failed_high = 0;
        loop {
            let depth = (self.depth - failed_high).max(1);
            let (root, sums) = (self.root.clone(), self.root_sums);
            let score = self.search(&root, &sums, alpha, beta, depth, 0, Node::PV);
            let line = self.line;
            self.root_actions[line..].sort_by_key(|root| -root.score);
            if self.is_halted() {
                return;
            }
            if score > alpha && score < beta {
                return;
            }
            if let Some(report) = report
                && self.elapsed().as_secs() >= 3
                && self.shared.limits.nodes.is_none()
            {
                report(self, line + 1);
            }
            if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (score - delta).max(-INFINITE);
                failed_high = 0;
            } else {
                beta = (score + delta).min(INFINITE);
                // A proof must not look less deep than it says.
                failed_high = if self.exact { 0 } else { (failed_high + 1).min(3) };
            }
            delta += delta / 2 + 2;
            if delta > 800 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}

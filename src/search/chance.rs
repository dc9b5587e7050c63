//! Chance nodes inside alpha-beta: Star1 and Star2 (Ballard 1983; Hauk, Buro and Schaeffer 2004).
//!
//! The value of a chance node is the average of its outcomes' expected results, mapped back to a
//! score. While outcomes are searched one by one, each has a lower and an upper bound; what they come
//! to together bounds the node, and tells how good or bad the next outcome must be to matter: that is
//! its window.
//!
//! An event after which a player may do just what the other events allow (∞ of the dice) is not
//! searched: its value is the best of theirs.

use arrayvec::ArrayVec;

use crate::core::{
    DRAW, Expected, INFINITE, MATE, MATE_IN_MAX, ONE, Score, expected, nearest_score,
    score_at_least, score_at_most,
};
use crate::eval::Accumulator;
use crate::game::Game;

use super::Bound;
use super::node::Node;
use super::picker::Picker;
use super::settings::Star;
use super::table::Entry;
use super::worker::Worker;

/// The most outcomes that a chance position of any game has: two dice of seven faces each.
pub(super) const MOST: usize = 49;

/// An outcome of a chance node with what is known of its value.
struct Outcome<A> {
    event: A,
    weight: i64,
    low: Score,
    high: Score,
}

/// All outcomes of a chance node.
struct Stakes<A> {
    outcomes: ArrayVec<Outcome<A>, MOST>,
    total: i64,
    /// The weight of the event that is worth what the best of the others is; 0 without one.
    wild: i64,
}

impl<A: Copy + Eq> Stakes<A> {
    fn new<G: Game<Action = A>>(position: &G, share: bool) -> Self {
        let mut stakes = Self { outcomes: ArrayVec::new(), total: 0, wild: 0 };
        let wild = if share { position.wild() } else { None };
        position.settled_outcomes(|event, weight| {
            let weight = i64::from(weight);
            stakes.total += weight;
            if Some(event) == wild {
                stakes.wild = weight;
            } else {
                stakes.outcomes.push(Outcome { event, weight, low: -MATE, high: MATE });
            }
        });
        if stakes.outcomes.is_empty()
            && let Some(event) = wild
        {
            // Nothing to share with.
            let weight = std::mem::take(&mut stakes.wild);
            stakes.outcomes.push(Outcome { event, weight, low: -MATE, high: MATE });
        }
        // What weighs most decides soonest.
        stakes.outcomes.sort_by_key(|outcome| -outcome.weight);
        stakes
    }

    /// The sum of what all outcomes are worth at least, or at most, by `bound`.
    fn sum(&self, bound: impl Fn(&Outcome<A>) -> Score) -> Expected {
        let mut best = -MATE;
        let mut sum = 0;
        for outcome in &self.outcomes {
            let score = bound(outcome);
            best = best.max(score);
            sum += outcome.weight * expected(score);
        }
        sum + self.wild * expected(best)
    }

    /// A score that the node is worth at least.
    fn low(&self) -> Score {
        let average = score_at_most(self.sum(|outcome| outcome.low).div_euclid(self.total));
        let worst = self.outcomes.iter().map(|outcome| outcome.low).min().unwrap_or(average);
        // A win is as certain as the slowest of its ways.
        if average >= MATE_IN_MAX { worst.min(average) } else { average }
    }

    /// A score that the node is worth at most.
    fn high(&self) -> Score {
        let sum = self.sum(|outcome| outcome.high);
        let average = score_at_least(-(-sum).div_euclid(self.total));
        let best = self.outcomes.iter().map(|outcome| outcome.high).max().unwrap_or(average);
        if average <= -MATE_IN_MAX { best.max(average) } else { average }
    }

    /// The node's worth, where every outcome's is known.
    fn value(&self) -> Score {
        average(self.outcomes.iter().map(|outcome| (outcome.low, outcome.weight)), self.wild)
    }

    fn is_known(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.low == outcome.high)
    }

    /// How good an outcome must be to bring the node above `alpha`, and how good to bring it to
    /// `beta`, whatever is still open of the others: its window.
    fn window(&self, index: usize, alpha: Score, beta: Score) -> (Score, Score) {
        // The largest result of this outcome with which the sum stays within the goal.
        let threshold = |bound: fn(&Outcome<A>) -> Score, goal: Expected| {
            let mut best = -MATE;
            let mut rest = 0;
            for (other, outcome) in self.outcomes.iter().enumerate() {
                if other != index {
                    best = best.max(bound(outcome));
                    rest += outcome.weight * expected(bound(outcome));
                }
            }
            let open = goal - rest;
            let weight = self.outcomes[index].weight;
            // As the best outcome it counts for the wild event too.
            let as_best = open.div_euclid(weight + self.wild);
            let alone = (open - self.wild * expected(best)).div_euclid(weight);
            if as_best >= expected(best) { as_best } else { alone }
        };
        let low = threshold(|outcome| outcome.high, expected(alpha) * self.total);
        let high = threshold(|outcome| outcome.low, expected(beta) * self.total - 1) + 1;
        let mut below = if low < -ONE { -INFINITE } else { score_at_most(low) };
        let mut above = if high > ONE { INFINITE } else { score_at_least(high) };
        if beta >= MATE_IN_MAX {
            above = above.max(beta);
        }
        if alpha <= -MATE_IN_MAX {
            below = below.min(alpha);
        }
        (below, above)
    }
}

/// The average of scores by their expected results; `wild` is the weight of the best of them once
/// more. Certain wins, or losses, average to the slowest.
pub(super) fn average(scores: impl Iterator<Item = (Score, i64)> + Clone, wild: i64) -> Score {
    let (mut sum, mut total) = (0, wild);
    let (mut worst, mut best) = (MATE, -MATE);
    for (score, weight) in scores {
        sum += weight * expected(score);
        total += weight;
        worst = worst.min(score);
        best = best.max(score);
    }
    sum += wild * expected(best);
    if worst >= MATE_IN_MAX {
        worst
    } else if best <= -MATE_IN_MAX {
        best
    } else {
        // Towards zero, so that both sides see the same.
        nearest_score(sum / total).clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }
}

impl<G: Game> Worker<'_, G> {
    /// The value of a chance position to the FEN's side to move, `depth` player actions deep.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn chance(
        &mut self,
        position: &G,
        sums: &Accumulator,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        node: Node,
    ) -> Score {
        let key = self.table_key(position);
        let entry = self.probe(key, ply);
        if let Some(entry) = entry
            && !node.pv
            && self.settles(&entry, depth, alpha, beta)
            && position.state().clock_left() > 10
        {
            return entry.score;
        }
        // The evaluation is the same after events that move no man; before others nobody asks it.
        let raw_eval = if G::EVENTS_ARE_QUIET {
            self.board_eval(position, sums, ply, entry)
        } else {
            Entry::NO_EVAL
        };
        let method = self.shared.method;
        let mut stakes = Stakes::new(position, method.share);
        if method.star == Star::Two && depth >= 2 {
            let found =
                self.probe_outcomes(position, sums, &mut stakes, alpha, beta, depth, ply, node);
            if self.is_halted() {
                return DRAW;
            }
            if let Some((score, bound)) = found {
                self.store_chance(key, ply, score, raw_eval, depth, bound, node.pv);
                return score;
            }
        }
        let mut result = None;
        for index in 0..stakes.outcomes.len() {
            let (low, high) = if self.is_plain() {
                (-INFINITE, INFINITE)
            } else {
                stakes.window(index, alpha, beta)
            };
            let Outcome { event, weight, .. } = stakes.outcomes[index];
            let depth = self.event_depth(depth, weight, stakes.total);
            let child = self.enter(position, sums, event);
            let below = Node { pv: node.pv, cut: node.cut && !child.turned };
            // Events take no ply: a mate is counted in players' actions.
            let score = self.below(&child, low, high, depth, ply, below);
            self.leave(&child);
            if self.is_halted() {
                self.lines[ply].clear();
                return DRAW;
            }
            let outcome = &mut stakes.outcomes[index];
            if score > low {
                outcome.low = outcome.low.max(score);
            }
            if score < high {
                outcome.high = outcome.high.min(score);
            }
            if outcome.low > outcome.high {
                // Searches that prune may contradict an earlier bound: the later one stands.
                (outcome.low, outcome.high) = (score, score);
            }
            if self.is_plain() {
                continue;
            }
            let (low, high) = (stakes.low(), stakes.high());
            if low >= beta {
                result = Some((low, Bound::Lower));
                break;
            }
            if high <= alpha {
                result = Some((high, Bound::Upper));
                break;
            }
        }
        // The line would have to know how the dice fall.
        self.lines[ply].clear();
        let (score, bound) = result.unwrap_or_else(|| {
            if stakes.is_known() {
                (stakes.value(), Bound::Exact)
            } else {
                // Rounding, or certain wins, kept a bound from deciding.
                let low = stakes.low();
                if low > alpha { (low, Bound::Lower) } else { (stakes.high(), Bound::Upper) }
            }
        });
        self.store_chance(key, ply, score, raw_eval, depth, bound, node.pv);
        score
    }

    /// How deep an event of a chance node is searched: what is unlikely weighs less, and so does an
    /// error in it. Events that change the board come only if a player wants them, so that there are
    /// many where there need be none.
    fn event_depth(&self, depth: i32, weight: i64, total: i64) -> i32 {
        let parameters = self.shared.parameters;
        if self.exact {
            depth
        } else if G::EVENTS_ARE_QUIET {
            let unlikely = weight * 100 < total * i64::from(parameters.chance_unlikely);
            depth - i32::from(unlikely && depth >= parameters.chance_reduction_depth)
        } else {
            let bits = (total / weight).ilog2() as i32;
            (depth - bits * parameters.chance_board_reduction / 4).max(0)
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn store_chance(
        &mut self,
        key: u64,
        ply: usize,
        score: Score,
        eval: Score,
        depth: i32,
        bound: Bound,
        pv: bool,
    ) {
        self.store(key, ply, Entry { action: 0, score, eval, depth, bound, pv });
    }

    /// Star2: searches one likely action of each outcome first. Where the side to decide is that of
    /// the node, each is worth at least that, which may be enough for beta; else at most, for alpha.
    #[allow(clippy::too_many_arguments)]
    fn probe_outcomes(
        &mut self,
        position: &G,
        sums: &Accumulator,
        stakes: &mut Stakes<G::Action>,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        node: Node,
    ) -> Option<(Score, Bound)> {
        if node.pv && !self.exact {
            return None;
        }
        for index in 0..stakes.outcomes.len() {
            let (low, high) = stakes.window(index, alpha, beta);
            let Outcome { event, weight, .. } = stakes.outcomes[index];
            let depth = self.event_depth(depth, weight, stakes.total);
            if depth < 1 {
                continue;
            }
            let child = self.enter(position, sums, event);
            let score = if child.turned {
                self.probe_one(&child.position, &child.sums, -high, -low, depth, ply).map(|s| -s)
            } else {
                self.probe_one(&child.position, &child.sums, low, high, depth, ply)
            };
            self.leave(&child);
            if self.is_halted() {
                return None;
            }
            let Some(score) = score else { continue };
            let outcome = &mut stakes.outcomes[index];
            if child.turned && score < high {
                outcome.high = score;
                let high = stakes.high();
                if high <= alpha {
                    return Some((high, Bound::Upper));
                }
            } else if !child.turned && score > low {
                outcome.low = score;
                let low = stakes.low();
                if low >= beta {
                    return Some((low, Bound::Lower));
                }
            }
        }
        None
    }

    /// The value of the action that is ordered first at a decision; `None` where there is no
    /// decision to probe.
    fn probe_one(
        &mut self,
        position: &G,
        sums: &Accumulator,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        if position.is_chance() || position.ended().is_some() {
            return None;
        }
        let key = self.table_key(position);
        let entry = self.probe(key, ply);
        let known = entry.and_then(|entry| Self::known_action(position, entry.action));
        let before = self.before(ply);
        let killer = self.frame(ply).killer;
        let action = Picker::new(known, killer).next(position, self.histories, before)?;
        self.frame(ply).played = self.histories.played(&position.gist(action));
        self.frame(ply + 1).excluded = None;
        let child = self.enter(position, sums, action);
        let score = self.below(&child, alpha, beta, depth - 1, ply + 1, Node::zero_window(false));
        self.leave(&child);
        Some(score)
    }

    /// The uncorrected evaluation of a position, the same for all that chance makes of a board.
    pub(super) fn board_eval(
        &mut self,
        position: &G,
        sums: &Accumulator,
        ply: usize,
        entry: Option<Entry>,
    ) -> Score {
        if let Some(entry) = entry
            && entry.eval != Entry::NO_EVAL
        {
            return entry.eval;
        }
        if !G::HAS_CHANCE {
            return self.evaluate(position, sums);
        }
        let key = position.state().key();
        let decider = position.turn();
        let (known, side, eval) = self.frame(ply).board_eval;
        if known == key && side == decider {
            return eval;
        }
        let eval = self.evaluate(position, sums);
        self.frame(ply).board_eval = (key, decider, eval);
        eval
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{mate_in, mated_in};
    use crate::eval::MAX_EVAL;

    fn stakes(outcomes: &[(i64, Score, Score)], wild: i64) -> Stakes<usize> {
        Stakes {
            outcomes: outcomes
                .iter()
                .enumerate()
                .map(|(event, &(weight, low, high))| Outcome { event, weight, low, high })
                .collect(),
            total: outcomes.iter().map(|outcome| outcome.0).sum::<i64>() + wild,
            wild,
        }
    }

    #[test]
    fn averages_are_of_expected_results() {
        // Three quarters and one quarter; nine tenths and a half: 0.7, which is 77 centipawns.
        assert_eq!(average([(100, 1), (-100, 1)].into_iter(), 0), 0);
        assert_eq!(average([(200, 1), (0, 1)].into_iter(), 0), 77);
        // The best counts once more.
        assert_eq!(average([(200, 1), (0, 2)].into_iter(), 1), 77);
        // Half a win and half a loss.
        assert_eq!(average([(mate_in(3), 1), (mated_in(4), 1)].into_iter(), 0), 0);
        // Nine wins of ten are no certain win, but more than any evaluation of 199.
        let likely = average([(mate_in(3), 9), (0, 1)].into_iter(), 0);
        assert!((260..280).contains(&likely), "{likely}");
        let most = average([(mate_in(1), 99), (MAX_EVAL, 1)].into_iter(), 0);
        assert!((MAX_EVAL..MATE_IN_MAX).contains(&most), "{most}");
    }

    #[test]
    fn certain_wins_are_as_slow_as_the_slowest() {
        assert_eq!(average([(mate_in(3), 99), (mate_in(7), 1)].into_iter(), 0), mate_in(7));
        assert_eq!(average([(mated_in(2), 99), (mated_in(8), 1)].into_iter(), 0), mated_in(8));
        let known = stakes(&[(9, mate_in(3), mate_in(3)), (1, mate_in(7), mate_in(7))], 0);
        assert_eq!(
            (known.low(), known.value(), known.high() >= mate_in(7)),
            (mate_in(7), mate_in(7), true)
        );
    }

    /// Whatever an outcome turns out to be worth: at the window's ends the node's bound is decided,
    /// within it is not.
    #[test]
    fn windows_are_as_wide_as_they_must_be_and_no_wider() {
        for wild in [0, 2] {
            for (alpha, beta) in [(-20, 30), (10, 11), (-400, -399), (900, 1200)] {
                let bounds = [(4, -300, 250), (3, -20, -20), (2, -MATE, MATE), (1, 100, 500)];
                for index in [0, 2, 3] {
                    let open = stakes(&bounds, wild);
                    let (low, high) = open.window(index, alpha, beta);
                    assert!(low < high, "{low} {high}");
                    for score in -3000..3000 {
                        let mut settled = bounds;
                        settled[index].1 = score;
                        settled[index].2 = score;
                        let settled = stakes(&settled, wild);
                        assert_eq!(
                            settled.high() <= alpha,
                            score <= low,
                            "{index} {alpha} {score} {low}"
                        );
                        assert_eq!(
                            settled.low() >= beta,
                            score >= high,
                            "{index} {beta} {score} {high}"
                        );
                    }
                }
            }
        }
    }
}

use arrayvec::ArrayVec;

use crate::core::{DRAW, INFINITE, MATE_IN_MAX, MAX_PLY, Score};
use crate::eval::{Accumulator, MAX_EVAL};
use crate::game::{Action, Game};

use super::Bound;
use super::chance::{MOST, average};
use super::node::Node;
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Worker, outcome_score};

/// So many events that change the board are searched one after the other in quiescence.
const MOST_UPHEAVALS: u32 = 1;

impl<G: Game> Worker<'_, G> {
    /// Quiescence search: captures and promotions until the position is quiet, all actions in
    /// check; the side to decide may stand pat otherwise.
    pub(super) fn quiescence(
        &mut self,
        position: &G,
        sums: &Accumulator,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        pv: bool,
    ) -> Score {
        self.lines[ply].clear();
        if self.is_halted() {
            return DRAW;
        }
        let us = position.turn();
        if let Some(outcome) = position.ended() {
            return outcome_score(outcome, us, ply);
        }
        if self.is_draw(position) {
            return DRAW;
        }
        if self.is_hurried() {
            return self.evaluate(position, sums);
        }
        if self.exact && (G::EVENTS_ARE_QUIET || !position.is_chance()) {
            return self.exact_leaf(position, sums, ply);
        }
        if G::HAS_CHANCE && position.is_chance() && ply < MAX_PLY {
            if !G::EVENTS_ARE_QUIET {
                // Each has many outcomes: one after the other they would never come to rest.
                if self.upheavals >= MOST_UPHEAVALS && !self.exact {
                    return self.static_average(position, sums, ply);
                }
                let node = if pv { Node::PV } else { Node::zero_window(false) };
                self.upheavals += 1;
                let score = self.chance(position, sums, alpha, beta, 0, ply, node);
                self.upheavals -= 1;
                return score;
            }
            return self.chance_leaf(position, sums, ply);
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(position, sums) };
        }
        if pv {
            self.seldepth = self.seldepth.max(ply + 1);
        }

        let key = self.table_key(position);
        let entry = self.probe(key, ply);
        if let Some(entry) = entry
            && !pv
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }

        let mut best = -INFINITE;
        let mut raw_eval = Entry::NO_EVAL;
        let mut futile = -INFINITE;
        if !in_check {
            raw_eval = self.board_eval(position, sums, ply, entry);
            let correction = self.histories.correction(us, sums, self.shared.parameters.correction);
            best = (raw_eval + correction).clamp(-MAX_EVAL, MAX_EVAL);
            best = entry.map_or(best, |entry| entry.refined(best));
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            futile = best + self.shared.parameters.quiescence;
        }

        let known = entry
            .and_then(|entry| Self::known_action(position, entry.action))
            .filter(|&action| in_check || position.gist(action).is_noisy());
        let mut picker = if in_check { Picker::new(known, None) } else { Picker::noisy(known, 0) };
        let before = self.before(ply);
        let mut best_action = None;
        let mut tried = 0;
        while let Some(action) = picker.next(position, self.histories, before) {
            tried += 1;
            let gist = position.gist(action);
            if !self.exact && best > -MATE_IN_MAX {
                // Futility: even the man won does not reach alpha.
                if !in_check
                    && gist.promotion == 0
                    && futile + gist.victim <= alpha
                    && !position.exchange_gains(action, Self::pawn_worth())
                {
                    best = best.max(futile + gist.victim);
                    continue;
                }
                // One defence in check is found; quiet ones are left alone.
                if in_check && !gist.is_noisy() && tried > 2 {
                    break;
                }
            }
            self.frame(ply).played = self.histories.played(&gist);
            let child = self.enter(position, sums, action);
            let score = if child.turned {
                -self.quiescence(&child.position, &child.sums, -beta, -alpha, ply + 1, pv)
            } else {
                self.quiescence(&child.position, &child.sums, alpha, beta, ply + 1, pv)
            };
            self.leave(&child);
            if self.is_halted() {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_action = Some(action);
                    if pv {
                        self.extend_line(ply, action);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && tried == 0 {
            return outcome_score(position.outcome_without_actions(), us, ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(
            key,
            ply,
            Entry {
                action: best_action.map_or(0, Action::to_bits),
                score: best,
                eval: raw_eval,
                depth: 0,
                bound,
                pv: entry.is_some_and(|entry| entry.pv),
            },
        );
        best
    }

    /// The evaluation of a chance position at the horizon: the average over what the table may bring
    /// is what the evaluation is fitted to there.
    fn chance_leaf(&mut self, position: &G, sums: &Accumulator, ply: usize) -> Score {
        let raw_eval = self.board_eval(position, sums, ply, None);
        let us = position.turn();
        let correction = self.histories.correction(us, sums, self.shared.parameters.correction);
        (raw_eval + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The average of what the evaluation says after each event that may come.
    fn static_average(&mut self, position: &G, sums: &Accumulator, ply: usize) -> Score {
        let us = position.turn();
        let mut events = ArrayVec::<(G::Action, u32), MOST>::new();
        position.settled_outcomes(|event, weight| events.push((event, weight)));
        let mut scores = ArrayVec::<(Score, i64), MOST>::new();
        for (event, weight) in events {
            let child = self.enter(position, sums, event);
            let score = match child.position.ended() {
                Some(outcome) => outcome_score(outcome, us, ply),
                None => {
                    let score = self.evaluate(&child.position, &child.sums);
                    if child.turned { -score } else { score }
                }
            };
            self.leave(&child);
            scores.push((score, i64::from(weight)));
        }
        average(scores.into_iter(), 0)
    }

    /// The value of the horizon without any pruning: how the game ended, or the evaluation.
    fn exact_leaf(&mut self, position: &G, sums: &Accumulator, ply: usize) -> Score {
        if !position.is_chance() && position.count_actions() == 0 {
            return outcome_score(position.outcome_without_actions(), position.turn(), ply);
        }
        self.evaluate(position, sums)
    }
}

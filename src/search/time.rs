use std::time::{Duration, Instant};

use crate::core::Color;

use super::{Clock, Limits};

/// When a search should and when it must end.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// The clock runs from here: later than `start` after a ponder hit.
    running: Instant,
    /// After this no new iteration begins.
    soft: Option<Duration>,
    /// After this the search is broken off.
    hard: Option<Duration>,
}

impl TimeManager {
    pub(super) fn new(limits: &Limits, turn: Color, overhead: u64, start: Instant) -> Self {
        let mut manager = Self { start, running: start, soft: None, hard: None };
        if let Some(time) = limits.movetime {
            let time = time.saturating_sub(Duration::from_millis(overhead).min(time / 4));
            manager.hard = Some(time.max(Duration::from_millis(1)));
        } else if let Some(clock) = limits.clocks[turn.index()] {
            let (soft, hard) = budget(clock, limits.moves_to_go, overhead);
            manager.soft = Some(soft);
            manager.hard = Some(hard);
        }
        manager
    }

    /// The opponent has played the expected move: the own clock runs from now on.
    pub(super) fn ponderhit(&mut self) {
        self.running = Instant::now();
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end now.
    pub(super) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.running.elapsed() >= hard)
    }

    /// Whether another iteration is not worth beginning, with the soft limit scaled by
    /// `percent` (100: as planned). Time pondered counts.
    pub(super) fn is_enough(&self, percent: u32) -> bool {
        let Some(soft) = self.soft else { return false };
        let scaled = soft * percent / 100;
        self.elapsed() >= self.hard.map_or(scaled, |hard| scaled.min(hard))
    }

    /// Whether a clock sets the limits, so that an only action need not be thought about.
    pub(super) fn is_on_clock(&self) -> bool {
        self.soft.is_some()
    }
}

/// Milliseconds of a clock that no plan touches.
const RESERVE: f64 = 60.0;

/// The time to use for a move, and the most it may take.
///
/// Beyond the overhead half of the clock, at most [`RESERVE`], is left alone, and increments are
/// saved up until there are a dozen of them: a busy machine may wake the engine or the GUI late at
/// any move.
fn budget(clock: Clock, moves_to_go: Option<u32>, overhead: u64) -> (Duration, Duration) {
    let left = (clock.time.max(0) as u64).saturating_sub(overhead).max(1) as f64;
    let increment = clock.increment.max(0) as f64;
    let increment = increment * (left / (12.0 * increment.max(1.0))).min(1.0);
    let left = left - (left / 2.0).min(RESERVE);
    let (soft, hard) = match moves_to_go {
        Some(moves) => {
            let moves = f64::from(moves.clamp(1, 40));
            let share = left / moves + 0.65 * increment;
            // The last move before the control may use nearly all, but never all.
            (share.min(0.8 * left), (4.0 * share).min(left * (0.4 + 0.5 / moves)))
        }
        None => {
            let share = left / 24.0 + 0.65 * increment;
            (share.min(0.35 * left), (4.5 * share).min(0.4 * left))
        }
    };
    let milliseconds = |ms: f64| Duration::from_micros((ms.max(1.0) * 1000.0) as u64);
    (milliseconds(soft), milliseconds(hard.max(soft)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_budget_exceeds_what_the_overhead_leaves() {
        for time in [-5, 0, 1, 9, 10, 11, 15, 50, 500, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 1_000_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5000] {
                        let (soft, hard) = budget(Clock { time, increment }, moves, overhead);
                        let left = (time.max(0) as u64).saturating_sub(overhead).max(1);
                        assert!(soft <= hard, "{time}+{increment}");
                        assert!(hard <= Duration::from_millis(left), "{time}+{increment}");
                    }
                }
            }
        }
    }
}

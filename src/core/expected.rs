//! Expected scores: what averages over chance are taken of.
//!
//! Being +9.00 half of the time is not +4.50, so scores are mapped to expected results before they
//! are averaged, and back after. The map is odd, strictly monotone and integer, so that every
//! machine computes the same: −[`ONE`] is a loss, 0 a draw, +[`ONE`] a win, and an advantage of 100
//! centipawns is +½, a score of three quarters.
//!
//! From a draw outwards it has three parts: the logistic curve, with a small slope on top that keeps
//! large evaluations apart, up to [`EVALUATIONS`]; a gap; and, from [`MATE_IN_MAX`], certain wins by
//! their length. The gap is so wide that an average is among the certain wins only if all that it is
//! taken of is, for shares down to a thousandth.

use super::{MATE, MATE_IN_MAX, Score};

/// An expected result, −[`ONE`] … [`ONE`].
pub type Expected = i64;

/// A certain win.
pub const ONE: Expected = 1 << 44;

/// Scores up to this follow the curve.
const EVALUATIONS: usize = 20_000;
/// What each centipawn or ply counts at least, so that averages can tell them apart.
const STEP: i64 = 128;
/// Between the best evaluation and the slowest certain win.
const GAP: i64 = 1 << 26;
/// 2^62 × 3^(−1/100): the odds fall to a third with 100 centipawns.
const RATIO: u128 = 4_561_298_756_230_791_608;

const SCORES: usize = MATE as usize + 1;

static EXPECTED: [Expected; SCORES] = curve();

// Worked out by the compiler, never on a stack.
#[allow(clippy::large_stack_arrays)]
const fn curve() -> [Expected; SCORES] {
    let mut table = [0; SCORES];
    let (slow, fast) = (MATE_IN_MAX as usize, MATE as usize);
    let slowest = ONE - STEP * (fast - slow) as i64;
    let top = slowest - GAP - STEP * EVALUATIONS as i64;
    let unit: u128 = 1 << 62;
    let mut odds = unit;
    let mut score = 0;
    while score < SCORES {
        table[score] = if score >= slow {
            ONE - STEP * (fast - score) as i64
        } else if score > EVALUATIONS {
            let past = (score - EVALUATIONS) as i64;
            slowest - GAP + GAP * past / (slow - EVALUATIONS) as i64
        } else {
            let logistic = (unit - odds) * top as u128 / (unit + odds);
            odds = (odds * RATIO) >> 62;
            logistic as i64 + STEP * score as i64
        };
        score += 1;
    }
    table
}

const BUCKETS: usize = 1024;
const BUCKET_BITS: u32 = ONE.trailing_zeros() - BUCKETS.trailing_zeros();

/// The least score whose expected result lies in that 1024th or beyond.
static BUCKET: [u16; BUCKETS + 2] = buckets();

const fn buckets() -> [u16; BUCKETS + 2] {
    let mut table = [MATE as u16; BUCKETS + 2];
    let (mut bucket, mut score) = (0, 0);
    while bucket <= BUCKETS {
        while EXPECTED[score] < (bucket as i64) << BUCKET_BITS {
            score += 1;
        }
        table[bucket] = score as u16;
        bucket += 1;
    }
    table
}

/// The expected result of a score within ±[`MATE`].
#[inline(always)]
pub fn expected(score: Score) -> Expected {
    let size = EXPECTED[(score.unsigned_abs() as usize).min(SCORES - 1)];
    if score < 0 { -size } else { size }
}

/// The largest score whose expected result is at most `x`; −[`MATE`] if there is none.
pub fn score_at_most(x: Expected) -> Score {
    if x < 0 {
        return -score_at_least(-x);
    }
    let bucket = ((x >> BUCKET_BITS) as usize).min(BUCKETS);
    let (from, to) = (usize::from(BUCKET[bucket]), usize::from(BUCKET[bucket + 1]));
    // What the bucket begins with may be beyond `x` already.
    let within = EXPECTED[from..=to].partition_point(|&y| y <= x);
    (from + within) as Score - 1
}

/// The smallest score whose expected result is at least `x`; [`MATE`] if there is none.
pub fn score_at_least(x: Expected) -> Score {
    if x <= 0 {
        return -score_at_most(-x);
    }
    (score_at_most(x - 1) + 1).min(MATE)
}

/// The score whose expected result is nearest to `x`; of two, the one nearer to a draw.
pub fn nearest_score(x: Expected) -> Score {
    if x < 0 {
        return -nearest_score(-x);
    }
    let low = score_at_most(x);
    let high = (low + 1).min(MATE);
    if x - expected(low) <= expected(high) - x { low } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::INFINITE;

    #[test]
    fn the_map_is_odd_and_strictly_monotone() {
        for score in -MATE..MATE {
            assert!(expected(score + 1) - expected(score) >= 1, "{score}");
            assert_eq!(expected(-score), -expected(score));
        }
        assert_eq!((expected(MATE), expected(INFINITE)), (ONE, ONE));
        assert_eq!(expected(0), 0);
    }

    #[test]
    fn a_hundred_centipawns_score_three_quarters() {
        for (score, wanted) in [(100, 0.75), (200, 0.9), (-300, 1.0 / 28.0), (10, 0.527_437)] {
            let result = 0.5 + expected(score) as f64 / ONE as f64 / 2.0;
            assert!((result - wanted).abs() < 1e-5, "{score}: {result}");
        }
    }

    #[test]
    fn going_back_rounds_as_asked() {
        for score in -MATE..=MATE {
            let x = expected(score);
            assert_eq!(
                (score_at_most(x), score_at_least(x), nearest_score(x)),
                (score, score, score)
            );
            if score < MATE {
                let beyond = expected(score + 1);
                if beyond - x > 1 {
                    assert_eq!((score_at_most(x + 1), score_at_least(x + 1)), (score, score + 1));
                }
                if beyond - x > 2 {
                    assert_eq!(
                        (nearest_score(x + 1), nearest_score(beyond - 1)),
                        (score, score + 1)
                    );
                }
            }
        }
    }

    #[test]
    fn only_certain_wins_average_to_one() {
        let (win, slow) = (expected(MATE), expected(MATE_IN_MAX));
        for shares in [2, 10, 100, 1000] {
            let average = |rest: Score| (win * (shares - 1) + expected(rest)) / shares;
            assert!(score_at_most(average(EVALUATIONS as Score)) < MATE_IN_MAX, "{shares}");
            assert!(average(MATE_IN_MAX) >= slow);
        }
    }
}

use crate::core::{MATE_IN_MAX, Score};

/// Where a win becomes as likely as not, and how fast it does, in centipawns: the likeliest values
/// for the results of 6,000 games of self-play at 1,200 nodes a move.
const MIDDLE: f64 = 55.0;
const SPREAD: f64 = 70.0;

/// Win, draw and loss in per mille for the side that has the score; they sum to 1000.
pub(super) fn win_draw_loss(score: Score) -> [u32; 3] {
    if score >= MATE_IN_MAX {
        return [1000, 0, 0];
    }
    if score <= -MATE_IN_MAX {
        return [0, 0, 1000];
    }
    let win = |score: f64| (1000.0 / (1.0 + ((MIDDLE - score) / SPREAD).exp())).round() as u32;
    let (win, loss) = (win(f64::from(score)), win(f64::from(-score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{mate_in, mated_in};

    #[test]
    fn chances_sum_to_one_and_mirror() {
        for score in (-3000..3000).step_by(37) {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(win_draw_loss(-score), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(mate_in(5)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(mated_in(5)), [0, 0, 1000]);
    }
}

/// What a position is worth to a side, in centipawns of alea's own scale (100 = the advantage with
/// which the better side expects to score three quarters), −[`INFINITE`] … [`INFINITE`].
///
/// Within [`MATE_IN_MAX`] … [`MATE`] it counts plies to a forced win.
pub type Score = i32;

/// Deeper than any line the search looks at, in plies.
pub const MAX_PLY: usize = 246;
/// A draw.
pub const DRAW: Score = 0;
/// A win here and now.
pub const MATE: Score = 32_000;
/// The smallest score that is a proven win.
pub const MATE_IN_MAX: Score = MATE - MAX_PLY as Score;
/// Beyond every score.
pub const INFINITE: Score = 32_500;

/// The score of winning in that many plies.
#[inline(always)]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of losing in that many plies.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The number of moves to mate that UCI's `score mate` wants: positive if the side to move wins,
/// negative or zero if it loses; `None` if the score is no mate.
pub const fn moves_to_mate(score: Score) -> Option<i32> {
    if score >= MATE_IN_MAX {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_IN_MAX {
        Some(-(MATE + score) / 2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(moves_to_mate(mate_in(1)), Some(1));
        assert_eq!(moves_to_mate(mate_in(3)), Some(2));
        assert_eq!(moves_to_mate(mated_in(0)), Some(0));
        assert_eq!(moves_to_mate(mated_in(2)), Some(-1));
        assert_eq!(moves_to_mate(mated_in(4)), Some(-2));
        assert_eq!(moves_to_mate(MATE_IN_MAX - 1), None);
        assert_eq!(moves_to_mate(0), None);
    }
}

use crate::core::{Color, Score};
use crate::eval::Accumulator;
use crate::game::kernel::Men;
use crate::game::{Game, Gist, piece_codes, squares};

/// History values stay within ± this.
pub(super) const LIMIT: i32 = 16_384;

const CORRECTIONS: usize = 16_384;
const CORRECTION_LIMIT: i32 = 1024;
/// Corrections are kept in this fraction of a centipawn.
const CORRECTION_GRAIN: i32 = 16;

/// What one thread has learnt of which actions do well: history heuristics by square (butterfly),
/// by victim (captures) and by the actions before (continuations), and how far the evaluation was
/// off for the same pawns or men (correction history).
#[derive(Clone, Debug)]
pub(super) struct Histories {
    quiet: Vec<i16>,
    capture: Vec<i16>,
    continuation: Vec<i16>,
    correction: Vec<i16>,
    squares: usize,
    slots: usize,
    victims: usize,
}

/// A row of the continuation history: piece × target of an action played; 0 for none.
pub(super) type Played = usize;

fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl Histories {
    pub(super) fn new<G: Game>() -> Self {
        let squares = squares::<G>();
        let slots = piece_codes::<G>() * squares;
        let victims = G::Men::KINDS + 1;
        Self {
            quiet: vec![0; 2 * squares * squares],
            capture: vec![0; slots * victims],
            continuation: vec![0; slots * slots],
            correction: vec![0; 3 * 2 * CORRECTIONS],
            squares,
            slots,
            victims,
        }
    }

    pub(super) fn played(&self, gist: &Gist) -> Played {
        usize::from(gist.piece) * self.squares + usize::from(gist.to)
    }

    fn quiet_index(&self, us: Color, gist: &Gist) -> usize {
        (us.index() * self.squares + usize::from(gist.from)) * self.squares + usize::from(gist.to)
    }

    fn capture_index(&self, gist: &Gist) -> usize {
        self.played(gist) * self.victims + usize::from(gist.victim_kind)
    }

    /// The worth of a quiet action after those played one, two and four plies before.
    #[inline(always)]
    pub(super) fn quiet(&self, us: Color, gist: &Gist, before: [Played; 3]) -> i32 {
        let played = self.played(gist);
        let mut sum = 2 * i32::from(self.quiet[self.quiet_index(us, gist)]);
        for (earlier, weight) in before.into_iter().zip([2, 2, 1]) {
            sum += weight * i32::from(self.continuation[earlier * self.slots + played]);
        }
        sum / 2
    }

    #[inline(always)]
    pub(super) fn capture(&self, gist: &Gist) -> i32 {
        i32::from(self.capture[self.capture_index(gist)])
    }

    pub(super) fn reward_quiet(&mut self, us: Color, gist: &Gist, before: [Played; 3], bonus: i32) {
        let index = self.quiet_index(us, gist);
        update(&mut self.quiet[index], bonus);
        let played = self.played(gist);
        for earlier in before {
            update(&mut self.continuation[earlier * self.slots + played], bonus);
        }
    }

    pub(super) fn reward_capture(&mut self, gist: &Gist, bonus: i32) {
        let index = self.capture_index(gist);
        update(&mut self.capture[index], bonus);
    }

    fn correction_rows(us: Color, sums: &Accumulator) -> [usize; 3] {
        let [white, black] = sums.men_keys;
        let mut row = 0;
        [sums.pawn_key, white, black].map(|key| {
            let at = (row * 2 + us.index()) * CORRECTIONS + (key % CORRECTIONS as u64) as usize;
            row += 1;
            at
        })
    }

    /// How far the evaluation should be moved, in centipawns times 256 / `weight`.
    pub(super) fn correction(&self, us: Color, sums: &Accumulator, weight: i32) -> Score {
        let rows = Self::correction_rows(us, sums);
        let sum: i32 = rows.into_iter().map(|row| i32::from(self.correction[row])).sum();
        sum * weight / 256 / CORRECTION_GRAIN
    }

    /// Learns that the evaluation was off by `error` centipawns at that depth.
    pub(super) fn correct(&mut self, us: Color, sums: &Accumulator, depth: i32, error: Score) {
        let weight = (depth + 1).min(16);
        let aim = (error * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        for row in Self::correction_rows(us, sums) {
            let value = &mut self.correction[row];
            let old = i32::from(*value);
            let new = (old * (256 - weight) + aim * weight) / 256;
            *value = new.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
        }
    }
}

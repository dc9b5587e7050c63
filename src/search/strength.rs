//! Playing worse on purpose: few nodes, and now and then not the best line.

use rand::RngExt;

use super::worker::RootAction;

/// The lines from which a limited engine chooses.
pub(super) const LINES: usize = 4;

/// The nodes that an engine of that strength may look at: doubled every 150 points.
pub(super) fn nodes(elo: u32) -> u64 {
    let steps = elo.saturating_sub(1000);
    (40 << (steps / 150).min(20)) * u64::from(150 + steps % 150) / 150
}

/// The place of the line to play: each score is blurred by a random amount that shrinks with
/// strength.
pub(super) fn choose<A>(roots: &[RootAction<A>], elo: u32) -> usize {
    let blur = (2600_u32.saturating_sub(elo) / 16).max(1) as i32;
    let mut random = rand::rng();
    let blurred = |root: &RootAction<A>, random: &mut rand::rngs::ThreadRng| {
        root.score + random.random_range(0..=blur)
    };
    let mut best = (0, i32::MIN);
    for (index, root) in roots.iter().take(LINES).enumerate() {
        let score = blurred(root, &mut random);
        if score > best.1 {
            best = (index, score);
        }
    }
    best.0
}

//! Counting sequences of player actions, as the specification defines `perft`.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::{Game, Wanted};

/// The number of sequences of `depth` player actions; chance events cost no depth, and draws by
/// rule do not end a line. The last ply is counted, not played.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    count(position, depth, &AtomicBool::new(false))
}

fn count<G: Game>(position: &G, depth: u32, stop: &AtomicBool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.ended().is_some() {
        return 0;
    }
    if G::HAS_CHANCE && position.is_chance() {
        let mut total = 0;
        position.outcomes(|event, _| {
            let mut child = position.clone();
            child.play(event, &mut ());
            total += count(&child, depth, stop);
        });
        return total;
    }
    if depth == 1 {
        return position.count_actions();
    }
    if depth > 3 && stop.load(Ordering::Relaxed) {
        return 0;
    }
    let mut list = G::Actions::default();
    position.actions(Wanted::All, &mut list);
    list.as_ref()
        .iter()
        .map(|&action| {
            let mut child = position.clone();
            child.play(action, &mut ());
            count(&child, depth - 1, stop)
        })
        .sum()
}

/// The actions of a decision, or the events of a chance position.
pub fn branches<G: Game>(position: &G) -> Vec<G::Action> {
    let mut branches = Vec::new();
    if position.ended().is_some() {
        return branches;
    }
    if position.is_chance() {
        position.outcomes(|event, _| branches.push(event));
    } else {
        let mut list = G::Actions::default();
        position.actions(Wanted::All, &mut list);
        branches.extend_from_slice(list.as_ref());
    }
    branches
}

/// [`perft`] of what follows each branch of the root, over all threads of the current rayon pool:
/// shares of equal size are too unequal in work, so the split goes two levels down. `None` if
/// `stop` was raised before it was done.
///
/// At depth 0 the map is empty. An event of a chance position costs no depth.
pub fn divide<G: Game>(
    position: &G,
    depth: u32,
    stop: &AtomicBool,
) -> Option<Vec<(G::Action, u64)>> {
    if depth == 0 {
        return Some(Vec::new());
    }
    let left = if position.is_chance() { depth } else { depth - 1 };
    let counts = branches(position)
        .into_par_iter()
        .map(|action| {
            let mut child = position.clone();
            child.play(action, &mut ());
            let nodes = if left < 2 {
                count(&child, left, stop)
            } else {
                let further = if child.is_chance() { left } else { left - 1 };
                branches(&child)
                    .into_par_iter()
                    .map(|action| {
                        let mut grandchild = child.clone();
                        grandchild.play(action, &mut ());
                        count(&grandchild, further, stop)
                    })
                    .sum()
            };
            (action, nodes)
        })
        .collect();
    (!stop.load(Ordering::Relaxed)).then_some(counts)
}

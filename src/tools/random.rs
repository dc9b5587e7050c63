//! Play at random, for what has to begin at many different positions.

use rand::RngExt;
use rand::rngs::StdRng;

use crate::game::{Game, Node, Record, drawn_event, perft};

/// Plays one step: an event, each as likely as the rules say, or an action, all equally likely. Where
/// men can be sent away, there are so many ways to do so that gems would be gone at once: of ten
/// actions nine are moves, then. Whether there was one to play: the game was not over.
pub(super) fn step<G: Game>(record: &mut Record<G>, random: &mut StdRng) -> bool {
    if matches!(record.node(), Node::Over(_)) {
        return false;
    }
    let position = record.position();
    let action = if position.is_chance() {
        drawn_event(position, random.random())
    } else {
        let mut branches = perft::branches(position);
        if G::TRACKS && random.random_ratio(9, 10) {
            let is_move = |&action: &G::Action| G::plain_move(action).is_some();
            if branches.iter().any(is_move) {
                branches.retain(is_move);
            }
        }
        branches[random.random_range(0..branches.len())]
    };
    record.play(action);
    true
}

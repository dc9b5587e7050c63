//! What the weights are worth in each family of games: a file each, written by `alea tune`.

mod blender;
mod chess;
mod dice;
mod ladders;
mod mutation;
mod quantum;

use crate::game::Family;

use super::layout::COUNT;

/// The weights of a family, (middlegame, endgame) in centipawns in the order of
/// [`super::layout`].
pub const fn weights(family: Family) -> &'static [(i16, i16); COUNT] {
    match family {
        Family::Chess => &chess::WEIGHTS,
        Family::Dice => &dice::WEIGHTS,
        Family::Blender => &blender::WEIGHTS,
        Family::Mutation => &mutation::WEIGHTS,
        Family::Quantum => &quantum::WEIGHTS,
        Family::Ladders => &ladders::WEIGHTS,
    }
}

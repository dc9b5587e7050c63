//! Networks that are built in: a file each, written by `alea train`.

use crate::game::Family;

/// The file of a family's network, if it has one; a game of the family with other men or another board
/// goes without.
pub(super) const fn network(family: Family) -> Option<&'static [u8]> {
    match family {
        Family::Chess => Some(include_bytes!("chess.net")),
        Family::Blender => Some(include_bytes!("blender.net")),
        Family::Mutation => Some(include_bytes!("mutation.net")),
        _ => None,
    }
}

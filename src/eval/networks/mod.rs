//! Networks that are built in: a file each, written by `alea train`.

use crate::game::Family;

/// The file of a family's network, if it has one.
pub(super) const fn network(family: Family) -> Option<&'static [u8]> {
    match family {
        Family::Chess => Some(include_bytes!("chess.net")),
        _ => None,
    }
}

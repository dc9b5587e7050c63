//! Networks that are built in: files written by `alea train`.

use crate::game::Family;

/// The files of a family's networks: one for each shape of which it has any.
pub(super) const fn networks(family: Family) -> &'static [&'static [u8]] {
    match family {
        Family::Chess => &[include_bytes!("chess.net")],
        Family::Blender => &[include_bytes!("blender.net")],
        Family::Mutation => &[include_bytes!("mutation.net")],
        _ => &[],
    }
}

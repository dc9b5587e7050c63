use std::fmt::Debug;

use crate::core::{Bitboard, Geometry, Square};

use super::Kind;

/// What the board itself says of the men on it, the same all game long: the colours of its squares,
/// where men move by them. `()` says nothing and costs nothing.
pub trait Ground<G: Geometry>: Copy + Eq + Debug + Send + Sync + 'static {
    /// Whether what a man is depends on the square it stands on.
    const CHANGES_MEN: bool;
    /// What holds where nothing else is said.
    const DEFAULT: Self;

    /// What a man of that kind is once it stands on the square.
    fn settled(&self, kind: Kind, square: Square<G>) -> Kind;

    /// The squares on which men become that kind.
    fn squares(&self, kind: Kind) -> Bitboard<G>;

    /// What tells it from others in the key of a position.
    fn key(&self) -> u64;
}

impl<G: Geometry> Ground<G> for () {
    const CHANGES_MEN: bool = false;
    const DEFAULT: Self = ();

    #[inline(always)]
    fn settled(&self, kind: Kind, _: Square<G>) -> Kind {
        kind
    }

    fn squares(&self, _: Kind) -> Bitboard<G> {
        Bitboard::EMPTY
    }

    fn key(&self) -> u64 {
        0
    }
}

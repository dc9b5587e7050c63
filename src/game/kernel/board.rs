use crate::core::{Bitboard, Bits, Color, Geometry, Mailbox, Square, zobrist};

use super::{Kind, KindSets, Men, Piece};

/// Told of every change of pieces while an action is played, so that the evaluation can keep its
/// sums; `()` listens to nothing and costs nothing.
pub trait Observer<G: Geometry> {
    /// The piece now stands on the square, which was empty.
    fn put(&mut self, piece: Piece, square: Square<G>);
    /// The piece has left the square.
    fn taken(&mut self, piece: Piece, square: Square<G>);
}

impl<G: Geometry> Observer<G> for () {
    #[inline(always)]
    fn put(&mut self, _: Piece, _: Square<G>) {}
    #[inline(always)]
    fn taken(&mut self, _: Piece, _: Square<G>) {}
}

/// Which piece stands where, with the hash of it: nothing else can change pieces, so the two
/// cannot part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<M: Men> {
    kinds: M::Sets,
    colors: [Bitboard<M::Geometry>; 2],
    squares: <M::Geometry as Geometry>::Mailbox,
    key: u64,
}

impl<M: Men> Board<M> {
    /// Without pieces.
    pub const EMPTY: Self = Self {
        kinds: M::Sets::EMPTY,
        colors: [Bitboard(<M::Geometry as Geometry>::Bits::ZERO); 2],
        squares: <M::Geometry as Geometry>::Mailbox::EMPTY,
        key: 0,
    };

    /// The pieces of that kind, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Bitboard<M::Geometry> {
        self.kinds.as_ref()[kind.index()]
    }

    /// The pieces of that side.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard<M::Geometry> {
        self.colors[color.index()]
    }

    /// The pieces of that kind and side.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> Bitboard<M::Geometry> {
        self.kind(kind) & self.color(color)
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<M::Geometry> {
        self.colors[0] | self.colors[1]
    }

    /// What stands on the square.
    #[inline(always)]
    pub fn at(&self, square: Square<M::Geometry>) -> Option<Piece> {
        Piece::from_code(self.squares[square.index()])
    }

    /// The key of the pieces, and of whatever state was folded in with [`Board::toggle_key`].
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// Folds a feature that is no piece in or out of the key.
    #[inline(always)]
    pub(super) fn toggle_key(&mut self, feature: u64) {
        self.key ^= feature;
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put<O: Observer<M::Geometry>>(
        &mut self,
        piece: Piece,
        square: Square<M::Geometry>,
        observer: &mut O,
    ) {
        debug_assert!(self.at(square).is_none());
        self.toggle(piece, square);
        self.squares[square.index()] = piece.code() as u8;
        observer.put(piece, square);
    }

    /// Takes the piece that stands there off the board.
    #[inline(always)]
    pub(super) fn take<O: Observer<M::Geometry>>(
        &mut self,
        piece: Piece,
        square: Square<M::Geometry>,
        observer: &mut O,
    ) {
        debug_assert_eq!(self.at(square), Some(piece));
        self.toggle(piece, square);
        self.squares[square.index()] = 0;
        observer.taken(piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square<M::Geometry>) {
        let set = Bitboard::from(square);
        self.kinds.as_mut()[piece.kind().index()] ^= set;
        self.colors[piece.color().index()] ^= set;
        self.key ^= zobrist::piece(piece.code(), square.index());
    }

    /// The key of the pieces, computed from nothing but them.
    pub(super) fn fresh_key(&self) -> u64 {
        self.pieces()
            .fold(0, |key, (square, piece)| key ^ zobrist::piece(piece.code(), square.index()))
    }

    /// Every piece with its square, in ascending square order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square<M::Geometry>, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// The nightriders of both sides that attack the square when `occupied` is what blocks lines.
    #[inline(always)]
    pub(super) fn riders_to(
        &self,
        square: Square<M::Geometry>,
        occupied: Bitboard<M::Geometry>,
    ) -> Bitboard<M::Geometry> {
        let riders = M::nightriders(self);
        if M::NIGHTRIDERS && riders.any() {
            M::Geometry::nightrider(square, occupied) & riders
        } else {
            Bitboard::EMPTY
        }
    }

    /// The men of both sides that attack the square when `occupied` is what blocks lines.
    #[inline(always)]
    pub fn attackers(
        &self,
        square: Square<M::Geometry>,
        occupied: Bitboard<M::Geometry>,
    ) -> Bitboard<M::Geometry> {
        let pawns = self.kind(Kind::PAWN);
        self.riders_to(square, occupied)
            | (M::Geometry::knight(square) & M::knights(self))
            | (M::Geometry::bishop(square, occupied) & M::diagonals(self))
            | (M::Geometry::rook(square, occupied) & M::orthogonals(self))
            | (M::Geometry::king(square) & self.kind(Kind::KING))
            | (M::Geometry::pawn(Color::White, square) & pawns & self.color(Color::Black))
            | (M::Geometry::pawn(Color::Black, square) & pawns & self.color(Color::White))
    }
}

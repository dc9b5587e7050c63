use crate::core::{Bitboard, Color, Geometry, Square, zobrist};

use super::{Board, Ground, Kind, Men, Piece};

/// What the six fields of a FEN say, with an incremental hash over all that repetition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<M: Men> {
    pub(super) board: Board<M>,
    pub(super) ground: M::Ground,
    /// The rooks with which castling is still allowed.
    pub(super) castling: Bitboard<M::Geometry>,
    pub(super) halfmove: u32,
    pub(super) fullmove: u32,
    /// The square of a legal en passant capture.
    pub(super) ep: Option<Square<M::Geometry>>,
    pub(super) turn: Color,
}

impl<M: Men> State<M> {
    /// The pieces.
    #[inline(always)]
    pub fn board(&self) -> &Board<M> {
        &self.board
    }

    /// What the board itself says of the men.
    #[inline(always)]
    pub fn ground(&self) -> &M::Ground {
        &self.ground
    }

    /// What a piece is once it stands on the square.
    #[inline(always)]
    pub(super) fn settled(&self, piece: Piece, square: Square<M::Geometry>) -> Piece {
        if M::Ground::CHANGES_MEN {
            Piece::new(self.ground.settled(piece.kind(), square), piece.color())
        } else {
            piece
        }
    }

    /// The FEN's side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The square on which an en passant capture is legal now.
    #[inline(always)]
    pub fn ep(&self) -> Option<Square<M::Geometry>> {
        self.ep
    }

    /// The rooks with which castling is still allowed.
    #[inline(always)]
    pub fn castling(&self) -> Bitboard<M::Geometry> {
        self.castling
    }

    /// Plies since the last capture, or pawn's move if [`Men::PAWNS_RESET_CLOCK`].
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove
    }

    /// The number of the move, growing after Black's.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    /// The Zobrist key of pieces, side to move, castling, legal ep square and ground.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// The same key computed from nothing but the position: what [`State::key`] must equal.
    pub fn fresh_key(&self) -> u64 {
        let turn = if self.turn == Color::Black { zobrist::BLACK } else { 0 };
        let ep = self.ep.map_or(0, |square| zobrist::ep(square.index()));
        let castling = self.castling.into_iter().fold(0, |k, s| k ^ zobrist::castling(s.index()));
        self.board.fresh_key() ^ turn ^ ep ^ castling ^ self.ground.key()
    }

    /// Whether that side has its king. It has, in every state but those that a game with other
    /// ends than mate lets stand: such a game asks before it asks for anything that needs kings.
    #[inline(always)]
    pub fn has_king(&self, color: Color) -> bool {
        self.board.of(color, Kind::KING).any()
    }

    /// The square of that side's king, which must be there.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square<M::Geometry> {
        let king = self.board.of(color, Kind::KING);
        debug_assert_eq!(king.count(), 1);
        Square::new(crate::core::Bits::lowest(king.0) as usize % M::Geometry::SQUARES)
    }

    /// The enemy men that attack the king of the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard<M::Geometry> {
        self.board.attackers(self.king(self.turn), self.board.occupied())
            & self.board.color(!self.turn)
    }

    /// Whether the king of the side to move is attacked.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether that side's king, which must be there, is attacked, whoever is to move.
    pub fn is_attacked(&self, color: Color) -> bool {
        let attackers = self.board.attackers(self.king(color), self.board.occupied());
        attackers.meets(self.board.color(!color))
    }

    #[inline(always)]
    pub(super) fn set_castling(&mut self, castling: Bitboard<M::Geometry>) {
        for square in self.castling ^ castling {
            self.board.toggle_key(zobrist::castling(square.index()));
        }
        self.castling = castling;
    }

    /// Sets the square of a legal en passant capture.
    #[inline(always)]
    pub(in crate::game) fn set_ep(&mut self, ep: Option<Square<M::Geometry>>) {
        for square in [self.ep, ep].into_iter().flatten() {
            self.board.toggle_key(zobrist::ep(square.index()));
        }
        self.ep = ep;
    }

    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.board.toggle_key(zobrist::BLACK);
    }

    /// Whether so many moves have gone by without a capture or a pawn's move that the game is drawn:
    /// fifty of each side, if [`Men::DRAW_CLOCK`] says nothing else.
    pub fn fifty_moves(&self) -> bool {
        self.clock_left() == 0
    }

    /// Plies without a capture or a pawn's move that are left until the game is drawn.
    #[inline(always)]
    pub fn clock_left(&self) -> u32 {
        M::DRAW_CLOCK.saturating_sub(self.halfmove)
    }

    /// K v K, K+N v K, K+B v K, or nothing but bishops that all stand on squares of one colour.
    pub fn insufficient_material(&self) -> bool {
        let board = &self.board;
        let [knights, bishops] = [Kind::KNIGHT, Kind::BISHOP].map(|kind| board.kind(kind));
        let others = board.occupied() - knights - bishops - board.kind(Kind::KING);
        if others.any() {
            return false;
        }
        match (knights.count(), bishops.count()) {
            (0 | 1, 0) => true,
            (0, _) => {
                let shade = |s: Square<M::Geometry>| (s.file() + s.rank()) % 2;
                let dark = bishops.into_iter().filter(|&s| shade(s) == 0).count() as u32;
                dark == 0 || dark == bishops.count()
            }
            _ => false,
        }
    }
}

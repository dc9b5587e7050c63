use crate::core::{Bitboard, Color, Direction, Geometry, Square};

use super::{Kind, Men, Move, Observer, Piece, State, Tag};

impl<M: Men> State<M> {
    /// Plays a legal move.
    #[inline(always)]
    pub fn make<O: Observer<M::Geometry>>(&mut self, action: Move, observer: &mut O) {
        self.make_men(action, observer);
        self.finish_turn(action);
    }

    /// Passes the turn after a move that was the last thing done in it: after a double step the other
    /// side may take en passant.
    #[inline(always)]
    pub fn finish_turn(&mut self, last: Move) {
        self.end_turn();
        if M::EN_PASSANT && last.tag() == Tag::DoubleStep {
            self.offer_ep(last.to());
        }
    }

    /// [`State::make_men`] of a move that is not the first action of its turn, which the halfmove
    /// clock does not count.
    pub fn make_further_men<O: Observer<M::Geometry>>(&mut self, action: Move, observer: &mut O) {
        let clock = self.halfmove;
        self.make_men(action, observer);
        if self.halfmove != 0 {
            self.halfmove = clock;
        }
    }

    /// Takes a man of the side to move off the board, castling rights with it, as the first action
    /// of a turn or a further one; gives the man. It is no capture and no pawn's move.
    pub fn lift_man<O: Observer<M::Geometry>>(
        &mut self,
        square: Square<M::Geometry>,
        first: bool,
        observer: &mut O,
    ) -> Option<Piece> {
        let piece = self.board.at(square)?;
        self.board.take(piece, square, observer);
        self.set_castling(self.castling - square.into());
        self.set_ep(None);
        if first {
            self.halfmove = self.halfmove.saturating_add(1);
        }
        Some(piece)
    }

    /// Puts a man on a square in the middle of a turn; whatever stands there, a king too, is captured
    /// and given.
    pub fn land_man<O: Observer<M::Geometry>>(
        &mut self,
        piece: Piece,
        square: Square<M::Geometry>,
        observer: &mut O,
    ) -> Option<Piece> {
        let captured = self.board.at(square);
        if captured.is_some() {
            self.clear_squares(square.into(), observer);
        }
        self.set_ep(None);
        let settled = self.settled(piece, square);
        self.board.put(settled, square, observer);
        captured
    }

    /// What a legal move does to men, rights and halfmove clock; the turn does not pass, and no ep
    /// square is left. For games in which something else is still to come.
    #[inline(always)]
    pub fn make_men<O: Observer<M::Geometry>>(&mut self, action: Move, observer: &mut O) {
        let us = self.turn;
        let (from, to) = (action.from::<M::Geometry>(), action.to::<M::Geometry>());
        let Some(piece) = self.board.at(from) else {
            debug_assert!(false, "{action:?} starts from an empty square");
            return;
        };
        if self.ep.is_some() {
            self.set_ep(None);
        }
        self.halfmove = self.halfmove.saturating_add(1);
        if action.tag() == Tag::Castling {
            self.castle(from, to, observer);
        } else {
            if let Some(captured) = self.board.at(to) {
                self.board.take(captured, to, observer);
                self.halfmove = 0;
            }
            self.board.take(piece, from, observer);
            let settled = self.settled(piece, to);
            self.board.put(settled, to, observer);
            if piece.kind() == Kind::PAWN {
                if M::PAWNS_RESET_CLOCK {
                    self.halfmove = 0;
                }
                self.finish_pawn_move(action, to, observer);
            }
        }
        let leaving = Bitboard::from(from) | to.into();
        let kept = if piece.kind() == Kind::KING {
            self.castling - Bitboard::relative_rank(us, 0) - leaving
        } else {
            self.castling - leaving
        };
        if kept != self.castling {
            self.set_castling(kept);
        }
    }

    /// What an action that is no move of chess does to men, rights and halfmove clock: each square
    /// then has what stands beside it in the list, the later where it is listed twice. The turn does
    /// not pass, and no ep square is left.
    #[inline(always)]
    pub(in crate::game) fn change_men<O: Observer<M::Geometry>, const N: usize>(
        &mut self,
        changes: [(Square<M::Geometry>, Option<Piece>); N],
        resets_clock: bool,
        observer: &mut O,
    ) {
        if self.ep.is_some() {
            self.set_ep(None);
        }
        self.halfmove = if resets_clock { 0 } else { self.halfmove.saturating_add(1) };
        let mut kept = self.castling;
        for (square, after) in changes {
            if let Some(before) = self.board.at(square) {
                self.board.take(before, square, observer);
                if before.kind() == Kind::KING {
                    kept -= Bitboard::relative_rank(before.color(), 0);
                }
            }
            if let Some(piece) = after {
                self.board.put(piece, square, observer);
            }
            kept -= square.into();
        }
        if kept != self.castling {
            self.set_castling(kept);
        }
    }

    /// Passes the turn after all that a move does; counts the move after Black's.
    #[inline(always)]
    pub fn end_turn(&mut self) {
        if self.turn == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.pass_turn();
    }

    /// Takes all men off these squares, kings too. The castling rights of kings and rooks go with
    /// them, and the halfmove clock starts anew. A state without both kings has no moves: whoever
    /// asks for any must know that there are two.
    pub fn clear_squares<O: Observer<M::Geometry>>(
        &mut self,
        squares: Bitboard<M::Geometry>,
        observer: &mut O,
    ) {
        let mut castling = self.castling - squares;
        for square in squares & self.board.occupied() {
            let Some(piece) = self.board.at(square) else { continue };
            self.board.take(piece, square, observer);
            if piece.kind() == Kind::KING {
                castling -= Bitboard::relative_rank(piece.color(), 0);
            }
        }
        self.set_castling(castling);
        self.halfmove = 0;
    }

    /// Passes the turn, for the null move of the search; the side to move must not be in check.
    pub fn make_null(&mut self) {
        self.halfmove = self.halfmove.saturating_add(1);
        self.set_ep(None);
        self.end_turn();
    }

    /// Gives the other side the move; the clocks stand, a possible en passant capture lapses.
    pub fn hand_over_turn(&mut self) {
        self.set_ep(None);
        self.pass_turn();
    }

    fn castle<O: Observer<M::Geometry>>(
        &mut self,
        king_from: Square<M::Geometry>,
        rook_from: Square<M::Geometry>,
        observer: &mut O,
    ) {
        let us = self.turn;
        let (king, rook) = (Piece::new(Kind::KING, us), Piece::new(Kind::ROOK, us));
        let (king_to, rook_to) = Self::castling_targets(king_from, rook_from);
        self.board.take(king, king_from, observer);
        self.board.take(rook, rook_from, observer);
        self.board.put(king, king_to, observer);
        self.board.put(rook, rook_to, observer);
    }

    /// Where king and rook land when they castle.
    #[inline(always)]
    pub fn castling_targets(
        king: Square<M::Geometry>,
        rook: Square<M::Geometry>,
    ) -> (Square<M::Geometry>, Square<M::Geometry>) {
        let side = usize::from(rook.file() < king.file());
        let (king_file, rook_file) = M::CASTLING_FILES[side];
        let home = king.index() - king.file();
        (Square::new(home + king_file), Square::new(home + rook_file))
    }

    #[inline(always)]
    fn finish_pawn_move<O: Observer<M::Geometry>>(
        &mut self,
        action: Move,
        to: Square<M::Geometry>,
        observer: &mut O,
    ) {
        let us = self.turn;
        match action.tag() {
            Tag::EnPassant => {
                self.board.take(Piece::new(Kind::PAWN, !us), to.forward(!us), observer);
            }
            Tag::Promotion => {
                if let Some(kind) = action.promoted() {
                    self.board.take(Piece::new(Kind::PAWN, us), to, observer);
                    self.board.put(Piece::new(kind, us), to, observer);
                }
            }
            _ => {}
        }
    }

    /// Sets the ep square behind the enemy pawn that has just made its two steps to `pawn`, if the
    /// side to move can legally capture there.
    #[inline(always)]
    fn offer_ep(&mut self, pawn: Square<M::Geometry>) {
        let us = self.turn;
        let beside = Bitboard::from(pawn);
        let beside = beside.step(Direction::East) | beside.step(Direction::West);
        if beside.meets(self.board.of(us, Kind::PAWN)) {
            let target = pawn.forward(us);
            if self.ep_is_legal(target) {
                self.set_ep(Some(target));
            }
        }
    }

    /// Whether some pawn of the side to move may capture en passant on `target`.
    pub(super) fn ep_is_legal(&self, target: Square<M::Geometry>) -> bool {
        self.ep_capturers(target).any()
    }

    /// The pawns of the side to move that may legally capture en passant on `target`.
    pub(in crate::game) fn ep_capturers(
        &self,
        target: Square<M::Geometry>,
    ) -> Bitboard<M::Geometry> {
        let us = self.turn;
        let (board, king) = (&self.board, self.king(us));
        let captured = Bitboard::from(target.forward(!us));
        let candidates = M::Geometry::pawn(!us, target) & board.of(us, Kind::PAWN);
        candidates
            .into_iter()
            .filter(|&from| {
                let occupied = (board.occupied() - from.into() - captured) | target.into();
                let enemies = board.color(!us) - captured;
                !board.attackers(king, occupied).meets(enemies)
            })
            .collect()
    }
}

use crate::core::{Bitboard, Geometry};

use super::{Kind, Men, Move, State, Tag};

impl<M: Men> State<M> {
    /// Whether the move is legal here, whatever it says: the fast answer for moves that come from
    /// tables and histories. Agrees with the generator on every encodable move.
    pub fn is_legal(&self, action: Move) -> bool {
        let us = self.turn;
        let board = &self.board;
        let (from, to) = (action.from::<M::Geometry>(), action.to::<M::Geometry>());
        let Some(piece) = board.at(from) else { return false };
        if piece.color() != us || from == to {
            return false;
        }
        if action.tag() == Tag::Castling {
            let mut legal = false;
            if piece.kind() == Kind::KING && self.castling.has(to) {
                self.castling_moves(|candidate| legal |= candidate == action);
            }
            return legal;
        }
        if board.color(us).has(to) {
            return false;
        }
        if piece.kind() == Kind::PAWN {
            if action.tag() == Tag::EnPassant {
                return self.ep == Some(to) && self.ep_capturers(to).has(from);
            }
            if !self.pawn_goes(action) {
                return false;
            }
        } else if action.tag() != Tag::Normal || !self.attacks_from(from).has(to) {
            return false;
        }

        let (enemy, occupied) = (board.color(!us), board.occupied());
        if piece.kind() == Kind::KING {
            return !board.attackers(to, occupied - from.into()).meets(enemy);
        }
        let king = self.king(us);
        let after = (occupied - from.into()) | to.into();
        !board.attackers(king, after).meets(enemy - to.into())
    }

    fn pawn_goes(&self, action: Move) -> bool {
        let us = self.turn;
        let (from, to) = (action.from::<M::Geometry>(), action.to::<M::Geometry>());
        let promotes = !M::PROMOTIONS.is_empty() && to.relative_rank(us) == M::Geometry::RANKS - 1;
        let tag_fits = match action.tag() {
            Tag::Normal | Tag::DoubleStep => !promotes,
            Tag::Promotion => {
                promotes && action.promoted().is_some_and(|kind| M::PROMOTIONS.contains(&kind))
            }
            Tag::EnPassant | Tag::Castling => false,
        };
        if !tag_fits {
            return false;
        }
        let occupied = self.board.occupied();
        // Nothing, for a pawn that has stayed one on its last rank.
        let ahead = Bitboard::from(from).forward(us);
        if action.tag() == Tag::DoubleStep {
            let target = ahead.forward(us);
            return (M::DOUBLE_STEPS_ANYWHERE || from.relative_rank(us) == 1)
                && target.has(to)
                && !(ahead | target).meets(occupied);
        }
        if self.board.color(!us).has(to) {
            M::Geometry::pawn(us, from).has(to)
        } else {
            ahead.has(to) && !occupied.has(to)
        }
    }

    /// The squares that the man on that square attacks; none if there is no man.
    #[inline(always)]
    pub fn attacks_from(&self, square: crate::core::Square<M::Geometry>) -> Bitboard<M::Geometry> {
        let board = &self.board;
        let Some(piece) = board.at(square) else { return Bitboard::EMPTY };
        let occupied = board.occupied();
        match piece.kind() {
            Kind::PAWN => return M::Geometry::pawn(piece.color(), square),
            Kind::KING => return M::Geometry::king(square),
            _ => {}
        }
        let mut set = Bitboard::EMPTY;
        if M::knights(board).has(square) {
            set |= M::Geometry::knight(square);
        }
        if M::diagonals(board).has(square) {
            set |= M::Geometry::bishop(square, occupied);
        }
        if M::orthogonals(board).has(square) {
            set |= M::Geometry::rook(square, occupied);
        }
        if M::NIGHTRIDERS && M::nightriders(board).has(square) {
            set |= M::Geometry::nightrider(square, occupied);
        }
        set
    }
}

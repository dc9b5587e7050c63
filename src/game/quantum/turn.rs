//! A turn as the rules have it: a normal move, the shift on the tracks, returns from the top track
//! down with their free moves; or initiations.

use crate::core::{Bitboard, Board8, Square};
use crate::game::kernel::{Kind, Move, Observer, Piece, Tag};

use super::{MAX_TRACKS, Quantum, Stage, Traveller};

impl Quantum {
    /// "Each enemy piece captured gives its captor one gem from the bank, if it has any."
    #[inline(always)]
    fn recharge(&mut self) {
        if self.bank() > 0 {
            self.gems[self.state.turn().index()] += 1;
        }
    }

    /// A turn's move, and all that follows from it by itself.
    #[inline(always)]
    pub(super) fn move_normally<O: Observer<Board8>>(&mut self, action: Move, observer: &mut O) {
        if self.state.victim(action).is_some() {
            self.recharge();
        }
        if self.own_tracks().occupied() == 0 {
            self.state.make(action, observer);
            return;
        }
        self.state.make_men(action, observer);
        self.due = self.tracks[self.state.turn().index()].advance();
        if self.due == 0 {
            self.state.finish_turn(action);
        } else {
            self.resolve(observer);
        }
    }

    /// Brings men back from the tracks that are due, until one has a free move to make or the turn
    /// is over.
    fn resolve<O: Observer<Board8>>(&mut self, observer: &mut O) {
        self.stage = Stage::Start;
        let us = self.state.turn();
        while self.due != 0 {
            let track = self.due.trailing_zeros() as u8;
            self.due &= self.due - 1;
            let taken = self.tracks[us.index()].take(usize::from(track));
            let Some(Traveller { kind, square, .. }) = taken else { continue };
            let captured = self.state.land_man(Piece::new(kind, us), square, observer);
            if let Some(captured) = captured {
                if captured.color() != us {
                    self.recharge();
                }
                if captured.kind() == Kind::KING {
                    self.due = 0;
                    self.stage = Stage::Over;
                    break;
                }
            }
            let left = self.board.free_moves(usize::from(track));
            let targets = self.free_targets(left, square);
            if targets.any() {
                self.stage = Stage::Free { track, left, square, targets };
                return;
            }
        }
        self.state.end_turn();
    }

    /// Where a man that has come back goes on to, if it has free moves left, the enemy king is not in
    /// check, and the man can move.
    fn free_targets(&self, left: u8, square: Square<Board8>) -> Bitboard<Board8> {
        if left == 0 || self.state.is_attacked(!self.state.turn()) {
            Bitboard::EMPTY
        } else {
            self.state.targets_from(square)
        }
    }

    /// A free move.
    pub(super) fn move_freely<O: Observer<Board8>>(&mut self, action: Move, observer: &mut O) {
        let Stage::Free { track, left, .. } = self.stage else {
            debug_assert!(false, "{action:?} where no man has free moves");
            return;
        };
        if self.state.victim(action).is_some() {
            self.recharge();
        }
        self.state.make_further_men(action, observer);
        self.ep = None;
        let (left, square) = (left - 1, action.to());
        let targets = self.free_targets(left, square);
        if targets.any() {
            self.stage = Stage::Free { track, left, square, targets };
            if self.up_to && self.due == 0 && action.tag() == Tag::DoubleStep {
                let mut after = self.state;
                after.finish_turn(action);
                self.ep = after.ep();
            }
        } else if self.due == 0 {
            self.stage = Stage::Start;
            self.state.finish_turn(action);
        } else {
            self.resolve(observer);
        }
    }

    /// Sends a man to a track.
    pub(super) fn initiate<O: Observer<Board8>>(
        &mut self,
        square: Square<Board8>,
        track: usize,
        observer: &mut O,
    ) {
        let us = self.state.turn();
        let first = self.stage == Stage::Start;
        let Some(piece) = self.state.lift_man(square, first, observer) else {
            debug_assert!(false, "nobody to leave {square}");
            return;
        };
        debug_assert!(track < MAX_TRACKS && self.own_tracks().at(track).is_none());
        let circle = self.board.circles(track);
        self.tracks[us.index()].put(track, Traveller { kind: piece.kind(), square, circle });
        self.gems[us.index()] = self.gems[us.index()].saturating_sub(1);
        if self.may_jump_after(square) {
            self.stage = Stage::Jump(square);
        } else {
            self.stage = Stage::Start;
            self.state.end_turn();
        }
    }

    /// Whether another man may leave after the one that stood on the square.
    pub(super) fn may_jump_after(&self, square: Square<Board8>) -> bool {
        self.open_tracks() != 0 && Self::after(self.state.liftable(), square).any()
    }

    /// `end`: no more initiations, or no more free moves of this man.
    pub(super) fn end<O: Observer<Board8>>(&mut self, observer: &mut O) {
        let stage = std::mem::replace(&mut self.stage, Stage::Start);
        match (stage, self.ep.take()) {
            (Stage::Free { .. }, _) if self.due != 0 => self.resolve(observer),
            (_, None) => self.state.end_turn(),
            (_, Some(target)) => {
                let pawn = target.forward(self.state.turn());
                self.state.finish_turn(Move::new(target, pawn, Tag::DoubleStep));
            }
        }
    }
}

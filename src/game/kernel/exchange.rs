use crate::core::{Bitboard, Color, Geometry, Square};
use crate::game::Gist;

use super::{Kind, Men, Move, State, Tag};

impl<M: Men> State<M> {
    /// Static exchange evaluation: whether the captures that follow a move on its target square,
    /// each side always taking with its least man and stopping when it likes, leave the mover with
    /// at least `threshold` centipawns of [`Men::WORTH`]. Pins count only as far as the king's own
    /// captures; promotions on the way are left out.
    pub fn exchange_gains(&self, action: Move, threshold: i32) -> bool {
        let board = &self.board;
        let (from, to) = (action.from::<M::Geometry>(), action.to::<M::Geometry>());
        let worth = |kind: Kind| M::WORTH[kind.index()];
        let Some(piece) = board.at(from) else { return false };
        let mut occupied = (board.occupied() - from.into()) | to.into();
        let mut stake = worth(piece.kind());
        let mut balance = -threshold;
        match action.tag() {
            Tag::Castling => return threshold <= 0,
            Tag::EnPassant => {
                balance += worth(Kind::PAWN);
                occupied -= to.forward(!piece.color()).into();
            }
            _ => balance += board.at(to).map_or(0, |victim| worth(victim.kind())),
        }
        if let Some(kind) = action.promoted() {
            balance += worth(kind) - worth(Kind::PAWN);
            stake = worth(kind);
        }
        self.keeps_surplus(piece.color(), to, occupied, Bitboard::EMPTY, balance, stake)
    }

    /// Whether `mover`, whose man worth `stake` has just come to a square with a surplus of
    /// `balance`, is left with none below zero by the captures that follow there. `occupied` is
    /// what stands on the board after it; those that are `idle` take no part, but block lines.
    pub(in crate::game) fn keeps_surplus(
        &self,
        mover: Color,
        to: Square<M::Geometry>,
        mut occupied: Bitboard<M::Geometry>,
        idle: Bitboard<M::Geometry>,
        balance: i32,
        stake: i32,
    ) -> bool {
        let board = &self.board;
        let worth = |kind: Kind| M::WORTH[kind.index()];
        if balance < 0 {
            return false;
        }
        // Even if the mover's man is lost for nothing, the threshold holds.
        if balance >= stake {
            return true;
        }

        let diagonals = M::diagonals(board);
        let orthogonals = M::orthogonals(board);
        let mut attackers = (board.attackers(to, occupied) & occupied) - idle;
        let mut side = !mover;
        // `balance` is the mover's surplus; the side to recapture wants it below zero.
        let mut surplus = balance - stake;
        loop {
            let own = attackers & board.color(side);
            let Some((kind, square)) = M::BY_WORTH
                .iter()
                .find_map(|&kind| Some((kind, (own & board.kind(kind)).first()?)))
            else {
                break;
            };
            if kind == Kind::KING && attackers.meets(board.color(!side)) {
                break;
            }
            occupied -= square.into();
            attackers |= (M::Geometry::bishop(to, occupied) & diagonals)
                | (M::Geometry::rook(to, occupied) & orthogonals)
                | board.riders_to(to, occupied);
            attackers = (attackers & occupied) - idle;
            side = !side;
            surplus = -surplus - 1 - worth(kind);
            // Once this capture leaves the capturer ahead even if its man is lost, it has won.
            if surplus >= 0 {
                break;
            }
        }
        // The side that would have to continue and cannot, or need not, has lost the argument.
        side != mover
    }

    /// Facts about a move, for the search.
    #[inline(always)]
    pub fn gist(&self, action: Move) -> Gist {
        let (from, to) = (action.from::<M::Geometry>(), action.to::<M::Geometry>());
        let victim = self.victim(action);
        let worth = |kind: Kind| M::WORTH[kind.index()];
        Gist {
            piece: self.board.at(from).map_or(0, |piece| piece.code() as u8),
            from: from.index() as u8,
            to: to.index() as u8,
            victim: victim.map_or(0, worth),
            victim_kind: victim.map_or(0, |kind| kind.0 + 1),
            promotion: action.promoted().map_or(0, |kind| worth(kind) - worth(Kind::PAWN)),
        }
    }

    /// What a move captures.
    #[inline(always)]
    pub fn victim(&self, action: Move) -> Option<Kind> {
        match action.tag() {
            Tag::Castling => None,
            Tag::EnPassant => Some(Kind::PAWN),
            _ => self.board.at(action.to()).map(super::Piece::kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::game::chess::{Chess, Setup};

    /// FEN, move, what the exchange gains in centipawns.
    const EXCHANGES: &[(&str, &str, i32)] = &[
        // A free pawn; a guarded one for a rook; a quiet move to a safe and to a guarded square.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d4", 0),
        ("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
        // Two rooks behind each other against a rook's guard: x-rays count.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
        // The king may not take what is guarded.
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
        // En passant, and a promotion that is taken.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 875),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", -100),
    ];

    #[test]
    fn thresholds_are_met_up_to_what_is_gained() {
        for &(fen, action, gain) in EXCHANGES {
            let position = Chess::from_fen(&Setup::default(), fen).unwrap();
            let action = position.parse_action(&Setup::default(), action).unwrap();
            assert!(position.exchange_gains(action, gain), "{fen} {action:?}");
            assert!(!position.exchange_gains(action, gain + 1), "{fen} {action:?}");
        }
    }
}

//! Legal moves, listed or counted. Both read the same `Sight`; counting never makes a list.

use crate::core::{Bitboard, Color, Direction, Geometry, Square};

use super::{Kind, Men, Move, State, Tag};

type Set<M> = Bitboard<<M as Men>::Geometry>;

/// What the side to move has to heed, worked out for all enemy sliders at once.
#[derive(Clone, Copy)]
pub(in crate::game) struct Sight<M: Men> {
    /// The own king.
    pub(in crate::game) king: Square<M::Geometry>,
    /// Own men that shield the king.
    pub(in crate::game) pinned: Set<M>,
    /// Squares that the enemy attacks, with the own king lifted off the board. A game in which more
    /// is attacked than by the ways of moving that [`Men`] tells may add to it where the king could
    /// go: he goes and castles nowhere that is in danger.
    pub(in crate::game) danger: Set<M>,
    /// Where a man that is not the king may go: anywhere but onto own men, or what answers a check.
    pub(in crate::game) targets: Set<M>,
}

impl<M: Men> Sight<M> {
    /// Whether the king of the side to move is attacked.
    #[inline(always)]
    pub(in crate::game) fn in_check(&self) -> bool {
        self.danger.has(self.king)
    }

    /// The men of `own`, the king aside, that shield it from nothing; none if it is in check.
    #[inline(always)]
    pub(in crate::game) fn liftable(&self, own: Set<M>) -> Set<M> {
        if self.in_check() { Bitboard::EMPTY } else { own - self.pinned - self.king.into() }
    }
}

/// Which moves a list shall hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// The rest.
    Quiet,
}

/// The pawn directions of a side: ahead, and the two captures.
#[inline(always)]
fn pawn_ways(us: Color) -> (Direction, Direction, Direction) {
    match us {
        Color::White => (Direction::North, Direction::NorthEast, Direction::NorthWest),
        Color::Black => (Direction::South, Direction::SouthEast, Direction::SouthWest),
    }
}

/// Where a pawn that has come this way started.
#[inline(always)]
fn back<G: Geometry>(to: Square<G>, way: Direction) -> Square<G> {
    let files = G::FILES;
    Square::new(match way {
        Direction::North => to.index() - files,
        Direction::NorthEast => to.index() - files - 1,
        Direction::NorthWest => to.index() - files + 1,
        Direction::South => to.index() + files,
        Direction::SouthEast => to.index() + files - 1,
        Direction::SouthWest => to.index() + files + 1,
        Direction::East => to.index() - 1,
        Direction::West => to.index() + 1,
    })
}

impl<M: Men> State<M> {
    /// What the side to move has to heed.
    #[inline(always)]
    pub(in crate::game) fn own_sight(&self) -> Sight<M> {
        self.sight(self.turn)
    }

    /// [`State::own_sight`] of the side to move, `us`.
    #[inline(always)]
    pub(in crate::game) fn sight(&self, us: Color) -> Sight<M> {
        let board = &self.board;
        let (own, enemy) = (board.color(us), board.color(!us));
        let occupied = own | enemy;
        let king = self.king(us);
        let (lines, mut pins) = M::Geometry::line_threats(
            M::orthogonals(board) & enemy,
            M::diagonals(board) & enemy,
            king,
            occupied,
        );
        let mut danger = lines
            | (M::knights(board) & enemy).knight_attacks()
            | board.of(!us, Kind::PAWN).pawn_attacks(!us)
            | M::Geometry::king(self.king(!us));
        if M::NIGHTRIDERS {
            for rider in M::nightriders(board) & enemy {
                danger |= M::Geometry::nightrider(rider, occupied - king.into());
                // On a line of the other sort it is a slider or nothing.
                let line = M::Geometry::line(rider, king);
                if !line.meets(M::Geometry::king(king)) {
                    let shields = M::Geometry::between(rider, king) & occupied;
                    pins |= if shields.several() { Bitboard::EMPTY } else { shields };
                }
            }
        }

        let mut targets = !own;
        if danger.has(king) {
            let checkers = self.board.attackers(king, occupied) & enemy;
            targets = match checkers.first() {
                Some(checker) if !checkers.several() => {
                    M::Geometry::between(king, checker) | checkers
                }
                _ => Bitboard::EMPTY,
            };
        }
        Sight { king, pinned: pins & own, danger, targets }
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count_moves(&self) -> u64 {
        let promotions = M::PROMOTIONS.len() as u32;
        match self.turn {
            Color::White => self.count::<true>(&self.sight(Color::White), promotions),
            Color::Black => self.count::<false>(&self.sight(Color::Black), promotions),
        }
    }

    /// [`State::count_moves`] where a pawn that arrives has so many choices, and `sight` is that of
    /// the side to move, with what the game may have added.
    #[inline(always)]
    pub(in crate::game) fn count_moves_in(&self, sight: &Sight<M>, promotions: u32) -> u64 {
        match self.turn {
            Color::White => self.count::<true>(sight, promotions),
            Color::Black => self.count::<false>(sight, promotions),
        }
    }

    /// The men of the side to move, the king aside, that could leave the board without leaving the
    /// king attacked: none while it is.
    #[inline]
    pub fn liftable(&self) -> Set<M> {
        let us = self.turn;
        let board = &self.board;
        let (own, enemy, occupied) = (board.color(us), board.color(!us), board.occupied());
        let king = self.king(us);
        if board.attackers(king, occupied).meets(enemy) {
            return Bitboard::EMPTY;
        }
        // The sliders that would attack if the own men next to the king on their lines were gone.
        let shields =
            own & (M::Geometry::rook(king, occupied) | M::Geometry::bishop(king, occupied));
        let behind = occupied - shields;
        let pinners = enemy
            & (M::Geometry::rook(king, behind) & M::orthogonals(board)
                | M::Geometry::bishop(king, behind) & M::diagonals(board));
        let pinned = pinners
            .into_iter()
            .fold(Bitboard::EMPTY, |pinned, pinner| pinned | M::Geometry::between(king, pinner));
        own - king.into() - pinned
    }

    #[inline(always)]
    fn count<const WHITE: bool>(&self, sight: &Sight<M>, choices: u32) -> u64 {
        use Direction::{East, North, NorthEast, NorthWest};
        let us = Color::white_if(WHITE);
        let board = &self.board;
        let (own, enemy) = (board.color(us), board.color(!us));
        let empty = !(own | enemy);
        let &Sight { king, pinned, danger, targets } = sight;
        let free = !pinned;

        // A pinned man may move along its line: only men that are free or on the king's line of
        // that direction move in it.
        let along = |way: Direction| {
            let opposite = Direction::ALL[way as usize ^ 4];
            free | M::Geometry::ray(way, king) | M::Geometry::ray(opposite, king)
        };
        let may = [along(North), along(East), along(NorthEast), along(NorthWest)];

        let (orthogonals, diagonals) = (M::orthogonals(board) & own, M::diagonals(board) & own);
        let movers = [
            orthogonals & may[North as usize],
            orthogonals & may[East as usize],
            diagonals & may[NorthEast as usize],
            diagonals & may[NorthWest as usize],
        ];
        let mut count = M::Geometry::count_line_moves(movers, empty, targets);

        for from in M::knights(board) & own & free {
            count += (M::Geometry::knight(from) & targets).count();
        }
        if M::NIGHTRIDERS {
            for from in M::knights(board) & own & pinned {
                let line = M::Geometry::line(king, from);
                count += (M::Geometry::knight(from) & targets & line).count();
            }
            for from in M::nightriders(board) & own {
                let mut reach = M::Geometry::nightrider(from, !empty) & targets;
                if pinned.has(from) {
                    reach &= M::Geometry::line(king, from);
                }
                count += reach.count();
            }
        }

        let pawns = board.of(us, Kind::PAWN);
        let (ahead, right, left) = pawn_ways(us);
        let single = (pawns & may[North as usize]).step(ahead) & empty;
        let double = Self::may_step_again(us, single).step(ahead) & empty & targets;
        let single = single & targets;
        let prey = enemy & targets;
        let rights = (pawns & may[right as usize & 3]).step(right) & prey;
        let lefts = (pawns & may[left as usize & 3]).step(left) & prey;
        count += single.count() + double.count() + rights.count() + lefts.count();
        let last = Self::promotion_rank(us);
        if (single | rights | lefts).meets(last) {
            let promotions =
                (single & last).count() + (rights & last).count() + (lefts & last).count();
            count += promotions * choices.saturating_sub(1);
        }

        count += ((M::Geometry::king(king) - own) - danger).count();
        if let Some(target) = self.ep {
            count += self.ep_capturers(target).count();
        }
        if self.castling.any() {
            self.each_castling(us, sight, |_| count += 1);
        }
        count.into()
    }

    /// Gives every legal move of the wanted sort to `found`.
    #[inline(always)]
    pub fn each_move(&self, wanted: Wanted, found: impl FnMut(Move)) {
        self.each_move_of(!Bitboard::EMPTY, wanted, found);
    }

    /// Gives every legal move of the wanted sort by one of these men to `found`.
    #[inline(always)]
    pub fn each_move_of(&self, men: Set<M>, wanted: Wanted, found: impl FnMut(Move)) {
        let all = M::PROMOTIONS;
        match self.turn {
            Color::White => {
                self.generate::<true>(&self.sight(Color::White), men, wanted, all, found);
            }
            Color::Black => {
                self.generate::<false>(&self.sight(Color::Black), men, wanted, all, found);
            }
        }
    }

    /// [`State::each_move_of`] where a pawn that arrives becomes one of `promotions`, and `sight` is
    /// that of the side to move, with what the game may have added.
    #[inline(always)]
    pub(in crate::game) fn each_move_in(
        &self,
        sight: &Sight<M>,
        men: Set<M>,
        wanted: Wanted,
        promotions: &[Kind],
        found: impl FnMut(Move),
    ) {
        match self.turn {
            Color::White => self.generate::<true>(sight, men, wanted, promotions, found),
            Color::Black => self.generate::<false>(sight, men, wanted, promotions, found),
        }
    }

    /// Where the man on that square, of the side to move and no king, can legally go, en passant
    /// aside.
    #[inline(always)]
    pub fn targets_from(&self, from: Square<M::Geometry>) -> Set<M> {
        let us = self.turn;
        let board = &self.board;
        let (own, enemy) = (board.color(us), board.color(!us));
        let occupied = own | enemy;
        let mut targets = if board.kind(Kind::PAWN).has(from) {
            let step = Bitboard::from(from).forward(us) - occupied;
            let again = if M::DOUBLE_STEPS_ANYWHERE || from.relative_rank(us) == 1 {
                step.forward(us) - occupied
            } else {
                Bitboard::EMPTY
            };
            step | again | M::Geometry::pawn(us, from) & enemy
        } else {
            self.attacks_from(from) - own
        };
        let king = self.king(us);
        // Those that attack the king now, or would if the man were gone.
        let threats = board.attackers(king, occupied - from.into()) & enemy;
        for threat in threats {
            targets &= M::Geometry::between(king, threat) | threat.into();
        }
        targets
    }

    /// Gives each move of a man to one of its [`State::targets_from`].
    #[inline(always)]
    pub fn each_move_to(
        &self,
        from: Square<M::Geometry>,
        targets: Set<M>,
        mut found: impl FnMut(Move),
    ) {
        let us = self.turn;
        if !self.board.kind(Kind::PAWN).has(from) {
            for to in targets {
                found(Move::new(from, to, Tag::Normal));
            }
            return;
        }
        let last = Self::promotion_rank(us);
        for to in targets {
            if last.has(to) {
                for &kind in M::PROMOTIONS {
                    found(Move::promotion(from, to, kind));
                }
            } else if from.rank().abs_diff(to.rank()) == 2 {
                found(Move::new(from, to, Tag::DoubleStep));
            } else {
                found(Move::new(from, to, Tag::Normal));
            }
        }
    }

    /// The kinds of which some man has a legal move, a bit each by [`Kind::index`].
    pub fn movable_kinds(&self) -> u32 {
        let us = self.turn;
        let board = &self.board;
        let own = board.color(us);
        let occupied = board.occupied();
        let sight = self.sight(us);
        let king = sight.king;
        let mut kinds = 0;
        if sight.targets.any() {
            let (ahead, right, left) = pawn_ways(us);
            let pawns = |way| self.free_pawns(us, way, &sight);
            let steps = pawns(ahead).step(ahead) - occupied;
            let doubles = Self::may_step_again(us, steps).step(ahead) - occupied;
            let prey = board.color(!us) & sight.targets;
            let moves = (steps | doubles) & sight.targets
                | (pawns(right).step(right) | pawns(left).step(left)) & prey;
            if moves.any() || self.ep.is_some() {
                kinds |= 1 << Kind::PAWN.index();
            }
            let knights = M::knights(board);
            let (diagonals, orthogonals) = (M::diagonals(board), M::orthogonals(board));
            let riders = M::nightriders(board);
            for from in own & (knights | diagonals | orthogonals | riders) {
                let Some(piece) = board.at(from) else { continue };
                let bit = 1 << piece.kind().index();
                if kinds & bit != 0 {
                    continue;
                }
                let mut targets = sight.targets;
                if sight.pinned.has(from) {
                    targets &= M::Geometry::line(king, from);
                }
                // A knight that a slider pins has no square on its line.
                if knights.has(from) && M::Geometry::knight(from).meets(targets)
                    || diagonals.has(from) && M::Geometry::bishop(from, occupied).meets(targets)
                    || orthogonals.has(from) && M::Geometry::rook(from, occupied).meets(targets)
                    || riders.has(from) && M::Geometry::nightrider(from, occupied).meets(targets)
                {
                    kinds |= bit;
                }
            }
        }
        let mut moves = (M::Geometry::king(king) - own - sight.danger).any();
        if !moves && self.castling.any() {
            self.each_castling(us, &sight, |_| moves = true);
        }
        if moves {
            kinds |= 1 << Kind::KING.index();
        }
        kinds
    }

    /// Of the squares that pawns have reached by a step, those from which they may make a second.
    #[inline(always)]
    pub fn may_step_again(us: Color, steps: Set<M>) -> Set<M> {
        if M::DOUBLE_STEPS_ANYWHERE { steps } else { steps & Bitboard::relative_rank(us, 2) }
    }

    /// Where pawns promote.
    #[inline(always)]
    fn promotion_rank(us: Color) -> Set<M> {
        if M::PROMOTIONS.is_empty() {
            Bitboard::EMPTY
        } else {
            Bitboard::relative_rank(us, M::Geometry::RANKS - 1)
        }
    }

    /// The pawns that no pin keeps from going that way.
    #[inline(always)]
    fn free_pawns(&self, us: Color, way: Direction, sight: &Sight<M>) -> Set<M> {
        let opposite = Direction::ALL[way as usize ^ 4];
        let line = M::Geometry::ray(way, sight.king) | M::Geometry::ray(opposite, sight.king);
        self.board.of(us, Kind::PAWN) & (line | !sight.pinned)
    }

    #[inline(always)]
    fn generate<const WHITE: bool>(
        &self,
        sight: &Sight<M>,
        men: Set<M>,
        wanted: Wanted,
        promotions: &[Kind],
        mut found: impl FnMut(Move),
    ) {
        let us = Color::white_if(WHITE);
        let board = &self.board;
        let (own, enemy) = (board.color(us), board.color(!us));
        let occupied = own | enemy;
        let king = sight.king;
        let sort = match wanted {
            Wanted::All => !own,
            Wanted::Noisy => enemy,
            Wanted::Quiet => !occupied,
        };
        let targets = sight.targets & sort;
        let movers = own & men;

        if sight.targets.any() {
            self.generate_pawns(us, men, wanted, sight, promotions, &mut found);
            for from in M::knights(board) & (movers - sight.pinned) {
                for to in M::Geometry::knight(from) & targets {
                    found(Move::new(from, to, Tag::Normal));
                }
            }
            let along = |from| {
                if sight.pinned.has(from) {
                    targets & M::Geometry::line(king, from)
                } else {
                    targets
                }
            };
            for from in M::diagonals(board) & movers {
                for to in M::Geometry::bishop(from, occupied) & along(from) {
                    found(Move::new(from, to, Tag::Normal));
                }
            }
            for from in M::orthogonals(board) & movers {
                for to in M::Geometry::rook(from, occupied) & along(from) {
                    found(Move::new(from, to, Tag::Normal));
                }
            }
            if M::NIGHTRIDERS {
                for from in M::knights(board) & movers & sight.pinned {
                    for to in M::Geometry::knight(from) & along(from) {
                        found(Move::new(from, to, Tag::Normal));
                    }
                }
                for from in M::nightriders(board) & movers {
                    for to in M::Geometry::nightrider(from, occupied) & along(from) {
                        found(Move::new(from, to, Tag::Normal));
                    }
                }
            }
        }
        if !movers.has(king) {
            return;
        }
        for to in (M::Geometry::king(king) & sort) - sight.danger {
            found(Move::new(king, to, Tag::Normal));
        }
        if wanted != Wanted::Noisy && self.castling.any() {
            self.each_castling(us, sight, &mut found);
        }
    }

    #[inline(always)]
    fn generate_pawns(
        &self,
        us: Color,
        men: Set<M>,
        wanted: Wanted,
        sight: &Sight<M>,
        promotions: &[Kind],
        found: &mut impl FnMut(Move),
    ) {
        let board = &self.board;
        let empty = !board.occupied();
        let prey = board.color(!us) & sight.targets;
        let last = Self::promotion_rank(us);
        let (ahead, right, left) = pawn_ways(us);
        let may = |way| self.free_pawns(us, way, sight) & men;
        let steps = may(ahead).step(ahead) & empty;

        if wanted != Wanted::Quiet {
            for way in [right, left] {
                let captures = may(way).step(way) & prey;
                for to in captures - last {
                    found(Move::new(back(to, way), to, Tag::Normal));
                }
                Self::promote(captures & last, way, promotions, found);
            }
            Self::promote(steps & last & sight.targets, ahead, promotions, found);
            if let Some(to) = self.ep {
                for from in self.ep_capturers(to) & men {
                    found(Move::new(from, to, Tag::EnPassant));
                }
            }
        }
        if wanted != Wanted::Noisy {
            for to in (steps - last) & sight.targets {
                found(Move::new(back(to, ahead), to, Tag::Normal));
            }
            let doubles = Self::may_step_again(us, steps).step(ahead);
            for to in doubles & empty & sight.targets {
                found(Move::new(back(back(to, ahead), ahead), to, Tag::DoubleStep));
            }
        }
    }

    #[inline(always)]
    fn promote(targets: Set<M>, way: Direction, promotions: &[Kind], found: &mut impl FnMut(Move)) {
        for to in targets {
            for &kind in promotions {
                found(Move::promotion(back(to, way), to, kind));
            }
        }
    }

    #[inline(always)]
    fn each_castling(&self, us: Color, sight: &Sight<M>, mut found: impl FnMut(Move)) {
        let king = sight.king;
        if sight.danger.has(king) {
            return;
        }
        for rook in self.castling & Bitboard::relative_rank(us, 0) {
            let (king_to, rook_to) = Self::castling_targets(king, rook);
            let king_path = M::Geometry::between(king, king_to) | king_to.into();
            let path = king_path | M::Geometry::between(rook, rook_to) | rook_to.into();
            let others = self.board.occupied() - king.into() - rook.into();
            // In Chess960 the rook itself may be all that shields the king's new square.
            if !path.meets(others) && !king_path.meets(sight.danger) && !sight.pinned.has(rook) {
                found(Move::new(king, rook, Tag::Castling));
            }
        }
    }

    /// Every castling move that a sight which the game may have changed allows.
    pub(in crate::game) fn each_castling_by(&self, sight: &Sight<M>, found: impl FnMut(Move)) {
        self.each_castling(self.turn, sight, found);
    }

    /// Every castling move that is legal now.
    pub(super) fn castling_moves(&self, mut found: impl FnMut(Move)) {
        let sight = self.sight(self.turn);
        self.each_castling(self.turn, &sight, &mut found);
    }
}

//! Legal actions: the kernel's moves, merges and separations; what they do, and what the search
//! wants to know of them.

use arrayvec::ArrayVec;

use crate::core::{Bitboard, Square};
use crate::game::Gist;
use crate::game::kernel::{CastlingStyle, Kind, Men, Move, Observer, Piece, Sight, Wanted};

use super::men::{KINDS, partners, reach};
use super::{
    Blender, BlenderAction, BlenderBoard, BlenderMen, MERGED_ARCHBISHOP, MERGED_CHANCELLOR,
    MERGED_QUEEN, Meaning, NIGHTRIDER, merged, merged_men, parts, rest,
};

/// A rough worth of a kind in centipawns.
fn worth<G: BlenderBoard, const NIGHT: bool>(kind: Kind) -> i32 {
    BlenderMen::<G, NIGHT>::WORTH[kind.index() % KINDS]
}

impl<G: BlenderBoard, const NIGHT: bool> Blender<G, NIGHT> {
    /// What pawns of the side to move may become, the best first; staying a pawn is last.
    #[inline(always)]
    fn promotions(&self) -> ArrayVec<Kind, KINDS> {
        let us = self.state.turn();
        let near = Bitboard::relative_rank(us, G::RANKS - 2);
        let mut kinds = ArrayVec::new();
        if self.state.board().of(us, Kind::PAWN).meets(near) && !self.pool.is_empty() {
            let all = BlenderMen::<G, NIGHT>::PROMOTIONS.iter();
            kinds.extend(all.copied().filter(|&kind| self.pool.offers(us, kind)));
        }
        kinds.push(Kind::PAWN);
        kinds
    }

    /// The own men onto which a man of that kind may merge.
    #[inline(always)]
    fn partners_of(&self, mover: Kind) -> Bitboard<G> {
        let board = self.state.board();
        let all = partners(mover, NIGHT).iter();
        all.fold(Bitboard::EMPTY, |set, &kind| set | board.kind(kind))
            & board.color(self.state.turn())
    }

    /// Gives each man that may merge, with the squares of those onto which it may.
    ///
    /// None does in check: no square is covered that was not covered before. Nor does a man that is
    /// pinned, which has no own man on its line.
    #[inline(always)]
    fn each_merge(
        &self,
        sight: &Sight<BlenderMen<G, NIGHT>>,
        mut found: impl FnMut(Square<G>, Bitboard<G>),
    ) {
        if sight.in_check() {
            return;
        }
        self.each_merge_by(Kind::KNIGHT, sight, &mut found);
        self.each_merge_by(Kind::BISHOP, sight, &mut found);
        self.each_merge_by(Kind::ROOK, sight, &mut found);
        if NIGHT {
            self.each_merge_by(NIGHTRIDER, sight, &mut found);
            self.each_merge_by(MERGED_QUEEN, sight, &mut found);
            self.each_merge_by(MERGED_ARCHBISHOP, sight, &mut found);
            self.each_merge_by(MERGED_CHANCELLOR, sight, &mut found);
        }
    }

    #[inline(always)]
    fn each_merge_by(
        &self,
        mover: Kind,
        sight: &Sight<BlenderMen<G, NIGHT>>,
        found: &mut impl FnMut(Square<G>, Bitboard<G>),
    ) {
        let board = self.state.board();
        let movers = board.of(self.state.turn(), mover) - sight.pinned;
        let targets = self.partners_of(mover);
        if targets.any() {
            for from in movers {
                found(from, reach(mover, from, board.occupied()) & targets);
            }
        }
    }

    /// Gives each part that may leave a man, with the squares to which it may go. The rest stays, so
    /// that no pin matters.
    #[inline(always)]
    fn each_separation(
        &self,
        sight: &Sight<BlenderMen<G, NIGHT>>,
        mut found: impl FnMut(Square<G>, Kind, Bitboard<G>),
    ) {
        let board = self.state.board();
        let may_merge = !sight.in_check();
        for from in merged_men(&self.state) & board.color(self.state.turn()) {
            let Some(whole) = board.at(from) else { continue };
            for &part in parts(whole.kind()) {
                let partners = if may_merge { self.partners_of(part) } else { Bitboard::EMPTY };
                let squares = reach(part, from, board.occupied()) & (sight.targets | partners);
                found(from, part, squares);
            }
        }
    }

    #[inline(always)]
    pub(super) fn each_action(&self, wanted: Wanted, mut found: impl FnMut(BlenderAction<G>)) {
        let sight = self.state.own_sight();
        let promotions = self.promotions();
        self.state.each_move_in(&sight, !Bitboard::EMPTY, wanted, &promotions, |action| {
            found(BlenderAction::plain(action));
        });
        if wanted != Wanted::Noisy {
            self.each_merge(&sight, |from, targets| {
                for to in targets {
                    found(BlenderAction::merge(from, to));
                }
            });
        }
        let enemy = self.state.board().color(!self.state.turn());
        let sort = match wanted {
            Wanted::All => Bitboard::ALL,
            Wanted::Noisy => enemy,
            Wanted::Quiet => !enemy,
        };
        self.each_separation(&sight, |from, part, targets| {
            for to in targets & sort {
                found(BlenderAction::separation(from, to, part));
            }
        });
    }

    /// The number of legal actions, without listing them.
    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        let sight = self.state.own_sight();
        let mut count = self.state.count_moves_in(&sight, self.promotions().len() as u32);
        self.each_merge(&sight, |_, targets| count += u64::from(targets.count()));
        self.each_separation(&sight, |_, _, targets| count += u64::from(targets.count()));
        count
    }

    /// Whether the action is legal here, whatever it says.
    pub(super) fn allows(&self, action: BlenderAction<G>) -> bool {
        let us = self.state.turn();
        let board = self.state.board();
        let own = |square| board.at(square).filter(|piece| piece.color() == us).map(Piece::kind);
        let safe = |occupied, captured: Bitboard<G>| {
            let attackers = board.attackers(self.state.king(us), occupied);
            !attackers.meets(board.color(!us) - captured)
        };
        let occupied = board.occupied();
        match action.meaning() {
            Meaning::Move(action) => {
                let is_offered = |kind: Kind| kind == Kind::PAWN || self.pool.offers(us, kind);
                self.state.is_legal(action) && action.promoted().is_none_or(is_offered)
            }
            Meaning::Merge { from, to } => {
                let (Some(mover), Some(target)) = (own(from), own(to)) else { return false };
                merged(mover, target, NIGHT).is_some()
                    && reach(mover, from, occupied).has(to)
                    && safe(occupied - from.into(), Bitboard::EMPTY)
            }
            Meaning::Separation { from, to, part } => {
                let Some(whole) = own(from) else { return false };
                rest(whole, part).is_some()
                    && reach(part, from, occupied).has(to)
                    && own(to).is_none_or(|target| merged(part, target, NIGHT).is_some())
                    && safe(occupied | to.into(), to.into())
            }
        }
    }

    #[inline(always)]
    pub(super) fn make<O: Observer<G>>(&mut self, action: BlenderAction<G>, observer: &mut O) {
        let us = self.state.turn();
        let kind = |position: &Self, square| position.state.board().at(square).map(Piece::kind);
        match action.meaning() {
            Meaning::Move(action) => {
                if let Some(victim) = self.state.victim(action) {
                    self.pool.add(!us, victim);
                }
                if let Some(promoted) = action.promoted() {
                    self.pool.take(us, promoted);
                }
                self.state.make(action, observer);
            }
            Meaning::Merge { from, to } => {
                let both = kind(self, from).zip(kind(self, to));
                let sum = both.and_then(|(mover, target)| merged(mover, target, NIGHT));
                debug_assert!(sum.is_some(), "{action:?} is no merge");
                let sum = sum.map(|kind| Piece::new(kind, us));
                self.state.change_men([(from, None), (to, sum)], false, observer);
                self.state.end_turn();
            }
            Meaning::Separation { from, to, part } => {
                let left = kind(self, from).and_then(|whole| rest(whole, part));
                debug_assert!(left.is_some(), "{action:?} is no separation");
                let victim = self.victim(to);
                if let Some(victim) = victim {
                    self.pool.add(!us, victim);
                }
                let piece = |kind| Some(Piece::new(kind, us));
                let arrived = piece(self.arriving(part, to));
                let changes = [(from, left.and_then(piece)), (to, arrived)];
                self.state.change_men(changes, victim.is_some(), observer);
                self.state.end_turn();
            }
        }
    }

    /// The enemy man on a square.
    fn victim(&self, square: Square<G>) -> Option<Kind> {
        let us = self.state.turn();
        self.state.board().at(square).filter(|piece| piece.color() != us).map(Piece::kind)
    }

    /// What a man of that kind is once it has come to a square: merged, if an own man stands there.
    fn arriving(&self, mover: Kind, square: Square<G>) -> Kind {
        let us = self.state.turn();
        let own = self.state.board().at(square).filter(|piece| piece.color() == us);
        own.and_then(|target| merged(mover, target.kind(), NIGHT)).unwrap_or(mover)
    }

    /// Staying a pawn is told as a promotion that loses one: it never moves again.
    pub(super) fn gist_of(&self, action: BlenderAction<G>) -> Gist {
        let us = self.state.turn();
        let gist = |mover: Kind, from: Square<G>, to: Square<G>| {
            let victim = self.victim(to);
            Gist {
                piece: Piece::new(mover, us).code() as u8,
                from: from.index() as u8,
                to: to.index() as u8,
                victim: victim.map_or(0, worth::<G, NIGHT>),
                victim_kind: victim.map_or(0, |kind| kind.0 + 1),
                promotion: 0,
            }
        };
        match action.meaning() {
            Meaning::Move(action) => {
                let mut gist = self.state.gist(action);
                if action.promoted() == Some(Kind::PAWN) {
                    gist.promotion = -worth::<G, NIGHT>(Kind::PAWN);
                }
                gist
            }
            Meaning::Merge { from, to } => match self.state.board().at(from) {
                Some(mover) => gist(mover.kind(), from, to),
                None => Gist::NONE,
            },
            Meaning::Separation { from, to, part } => gist(part, from, to),
        }
    }

    /// Whether the exchange that an action starts gains at least that many centipawns. At stake is
    /// what then stands on the target square: the sum of two that merge, the part that has left.
    pub(super) fn exchange(&self, action: BlenderAction<G>, threshold: i32) -> bool {
        let us = self.state.turn();
        let worth = worth::<G, NIGHT>;
        let occupied = self.state.board().occupied();
        match action.meaning() {
            Meaning::Move(action) => {
                let stays = action.promoted() == Some(Kind::PAWN);
                let lost = if stays { worth(Kind::PAWN) } else { 0 };
                self.state.exchange_gains(action, threshold + lost)
            }
            Meaning::Merge { from, to } => {
                let Some(mover) = self.state.board().at(from) else { return false };
                let stake = worth(self.arriving(mover.kind(), to));
                let after = occupied - from.into();
                self.state.keeps_surplus(us, to, after, Bitboard::EMPTY, -threshold, stake)
            }
            Meaning::Separation { from, to, part } => {
                let balance = self.victim(to).map_or(0, worth) - threshold;
                let stake = worth(self.arriving(part, to));
                let after = occupied | to.into();
                self.state.keeps_surplus(us, to, after, from.into(), balance, stake)
            }
        }
    }

    pub(super) fn text_of(&self, action: BlenderAction<G>) -> String {
        match action.meaning() {
            Meaning::Move(action) if action.promoted() == Some(Kind::PAWN) => {
                format!("{}{}", action.from::<G>(), action.to::<G>())
            }
            Meaning::Move(action) => {
                self.state.move_text(action, Self::LETTERS, CastlingStyle::Standard)
            }
            Meaning::Merge { from, to } => format!("{from}{to}"),
            Meaning::Separation { from, to, part } => format!("{from}{to}{}", part_letter(part)),
        }
    }

    /// The legal action of that text.
    pub(super) fn read_action(&self, text: &str) -> Option<BlenderAction<G>> {
        let us = self.state.turn();
        let (from, after) = Square::<G>::parse_prefix(text)?;
        let (to, suffix) = Square::<G>::parse_prefix(after)?;
        let mover = self.state.board().at(from).filter(|piece| piece.color() == us)?.kind();
        let parts = parts(mover);
        let action = if !suffix.is_empty() && !parts.is_empty() {
            let part = parts.iter().find(|&&part| part_letter(part) == suffix)?;
            BlenderAction::separation(from, to, *part)
        } else if suffix.is_empty() && self.state.board().color(us).has(to) {
            BlenderAction::merge(from, to)
        } else if suffix.is_empty() && mover == Kind::PAWN && to.relative_rank(us) == G::RANKS - 1 {
            BlenderAction::plain(Move::promotion(from, to, Kind::PAWN))
        } else {
            let found = self.state.parse_move(text, Self::LETTERS, CastlingStyle::Standard)?;
            BlenderAction::plain(found)
        };
        // Staying a pawn has no letter.
        (self.allows(action) && self.text_of(action) == text).then_some(action)
    }
}

/// The letter by which a part leaves.
fn part_letter(part: Kind) -> &'static str {
    match part {
        Kind::KNIGHT => "n",
        Kind::BISHOP => "b",
        Kind::ROOK => "r",
        MERGED_QUEEN => "q",
        NIGHTRIDER => "h",
        MERGED_ARCHBISHOP => "a",
        MERGED_CHANCELLOR => "c",
        _ => "",
    }
}

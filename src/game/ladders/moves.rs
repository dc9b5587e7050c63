//! Legal moves: those of chess by the kernel, rides beside them, and what the enemy's rides forbid.

use crate::core::{Bitboard, Board8, Color, Geometry, Square};
use crate::game::kernel::{ChessMen, Kind, Men, Move, Observer, Piece, Sight, State, Tag, Wanted};

use super::Ladders;
use super::action::{LadderAction, Meaning, Ride};
use super::rides::{self, Reach, reach};
use super::set::LadderSet;
use super::threats::{Found, Threats};

type Set = Bitboard<Board8>;
type At = Square<Board8>;

/// What the side to move has to heed: of chess, with the squares added where an enemy's ride would
/// take the king; and of rides.
struct Heed {
    sight: Sight<ChessMen>,
    rides: Found,
    /// Squares that are in danger only if the king castles there.
    castling: Set,
    check: bool,
}

impl Ladders {
    /// The enemy's rides against the side to move, when those of its men are gone and that blocks.
    #[inline(always)]
    fn threats(&self, men: Set, occupied: Set) -> Threats<'_> {
        let by = !self.state.turn();
        Threats::new(self.state.board(), &self.sides[by.index()], by, men, occupied)
    }

    /// That side's rides as things stand.
    fn threats_by(&self, by: Color) -> Threats<'_> {
        let board = self.state.board();
        Threats::new(board, &self.sides[by.index()], by, board.color(by), board.occupied())
    }

    /// Whether that side's king is attacked.
    pub(super) fn is_attacked(&self, color: Color) -> bool {
        if !self.state.has_king(color) {
            return false;
        }
        self.state.is_attacked(color)
            || self.sides[(!color).index()].ends().any()
                && self.threats_by(!color).any(self.state.king(color))
    }

    /// The enemy men that attack the king of the side to move, with rides or without; none while boards
    /// are placed.
    pub(super) fn checkers(&self) -> Set {
        let us = self.state.turn();
        if self.is_placing() || !self.state.has_king(us) {
            return Bitboard::EMPTY;
        }
        let board = self.state.board();
        let king = self.state.king(us);
        let riders = board
            .color(!us)
            .into_iter()
            .filter(|&man| self.threats(man.into(), board.occupied()).any(king));
        self.state.checkers() | riders.collect()
    }

    /// What the side to move, `us`, has to heed; told the side, the compiler makes a faster function
    /// for each.
    #[inline(always)]
    fn heed(&self, us: Color) -> Heed {
        let mut sight = self.state.sight(us);
        let (mut rides, mut castling) = (Found::default(), Bitboard::EMPTY);
        if self.sides[(!us).index()].ends().any() {
            (rides, castling) = self.heed_rides(&mut sight);
        }
        let check = rides.attacked || sight.danger.has(sight.king);
        Heed { sight, rides, castling, check }
    }

    /// Adds to the danger that the enemy's rides are to the king; gives what else they forbid, and
    /// where they are a danger to castling alone.
    fn heed_rides(&self, sight: &mut Sight<ChessMen>) -> (Found, Set) {
        let state = &self.state;
        let us = state.turn();
        let board = state.board();
        let king = Bitboard::from(sight.king);
        let (own, enemy) = (board.color(us), board.color(!us));
        let occupied = own | enemy;
        let threats = self.threats(enemy, occupied);
        // None comes to ride by the king's moves: where he captures, he blocks as the captured man did.
        let sliders = threats.riding_sliders();
        let castling = state.castling() & Bitboard::relative_rank(us, 0);
        let mut at_stake = Board8::king(sight.king) | king;
        if castling.any() {
            at_stake |= Bitboard::relative_rank(us, 0);
        }
        if sliders.is_empty() && !threats.may_leap(at_stake) {
            return (Found::default(), Bitboard::EMPTY);
        }
        let found = Threats { liftable: own - king, sliders, ..threats }.all(sight.king);
        if found.attacked {
            sight.danger |= king;
        }
        for to in Board8::king(sight.king) - own - sight.danger {
            let to_set = Bitboard::from(to);
            let threats = self.threats(enemy - to_set, (occupied - king) | to_set);
            if (Threats { sliders: sliders - to_set, ..threats }).any(to) {
                sight.danger |= to_set;
            }
        }
        if castling.any() && !sight.danger.has(sight.king) {
            let forbidden = castling
                .into_iter()
                .fold(Bitboard::EMPTY, |set, rook| set | self.heed_castling(sight, sliders, rook));
            sight.danger |= forbidden;
            return (found, forbidden);
        }
        (found, Bitboard::EMPTY)
    }

    /// Marks where the king cannot pass when he castles: he alone is gone from home there. Gives where
    /// he cannot end, because there the rook is where it lands. `sliders` are the enemy's that may ride.
    fn heed_castling(&self, sight: &mut Sight<ChessMen>, sliders: Set, rook: At) -> Set {
        let board = self.state.board();
        let us = self.state.turn();
        let home = Bitboard::from(sight.king);
        let (to, rook_to) = State::<ChessMen>::castling_targets(sight.king, rook);
        let path = Board8::between(sight.king, to) | to.into();
        let all = path | Board8::between(sight.king, rook);
        if all.meets(board.occupied() | sight.danger & path) {
            return Bitboard::EMPTY;
        }
        let enemy = board.color(!us);
        let gone = board.occupied() - home;
        for square in path {
            let threats = self.threats(enemy, gone | square.into());
            if (Threats { sliders, ..threats }).any(square) {
                sight.danger |= square.into();
                return Bitboard::EMPTY;
            }
        }
        let after = (gone - rook.into()) | rook_to.into() | to.into();
        let threats = Threats { sliders, ..self.threats(enemy, after) };
        if threats.any(to) { to.into() } else { Bitboard::EMPTY }
    }

    /// Whether the own king is attacked by no ride once a man has gone there and taken what stood
    /// there.
    fn rides_allow(&self, from: At, to: At, captured: Option<At>) -> bool {
        let us = self.state.turn();
        let board = self.state.board();
        let gone = captured.map_or(Bitboard::EMPTY, Bitboard::from);
        let occupied = (board.occupied() - from.into() - gone) | to.into();
        let king = self.state.king(us);
        let king = if king == from { to } else { king };
        !self.threats(board.color(!us) - gone, occupied).any(king)
    }

    /// Whether the own king is not attacked once a man has gone there, whatever way.
    fn is_safe(&self, from: At, to: At, captured: Option<At>) -> bool {
        let us = self.state.turn();
        let board = self.state.board();
        let gone = captured.map_or(Bitboard::EMPTY, Bitboard::from);
        let occupied = (board.occupied() - from.into() - gone) | to.into();
        let men = board.color(!us) - gone;
        let king = self.state.king(us);
        let king = if king == from { to } else { king };
        !board.attackers(king, occupied).meets(men)
            && (self.sides[(!us).index()].ends().is_empty()
                || !self.threats(men, occupied).any(king))
    }

    /// Whether the enemy's rides allow a move that chess allows; castling aside.
    fn allows(&self, action: Move) -> bool {
        let to = action.to();
        let captured = match action.tag() {
            Tag::Castling => return true,
            Tag::EnPassant => Some(to.forward(!self.state.turn())),
            _ => self.state.board().color(!self.state.turn()).has(to).then_some(to),
        };
        self.rides_allow(action.from(), to, captured)
    }

    /// The legal moves that chess has too.
    #[inline(always)]
    fn each_plain(&self, heed: &Heed, wanted: Wanted, mut found: impl FnMut(Move)) {
        let Found { attacked, shields, .. } = heed.rides;
        let all = !Bitboard::EMPTY;
        if !attacked && shields.is_empty() && self.state.ep().is_none() {
            self.state.each_move_in(&heed.sight, all, wanted, ChessMen::PROMOTIONS, found);
            return;
        }
        self.state.each_move_in(&heed.sight, all, wanted, ChessMen::PROMOTIONS, |action| {
            let asked = attacked || shields.has(action.from()) || action.tag() == Tag::EnPassant;
            if !asked || self.allows(action) {
                found(action);
            }
        });
    }

    #[inline(always)]
    fn count_plain(&self, heed: &Heed) -> u64 {
        let Found { attacked, shields, .. } = heed.rides;
        if attacked {
            return self.count_answers(heed);
        }
        let mut count = self.state.count_moves_in(&heed.sight, ChessMen::PROMOTIONS.len() as u32);
        if shields.any() || self.state.ep().is_some() {
            count -= self.count_forbidden(heed, shields);
        }
        count
    }

    /// The number of moves of chess that are legal, each looked at.
    #[inline(never)]
    fn count_answers(&self, heed: &Heed) -> u64 {
        let mut count = 0;
        self.each_plain(heed, Wanted::All, |_| count += 1);
        count
    }

    /// The number of moves of those men, and en passant, that rides alone forbid.
    #[inline(never)]
    fn count_forbidden(&self, heed: &Heed, shields: Set) -> u64 {
        let (state, all) = (&self.state, ChessMen::PROMOTIONS);
        let mut forbidden = 0;
        if shields.any() {
            state.each_move_in(&heed.sight, shields, Wanted::All, all, |action| {
                forbidden += u64::from(!self.allows(action));
            });
        }
        if let Some(target) = state.ep() {
            for from in state.ep_capturers(target) - shields {
                let action = Move::new(from, target, Tag::EnPassant);
                forbidden += u64::from(!self.allows(action));
            }
        }
        forbidden
    }

    /// Whether some quiet ride of a man of that kind may go by the name of another action.
    #[inline(always)]
    fn has_names(&self, kind: Kind) -> bool {
        kind == Kind::KING && self.state.castling().any()
            || kind == Kind::PAWN && self.state.ep().is_some()
    }

    /// Quiet ends of a man's rides whose names other actions own: castling, and the capture en
    /// passant of chess.
    fn owned_names(&self, heed: &Heed, from: At, kind: Kind) -> Set {
        let mut owned = Bitboard::EMPTY;
        if kind == Kind::KING && self.state.castling().any() {
            self.state.each_castling_by(&heed.sight, |action| {
                let rook = action.to();
                owned |= State::<ChessMen>::castling_targets(heed.sight.king, rook).0.into();
            });
        }
        if kind == Kind::PAWN
            && let Some(target) = self.state.ep()
            && self.state.ep_capturers(target).has(from)
            && self.allows(Move::new(from, target, Tag::EnPassant))
        {
            owned |= target.into();
        }
        owned
    }

    /// Gives each rider with what he can legally ride to.
    #[inline(always)]
    fn each_reach(&self, us: Color, heed: &Heed, mut found: impl FnMut(At, Kind, &mut Reach)) {
        let ladders = &self.sides[us.index()];
        let bound = heed.sight.pinned | heed.rides.shields;
        let bound = if heed.check { !Bitboard::EMPTY } else { bound };
        let mut special = bound | heed.sight.king.into();
        if self.state.ep().is_some() {
            special |= self.state.board().kind(Kind::PAWN);
        }
        rides::each_reach(&self.state, us, ladders, |from, kind, reach| {
            if special.has(from) || reach.captures_on_the_way() {
                self.restrict(heed, from, kind, bound, reach);
            }
            found(from, kind, reach);
        });
    }

    /// Leaves of what a man rides to what is legal and has no other name; `bound` are the men whose
    /// moves may uncover their king.
    #[inline(never)]
    fn restrict(&self, heed: &Heed, from: At, kind: Kind, bound: Set, reach: &mut Reach) {
        let us = self.state.turn();
        let ladders = &self.sides[us.index()];
        if reach.quiet.any() && self.has_names(kind) {
            reach.quiet -= self.owned_names(heed, from, kind);
        }
        if kind == Kind::KING {
            // What chess forbids him is known.
            let safe = |set: Set, captures: bool| -> Set {
                (set - (heed.sight.danger - heed.castling))
                    .into_iter()
                    .filter(|&to| self.rides_allow(from, to, captures.then_some(to)))
                    .collect()
            };
            reach.quiet = safe(reach.quiet, false);
            reach.take = safe(reach.take, true);
        } else if bound.has(from) {
            let safe = |set: Set, captures: bool| -> Set {
                set.into_iter()
                    .filter(|&to| self.is_safe(from, to, captures.then_some(to)))
                    .collect()
            };
            reach.quiet = safe(reach.quiet, false);
            reach.take = safe(reach.take, true);
        }
        if (reach.shift | reach.passing).any() {
            // A man gone from a square where nobody comes may open lines.
            reach.shift = reach
                .shift
                .into_iter()
                .filter(|&at| self.is_safe(from, ladders.other(at), Some(at)))
                .collect();
            let passed = self.state.ep().map(|target| target.forward(!us));
            reach.passing =
                reach.passing.into_iter().filter(|&to| self.is_safe(from, to, passed)).collect();
        }
    }

    /// The legal rides.
    fn each_ride(&self, heed: &Heed, wanted: Wanted, mut found: impl FnMut(Ride)) {
        let us = self.state.turn();
        let ladders = &self.sides[us.index()];
        if ladders.ends().is_empty() {
            return;
        }
        let last = Bitboard::relative_rank(us, 7);
        let passed = self.state.ep().map(|target| target.forward(!us));
        self.each_reach(us, heed, |from, kind, reach| {
            let mut offer = |to: At, captured: Option<At>| {
                let promotes = kind == Kind::PAWN && last.has(to);
                let noisy = promotes || captured.is_some();
                if wanted == Wanted::Noisy && !noisy || wanted == Wanted::Quiet && noisy {
                    return;
                }
                if promotes {
                    for &kind in ChessMen::PROMOTIONS {
                        found(Ride { from, to, captured, promoted: Some(kind) });
                    }
                } else {
                    found(Ride { from, to, captured, promoted: None });
                }
            };
            for to in reach.take {
                offer(to, Some(to));
            }
            for at in reach.shift {
                offer(ladders.other(at), Some(at));
            }
            for to in reach.passing {
                offer(to, passed);
            }
            for to in reach.quiet {
                offer(to, None);
            }
        });
    }

    #[inline(always)]
    fn count_rides(&self, us: Color, heed: &Heed) -> u64 {
        let ladders = &self.sides[us.index()];
        let last = Bitboard::relative_rank(us, 7);
        let mut count = 0;
        self.each_reach(us, heed, |_, kind, reach| {
            count += reach.quiet.count() + reach.take.count();
            let promotes = kind == Kind::PAWN && (reach.quiet | reach.take).meets(last);
            if promotes || reach.captures_on_the_way() {
                count += Self::count_rare(ladders, last, kind, reach);
            }
        });
        count.into()
    }

    /// How many more rides than squares to end on: captures on the way, and promotions.
    #[inline(never)]
    fn count_rare(ladders: &LadderSet, last: Set, kind: Kind, reach: &Reach) -> u32 {
        let &Reach { quiet, take, shift, passing } = reach;
        let more = shift.count() + passing.count();
        if kind != Kind::PAWN {
            return more;
        }
        let promotions = (quiet & last).count()
            + (take & last).count()
            + (ladders.others(shift) & last).count()
            + (passing & last).count();
        more + (ChessMen::PROMOTIONS.len() as u32 - 1) * promotions
    }

    /// Whether nobody has a ladder.
    #[inline(always)]
    fn is_chess(&self) -> bool {
        (self.sides[0].ends() | self.sides[1].ends()).is_empty()
    }

    /// The legal moves, rides among them, of a position in which nobody places.
    #[inline]
    pub(super) fn each_move(&self, wanted: Wanted, mut found: impl FnMut(LadderAction)) {
        let heed = self.heed(self.state.turn());
        self.each_plain(&heed, wanted, |action| found(LadderAction::plain(action)));
        self.each_ride(&heed, wanted, |ride| found(LadderAction::ride(ride)));
    }

    /// Their number.
    #[inline]
    pub(super) fn count_moves(&self) -> u64 {
        if self.is_chess() {
            return self.state.count_moves();
        }
        match self.state.turn() {
            Color::White => self.count_with_rides(Color::White),
            Color::Black => self.count_with_rides(Color::Black),
        }
    }

    #[inline(always)]
    fn count_with_rides(&self, us: Color) -> u64 {
        let heed = self.heed(us);
        let mut count = self.count_plain(&heed);
        if self.sides[us.index()].ends().any() {
            count += self.count_rides(us, &heed);
        }
        count
    }

    /// Whether a move of chess is legal here.
    pub(super) fn plain_is_legal(&self, action: Move) -> bool {
        if !self.state.is_legal(action) {
            return false;
        }
        if self.sides[(!self.state.turn()).index()].ends().is_empty() {
            return true;
        }
        if action.tag() != Tag::Castling {
            return self.allows(action);
        }
        let mut legal = false;
        let heed = self.heed(self.state.turn());
        self.state.each_castling_by(&heed.sight, |castling| legal |= castling == action);
        legal
    }

    /// Whether a ride is legal here and an action of its own.
    pub(super) fn ride_is_legal(&self, ride: Ride) -> bool {
        let us = self.state.turn();
        let board = self.state.board();
        let Ride { from, to, captured, promoted } = ride;
        let ladders = &self.sides[us.index()];
        if !board.color(us).has(from)
            || ladders.ends().is_empty()
            || board.color(us).has(to)
            || captured.is_some_and(|at| !board.color(!us).has(at))
        {
            return false;
        }
        let Some(piece) = board.at(from) else { return false };
        let kind = piece.kind();
        let promotes = kind == Kind::PAWN && to.relative_rank(us) == 7;
        if promotes != promoted.is_some() {
            return false;
        }
        let reach = reach(&self.state, ladders, from);
        let found = match captured {
            None => {
                reach.quiet.has(to)
                    && !(self.has_names(kind)
                        && self.owned_names(&self.heed(us), from, kind).has(to))
            }
            Some(at) if at == to => reach.take.has(to),
            Some(at) => {
                reach.shift.has(at) && ladders.other(at) == to
                    || reach.passing.has(to)
                        && self.state.ep().is_some_and(|target| target.forward(!us) == at)
            }
        };
        found && self.is_safe(from, to, captured)
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn make<O: Observer<Board8>>(&mut self, action: LadderAction, observer: &mut O) {
        if let Some(action) = action.as_plain() {
            self.state.make_men(action, observer);
            self.state.end_turn();
            if action.tag() == Tag::DoubleStep {
                self.offer_ep(action.to::<Board8>().forward(self.state.turn()));
            }
        } else {
            self.make_other(action, observer);
        }
    }

    /// Kept out of the way of what is played most.
    #[inline(never)]
    fn make_other<O: Observer<Board8>>(&mut self, action: LadderAction, observer: &mut O) {
        match action.meaning() {
            Meaning::Place(block) => self.place(block),
            Meaning::Ride(Ride { from, to, captured, promoted }) => {
                let Some(mover) = self.state.board().at(from) else {
                    debug_assert!(false, "{action:?} starts from an empty square");
                    return;
                };
                let arrived = promoted.map_or(mover, |kind| Piece::new(kind, mover.color()));
                let resets_clock = captured.is_some() || mover.kind() == Kind::PAWN;
                // The square of the capture may be the last, or none at all.
                let changes = [(from, None), (captured.unwrap_or(from), None), (to, Some(arrived))];
                self.state.change_men(changes, resets_clock, observer);
                self.state.end_turn();
            }
            Meaning::Plain(_) => {}
        }
    }

    /// Sets the ep square if some legal action captures there, with a ride or without.
    #[inline(always)]
    pub(super) fn offer_ep(&mut self, target: At) {
        let us = self.state.turn();
        let (board, ladders) = (self.state.board(), &self.sides[us.index()]);
        let beside = Board8::pawn(!us, target);
        let near = board.of(us, Kind::PAWN) | (ladders.ends() - board.occupied());
        if beside.meets(near) {
            self.offer_ep_to(target, beside & near);
        }
    }

    /// [`Ladders::offer_ep`] to pawns on these squares, or who can ride to them.
    fn offer_ep_to(&mut self, target: At, near: Set) {
        let us = self.state.turn();
        let (board, ladders) = (self.state.board(), &self.sides[us.index()]);
        let pawns = board.of(us, Kind::PAWN);
        let beside = Board8::pawn(!us, target);
        let mut candidates = near & pawns;
        for start in near - pawns {
            candidates |= pawns & ladders.other(start).into();
        }
        if candidates.is_empty() {
            return;
        }
        let captured = target.forward(!us);
        // What rides come to depends on the square that is to be set.
        let mut with = *self;
        with.state.set_ep(Some(target));
        let legal = candidates.into_iter().any(|from| {
            let reach = reach(&with.state, ladders, from);
            let mut ends = reach.passing;
            if beside.has(from) {
                ends |= target.into();
            }
            // A ride on to the captured pawn's square goes as its capture there.
            if ladders.other(target) == captured {
                ends |= captured.into();
            }
            ends.into_iter().any(|to| with.is_safe(from, to, Some(captured)))
        });
        if legal {
            self.state.set_ep(Some(target));
        }
    }
}

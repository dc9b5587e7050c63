//! Who attacks a square by a ride: told backwards from the square.
//!
//! An attack rides at least one ladder. After the last ride the man either stands on the square, or
//! leaps, slides on, or captures as a pawn from the ladder's end to the square. A slider's own origin
//! needs no lifting here: from there he reaches the square directly, by what is left of his way.

use crate::core::{Bitboard, Board8, Color, Direction, Geometry, Square};
use crate::game::kernel::{Board, ChessMen, Kind, Men};

use super::set::LadderSet;

type Set = Bitboard<Board8>;
type At = Square<Board8>;

/// One side's rides against squares of the other's.
pub(super) struct Threats<'a> {
    pub board: &'a Board<ChessMen>,
    pub ladders: &'a LadderSet,
    /// The attackers' side.
    pub by: Color,
    /// Their men that are still there.
    pub men: Set,
    /// Everything that blocks.
    pub occupied: Set,
    /// Those of their men that slide and may come to ride.
    pub sliders: Set,
    /// Men of the other side that one at a time are thought away.
    pub liftable: Set,
}

/// What was found: a ride that attacks as things stand, and men of whom each keeps off a ride.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub attacked: bool,
    pub shields: Set,
}

/// A search under way.
#[derive(Default)]
struct Hunt {
    found: Found,
    /// By direction, the ends from which sliders have been looked for already.
    came: [Set; 8],
}

/// With more ladders than this, all men are taken for shields: there may be too many ways to tell.
const FEW: u32 = 6;

/// The direction from one square to another on its lines.
#[inline(always)]
pub(super) fn direction(from: At, to: At) -> Direction {
    let files = to.file().cmp(&from.file()) as i8;
    let ranks = to.rank().cmp(&from.rank()) as i8;
    match (files, ranks) {
        (0, 1) => Direction::North,
        (0, _) => Direction::South,
        (1, 0) => Direction::East,
        (1, 1) => Direction::NorthEast,
        (1, _) => Direction::SouthEast,
        (_, 0) => Direction::West,
        (_, 1) => Direction::NorthWest,
        _ => Direction::SouthWest,
    }
}

/// What a slider sees from a square in one direction.
#[inline(always)]
pub(super) fn seen(square: At, way: Direction, occupied: Set) -> Set {
    let all = if way.is_orthogonal() {
        Board8::rook(square, occupied)
    } else {
        Board8::bishop(square, occupied)
    };
    all & Board8::ray(way, square)
}

impl<'a> Threats<'a> {
    /// With nobody lifted.
    #[inline(always)]
    pub(super) fn new(
        board: &'a Board<ChessMen>,
        ladders: &'a LadderSet,
        by: Color,
        men: Set,
        occupied: Set,
    ) -> Self {
        let sliders = (ChessMen::orthogonals(board) | ChessMen::diagonals(board)) & men;
        Self { board, ladders, by, men, occupied, sliders, liftable: Bitboard::EMPTY }
    }

    /// The sliders that stand on an end or come to one by sliding, whatever men of the other side are
    /// gone: before his first ride a slider does one or the other.
    #[inline(always)]
    pub(super) fn riding_sliders(&self) -> Set {
        let ends = self.ladders.ends();
        let mut riding = self.sliders & ends;
        for from in ChessMen::diagonals(self.board) & self.men {
            if Board8::bishop(from, self.men).meets(ends - self.men) {
                riding |= from.into();
            }
        }
        for from in ChessMen::orthogonals(self.board) & self.men {
            if Board8::rook(from, self.men).meets(ends - self.men) {
                riding |= from.into();
            }
        }
        riding
    }

    /// Whether some man that does not slide may attack one of these squares: by a ride to it, or by one
    /// at the start to where it is a leap away.
    #[inline(always)]
    pub(super) fn may_leap(&self, targets: Set) -> bool {
        let row = targets | targets.step(Direction::East) | targets.step(Direction::West);
        let near = row | row.step(Direction::North) | row.step(Direction::South);
        let ends = self.ladders.ends();
        ends.meets(targets)
            || self.men.meets(ends)
                && self.ladders.others(self.men).meets(near | targets.knight_attacks())
    }

    /// Whether a ride attacks the square, nobody lifted.
    #[inline(always)]
    pub(super) fn any(&self, target: At) -> bool {
        let ends = self.ladders.ends();
        (self.sliders.any() || ends.meets(self.men | target.into())) && self.is_attacked(target)
    }

    #[inline(never)]
    fn is_attacked(&self, target: At) -> bool {
        let mut hunt = Hunt::default();
        self.search::<false>(target, &mut hunt);
        hunt.found.attacked
    }

    /// All that there is to know of rides against the square.
    pub(super) fn all(&self, target: At) -> Found {
        let mut hunt = Hunt::default();
        if self.ladders.ends().count() > 2 * FEW {
            self.search::<false>(target, &mut hunt);
            hunt.found.shields = self.liftable;
        } else {
            self.search::<true>(target, &mut hunt);
        }
        hunt.found
    }

    fn of(&self, kind: Kind) -> Set {
        self.board.kind(kind) & self.men
    }

    /// The men that slide that way.
    #[inline(always)]
    fn sliders(&self, way: Direction) -> Set {
        let movers = if way.is_orthogonal() {
            ChessMen::orthogonals(self.board)
        } else {
            ChessMen::diagonals(self.board)
        };
        movers & self.sliders
    }

    #[inline(always)]
    fn note(hunt: &mut Hunt, lifted: Set) {
        if lifted.is_empty() {
            hunt.found.attacked = true;
        } else {
            hunt.found.shields |= lifted;
        }
    }

    /// Who has to be lifted for the square to be empty, given who is lifted already.
    #[inline(always)]
    fn open<const LIFT: bool>(&self, square: At, lifted: Set) -> Option<Set> {
        if !self.occupied.has(square) || lifted.has(square) {
            Some(lifted)
        } else if LIFT && lifted.is_empty() && self.liftable.has(square) {
            Some(square.into())
        } else {
            None
        }
    }

    #[inline(always)]
    fn search<const LIFT: bool>(&self, target: At, hunt: &mut Hunt) {
        let ends = self.ladders.ends();
        if self.sliders.any() {
            self.along_lines::<LIFT>(target, hunt);
            if !LIFT && hunt.found.attacked {
                return;
            }
        }
        // From an end from which he leaps there, or captures as a pawn.
        if self.men.meets(ends) {
            let pawns = Board8::pawn(!self.by, target);
            for (near, kind) in [
                (Board8::knight(target), Kind::KNIGHT),
                (Board8::king(target), Kind::KING),
                (pawns, Kind::PAWN),
            ] {
                self.leapt::<LIFT>(near, self.of(kind), Bitboard::EMPTY, hunt);
            }
        }
        // Onto the square itself.
        if ends.has(target) {
            self.arrival::<LIFT>(target, hunt);
        }
    }

    /// Sliders who come by a ladder to an end that is in line with the square and go on.
    fn along_lines<const LIFT: bool>(&self, target: At, hunt: &mut Hunt) {
        let ends = self.ladders.ends();
        let straight = (ChessMen::orthogonals(self.board) & self.sliders).any();
        let oblique = (ChessMen::diagonals(self.board) & self.sliders).any();
        let all_lines = |occupied: Set| {
            let mut lines = Bitboard::EMPTY;
            if straight {
                lines |= Board8::rook(target, occupied);
            }
            if oblique {
                lines |= Board8::bishop(target, occupied);
            }
            lines
        };
        let lines = all_lines(self.occupied);
        let mut origins = self.sliders | !self.occupied;
        if LIFT {
            origins |= self.liftable;
        }
        for start in self.ladders.others(lines & (ends - self.occupied)) & origins {
            let end = self.ladders.other(start);
            self.ridden::<LIFT>(end, direction(end, target), ends, Bitboard::EMPTY, hunt);
            if !LIFT && hunt.found.attacked {
                return;
            }
        }
        if LIFT {
            let blockers = lines & self.liftable;
            let behind = self.occupied - blockers;
            let further = all_lines(behind) - lines;
            for end in ends & (blockers | (further - behind)) {
                let lifted = (Board8::between(target, end) | end.into()) & blockers;
                self.ridden::<LIFT>(end, direction(end, target), ends, lifted, hunt);
            }
        }
    }

    /// Men who start by a ride to one of these ends and go on from there.
    fn leapt<const LIFT: bool>(&self, ends: Set, men: Set, lifted: Set, hunt: &mut Hunt) {
        let ends = ends & self.ladders.others(men);
        if ends.any() {
            if !(ends - (self.occupied - lifted)).is_empty() {
                Self::note(hunt, lifted);
            }
            if LIFT && lifted.is_empty() {
                hunt.found.shields |= ends & self.liftable;
            }
        }
    }

    /// A slider that came by a ladder to `end`, which is empty but for whom is lifted, and goes on
    /// that way.
    fn ridden<const LIFT: bool>(
        &self,
        end: At,
        way: Direction,
        unridden: Set,
        lifted: Set,
        hunt: &mut Hunt,
    ) {
        let start = self.ladders.other(end);
        let sliders = self.sliders(way);
        if sliders.has(start) {
            Self::note(hunt, lifted);
            return;
        }
        // One look at the whole line behind, before anything is said of what stands there.
        let back = Board8::ray(Direction::ALL[way as usize ^ 4], start);
        if !back.meets(sliders | unridden) {
            return;
        }
        if let Some(lifted) = self.open::<LIFT>(start, lifted) {
            let unridden = if LIFT {
                unridden - self.ladders.both(end)
            } else {
                // Once is enough, as in [`super::rides`].
                let came = &mut hunt.came[way as usize];
                if came.has(start) {
                    return;
                }
                *came |= start.into();
                unridden
            };
            self.slid::<LIFT>(start, way, unridden, lifted, hunt);
        }
    }

    /// A slider that comes to the square that way, with rides of these ladders or without.
    fn slid<const LIFT: bool>(
        &self,
        square: At,
        way: Direction,
        unridden: Set,
        lifted: Set,
        hunt: &mut Hunt,
    ) {
        let back = Direction::ALL[way as usize ^ 4];
        let occupied = self.occupied - lifted;
        let near = seen(square, back, occupied);
        self.passed::<LIFT>(near, way, unridden, lifted, hunt);
        if LIFT && lifted.is_empty() {
            let blocker = near & self.liftable;
            if blocker.any() {
                let far = (seen(square, back, occupied - blocker) - near) | blocker;
                self.passed::<LIFT>(far, way, unridden, blocker, hunt);
            }
        }
    }

    /// A slider that goes that way over these squares, the last of which may be his own.
    fn passed<const LIFT: bool>(
        &self,
        squares: Set,
        way: Direction,
        unridden: Set,
        lifted: Set,
        hunt: &mut Hunt,
    ) {
        if squares.meets(self.sliders(way)) {
            Self::note(hunt, lifted);
        }
        for end in squares & (unridden - (self.occupied - lifted)) {
            self.ridden::<LIFT>(end, way, unridden, lifted, hunt);
        }
    }

    /// Rides onto the square, which is an end: by who stands on the other end, or who ends a move
    /// there that has captured nothing.
    fn arrival<const LIFT: bool>(&self, target: At, hunt: &mut Hunt) {
        let stop = self.ladders.other(target);
        if self.men.has(stop) {
            hunt.found.attacked = true;
            return;
        }
        let Some(lifted) = self.open::<LIFT>(stop, Bitboard::EMPTY) else { return };
        let unridden = self.ladders.ends() - self.ladders.both(target);
        for way in Direction::ALL {
            self.slid::<LIFT>(stop, way, unridden, lifted, hunt);
        }
        for (near, kind) in [(Board8::knight(stop), Kind::KNIGHT), (Board8::king(stop), Kind::KING)]
        {
            if near.meets(self.of(kind)) {
                Self::note(hunt, lifted);
            }
            self.leapt::<LIFT>(near & unridden, self.of(kind), lifted, hunt);
        }
        self.stepped::<LIFT>(stop, unridden, lifted, hunt);
    }

    /// Pawns that end on the square by steps ahead.
    fn stepped<const LIFT: bool>(&self, stop: At, unridden: Set, lifted: Set, hunt: &mut Hunt) {
        let (by, pawns) = (self.by, self.of(Kind::PAWN));
        if stop.relative_rank(by) == 0 {
            return;
        }
        let behind = stop.forward(!by);
        // One step from where he stands or has ridden to.
        if pawns.has(behind) {
            Self::note(hunt, lifted);
        }
        self.leapt::<LIFT>(Bitboard::from(behind) & unridden, pawns, lifted, hunt);
        // Two steps, the same.
        if stop.relative_rank(by) == 3 {
            let start = behind.forward(!by);
            self.doubled::<LIFT>(start, &[behind], unridden, lifted, hunt);
        }
        // A step, a ride to the square behind, and the second step.
        if unridden.has(behind) {
            let first = self.ladders.other(behind);
            if first.relative_rank(by) == 2 {
                let start = first.forward(!by);
                let left = unridden - self.ladders.both(behind);
                self.doubled::<LIFT>(start, &[first, behind], left, lifted, hunt);
            }
        }
    }

    /// Pawns that step twice from `start`, over squares that must be empty or their origin.
    fn doubled<const LIFT: bool>(
        &self,
        start: At,
        over: &[At],
        unridden: Set,
        lifted: Set,
        hunt: &mut Hunt,
    ) {
        let pawns = self.of(Kind::PAWN);
        let way = |origin: At, lifted: Set| {
            over.iter().try_fold(lifted, |lifted, &square| {
                if square == origin { Some(lifted) } else { self.open::<LIFT>(square, lifted) }
            })
        };
        if pawns.has(start)
            && let Some(lifted) = way(start, lifted)
        {
            Self::note(hunt, lifted);
        }
        let origin = self.ladders.other(start);
        if unridden.has(start)
            && pawns.has(origin)
            && let Some(lifted) = self.open::<LIFT>(start, lifted)
            && let Some(lifted) = way(origin, lifted)
        {
            Self::note(hunt, lifted);
        }
    }
}

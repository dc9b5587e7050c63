//! Where a man comes to by rides of his side's ladders: told forwards from where he stands.

use crate::core::{Bitboard, Board8, Color, Direction, Geometry, Square};
use crate::game::kernel::{ChessMen, Kind, Men, State};

use super::set::LadderSet;
use super::threats::{direction, seen};

type Set = Bitboard<Board8>;
type At = Square<Board8>;

/// Where a man's ways with at least one ride in them end, but those that come to what a move of
/// chess comes to. Kings are heeded no more than by the moves of chess.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// He captures nothing and ends there.
    pub quiet: Set,
    /// He ends where he captures.
    pub take: Set,
    /// He captures there and rides on to the other end.
    pub shift: Set,
    /// He captures en passant and ends there, on another square than the captured pawn's.
    pub passing: Set,
}

impl Reach {
    pub(super) fn is_empty(&self) -> bool {
        (self.quiet | self.take | self.shift | self.passing).is_empty()
    }

    /// Whether some capture is not where he ends.
    #[inline(always)]
    pub(super) fn captures_on_the_way(&self) -> bool {
        (self.shift | self.passing).any()
    }
}

/// One man's ways.
struct Way<'a> {
    ladders: &'a LadderSet,
    us: Color,
    from: At,
    own: Set,
    enemy: Set,
    /// Everything but the man himself, who is lifted before anything else.
    occupied: Set,
    ep: Option<At>,
    /// By direction, the ends to which a ride in mid-slide has brought him. To be there again by
    /// another way brings him nowhere else: whoever rides a ladder twice could have left out all that
    /// came between, so that "each ladder once" need not be kept count of. But the ladder of a start
    /// ride is out.
    came: [Set; 8],
    reach: Reach,
}

/// Gives the men of the side to move, `us`, who may find something to ride, with where they come to: all but
/// those of whom one look says that neither they nor a square that they go to is an end.
#[inline(always)]
pub(super) fn each_reach<Found: FnMut(At, Kind, &mut Reach)>(
    state: &State<ChessMen>,
    us: Color,
    ladders: &LadderSet,
    mut found: Found,
) {
    let board = state.board();
    let (own, occupied) = (board.color(us), board.occupied());
    let ends = ladders.ends();
    let free = ends - own;
    // From here one may ride at the start.
    let starts = ladders.others(free);
    let look = |from: At, kind: Kind, plain: Set, found: &mut Found| {
        if plain.meets(free) || starts.has(from) {
            let mut way = Way::new(state, ladders);
            way.go(from, kind, plain);
            if !way.reach.is_empty() {
                found(from, kind, &mut way.reach);
            }
        }
    };
    // A pawn steps on an end, once or twice, or takes on one.
    let step = (ends - occupied).forward(!us);
    let steps = step | (step - occupied).forward(!us) & Bitboard::relative_rank(us, 1);
    let passed = state.ep().map_or(Bitboard::EMPTY, Bitboard::from);
    let prey = ends & (board.color(!us) | passed);
    let near = starts | steps | prey.pawn_attacks(!us);
    let simple = if passed.any() { Bitboard::EMPTY } else { !starts };
    for from in board.of(us, Kind::PAWN) & near {
        if simple.has(from) {
            found(from, Kind::PAWN, &mut simple_pawn(state, us, ladders, from));
        } else {
            look(from, Kind::PAWN, !Bitboard::EMPTY, &mut found);
        }
    }
    for (kind, men) in [Kind::KNIGHT, Kind::KING].map(|kind| (kind, board.of(us, kind))) {
        for from in men {
            let plain = if kind == Kind::KING { Board8::king(from) } else { Board8::knight(from) };
            if starts.has(from) {
                look(from, kind, plain, &mut found);
            } else if plain.meets(free) {
                found(from, kind, &mut simple_leap(state, us, ladders, plain));
            }
        }
    }
    for from in board.of(us, Kind::BISHOP) {
        look(from, Kind::BISHOP, Board8::bishop(from, occupied), &mut found);
    }
    for from in board.of(us, Kind::ROOK) {
        look(from, Kind::ROOK, Board8::rook(from, occupied), &mut found);
    }
    for from in board.of(us, Kind::QUEEN) {
        let plain = Board8::bishop(from, occupied) | Board8::rook(from, occupied);
        look(from, Kind::QUEEN, plain, &mut found);
    }
}

/// What a pawn comes to that starts by no ride, where nothing can be captured en passant. With no
/// free ladder under it, it comes back to its origin by none.
#[inline(always)]
fn simple_pawn(state: &State<ChessMen>, us: Color, ladders: &LadderSet, from: At) -> Reach {
    let board = state.board();
    let (enemy, empty) = (board.color(!us), !board.occupied());
    let ends = ladders.ends();
    let third = Bitboard::relative_rank(us, 2);
    let once = Bitboard::from(from).forward(us) & empty;
    let twice = (once & third).forward(us) & empty;
    let mut far = ladders.others((once | twice) & ends);
    let mut second = Bitboard::EMPTY;
    if once.meets(ends & third) {
        second = (ladders.others(once) & empty).forward(us) & empty;
        far |= ladders.others((second & ends) - once);
    }
    let captures = Board8::pawn(us, from) & enemy;
    Reach {
        quiet: (second | far & empty) - once - twice,
        take: (far & enemy) - captures,
        shift: ladders.others(ladders.others(captures & ends) & empty),
        passing: Bitboard::EMPTY,
    }
}

/// What a knight or king comes to that attacks `plain` and starts by no ride.
#[inline(always)]
fn simple_leap(state: &State<ChessMen>, us: Color, ladders: &LadderSet, plain: Set) -> Reach {
    let board = state.board();
    let (enemy, empty) = (board.color(!us), !board.occupied());
    let ends = plain & ladders.ends();
    let far = ladders.others(ends & empty) - plain;
    Reach {
        quiet: far & empty,
        take: far & enemy,
        shift: ladders.others(ladders.others(ends & enemy) & empty),
        passing: Bitboard::EMPTY,
    }
}

/// Where the man on that square, of the side to move, comes to by rides.
pub(super) fn reach(state: &State<ChessMen>, ladders: &LadderSet, from: At) -> Reach {
    let mut way = Way::new(state, ladders);
    if let Some(piece) = state.board().at(from) {
        way.go(from, piece.kind(), state.attacks_from(from));
    }
    way.reach
}

/// What the man on that square attacks by a ride at the start of his move, and by one from an empty
/// square that he attacks, after which a slider goes on.
pub(super) fn attacks(
    state: &State<ChessMen>,
    ladders: &[LadderSet; 2],
    from: At,
    attacks: Set,
) -> Set {
    let board = state.board();
    let Some(piece) = board.at(from) else { return Bitboard::EMPTY };
    let ladders = &ladders[piece.color().index()];
    let ends = ladders.ends();
    let mut found = Bitboard::EMPTY;
    if !ends.meets(attacks | from.into()) {
        return found;
    }
    let occupied = board.occupied() - from.into();
    let slides = (ChessMen::diagonals(board) | ChessMen::orthogonals(board)).has(from);
    for end in attacks & (ends - occupied) {
        let to = ladders.other(end);
        found |= to.into();
        if slides && !occupied.has(to) {
            found |= seen(to, direction(from, end), occupied);
        }
    }
    if ends.has(from) {
        let to = ladders.other(from);
        found |= to.into();
        if !occupied.has(to) {
            found |= match piece.kind() {
                Kind::PAWN => Board8::pawn(piece.color(), to),
                Kind::KNIGHT => Board8::knight(to),
                Kind::KING => Board8::king(to),
                Kind::BISHOP => Board8::bishop(to, occupied),
                Kind::ROOK => Board8::rook(to, occupied),
                _ => Board8::bishop(to, occupied) | Board8::rook(to, occupied),
            };
        }
    }
    found
}

impl<'a> Way<'a> {
    /// Nobody's yet.
    #[inline(always)]
    fn new(state: &State<ChessMen>, ladders: &'a LadderSet) -> Self {
        let us = state.turn();
        let board = state.board();
        Way {
            ladders,
            us,
            from: At::new(0),
            own: board.color(us),
            enemy: board.color(!us),
            occupied: board.occupied(),
            ep: state.ep(),
            came: [Bitboard::EMPTY; 8],
            reach: Reach::default(),
        }
    }

    /// Finds, once, the reach of a man of that kind who attacks `plain`; for pawns it does not matter.
    #[inline(always)]
    fn go(&mut self, from: At, kind: Kind, plain: Set) {
        let ends = self.ladders.ends();
        // His own square is as good as empty.
        let others = self.own - from.into();
        let open = ends - others;
        self.from = from;
        self.occupied = others | self.enemy;
        match kind {
            Kind::PAWN => self.pawn::<false>(from, ends),
            Kind::KNIGHT | Kind::KING => self.leap::<false>(plain, open),
            _ => self.slide::<false>(from, plain, open),
        }
        if ends.has(from) {
            let to = self.ladders.other(from);
            if self.enemy.has(to) {
                self.reach.take |= to.into();
            } else if !self.occupied.has(to) {
                self.ride_off(kind, to, ends - self.ladders.both(from));
            }
        }
        if kind == Kind::PAWN {
            self.without_plain_of_pawn();
        } else {
            self.reach.quiet -= plain | from.into();
            self.reach.take -= plain;
        }
    }

    /// A move of chess from that square after a start ride, with rides in it and after it.
    #[inline(never)]
    fn ride_off(&mut self, kind: Kind, from: At, unridden: Set) {
        match kind {
            Kind::PAWN => self.pawn::<true>(from, unridden),
            Kind::KNIGHT => self.leap::<true>(Board8::knight(from), unridden),
            Kind::KING => self.leap::<true>(Board8::king(from), unridden),
            _ => {
                let mut squares = Bitboard::EMPTY;
                if kind != Kind::ROOK {
                    squares |= Board8::bishop(from, self.occupied);
                }
                if kind != Kind::BISHOP {
                    squares |= Board8::rook(from, self.occupied);
                }
                self.slide::<true>(from, squares, unridden);
            }
        }
    }

    #[inline(always)]
    fn land(&mut self, squares: Set) {
        self.reach.quiet |= squares - self.occupied;
        self.reach.take |= squares & self.enemy;
    }

    /// Comes to these ends and rides on, to where it gives; after a capture, the move is over.
    #[inline(always)]
    fn ride_on(&mut self, ends: Set) -> Set {
        let victims = ends & self.enemy;
        if victims.any() {
            self.ride_away(victims);
        }
        let far = self.ladders.others(ends - self.occupied);
        self.land(far);
        far - self.occupied
    }

    /// Rides at the end of a move that captured on one of these ends.
    #[inline(always)]
    fn ride_away(&mut self, ends: Set) {
        let far = self.ladders.others(ends) - self.occupied - self.from.into();
        self.reach.shift |= self.ladders.others(far);
    }

    /// `RODE` says that there was a ride before, so that the squares themselves count too.
    #[inline(always)]
    fn leap<const RODE: bool>(&mut self, squares: Set, unridden: Set) {
        if RODE {
            self.land(squares);
        }
        let ends = squares & unridden;
        if ends.any() {
            self.ride_on(ends);
        }
    }

    /// All directions of a slider at once.
    fn slide<const RODE: bool>(&mut self, from: At, squares: Set, unridden: Set) {
        if RODE {
            self.land(squares);
        }
        for to in self.ride_on(squares & unridden) {
            self.slide_on(to, direction(from, self.ladders.other(to)), unridden);
        }
    }

    /// A slider goes on that way from an empty end.
    fn slide_on(&mut self, from: At, way: Direction, unridden: Set) {
        let came = &mut self.came[way as usize];
        if came.has(from) {
            return;
        }
        *came |= from.into();
        let squares = seen(from, way, self.occupied);
        self.land(squares);
        let ends = squares & unridden;
        if ends.any() {
            for to in self.ride_on(ends) {
                self.slide_on(to, way, unridden);
            }
        }
    }

    fn pawn<const RODE: bool>(&mut self, from: At, unridden: Set) {
        let us = self.us;
        let rank = from.relative_rank(us);
        if rank == 7 {
            return;
        }
        let first = from.forward(us);
        if !self.occupied.has(first) {
            self.step::<RODE>(first, unridden);
            if rank == 1 {
                let second = first.forward(us);
                if !self.occupied.has(second) {
                    self.step::<RODE>(second, unridden);
                }
                let to = self.ladders.other(first);
                if unridden.has(first) && !self.occupied.has(to) && to.relative_rank(us) < 7 {
                    let second = to.forward(us);
                    if !self.occupied.has(second) {
                        self.step::<true>(second, unridden - self.ladders.both(first));
                    }
                }
            }
        }
        let captures = Board8::pawn(us, from);
        if RODE {
            self.reach.take |= captures & self.enemy;
        }
        let victims = captures & self.enemy & unridden;
        if victims.any() {
            self.ride_away(victims);
        }
        if let Some(target) = self.ep
            && captures.has(target)
        {
            self.pass::<RODE>(target, unridden);
        }
    }

    #[inline(always)]
    fn step<const RODE: bool>(&mut self, to: At, unridden: Set) {
        if RODE {
            self.reach.quiet |= to.into();
        }
        if unridden.has(to) {
            self.land(self.ladders.other(to).into());
        }
    }

    /// A capture en passant, which leaves the captured pawn's square empty.
    fn pass<const RODE: bool>(&mut self, target: At, unridden: Set) {
        let captured = target.forward(!self.us);
        if RODE {
            self.reach.passing |= target.into();
        }
        if unridden.has(target) {
            let to = self.ladders.other(target);
            if to == captured {
                self.reach.take |= captured.into();
            } else if !self.occupied.has(to) && to != self.from {
                self.reach.passing |= to.into();
            }
        }
    }

    /// Leaves out what a pawn's move of chess comes to, and an end on the origin.
    fn without_plain_of_pawn(&mut self) {
        let (us, from) = (self.us, self.from);
        let empty = !self.occupied;
        let once = Bitboard::from(from).forward(us) & empty;
        let twice = (once & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let captures = Board8::pawn(us, from);
        let reach = &mut self.reach;
        reach.quiet -= once | twice | from.into();
        reach.take -= captures & self.enemy;
        if let Some(target) = self.ep {
            // To capture the passed pawn as any man is captured and to ride on may come to the same.
            let captured = target.forward(!us);
            let on = Bitboard::from(self.ladders.other(captured));
            let plain = captures & target.into();
            if on.meets(reach.passing | plain) {
                reach.shift -= captured.into();
            }
            reach.passing -= plain;
        }
    }
}

//! Attack tables, made by the compiler: no initialisation, no build script.

#[cfg(not(target_feature = "bmi2"))]
mod magics8;
pub(super) mod sliders10;
pub(super) mod sliders8;

use super::{Bitboard, Bits, Direction, Geometry, Square};

/// The steps of the eight directions as (files, ranks), in the order of [`Direction::ALL`].
pub(super) const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
/// The knight's, those to higher square numbers first; each one's opposite is four further on.
pub(super) const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (-2, 1), (-1, 2), (-1, -2), (-2, -1), (2, -1), (1, -2)];

/// The squares that those leaps reach from a square; bit = square number.
pub(super) const fn leaps(files: i32, ranks: i32, square: i32, steps: &[(i32, i32)]) -> u128 {
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        let (file, rank) = (square % files + steps[i].0, square / files + steps[i].1);
        if file >= 0 && file < files && rank >= 0 && rank < ranks {
            set |= 1 << (rank * files + file);
        }
        i += 1;
    }
    set
}

/// The squares from `square` (not included) along a step to the edge.
pub(super) const fn ray(files: i32, ranks: i32, square: i32, step: (i32, i32)) -> u128 {
    let mut set = 0;
    let (mut file, mut rank) = (square % files + step.0, square / files + step.1);
    while file >= 0 && file < files && rank >= 0 && rank < ranks {
        set |= 1 << (rank * files + file);
        file += step.0;
        rank += step.1;
    }
    set
}

/// Leaper, ray, between and line tables of one geometry, a row per square; rows past the board's
/// squares stay empty, so that a power-of-two mask can stand in for a bounds check.
macro_rules! tables {
    ($bits:ty, $files:literal, $ranks:literal, $rows:literal) => {
        use super::attacks::{KNIGHT_LEAPS, STEPS, leaps, ray};

        pub(super) const ROWS: usize = $rows;
        const SQUARES: usize = $files * $ranks;

        const fn leapers(steps: &[(i32, i32)]) -> [$bits; ROWS] {
            let mut table = [0; ROWS];
            let mut square = 0;
            while square < SQUARES {
                table[square] = leaps($files, $ranks, square as i32, steps) as $bits;
                square += 1;
            }
            table
        }

        const fn rays(steps: [(i32, i32); 8]) -> [[$bits; ROWS]; 8] {
            let mut table = [[0; ROWS]; 8];
            let mut way = 0;
            while way < 8 {
                let mut square = 0;
                while square < SQUARES {
                    table[way][square] = ray($files, $ranks, square as i32, steps[way]) as $bits;
                    square += 1;
                }
                way += 1;
            }
            table
        }

        // A constant's initialiser: no array is on any stack.
        #[allow(clippy::large_stack_arrays)]
        const fn joins(whole: bool) -> [[$bits; ROWS]; ROWS] {
            let mut table = [[0; ROWS]; ROWS];
            // No two squares share a line of both sorts.
            let mut way = 0;
            while way < 16 {
                let (rays, way_back) = if way < 8 { (&RAYS, way ^ 4) } else { (&RIDES, way ^ 12) };
                let ahead_of = &rays[way % 8];
                let mut from = 0;
                while from < SQUARES {
                    let ahead = ahead_of[from];
                    let line = ahead | rays[way_back][from] | 1 << from;
                    let mut rest = ahead;
                    while rest != 0 {
                        let to = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        table[from][to] =
                            if whole { line } else { ahead & !ahead_of[to] & !(1 << to) };
                    }
                    from += 1;
                }
                way += 1;
            }
            table
        }

        pub(super) static KNIGHT: [$bits; ROWS] = leapers(&KNIGHT_LEAPS);
        pub(super) static KING: [$bits; ROWS] = leapers(&STEPS);
        pub(super) static PAWN: [[$bits; ROWS]; 2] =
            [leapers(&[(-1, 1), (1, 1)]), leapers(&[(-1, -1), (1, -1)])];
        pub(super) static RAYS: [[$bits; ROWS]; 8] = rays(STEPS);
        pub(super) static RIDES: [[$bits; ROWS]; 8] = rays(KNIGHT_LEAPS);
        pub(super) static BETWEEN: [[$bits; ROWS]; ROWS] = joins(false);
        pub(super) static LINE: [[$bits; ROWS]; ROWS] = joins(true);
    };
}
pub(super) use tables;

/// A slider's attacks in one direction: the ray up to the first man, found by a bit scan.
#[cfg(any(test, not(target_feature = "bmi2")))]
#[inline(always)]
fn blocked_ray<G: Geometry>(
    direction: Direction,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    let ray = |square| G::ray(direction, square);
    up_to_first(ray, square, occupied, (direction as usize) < 4)
}

/// The squares of a line up to the first man; lines to higher square numbers ascend.
#[inline(always)]
fn up_to_first<G: Geometry>(
    ray: impl Fn(Square<G>) -> Bitboard<G>,
    square: Square<G>,
    occupied: Bitboard<G>,
    ascending: bool,
) -> Bitboard<G> {
    let line = ray(square);
    let men = line & occupied;
    // From the last square no line ascends and from the first none descends: with these as men
    // where there is no other, nothing is taken away.
    let first = if ascending {
        (men | Square::new(G::SQUARES - 1).into()).0.lowest()
    } else {
        (men | Square::new(0).into()).0.highest()
    };
    line - ray(Square::new(first as usize))
}

/// The squares that a knight's leap reaches that is repeated in a straight line over empty squares,
/// the first man on each line included.
#[inline(always)]
pub(super) fn rides<G: Geometry>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    (0..8).fold(Bitboard::EMPTY, |set, way| {
        set | up_to_first(|square| G::knight_ray(way, square), square, occupied, way < 4)
    })
}

/// The attacks of many sliders in one direction, by doubling steps.
#[inline(always)]
pub(super) fn fill<G: Geometry>(
    movers: Bitboard<G>,
    empty: Bitboard<G>,
    direction: Direction,
) -> Bitboard<G> {
    let (files, ranks) = STEPS[direction as usize];
    let shift = (ranks * G::FILES as i32 + files).unsigned_abs();
    let landing = match files {
        1 => !Bitboard::file(0),
        -1 => !Bitboard::file(G::FILES - 1),
        _ => Bitboard::ALL,
    };
    let ascending = (direction as usize) < 4;
    let moved = |set: Bitboard<G>, by: u32| if ascending { set << by } else { set >> by };
    let (mut reached, mut free) = (movers, empty & landing);
    let mut by = shift;
    // After k rounds a slider has gone 2^k − 1 squares.
    for _ in 0..usize::BITS - (G::FILES.max(G::RANKS) - 1).leading_zeros() {
        reached |= free & moved(reached, by);
        free &= moved(free, by);
        by *= 2;
    }
    moved(reached, shift) & landing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::zobrist::mix;
    use crate::core::{Board8, Board10};

    fn walk<G: Geometry>(square: Square<G>, occupied: Bitboard<G>, way: usize) -> Bitboard<G> {
        walk_by(STEPS[way], square, occupied)
    }

    fn walk_by<G: Geometry>(
        (files, ranks): (i32, i32),
        square: Square<G>,
        occupied: Bitboard<G>,
    ) -> Bitboard<G> {
        let mut set = Bitboard::EMPTY;
        let mut at = square;
        while let Some(next) = at.offset(files, ranks) {
            set |= next.into();
            if occupied.has(next) {
                break;
            }
            at = next;
        }
        set
    }

    fn random_set<G: Geometry>(seed: u64) -> Bitboard<G> {
        Square::all().filter(|s| mix(seed ^ ((s.index() as u64) << 32)).is_multiple_of(4)).collect()
    }

    fn sliders_equal_a_walk<G: Geometry>() {
        for seed in 0..200 {
            let occupied = random_set::<G>(seed);
            for square in Square::<G>::all() {
                let by_way: Vec<_> = (0..8).map(|way| walk(square, occupied, way)).collect();
                let rook = by_way[0] | by_way[1] | by_way[4] | by_way[5];
                let bishop = by_way[2] | by_way[3] | by_way[6] | by_way[7];
                assert_eq!(G::rook(square, occupied), rook, "rook {square} {occupied:?}");
                assert_eq!(G::bishop(square, occupied), bishop, "bishop {square} {occupied:?}");
                for (direction, walked) in Direction::ALL.into_iter().zip(by_way) {
                    assert_eq!(blocked_ray(direction, square, occupied), walked);
                }
                let rider = KNIGHT_LEAPS
                    .into_iter()
                    .fold(Bitboard::EMPTY, |set, leap| set | walk_by(leap, square, occupied));
                assert_eq!(G::nightrider(square, occupied), rider, "{square} {occupied:?}");
            }
        }
    }

    fn fills_equal_walks<G: Geometry>() {
        for seed in 0..500 {
            let occupied = random_set::<G>(seed);
            let movers: [_; 4] =
                std::array::from_fn(|way| random_set::<G>(seed * 8 + way as u64) & occupied);
            let targets = random_set::<G>(seed * 8 + 5) | random_set::<G>(seed * 8 + 6);
            let walks = |movers: Bitboard<G>, blockers: Bitboard<G>, way: usize| {
                movers.into_iter().fold(Bitboard::EMPTY, |set, s| set | walk(s, blockers, way))
            };
            let counted =
                (0..8).map(|way| (walks(movers[way & 3], occupied, way) & targets).count());
            assert_eq!(
                G::count_line_moves(movers, !occupied, targets),
                counted.sum::<u32>(),
                "{seed}"
            );

            let king = movers[3].into_iter().next().unwrap_or(Square::new(seed as usize % 64));
            let (orthogonals, diagonals) = (movers[0] - king.into(), movers[1] - king.into());
            let (mut all, mut pins) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for direction in Direction::ALL {
                let way = direction as usize;
                let movers = if direction.is_orthogonal() { orthogonals } else { diagonals };
                let attacks = walks(movers, occupied - king.into(), way);
                all |= attacks;
                pins |= attacks & walk(king, occupied, way ^ 4);
            }
            let found = G::line_threats(orthogonals, diagonals, king, occupied);
            assert_eq!((found.0, found.1 & occupied), (all, pins & occupied), "{seed}");
        }
    }

    fn joins_are_lines<G: Geometry>() {
        for from in Square::<G>::all() {
            for to in Square::<G>::all() {
                let mut steps = STEPS.into_iter().chain(KNIGHT_LEAPS);
                let found = steps.find(|&step| walk_by(step, from, to.into()).has(to));
                let (between, line) = found.map_or((Bitboard::EMPTY, Bitboard::EMPTY), |(x, y)| {
                    let whole = walk_by((x, y), from, Bitboard::EMPTY)
                        | walk_by((-x, -y), from, Bitboard::EMPTY)
                        | from.into();
                    (walk_by((x, y), from, to.into()) - to.into(), whole)
                });
                assert_eq!(G::between(from, to), between, "{from} {to}");
                assert_eq!(G::line(from, to), line, "{from} {to}");
            }
        }
    }

    #[test]
    fn on_eight_files() {
        sliders_equal_a_walk::<Board8>();
        fills_equal_walks::<Board8>();
        joins_are_lines::<Board8>();
    }

    #[test]
    fn on_ten_files() {
        sliders_equal_a_walk::<Board10>();
        fills_equal_walks::<Board10>();
        joins_are_lines::<Board10>();
    }

    fn sets_step_like_squares<G: Geometry>() {
        for square in Square::<G>::all() {
            let set = Bitboard::from(square);
            assert_eq!(set.knight_attacks(), G::knight(square));
            for color in crate::core::Color::ALL {
                assert_eq!(set.pawn_attacks(color), G::pawn(color, square));
                let way = if color.sign() > 0 { 0 } else { 4 };
                assert_eq!(set.front_fill(color), walk(square, Bitboard::EMPTY, way));
            }
            let king = Direction::ALL.into_iter().fold(Bitboard::EMPTY, |all, d| all | set.step(d));
            assert_eq!(king, G::king(square));
        }
    }

    #[test]
    fn set_wise_steps() {
        sets_step_like_squares::<Board8>();
        sets_step_like_squares::<Board10>();
    }
}

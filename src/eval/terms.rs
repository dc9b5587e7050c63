//! The features of a position, written once: added up for play, listed for tuning.

use crate::core::{Bitboard, Color, Direction, Geometry, Score};
use crate::game::kernel::{Ground, Kind, Men, State};
use crate::game::{Away, Game, GeometryOf, SquareOf};

use super::layout::{self, Class};
use super::{Accumulator, Evaluator, Packed, placement};

type Set<G> = Bitboard<GeometryOf<G>>;
type GroundOf<G> = <<G as Game>::Men as Men>::Ground;

/// What features are given to.
pub trait Sink {
    /// The position has the feature of that weight `count` times more for White than for Black.
    fn add(&mut self, weight: usize, count: i32);
}

pub(super) struct Sum<'a> {
    pub(super) weights: &'a [Packed],
    pub(super) total: Packed,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, weight: usize, count: i32) {
        self.total += self.weights[weight] * count;
    }
}

struct List(Vec<(u16, i16)>);

impl Sink for List {
    fn add(&mut self, weight: usize, count: i32) {
        self.0.push((weight as u16, count as i16));
    }
}

/// A position as the tuner sees it: White's score is the sum over features of
/// count × (middlegame × `middlegame` + endgame × `endgame`).
#[derive(Clone, Debug)]
pub struct Trace {
    /// Weight and how many times more White has its feature.
    pub features: Vec<(u16, i16)>,
    /// The share of the middlegame weights, 0 … 1.
    pub middlegame: f32,
    /// The share of the endgame weights, 0 … 1; the two need not add up to 1.
    pub endgame: f32,
}

/// The features of a position, one entry a weight.
pub fn trace<G: Game>(evaluator: &Evaluator<G>, position: &G) -> Trace {
    let mut list = List(Vec::new());
    for (square, piece) in position.state().board().pieces() {
        for weight in placement::<G>(piece.kind(), square.relative(piece.color())) {
            list.add(weight, piece.color().sign());
        }
    }
    features(position, &mut list);
    let mut counts = list.0;
    counts.sort_unstable_by_key(|&(weight, _)| weight);
    counts.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    counts.retain(|&(_, count)| count != 0);

    let sums: Accumulator = evaluator.fresh(position);
    let mut total = Sum { weights: &evaluator.weights, total: sums.placed };
    features(position, &mut total);
    let middlegame =
        evaluator.total_force(position, &sums).min(FULL_FORCE) as f32 / FULL_FORCE as f32;
    let scale = scale(position, total.total.endgame()) as f32 / 64.0;
    Trace { features: counts, middlegame, endgame: (1.0 - middlegame) * scale }
}

/// The force of both sides of chess at the start; as much or more is all middlegame.
const FULL_FORCE: i32 = 82;

/// Middlegame and endgame score blended by the force that is left.
pub(super) fn taper<G: Game>(position: &G, total: Packed, force: i32) -> Score {
    let force = force.min(FULL_FORCE);
    let (middlegame, endgame) = (total.middlegame(), total.endgame());
    let endgame = endgame * scale(position, endgame) / 64;
    (middlegame * force + endgame * (FULL_FORCE - force)) / FULL_FORCE
}

/// How much of an endgame advantage counts, of 64: little without pawns, half with bishops of
/// opposite colours and nothing else.
fn scale<G: Game>(position: &G, endgame: i32) -> i32 {
    // Where no pawn can promote, pawns are nothing to win by; and who comes back to a king's square
    // wins without any.
    if <G::Men as Men>::PROMOTIONS.is_empty() || G::TRACKS {
        return 64;
    }
    let board = position.state().board();
    let strong = Color::white_if(endgame >= 0);
    let [own, other] = [strong, !strong]
        .map(|color| board.color(color) - board.kind(Kind::PAWN) - board.kind(Kind::KING));
    let pawns = board.of(strong, Kind::PAWN).count() as i32;
    let leapers = <G::Men as Men>::knights(board) | <G::Men as Men>::nightriders(board);
    let diagonals = <G::Men as Men>::diagonals(board);
    let bishops = diagonals - <G::Men as Men>::orthogonals(board) - leapers;
    let opposite = match ((own & bishops).first(), (other & bishops).first()) {
        (Some(a), Some(b)) => {
            (a.file() + a.rank() + b.file() + b.rank()) % 2 == 1
                && (own & bishops).count() == 1
                && (other & bishops).count() == 1
        }
        _ => false,
    };
    if pawns == 0 && own.count() <= other.count() + 1 && own.count() < 3 {
        let mates = <G::Men as Men>::orthogonals(board) | diagonals & leapers;
        // A minor piece more does not win without pawns; a rook or queen against nothing does.
        let winning = other.is_empty() && own.meets(mates);
        return if winning { 64 } else { 12 };
    }
    if opposite {
        return if own.count() == 1 && other.count() == 1 { 24 + 4 * pawns } else { 48 + pawns };
    }
    (44 + 4 * pawns).min(64)
}

/// What one side attacks.
struct Side<G: Game> {
    pawns: Set<G>,
    king: SquareOf<G>,
    ring: Set<G>,
    /// Squares attacked by pawns, and all attacked, once or more and twice or more.
    by_pawn: Set<G>,
    by_minor: Set<G>,
    by_rook: Set<G>,
    by_king: Set<G>,
    all: Set<G>,
    twice: Set<G>,
    /// Strength of the attack on the enemy king's ring.
    pressure: i32,
    attackers: i32,
    /// Squares attacked by each kind, where a die names kinds.
    by_kind: [Set<G>; layout::KINDS],
}

impl<G: Game> Side<G> {
    fn new(state: &State<G::Men>, us: Color) -> Self {
        let mut pawns = state.board().of(us, Kind::PAWN);
        if super::pawns_may_stay::<G>() {
            pawns -= Bitboard::relative_rank(us, GeometryOf::<G>::RANKS - 1);
        }
        let king = state.king(us);
        let by_pawn = pawns.pawn_attacks(us);
        let by_king = GeometryOf::<G>::king(king);
        let ahead = pawns.forward(us);
        Self {
            pawns,
            king,
            ring: by_king | by_king.forward(us) | king.into(),
            by_pawn,
            by_minor: Bitboard::EMPTY,
            by_rook: Bitboard::EMPTY,
            by_king,
            all: by_pawn | by_king,
            twice: by_pawn & by_king | ahead.step(Direction::East) & ahead.step(Direction::West),
            pressure: 0,
            attackers: 0,
            by_kind: [Bitboard::EMPTY; layout::KINDS],
        }
    }

    fn attack(&mut self, set: Set<G>) {
        self.twice |= self.all & set;
        self.all |= set;
    }
}

fn class_at<G: Game>(state: &State<G::Men>, square: SquareOf<G>) -> Option<Class> {
    let board = state.board();
    let piece = board.at(square)?;
    if piece.kind() == Kind::PAWN || piece.kind() == Kind::KING {
        return None;
    }
    Some(super::class(crate::game::kernel::Movement {
        knight: <G::Men as Men>::knights(board).has(square),
        diagonal: <G::Men as Men>::diagonals(board).has(square),
        orthogonal: <G::Men as Men>::orthogonals(board).has(square),
        nightrider: <G::Men as Men>::nightriders(board).has(square),
    }))
}

/// Gives every feature but the pieces' own worth and placement.
pub(super) fn features<G: Game, S: Sink>(position: &G, sink: &mut S) {
    let state = position.state();
    let mut sides = [Side::<G>::new(state, Color::White), Side::new(state, Color::Black)];
    for us in Color::ALL {
        men(position, us, &mut sides, sink);
        if G::HAS_LADDERS {
            ladders(position, us, sink);
        }
    }
    for us in Color::ALL {
        // Their structure is about passed pawns, sooner or later.
        if !<G::Men as Men>::PROMOTIONS.is_empty() {
            pawns::<G, S>(state, us, &sides, sink);
        }
        king::<G, S>(state, us, &sides, sink);
        threats::<G, S>(state, us, &sides, sink);
    }
    if G::DICE {
        for us in Color::ALL {
            attacks::<G, S>(state, us, &sides, sink);
        }
    }
    if G::TRACKS {
        tracks(position, sink);
    }
    if G::POOLED {
        for us in Color::ALL {
            prospects::<G, S>(position, us, &sides, sink);
        }
    }
    sink.add(layout::TURN, state.turn().sign());
}

/// Men that are away, what their returns capture, gems to send others, and free moves.
fn tracks<G: Game, S: Sink>(position: &G, sink: &mut S) {
    let board = position.state().board();
    let row = |kind: Kind| kind.index() % layout::MEN;
    let capped = |count: usize, most: usize| count.min(most - 1);
    position.away(|Away { piece, square, wait, free }| {
        let (sign, wait, row_of_man) = (piece.color().sign(), wait as usize, row(piece.kind()));
        let near = capped(wait, layout::WAITS);
        sink.add(layout::AWAY + row_of_man * layout::WAITS + near, sign);
        let free = capped(usize::from(free), layout::FREE_MOVES);
        sink.add(layout::AWAY_FREE + row_of_man * layout::FREE_MOVES + free, sign);
        if let Some(hit) = board.at(square) {
            let enemy = usize::from(hit.color() != piece.color());
            if hit.kind() == Kind::KING {
                sink.add(layout::AWAY_KING + enemy * layout::WAITS + near, sign);
            } else {
                let group =
                    layout::AWAY_HITS + (enemy * layout::MEN + row(hit.kind())) * layout::HIT_WAITS;
                sink.add(group + capped(wait, layout::HIT_WAITS), sign);
            }
        }
    });
    for color in Color::ALL {
        let gems = position.gem_count(color) as usize;
        for gem in 0..gems {
            sink.add(layout::GEM + gem.min(3), color.sign());
        }
    }
    if let Some((square, left)) = position.free_mover()
        && let Some(piece) = board.at(square)
    {
        let left = capped(usize::from(left), layout::FREE_MOVES);
        let group = layout::FREE + row(piece.kind()) * layout::FREE_MOVES;
        sink.add(group + left, piece.color().sign());
    }
}

/// Pawns by the worthiest man that they may become, where only what was lost comes back.
fn prospects<G: Game, S: Sink>(position: &G, us: Color, sides: &[Side<G>; 2], sink: &mut S) {
    let prospect = match <G::Men as Men>::WORTH[position.best_promotion(us).index()] {
        ..=200 => return,
        201..=400 => 0,
        401..=700 => 1,
        701..=1000 => 2,
        _ => 3,
    };
    for square in sides[us.index()].pawns {
        sink.add(layout::PROSPECT + prospect * 8 + rank_bucket::<G>(square, us), us.sign());
    }
}

/// Who attacks whom, by kinds: a capture happens as often as its kind's face is rolled.
fn attacks<G: Game, S: Sink>(state: &State<G::Men>, us: Color, sides: &[Side<G>; 2], sink: &mut S) {
    let board = state.board();
    let (own, enemy) = (&sides[us.index()], &sides[(!us).index()]);
    let mut attacks = own.by_kind;
    attacks[Kind::PAWN.index()] = own.by_pawn;
    attacks[Kind::KING.index()] = own.by_king;
    let now = usize::from(us == state.turn());
    for (victim, men) in (0..layout::KINDS).map(|kind| (kind, board.of(!us, Kind(kind as u8)))) {
        let (open, guarded) = (men - enemy.all, men & enemy.all);
        for (attacker, &attacks) in attacks.iter().enumerate() {
            let hit = attacks & men;
            if hit.any() {
                let pair = layout::ATTACK
                    + ((now * layout::KINDS + attacker) * layout::KINDS + victim) * 2;
                sink.add(pair, us.sign() * (hit & open).count() as i32);
                sink.add(pair + 1, us.sign() * (hit & guarded).count() as i32);
            }
        }
    }
}

/// What a man's attack on a king's ring adds to the pressure, by class.
const PRESSURE: [i32; layout::CLASSES] = [2, 2, 3, 4];

fn men<G: Game, S: Sink>(position: &G, us: Color, sides: &mut [Side<G>; 2], sink: &mut S) {
    let state = position.state();
    let board = state.board();
    let sign = us.sign();
    let Side { pawns: enemy_pawns, ring: enemy_ring, by_pawn: enemy_guards, .. } =
        sides[(!us).index()];
    let own_pawns = sides[us.index()].pawns;
    let low = Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2);
    let stuck = own_pawns & (low | board.occupied().forward(!us));
    let area = !(stuck | board.of(us, Kind::KING) | enemy_guards);
    let men = board.color(us) - board.kind(Kind::PAWN) - board.kind(Kind::KING);
    let driven_away = enemy_pawns.front_fill(!us);
    let driven_away = driven_away.step(Direction::East) | driven_away.step(Direction::West);
    let advanced =
        (3..6).fold(Bitboard::EMPTY, |set, rank| set | Bitboard::relative_rank(us, rank));
    let outposts = (sides[us.index()].by_pawn & advanced) - driven_away;

    for from in men {
        let mut attacks = state.attacks_from(from);
        let Some(class) = class_at::<G>(state, from) else { continue };
        if G::HAS_LADDERS {
            let ridden = position.ridden_attacks(from, attacks) - attacks;
            for square in ridden & board.color(!us) {
                if let Some(victim) = class_at::<G>(state, square) {
                    sink.add(layout::LADDER_THREAT + victim as usize, sign);
                }
            }
            attacks |= ridden;
        }
        let side = &mut sides[us.index()];
        side.attack(attacks);
        if G::DICE
            && let Some(piece) = board.at(from)
        {
            side.by_kind[piece.kind().index() % layout::KINDS] |= attacks;
        }
        let reach = ((attacks & area).count() as usize).min(layout::REACH - 1);
        sink.add(layout::MOBILITY + class as usize * layout::REACH + reach, sign);
        if GroundOf::<G>::CHANGES_MEN {
            let reach = attacks - board.color(us) - enemy_guards;
            grounds::<G, S>(state, us, reach, layout::GROUND, sink);
        }
        let hits = attacks & enemy_ring;
        if hits.any() {
            side.attackers += 1;
            side.pressure += PRESSURE[class as usize] + hits.count() as i32;
        }
        match class {
            Class::Knight | Class::Diagonal => {
                side.by_minor |= attacks;
                if outposts.has(from) {
                    sink.add(layout::OUTPOST + class as usize, sign);
                }
                if own_pawns.has(from.forward(us)) {
                    sink.add(layout::SHIELDED, sign);
                }
            }
            Class::Orthogonal => {
                side.by_rook |= attacks;
                let file = Bitboard::file(from.file());
                if !file.meets(own_pawns) {
                    sink.add(layout::ROOK_FILE + usize::from(!file.meets(enemy_pawns)), sign);
                }
            }
            Class::Compound => {}
        }
    }
    let bishops = <G::Men as Men>::diagonals(board)
        - <G::Men as Men>::orthogonals(board)
        - <G::Men as Men>::knights(board)
        - <G::Men as Men>::nightriders(board);
    if (men & bishops).several() {
        sink.add(layout::BISHOP_PAIR, sign);
    }
    if GroundOf::<G>::CHANGES_MEN {
        let group = layout::GROUND + layout::GROUNDS;
        grounds::<G, S>(state, us, steps::<G>(state, us, own_pawns), group, sink);
    }
}

/// A side's ladders: where they lie, and who stands on them.
fn ladders<G: Game, S: Sink>(position: &G, us: Color, sink: &mut S) {
    let state = position.state();
    let board = state.board();
    let (own, enemy_king) = (board.color(us), state.king(!us));
    position.each_ladder(us, |ends| {
        for end in ends {
            let bucket = layout::bucket::<GeometryOf<G>>(end.relative(us));
            sink.add(layout::LADDER_END + bucket, us.sign());
        }
        let distance = ends.map(|end| distance::<G>(end, enemy_king)).into_iter().min();
        sink.add(layout::LADDER_KING + distance.unwrap_or(7), us.sign());
        let riders = ends.into_iter().zip(ends.into_iter().rev());
        for (from, _) in riders.filter(|&(from, to)| own.has(from) && !own.has(to)) {
            if let Some(piece) = board.at(from) {
                let kind = piece.kind().index() % layout::KINDS;
                sink.add(layout::LADDER_RIDER + kind, us.sign());
            }
        }
    });
}

/// Where pawns can step.
fn steps<G: Game>(state: &State<G::Men>, us: Color, pawns: Set<G>) -> Set<G> {
    let empty = !state.board().occupied();
    let once = pawns.forward(us) & empty;
    once | State::<G::Men>::may_step_again(us, once).forward(us) & empty
}

/// What men would become on the squares within reach.
fn grounds<G: Game, S: Sink>(
    state: &State<G::Men>,
    us: Color,
    reach: Set<G>,
    group: usize,
    sink: &mut S,
) {
    for ground in 0..layout::GROUNDS {
        let squares = state.ground().squares(Kind(ground as u8));
        sink.add(group + ground, us.sign() * (reach & squares).count() as i32);
    }
}

/// The rank as eight buckets, whatever the board's height.
fn rank_bucket<G: Game>(square: SquareOf<G>, us: Color) -> usize {
    square.relative_rank(us) * 8 / GeometryOf::<G>::RANKS
}

fn distance<G: Game>(a: SquareOf<G>, b: SquareOf<G>) -> usize {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())).min(7)
}

fn pawns<G: Game, S: Sink>(state: &State<G::Men>, us: Color, sides: &[Side<G>; 2], sink: &mut S) {
    let board = state.board();
    let sign = us.sign();
    let (own, enemy) = (&sides[us.index()], &sides[(!us).index()]);
    let pawns = own.pawns;
    let beside = |set: Set<G>| set.step(Direction::East) | set.step(Direction::West);
    let front = pawns.front_fill(us);
    let rear = pawns.front_fill(!us);
    let files = front | rear | pawns;

    sink.add(layout::ISOLATED, sign * (pawns - beside(files)).count() as i32);
    sink.add(layout::DOUBLED, sign * (pawns & front).count() as i32);
    // Squares that an own pawn guards or may come to guard.
    let guardable = beside(front) | own.by_pawn;
    let backward = (pawns - beside(pawns) - guardable).forward(us) & enemy.by_pawn;
    sink.add(layout::BACKWARD, sign * backward.count() as i32);
    for square in pawns & beside(pawns) {
        sink.add(layout::PHALANX + rank_bucket::<G>(square, us), sign);
    }
    for square in pawns & own.by_pawn {
        sink.add(layout::GUARDED + rank_bucket::<G>(square, us), sign);
    }

    let enemy_front = enemy.pawns.front_fill(!us);
    for square in pawns - enemy_front - beside(enemy_front) - rear {
        let rank = rank_bucket::<G>(square, us);
        let next = square.forward(us);
        sink.add(layout::PASSED + rank, sign);
        if board.color(!us).has(next) {
            sink.add(layout::PASSED_BLOCKED + rank, sign);
        } else if !enemy.all.has(next) {
            sink.add(layout::PASSED_SAFE + rank, sign);
        }
        if rank > 2 {
            sink.add(layout::PASSED_OWN_KING + distance::<G>(own.king, next), sign);
            sink.add(layout::PASSED_ENEMY_KING + distance::<G>(enemy.king, next), sign);
        }
    }

    let half = GeometryOf::<G>::FILES / 2;
    let center = (half - 2..half + 2).fold(Bitboard::EMPTY, |set, file| set | Bitboard::file(file));
    let space = center & rear & (!pawns - enemy.by_pawn);
    sink.add(layout::SPACE, sign * (space & low_ranks::<G>(us)).count() as i32);
}

fn low_ranks<G: Game>(us: Color) -> Set<G> {
    (1..4).fold(Bitboard::EMPTY, |set, rank| set | Bitboard::relative_rank(us, rank))
}

fn king<G: Game, S: Sink>(state: &State<G::Men>, us: Color, sides: &[Side<G>; 2], sink: &mut S) {
    let board = state.board();
    let sign = us.sign();
    let (own, enemy) = (&sides[us.index()], &sides[(!us).index()]);
    let king = own.king;

    let rank = king.relative_rank(us);
    let not_behind = (rank..GeometryOf::<G>::RANKS)
        .fold(Bitboard::EMPTY, |set, rank| set | Bitboard::relative_rank(us, rank));
    for shift in [-1_i32, 0, 1] {
        let Some(at) = king.offset(shift, 0) else { continue };
        let file = Bitboard::file(at.file()) & not_behind;
        let base = if shift == 0 { 0 } else { 8 };
        for (pawns, group) in [(own.pawns, layout::SHIELD), (enemy.pawns, layout::STORM)] {
            let nearest = match us {
                Color::White => (pawns & file).into_iter().next(),
                Color::Black => (pawns & file).into_iter().last(),
            };
            let bucket = nearest.map_or(0, |square| rank_bucket::<G>(square, us));
            sink.add(group + base + bucket, sign);
        }
    }

    let occupied = board.occupied();
    let weak = enemy.all & !own.twice & (own.by_king | !own.all);
    let safe = !board.color(!us) & (!own.all | weak & enemy.twice);
    let (rook, bishop) =
        (GeometryOf::<G>::rook(king, occupied), GeometryOf::<G>::bishop(king, occupied));
    let mut pressure = enemy.pressure + 2 * (own.ring & weak).count() as i32;
    let knights = GeometryOf::<G>::knight(king) & safe;
    // A check counts by the way of moving that gives it.
    let men = board.color(!us);
    for (squares, movers, weight) in [
        (knights, <G::Men as Men>::knights(board), 3),
        (bishop & safe, <G::Men as Men>::diagonals(board), 2),
        (rook & safe, <G::Men as Men>::orthogonals(board), 4),
    ] {
        let checks = (movers & men).into_iter().any(|from| state.attacks_from(from).meets(squares));
        pressure += if checks { weight } else { 0 };
    }
    let riders = <G::Men as Men>::nightriders(board) & men;
    if <G::Men as Men>::NIGHTRIDERS && riders.any() {
        let squares = GeometryOf::<G>::nightrider(king, occupied) & safe;
        let checks = riders.into_iter().any(|from| state.attacks_from(from).meets(squares));
        pressure += if checks { 4 } else { 0 };
    }
    if enemy.attackers > 0 {
        let compounds = <G::Men as Men>::diagonals(board) & <G::Men as Men>::orthogonals(board);
        if !men.meets(compounds) {
            pressure -= 6;
        }
        let step = pressure.clamp(0, layout::DANGER_STEPS as i32 - 1) as usize;
        sink.add(layout::DANGER + step, sign);
    }
}

fn threats<G: Game, S: Sink>(state: &State<G::Men>, us: Color, sides: &[Side<G>; 2], sink: &mut S) {
    let board = state.board();
    let sign = us.sign();
    let (own, enemy) = (&sides[us.index()], &sides[(!us).index()]);
    let victims = board.color(!us) - enemy.pawns - board.kind(Kind::KING);
    for (attacks, group) in [
        (own.by_pawn, layout::PAWN_THREAT),
        (own.by_minor, layout::MINOR_THREAT),
        (own.by_rook, layout::ROOK_THREAT),
    ] {
        for square in victims & attacks {
            if let Some(class) = class_at::<G>(state, square) {
                sink.add(group + class as usize, sign);
            }
        }
    }
    let unguarded = board.color(!us) - enemy.all - board.kind(Kind::KING);
    sink.add(layout::HANGING, sign * (unguarded & own.all).count() as i32);
    sink.add(layout::KING_THREAT, sign * (unguarded & own.by_king).count() as i32);

    let safe = (steps::<G>(state, us, own.pawns) - enemy.by_pawn) & (own.all | !enemy.all);
    let attacked = safe.pawn_attacks(us) & victims;
    sink.add(layout::PUSH_THREAT, sign * attacked.count() as i32);
}

//! Where each weight stands: declared here once, valued in the generated list beside it.

use crate::core::{Geometry, Square};

/// Men by how they move, for weights that depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    /// Knights.
    Knight,
    /// Bishops.
    Diagonal,
    /// Rooks.
    Orthogonal,
    /// All that combine several of these: queens, archbishops, …
    Compound,
}

/// The number of classes.
pub const CLASSES: usize = 4;
/// Placement squares: files mirrored to 4, ranks from the own side's view, 8.
pub const BUCKETS: usize = 32;
/// Mobility counts told apart.
pub const REACH: usize = 28;
/// Kinds of men told apart where a die names them.
pub const KINDS: usize = 6;
/// Kinds that men become by the square they stand on: pawns, then those of [`Class`].
pub const GROUNDS: usize = CLASSES + 1;
/// Kinds of men that can be away.
pub const MEN: usize = 5;
/// Turns before the one that brings a man back, told apart; more count as the most.
pub const WAITS: usize = 8;
/// The same, for what its return captures.
pub const HIT_WAITS: usize = 4;
/// Numbers of free moves told apart, from none.
pub const FREE_MOVES: usize = 6;
/// Kinds of men beyond those of chess that have weights of their own.
pub const FURTHER_KINDS: usize = 10;
/// What a pawn may become where that depends on what was lost, told apart by worth.
pub const PROSPECTS: usize = 4;
/// Steps of danger to a king told apart.
pub const DANGER_STEPS: usize = 32;

/// The placement bucket of a square as its owner sees it; larger boards are scaled down.
pub fn bucket<G: Geometry>(square: Square<G>) -> usize {
    let file = square.file().min(G::FILES - 1 - square.file());
    let rank = square.rank();
    rank * 8 / G::RANKS * 4 + file * 8 / G::FILES
}

macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident: $length:expr;)*) => {
        layout!(@offsets 0; $($(#[$doc])* $name: $length;)*);
        /// Every group of weights: its name and how many it holds, in order.
        pub const GROUPS: &[(&str, usize)] = &[$((stringify!($name), $length)),*];
    };
    (@offsets $at:expr; $(#[$doc:meta])* $name:ident: $length:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $at;
        layout!(@offsets $at + $length; $($rest)*);
    };
    (@offsets $at:expr;) => {
        /// The number of all weights.
        pub const COUNT: usize = $at;
    };
}

layout! {
    /// A pawn.
    PAWN_WORTH: 1;
    /// A way of moving, by class; a compound's is what it is worth beyond its parts.
    WORTH: CLASSES;
    /// A pawn's placement.
    PAWN_PLACE: BUCKETS;
    /// A king's placement.
    KING_PLACE: BUCKETS;
    /// Placement by class.
    PLACE: CLASSES * BUCKETS;
    /// By class and number of safe squares attacked.
    MOBILITY: CLASSES * REACH;
    /// Two bishops or more.
    BISHOP_PAIR: 1;
    /// A rook on a file without own pawns; without any.
    ROOK_FILE: 2;
    /// A knight or bishop that an own pawn guards and no enemy pawn can drive away; by class.
    OUTPOST: 2;
    /// A knight or bishop behind an own pawn.
    SHIELDED: 1;
    /// A pawn without own pawns on the files beside it.
    ISOLATED: 1;
    /// Pawns behind another on a file.
    DOUBLED: 1;
    /// A pawn that cannot be guarded by a pawn and may not step ahead safely.
    BACKWARD: 1;
    /// A pawn with one beside it, by rank.
    PHALANX: 8;
    /// A pawn guarded by a pawn, by rank.
    GUARDED: 8;
    /// A passed pawn, by rank.
    PASSED: 8;
    /// A passed pawn whose next square is held by an enemy man, by rank.
    PASSED_BLOCKED: 8;
    /// A passed pawn whose next square is safe, by rank.
    PASSED_SAFE: 8;
    /// A passed pawn and the own king's distance from its next square, by distance.
    PASSED_OWN_KING: 8;
    /// A passed pawn and the enemy king's distance from its next square, by distance.
    PASSED_ENEMY_KING: 8;
    /// The nearest own pawn ahead on the king's file and beside it, by rank as the owner sees it,
    /// 0 for none; the king's own file first.
    SHIELD: 16;
    /// The nearest enemy pawn ahead on those files, by rank as the king's side sees it.
    STORM: 16;
    /// Danger to a king in steps.
    DANGER: DANGER_STEPS;
    /// A pawn's attack on a man, by class.
    PAWN_THREAT: CLASSES;
    /// A knight's or bishop's attack on a man, by class of the victim.
    MINOR_THREAT: CLASSES;
    /// A rook's attack on a man, by class of the victim.
    ROOK_THREAT: CLASSES;
    /// A king's attack on an unguarded man or pawn.
    KING_THREAT: 1;
    /// An enemy man attacked and not guarded.
    HANGING: 1;
    /// Enemy men that a safe pawn's step would attack.
    PUSH_THREAT: 1;
    /// Squares behind the own pawns, in the centre, that no enemy pawn attacks.
    SPACE: 1;
    /// The side to decide.
    TURN: 1;
    /// In games of dice, men that some man of a kind attacks: by whether the attacker is to move, its
    /// kind, the victim's kind and whether that is guarded.
    ATTACK: 2 * KINDS * KINDS * 2;
    /// Where men move by their squares, those within reach, by what a man becomes there: of men, then
    /// of pawns' steps.
    GROUND: 2 * GROUNDS;
    /// Where men may be away on tracks, a gem: the first, second, third, and each further one.
    GEM: 4;
    /// A man that is away, by its kind and the turns before the one that brings it back.
    AWAY: MEN * WAITS;
    /// A man that is away and the free moves that await it, by kind and number.
    AWAY_FREE: MEN * FREE_MOVES;
    /// A man on a square to which another comes back: whether it is the enemy's, its kind, and the
    /// turns before.
    AWAY_HITS: 2 * MEN * HIT_WAITS;
    /// A king there: whether it is the enemy's, and the turns before.
    AWAY_KING: 2 * WAITS;
    /// Free moves left of the man that has just come back, by kind and number.
    FREE: MEN * FREE_MOVES;
    /// Riding like a nightrider, beyond what compounds are worth.
    NIGHTRIDER: 1;
    /// A nightrider's placement.
    NIGHTRIDER_PLACE: BUCKETS;
    /// What a man beyond those of chess is worth apart from how it moves, by kind.
    KIND: FURTHER_KINDS;
    /// A pawn whose side has lost something that it may become, by its best prospect and rank.
    PROSPECT: PROSPECTS * 8;
    /// An end of an own ladder, by placement as its owner sees it.
    LADDER_END: BUCKETS;
    /// An own ladder, by the distance of its nearer end from the enemy king.
    LADDER_KING: 8;
    /// An own man on an end of an own ladder whose other end he may ride to, by kind.
    LADDER_RIDER: KINDS;
    /// An own man's attack by a ride on a man, by class of the victim.
    LADDER_THREAT: CLASSES;
}

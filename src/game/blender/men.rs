//! The men, what they are made of, and which of them merge.

use std::marker::PhantomData;

use crate::core::{Bitboard, Board8, Board10, Geometry, Square};
use crate::game::kernel::{Board, Kind, Letters, Men};

/// The original archbishop, of one piece.
pub const ARCHBISHOP: Kind = Kind(6);
/// The original chancellor, of one piece.
pub const CHANCELLOR: Kind = Kind(7);
/// `+Q`: rook and bishop.
pub const MERGED_QUEEN: Kind = Kind(8);
/// `+A`: bishop and knight.
pub const MERGED_ARCHBISHOP: Kind = Kind(9);
/// `+C`: rook and knight.
pub const MERGED_CHANCELLOR: Kind = Kind(10);
/// `+M`: rook, bishop and knight.
pub const AMAZON: Kind = Kind(11);
/// `+H`: two knights.
pub const NIGHTRIDER: Kind = Kind(12);
/// `+U`: bishop and two knights.
pub const UNICORN: Kind = Kind(13);
/// `+V`: rook and two knights.
pub const RAVEN: Kind = Kind(14);
/// `+S`: rook, bishop and two knights.
pub const SORCEROR: Kind = Kind(15);

/// The number of kinds.
pub(super) const KINDS: usize = 16;

/// The men of which pools are kept, and in which a pool is written.
pub(super) const POOLED: [Kind; 14] = [
    Kind::KNIGHT,
    Kind::BISHOP,
    Kind::ROOK,
    Kind::QUEEN,
    ARCHBISHOP,
    CHANCELLOR,
    MERGED_QUEEN,
    MERGED_ARCHBISHOP,
    MERGED_CHANCELLOR,
    NIGHTRIDER,
    AMAZON,
    UNICORN,
    RAVEN,
    SORCEROR,
];

/// How many rooks, bishops and knights each kind is made of; nothing for those that do not part.
const PARTS: [[u8; 3]; KINDS] = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 0, 2],
    [0, 1, 2],
    [1, 0, 2],
    [1, 1, 2],
];

const fn made_of(wanted: [i8; 3]) -> Option<Kind> {
    let mut kind = 0;
    while kind < KINDS {
        let parts = PARTS[kind];
        let [rooks, bishops, knights] = [parts[0] as i8, parts[1] as i8, parts[2] as i8];
        let is_made = rooks + bishops + knights > 0;
        if is_made && rooks == wanted[0] && bishops == wanted[1] && knights == wanted[2] {
            return Some(Kind(kind as u8));
        }
        kind += 1;
    }
    None
}

/// What each kind becomes with another's parts added (`sign` 1) or taken away (−1).
const fn combined(sign: i8) -> [[Option<Kind>; KINDS]; KINDS] {
    let mut table = [[None; KINDS]; KINDS];
    let mut whole = 0;
    while whole < KINDS {
        let mut part = 0;
        while part < KINDS {
            let (a, b) = (PARTS[whole], PARTS[part]);
            if a[0] + a[1] + a[2] > 0 && b[0] + b[1] + b[2] > 0 {
                table[whole][part] = made_of([
                    a[0] as i8 + sign * b[0] as i8,
                    a[1] as i8 + sign * b[1] as i8,
                    a[2] as i8 + sign * b[2] as i8,
                ]);
            }
            part += 1;
        }
        whole += 1;
    }
    table
}

static SUM: [[Option<Kind>; KINDS]; KINDS] = combined(1);
static REST: [[Option<Kind>; KINDS]; KINDS] = combined(-1);

/// What comes of a man that moves onto an own one, if the rules let the two merge.
#[inline]
pub fn merged(mover: Kind, target: Kind, nightriders: bool) -> Option<Kind> {
    if !partners(mover, nightriders).contains(&target) {
        return None;
    }
    SUM[mover.index()][target.index()]
}

/// Onto what a man may merge. `nightriders`: whether two knights make one.
#[inline(always)]
pub(super) fn partners(mover: Kind, nightriders: bool) -> &'static [Kind] {
    const N: Kind = Kind::KNIGHT;
    const B: Kind = Kind::BISHOP;
    const R: Kind = Kind::ROOK;
    match (mover, nightriders) {
        (N, false) => &[B, R, MERGED_QUEEN],
        (B, false) => &[N, R, MERGED_CHANCELLOR],
        (R, false) => &[N, B, MERGED_ARCHBISHOP],
        (N, true) => &[B, R, MERGED_QUEEN, N, AMAZON],
        (B, true) => &[N, R, MERGED_CHANCELLOR, NIGHTRIDER, RAVEN],
        (R, true) => &[N, B, MERGED_ARCHBISHOP, NIGHTRIDER, UNICORN],
        (NIGHTRIDER, true) => &[MERGED_QUEEN],
        (MERGED_QUEEN, true) => &[NIGHTRIDER],
        (MERGED_ARCHBISHOP, true) => &[MERGED_CHANCELLOR],
        (MERGED_CHANCELLOR, true) => &[MERGED_ARCHBISHOP],
        _ => &[],
    }
}

/// The parts that may leave a man: every single one, and of the sorceror also two together.
#[inline(always)]
pub fn parts(whole: Kind) -> &'static [Kind] {
    const N: Kind = Kind::KNIGHT;
    const B: Kind = Kind::BISHOP;
    const R: Kind = Kind::ROOK;
    match whole {
        MERGED_QUEEN => &[R, B],
        MERGED_ARCHBISHOP | UNICORN => &[B, N],
        MERGED_CHANCELLOR | RAVEN => &[R, N],
        AMAZON => &[R, B, N],
        NIGHTRIDER => &[N],
        SORCEROR => &[R, B, N, MERGED_QUEEN, NIGHTRIDER, MERGED_ARCHBISHOP, MERGED_CHANCELLOR],
        _ => &[],
    }
}

/// What stays when that part leaves, if it may.
#[inline]
pub fn rest(whole: Kind, part: Kind) -> Option<Kind> {
    if !parts(whole).contains(&part) {
        return None;
    }
    REST[whole.index()][part.index()]
}

/// The single pieces of which a man is made, each as often as it is there.
pub(super) fn pieces(whole: Kind) -> impl Iterator<Item = Kind> {
    let singles = [Kind::ROOK, Kind::BISHOP, Kind::KNIGHT];
    let counts = PARTS[whole.index() % KINDS];
    singles.into_iter().zip(counts).flat_map(|(kind, count)| (0..count).map(move |_| kind))
}

/// The squares that a man of that kind, no pawn and no king, attacks from a square.
#[inline(always)]
pub(super) fn reach<G: Geometry>(
    kind: Kind,
    from: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    let knight = || G::knight(from);
    let bishop = || G::bishop(from, occupied);
    let rook = || G::rook(from, occupied);
    let rider = || G::nightrider(from, occupied);
    match kind {
        Kind::KNIGHT => knight(),
        Kind::BISHOP => bishop(),
        Kind::ROOK => rook(),
        Kind::QUEEN | MERGED_QUEEN => rook() | bishop(),
        ARCHBISHOP | MERGED_ARCHBISHOP => bishop() | knight(),
        CHANCELLOR | MERGED_CHANCELLOR => rook() | knight(),
        AMAZON => rook() | bishop() | knight(),
        NIGHTRIDER => rider(),
        UNICORN => bishop() | rider(),
        RAVEN => rook() | rider(),
        SORCEROR => rook() | bishop() | rider(),
        _ => Bitboard::EMPTY,
    }
}

/// The letters of a game: kinds that it has not have no name.
pub(super) const fn letters(originals: bool, nightriders: bool) -> Letters {
    match (originals, nightriders) {
        (false, false) => {
            &["P", "N", "B", "R", "Q", "K", "", "", "+Q", "+A", "+C", "+M", "", "", "", ""]
        }
        (false, true) => {
            &["P", "N", "B", "R", "Q", "K", "", "", "+Q", "+A", "+C", "+M", "+H", "+U", "+V", "+S"]
        }
        (true, false) => {
            &["P", "N", "B", "R", "Q", "K", "A", "C", "+Q", "+A", "+C", "+M", "", "", "", ""]
        }
        (true, true) => &[
            "P", "N", "B", "R", "Q", "K", "A", "C", "+Q", "+A", "+C", "+M", "+H", "+U", "+V", "+S",
        ],
    }
}

/// What the game's two boards differ in.
pub trait BlenderBoard: Geometry {
    /// Whether archbishops and chancellors stand there at the start.
    const ORIGINALS: bool;
    /// For castling to the king's and to the other side: the files where king and rook land.
    const CASTLING_FILES: [(usize, usize); 2];
    /// The file on which the king stands at home.
    const KING_FILE: usize;
    /// The start position's six fields.
    const START: &'static str;
}

impl BlenderBoard for Board8 {
    const ORIGINALS: bool = false;
    const CASTLING_FILES: [(usize, usize); 2] = [(6, 5), (2, 3)];
    const KING_FILE: usize = 4;
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
}

impl BlenderBoard for Board10 {
    const ORIGINALS: bool = true;
    const CASTLING_FILES: [(usize, usize); 2] = [(7, 6), (3, 4)];
    const KING_FILE: usize = 5;
    const START: &'static str = "rnbaqkcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBAQKCBNR \
                                 w KQkq - 0 1";
}

/// The men of Blender Chess on the board `G`; two knights merge if `NIGHT`.
///
/// All four games have the same sixteen kinds; some of them never come about in some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlenderMen<G, const NIGHT: bool>(PhantomData<G>);

impl<G: BlenderBoard, const NIGHT: bool> Men for BlenderMen<G, NIGHT> {
    type Geometry = G;
    type Sets = [Bitboard<G>; KINDS];
    type Ground = ();
    const KINDS: usize = KINDS;
    const PROMOTIONS: &'static [Kind] = &[
        SORCEROR,
        AMAZON,
        RAVEN,
        UNICORN,
        MERGED_QUEEN,
        Kind::QUEEN,
        MERGED_CHANCELLOR,
        CHANCELLOR,
        MERGED_ARCHBISHOP,
        ARCHBISHOP,
        NIGHTRIDER,
        Kind::ROOK,
        Kind::BISHOP,
        Kind::KNIGHT,
        Kind::PAWN,
    ];
    const CASTLING_FILES: [(usize, usize); 2] = G::CASTLING_FILES;
    const KING_FILE: usize = G::KING_FILE;
    const BY_WORTH: &'static [Kind] = &[
        Kind::PAWN,
        Kind::KNIGHT,
        Kind::BISHOP,
        Kind::ROOK,
        NIGHTRIDER,
        ARCHBISHOP,
        MERGED_ARCHBISHOP,
        CHANCELLOR,
        MERGED_CHANCELLOR,
        Kind::QUEEN,
        MERGED_QUEEN,
        UNICORN,
        RAVEN,
        AMAZON,
        SORCEROR,
        Kind::KING,
    ];
    const WORTH: &'static [i32] =
        &[100, 325, 335, 500, 950, 20_000, 800, 875, 975, 825, 900, 1300, 600, 1050, 1175, 1650];
    const NIGHTRIDERS: bool = NIGHT;

    #[inline(always)]
    fn knights(board: &Board<Self>) -> Bitboard<G> {
        board.kind(Kind::KNIGHT)
            | board.kind(ARCHBISHOP)
            | board.kind(CHANCELLOR)
            | board.kind(MERGED_ARCHBISHOP)
            | board.kind(MERGED_CHANCELLOR)
            | board.kind(AMAZON)
    }

    #[inline(always)]
    fn diagonals(board: &Board<Self>) -> Bitboard<G> {
        let riding =
            if NIGHT { board.kind(UNICORN) | board.kind(SORCEROR) } else { Bitboard::EMPTY };
        board.kind(Kind::BISHOP)
            | board.kind(Kind::QUEEN)
            | board.kind(ARCHBISHOP)
            | board.kind(MERGED_QUEEN)
            | board.kind(MERGED_ARCHBISHOP)
            | board.kind(AMAZON)
            | riding
    }

    #[inline(always)]
    fn orthogonals(board: &Board<Self>) -> Bitboard<G> {
        let riding = if NIGHT { board.kind(RAVEN) | board.kind(SORCEROR) } else { Bitboard::EMPTY };
        board.kind(Kind::ROOK)
            | board.kind(Kind::QUEEN)
            | board.kind(CHANCELLOR)
            | board.kind(MERGED_QUEEN)
            | board.kind(MERGED_CHANCELLOR)
            | board.kind(AMAZON)
            | riding
    }

    #[inline(always)]
    fn nightriders(board: &Board<Self>) -> Bitboard<G> {
        if NIGHT {
            board.kind(NIGHTRIDER) | board.kind(UNICORN) | board.kind(RAVEN) | board.kind(SORCEROR)
        } else {
            Bitboard::EMPTY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::naive::{MERGES, NIGHT_MERGES, SEPARATIONS};
    use super::*;

    type Row = (Kind, Kind, Kind);

    /// The rows of the page's tables as kinds.
    fn rows(tables: &[&[(&str, &str, &str)]]) -> Vec<Row> {
        let letters = letters(true, true);
        let kind =
            |name: &str| Kind(letters.iter().position(|&letter| letter == name).unwrap() as u8);
        tables.concat().into_iter().map(|(a, b, c)| (kind(a), kind(b), kind(c))).collect()
    }

    /// The table has what the function says of every two kinds, and nothing else.
    fn agree(table: &[Row], told: impl Fn(Kind, Kind) -> Option<Kind>) {
        let kinds = || (0..KINDS).map(|kind| Kind(kind as u8));
        for (first, second) in kinds().flat_map(|first| kinds().map(move |second| (first, second)))
        {
            let row = table.iter().find(|row| (row.0, row.1) == (first, second));
            assert_eq!(told(first, second), row.map(|row| row.2), "{first:?} {second:?}");
        }
    }

    #[test]
    fn merges_are_those_of_the_page() {
        agree(&rows(&[MERGES]), |mover, target| merged(mover, target, false));
        agree(&rows(&[MERGES, NIGHT_MERGES]), |mover, target| merged(mover, target, true));
    }

    #[test]
    fn separations_are_those_of_the_page() {
        agree(&rows(&[SEPARATIONS]), rest);
        assert_eq!(pieces(SORCEROR).count(), 4);
    }
}

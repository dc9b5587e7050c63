//! The kernel on ten files and ranks, by a plain set of men that no game has: that nothing in it is
//! bound to eight.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::core::{Bitboard, Board10, Square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TenMen;

impl Men for TenMen {
    type Geometry = Board10;
    type Sets = [Bitboard<Board10>; 6];
    type Ground = ();
    const KINDS: usize = 6;
    const PROMOTIONS: &'static [Kind] = &[Kind::QUEEN, Kind::KNIGHT];
    const CASTLING_FILES: [(usize, usize); 2] = [(7, 6), (3, 4)];
    const KING_FILE: usize = 5;
    const BY_WORTH: &'static [Kind] =
        &[Kind::PAWN, Kind::KNIGHT, Kind::BISHOP, Kind::ROOK, Kind::QUEEN, Kind::KING];
    const WORTH: &'static [i32] = &[100, 300, 300, 500, 900, 20_000];

    fn knights(board: &Board<Self>) -> Bitboard<Board10> {
        board.kind(Kind::KNIGHT)
    }
    fn diagonals(board: &Board<Self>) -> Bitboard<Board10> {
        board.kind(Kind::BISHOP) | board.kind(Kind::QUEEN)
    }
    fn orthogonals(board: &Board<Self>) -> Bitboard<Board10> {
        board.kind(Kind::ROOK) | board.kind(Kind::QUEEN)
    }
}

const LETTERS: Letters = &["P", "N", "B", "R", "Q", "K"];
const START: &str = "rnbnqkqbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBNQKQBNR w KQkq - 0 1";

fn read(fen: &str) -> State<TenMen> {
    LooseFen::parse(fen, LETTERS).unwrap().into_state(CastlingStyle::Standard).unwrap()
}

fn moves(state: &State<TenMen>) -> Vec<Move> {
    let mut list = Vec::new();
    state.each_move(Wanted::All, |action| list.push(action));
    list.sort_by_key(|action| action.to_bits());
    list
}

/// Every move that any number can mean and the predicate finds legal.
fn legal_of_all(state: &State<TenMen>) -> Vec<Move> {
    let mut list = Vec::new();
    for from in Square::<Board10>::all() {
        for to in Square::all() {
            for tag in [Tag::Normal, Tag::DoubleStep, Tag::EnPassant, Tag::Castling] {
                list.push(Move::new(from, to, tag));
            }
            list.extend((0..6).map(|kind| Move::promotion(from, to, Kind(kind))));
        }
    }
    list.retain(|&action| state.is_legal(action));
    list.sort_by_key(|action| action.to_bits());
    list
}

#[test]
fn ten_files_are_as_good_as_eight() {
    for seed in 0..30 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut state = read(START);
        for ply in 0..200 {
            let list = moves(&state);
            assert_eq!(state.count_moves(), list.len() as u64);
            assert_eq!(state.key(), state.fresh_key());
            let fen = state.fen(LETTERS, CastlingStyle::Standard);
            assert_eq!(read(&fen), state, "{fen}");
            if ply % 20 == 0 {
                assert_eq!(legal_of_all(&state), list, "{fen}");
            }
            if list.is_empty() {
                break;
            }
            state.make(list[random.random_range(0..list.len())], &mut ());
        }
    }
}

#[test]
fn kings_castle_two_squares_from_the_sixth_file() {
    let mut state = read("r4k3r/10/10/10/10/10/10/10/10/R4K3R w KQkq - 0 1");
    let castling: Vec<Move> =
        moves(&state).into_iter().filter(|action| action.tag() == Tag::Castling).collect();
    assert_eq!(castling.len(), 2);
    state.make(castling[0], &mut ());
    assert_eq!(
        state.fen(LETTERS, CastlingStyle::Standard),
        "r4k3r/10/10/10/10/10/10/10/10/3KR4R b kq - 1 1"
    );
}

#[test]
fn pawns_step_twice_from_the_second_rank_and_promote_on_the_tenth() {
    let mut state = read("5k4/P9/10/10/10/1p8/10/10/P9/5K4 w - - 0 1");
    let of = |state: &State<TenMen>, from: &str| {
        let from = Square::<Board10>::parse(from).unwrap();
        moves(state).into_iter().filter(|action| action.from() == from).collect::<Vec<_>>()
    };
    assert_eq!(of(&state, "a9").len(), 2);
    let steps = of(&state, "a2");
    assert_eq!(steps.len(), 2);
    // No pawn stands beside a4, so there is no en passant square.
    state.make(*steps.iter().find(|action| action.tag() == Tag::DoubleStep).unwrap(), &mut ());
    assert_eq!(state.ep(), None);
    let mut state = read("5k4/10/10/10/10/10/1p8/10/P9/5K4 w - - 0 1");
    let steps = of(&state, "a2");
    state.make(*steps.iter().find(|action| action.tag() == Tag::DoubleStep).unwrap(), &mut ());
    assert_eq!(state.ep(), Square::parse("a3"));
    assert_eq!(of(&state, "b4").len(), 2);
}

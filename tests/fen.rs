//! What is no FEN and no position, with the words that say why; what is read leniently; and that
//! no text whatever does harm.

mod support;

use std::sync::Arc;

use alea::game::blender::{self, Blender8, Blender8Night, Blender100, Blender100Night};
use alea::game::bomber::{self, Bomber, Deck};
use alea::game::chess::{Chess, Names, Setup};
use alea::game::mutation::{self, Mutation};
use alea::game::quantum::{self, Quantum};
use alea::game::{Game, Record};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::{data_lines, pick};

const CHESS: Setup = Setup { names: Names::Chess, chess960: false };
const CHROMA: Setup = Setup { names: Names::Chroma, chess960: false };
const CHESS960: Setup = Setup { names: Names::Chess, chess960: true };

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const CHROMA_START: &str = "obyrvybo/gggggggg/8/8/8/8/GGGGGGGG/OBYRVYBO";

fn error(setup: Setup, fen: &str) -> String {
    match Chess::from_fen(&setup, fen) {
        Ok(position) => panic!("{fen:?} was read as {}", position.fen(&setup)),
        Err(error) => error.to_string(),
    }
}

fn printed(setup: Setup, fen: &str) -> String {
    Chess::from_fen(&setup, fen).unwrap_or_else(|error| panic!("{fen:?}: {error}")).fen(&setup)
}

#[test]
fn missing_fields_are_named() {
    let wanted = "; wanted: board, w or b, castling, en passant";
    for (fen, message) in [
        ("", "FEN has no board field (field 1)"),
        ("  \t ", "FEN has no board field (field 1)"),
        (START, "FEN has no side to move field (field 2)"),
        (&format!("{START} w"), "FEN has no castling field (field 3)"),
        (&format!("{START} w KQkq"), "FEN has no en passant field (field 4)"),
    ] {
        assert_eq!(error(CHESS, fen), format!("{message}{wanted}"));
    }
}

#[test]
fn the_board_must_add_up() {
    for (board, message) in [
        ("8/8/8/8/8/8/8", "FEN board has 7 ranks; wanted 8, separated by '/'"),
        ("4k3/8/8/8/8/8/8/8/4K3", "FEN board has 9 ranks; wanted 8, separated by '/'"),
        ("startpos", "FEN board has 1 ranks; wanted 8, separated by '/'"),
        ("4k3/8/8/7/8/8/8/4K3", "FEN board: rank 5 (\"7\") has 7 squares; wanted 8"),
        ("4k3/8/8/8/8/8/9/4K3", "FEN board: rank 2 (\"9\") has 9 squares; wanted 8"),
        ("4k3/8/8/8/8/8/8/PPPPKPPPP", "FEN board: rank 1 (\"PPPPKPPPP\") has 9 squares; wanted 8"),
        ("4k3//8/8/8/8/8/4K3", "FEN board: rank 7 (\"\") has 0 squares; wanted 8"),
        (
            "4k3/08/8/8/8/8/8/4K3",
            "FEN board field \"08\": wanted ranks of letters and of numbers of empty squares, from 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K03",
            "FEN board field \"4K03\": wanted ranks of letters and of numbers of empty squares, \
             from 1",
        ),
        // Digits are read greedily.
        ("4k3/44/8/8/8/8/8/4K3", "FEN board: rank 7 (\"44\") has 44 squares; wanted 8"),
        (
            "4k3/8/8/8/8/8/8/99999999999999999999999K",
            "FEN board: rank 1 (\"99999999999999999999999K\") has 18446744073709551615 squares; \
             wanted 8",
        ),
    ] {
        assert_eq!(error(CHESS, &format!("{board} w - - 0 1")), message);
    }
}

#[test]
fn unknown_letters_are_named() {
    let chess = "; the letters are PNBRQK";
    for (board, message) in [
        ("4k3/8/8/8/8/3X4/8/4K3", "FEN board: rank 3 has the unknown letter \"X\""),
        ("4k3/8/8/8/8/8/8/4K2\u{e9}", "FEN board: rank 1 has the unknown letter \"\u{e9}\""),
        ("4k3/8/8/8/8/8/8/4K2\u{265a}", "FEN board: rank 1 has the unknown letter \"\u{265a}\""),
        ("4k3/8/8/8/+Q7/8/8/4K3", "FEN board: rank 4 has the unknown letter \"+Q\""),
        ("4k3/8/8/8/7+/8/8/4K3", "FEN board: rank 4 has the unknown letter \"+\""),
        ("4k3/8/8/8/4-3/8/8/4K3", "FEN board: rank 4 has the unknown letter \"-\""),
    ] {
        assert_eq!(error(CHESS, &format!("{board} w - - 0 1")), format!("{message}{chess}"));
    }
    assert_eq!(
        error(CHROMA, "4v3/8/8/8/8/8/8/4V2X w - - 0 1"),
        "FEN board: rank 1 has the unknown letter \"X\"; the letters are GBYORV"
    );
}

#[test]
fn a_fen_of_the_sister_game_says_which_variant_to_use() {
    assert_eq!(
        error(CHESS, &format!("{CHROMA_START} w KQkq - 0 1")),
        "FEN board: rank 8 has the unknown letter \"o\"; this is a FEN of chroma: set UCI_Variant \
         to chroma"
    );
    assert_eq!(
        error(CHROMA, &format!("{START} w KQkq - 0 1")),
        "FEN board: rank 8 has the unknown letter \"n\"; this is a FEN of chess: set UCI_Variant \
         to chess"
    );
}

#[test]
fn fields_that_say_something_else_are_quoted() {
    for (rest, message) in [
        ("W - - 0 1", "FEN side to move field \"W\": wanted w or b"),
        ("white - - 0 1", "FEN side to move field \"white\": wanted w or b"),
        (
            "w KQkqX - 0 1",
            "FEN castling field \"KQkqX\": wanted KQkq, letters of rooks' files, or -",
        ),
        ("w K-q - 0 1", "FEN castling field \"K-q\": wanted KQkq, letters of rooks' files, or -"),
        ("w - e9 0 1", "FEN en passant field \"e9\": wanted a square, or -"),
        ("w - e 0 1", "FEN en passant field \"e\": wanted a square, or -"),
        ("w - E3 0 1", "FEN en passant field \"E3\": wanted a square, or -"),
        ("w - -1 0 1", "FEN en passant field \"-1\": wanted a square, or -"),
        ("w - - -1 1", "FEN halfmove clock field \"-1\": wanted a non-negative number"),
        ("w - - x 1", "FEN halfmove clock field \"x\": wanted a non-negative number"),
        ("w - - 0 1.5", "FEN fullmove number field \"1.5\": wanted a non-negative number"),
        (
            "w - - 0 99999999999",
            "FEN fullmove number field \"99999999999\": wanted a number up to 4294967295",
        ),
    ] {
        assert_eq!(error(CHESS, &format!("{START} {rest}")), message);
    }
    assert_eq!(
        error(CHESS960, "4k3/8/8/8/8/8/8/RR1K2RR w HG - 0 1"),
        "FEN castling field \"HG\": wanted at most one rook on either side of a king"
    );
}

#[test]
fn tokens_that_chess_has_not_are_refused() {
    let start = format!("{START} w KQkq - 0 1");
    for (tail, message) in [
        ("die=3", "FEN: unknown key \"die\"; chess has none"),
        ("x=", "FEN: unknown key \"x\"; chess has none"),
        ("=x", "FEN: unknown key \"\"; chess has none"),
        ("a=1 a=2", "FEN: the key \"a\" is given twice"),
        ("7", "FEN: \"7\" is neither a clock nor a key=value token"),
        ("moves e2e4", "FEN: \"moves\" is neither a clock nor a key=value token"),
    ] {
        assert_eq!(error(CHESS, &format!("{start} {tail}")), message);
    }
    assert_eq!(
        error(CHROMA, &format!("{CHROMA_START} w KQkq - die=3")),
        "FEN: unknown key \"die\"; chroma has none"
    );
    // Tokens may follow where the clocks are missing.
    assert_eq!(
        error(CHESS, &format!("{START} w KQkq - 5 die=3")),
        "FEN: unknown key \"die\"; chess has none"
    );
}

#[test]
fn every_reason_why_it_is_no_position_is_given() {
    for (board, turn, reasons) in [
        (
            "8/8/8/8/8/8/8/8",
            'w',
            "white has 0 kings, wanted exactly 1; black has 0 kings, wanted exactly 1",
        ),
        ("4k3/8/8/8/8/8/8/3KK3", 'w', "white has 2 kings, wanted exactly 1"),
        (
            "4k3/8/8/8/8/8/8/P3K2p",
            'w',
            "a white pawn on a1, a first or last rank; a black pawn on h1, a first or last rank",
        ),
        ("4k2P/8/8/8/8/8/8/4K3", 'w', "a white pawn on h8, a first or last rank"),
        ("4k3/8/8/8/8/8/8/4R1K1", 'w', "black is in check, but white is to move"),
        ("4k3/8/8/8/1b6/8/8/4K3", 'b', "white is in check, but black is to move"),
        ("8/8/8/8/8/8/3Kk3/8", 'w', "black is in check, but white is to move"),
        (
            "p3kk2/8/8/8/8/8/8/4K3",
            'b',
            "black has 2 kings, wanted exactly 1; a black pawn on a8, a first or last rank",
        ),
    ] {
        let fen = format!("{board} {turn} - - 0 1");
        assert_eq!(error(CHESS, &fen), format!("FEN shows no position: {reasons}"));
    }
}

fn bomber(fen: &str) -> Result<Bomber, String> {
    Bomber::from_fen(&bomber::Setup::default(), fen).map_err(|error| error.to_string())
}

#[test]
fn tokens_of_bomber_are_checked_against_deck_and_board() {
    let board = "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1";
    let pawn = "wanted the square of a white pawn with a black piece right in front of it";
    let nine = "wanted 9 counts with commas between, one for each pattern of the deck, not";
    for (tail, message) in [
        ("pool=-/-", "FEN: unknown key \"pool\"; bomber has deck, boom".to_owned()),
        ("Deck=2", "FEN: unknown key \"Deck\"; bomber has deck, boom".to_owned()),
        ("boom=e5 boom=e5", "FEN: the key \"boom\" is given twice".to_owned()),
        ("deck=", format!("FEN: deck=\"\": {nine} 1")),
        ("deck=2", format!("FEN: deck=\"2\": {nine} 1")),
        ("deck=2,2,2,2,2,2,2,2", format!("FEN: deck=\"2,2,2,2,2,2,2,2\": {nine} 8")),
        ("deck=2,2,2,2,2,2,2,2,2,", format!("FEN: deck=\"2,2,2,2,2,2,2,2,2,\": {nine} 10")),
        (
            "deck=2,3,2,2,2,2,2,2,2",
            "FEN: deck=\"2,3,2,2,2,2,2,2,2\": wanted 0 to 2 cards of pattern 2 (jab), not \"3\""
                .to_owned(),
        ),
        (
            "deck=2,2,2,2,2,2,2,2,-1",
            "FEN: deck=\"2,2,2,2,2,2,2,2,-1\": wanted 0 to 2 cards of pattern 9 (star), not \"-1\""
                .to_owned(),
        ),
        (
            "deck=+1,2,2,2,2,2,2,2,2",
            "FEN: deck=\"+1,2,2,2,2,2,2,2,2\": wanted 0 to 2 cards of pattern 1 (dud), not \"+1\""
                .to_owned(),
        ),
        (
            "deck=2,2,2,2,,2,2,2,999",
            "FEN: deck=\"2,2,2,2,,2,2,2,999\": wanted 0 to 2 cards of pattern 5 (plus), not \"\""
                .to_owned(),
        ),
        ("boom=", format!("FEN: boom=\"\": {pawn}")),
        ("boom=e9", format!("FEN: boom=\"e9\": {pawn}")),
        ("boom=E5", format!("FEN: boom=\"E5\": {pawn}")),
        ("boom=e1", format!("FEN: boom=\"e1\": {pawn}")),
        ("boom=e4", format!("FEN: boom=\"e4\": {pawn}")),
        (
            "boom=e5 deck=0,0,0,0,0,0,0,0,0",
            "FEN: boom=\"e5\": wanted no explosion, for the deck is empty".to_owned(),
        ),
    ] {
        assert_eq!(bomber(&format!("{board} {tail}")), Err(message));
    }
    for (board, side) in [
        // Nobody in front, one's own piece, the enemy's pawn, a piece that is no pawn.
        ("4k3/8/8/4P3/8/8/8/4K3 w", "white pawn with a black"),
        ("4k3/8/4N3/4P3/8/8/8/4K3 w", "white pawn with a black"),
        ("4k3/8/4n3/4P3/8/8/8/4K3 b", "black pawn with a white"),
        ("4k3/8/4n3/4N3/8/8/8/4K3 w", "white pawn with a black"),
        ("4k3/8/8/4p3/8/8/8/4K3 b", "black pawn with a white"),
    ] {
        let wanted =
            format!("FEN: boom=\"e5\": wanted the square of a {side} piece right in front of it");
        assert_eq!(bomber(&format!("{board} - - 0 1 boom=e5")), Err(wanted));
    }
    assert!(bomber("4k3/8/8/4p3/4N3/8/8/4K3 b - - 0 1 boom=e5").is_ok());
}

#[test]
fn a_game_of_bomber_may_have_ended_without_kings_or_in_check() {
    for (fen, node) in [
        ("8/8/4n3/8/8/8/8/4K3 b - - 0 1", "over white"),
        ("4k3/8/4n3/8/8/8/8/8 b - - 0 1", "over black"),
        ("8/8/4n3/8/8/8/8/8 w - - 0 1", "over draw"),
        // Its king can be taken.
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "over white"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "over black"),
        ("8/8/8/8/8/4k3/4K3/8 b - - 0 1", "over black"),
        // That comes before draws by rule, and so does mate.
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 100 90", "over black"),
        ("4k3/8/8/8/8/8/8/8 b - - 100 90", "over black"),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", "over white"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "over draw"),
        // While a card is due a check on the enemy ends nothing; a king that is gone does.
        ("8/8/3kn3/4P3/8/8/8/4K3 w - - 0 1 boom=e5", "chance"),
        ("8/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5", "over white"),
    ] {
        let position = bomber(fen).unwrap();
        assert_eq!(position.node().to_string(), node, "{fen}");
        assert_eq!(position.fen(&bomber::Setup::default()), fen);
    }
    for (fen, reason) in [
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings, wanted at most 1"),
        ("3kkk2/8/8/8/8/8/8/8 w - - 0 1", "black has 3 kings, wanted at most 1"),
        ("P7/8/8/8/8/8/8/4K3 w - - 0 1", "a white pawn on a8, a first or last rank"),
        ("4k3/8/8/8/8/8/8/p7 w - - 0 1", "a black pawn on a1, a first or last rank"),
    ] {
        assert_eq!(bomber(fen), Err(format!("FEN shows no position: {reason}")), "{fen}");
    }
    let record = |fen: &str, action: &str| {
        Record::<Bomber>::parse(&bomber::Setup::default(), Some(fen), &[action])
            .map_err(|error| error.to_string().split(',').next().unwrap().to_owned())
            .err()
    };
    let ended = |action| Some(format!("action 1 (\"{action}\") comes after the end of the game"));
    assert_eq!(record("8/8/4n3/8/8/8/8/4K3 b - - 0 1", "e6c5"), ended("e6c5"));
    assert_eq!(record("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8"), ended("e2e8"));
    let due = "8/8/3kn3/4P3/8/8/8/4K3 w - - 0 1 boom=e5 deck=2,0,2,2,2,2,2,2,2";
    for action in ["e1e2", "e5d6", "card:2", "card:10", "e5e6*"] {
        assert_eq!(
            record(due, action),
            Some(format!("action 1 (\"{action}\") is no possible event"))
        );
    }
}

#[test]
fn what_a_lost_king_or_a_due_card_makes_impossible_is_dropped() {
    let printed = |fen: &str| bomber(fen).unwrap().fen(&bomber::Setup::default());
    for (fen, kept) in [
        ("r3k2r/8/8/8/8/8/8/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R6R w kq - 0 1"),
        ("r6r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r6r/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        // En passant by a side that is to move no more, or not yet.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("8/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "8/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/8 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/8 w - - 0 1"),
        ("4k3/8/8/1B1pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/1B1pP3/8/8/8/4K3 w - - 0 1"),
        (
            "4k3/8/7n/3pP2P/8/8/8/4K3 w - d6 0 1 boom=h5",
            "4k3/8/7n/3pP2P/8/8/8/4K3 w - - 0 1 boom=h5",
        ),
        // A full deck is not told, and tokens come in their order.
        (
            "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5 deck=02,2,2,2,2,2,2,2,2",
            "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5",
        ),
        (
            "4k3/8/4n3/4P3/8/8/8/4K3 w - - boom=e5 deck=1,2,2,2,2,2,2,2,2",
            "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 deck=1,2,2,2,2,2,2,2,2 boom=e5",
        ),
    ] {
        assert_eq!(printed(fen), kept);
    }
}

#[test]
fn a_deck_of_ones_own_counts_by_its_own_patterns() {
    let deck = Deck::parse(b"long fuse x7\nx\n.\no\n\nshort fuse x9\nx\no\n").unwrap();
    let setup = bomber::Setup { deck: Arc::new(deck) };
    let board = "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1";
    for tokens in ["", " deck=6,9", " deck=0,1 boom=e5", " boom=e5"] {
        let fen = format!("{board}{tokens}");
        assert_eq!(Bomber::from_fen(&setup, &fen).unwrap().fen(&setup), fen);
    }
    let full = Bomber::from_fen(&setup, &format!("{board} deck=7,9")).unwrap();
    assert_eq!(full.fen(&setup), board);
    let error = |tokens: &str| {
        Bomber::from_fen(&setup, &format!("{board} {tokens}")).unwrap_err().to_string()
    };
    assert_eq!(
        error("deck=2,2,2,2,2,2,2,2,2"),
        "FEN: deck=\"2,2,2,2,2,2,2,2,2\": wanted 2 counts with commas between, one for each \
         pattern of the deck, not 9"
    );
    assert_eq!(
        error("deck=7,10"),
        "FEN: deck=\"7,10\": wanted 0 to 9 cards of pattern 2 (short fuse), not \"10\""
    );
}

#[test]
fn impossible_ep_squares_are_dropped() {
    for (fen, ep) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6"),
        // The pawn's start square is not empty.
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
        // The square itself is not.
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
        // No pawn stands before it, or one's own, or something else.
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "-"),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "-"),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", "-"),
        // The rank is wrong.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - a1 0 1", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - h8 0 1", "-"),
        // Nobody can take there.
        ("4k3/8/8/3p1P2/8/8/8/4K3 w - d6 0 1", "-"),
        ("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1", "-"),
        // Taking there would leave the king in check.
        ("4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "-"),
        // It is the other side's move.
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "-"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
    ] {
        assert_eq!(printed(CHESS, fen).split(' ').nth(3), Some(ep), "{fen}");
    }
}

#[test]
fn clocks_may_be_missing_and_are_kept_as_given() {
    for (given, kept) in [
        ("", "0 1"),
        ("7", "7 1"),
        ("7 9", "7 9"),
        ("0 0", "0 0"),
        ("007 010", "7 10"),
        ("150 3", "150 3"),
        ("4294967295 4294967295", "4294967295 4294967295"),
    ] {
        let start = format!("{START} w KQkq -");
        assert_eq!(printed(CHESS, &format!("{start} {given}")), format!("{start} {kept}"));
    }
    // The largest clocks do not run over.
    let record = Record::<Chess>::parse(
        &CHESS,
        Some(&format!("{START} w - - 4294967295 4294967295")),
        &["g1f3", "g8f6"],
    );
    assert!(record.unwrap().position().fen(&CHESS).ends_with(" 4294967295 4294967295"));
}

#[test]
fn odd_positions_are_accepted() {
    for fen in [
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k1K5 b - - 0 1",
        "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        // In check from three men.
        "4k3/8/8/1B6/8/5N2/8/K3R3 b - - 0 1",
    ] {
        assert_eq!(printed(CHESS, fen), fen);
    }
    let spaced = format!("  {START}\t w   KQkq -  0 \t1 ");
    assert_eq!(printed(CHESS, &spaced), format!("{START} w KQkq - 0 1"));
}

#[test]
fn actions_are_refused_with_place_and_reason() {
    let told = |fen: Option<&str>, actions: &str| {
        let actions: Vec<&str> = actions.split(' ').collect();
        Record::<Chess>::parse(&CHESS, fen, &actions).unwrap_err().to_string()
    };
    assert_eq!(
        told(None, "e2e4 e7e5 e4e5"),
        "action 3 (\"e4e5\") is no legal action, after \
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    assert_eq!(
        told(None, "f2f3 e7e5 g2g4 d8h4 e1f2"),
        "action 5 (\"e1f2\") comes after the end of the game, after \
         rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    );
    // A draw by rule may be played on from, so there it is the action that is wrong.
    assert_eq!(
        told(Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "e1e2 e8e6"),
        "action 2 (\"e8e6\") is no legal action, after 4k3/8/8/8/8/8/4K3/8 b - - 1 1"
    );
    assert_eq!(told(Some("x"), "e2e4"), "FEN board has 1 ranks; wanted 8, separated by '/'");
}

#[test]
fn only_the_exact_text_of_an_action_is_one() {
    let position = Chess::from_fen(&CHESS, "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for text in [
        "",
        "e",
        "e1",
        "e1e",
        "e1e9",
        "e1E2",
        "E1E2",
        "e1e2 ",
        " e1e2",
        "e1e2q",
        "b7b8",
        "b7b8Q",
        "b7b8k",
        "b7b8p",
        "b7b8qq",
        "b7b8=q",
        "b7a8",
        "e1h1",
        "e1a1",
        "O-O",
        "0000",
        "e1-e2",
        "e1e2\0",
        "\u{e9}1e2",
        "e1\u{ff12}",
        "e8e7",
        "roll:N",
        "-",
        "e1e1",
    ] {
        assert_eq!(position.parse_action(&CHESS, text), None, "{text:?}");
    }
    for text in ["e1g1", "e1c1", "b7b8q", "b7a8n", "e1e2"] {
        assert!(position.parse_action(&CHESS, text).is_some(), "{text:?}");
    }
    assert!(position.parse_action(&CHESS960, "e1h1").is_some());
    assert!(position.parse_action(&CHROMA, "b7b8y").is_some());
    assert!(position.parse_action(&CHROMA, "b7b8n").is_none());
}

#[test]
fn huge_texts_do_no_harm() {
    for text in [
        "8/".repeat(1_000_000),
        "k".repeat(1_000_000),
        "9".repeat(1_000_000),
        format!("{} w - - 0 1", "/".repeat(1_000_000)),
        format!("{START} w {} - 0 1", "K".repeat(1_000_000)),
        format!("{START} w - - {} 1", "9".repeat(1_000_000)),
        format!("{START} w - - 0 1 {}=1", "a".repeat(1_000_000)),
        format!("{START} w - - 0 1{}", " a=1".repeat(1_000)),
        format!("{START} w - - 0 1 deck={}", "2,".repeat(500_000)),
        format!("{START} w - - 0 1 deck={}", "2".repeat(1_000_000)),
        format!("{START} w - - 0 1 boom={}", "e".repeat(1_000_000)),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 board={}", "r".repeat(1_000_000)),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 board={}", "/".repeat(1_000_000)),
        format!("{START} w - - 0 1 board={}", "2:1,".repeat(500_000)),
        format!("{START} w - - 0 1 tracks={}", "-,".repeat(500_000)),
        format!("{START} w - - 0 1 free={}", "1:".repeat(500_000)),
        "\u{1f600}".repeat(100_000),
    ] {
        for setup in [CHESS, CHROMA, CHESS960] {
            let _ = Chess::from_fen(&setup, &text);
        }
        let _ = bomber(&text);
        let _ = Mutation::from_fen(&mutation::Setup::default(), &text);
        let _ = Quantum::from_fen(&quantum::Setup::default(), &text);
    }
    let position = Chess::start(&CHESS);
    assert_eq!(position.parse_action(&CHESS, &"e2e4".repeat(100_000)), None);
}

/// A text with a few bytes changed, doubled, lost or moved; what is no UTF-8 then is replaced.
fn mutate(text: &str, rng: &mut StdRng) -> String {
    const BYTES: &[u8] = b"KQRBNPkqrbnpGOYVgoyv0123456789/ -wbeah=+.\t\0\xc3\xa9\xff~";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.random_range(1..=2) {
        if bytes.is_empty() {
            break;
        }
        let place = rng.random_range(0..bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[place] = pick(rng, BYTES),
            1 => bytes.insert(place, pick(rng, BYTES)),
            2 => {
                bytes.remove(place);
            }
            3 => {
                let other = rng.random_range(0..bytes.len());
                bytes.swap(place, other);
            }
            4 => bytes.truncate(place),
            _ => bytes[place] = rng.random(),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Plays `accepted` positions a little further, with mutated actions too.
fn survive<G: Game + PartialEq>(setup: &G::Setup, text: &str, mut position: G, rng: &mut StdRng) {
    let printed = position.fen(setup);
    assert_eq!(G::from_fen(setup, &printed), Ok(position.clone()), "{text:?}");
    assert_eq!(position.key(), position.fresh_key(), "{text:?}");
    position.draw(setup, false);
    let actions = alea::game::perft::branches(&position);
    if !position.is_chance() && position.ended().is_none() {
        assert_eq!(position.count_actions(), actions.len() as u64, "{text:?}");
    }
    if actions.is_empty() {
        return;
    }
    let action = pick(rng, &actions);
    for _ in 0..4 {
        let action = mutate(&position.action_text(setup, action), rng);
        if let Some(action) = position.parse_action(setup, &action) {
            assert!(actions.contains(&action), "{action:?} in {text:?}");
        }
    }
    position.play(action, &mut ());
    assert_eq!(position.key(), position.fresh_key(), "{text:?}");
}

/// Whatever is accepted is a position that can be printed, read again and played on from.
#[test]
fn mutated_fens_and_actions_do_no_harm() {
    let fens: Vec<String> = ["perft/chess.tsv", "perft/chess960.tsv"]
        .into_iter()
        .flat_map(data_lines)
        .map(|line| line.split('\t').nth(1).unwrap().to_owned())
        .collect();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_500 {
                let text = mutate(fen, &mut rng);
                let setup = pick(&mut rng, &[CHESS, CHESS960, CHROMA]);
                let Ok(position) = Chess::from_fen(&setup, &text) else { continue };
                accepted += 1;
                survive(&setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 10_000, "{accepted}");
}

/// The same of bomber, whose FENs show more: lost kings, cards that are due.
#[test]
fn mutated_fens_and_actions_of_bomber_do_no_harm() {
    let fens: Vec<String> = data_lines("vectors/bomber.tsv")
        .into_iter()
        .filter_map(|line| Some(line.split('\t').nth(1)?.strip_prefix("fen ")?.to_owned()))
        .collect();
    let setup = bomber::Setup::default();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_500 {
                let mut text = mutate(fen, &mut rng);
                if rng.random_bool(0.1) {
                    text = text.replace('K', "1");
                }
                let Ok(position) = bomber(&text) else { continue };
                accepted += 1;
                survive(&setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 5_000, "{accepted}");
}

fn mutated_blender<G: Game<Setup = blender::Setup> + PartialEq>(variant: &str) {
    let prefix = format!("{variant}\tfen ");
    let fens: Vec<String> = data_lines("vectors/blender.tsv")
        .into_iter()
        .filter_map(|line| Some(line.strip_prefix(&prefix)?.split('\t').next()?.to_owned()))
        .collect();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_000 {
                let text = mutate(fen, &mut rng);
                let Ok(position) = G::from_fen(&blender::Setup, &text) else { continue };
                accepted += 1;
                survive(&blender::Setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 250, "{variant}: {accepted}");
}

/// The same of Blender Chess, whose FENs show merged men, pools and pawns at the edge.
#[test]
fn mutated_fens_and_actions_of_blender_do_no_harm() {
    mutated_blender::<Blender8>("blender");
    mutated_blender::<Blender8Night>("blender-nightrider");
    mutated_blender::<Blender100>("blender100");
    mutated_blender::<Blender100Night>("blender100-nightrider");
    for text in ["N".repeat(1_000_000), "+".repeat(1_000_000), "+N/".repeat(300_000)] {
        let fen = format!("{START} w - - 0 1 pool={text}");
        assert!(Blender8::from_fen(&blender::Setup, &fen).is_err());
    }
}

/// The same of mutation, on boards of all colours.
#[test]
fn mutated_fens_and_actions_of_mutation_do_no_harm() {
    let fens: Vec<String> = data_lines("vectors/mutation.tsv")
        .into_iter()
        .filter_map(|line| Some(line.split('\t').nth(1)?.strip_prefix("fen ")?.to_owned()))
        .collect();
    let setup = mutation::Setup::default();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_500 {
                let text = mutate(fen, &mut rng);
                let Ok(position) = Mutation::from_fen(&setup, &text) else { continue };
                accepted += 1;
                survive(&setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 2_000, "{accepted}");
}

/// The same of quantum, whose FENs show turns under way.
#[test]
fn mutated_fens_and_actions_of_quantum_do_no_harm() {
    let fens: Vec<String> = data_lines("vectors/quantum.tsv")
        .into_iter()
        .filter_map(|line| {
            let mut columns = line.split('\t').skip(1);
            let (fen, actions) = (columns.next()?, columns.next()?);
            match columns.next()? {
                // What is printed after actions has more to say.
                "fen" if !actions.is_empty() => columns.nth(1).map(str::to_owned),
                _ => fen.strip_prefix("fen ").map(str::to_owned),
            }
        })
        .collect();
    let setup = quantum::Setup::default();
    let accepted: usize = fens
        .par_iter()
        .enumerate()
        .map(|(seed, fen)| {
            let mut rng = StdRng::seed_from_u64(seed as u64);
            let mut accepted = 0;
            for _ in 0..1_500 {
                let mut text = mutate(fen, &mut rng);
                if rng.random_bool(0.2) {
                    text.push_str(" rule=upto");
                }
                let Ok(position) = Quantum::from_fen(&setup, &text) else { continue };
                accepted += 1;
                survive(&setup, &text, position, &mut rng);
            }
            accepted
        })
        .sum();
    assert!(accepted > 5_000, "{accepted}");
}

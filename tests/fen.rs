//! What is no FEN and no position, with the words that say why; and what is read leniently.

use std::sync::Arc;

use alea::game::bomber::{self, Bomber, Deck};
use alea::game::chess::{Chess, Names, Setup};
use alea::game::ladders::{self, Ladders};
use alea::game::mutation::{self, Mutation};
use alea::game::quantum::{self, Quantum};
use alea::game::{Game, Record};

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
            .map_err(|error| error.to_string().split(", after ").next().unwrap().to_owned())
            .err()
    };
    let ended = |action| Some(format!("action 1 (\"{action}\") comes after the end of the game"));
    assert_eq!(record("8/8/4n3/8/8/8/8/4K3 b - - 0 1", "e6c5"), ended("e6c5"));
    assert_eq!(record("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8"), ended("e2e8"));
    let due = "8/8/3kn3/4P3/8/8/8/4K3 w - - 0 1 boom=e5 deck=2,0,2,2,2,2,2,2,2";
    for action in ["e1e2", "e5d6", "card:2", "card:10", "e5e6*"] {
        assert_eq!(
            record(due, action),
            Some(format!(
                "action 1 (\"{action}\") is no possible event; card:<i> is due, such as card:1"
            ))
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
        "action 3 (\"e4e5\") is no legal action, such as e1e2, after \
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
        "action 2 (\"e8e6\") is no legal action, such as e8e7, after 4k3/8/8/8/8/8/4K3/8 b - - 1 1"
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
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 ladders={}/-", "a1b2,".repeat(200_000)),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 place={},1", "4".repeat(1_000_000)),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 blocks={}", "c3,".repeat(300_000)),
        "\u{1f600}".repeat(100_000),
    ] {
        for setup in [CHESS, CHROMA, CHESS960] {
            let _ = Chess::from_fen(&setup, &text);
        }
        let _ = bomber(&text);
        let _ = Mutation::from_fen(&mutation::Setup::default(), &text);
        let _ = Quantum::from_fen(&quantum::Setup::default(), &text);
        let _ = ladders(&text);
    }
    let position = Chess::start(&CHESS);
    assert_eq!(position.parse_action(&CHESS, &"e2e4".repeat(100_000)), None);
}

fn ladders(text: &str) -> Result<Ladders, alea::game::kernel::FenError> {
    Ladders::from_fen(&ladders::Setup::default(), text)
}

#[test]
fn tokens_of_ladders_say_what_is_wrong_with_them() {
    const MEN: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for (tokens, wanted) in [
        ("place=4", "FEN: place=\"4\": wanted White's and Black's boards, 0 to 255 each: 4,4"),
        ("place=4,", "FEN: place=\"4,\": wanted White's and Black's boards, 0 to 255 each: 4,4"),
        (
            "place=+4,4",
            "FEN: place=\"+4,4\": wanted White's and Black's boards, 0 to 255 each: 4,4",
        ),
        (
            "place=256,0",
            "FEN: place=\"256,0\": wanted White's and Black's boards, 0 to 255 each: 4,4",
        ),
        (
            "place=1,1 tiles=round",
            "FEN: tiles=\"round\": wanted diagonal or antidiagonal or left or right",
        ),
        (
            "ladders=a1b2",
            "FEN: ladders=\"a1b2\": wanted White's and Black's ladders with a '/' between: a1b2,c3d4/-",
        ),
        (
            "ladders=a1/-",
            "FEN: ladders=\"a1/-\": wanted white's ladders as two squares each with commas between, \
             or -, not \"a1\"",
        ),
        (
            "ladders=-/a1b2,",
            "FEN: ladders=\"-/a1b2,\": wanted black's ladders as two squares each with commas \
             between, or -, not \"\"",
        ),
        (
            "ladders=a1b2/-/-",
            "FEN: ladders=\"a1b2/-/-\": wanted black's ladders as two squares each with commas \
             between, or -, not \"-/-\"",
        ),
        ("ladders=c3c3/-", "FEN: ladders=\"c3c3/-\": wanted ladders between two squares, not c3c3"),
        (
            "ladders=a1b2,b2c3/-",
            "FEN: ladders=\"a1b2,b2c3/-\": wanted white's ladders without a common end; b2c3 shares \
             one with another",
        ),
        ("blocks=a1,h1", "FEN: blocks=\"a1,h1\": wanted blocks on the board; that of h1 leaves it"),
        ("blocks=a8", "FEN: blocks=\"a8\": wanted blocks on the board; that of a8 leaves it"),
        (
            "blocks=c3,d4",
            "FEN: blocks=\"c3,d4\": wanted blocks that do not overlap; that of d4 does",
        ),
        (
            "blocks=c3,,e3",
            "FEN: blocks=\"c3,,e3\": wanted lower left squares with commas between, not \"\"",
        ),
        ("board=r", "FEN: unknown key \"board\"; ladders has place, tiles, ladders, blocks"),
        ("place=1,1 place=1,1", "FEN: the key \"place\" is given twice"),
    ] {
        let error = ladders(&format!("{MEN} {tokens}")).unwrap_err().to_string();
        assert_eq!(error, wanted, "{tokens}");
    }
    for (fen, wanted) in [
        (
            "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
            "FEN shows no position: a black pawn on h1, a first or last rank",
        ),
        (
            "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1",
            "FEN shows no position: black is in check, but white is to move",
        ),
        // The rook goes to c4, as his move ends there rides to c7, and would take from there: no.
        // But he starts by a ride to e5.
        (
            "4k3/8/8/8/8/8/8/2R1K3 w - - 0 1 ladders=c1e5,c4c7/-",
            "FEN shows no position: black is in check, but white is to move",
        ),
        // The placing is over, for White has no board.
        (
            "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1 place=0,1",
            "FEN shows no position: black is in check, but white is to move",
        ),
    ] {
        match ladders(fen) {
            Err(error) => assert_eq!(error.to_string(), wanted, "{fen}"),
            Ok(position) => panic!("{fen}: {position:?}"),
        }
    }
}

/// What is read and what is printed may differ.
#[test]
fn tokens_of_ladders_are_put_in_order() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (given, printed) in [
        ("w KQkq - 0 1 ladders=d4c3,b2a1/h1g1", "w KQkq - 0 1 ladders=a1b2,c3d4/g1h1"),
        ("w KQkq - 0 1 ladders=-/-", "w KQkq - 0 1"),
        ("b KQkq - 3 7 place=0,0 tiles=left blocks=c3", "b KQkq - 3 7"),
        ("b KQkq - 3 7 place=0,2 blocks=e3,a1", "b KQkq - 3 7 place=0,2 blocks=a1,e3"),
        ("w KQkq - 3 7 place=0,2 blocks=e3,a1", "w KQkq - 3 7"),
        ("b KQkq - 3 7 place=2,0 tiles=right", "w KQkq - 3 7"),
        ("b KQkq - 3 7 place=1,1 tiles=right", "b KQkq - 3 7 place=1,1 tiles=right"),
        ("b KQkq - 3 7 place=1,1 tiles=diagonal", "b KQkq - 3 7 place=1,1"),
    ] {
        let position = ladders(&format!("{START} {given}")).unwrap();
        assert_eq!(
            position.fen(&ladders::Setup::default()),
            format!("{START} {printed}"),
            "{given}"
        );
    }
    // Black may be in check while boards are placed; a pawn may stand on its own first rank.
    assert!(ladders("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1 place=1,1").is_ok());
    assert!(ladders("4k2p/8/8/8/8/8/8/P3K3 w - - 0 1").is_ok());
}

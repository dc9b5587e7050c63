use super::*;
use crate::core::{Geometry, Square};
use crate::game::kernel::Tag;
use crate::game::{Node, perft};

fn position(fen: &str) -> Mutation {
    Mutation::from_fen(&Setup::default(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn error(fen: &str) -> String {
    Mutation::from_fen(&Setup::default(), fen).unwrap_err().to_string()
}

fn play(position: &mut Mutation, text: &str) {
    let action = position.parse_action(&Setup::default(), text);
    position.play(action.unwrap_or_else(|| panic!("{text}")), &mut ());
}

/// The same letter everywhere.
fn plain(letter: &str) -> String {
    vec![letter.repeat(8); 8].join("/")
}

#[test]
fn the_built_in_board_is_that_of_the_rules() {
    let ground = Ground::default();
    let text = ground.to_string();
    assert_eq!(text, Ground::DEFAULT_TEXT);
    assert_eq!(text.parse(), Ok(ground));
    for (letter, count, kind) in [
        ('y', 20, Kind::KNIGHT),
        ('b', 12, Kind::BISHOP),
        ('r', 8, Kind::ROOK),
        ('k', 8, Kind::QUEEN),
        ('w', 16, Kind::PAWN),
    ] {
        let squares: Bitboard<Board8> =
            Square::all().filter(|&square| ground.letter(square) == letter).collect();
        assert_eq!(squares.count(), count, "{letter}");
        assert_eq!(ground.squares(kind), squares, "{letter}");
    }
    assert!(ground.squares(Kind::KING).is_empty());
    let rows: Vec<&str> = text.split('/').collect();
    assert!(rows.iter().eq(rows.iter().rev()));
    assert!(rows.iter().all(|row| row.chars().eq(row.chars().rev())));
}

#[test]
fn a_pion_is_what_its_square_makes_it() {
    let mut game = Mutation::start(&Setup::default());
    for square in game.state.board().occupied() {
        let piece = game.state.board().at(square).unwrap();
        let king = square.file() == 4 && [0, 7].contains(&square.rank());
        let kind = if king { Kind::KING } else { game.ground().settled(Kind::PAWN, square) };
        assert_eq!(piece.kind(), kind, "{square}");
    }
    let at = |game: &Mutation, text: &str| {
        game.state.board().at(Square::parse(text).unwrap()).map(Piece::kind)
    };
    for (action, to, kind) in [
        ("e2e4", "e4", Kind::KNIGHT),
        ("a7a5", "a5", Kind::BISHOP),
        ("e4c5", "c5", Kind::QUEEN),
        ("d7d6", "d6", Kind::ROOK),
        ("c5c7", "c7", Kind::PAWN),
    ] {
        play(&mut game, action);
        assert_eq!(at(&game, to), Some(kind), "{action}");
        assert_eq!(game.key(), game.fresh_key());
    }
}

#[test]
fn what_is_no_board_is_told() {
    let red = plain("r");
    for (text, wanted) in [
        ("", "8 ranks of 8 colours, separated by '/', not 1"),
        ("r/y", "8 ranks of 8 colours, separated by '/', not 2"),
        (&format!("{red}/"), "8 ranks of 8 colours, separated by '/', not 9"),
        (&red.replacen('r', "", 1), "8 colours in rank 8, not 7"),
        (&format!("{red}r"), "8 colours in rank 1, not 9"),
        (&red.replacen('r', "é", 1), "colours r, y, b, k or w in rank 8, not 'é'"),
        (&red.replacen('r', "R", 1), "colours r, y, b, k or w in rank 8, not 'R'"),
        (&red.replacen('r', "\0", 1), "colours r, y, b, k or w in rank 8, not '\\0'"),
        (&red.replacen('r', "ŷ", 1), "colours r, y, b, k or w in rank 8, not 'ŷ'"),
    ] {
        assert_eq!(text.parse::<Ground>().unwrap_err().to_string(), wanted);
        if !text.contains('\0') {
            assert_eq!(
                error(&format!("k7/8/8/8/8/8/8/K7 w - - 0 1 board={text}")),
                format!("FEN: board={text:?}: wanted {wanted}")
            );
        }
    }
}

#[test]
fn fens_of_other_games_and_impossible_ones_are_refused() {
    for (fen, message) in [
        (
            "k7/8/8/8/8/8/8/KQ6 w - - 0 1",
            "FEN board: rank 1 has the unknown letter \"Q\"; the letters are PPPPPK",
        ),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 die=N", "FEN: unknown key \"die\"; mutation has board"),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1 board=",
            "FEN: board=\"\": wanted 8 ranks of 8 colours, separated by '/', not 1",
        ),
        (
            "8/8/8/8/8/8/8/K7 w - - 0 1",
            "FEN shows no position: black has 0 kings, wanted exactly 1",
        ),
        (
            "k7/1P6/8/8/8/8/8/K7 w - - 0 1",
            "FEN shows no position: black is in check, but white is to move",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w x - 0 1",
            "FEN castling field \"x\": wanted KQkq, letters of rooks' files, or -",
        ),
    ] {
        assert_eq!(error(fen), message);
    }
}

/// Men like rooks stand beside kings at home, but nobody castles.
#[test]
fn there_is_neither_castling_nor_en_passant() {
    let home = position("p3k2p/8/8/8/8/8/8/P3K2P w KQkq - 0 1");
    assert!(home.state.castling().is_empty());
    assert_eq!(home.fen(&Setup::default()), "p3k2p/8/8/8/8/8/8/P3K2P w - - 0 1");
    let white = plain("w");
    let fen = format!("k7/8/8/8/3pP3/8/8/K7 b - e3 0 1 board={white}");
    assert_eq!(position(&fen).state.ep(), None);
    let mut game = position(&format!("k7/8/8/8/3p4/8/4P3/K7 w - - 0 1 board={white}"));
    play(&mut game, "e2e4");
    assert_eq!(
        game.fen(&Setup::default()),
        format!("k7/8/8/8/3pP3/8/8/K7 b - - 1 1 board={white}")
    );
    assert_eq!(game.parse_action(&Setup::default(), "d4e3"), None);
}

#[test]
fn pions_on_white_squares_step_from_every_rank_and_stop_at_the_last() {
    let white = plain("w");
    let moves = |men: &str, turn: &str| {
        let position = position(&format!("{men} {turn} - - 0 1 board={white}"));
        let mut texts: Vec<String> = perft::branches(&position)
            .into_iter()
            .filter(|action| !position.state.board().kind(Kind::KING).has(action.from()))
            .map(|action| position.action_text(&Setup::default(), action))
            .collect();
        texts.sort();
        // The predicate, too, stays on the board.
        let pions = position.state.board().color(position.turn());
        for from in pions - position.state.board().kind(Kind::KING) {
            for to in Square::all() {
                for tag in [Tag::Normal, Tag::DoubleStep] {
                    let action = Move::new(from, to, tag);
                    let text = position.action_text(&Setup::default(), action);
                    let tag_fits =
                        (from.rank().abs_diff(to.rank()) == 2) == (tag == Tag::DoubleStep);
                    assert_eq!(
                        position.is_legal(action),
                        tag_fits && texts.contains(&text),
                        "{text} {tag:?}"
                    );
                }
            }
        }
        texts.join(" ")
    };
    assert_eq!(moves("k7/8/8/8/8/8/8/K6P", "w"), "h1h2 h1h3");
    assert_eq!(moves("k7/8/7P/8/8/8/8/K7", "w"), "h6h7 h6h8");
    assert_eq!(moves("k7/7P/8/8/8/8/8/K7", "w"), "h7h8");
    assert_eq!(moves("k6P/8/8/8/8/8/8/K7", "w"), "");
    assert_eq!(moves("k6p/8/8/8/8/8/8/K7", "b"), "h8h6 h8h7");
    assert_eq!(moves("k7/8/8/8/8/8/7p/K7", "b"), "h2h1");
    assert_eq!(moves("k7/8/8/8/8/8/8/K6p", "b"), "");
    assert_eq!(moves("k7/6pp/7P/8/8/8/8/K7", "w"), "h6g7");
}

#[test]
fn only_captures_set_the_clock_back() {
    let mut game = position("7k/8/8/8/p7/8/2P5/K7 w - - 198 150");
    play(&mut game, "a1b1");
    assert_eq!(game.node(), Node::Decision(Color::Black));
    let mut captured = game;
    play(&mut captured, "a4c2");
    assert_eq!(captured.fen(&Setup::default()), "7k/8/8/8/8/8/2p5/1K6 w - - 0 151");
    play(&mut game, "h8g8");
    assert_eq!(game.node(), Node::Over(Outcome::Draw));
    // A pion's move counts like any other.
    let mut game = position("7k/8/8/8/8/8/P7/K7 w - - 7 1");
    play(&mut game, "a2a4");
    assert_eq!(game.state.halfmove_clock(), 8);
}

#[test]
fn boards_that_differ_in_a_free_square_have_different_keys() {
    let [red, blue] = ["r", "b"].map(|letter| Ground::DEFAULT_TEXT.replacen('y', letter, 1));
    let keys = ["", &format!(" board={red}"), &format!(" board={blue}")]
        .map(|token| position(&format!("7k/8/8/8/8/8/P7/K7 w - - 0 1{token}")).key());
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2], "{keys:x?}");
}

#[test]
fn any_board_has_a_start() {
    for letter in ["r", "y", "b", "k", "w"] {
        let setup = Setup { ground: plain(letter).parse().unwrap() };
        let start = Mutation::start(&setup);
        let fen = format!("{START} board={}", plain(letter));
        assert_eq!(start.fen(&setup), fen);
        // What the option says has no influence on a FEN.
        assert_eq!(Mutation::from_fen(&setup, START), Ok(Mutation::start(&Setup::default())));
        assert_eq!(Mutation::from_fen(&Setup::default(), &fen), Ok(start));
    }
}

/// What stands on a square is worth what it moves as there.
#[test]
fn exchanges_count_pions_by_their_squares() {
    let worth = |kind: Kind| Pions::WORTH[kind.index()];
    let (knight, rook, queen) = (worth(Kind::KNIGHT), worth(Kind::ROOK), worth(Kind::QUEEN));
    for (fen, action, gain) in [
        // From black to a free pion on red, to a guarded one, and to where guards are two deep.
        ("7k/8/3p4/8/8/8/8/K2P4 w - - 0 1", "d1d6", rook),
        ("3p3k/8/3p4/8/8/8/8/K2P4 w - - 0 1", "d1d6", rook - queen),
        ("3p3k/8/3p4/8/8/3P4/8/K2P4 w - - 0 1", "d3d6", rook),
        // Quietly to a square that a pion on yellow attacks.
        ("7k/8/8/8/4p3/8/8/K2P4 w - - 0 1", "d1d2", -queen),
        ("7k/8/8/8/4p3/8/3P4/K7 w - - 0 1", "d2d3", 0),
        ("7k/8/8/8/8/4p3/8/K4P2 w - - 0 1", "f1d3", -worth(Kind::BISHOP)),
        ("7k/8/8/8/8/2P5/4p3/K7 w - - 0 1", "c3e2", worth(Kind::PAWN)),
        ("7k/8/8/3p4/8/2P5/8/K7 w - - 0 1", "c3d5", knight),
    ] {
        let position = position(fen);
        let action = position.parse_action(&Setup::default(), action).expect(fen);
        assert!(position.exchange_gains(action, gain), "{fen} {action:?}");
        assert!(!position.exchange_gains(action, gain + 1), "{fen} {action:?}");
    }
}

#[test]
fn a_person_sees_the_colours() {
    let drawing = Mutation::start(&Setup::default()).draw(&Setup::default(), false);
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!(lines[1], " 8 |p r|p y|p b|p k|k k|p b|p y|p r|");
    assert_eq!(lines[11], " 3 |  y|  b|  y|  r|  r|  y|  b|  y|");
    assert_eq!(lines[13], " 2 |P w|P w|P w|P w|P w|P w|P w|P w|");
    assert!(drawing.contains("\nBehind the piece the colour: r red, y yellow, b blue, k black, w"));
    assert!(drawing.contains(&format!("FEN: {START}\n")));
    let drawing = Mutation::start(&Setup::default()).draw(&Setup::default(), true);
    let line = drawing.lines().nth(1).unwrap();
    assert!(
        line.starts_with(
            " 8 |\x1b[1;38;5;231;48;5;160m \x1b[4mp\x1b[24m \x1b[0m|\x1b[1;38;5;16;48;"
        ),
        "{line:?}"
    );
    // Seven letters and a frame: what is left without the colours.
    let mut plain = line.to_owned();
    while let Some((start, rest)) = plain.split_once('\x1b') {
        plain = format!("{start}{}", rest.split_once('m').unwrap().1);
    }
    assert_eq!(plain, " 8 | p | p | p | p | k | p | p | p |");
    assert_eq!(Board8::FILES, 8);
}

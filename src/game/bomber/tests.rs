use super::*;
use crate::core::zobrist::mix;
use crate::game::Action;

/// Name, copies, and the squares besides the pawn's own: files to the right, ranks ahead.
type Row = (&'static str, u8, &'static [(i32, i32)]);

/// The table of the specification's page.
const TABLE: &[Row] = &[
    ("dud", 2, &[]),
    ("jab", 2, &[(0, 1)]),
    ("lance", 2, &[(0, 1), (0, 2)]),
    ("fan", 2, &[(-1, 1), (0, 1), (1, 1)]),
    ("plus", 2, &[(0, 1), (0, -1), (1, 0), (-1, 0)]),
    ("cross", 2, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]),
    ("ring", 2, &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]),
    ("row", 2, &[(-2, 0), (-1, 0), (1, 0), (2, 0)]),
    ("star", 2, &[(0, 1), (0, 2), (0, -1), (0, -2), (1, 0), (2, 0), (-1, 0), (-2, 0)]),
];

fn position(fen: &str) -> Bomber {
    Bomber::from_fen(&Setup::default(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn action(position: &Bomber, text: &str) -> BomberAction {
    position.parse_action(&Setup::default(), text).unwrap_or_else(|| panic!("{text}"))
}

/// What explodes by the words of the rules, square by square.
fn walked(squares: &[(i32, i32)], pawn: Square<Board8>, us: Color) -> Bitboard<Board8> {
    squares.iter().filter_map(|&(x, y)| pawn.offset(x * us.sign(), y * us.sign())).collect()
}

#[test]
fn the_built_in_deck_is_that_of_the_rules() {
    let deck = Deck::default();
    assert_eq!((deck.cards().len(), deck.total()), (TABLE.len(), 18));
    for (card, &(name, copies, squares)) in deck.cards().iter().zip(TABLE) {
        assert_eq!((card.name.as_str(), card.copies), (name, copies));
        for us in Color::ALL {
            for pawn in Square::<Board8>::all() {
                let blast = card.pattern.blast(pawn, us);
                assert_eq!(blast, walked(squares, pawn, us), "{name} of {us} on {pawn}");
            }
        }
    }
}

/// Every square of 7×7 on its own, clipped at every edge.
#[test]
fn every_square_of_a_picture_has_its_place() {
    for x in -3..=3 {
        for y in -3..=3 {
            let mut rows = [['.'; 7]; 7];
            rows[(3 - y) as usize][(3 + x) as usize] = 'x';
            rows[3][3] = 'o';
            let picture: String = rows.iter().map(|row| String::from_iter(row) + "\n").collect();
            let deck = Deck::parse(format!("one x16\n{picture}").as_bytes()).unwrap();
            let square: &[(i32, i32)] = if (x, y) == (0, 0) { &[] } else { &[(x, y)] };
            for us in Color::ALL {
                for pawn in Square::<Board8>::all() {
                    let blast = deck.cards()[0].pattern.blast(pawn, us);
                    assert_eq!(blast, walked(square, pawn, us), "{x} {y} of {us} on {pawn}");
                }
            }
        }
    }
}

#[test]
fn decks_are_read_as_people_write_them() {
    let plain = Deck::parse(b"big bang x16\n.x\no.\n").unwrap();
    assert_eq!(plain.cards()[0].name, "big bang");
    for text in [
        "\u{feff}# A remark.\r\n\r\n  big bang   x16  \r\n . x\r\n o .\r\n\r\n",
        "big bang x016\n.x\n# A remark amid a picture.\no.",
        "\n\n\nbig bang\tx16\n\t. x\n\to .\n   \n\n#\n",
    ] {
        assert_eq!(Deck::parse(text.as_bytes()).as_ref(), Ok(&plain), "{text:?}");
    }
    let most = (0..18).map(|number| format!("p{number} x99\no\n\n")).collect::<Vec<_>>().concat();
    let most = Deck::parse(most.as_bytes()).unwrap();
    assert_eq!((most.cards().len(), most.total()), (18, 1782));
}

#[test]
fn what_is_no_deck_is_told_with_its_line() {
    let many = (0..19).map(|number| format!("p{number} x1\no\n\n")).collect::<Vec<_>>().concat();
    for (text, message) in [
        ("", "line 1: the deck ends with 0 cards; wanted at least 16, one for every pawn"),
        (
            "jab x15\nx\no\n\n\n",
            "line 5: the deck ends with 15 cards; wanted at least 16, one for every pawn",
        ),
        (
            "\n# no name\nx\no\n",
            "line 3: \"x\" begins no pattern; wanted a name and a count, such as \"jab x2\"",
        ),
        (
            "jab 2\nx\no\n",
            "line 1: \"jab 2\" begins no pattern; wanted a name and a count, such as \"jab x2\"",
        ),
        (
            "x2\nx\no\n",
            "line 1: \"x2\" begins no pattern; wanted a name and a count, such as \"jab x2\"",
        ),
        ("jab x0\nx\no\n", "line 1: the count is \"x0\"; wanted x1 to x99"),
        ("jab x100\nx\no\n", "line 1: the count is \"x100\"; wanted x1 to x99"),
        ("jab x\nx\no\n", "line 1: the count is \"x\"; wanted x1 to x99"),
        ("jab x+2\nx\no\n", "line 1: the count is \"x+2\"; wanted x1 to x99"),
        ("jab xx2\nx\no\n", "line 1: the count is \"xx2\"; wanted x1 to x99"),
        (
            "j\u{7}b x16\no\n",
            "line 1: the name \"j\\u{7}b\" cannot be used; wanted 1 to 30 printable characters",
        ),
        (
            "jab x8\nx\no\n\njab x8\no\n",
            "line 5: there is a pattern \"jab\" already; wanted different names",
        ),
        (&many, "line 55: a pattern more than 18; wanted at most 18"),
        (
            "jab x16\nX\no\n",
            "line 2: 'X' has no place in a picture; wanted '.', 'x' or 'o', and a blank line \
             before the next pattern",
        ),
        (
            "jab x8\nx\no\nfan x8\nxxx\n.o.\n",
            "line 4: 'f' has no place in a picture; wanted '.', 'x' or 'o', and a blank line \
             before the next pattern",
        ),
        (
            "plus x16\n  x\nx o x\n  x\n",
            "line 3: the row has 3 squares; wanted 1, as the rows above it have",
        ),
        ("wide x16\n...o....\n", "line 2: the picture is larger than 7 by 7 squares"),
        ("tall x16\n.\n.\n.\no\n.\n.\n.\n.\n", "line 9: the picture is larger than 7 by 7 squares"),
        ("two x16\nx\noo\n", "line 3: the row has 2 squares; wanted 1, as the rows above it have"),
        ("two x16\nxo\nox\n", "line 3: a second 'o' in the picture; wanted one, the pawn"),
        ("two x16\noo\n", "line 2: a second 'o' in the picture; wanted one, the pawn"),
        ("none x16\nxx\nxx\n", "line 1: the picture of \"none\" has no 'o'; wanted one, the pawn"),
        (
            "none x16\n\nx\no\n",
            "line 1: \"none\" has no picture; wanted rows of '.', 'x' and 'o' on the lines right \
             below it",
        ),
        (
            "none x16",
            "line 1: \"none\" has no picture; wanted rows of '.', 'x' and 'o' on the lines right \
             below it",
        ),
        (
            "far x16\n.\nx\n.\n.\no\n",
            "line 6: the picture has squares 4 ranks ahead of the pawn; wanted at most 3",
        ),
        (
            "far x16\no\n.\n.\n.\n.\n",
            "line 2: the picture has squares 4 ranks behind the pawn; wanted at most 3",
        ),
        (
            "far x16\n.....o\n",
            "line 2: the picture has squares 5 files left of the pawn; wanted at most 3",
        ),
        (
            "far x16\no......\n",
            "line 2: the picture has squares 6 files right of the pawn; wanted at most 3",
        ),
    ] {
        let error = Deck::parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, message, "{text:?}");
    }
    let error = Deck::parse(b"jab x16\n# \xff\nx\no\n").unwrap_err().to_string();
    assert_eq!(error, "line 2: this is no text; wanted UTF-8");
    let error = Deck::parse(format!("{} x2\no\n", "n".repeat(31)).as_bytes()).unwrap_err();
    assert_eq!((error.line, error.flaw), (1, DeckFlaw::Name("n".repeat(31))));
    let error = Deck::parse("n".repeat(60_000).as_bytes()).unwrap_err().to_string();
    assert!(error.len() < 200, "{error}");
}

/// Whatever the bytes, there is an answer, and a deck that is accepted keeps its bounds.
#[test]
fn mutated_decks_do_no_harm() {
    const BYTES: &[u8] = b"xxoo..  \n\n\r#x129ab\t\0\xff\xc3\xa9";
    let text = include_bytes!("../../../openings/bomber-deck.txt");
    let mut accepted = 0;
    for seed in 0..20_000_u64 {
        let mut bytes = text.to_vec();
        let mut random = mix(seed);
        for _ in 0..=random % 3 {
            random = mix(random);
            if bytes.is_empty() {
                break;
            }
            let (place, byte) = (random as usize % bytes.len(), random as usize >> 40);
            match random >> 32 & 3 {
                0 => bytes[place] = BYTES[byte % BYTES.len()],
                1 => bytes.insert(place, BYTES[byte % BYTES.len()]),
                2 => drop(bytes.remove(place)),
                _ => bytes.truncate(place),
            }
        }
        if let Ok(deck) = Deck::parse(&bytes) {
            accepted += 1;
            assert!(deck.cards().len() <= MAX_PATTERNS && deck.total() >= MIN_CARDS);
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn files_that_are_no_decks_are_told() {
    let error = |path: &str| Deck::read(path).unwrap_err();
    assert!(matches!(error("no such file"), DeckFileError::Unreadable { .. }));
    assert!(matches!(error("src"), DeckFileError::Unreadable { .. }));
    assert!(matches!(error("no\0name"), DeckFileError::Unreadable { .. }));
    assert_eq!(
        error("tests/data/decks/wrong.txt").to_string(),
        "\"tests/data/decks/wrong.txt\", line 7: the row has 3 squares; wanted 2, as the rows \
         above it have"
    );
    assert_eq!(
        error("rustfmt.toml").to_string(),
        "\"rustfmt.toml\", line 1: \"max_width = 100\" begins no pattern; wanted a name and a count, \
         such as \"jab x2\""
    );
    assert_eq!(Deck::read("openings/bomber-deck.txt"), Ok(Deck::default()));
}

#[test]
fn events_come_in_the_order_of_their_text() {
    let text =
        (1..=18).map(|number| format!("p{number} x{number}\no\n\n")).collect::<Vec<_>>().concat();
    let deck = Arc::new(Deck::parse(text.as_bytes()).unwrap());
    let setup = Setup { deck };
    let fen = "4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5";
    let mut position = Bomber::from_fen(&setup, fen).unwrap();
    let mut events = Vec::new();
    position.outcomes(|event, weight| events.push((position.action_text(&setup, event), weight)));
    assert!(events.is_sorted());
    assert_eq!(events.len(), 18);
    for (text, weight) in events {
        assert_eq!(text, format!("card:{weight}"));
    }
    let card = position.parse_action(&setup, "card:17").unwrap();
    position.play(card, &mut ());
    let fen = position.fen(&setup);
    assert_eq!(
        fen,
        "4k3/8/4n3/8/8/8/8/4K3 b - - 0 1 deck=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,16,18"
    );
    assert_eq!(Bomber::from_fen(&setup, &fen), Ok(position));
    assert_eq!(position.cards_left(), 170);
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let accepted = |bits| BomberAction::from_bits(bits).is_some();
    let (e4, e5) = (Square::<Board8>::new(28), Square::new(36));
    let plain = Move::new(e4, e5, Tag::Normal).to_bits();
    assert!(accepted(plain) && accepted(plain | 1 << 24));
    for bits in [
        0,
        1 << 24,
        plain | 1 << 26,
        plain | 1 << 25,
        (1 << 25) + 18,
        3 << 24,
        Move::new(e4, e5, Tag::EnPassant).to_bits() | 1 << 24,
        Move::new(e4, e5, Tag::Castling).to_bits() | 1 << 24,
        Move::promotion(e4, e5, Kind::QUEEN).to_bits() | 1 << 24,
    ] {
        assert!(!accepted(bits), "{bits:#x}");
    }
    for card in 0..18 {
        let action = BomberAction::from_bits((1 << 25) + card).unwrap();
        assert_eq!(action.meaning(), Meaning::Card(card as usize));
    }
}

#[test]
fn only_the_exact_text_of_an_action_is_one() {
    let setup = Setup::default();
    let decision = position("4k3/P7/4n3/8/4P3/8/3P4/4K3 w - - 0 1");
    let chance = position("4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5 deck=0,2,2,2,2,2,2,2,2");
    let over = position("8/8/8/8/8/8/4P3/4K3 w - - 0 1");
    for text in ["e4e5", "e4e5*", "a7a8q", "d2d4"] {
        assert!(decision.parse_action(&setup, text).is_some(), "{text:?}");
        assert!(chance.parse_action(&setup, text).is_none(), "{text:?}");
    }
    for text in ["card:2", "card:9"] {
        assert!(chance.parse_action(&setup, text).is_some(), "{text:?}");
        assert!(decision.parse_action(&setup, text).is_none(), "{text:?}");
    }
    for text in [
        "e4e5**",
        "*",
        "*e4e5",
        "e4e5 *",
        "d2d4*",
        "a7a8q*",
        "a7a8*q",
        "e1e2*",
        "card:1",
        "card:0",
        "card:02",
        "card:+2",
        "card:10",
        "card:19",
        "card:",
        "card:2*",
        "card",
        "card:-1",
        "card:99999999999999999999",
        "Card:2",
        "card:2 ",
        "",
    ] {
        for position in [decision, chance, over] {
            assert_eq!(position.parse_action(&setup, text), None, "{text:?}");
        }
    }
    assert_eq!(over.parse_action(&setup, "e2e3"), None);
}

#[test]
fn an_explosion_is_worth_what_it_can_expect_to_win() {
    // FEN, explosion, expected gain in centipawns times the number of cards.
    for (fen, text, cards, gain) in [
        // The dud costs the pawn; the jab wins the knight for it.
        ("4k3/8/4n3/8/4P3/8/8/4K3 w - - 0 1 deck=2,0,0,0,0,0,0,0,0", "e4e5*", 2, -200),
        ("4k3/8/4n3/8/4P3/8/8/4K3 w - - 0 1 deck=2,1,0,0,0,0,0,0,0", "e4e5*", 3, 25),
        // The ring takes one of one's own, and not the square that the pawn has left.
        ("4k3/8/4n3/8/3RP3/8/8/4K3 w - - 0 1 deck=0,0,0,0,0,0,2,0,0", "e4e5*", 2, -550),
        // What the move itself captures counts once.
        ("4k3/3n4/3p4/4P3/8/8/8/4K3 w - - 0 1 deck=1,0,0,0,0,0,0,0,0", "e5d6*", 1, 0),
        ("4k3/3n4/3p4/4P3/8/8/8/4K3 w - - 0 1 deck=1,1,0,0,0,0,0,0,0", "e5d6*", 2, 325),
        // Kings, one and both.
        ("8/8/4k3/8/4P3/8/8/4K3 w - - 0 1 deck=1,1,0,0,0,0,0,0,0", "e4e5*", 2, 1800),
        ("8/8/8/8/4p3/8/3KQ3/7k b - - 0 1 deck=0,0,0,1,0,0,0,0,0", "e4e3*", 1, 2875),
        ("8/8/4k3/8/3KP3/8/8/8 w - - 0 1 deck=0,0,0,0,0,0,1,0,0", "e4e5*", 1, -100),
    ] {
        let position = position(fen);
        let action = action(&position, text);
        let expected = gain as f64 / f64::from(cards);
        assert!(position.exchange_gains(action, expected.floor() as i32), "{fen} {text}");
        assert!(!position.exchange_gains(action, expected.floor() as i32 + 1), "{fen} {text}");
        let gist = position.gist(action);
        assert!(gist.is_noisy() && gist.victim > 0, "{fen} {text}");
    }
}

#[test]
fn a_person_sees_the_deck_and_the_pawn() {
    let setup = Setup::default();
    let drawing = position("4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1 boom=e5 deck=0,2,2,2,2,2,2,2,1")
        .draw(&setup, false);
    let rest = drawing.split_once("to move\n").unwrap().1;
    assert!(rest.starts_with(
        "\nDeck: 15 cards left: 1 dud x0, 2 jab x2, 3 lance x2, 4 fan x2, 5 plus x2, 6 cross x2, \
         7 ring x2, 8 row x2, 9 star x1\nBoom: the pawn on e5 awaits its card\nFEN: 4k3/8/4n3/"
    ));
    // Without a king there is nobody to check.
    let drawing = position("8/8/4n3/8/8/8/8/4K3 b - - 0 1").draw(&setup, false);
    assert!(drawing.ends_with("Checkers: \n"));
    let drawing = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").draw(&setup, false);
    assert!(drawing.ends_with("Checkers: e2\n"));
}

use super::*;
use crate::game::{Action, perft};

fn position<G: BlenderBoard, const NIGHT: bool>(fen: &str) -> Blender<G, NIGHT> {
    Blender::from_fen(&Setup, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn after<G: BlenderBoard, const NIGHT: bool>(fen: &str, actions: &str) -> String {
    let mut position = position::<G, NIGHT>(fen);
    for text in actions.split(' ') {
        let action = position.parse_action(&Setup, text);
        let action = action.unwrap_or_else(|| panic!("{text} in {}", position.fen(&Setup)));
        position.play(action, &mut ());
        assert_eq!(position.key(), position.fresh_key());
    }
    position.fen(&Setup)
}

fn legal<G: BlenderBoard, const NIGHT: bool>(fen: &str) -> Vec<String> {
    let position = position::<G, NIGHT>(fen);
    let mut texts: Vec<String> = perft::branches(&position)
        .into_iter()
        .map(|action| position.action_text(&Setup, action))
        .collect();
    texts.sort_unstable();
    texts
}

#[test]
fn starts_are_those_of_the_page() {
    assert_eq!(perft::perft(&Blender8::start(&Setup), 3), 11_816);
    assert_eq!(perft::perft(&Blender8Night::start(&Setup), 3), 11_816);
    assert_eq!(perft::perft(&Blender100::start(&Setup), 3), 31_093);
    assert_eq!(perft::perft(&Blender100Night::start(&Setup), 3), 31_093);
    let start = Blender100::start(&Setup).fen(&Setup);
    assert_eq!(start, "rnbaqkcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBAQKCBNR w KQkq - 0 1");
}

/// A merge onto the castling rook takes the right away, and it does not come back when the guest
/// leaves again.
#[test]
fn a_rook_that_had_a_guest_castles_no_more() {
    let fen = "4k3/8/8/8/8/8/2N5/R3K3 w Q - 0 1";
    assert_eq!(
        after::<Board8, false>(fen, "c2a1 e8e7 a1c2n e7e8"),
        "4k3/8/8/8/8/8/2N5/R3K3 w - - 4 3"
    );
}

#[test]
fn only_captures_and_pawns_reset_the_clock() {
    let fen = "4k3/8/4p3/3B4/3+C3p/8/P7/4K3 w - - 7 9";
    for (action, clock) in
        [("d4d5r", 8), ("d4f5n", 8), ("d4e6n", 0), ("d4h4r", 0), ("d5e6", 0), ("a2a3", 0)]
    {
        let found = after::<Board8, false>(fen, action);
        let found: u32 = found.split(' ').nth(4).unwrap().parse().unwrap();
        assert_eq!(found, clock, "{action}");
    }
}

/// The rest shields the king still.
#[test]
fn pinned_men_part_but_do_not_leave() {
    let texts = legal::<Board8, false>("4r2k/8/8/8/4+A3/8/8/4K3 w - - 0 1");
    assert!(texts.contains(&"e4h1b".to_owned()) && texts.contains(&"e4f6n".to_owned()));
    assert!(!texts.contains(&"e4h1".to_owned()) && !texts.contains(&"e4f6".to_owned()));
}

#[test]
fn nightriders_pin_along_their_lines() {
    // The rider on c5 looks through d3 at the king on e1.
    let fen = "7k/8/8/2+h5/8/3N4/8/4K3 w - - 0 1";
    let texts = legal::<Board8, true>(fen);
    assert!(texts.contains(&"d3c5".to_owned()), "{texts:?}");
    assert!(!texts.contains(&"d3e5".to_owned()), "{texts:?}");
    // A check over empty squares is blocked on one of them.
    let fen = "7k/2+h5/8/8/8/8/4R3/5K2 w - - 0 1";
    assert!(position::<Board8, true>(fen).in_check());
    let texts = legal::<Board8, true>(fen);
    let rook: Vec<_> = texts.iter().filter(|text| text.starts_with("e2")).collect();
    assert_eq!(rook, ["e2e3"]);
}

#[test]
fn pools_are_read_in_any_order_and_written_in_one() {
    let board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for (pool, written) in [
        ("-/-", ""),
        ("+AQN/-", " pool=NQ+A/-"),
        ("-/+C+CRRBN", " pool=-/NBRR+C+C"),
        ("+M/+M", " pool=+M/+M"),
    ] {
        let fen = format!("{board} pool={pool}");
        assert_eq!(position::<Board8, false>(&fen).fen(&Setup), format!("{board}{written}"));
    }
    let most = format!("{board} pool={}/-", "N".repeat(64));
    assert!(Blender8::from_fen(&Setup, &most).is_ok());
    let more = "N".repeat(65) + "/-";
    for pool in [
        "", "-", "/", "N/", "/N", "n/-", "P/-", "K/-", "+/-", "N+/-", "--/-", "-/-/-", "é/-",
        "N-/-", "+H/-", "A/-", &more,
    ] {
        let wanted = "White's lost men, /, and Black's, each of N B R Q +Q +A +C +M or - for none, \
                      at most 64 of a kind";
        assert_eq!(
            Blender8::from_fen(&Setup, &format!("{board} pool={pool}")).unwrap_err().to_string(),
            format!("FEN: pool={pool:?}: wanted {wanted}")
        );
    }
    for pool in ["AC+H+U+V+S/-", "-/A"] {
        let fen = format!("4k5/10/10/10/10/10/10/10/10/4K5 w - - 0 1 pool={pool}");
        assert!(Blender100Night::from_fen(&Setup, &fen).is_ok(), "{pool}");
    }
    assert!(
        Blender100::from_fen(&Setup, "4k5/10/10/10/10/10/10/10/10/4K5 w - - 0 1 pool=+H/-")
            .is_err()
    );
}

#[test]
fn letters_are_those_of_the_game() {
    let hint = |error: FenError| error.to_string();
    let error = Blender8::from_fen(&Setup, "4k3/8/8/8/8/8/8/A3K3 w - - 0 1").unwrap_err();
    assert_eq!(
        hint(error),
        "FEN board: rank 1 has the unknown letter \"A\"; the letters are PNBRQK+Q+A+C+M"
    );
    let error = Blender8::from_fen(&Setup, "4k3/8/8/8/8/8/8/+H3K3 w - - 0 1").unwrap_err();
    assert!(hint(error).contains("\"+H\""));
    assert!(Blender8Night::from_fen(&Setup, "4k3/8/8/8/8/8/8/+H3K3 w - - 0 1").is_ok());
    for text in ["+", "+/8", "++Q6", "+Qé6"] {
        let fen = format!("4k3/8/8/8/8/8/8/{text} w - - 0 1");
        assert!(Blender8::from_fen(&Setup, &fen).is_err(), "{text}");
    }
}

#[test]
fn pawns_may_stand_on_their_last_rank_and_nowhere_else_of_the_edge() {
    assert!(Blender8::from_fen(&Setup, "P3k3/8/8/8/8/8/8/p3K3 w - - 0 1").is_ok());
    assert!(Blender8::from_fen(&Setup, "p3k3/8/8/8/8/8/8/4K3 w - - 0 1").is_err());
    assert!(Blender8::from_fen(&Setup, "4k3/8/8/8/8/8/8/P3K3 w - - 0 1").is_err());
    // It gives no check and does not move, whatever any number says.
    let fen = "3P4/4k3/8/8/8/8/8/4K3 w - - 0 1";
    let position = position::<Board8, false>(fen);
    assert!(!position.state.is_attacked(Color::Black));
    assert!(legal::<Board8, false>(fen).iter().all(|text| text.starts_with("e1")));
    for bits in 0..1 << 24 {
        if let Some(action) = BlenderAction::<Board8>::from_bits(bits)
            && bits & 0x7f == 59
        {
            assert!(!position.is_legal(action), "{action:?}");
        }
    }
}

#[test]
fn staying_a_pawn_is_no_plain_move_and_has_no_letter() {
    let position = position::<Board8, false>("7k/4P3/8/8/8/8/8/K7 w - - 0 1 pool=N/-");
    let stay = position.parse_action(&Setup, "e7e8").unwrap();
    assert_eq!(Blender8::plain_move(stay), None);
    assert!(position.parse_action(&Setup, "e7e8p").is_none());
    assert!(position.parse_action(&Setup, "e7e8q").is_none());
    let knight = position.parse_action(&Setup, "e7e8n").unwrap();
    assert!(Blender8::plain_move(knight).is_some());
    assert!(position.gist(stay).is_noisy() && position.gist(stay).promotion < 0);
}

/// FEN, action, what the exchange gains in centipawns.
const EXCHANGES: &[(&str, &str, i32)] = &[
    // The chancellor takes a guarded pawn with all it is, or with its knight alone.
    ("4k3/8/2p5/3p4/8/2+C5/8/4K3 w - - 0 1", "c3d5", 100 - 900),
    ("4k3/8/2p5/3p4/8/2+C5/8/4K3 w - - 0 1", "c3d5n", 100 - 325),
    // A merge captures nothing, but puts more at stake.
    ("4k3/8/2p5/3B4/8/2N5/8/4K3 w - - 0 1", "c3d5", -825),
    ("4k3/8/8/3B4/8/2N5/8/4K3 w - - 0 1", "c3d5", 0),
    // A part that merges on a guarded square.
    ("4k3/8/2p5/3B4/8/2+C5/8/4K3 w - - 0 1", "c3d5n", -825),
    // Staying a pawn is the loss of one.
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", -100),
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1 pool=R/-", "a7a8r", 400),
];

#[test]
fn exchanges_know_parts_and_sums() {
    for &(fen, action, gain) in EXCHANGES {
        let position = position::<Board8, false>(fen);
        let action = position.parse_action(&Setup, action).unwrap();
        assert!(position.exchange_gains(action, gain), "{fen} {action:?}");
        assert!(!position.exchange_gains(action, gain + 1), "{fen} {action:?}");
    }
}

#[test]
fn little_material_is_a_draw_whatever_the_pools_hold() {
    for (board, drawn) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4k3/8/8/8/8/8/8/4KB2", true),
        ("4kb2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/4KBB1", false),
        ("4k3/8/8/8/8/8/8/4K+A2", false),
        ("4k3/8/8/8/8/8/8/4K+H2", false),
        ("P3k3/8/8/8/8/8/8/4K3", false),
    ] {
        let fen = format!("{board} w - - 0 1 pool=Q/-");
        assert_eq!(position::<Board8, true>(&fen).drawn_by_rule(), drawn, "{board}");
    }
}

use super::*;
use crate::game::{Node, perft};

const SETUP: Setup = Setup { tiles: Tiles::Diagonal };

fn position(fen: &str) -> Ladders {
    Ladders::read(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn texts(position: &Ladders) -> String {
    let mut texts: Vec<String> =
        perft::branches(position).into_iter().map(|action| position.name(action)).collect();
    texts.sort_unstable();
    texts.join(" ")
}

fn of(position: &Ladders, from: &str) -> String {
    let all = texts(position);
    let own: Vec<&str> = all.split(' ').filter(|text| text.starts_with(from)).collect();
    own.join(" ")
}

fn play(position: &mut Ladders, text: &str) {
    let action = position.parse_action(&SETUP, text);
    position.play(action.unwrap_or_else(|| panic!("{text}")), &mut ());
}

#[test]
fn placing_ends_when_the_player_to_place_cannot() {
    let mut start = Ladders::start(&SETUP);
    assert_eq!(start.node(), Node::Decision(Color::Black));
    assert!(!start.may_pass() && !start.is_fresh_turn());
    for block in ["L@b2", "L@d2", "L@f2", "L@b4", "L@d4", "L@f4", "L@b6"] {
        play(&mut start, block);
        assert!(start.is_placing());
    }
    play(&mut start, "L@d6");
    assert!(!start.is_placing() && start.may_pass() && start.is_fresh_turn());
    assert_eq!(start.node(), Node::Decision(Color::White));
    let ladders = " w KQkq - 0 1 ladders=d2e3,b4c5,f4g5,d6e7/b2c3,f2g3,d4e5,b6c7";
    assert!(start.text().ends_with(ladders), "{}", start.text());
    // White has boards left, but no room.
    let full = position("4k3/8/8/8/8/8/8/4K3 b - - 0 1 place=3,1 blocks=b2,d2,f2,b4,d4,f4,b6,d6");
    assert_eq!(texts(&full), "L@f6 L@g7");
    let mut full = full;
    play(&mut full, "L@f6");
    assert_eq!(full.text(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ladders=-/f6g7");
}

/// Nothing is drawn and no clock runs while boards are placed.
#[test]
fn placing_knows_no_draws() {
    let mut start = position("4k3/8/8/8/8/8/8/4K3 b - - 100 9 place=1,1");
    assert_eq!(start.node(), Node::Decision(Color::Black));
    play(&mut start, "L@c3");
    play(&mut start, "L@a1");
    assert_eq!(start.text(), "4k3/8/8/8/8/8/8/4K3 w - - 100 9 ladders=a1b2/c3d4");
    assert_eq!(start.node(), Node::Over(Outcome::Draw));
}

/// Black's king may stand in check until White moves, and then goes.
#[test]
fn a_king_in_check_when_placing_ends_can_be_taken() {
    let mut start = position("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1 place=1,0");
    play(&mut start, "L@a1");
    assert!(of(&start, "e4").contains("e4e8"));
    play(&mut start, "e4e8");
    assert_eq!(start.node(), Node::Over(Outcome::Win(Color::White)));
}

/// What chess comes to is the move of chess.
#[test]
fn ways_that_come_to_the_same_are_one() {
    // The knight rides to e4 and leaps to d2, or leaps there.
    let knight = position("7k/8/8/8/8/5N2/8/K7 w - - 0 1 ladders=f3b3/-");
    let action = knight.parse_action(&SETUP, "f3d2").unwrap();
    assert!(Ladders::plain_move(action).is_some());
    let ride = knight.parse_action(&SETUP, "f3d4").unwrap();
    assert!(Ladders::plain_move(ride).is_some());
    let ride = knight.parse_action(&SETUP, "f3a5").unwrap();
    assert!(Ladders::plain_move(ride).is_none());
}

/// All squares are ends, so that a queen can be anywhere by more ways than
/// could be told one by one.
#[test]
fn ladders_everywhere_take_no_time() {
    let squares: Vec<String> = Square::<Board8>::all().map(|square| square.to_string()).collect();
    let pairs: Vec<String> = (0..32)
        .map(|low| format!("{}{}", squares[low], squares[(low * 7 + 3) % 32 + 32]))
        .collect();
    let all = pairs.join(",");
    // White can come to nearly every square, but not to the king, whose ladder's other end is held.
    let start = position(&format!("6rk/6pp/8/8/4Q3/8/8/K3n3 w - - 0 1 ladders={all}/-"));
    assert!(of(&start, "e4").split(' ').count() > 50, "{}", texts(&start));
    for black in ["-", &all] {
        let fen = format!("6rk/6pp/8/8/4Q3/8/8/K3n3 w - - 0 1 ladders={all}/{black}");
        let mut position = position(&fen);
        for _ in 0..6 {
            let actions = perft::branches(&position);
            assert_eq!(position.count_actions(), actions.len() as u64);
            let Some(&action) = actions.first() else { break };
            assert!(actions.iter().all(|&action| position.is_legal(action)));
            position.play(action, &mut ());
        }
    }
}

#[test]
fn what_a_ride_captures_is_told_the_search() {
    let start = position("7k/8/8/8/8/8/3p4/2B4K w - - 0 1 ladders=d2e3,f4g5,a3b4/-");
    let shift = start.parse_action(&SETUP, "c1e3xd2").unwrap();
    let gist = start.gist(shift);
    assert_eq!((gist.victim, gist.victim_kind), (100, Kind::PAWN.0 + 1));
    assert_eq!(gist.to, Square::<Board8>::parse("e3").unwrap().index() as u8);
    assert!(start.exchange_gains(shift, 100) && !start.exchange_gains(shift, 101));
    let quiet = start.parse_action(&SETUP, "c1a5").unwrap();
    assert!(!start.gist(quiet).is_noisy());
    assert!(start.exchange_gains(quiet, 0) && !start.exchange_gains(quiet, 1));
    assert!(!Ladders::start(&SETUP).gist(LadderAction::place(Square::new(0))).is_noisy());
}

#[test]
fn both_sides_ladders_are_drawn() {
    let start = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ladders=a1b2/b2c3");
    let plain = start.drawn(false);
    assert!(plain.contains("|1.a|"), "{plain}");
    assert!(plain.contains("White's ladders (left of the piece): 1 a1-b2\n"), "{plain}");
    assert!(plain.contains("Black's ladders (right of the piece): a b2-c3\n"), "{plain}");
    assert!(!plain.contains('\x1b'));
    assert!(start.drawn(true).contains("\x1b[1;38;5;160m1\x1b[0m"));
    // A rook that starts by a ride, and one without need of one.
    let check = position("4k3/8/8/1r6/8/8/8/r3K3 w - - 0 1 ladders=-/b5e4").drawn(false);
    assert!(check.contains("Checkers: a1 b5\n"), "{check}");
    let placing = Ladders::start(&SETUP).drawn(false);
    assert!(placing.contains("Boards still to place (diagonal): White 4, Black 4\n"), "{placing}");
}

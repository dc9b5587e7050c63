use super::*;
use crate::game::perft;

fn read(fen: &str) -> Quantum {
    Quantum::from_fen(&Setup::default(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn error(fen: &str) -> String {
    match Quantum::from_fen(&Setup::default(), fen) {
        Ok(position) => panic!("{fen:?} was read as {}", position.text()),
        Err(error) => error.to_string(),
    }
}

fn play(position: &mut Quantum, actions: &str) {
    for text in actions.split(' ') {
        let action = position.parse_action(&Setup::default(), text);
        position.play(action.unwrap_or_else(|| panic!("{text} in {}", position.text())), &mut ());
    }
}

fn after(fen: &str, actions: &str) -> String {
    let mut position = read(fen);
    play(&mut position, actions);
    position.text()
}

const KINGS: &str = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";

#[test]
fn tokens_that_are_wrong_say_what_would_be_right() {
    let tracks = "circles (1 to 255) and free moves (0 to 255) of each track as in 3:2; track";
    let gems = "wanted White's and Black's gems, 10 at most together, as in 2,2";
    let man = "wanted - or a piece PNBRQ, its square and its circle as in Rd4:3 on track";
    for (tokens, message) in [
        (
            "die=N",
            "unknown key \"die\"; quantum has board, rule, gems, tracks, jump, free, due"
                .to_owned(),
        ),
        ("gems=1,1 gems=1,1", "the key \"gems\" is given twice".to_owned()),
        ("board=", "board=\"\": wanted 1 to 8 tracks with commas between, not 0".to_owned()),
        ("board=2:1,3", format!("board=\"2:1,3\": wanted {tracks} 2 is \"3\"")),
        ("board=0:1", format!("board=\"0:1\": wanted {tracks} 1 is \"0:1\"")),
        ("rule=all", "rule=\"all\": wanted exact or upto".to_owned()),
        ("gems=2", format!("gems=\"2\": {gems}")),
        ("gems=6,5", format!("gems=\"6,5\": {gems}")),
        ("gems=255,255", format!("gems=\"255,255\": {gems}")),
        ("gems=-1,2", format!("gems=\"-1,2\": {gems}")),
        (
            "tracks=-,-,-,-",
            "tracks=\"-,-,-,-\": wanted White's tracks, a '/', and Black's".to_owned(),
        ),
        (
            "tracks=-,-,-,-/-,-",
            "tracks=\"-,-,-,-/-,-\": wanted 4 tracks of black with commas between, not 2"
                .to_owned(),
        ),
        (
            "board=1:1 tracks=rd4:1/-",
            format!("tracks=\"rd4:1/-\": {man} 1 of white, not \"rd4:1\""),
        ),
        (
            "board=1:1 tracks=-/Kd4:1",
            format!("tracks=\"-/Kd4:1\": {man} 1 of black, not \"Kd4:1\""),
        ),
        (
            "board=1:1 tracks=-/Rd9:1",
            format!("tracks=\"-/Rd9:1\": {man} 1 of black, not \"Rd9:1\""),
        ),
        (
            "board=3:1 tracks=-/Rd4:4",
            "tracks=\"-/Rd4:4\": wanted circles 1 to 3 on track 1 of black, not 4".to_owned(),
        ),
        (
            "board=3:1 tracks=Rd4:0/-",
            "tracks=\"Rd4:0/-\": wanted circles 1 to 3 on track 1 of white, not 0".to_owned(),
        ),
        (
            "board=3:1 tracks=-/Pd1:2",
            "tracks=\"-/Pd1:2\": wanted no pawn of black from d1, on its last rank".to_owned(),
        ),
    ] {
        assert_eq!(error(&format!("{KINGS} {tokens}")), format!("FEN: {message}"));
    }
}

#[test]
fn turns_under_way_must_be_possible() {
    let jump = "wanted a turn in which another man may leave: a gem, an empty track, and a man on a \
                later square that does not leave its king in check";
    let left = "wanted an empty square that a man of white left, who stands on the right-most circle \
                of a track";
    let due = "wanted numbers of tracks with commas between, from the top, on each of which a man of \
               white stands on circle 1";
    let sent = "tracks=Bf1:2,-,-,-/-,-,-,-";
    for (tokens, message) in [
        ("jump=e9".to_owned(), "jump=\"e9\": wanted the square that the last man sent away left"),
        ("jump=f1".to_owned(), &*format!("jump=\"f1\": {left}")),
        ("tracks=Bf1:1,-,-,-/-,-,-,- jump=f1".to_owned(), &*format!("jump=\"f1\": {left}")),
        ("tracks=Pa2:2,-,-,-/-,-,-,- jump=a2".to_owned(), &*format!("jump=\"a2\": {left}")),
        (format!("gems=0,2 {sent} jump=f1"), &*format!("jump=\"f1\": {jump}")),
        (format!("board=2:1 {} jump=f1", "tracks=Bf1:2/-"), &*format!("jump=\"f1\": {jump}")),
        ("tracks=Bf3:2,-,-,-/-,-,-,- jump=f3".to_owned(), &*format!("jump=\"f3\": {jump}")),
        (format!("{sent} jump=f1 free=2:1:a2"), "jump=\"f1\": wanted only one of jump and free"),
        ("due=1".to_owned(), "due=\"1\": wanted free as well: a man that has come back before"),
        (
            "free=2:1".to_owned(),
            "free=\"2:1\": wanted a track, free moves left and a square, as in 2:1:d4",
        ),
        ("free=5:1:a2".to_owned(), "free=\"5:1:a2\": wanted an empty track of white"),
        (format!("{sent} free=1:1:a2"), "free=\"1:1:a2\": wanted an empty track of white"),
        ("free=2:3:a2".to_owned(), "free=\"2:3:a2\": wanted 1 to 2 free moves left of track 2"),
        ("free=2:0:a2".to_owned(), "free=\"2:0:a2\": wanted 1 to 2 free moves left of track 2"),
        (
            "free=2:1:e1".to_owned(),
            "free=\"2:1:e1\": wanted the square of a man of white, not its king",
        ),
        (
            "free=2:1:e8".to_owned(),
            "free=\"2:1:e8\": wanted the square of a man of white, not its king",
        ),
        (format!("{sent} free=2:1:a2 due=1"), &*format!("due=\"1\": {due}")),
        (format!("{sent} free=2:1:a2 due=9"), &*format!("due=\"9\": {due}")),
        (
            "tracks=-,Bf1:1,Bf1:1,-/-,-,-,- free=1:1:a2 due=3,2".to_owned(),
            &*format!("due=\"3,2\": {due}"),
        ),
        (
            "tracks=Bf1:1,-,-,-/-,-,-,- free=2:1:a2 due=1".to_owned(),
            "free=\"2:1:a2\": wanted a track above all that are due, not 2",
        ),
    ] {
        assert_eq!(error(&format!("{KINGS} {tokens}")), format!("FEN: {message}"));
    }
    assert_eq!(
        error("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1 free=2:1:a2"),
        "FEN: free=\"2:1:a2\": wanted a man that can move, not that on a2"
    );
    // Check would have ended the free moves; a man sent away may have given it.
    for tokens in ["", " free=2:1:h8"] {
        assert_eq!(
            error(&format!("4k2R/8/8/8/8/8/8/4K3 w - - 0 1{tokens}")),
            "FEN shows no position: black is in check, but white is to move"
        );
    }
    read("4k2R/8/8/8/8/8/8/4K3 w - - 0 1 tracks=Nd1:2,-,-,-/-,-,-,- jump=d1");
}

#[test]
fn kings_and_pawns_may_stand_where_they_could_not_in_chess() {
    let lost = read("8/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(lost.ended(), Some(Outcome::Win(Color::White)));
    assert!(perft::branches(&lost).is_empty() && !lost.in_check());
    assert_eq!(
        error("8/8/8/8/8/8/8/8 w - - 0 1"),
        "FEN shows no position: white has 0 kings, wanted exactly 1; black has 0 kings, wanted \
         exactly 1"
    );
    assert_eq!(
        error("8/8/8/8/8/8/P7/4K3 w - - 0 1 free=2:1:a2"),
        "FEN: free=\"2:1:a2\": wanted nothing, for a king is lost and the game is over"
    );
    assert_eq!(
        error("4k2P/8/8/8/8/8/8/4K2p w - - 0 1"),
        "FEN shows no position: a white pawn on h8, a first or last rank; a black pawn on h1, a \
         first or last rank"
    );
    let low = read("4k2p/8/8/8/8/8/8/P3K3 w - - 0 1 gems=0,0");
    let texts: Vec<_> = perft::branches(&low)
        .into_iter()
        .map(|action| low.action_text(&Setup::default(), action))
        .filter(|text| text.starts_with('a'))
        .collect();
    assert_eq!(texts, ["a1a2"]);
}

#[test]
fn tokens_equal_to_their_default_are_not_printed() {
    let full = "board=2:1,3:2,4:3,5:4 rule=exact gems=2,2 tracks=-,-,-,-/-,-,-,-";
    assert_eq!(read(&format!("{KINGS} {full}")).text(), KINGS);
    // In the page's order, whatever the order read.
    let (board, others) = ("board=1:1,2:2", "tracks=-,Bf1:2/-,- rule=upto free=1:1:a2 gems=3,1");
    assert_eq!(
        read(&format!("{KINGS} {others} {board}")).text(),
        format!("{KINGS} {board} rule=upto gems=3,1 tracks=-,Bf1:2/-,- free=1:1:a2")
    );
}

/// "An ep square is printed then only if the opponent could capture there when nothing follows."
#[test]
fn a_free_double_step_may_be_taken_if_nothing_follows() {
    let fen = |rule: &str, rest: &str| {
        format!("4k3/8/8/8/3p4/8/7P/7K w - - 0 1 board=1:2,1:1 rule={rule} {rest}")
    };
    let alone = "tracks=Pe2:1,-/-,-";
    let stepped = after(&fen("upto", alone), "h2h3 e2e4");
    assert_eq!(stepped, "4k3/8/8/8/3pP3/7P/8/7K w - e3 0 1 board=1:2,1:1 rule=upto free=1:1:e4");
    assert_eq!(after(&stepped, "end"), "4k3/8/8/8/3pP3/7P/8/7K b - e3 0 1 board=1:2,1:1 rule=upto");
    assert!(after(&stepped, "e4e5").starts_with("4k3/8/8/4P3/3p4/7P/8/7K b - - 0 1"));
    // Something must follow, or another return will.
    assert!(after(&fen("exact", alone), "h2h3 e2e4").contains(" w - - 0 1 "));
    assert!(after(&fen("upto", "tracks=Pe2:1,Na1:1/-,-"), "h2h3 e2e4").contains(" w - - 0 1 "));
    for dropped in [stepped.replace("3p", "3n"), stepped.replace("e3", "e6")] {
        assert!(read(&dropped).text().contains(" w - - 0 1 "), "{dropped}");
    }
}

/// "An own rook at home captured by a return loses its right, even to another rook."
#[test]
fn castling_rights_do_not_come_back() {
    let home = "4k3/8/8/8/8/8/8/R3K2R w KQ - 5 1";
    assert_eq!(
        after(home, "h1t1"),
        "4k3/8/8/8/8/8/8/R3K3 b Q - 6 1 gems=1,2 tracks=Rh1:2,-,-,-/-,-,-,-"
    );
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 5 1 board=1:0 tracks=Rh1:1/-";
    assert_eq!(after(fen, "a1b1"), "4k3/8/8/8/8/8/8/1R2K2R b - - 0 1 board=1:0");
}

#[test]
fn what_a_return_captures_counts_for_the_move() {
    let position = read("4k3/8/8/3q4/8/8/P7/4K3 w - - 0 1 tracks=-,Nd5:1,-,-/-,-,-,-");
    let mut noisy = <Quantum as Game>::Actions::default();
    position.actions(Wanted::Noisy, &mut noisy);
    assert_eq!(noisy.len(), 5);
    for action in noisy {
        let gist = position.gist(action);
        assert_eq!((gist.victim, gist.victim_kind), (975, 5));
        assert!(position.exchange_gains(action, 600) && !position.exchange_gains(action, 1000));
    }
    assert!(!position.may_pass());
    // As urgent as a check: the man comes back to the king's square.
    let threatened = read("8/8/8/3k4/8/8/P7/4K3 b - - 0 1 tracks=-,Nd5:1,-,-/-,-,-,-");
    assert!(threatened.in_check() && !threatened.state.in_check());
    assert!(read("8/8/8/3k4/8/8/P7/4K3 b - - 0 1 tracks=-,Nd5:2,-,-/-,-,-,-").may_pass());
}

/// Repetition compares between turns: a man that goes and comes back leaves other gems.
#[test]
fn positions_within_a_turn_are_not_compared() {
    let mut position = read(KINGS);
    assert!(position.is_between_turns() && position.is_fresh_turn());
    play(&mut position, "a2t1");
    assert!(position.is_between_turns());
    play(&mut position, "e8e7 e1e2 e7e8 e2e1");
    assert!(!position.is_between_turns() && !position.is_fresh_turn());
    let Stage::Free { track: 0, left: 1, square, targets } = position.stage() else {
        panic!("{:?}", position.stage())
    };
    assert_eq!((square.to_string().as_str(), targets.count()), ("a2", 2));
    play(&mut position, "a2a3");
    assert_eq!(position.text(), "4k3/8/8/8/8/P7/8/4K3 b - - 0 3 gems=1,2");
}

#[test]
fn drawings_show_tracks_gems_and_what_is_due() {
    let fen = "4k3/7p/8/8/8/8/8/N4K2 w - - 1 1 gems=1,2 tracks=-,Rc2:1,-,Bb3:3/Qd8:2,-,-,- \
               free=1:1:a1 due=2";
    let position = read(fen);
    let text = position.draw(&Setup::default(), false);
    for line in [
        "White: 1 gem",
        "  track 2: R o o  2 free moves, back to c2 in this turn",
        "  track 4: o o B o o  4 free moves, back to b3",
        "  track 1: o q  1 free move, back to d8",
        "  track 3: o o o o  3 free moves",
        "Bank: 7 gems; free moves must be made",
        "White's man on a1, back from track 1, has 1 free move left; then the return from track 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} in\n{text}");
    }
    assert!(!text.contains('\x1b'));
    let painted = position.draw(&Setup::default(), true);
    assert!(painted.contains("\x1b[1;38;5;208mR\x1b[0m"), "{painted}");
    // c2 is empty, and is marked in its track's colour.
    let row = painted.lines().find(|line| line.starts_with(" 2 ")).unwrap();
    assert!(row.starts_with(" 2 |   | . | \x1b[1;38;5;208m*\x1b[0m |"), "{row}");
    assert!(read("8/8/8/8/8/8/8/4K3 w - - 0 1").draw(&Setup::default(), true).contains("is over"));
}

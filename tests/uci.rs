//! The whole program through its pipes.

mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use program::{Alea, run};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn it_says_nothing_before_it_is_asked() {
    assert!(Alea::start(&[]).end().is_empty());
    assert!(Alea::start(&["uci"]).end().is_empty());
    let mut alea = Alea::start(&[]);
    assert!(alea.ask("uci").starts_with("id name alea "));
    assert_eq!(alea.hear_until("uciok"), "uciok");
    assert_eq!(alea.ask("isready"), "readyok");
    assert!(alea.end().is_empty());
}

#[test]
fn a_script_gets_every_answer() {
    let mut alea = Alea::start(&[]);
    alea.pour(
        b"position startpos moves e2e4\nperft 4\nfen\nposition startpos moves e2e5\nnode\nperft 3\n\
          quit\n",
    );
    let lines = alea.end();
    assert_eq!(lines[0], "perft 4 nodes 405385");
    assert_eq!(lines[1], "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert!(lines[2].starts_with("info string error: position: action 1 (\"e2e5\") "));
    assert_eq!(lines[3], "node decision black");
    assert_eq!(lines[4], "perft 3 nodes 13160");
    assert_eq!(lines.len(), 5);
}

/// Events and actions are in the order of their texts, not of the lines that they are in.
#[test]
fn lists_are_sorted_by_action() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name UCI_Variant value bomber");
    alea.say("setoption name BomberDeck value tests/data/decks/eleven.txt");
    alea.say("position fen 4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1 boom=e4");
    let chance = alea.hear_until("info string variant");
    assert!(chance.contains("bomber"));
    let events: Vec<String> =
        [1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9].map(|card| format!("card:{card}")).to_vec();
    let shares: Vec<String> = events.iter().map(|event| format!("{event}=1/11")).collect();
    assert_eq!(alea.ask("legal"), format!("chance {}", shares.join(" ")));
    alea.say("go perft 1");
    let counted: Vec<String> = events
        .iter()
        .map(|_| alea.hear().unwrap().split(": ").next().unwrap().to_owned())
        .collect();
    assert_eq!(counted, events);
    alea.hear_until("Nodes searched");

    alea.say("position fen 4k3/8/4p3/8/4P3/8/8/4K3 w - - 0 1");
    let legal = alea.ask("legal");
    let actions: Vec<&str> = legal.split(' ').skip(1).collect();
    assert_eq!(actions[actions.len() - 2..], ["e4e5", "e4e5*"]);
    alea.say("go perft 1");
    for action in actions {
        assert_eq!(alea.hear().unwrap().split(": ").next(), Some(action));
    }
}

/// Whoever names a network learns whether it plays in the chosen game.
#[test]
fn a_network_for_other_games_is_told() {
    let told = |variant: &str| {
        format!(
            "info string EvalFile is for 6 kinds of men on 8 by 8 squares; {variant} has others and \
             keeps its own evaluation"
        )
    };
    let mut alea = Alea::start(&[]);
    // All that follows `info string variant …` or, without another game, all.
    let mut after = |option: &str| -> Vec<String> {
        alea.say(&format!("setoption name {option}"));
        let said = alea.sync().into_iter();
        said.filter(|line| !line.starts_with("info string variant ")).collect()
    };
    let chess = "EvalFile value src/eval/networks/chess.net";
    assert!(after(chess).is_empty());
    assert!(after("UCI_Variant value quantum").is_empty());
    assert_eq!(after("UCI_Variant value blender100"), [told("blender100")]);
    // It is said once, and again when the file is named again.
    assert!(after("UCI_Variant value blender100").is_empty());
    assert!(after("Hash value 2").is_empty());
    assert_eq!(after(chess), [told("blender100")]);
    // Two kinds of men on nine by nine squares, of no weight.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no game's.net");
    let mut network = b"aleanet2\x02\x09\x09\x01\x08".to_vec();
    network.resize(13 + 2 * 128 * (2 * 2 * 81 + 1) + 8 * (4 * 128 + 4), 0);
    fs::write(&path, network).unwrap();
    let said = after(&format!("EvalFile value {}", path.display()));
    assert_eq!(said.len(), 1, "{said:?}");
    let error = "is a network for 2 kinds of men on 9 by 9 squares, which no game has";
    assert!(said[0].starts_with("info string error: setoption: option EvalFile: "), "{said:?}");
    assert!(said[0].ends_with(error), "{said:?}");
    // The former one stands.
    assert!(after("UCI_Variant value chess").is_empty());
    assert_eq!(after("UCI_Variant value blender"), [told("blender")]);
    assert!(after("EvalFile value <empty>").is_empty());
    assert!(after("UCI_Variant value blender-nightrider").is_empty());
}

#[test]
fn an_option_of_another_game_leaves_the_position() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name UCI_Variant value equalizer");
    alea.say("position startpos moves roll:N b1c3");
    alea.hear_until("info string variant");
    let after = "fen rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1";
    for option in ["EqualizerPeriod value 4", "EqualizerStrong value b", "UCI_Chess960 value true"]
    {
        alea.say(&format!("setoption name {option}"));
        assert_eq!(alea.ask("fen"), after, "{option}");
    }
    alea.say("setoption name UCI_Variant value equalizer-weaker");
    assert!(alea.hear_until("info string variant").ends_with("strong=b period=4"));
}

#[test]
fn whatever_comes_in_it_stays_ready() {
    let mut alea = Alea::start(&[]);
    let mut bytes = Vec::new();
    let mut state = 1_u64;
    for _ in 0..200_000 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes.push((state >> 56) as u8);
    }
    alea.pour(&bytes);
    alea.pour(
        b"\nposition fen \xff\xfe moves \x00\nsetoption name \xc3 value \xc3\ngo depth \xff\n",
    );
    alea.pour(&vec![b'/'; 3_000_000]);
    alea.pour(b"\n");
    let fen = "position fen 99999999999999999999999/8 w - - 0 1 ";
    alea.say(fen);
    alea.say(&fen.repeat(2000));
    alea.say(&format!("position startpos moves {}", "e2e4 ".repeat(20_000)));
    alea.say("go searchmoves");
    alea.say(&format!("go searchmoves {}", "e2e4".repeat(10_000)));
    alea.say("isready");
    loop {
        let line = alea.hear().unwrap();
        if line == "readyok" {
            break;
        }
        assert!(line.starts_with("info string error: "), "{line}");
        assert!(line.chars().count() < 700);
    }
    assert_eq!(alea.ask("fen"), "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(alea.end().is_empty());
}

#[test]
fn a_search_can_be_stopped_and_every_go_has_one_bestmove() {
    let mut alea = Alea::start(&[]);
    alea.say("go infinite");
    alea.say("isready");
    alea.hear_until("readyok");
    alea.say("position startpos moves e2e4");
    assert!(alea.hear_until("info string error").contains("while a search runs"));
    alea.say("stop");
    assert!(alea.hear_until("bestmove ").len() > 12);
    alea.say("go depth 4");
    alea.hear_until("bestmove ");
    alea.say("go movetime 50");
    alea.hear_until("bestmove ");
    alea.say("go searchmoves a2a3 depth 3");
    assert!(alea.hear_until("bestmove ").starts_with("bestmove a2a3"));
    alea.say("go ponder wtime 100 btime 100");
    thread::sleep(Duration::from_millis(50));
    alea.say("ponderhit");
    alea.hear_until("bestmove ");
    assert_eq!(alea.ask("isready"), "readyok");
    assert!(alea.end().is_empty());
}

#[test]
fn quit_and_the_end_of_input_end_a_search_at_once() {
    for quit in [true, false] {
        let mut alea = Alea::start(&[]);
        alea.say("go infinite");
        alea.say("isready");
        alea.hear_until("readyok");
        if quit {
            alea.say("quit");
        }
        let begin = Instant::now();
        let lines = alea.end();
        assert!(begin.elapsed() < Duration::from_secs(2));
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    }
}

#[test]
fn a_long_count_can_be_stopped() {
    let mut alea = Alea::start(&[]);
    alea.say("perft 12");
    assert_eq!(alea.ask("isready"), "readyok");
    assert!(alea.ask("stop").contains("stopped"));
    alea.say("go perft 12");
    alea.say("quit");
    let begin = Instant::now();
    let lines = alea.end();
    assert!(begin.elapsed() < Duration::from_secs(3));
    assert!(lines[0].contains("stopped"));
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alea"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"isready\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn perft_counts_from_the_command_line() {
    let output = run(&["perft", "--depth", "4", "--threads", "2"]);
    assert!(output.status.success());
    assert_eq!(text(&output.stdout).lines().last(), Some("perft 4 nodes 197281"));
    let output = run(&["perft", "--depth", "1", "--divide", "--moves", "e2e4 e7e5"]);
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().next(), Some("a2a3: 1"));
    assert_eq!(lines.lines().last(), Some("perft 1 nodes 29"));
    assert!(text(&run(&["perft", "--depth", "0"]).stdout).ends_with("perft 0 nodes 1\n"));
}

#[test]
fn wrong_arguments_are_told_on_standard_error() {
    for arguments in [
        &["perft"][..],
        &["perft", "--depth", "x"],
        &["frobnicate"],
        &["uci", "now"],
        &["analyse", "--depth", "3", "--nodes", "5"],
        &["analyse", "--depth", "0"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
    for (arguments, message) in [
        (&["perft", "--depth", "1", "--variant", "draughts"][..], "draughts"),
        (&["perft", "--depth", "1", "--fen", "8/8 w - -"], "ranks"),
        (&["perft", "--depth", "1", "--moves", "e2e4 e2e4"], "action 2"),
        (&["analyse", "--fen", "8/8 w - -"], "ranks"),
        (
            &["analyse", "equalizer", "--moves", "e2e4"],
            "is no possible event; roll:<face> is due, such as roll:P, after",
        ),
        (&["analyse", "draughts"], "draughts"),
        (&["analyse", "--option", "EqualizerPeriod"], "NAME=VALUE"),
        (&["analyse", "--option", "EqualizerPeriod=x"], "a whole number from 0 to 1000"),
        (&["perft", "--depth", "1", "--option", "Period=3"], "unknown option"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(text(&output.stderr).contains(message), "{arguments:?}");
    }
}

#[test]
fn analyse_speaks_to_a_person() {
    let output = run(&["analyse", "--depth", "4"]);
    assert!(output.status.success());
    let lines = text(&output.stdout);
    for wanted in
        ["White is to decide.", "depth  1", "Best action: ", "Evaluation: ", "White's view"]
    {
        assert!(lines.contains(wanted), "{wanted} is not in\n{lines}");
    }
    let output = run(&[
        "perft",
        "--depth",
        "1",
        "--variant",
        "equalizer-winners",
        "--option",
        "EqualizerPeriod=1",
    ]);
    assert_eq!(text(&output.stdout).lines().last(), Some("perft 1 nodes 204"));
    // A mate in one for the rook, if the die says so.
    let fen = "7k/6pp/8/8/8/8/6PP/R6K w - - 0 1";
    let output = run(&["analyse", "equalizer", "--depth", "3", "--fen", fen]);
    let lines = text(&output.stdout);
    for wanted in [
        "Chance is to decide",
        "Best action:     none, nobody is to decide",
        "if it is     event   chance   score  play",
        "any man (∞)  roll:*  10.0 %     +#1  a1a8",
        "rook         roll:R  10.0 %     +#1  a1a8",
    ] {
        assert!(lines.contains(wanted), "{wanted} is not in\n{lines}");
    }
    let output = run(&["analyse", "--moves", "f2f3 e7e5 g2g4 d8h4"]);
    assert!(text(&output.stdout).contains("The game is over: Black has won (checkmate)."));
    for (fen, why) in [
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "too few men to mate"),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 100 90", "so many moves without a capture or a pawn's move"),
    ] {
        let output = run(&["analyse", "--fen", fen]);
        let wanted = format!("The game is over: a draw ({why}).");
        assert!(text(&output.stdout).contains(&wanted), "{fen}");
    }
    // No knight can move: the die is rolled again.
    let output = run(&["analyse", "equalizer", "--depth", "2", "--fen", fen]);
    assert!(text(&output.stdout).contains("another roll:<face>\n"));
}

/// GUIs do not wait for the `bestmove` of a search that they have stopped.
#[test]
fn what_follows_a_stop_waits_for_the_end_of_the_search() {
    for _ in 0..20 {
        let mut alea = Alea::start(&[]);
        alea.pour(
            b"go infinite\nstop\nposition startpos moves e2e4\nfen\nno command\n\
              go infinite\nstop\nposition startpos\nfen\ngo ponder\nponderhit\nstop\nfen\n",
        );
        let told: Vec<String> =
            alea.end().into_iter().filter(|line| !line.starts_with("info depth")).collect();
        let starts = [
            "bestmove ",
            "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "info string error: unknown command \"no\"; try help",
            "bestmove ",
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "bestmove ",
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ];
        assert_eq!(told.len(), starts.len(), "{told:#?}");
        for (line, start) in told.iter().zip(starts) {
            assert!(line.starts_with(start), "{line:?}, not {start:?}");
        }
    }
}

/// A `stop` ends the count before it, also one that has had to wait itself.
#[test]
fn every_count_has_its_own_stop() {
    let mut alea = Alea::start(&[]);
    alea.pour(b"perft 30\nstop\nperft 31\nstop\ngo perft 32\nstop\nsolve 33\nstop\nperft 1\nfen\n");
    let stopped =
        |name: &str| format!("info string error: {name}: stopped before the result was there");
    assert_eq!(
        alea.end(),
        [
            stopped("perft"),
            stopped("perft"),
            stopped("go perft"),
            "info string error: solve: stopped before the position was solved".to_owned(),
            "perft 1 nodes 20".to_owned(),
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        ]
    );
}

/// Where nearly everything captures everything, even the first iteration may have no end; a search
/// has one all the same.
#[test]
fn a_search_ends_where_quiescence_does_not() {
    let red = ["rrrrrrrr"; 8].join("/");
    let queens = "qqqqqqqq/qqqqkqqq/8/8/8/8/QQQQKQQQ/QQQQQQQQ w - - 0 1";
    for (variant, position) in [
        (
            "mutation",
            format!("fen ppppkppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPKPPP w - - 0 1 board={red}"),
        ),
        ("chess", format!("fen {queens}")),
        ("ladders", format!("fen {queens} ladders=a3b4,c3d4,e3f4,g3h4/a5b6,c5d6,e5f6,g5h6")),
        ("quantum", format!("fen {queens} gems=5,5 board=1:3,1:3,1:3,1:3,1:3,1:3,1:3,1:3")),
        ("equalizer-options", format!("fen {queens}")),
        ("bomber", format!("fen {queens}")),
        ("blender", format!("fen {queens}")),
    ] {
        let mut alea = Alea::start(&[]);
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.say(&format!("position {position}"));
        for limit in ["movetime 5", "nodes 100", "wtime 20 btime 20", "infinite"] {
            alea.say(&format!("go {limit}"));
            if limit == "infinite" {
                alea.say("stop");
            }
            alea.hear_until("bestmove ");
        }
        alea.say("go infinite");
        assert!(alea.end().last().unwrap().starts_with("bestmove "), "{variant}");
    }
}

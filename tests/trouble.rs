//! What has upset engines in public, and its like in the other games and commands: the whole program
//! through its pipes, with the right answer written out.

mod program;

use std::thread;
use std::time::{Duration, Instant};

use program::{Alea, variants};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How long nothing may be said where silence is right.
const SILENCE: Duration = Duration::from_millis(150);

/// Game, a line, the beginning of the one line that answers it.
const REFUSED: &[(&str, &str, &str)] = &[
    ("chess", "position fen blah", "position: FEN board has 1 ranks; wanted 8"),
    ("chess", "position fen startpos", "position: FEN board has 1 ranks; wanted 8"),
    ("chess", "position fen position fen 8/8", "position: FEN board has 1 ranks; wanted 8"),
    (
        "chess",
        "position fen rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w",
        "position: FEN has no castling field (field 3); wanted: board, w or b, castling",
    ),
    (
        "chess",
        "position fen rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w - - 0 1",
        "position: FEN shows no position: black is in check, but white is to move",
    ),
    (
        "chess",
        "position startpos moves e2e4 e7e7 g1f3",
        "position: action 2 (\"e7e7\") is no legal",
    ),
    ("chess", "position startpos moves E2E4", "position: action 1 (\"E2E4\") is no legal action"),
    ("chess", "position startpos moves e2-e4", "position: action 1 (\"e2-e4\") is no legal action"),
    ("chess", "position startpos moves e2e4 0000", "position: action 2 (\"0000\") is no legal"),
    ("chess", "position startpos moves moves", "position: action 1 (\"moves\") is no legal action"),
    ("chess", "position startpos fen", "position: wanted moves after startpos, not \"fen\""),
    ("chess", "position fen", "position: wanted a FEN after fen, but the line ends"),
    ("chess", "position fen moves e2e4", "position: wanted a FEN after fen, but the line ends"),
    (
        "chess",
        "position fen KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - - 0 1",
        "position: FEN shows no position: white has 8 kings, wanted exactly 1; black has 8 kings",
    ),
    ("chess", "position fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1", "position: FEN board: rank 7 (\"9\")"),
    (
        "chess",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - -3 0",
        "position: FEN halfmove clock field \"-3\": wanted a non-negative number",
    ),
    (
        "chess",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 die=N",
        "position: FEN: unknown key \"die\"; chess has none",
    ),
    ("chess", "go searchmoves e2e4 e2e5 depth 2", "go: searchmoves: \"e2e5\" is no legal action"),
    ("chess", "go depth 2 searchmoves", "go searchmoves: wanted an action, but the line ends"),
    ("chess", "go movetime", "go movetime: wanted a whole number, but the line ends"),
    ("chess", "go wtime 1.5 btime 3", "go wtime: wanted a whole number, not \"1.5\""),
    (
        "equalizer",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position: FEN shows no position",
    ),
    (
        "equalizer",
        "position startpos moves e2e4",
        "position: action 1 (\"e2e4\") is no possible event; roll:<face> is due, such as roll:P, after",
    ),
    (
        "equalizer",
        "position startpos moves roll:NN",
        "position: action 1 (\"roll:NN\") is no possible",
    ),
    ("equalizer", "position startpos moves roll:", "position: action 1 (\"roll:\") is no possible"),
    (
        "equalizer",
        "position startpos moves roll:N roll:P",
        "position: action 2 (\"roll:P\") is no legal",
    ),
    (
        "equalizer",
        "position startpos moves roll:N take:1",
        "position: action 2 (\"take:1\") is no legal",
    ),
    (
        "equalizer",
        "position startpos moves roll:N e2e4",
        "position: action 2 (\"e2e4\") is no legal",
    ),
    (
        "equalizer",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 die=X",
        "position: FEN: die=\"X\": wanted",
    ),
    ("equalizer", "go searchmoves roll:N", "go: searchmoves: \"roll:N\" is no legal action here"),
    ("equalizer", "go searchmoves e2e4", "go: searchmoves: \"e2e4\" is no legal action here"),
    (
        "equalizer-winners",
        "position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 3 moves roll:N",
        "position: action 1 (\"roll:N\") is no possible event; roll:<face><face> is due, such as \
         roll:PP, after",
    ),
    (
        "equalizer-winners",
        "position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 3 moves roll:NP take:3",
        "position: action 2 (\"take:3\") is no legal action",
    ),
    (
        "equalizer-specific",
        "position startpos moves e2e4 d7d5 e4d5 roll:N pick:e9",
        "position: action 5 (\"pick:e9\") is no legal action",
    ),
    (
        "bomber",
        "position startpos moves e2e4 card:1",
        "position: action 2 (\"card:1\") is no legal action",
    ),
    (
        "bomber",
        "position startpos moves e2e4 e7e5* g1f3",
        "position: action 3 (\"g1f3\") is no possible event; card:<i> is due, such as card:1, after",
    ),
    (
        "bomber",
        "position startpos moves e2e4 e7e5* card:0",
        "position: action 3 (\"card:0\") is no possible",
    ),
    (
        "bomber",
        "position startpos moves e2e4 e7e5* card:18446744073709551617",
        "position: action 3 (\"card:18446744073709551617\") is no possible event",
    ),
    (
        "bomber",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 deck=1",
        "position: FEN: deck=\"1\": wanted 9 counts",
    ),
    (
        "bomber",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 boom=e4",
        "position: FEN: boom=\"e4\": wanted the square of a white pawn",
    ),
    (
        "bomber",
        "setoption name BomberDeck value .",
        "setoption: option BomberDeck: \".\" cannot be",
    ),
    (
        "bomber",
        "setoption name BomberDeck value Cargo.toml",
        "setoption: option BomberDeck: \"Cargo.toml\", line 1: \"[package]\" begins no pattern",
    ),
    ("ladders", "position startpos moves L@h8", "position: action 1 (\"L@h8\") is no legal action"),
    ("ladders", "position startpos moves L@a1 L@a1", "position: action 2 (\"L@a1\") is no legal"),
    ("ladders", "position startpos moves e2e4", "position: action 1 (\"e2e4\") is no legal action"),
    ("ladders", "setoption name LadderTiles value up", "setoption: option LadderTiles cannot be"),
    ("ladders", "go searchmoves e2e4", "go: searchmoves: \"e2e4\" is no legal action here"),
    ("quantum", "position startpos moves e2t9", "position: action 1 (\"e2t9\") is no legal action"),
    ("quantum", "position startpos moves end", "position: action 1 (\"end\") is no legal action"),
    ("quantum", "position startpos moves e2t1 e7e5", "position: action 2 (\"e7e5\") is no legal"),
    (
        "quantum",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position: FEN shows no position: black is in check",
    ),
    ("quantum", "setoption name QuantumTracks value 0:0", "setoption: option QuantumTracks cannot"),
    (
        "blender",
        "position startpos moves e2e4n",
        "position: action 1 (\"e2e4n\") is no legal action",
    ),
    (
        "blender",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 pool=x",
        "position: FEN: pool=\"x\": wanted",
    ),
    (
        "blender100",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position: FEN board has 8 ranks; wanted 10",
    ),
    ("mutation", "position startpos moves e2e4q", "position: action 1 (\"e2e4q\") is no legal"),
    (
        "mutation",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 board=w",
        "position: FEN: board=\"w\": wanted 8 ranks of 8 colours",
    ),
    ("mutation", "setoption name MutationBoard value", "setoption: option MutationBoard cannot be"),
];

/// Chooses a game and hears that it was chosen.
fn choose(alea: &mut Alea, variant: &str) {
    alea.say(&format!("setoption name UCI_Variant value {variant}"));
    alea.hear_until("info string variant ");
}

/// What is said up to and with the `bestmove`.
fn search(alea: &mut Alea, go: &str) -> Vec<String> {
    alea.say(go);
    let mut said = Vec::new();
    while said.last().is_none_or(|line: &String| !line.starts_with("bestmove ")) {
        said.push(alea.hear().unwrap_or_else(|| panic!("{go}: no bestmove came")));
    }
    said
}

#[test]
fn what_is_wrong_gets_one_error_and_changes_nothing() {
    for &(variant, line, error) in REFUSED {
        let mut alea = Alea::start(&[]);
        choose(&mut alea, variant);
        let before = alea.ask("fen");
        let answer = alea.ask(line);
        assert!(answer.starts_with(&format!("info string error: {error}")), "{line}: {answer}");
        assert_eq!(alea.ask("fen"), before, "{line}");
        assert!(alea.end().is_empty(), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_deck_without_end_is_not_read() {
    let mut alea = Alea::start(&[]);
    assert_eq!(
        alea.ask("setoption name BomberDeck value /dev/zero"),
        "info string error: setoption: option BomberDeck: \"/dev/zero\" is longer than 65536 \
         bytes; wanted a deck's text file"
    );
}

/// In every game a FEN goes without clocks, and without actions after `moves`.
#[test]
fn four_fields_and_empty_moves_are_enough() {
    let mut alea = Alea::start(&[]);
    for variant in variants() {
        choose(&mut alea, &variant);
        let board = match variant.as_str() {
            "chroma" => "4v3/8/8/8/8/8/8/4V3",
            "blender100" | "blender100-nightrider" => "4k5/10/10/10/10/10/10/10/10/4K5",
            _ => "4k3/8/8/8/8/8/8/4K3",
        };
        for end in ["", " moves", " 0 1 moves"] {
            alea.say(&format!("position fen {board} b - -{end}"));
            let fen = alea.ask("fen");
            assert!(fen.starts_with(&format!("fen {board} b - - 0 1")), "{variant}: {fen}");
        }
    }
}

/// Draws by rule end no list of actions, nor do they keep a search from answering.
#[test]
fn men_that_go_to_and_fro_2400_plies_are_no_trouble() {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let rolled = |moves: [&str; 4]| moves.map(|action| format!("roll:N {action}")).join(" ");
    let ladders = "L@c3 L@e3 L@c5 L@e5 L@a3 L@g3 L@a5 L@g5";
    for (variant, first, round) in [
        ("chess", "", knights.join(" ")),
        ("chroma", "", knights.join(" ")),
        ("bomber", "", knights.join(" ")),
        ("blender", "", knights.join(" ")),
        ("quantum", "", knights.join(" ")),
        ("equalizer", "", rolled(knights)),
        ("equalizer-options", "", knights.join(" ")),
        ("ladders", ladders, knights.join(" ")),
        ("mutation", "", knights.join(" ")),
    ] {
        let mut alea = Alea::start(&[]);
        choose(&mut alea, variant);
        let actions = vec![round; 600].join(" ");
        alea.say(&format!("position startpos moves {first} {actions}"));
        let fen = alea.ask("fen");
        assert!(fen.contains(" w ") && fen.contains(" - 2400 1201"), "{variant}: {fen}");
        assert_eq!(alea.ask("node"), "node over draw");
        assert_eq!(alea.ask("legal"), "legal");
        let said = search(&mut alea, "go depth 2");
        let nobody = said.last().unwrap() == "bestmove (none)";
        assert_eq!(nobody, variant == "equalizer", "{variant}: {said:?}");
        assert!(alea.end().is_empty());
    }
}

#[test]
fn no_time_at_all_is_time_enough() {
    let limits = [
        "movetime 0",
        "movetime -1",
        "wtime 0 btime 0",
        "wtime -100 btime -100 winc -5 binc -5",
        "wtime -9223372036854775808 btime -9223372036854775809 movestogo -3",
        "wtime 1 btime 1 movestogo 0",
        "depth 0",
        "depth -4",
        "nodes 0",
        "nodes -1",
        "mate 0",
        "movetime 0 ponder infinite depth 1",
    ];
    let mut alea = Alea::start(&[]);
    for variant in variants() {
        choose(&mut alea, &variant);
        let chance = alea.ask("node") == "node chance";
        let legal = alea.ask("legal");
        for limit in limits {
            alea.say(&format!("go {limit}"));
            alea.say("stop");
            let best = alea.hear_until("bestmove ");
            let action = best.split(' ').nth(1).unwrap();
            let fits = if chance {
                action == "(none)"
            } else {
                legal.split(' ').skip(1).any(|legal| legal == action)
            };
            assert!(fits, "{variant}: go {limit}: {best}");
        }
        assert_eq!(alea.ask("isready"), "readyok");
    }
}

/// Only what is asked for is looked at, however many lines are wanted and whatever is named twice.
#[test]
fn searchmoves_go_with_multipv() {
    for (variant, position, actions, roots) in [
        ("chess", "startpos", "e2e4 d2d4 g1f3 e2e4", 3),
        ("chess", "startpos", "a2a3", 1),
        ("equalizer", "startpos moves roll:N", "g1f3 b1c3", 2),
        // A roll that leaves one action.
        ("equalizer", "fen 4k3/8/8/8/8/7p/PP5P/K7 w - - 0 1 die=K", "a1b1", 1),
        (
            "equalizer-winners",
            "fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 3 moves roll:KP",
            "take:2",
            1,
        ),
        ("bomber", "startpos moves e2e4", "e7e5* e7e5", 2),
        ("ladders", "startpos", "L@c3 L@a1 L@e3", 3),
        ("quantum", "startpos", "b1t1 e2e4", 2),
        ("quantum", "startpos moves b1t1", "end", 1),
        ("blender", "startpos", "a1b1 e2e4", 2),
        ("mutation", "startpos", "e2e4 b1c3", 2),
    ] {
        let mut alea = Alea::start(&[]);
        choose(&mut alea, variant);
        alea.say("setoption name MultiPV value 256");
        alea.say(&format!("position {position}"));
        for limit in ["nodes 2000", "movetime 20", "mate 1"] {
            let said = search(&mut alea, &format!("go {limit} searchmoves {actions}"));
            let wanted: Vec<&str> = actions.split(' ').collect();
            let mut ranks = 0;
            for line in &said {
                let words: Vec<&str> = line.split(' ').collect();
                let after = |word| words.iter().skip_while(move |&&w| w != word).nth(1);
                if let Some(first) = after("pv") {
                    assert!(wanted.contains(first), "{variant}: {line}");
                    ranks = ranks.max(after("multipv").unwrap().parse().unwrap());
                }
                if let Some(best) = line.strip_prefix("bestmove ") {
                    assert!(wanted.contains(&best.split(' ').next().unwrap()), "{variant}: {line}");
                }
            }
            assert_eq!(ranks, roots, "{variant}: {said:#?}");
        }
    }
}

/// Game, position, what is then found, if somebody is to decide.
const SETTLED: &[(&str, &str, &str)] = &[
    ("chess", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "bestmove a1a8"),
    ("chess", "startpos moves f2f3 e7e5 g2g4 d8h4", "bestmove (none)"),
    ("chess", "fen k7/2Q5/8/8/8/8/8/K7 b - - 0 1", "bestmove (none)"),
    // Drawn by rule, but people may play on.
    ("chess", "fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "bestmove a1"),
    ("chroma", "fen 6v1/5ggg/8/8/8/8/5GGG/O5V1 w - - 0 1", "bestmove a1a8"),
    ("equalizer", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 die=R", "bestmove a1a8"),
    ("equalizer-handicap", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 strong=b", "bestmove a1a8"),
    ("bomber", "fen R3b1k1/4nppp/8/4P3/8/8/8/K7 w - - 0 1", "bestmove a8e8"),
    ("ladders", "fen k7/8/1K6/8/8/8/8/2R5 w - - 0 1 ladders=c4h8/-", "bestmove c1"),
    ("quantum", "fen k7/2K4p/N7/8/8/4B3/8/R7 w - - 0 1 gems=1,2", "bestmove "),
    ("blender", "fen 7k/6pp/8/8/8/8/8/K2+Q4 w - - 0 1", "bestmove d1d8"),
    ("mutation", "fen k7/8/1K6/8/8/4P3/8/8 w - - 0 1", "bestmove "),
    // Chance is to decide.
    ("equalizer", "fen 7k/6pp/8/8/8/8/6PP/R6K w - - 0 1", "bestmove (none)"),
    ("bomber", "startpos moves e2e4 e7e5*", "bestmove (none)"),
];

/// What is found at once is not said before it is asked for.
#[test]
fn go_infinite_and_go_ponder_are_silent_to_their_end() {
    let mut alea = Alea::start(&[]);
    for &(variant, position, best) in SETTLED {
        choose(&mut alea, variant);
        alea.say(&format!("position {position}"));
        for (go, end) in [
            ("go infinite", "stop"),
            ("go", "stop"),
            ("go infinite depth 1", "stop"),
            ("go infinite mate 1", "stop"),
            ("go ponder mate 1", "stop"),
            ("go ponder depth 2", "ponderhit"),
            ("go ponder wtime 1000 btime 1000", "ponderhit"),
            ("go ponder movetime 1", "ponderhit"),
        ] {
            alea.say(go);
            thread::sleep(SILENCE / 3);
            for line in alea.sync() {
                assert!(line.starts_with("info "), "{variant}: {go}: {line}");
                assert!(!line.contains(" outcome "), "{variant}: {go}: {line}");
            }
            alea.say(end);
            let said = alea.hear_until("bestmove ");
            assert!(said.starts_with(best), "{variant}: {position}: {go}: {said}");
            assert!(alea.sync().is_empty(), "{variant}: {go}");
        }
    }
}

#[test]
fn every_game_can_be_asked_and_stopped_and_left_in_the_middle_of_a_search() {
    for (index, variant) in variants().iter().enumerate() {
        let mut alea = Alea::start(&[]);
        choose(&mut alea, variant);
        alea.say("go infinite");
        thread::sleep(SILENCE);
        assert!(alea.sync().iter().all(|line| line.starts_with("info ")), "{variant}");
        for line in ["position startpos", "setoption name Hash value 1", "ucinewgame", "go depth 1"]
        {
            alea.say(line);
            let name = line.split(' ').next().unwrap();
            let refusal = alea.hear_until("info string error: ");
            assert!(
                refusal.contains(&format!("{name} is refused while a search runs")),
                "{refusal}"
            );
        }
        if index % 2 == 0 {
            alea.say("quit");
        }
        let begin = Instant::now();
        let said = alea.end();
        assert_eq!(
            said.iter().filter(|line| line.starts_with("bestmove ")).count(),
            1,
            "{variant}"
        );
        // A second or so, on a machine that may be busy with other things.
        assert!(begin.elapsed() < Duration::from_secs(10), "{variant}");
    }
}

#[test]
fn lines_may_be_ended_and_indented_in_any_way() {
    let mut alea = Alea::start(&[]);
    alea.pour(b"\xef\xbb\xbf \t isready\r\n\r\n\t\n");
    assert_eq!(alea.hear().unwrap(), "readyok");
    alea.pour(b"\tposition \t startpos\tmoves   e2e4\t \r\n  fen  \r\n");
    assert_eq!(
        alea.hear().unwrap(),
        "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    alea.pour(b"setoption\tname\tUCI_Variant\tvalue\tequalizer\r\n");
    assert!(alea.hear().unwrap().starts_with("info string variant equalizer "));
    alea.pour(b"position startpos moves roll:N\tg1f3\r\nnode\r\n");
    assert_eq!(alea.hear().unwrap(), "node chance");
    alea.pour(b"position startpos moves roll:\xff\n\xfe\xff\n\0\ngo depth \xc3\x28\n");
    for start in [
        "position: action 1 (\"roll:\u{fffd}\") is no possible event",
        "unknown command \"\u{fffd}\u{fffd}\"",
        "unknown command \"\\0\"",
        "go depth: wanted a whole number, not \"\u{fffd}(\"",
    ] {
        let line = alea.hear().unwrap();
        assert!(line.starts_with(&format!("info string error: {start}")), "{line}");
    }
    assert_eq!(alea.ask("node"), "node chance");
    // The last line needs no end.
    alea.pour(b"setoption name UCI_Variant value chess\nfen");
    assert_eq!(alea.end().last().unwrap(), &format!("fen {START}"));
}

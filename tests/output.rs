//! What a search says can be relied on: in every game every line is played through by the rules.

mod program;

use std::fs;
use std::path::Path;
use std::time::Instant;

use program::{Alea, variants};

/// A line of a search, read word by word: anything that is not of UCI is an error.
#[derive(Debug, Default)]
struct Line {
    depth: u32,
    rank: usize,
    /// `cp` or `mate`, the number, whether it is only a bound.
    score: (String, i32, bool),
    nodes: u64,
    /// For each action.
    pv: Vec<String>,
}

impl Line {
    fn read(text: &str, wdl: bool) -> Self {
        let mut words = text.split(' ');
        let mut word = |wanted: &str| {
            let word = words.next().unwrap_or_else(|| panic!("{text:?} ends before {wanted}"));
            assert!(
                wanted.split('|').any(|want| want == word || want == "#"),
                "{text:?}: {word:?}"
            );
            word.to_owned()
        };
        let number = |word: String| word.parse::<u64>().unwrap_or_else(|_| panic!("{text:?}"));
        let mut line = Self::default();
        word("info");
        word("depth");
        line.depth = number(word("#")) as u32;
        word("seldepth");
        number(word("#"));
        word("multipv");
        line.rank = number(word("#")) as usize;
        word("score");
        line.score.0 = word("cp|mate");
        line.score.1 = word("#").parse().unwrap();
        let mut next = word("lowerbound|upperbound|wdl|nodes");
        if next.ends_with("bound") {
            line.score.2 = true;
            next = word("wdl|nodes");
        }
        assert_eq!(next == "wdl", wdl, "{text:?}");
        if wdl {
            let shares: Vec<u64> = (0..3).map(|_| number(word("#"))).collect();
            assert_eq!(shares.iter().sum::<u64>(), 1000, "{text:?}");
            word("nodes");
        }
        line.nodes = number(word("#"));
        word("nps");
        number(word("#"));
        word("hashfull");
        assert!(number(word("#")) <= 1000, "{text:?}");
        word("time");
        number(word("#"));
        match words.next() {
            None => {}
            Some("pv") => line.pv = words.map(str::to_owned).collect(),
            Some(word) => panic!("{text:?}: {word:?}"),
        }
        line
    }
}

/// What a search said.
struct Said {
    lines: Vec<Line>,
    currents: usize,
    best: String,
    ponder: Option<String>,
}

fn search(alea: &mut Alea, go: &str, wdl: bool) -> Said {
    alea.say(go);
    let mut said = Said { lines: Vec::new(), currents: 0, best: String::new(), ponder: None };
    loop {
        let text = alea.hear().unwrap_or_else(|| panic!("{go}: no bestmove came"));
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["info", "string", ..] => assert!(!text.contains("error"), "{text}"),
            ["info", "depth", depth, "currmove", _, "currmovenumber", number] => {
                assert!(depth.parse::<u32>().is_ok() && number.parse::<u32>().is_ok(), "{text}");
                said.currents += 1;
            }
            ["info", ..] => said.lines.push(Line::read(&text, wdl)),
            ["bestmove", best] => {
                best.clone_into(&mut said.best);
                return said;
            }
            ["bestmove", best, "ponder", ponder] => {
                best.clone_into(&mut said.best);
                said.ponder = Some(ponder.to_owned());
                return said;
            }
            _ => panic!("{go}: {text:?}"),
        }
    }
}

/// A position with more actions, as a command.
fn extended(position: &str, actions: &[String]) -> String {
    match actions {
        [] => format!("position {position}"),
        _ if position.contains(" moves ") => format!("position {position} {}", actions.join(" ")),
        _ => format!("position {position} moves {}", actions.join(" ")),
    }
}

/// What the position is, which has to be one.
fn node(alea: &mut Alea, position: &str, actions: &[String]) -> String {
    alea.say(&extended(position, actions));
    let node = alea.ask("node");
    assert!(node.starts_with("node "), "{position}: {actions:?}: {node}");
    node
}

/// A line is legal to its end, and if it promises a win or a loss, that stands at its end, in as many
/// turns as it says. Lines end at chance at the latest, and then so many turns are enough.
fn check_line(alea: &mut Alea, position: &str, line: &Line) {
    let end = node(alea, position, &line.pv);
    let (kind, value, is_bound) = &line.score;
    if kind != "mate" || *is_bound {
        return;
    }
    let (mut us, mut before, mut turns) = (String::new(), String::new(), 0);
    for length in 0..line.pv.len() {
        let decides = node(alea, position, &line.pv[..length]);
        let decides = decides.strip_prefix("node decision ").unwrap_or_else(|| {
            panic!("{position}: after {length} actions of {line:?} nobody is to decide")
        });
        if length == 0 {
            decides.clone_into(&mut us);
        }
        turns += i32::from(decides == us && before != us);
        decides.clone_into(&mut before);
    }
    if end == "node chance" {
        assert!(turns <= value.abs(), "{position}: {line:?}");
        return;
    }
    let winner = if (us == "white") == (*value > 0) { "white" } else { "black" };
    assert_eq!(end, format!("node over {winner}"), "{position}: {line:?}");
    assert_eq!(turns, value.abs(), "{position}: {line:?}");
}

/// What holds of a whole search; what is said is played through by the rules.
fn check(alea: &mut Alea, position: &str, said: &Said, most_lines: usize) {
    let chance = said.best == "(none)";
    let mut nodes = 0;
    for line in &said.lines {
        assert!(line.nodes >= nodes, "{position}: the nodes fell to {line:?}");
        nodes = line.nodes;
        assert!((1..=most_lines).contains(&line.rank), "{position}: {line:?}");
        assert_eq!(line.pv.is_empty(), chance, "{position}: {line:?}");
        check_line(alea, position, line);
    }
    assert!(said.lines.len() <= 250 * most_lines, "{position}: {} lines", said.lines.len());
    if chance {
        assert_eq!(said.ponder, None);
        return;
    }
    let first = said.lines.iter().rfind(|line| line.rank == 1).unwrap();
    assert_eq!(said.best, first.pv[0], "{position}: {first:?}");
    match (first.pv.get(1), &said.ponder) {
        (Some(second), ponder) => assert_eq!(ponder.as_ref(), Some(second), "{position}"),
        // The table may know of a reply that the line does not tell.
        (None, Some(ponder)) => {
            node(alea, position, &[said.best.clone(), ponder.clone()]);
        }
        (None, None) => {}
    }
}

/// Positions in which something is due, and ends near.
const MORE: &[(&str, &str)] = &[
    ("chess", "fen 8/P3k3/8/8/8/1p6/1K6/8 w - - 0 1"),
    ("chess", "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
    ("chess", "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 96 80"),
    ("equalizer", "startpos moves roll:N"),
    ("equalizer", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 die=*"),
    ("equalizer-winners", "fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w - - 0 3 moves roll:KR"),
    ("equalizer-specific", "startpos moves e2e4 d7d5 e4d5 roll:N"),
    ("equalizer-options", "startpos moves e2e4 d7d5"),
    ("bomber", "fen 4k3/1p5p/8/4p3/4P3/8/6P1/4K3 w - - 0 1"),
    ("blender", "fen 8/8/1B6/8/8/8/k7/2K1+C3 w - - 0 1"),
    ("blender", "fen 8/4P2k/8/8/8/8/8/K7 w - - 9 1 pool=QN+A/-"),
    ("mutation", "fen k7/8/1K6/8/8/4P3/8/8 w - - 0 1"),
    ("quantum", "startpos moves b1t1"),
    ("quantum", "startpos moves b1t1 end e7e5 e2e4 d7d6 d2d4"),
    (
        "quantum",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 gems=0,0 \
         tracks=Ne2:1,Bd1:1,Rf2:1,Qd2:1/Ne7:1,Bd8:1,Rf7:1,Qd7:1",
    ),
    ("quantum", "fen 5k2/8/8/8/8/8/r6r/4K3 w - - 0 1 gems=0,1 board=1:2,1:3 tracks=-,-/-,Qe1:1"),
    ("ladders", "startpos moves L@c3 L@e3 L@c5 L@e5 L@a3 L@g3 L@a5 L@g5"),
    ("ladders", "fen 7k/8/8/8/8/8/3p4/2B4K w - - 0 1 ladders=d2e3,f4g5,a3b4/-"),
];

/// The start position, and some of the game's openings and of [`MORE`].
fn positions(variant: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("openings/{variant}.epd"));
    let text = fs::read_to_string(path).unwrap();
    let openings = text.lines().filter(|line| !line.starts_with('#')).step_by(60);
    let more = MORE.iter().filter(|(game, _)| *game == variant);
    std::iter::once("startpos".to_owned())
        .chain(openings.take(3).map(|fen| format!("fen {fen}")))
        .chain(more.map(|(_, position)| (*position).to_owned()))
        .collect()
}

#[test]
fn every_line_of_every_game_is_legal_to_its_end() {
    let mut told = 0;
    for variant in variants() {
        let mut alea = Alea::start(&[]);
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.hear_until("info string variant ");
        for position in positions(&variant) {
            for (lines, go) in [(1, "go nodes 5000"), (3, "go nodes 5000"), (2, "go nodes 777")] {
                alea.say(&format!("setoption name MultiPV value {lines}"));
                alea.say(&format!("setoption name UCI_ShowWDL value {}", lines == 2));
                alea.say("ucinewgame");
                alea.say(&format!("position {position}"));
                let begin = Instant::now();
                let said = search(&mut alea, go, lines == 2);
                assert!(said.currents == 0 || begin.elapsed().as_secs() >= 3, "{position}");
                assert!(!said.lines.is_empty(), "{variant}: {position}");
                check(&mut alea, &position, &said, lines);
                told += said.lines.len();
            }
        }
        assert!(alea.end().is_empty(), "{variant}");
    }
    println!("{told} lines");
    assert!(told > 3000, "{told}");
}

/// Whatever the choice of a lesser line, it is the one that was told last.
#[test]
fn an_engine_of_limited_strength_says_what_it_plays() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name UCI_LimitStrength value true");
    alea.say("setoption name UCI_Elo value 1000");
    for variant in ["chess", "blender", "quantum", "mutation", "ladders"] {
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.hear_until("info string variant ");
        for _ in 0..12 {
            alea.say("position startpos");
            let said = search(&mut alea, "go depth 4", false);
            check(&mut alea, "startpos", &said, 1);
        }
    }
}

/// Searches with several threads are stopped in the middle of iterations, too.
#[test]
fn threads_and_stops_change_nothing_of_it() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name Threads value 3");
    alea.say("setoption name MultiPV value 2");
    for (variant, position) in [
        ("chess", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        ("equalizer", "startpos moves roll:P"),
        ("quantum", "startpos"),
        ("blender100-nightrider", "startpos"),
    ] {
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.hear_until("info string variant ");
        for time in [3, 17, 40] {
            alea.say(&format!("position {position}"));
            let said = search(&mut alea, &format!("go movetime {time}"), false);
            check(&mut alea, position, &said, 2);
        }
    }
}

/// Game, position, moves to mate for the side to decide.
const MATES: &[(&str, &str, i32)] = &[
    ("chess", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    ("chess", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 60", 1),
    ("chess", "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("chess", "fen r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("chroma", "fen 6v1/5ggg/8/8/8/8/5GGG/O5V1 w - - 0 1", 1),
    ("equalizer", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 die=R", 1),
    ("equalizer-handicap", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 strong=b", 1),
    ("equalizer-backtoback", "startpos moves f2f3 e7e6 g2g4 a7a6 roll:PQ", 1),
    ("equalizer-captureroll", "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 next=w:-,b:?", 1),
    ("bomber", "fen R3b1k1/4nppp/8/4P3/8/8/8/K7 w - - 0 1", 1),
    ("ladders", "fen k7/8/1K6/8/8/8/8/2R5 w - - 0 1 ladders=c4h8/-", 1),
    ("quantum", "fen k7/2K4p/N7/8/8/4B3/8/R7 w - - 0 1 gems=1,2", 1),
    ("quantum", "fen 7k/5K2/8/8/8/8/8/6R1 w - - 0 1 gems=1,1 board=1:1", 1),
    ("blender", "fen 7k/6pp/8/8/8/8/8/K2+Q4 w - - 0 1", 1),
    ("blender", "fen 8/8/1B6/8/8/8/k7/2K1+C3 w - - 0 1", 2),
    ("blender-nightrider", "fen 8/7P/2K4k/8/5R2/8/8/8 w - - 0 1 pool=+H+S/-", 2),
    ("blender100", "fen +C9/10/10/10/5p4/10/9p/10/7K2/9k w - - 0 1", 2),
    ("blender100-nightrider", "fen 5k3K/3P6/10/5+a4/10/10/10/10/+U9/10 w - - 0 1 pool=+M/-", 2),
    ("mutation", "fen k7/8/1K6/8/8/4P3/8/8 w - - 0 1", 1),
    (
        "mutation",
        "fen 7k/8/8/1P6/P7/8/8/K7 w - - 0 1 \
         board=rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr",
        2,
    ),
];

/// The value and actions that `solve` finds.
fn solve(alea: &mut Alea, depth: i32) -> (String, Vec<String>) {
    let text = alea.ask(&format!("solve {depth}"));
    let words: Vec<&str> = text.split(' ').collect();
    let actions = words.iter().skip(5).map(|&action| action.to_owned()).collect();
    (words[3].to_owned(), actions)
}

#[test]
fn mates_are_those_that_solve_finds() {
    for &(variant, position, moves) in MATES {
        let mut alea = Alea::start(&[]);
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.hear_until("info string variant ");
        alea.say(&format!("position {position}"));
        let (value, actions) = solve(&mut alea, 2 * moves - 1);
        assert_eq!(value, "1.000000000", "{variant}: {position}");
        if moves > 1 {
            let (value, _) = solve(&mut alea, 2 * moves - 3);
            assert_ne!(value, "1.000000000", "{variant}: {position}");
        }
        let said = search(&mut alea, &format!("go mate {moves}"), false);
        check(&mut alea, position, &said, 1);
        let last = said.lines.last().unwrap();
        assert_eq!(last.score, ("mate".to_owned(), moves, false), "{variant}: {position}");
        assert!(actions.contains(&said.best), "{variant}: {position}: {}", said.best);
        // Who is mated sees it coming.
        if moves > 1 {
            let reply = extended(position, std::slice::from_ref(&said.best));
            alea.say(&reply);
            let said = search(&mut alea, "go depth 8", false);
            check(&mut alea, reply.strip_prefix("position ").unwrap(), &said, 1);
            let score = &said.lines.last().unwrap().score;
            assert_eq!(*score, ("mate".to_owned(), 1 - moves, false), "{variant}: {position}");
        }
    }
}

/// Where there is none so short, the answer is what a usual search says.
#[test]
fn go_mate_ends_where_there_is_none() {
    let mut alea = Alea::start(&[]);
    let position = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    alea.say(&format!("position {position}"));
    let said = search(&mut alea, "go mate 1", false);
    check(&mut alea, position, &said, 1);
}

#[test]
fn lines_are_not_too_many() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name MultiPV value 256");
    // All is said of it in an instant.
    alea.say("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let said = search(&mut alea, "go depth 300", false);
    assert!(said.lines.len() <= 3 * 245, "{}", said.lines.len());
    // Root actions by the hundred: they are told for some seconds, and then not all of them.
    alea.say("position fen qqqqqqqq/qqqqkqqq/8/8/8/8/QQQQKQQQ/QQQQQQQQ w - - 0 1");
    let begin = Instant::now();
    let said = search(&mut alea, "go movetime 4000", false);
    let late = begin.elapsed().as_secs_f64() - 3.0;
    assert!(said.currents > 0);
    assert!(said.currents as f64 <= late * 20.0 + 1.0, "{} in {late} s", said.currents);
}

//! Whole matches: played by the built program, with engines that are in it, programs of its own
//! kind, and programs that do everything wrong.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::run;

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // There may be none.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

struct Played {
    out: String,
    err: String,
    code: Option<i32>,
}

fn play(arguments: &str) -> Played {
    let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
    let output = run(&words);
    Played {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// The games of a log, by number, without its first line.
fn games(log: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(log).unwrap();
    let mut games: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

const NODES: &str = "--engine cmd=builtin:alea name=one --engine cmd=builtin:alea name=two \
                     option.Hash=1 --each nodes=300 --maxmoves 60";

/// At fixed nodes a match is the same each time, whoever plays it, at once or one by one, in parts
/// or whole, interrupted or not.
#[test]
fn the_same_match_is_the_same_games() {
    let folder = folder("same");
    let alea = env!("CARGO_BIN_EXE_alea");
    let at = |name: &str| folder.join(name).display().to_string();
    for variant in ["equalizer", "bomber"] {
        let plan = format!(
            "match {variant} {NODES} --rounds 4 --seed 7 --openings openings/{variant}.epd --order \
             random"
        );
        let file = |what: &str, end: &str| at(&format!("{variant}-{what}.{end}"));
        let files =
            |what: &str| format!("--log {} --pgn {}", file(what, "jsonl"), file(what, "pgn"));
        let whole = play(&format!("{plan} {}", files("whole")));
        assert_eq!(whole.code, Some(0), "{}", whole.err);
        let twice = play(&format!("{plan} --concurrency 3 {}", files("twice")));
        assert_eq!(twice.code, Some(0), "{}", twice.err);
        let summary = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
        assert_eq!(summary(&whole.out), summary(&twice.out));
        let pgn = fs::read_to_string(file("whole", "pgn")).unwrap();
        let dateless = |text: &str| {
            text.lines().filter(|line| !line.starts_with("[Date")).collect::<Vec<_>>().join("\n")
        };
        let again = fs::read_to_string(file("twice", "pgn")).unwrap();
        assert_eq!(dateless(&pgn), dateless(&again));
        let of_whole = games(Path::new(&file("whole", "jsonl")));
        assert_eq!(of_whole.len(), 8);

        // As processes instead of in this one.
        let process = plan.replace("cmd=builtin:alea", &format!("cmd={alea}"));
        let as_process = play(&format!("{process} {}", files("process")));
        assert_eq!(as_process.code, Some(0), "{}", as_process.err);
        assert_eq!(of_whole, games(Path::new(&file("process", "jsonl"))));

        // Both games of a pair have the same opening, the same seed and other colours.
        for pair in of_whole.chunks(2) {
            assert_eq!(pair[0]["fen"], pair[1]["fen"]);
            assert_eq!(pair[0]["seed"], pair[1]["seed"]);
            assert_eq!(pair[0]["white"], pair[1]["black"]);
        }

        // In parts, put together.
        for part in ["1/3", "2/3", "3/3"] {
            let log = file(&part.replace('/', "of"), "jsonl");
            let played = play(&format!("{plan} --shard {part} --log {log}"));
            assert_eq!(played.code, Some(0), "{}", played.err);
        }
        let logs = ["1of3", "2of3", "3of3"].map(|part| file(part, "jsonl")).join(" ");
        let merged = play(&format!("match-merge {logs} {}", files("merged")));
        assert_eq!(merged.out.trim(), summary(&whole.out).trim());
        assert_eq!(of_whole, games(Path::new(&file("merged", "jsonl"))));
        assert_eq!(dateless(&pgn), dateless(&fs::read_to_string(file("merged", "pgn")).unwrap()));

        // Any single game of it.
        let single = play(&format!("{plan} --game 6 --pgn {}", file("single", "pgn")));
        assert_eq!(single.code, Some(0), "{}", single.err);
        let single = fs::read_to_string(file("single", "pgn")).unwrap();
        assert!(dateless(&pgn).contains(dateless(&single).trim()), "{single}");

        // Broken off in the middle of a line, and gone on with.
        let log = fs::read(file("whole", "jsonl")).unwrap();
        let cut = log.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').nth(3).unwrap().0;
        fs::write(file("broken", "jsonl"), &log[..cut + 50]).unwrap();
        let resumed = play(&format!("{plan} --resume --log {}", file("broken", "jsonl")));
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
        assert!(
            resumed.out.starts_with("Resumed: 3 games are played, 5 to go\n"),
            "{}",
            resumed.out
        );
        assert_eq!(of_whole, games(Path::new(&file("broken", "jsonl"))));
        assert_eq!(summary(&whole.out), summary(&resumed.out));
    }
}

/// Without openings, chance and clocks all pairs are alike, which nobody wants.
#[test]
fn a_match_of_the_same_games_is_warned_of() {
    let plan = "match chess --engine cmd=builtin:alea --engine cmd=builtin:alea --maxmoves 1";
    let warning = "Warning: 2 rounds have one opening, and neither chance nor a clock: ";
    let warned = play(&format!("{plan} --each nodes=9 --rounds 2"));
    assert!(warned.err.starts_with(warning), "{}", warned.err);
    assert_eq!(warned.err.lines().count(), 1, "{}", warned.err);
    for more in [
        "--each nodes=9 --rounds 1",
        "--each nodes=9 --rounds 2 --game 3",
        "--each nodes=9 option.Threads=2 --rounds 2",
        "--each nodes=9 tc=9 --rounds 2",
        "--each nodes=9 --rounds 2 --openings openings/chess.epd",
    ] {
        let played = play(&format!("{plan} {more}"));
        assert_eq!((played.err.as_str(), played.code), ("", Some(0)), "{more}");
    }
    let dice = plan.replace("chess", "equalizer");
    assert_eq!(play(&format!("{dice} --each nodes=9 --rounds 2")).err, "");
}

/// A match of the random player against an engine of the zoo.
fn zoo(variant: &str, fault: &str, more: &str) -> Played {
    play(&format!(
        "match {variant} --engine cmd=builtin:random --engine cmd=tests/data/zoo/engine.sh \
         args={fault} name=zoo tc=0.3 --rounds 2 --patience 0.5 {more}"
    ))
}

/// What each faulty engine is reported as, and that the match ends.
#[test]
#[cfg(unix)]
fn faults_are_told_apart() {
    // Those that cannot be started end the match before its first game.
    for (fault, said) in [
        ("mute", "no uciok within 0.5 s"),
        ("endless", "no uciok within 0.5 s"),
        ("unready", "no readyok within 0.5 s"),
        ("dead", "it ended without being asked"),
        ("spoilt", "no such game"),
    ] {
        let played = zoo("chess", fault, "");
        assert_eq!(played.code, Some(1), "{fault}");
        assert_eq!(played.err, format!("alea: zoo: {said}\n"), "{fault}");
        assert!(!played.out.contains("Game 1"), "{fault}: {}", played.out);
    }
    let wrong = zoo("bomber", "none", "");
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err.starts_with("alea: zoo: it does not play bomber: "), "{}", wrong.err);

    // Those that fail in play lose the game; the match goes on with a new process, but not for ever.
    for (fault, ending, detail) in [
        ("crash", "crash", "signal: 11 (SIGSEGV)"),
        ("fail", "crash", "exit status: 3"),
        ("leave", "disconnect", "it ended without being asked"),
        ("close", "disconnect", "it closed its input or output"),
        ("hang", "stall", "no bestmove in 0.8 s"),
        ("babble", "stall", "no bestmove in 0.8 s"),
    ] {
        let played = zoo("chess", fault, "");
        let first = format!("Game 1: random vs zoo 1-0 ({ending}): {detail}");
        assert_eq!(played.out.lines().next(), Some(&first[..]));
        assert!(played.out.contains(&format!("Faults of zoo: {ending} 3\n")), "{}", played.out);
        assert_eq!(
            played.err,
            format!(
                "alea: zoo failed in 3 games in a row, at last by {ending}; --recover goes on all \
                 the same\n"
            )
        );
        assert_eq!(played.code, Some(1), "{fault}");
    }
    let recovered = zoo("chess", "fail", "--recover");
    assert!(recovered.out.contains("Faults of zoo: crash 4\n"), "{}", recovered.out);
    assert_eq!(recovered.code, Some(0));

    // Those that are only wrong lose, and the match takes its course.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fault, ending, detail) in [
        ("illegal", "illegal-action", format!("\"e2e5\" in {start}")),
        ("none", "illegal-action", format!("\"(none)\" in {start}")),
        ("empty", "illegal-action", format!("\"\" in {start}")),
        ("late", "time-forfeit", String::new()),
    ] {
        let played = zoo("chess", fault, "");
        let second = format!("Game 2: zoo vs random 0-1 ({ending}): {detail}");
        let lines: Vec<_> = played.out.lines().collect();
        assert!(lines[1].starts_with(&second), "{}", played.out);
        assert!(lines.contains(&&*format!("Faults of zoo: {ending} 4")), "{}", played.out);
        assert!(lines.contains(&"Faults of random: none"));
        assert_eq!(played.code, Some(0), "{fault}");
    }
}

/// An engine that says more than it was asked for, or takes its time without a clock, is heard as it
/// should be.
#[test]
#[cfg(unix)]
fn answers_belong_to_their_questions() {
    // The second and third answer to the first question are none to the next.
    let twice = zoo("chess", "twice", "--maxmoves 1");
    assert!(
        twice.out.starts_with("Game 1: random vs zoo 1/2-1/2 (length-adjudication)\n"),
        "{}",
        twice.out
    );
    assert!(twice.out.contains("Faults of zoo: none\n"), "{}", twice.out);
    // Without a clock patience is with silence, not with long searches.
    let slow = play(
        "match chess --engine cmd=builtin:random --engine cmd=tests/data/zoo/engine.sh args=slow \
         name=zoo depth=6 --rounds 1 --patience 0.5 --maxmoves 1",
    );
    assert!(slow.out.contains("Ended by length-adjudication 2"), "{}", slow.out);
}

/// Engines that do not read, and what engines have started, neither stop a match nor outlive it.
#[test]
#[cfg(unix)]
fn nothing_is_left_behind() {
    use std::process::Command;

    let sleepers = || {
        let output = Command::new("pgrep").args(["-x", "-f", "sleep 1000"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let parent = zoo("chess", "parent", "");
    assert!(parent.out.contains("Faults of zoo: crash 3\n"), "{}", parent.out);
    // More than a pipe holds, to one who does not read.
    let much = "x".repeat(100_000);
    let asleep = zoo("chess", "asleep", &format!("--each option.Much={much}"));
    assert_eq!(asleep.err, "alea: zoo: no readyok within 0.5 s\n");
    assert_eq!(sleepers(), "");
}

/// What a log must not have, and what a match that is gone on with must not do.
#[test]
fn logs_are_taken_at_their_word_but_checked() {
    let folder = folder("logs");
    let at = |name: &str| folder.join(name).display().to_string();
    let plan = format!("match chess {NODES} --rounds 2");
    let (log, pgn) = (at("log.jsonl"), at("games.pgn"));
    assert_eq!(play(&format!("{plan} --log {log} --pgn {pgn}")).code, Some(0));
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();

    // A game twice is a game; two games of one number are an error, and so is one of no number.
    let doubled = at("doubled.jsonl");
    fs::write(&doubled, format!("{text}{}\n", lines[1])).unwrap();
    let resumed = play(&format!("{plan} --log {doubled} --resume"));
    assert!(resumed.out.starts_with("Resumed: 4 games are played, 0 to go\n"), "{}", resumed.out);
    assert!(resumed.out.contains("] 4\n"), "{}", resumed.out);
    for (from, to, error) in [
        (
            "\"white\":\"one\"",
            "\"white\":\"two\"",
            "has a second game 1, which is another than the first",
        ),
        ("\"game\":1,", "\"game\":99,", "has a game 99; there is none of that number in its match"),
    ] {
        fs::write(&doubled, format!("{text}{}\n", lines[1].replacen(from, to, 1))).unwrap();
        for command in
            [format!("{plan} --log {doubled} --resume"), format!("match-merge {doubled}")]
        {
            let wrong = play(&command);
            assert_eq!(wrong.err, format!("alea: log {doubled:?} {error}\n"));
        }
    }
    let other = play(&format!("{plan} --log {log} --resume --seed 2"));
    assert_eq!(
        other.err,
        format!(
            "alea: log {log:?} is of another match: its seeds differ; --resume needs the same\n"
        )
    );

    // Games that were logged but not written are written when the match is gone on with.
    let written = fs::read_to_string(&pgn).unwrap();
    let second = written.match_indices("[Event").nth(1).unwrap().0;
    fs::write(&pgn, &written[..second]).unwrap();
    play(&format!("{plan} --log {log} --pgn {pgn} --resume"));
    assert_eq!(fs::read_to_string(&pgn).unwrap(), written);

    // A match that could not begin leaves no log.
    let none = at("none.jsonl");
    let failed = play(&format!(
        "match chess --engine cmd=/no/such/engine nodes=1 --engine cmd=builtin:random --log {none}"
    ));
    assert_eq!(failed.code, Some(1));
    assert!(!Path::new(&none).exists());

    // A test that has its verdict keeps it.
    let test = format!(
        "match chess --engine cmd=builtin:alea nodes=100 --engine cmd=builtin:random --rounds 100 \
         --maxmoves 60 --sprt elo0=0 elo1=200 --log {none}"
    );
    let verdict = play(&test);
    let again = play(&format!("{test} --resume"));
    assert_eq!(again.code, Some(0));
    assert_eq!(again.out.split_once("\n\n").unwrap().1, verdict.out.split_once("\n\n").unwrap().1);
}

/// What an engine for plain chess hears, and that it never does what chess has not.
#[test]
#[cfg(unix)]
fn a_plain_engine_hears_of_chess_only() {
    let folder = folder("plain");
    let variants = [
        "bomber",
        "equalizer-options",
        "equalizer-specific",
        "chroma",
        "blender",
        "quantum",
        "ladders",
    ];
    for variant in variants {
        // Men that chess has not go by letters of their own, several by the same.
        let (letters, men) = match variant {
            "blender" => (" letters=+Q:Q,+A:A,+C:C,+M:M", &b"pnbrqkacmPNBRQKACM/12345678"[..]),
            _ => ("", &b"pnbrqkPNBRQK/12345678"[..]),
        };
        let heard = folder.join(variant);
        let log = folder.join(format!("{variant}.jsonl"));
        let played = play(&format!(
            "match {variant} --engine cmd=builtin:random --engine cmd=tests/data/zoo/engine.sh \
             args=first args={} name=zoo proto=plain{letters} nodes=5 --rounds 2 --maxmoves 40 \
             --seed 4 --log {}",
            heard.display(),
            log.display()
        ));
        assert_eq!(played.code, Some(0), "{}", played.err);
        assert!(played.out.contains("Faults of zoo: none"), "{}", played.out);
        let heard = fs::read_to_string(&heard).unwrap();
        assert!(!heard.contains("UCI_Variant"), "{variant}");
        let mut asked = 0;
        for line in heard.lines() {
            if let Some(fen) = line.strip_prefix("position fen ") {
                let words: Vec<_> = fen.split(' ').collect();
                assert_eq!(words.len(), 6, "{line}");
                assert!(words[0].bytes().all(|byte| men.contains(&byte)), "{line}");
            } else if let Some(moves) = line.strip_prefix("go nodes 5 searchmoves ") {
                asked += 1;
                assert!(moves.split(' ').count() > 1, "{line}");
                for word in moves.split(' ') {
                    let last = word.bytes().last().unwrap();
                    assert!(
                        word.len() == 4 || word.len() == 5 && b"nbrq".contains(&last),
                        "{line}"
                    );
                }
            } else {
                assert!(["uci", "isready", "ucinewgame", "quit"].contains(&line), "{line}");
            }
        }
        assert!(asked > 20, "{variant}: {asked}");
        let logged = games(&log);
        let of_zoo = logged.iter().flat_map(|game| {
            let side = if game["white"] == "zoo" { "w" } else { "b" };
            let steps = game["steps"].as_array().unwrap().iter();
            steps
                .filter(move |step| step["by"] == side)
                .map(|step| step["action"].as_str().unwrap())
        });
        let own: Vec<_> = of_zoo
            .filter(|action| {
                !action.as_bytes()[0].is_ascii_lowercase()
                    || action.contains(['*', ':', 't', 'x'])
                    || ["refuse", "end"].contains(action)
            })
            .collect();
        // Picks and the placing of boards are all that it cannot avoid, and then it does the first.
        let avoided = |action: &&str| !action.starts_with("pick:") && !action.starts_with("L@");
        assert!(!own.iter().any(avoided), "{own:?}");
        assert_eq!(own.is_empty(), !["equalizer-specific", "ladders"].contains(&variant));
    }
}

/// Where men do not move as in chess, an engine for chess cannot be asked at all.
#[test]
#[cfg(unix)]
fn a_plain_engine_is_refused_where_men_move_otherwise() {
    let played = play(
        "match mutation --engine cmd=builtin:random --engine cmd=tests/data/zoo/engine.sh args=first \
         name=zoo proto=plain nodes=5 --rounds 1",
    );
    assert_eq!(played.code, Some(1), "{}", played.out);
    assert!(
        played.err.contains(
            "zoo: a plain engine cannot play this game, whose men do not move as those of chess do; \
             wanted an engine of alea's protocol, proto=alea"
        ),
        "{}",
        played.err
    );
}

/// Scores may end a game, as the rules of adjudication say.
#[test]
#[cfg(unix)]
fn scores_end_games() {
    let with = |rules: &str| {
        play(&format!(
            "match chess --engine cmd=builtin:random --engine cmd=tests/data/zoo/engine.sh args=first \
             name=zoo proto=plain nodes=5 --rounds 1 --seed 4 {rules}"
        ))
    };
    // The engine always says -7.00.
    let resigned = with("--resign movecount=3 score=700");
    assert!(
        resigned.out.contains("Ended by resign-adjudication 2; 5.5 actions"),
        "{}",
        resigned.out
    );
    assert!(resigned.out.starts_with("Game 1: random vs zoo 1-0 (resign-adjudication)\n"));
    let not = with("--resign movecount=3 score=701 --maxmoves 9");
    assert!(not.out.contains("Ended by length-adjudication 2; 18.0 actions"), "{}", not.out);
    let not = with("--resign movecount=3 score=600 twosided=true --maxmoves 9");
    assert!(not.out.contains("Ended by length-adjudication 2"), "{}", not.out);
    let drawn =
        play(&format!("match chess {NODES} --rounds 1 --draw movenumber=5 movecount=2 score=999"));
    assert!(drawn.out.contains("Ended by draw-adjudication 2; 9.0 actions"), "{}", drawn.out);
}

/// Ctrl-C: the result so far, a log to go on with, and no process left behind.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_match_in_order() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::process::{Command, Stdio};

    let folder = folder("interrupt");
    let log = folder.join("log.jsonl").display().to_string();
    let alea = env!("CARGO_BIN_EXE_alea");
    let plan = format!(
        "match chess --engine cmd={alea} name=one --engine cmd=builtin:alea name=two --each \
         nodes=2000 --rounds 500 --concurrency 2 --maxmoves 20 --log {log}"
    );
    let mut child = Command::new(alea)
        .args(plan.split_ascii_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !fs::read_to_string(&log).is_ok_and(|text| text.lines().count() > 3) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let engines = |parent: u32| -> Vec<i32> {
        let output =
            Command::new("ps").args(["-o", "pid=", "--ppid", &parent.to_string()]).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.split_ascii_whitespace().map(|pid| pid.parse().unwrap()).collect()
    };
    let mut started = engines(child.id());
    // A busy machine may be asked while one is being started.
    while started.len() < 2 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
        started = engines(child.id());
    }
    assert_eq!(started.len(), 2, "an engine for each game at a time");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("Interrupted; --resume goes on"), "{out}");
    let played = games(Path::new(&log)).len();
    assert!(out.contains(&format!("] {played}\nScore ")), "{out}");
    for pid in started {
        assert!(kill(Pid::from_raw(pid), None).is_err(), "engine {pid} is left behind");
    }
}

/// A test ends its match, and the exit code says how.
#[test]
fn a_test_ends_with_a_verdict() {
    let test = |engines: &str, sprt: &str| {
        play(&format!(
            "match chess {engines} --each nodes=100 --rounds 100 --maxmoves 60 --sprt {sprt}"
        ))
    };
    let alea = "--engine cmd=builtin:alea --engine cmd=builtin:random";
    let random = "--engine cmd=builtin:random --engine cmd=builtin:alea";
    let gain = test(alea, "elo0=0 elo1=200");
    assert_eq!(gain.code, Some(0));
    assert!(
        gain.out.contains("for normalised Elo 0.00 against 200.00: H1 accepted\n"),
        "{}",
        gain.out
    );
    let loss = test(random, "elo0=0 elo1=200 model=logistic");
    assert_eq!(loss.code, Some(10));
    assert!(
        loss.out.contains("for logistic Elo 0.00 against 200.00: H0 accepted\n"),
        "{}",
        loss.out
    );
    let open = play(&format!("match chess {NODES} --rounds 1 --sprt elo0=0 elo1=5"));
    assert_eq!(open.code, Some(11));
    assert!(open.out.contains("no verdict yet"), "{}", open.out);
}

/// Errors name what is wrong and what would be right.
#[test]
fn errors_say_what_would_be_right() {
    let two = "--engine cmd=builtin:alea --engine cmd=builtin:random";
    for (arguments, error) in [
        (
            "match chess --engine cmd=a",
            "a has no limit to its thinking: give tc=BASE+INC, st=SECONDS, nodes=N or depth=N, to one with --engine or to both with --each",
        ),
        (
            "match chess --engine cmd=a nodes=1",
            "a match has two engines, this one 1; each begins with --engine cmd=PROGRAM",
        ),
        (
            "match chess --engine name=a",
            "--engine: \"name=a\" comes before cmd=; each --engine begins with cmd=PROGRAM",
        ),
        (
            "match chess --engine cmd=a tc",
            "--engine: \"tc\" is no setting; wanted KEY=VALUE, as tc=8+0.08",
        ),
        (
            "match chess --engine cmd=a tc=x",
            "--engine: tc cannot be \"x\"; wanted [MOVES/]SECONDS[+SECONDS], as 40/60+0.5, or inf",
        ),
        (
            "match chess --engine cmd=a hash=1",
            "--engine: there is no setting \"hash\"; there are cmd, args, dir, stderr, name, proto, tc, st, nodes, depth, timemargin, restart, letters, option.NAME",
        ),
        (
            "match chess --engine cmd=builtin:x",
            "--engine: cmd cannot be \"builtin:x\"; wanted a program, builtin:alea or builtin:random",
        ),
        (
            "match chess TWO --each nodes=9 --sprt elo0=5 elo1=0",
            "--sprt: elo0 is 5 and elo1 is 0, but elo0 must be less than elo1",
        ),
        (
            "match chess TWO --each nodes=9 --shard 3/2",
            "--shard \"3/2\": wanted I/N with 1 <= I <= N, as 1/4",
        ),
        (
            "match chess TWO --each nodes=9 --resign score=x",
            "--resign: score cannot be \"x\"; wanted a whole number from 1 to 100000",
        ),
        (
            "match chess TWO --each nodes=9 --rounds 2 --game 5",
            "--game 5: this match has no such game; it has 4, from 1",
        ),
        (
            "match chess TWO --each nodes=9 --start 2",
            "--start 2: there are 1 openings; wanted 1 to 1",
        ),
        (
            "match chess TWO --each nodes=9 --openings openings/equalizer-weaker.epd --start 9999",
            "--start 9999: there are",
        ),
        (
            "match chess TWO --each nodes=9 --openings none.epd",
            "\"none.epd\" cannot be read: No such file or directory (os error 2)",
        ),
        (
            "match chess TWO --each nodes=9 --openings tests/data/openings/wrong.epd",
            "\"tests/data/openings/wrong.epd\", line 3: action 2 (\"e2e4\") is no legal action, such as e7e5, e7e6, after rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "match chess TWO --each nodes=9 --openings tests/data/openings/over.epd",
            "\"tests/data/openings/over.epd\", line 1: the game is over there already; wanted one to play on",
        ),
        (
            "match chess TWO --each nodes=9 --log Cargo.toml",
            "log \"Cargo.toml\" is there already: --resume goes on with its match, another name begins one",
        ),
        (
            "match chess TWO --each nodes=9 --log Cargo.toml --resume",
            "log \"Cargo.toml\", line 1: ",
        ),
        ("match none TWO --each nodes=9", "there is no game called \"none\""),
        (
            "match chess --engine cmd=/no/such/engine nodes=1 --engine cmd=builtin:random",
            "engine: cannot start \"/no/such/engine\": No such file or directory (os error 2)",
        ),
        (
            "match chess --engine cmd=builtin:alea option.Hash=0 nodes=1 --engine cmd=builtin:random",
            "alea: setoption: option Hash cannot be \"0\"",
        ),
        ("match-merge Cargo.toml", "log \"Cargo.toml\", line 1: "),
    ] {
        let played = play(&arguments.replace("TWO", two));
        assert!(played.err.starts_with(&format!("alea: {error}")), "{arguments}: {}", played.err);
        assert_eq!(played.code, Some(1), "{arguments}");
    }
    // An option that an engine does not declare may be one that it keeps to itself.
    let hidden = play(
        "match chess --engine cmd=builtin:alea option.aspiration=20 nodes=9 --engine cmd=builtin:random --rounds 1",
    );
    assert!(
        hidden
            .out
            .starts_with("Warning: alea offers no option aspiration; it is set all the same\n"),
        "{}",
        hidden.out
    );
    assert_eq!(hidden.code, Some(0));
}

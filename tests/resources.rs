//! Memory, threads and processor time: what the machine has may be used, what it has not is told, and
//! nothing is used that is not needed.
//!
//! `ALEA_SEARCHES` is the number of searches after which memory is looked at, 1,500 without it.

mod program;

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use program::{Alea, variants};

/// Searches; the `bestmove` line and the nodes told last.
fn search(alea: &mut Alea, go: &str) -> (String, u64) {
    alea.say(go);
    let mut nodes = 0;
    loop {
        let line = alea.hear().unwrap_or_else(|| panic!("{go}: no bestmove came"));
        if line.starts_with("bestmove ") {
            return (line, nodes);
        }
        assert!(!line.contains("error"), "{go}: {line}");
        let mut words = line.split(' ').skip_while(|&word| word != "nodes");
        if let Some(count) = words.nth(1) {
            nodes = count.parse().unwrap();
        }
    }
}

/// A number in a file of Linux, after a name.
fn told(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_ascii_whitespace().next()?.parse().ok()
}

/// More than any machine has is refused, and the table stays with all that is in it.
#[test]
fn a_table_that_is_too_large_leaves_the_former_one() {
    let mut counts = Vec::new();
    for refused in [false, true] {
        let mut alea = Alea::start(&[]);
        alea.say("setoption name Hash value 8");
        search(&mut alea, "go depth 9");
        if refused {
            // Not many machines have a tebibyte to spare.
            assert_eq!(
                alea.ask("setoption name Hash value 1048576"),
                "info string error: setoption: no memory for a hash table of 1048576 MiB; that of \
                 8 MiB stays"
            );
        }
        counts.push(search(&mut alea, "go depth 9").1);
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn the_table_may_be_as_large_as_the_machine() {
    let available = told("/proc/meminfo", "MemAvailable:").map_or(1024, |kib| kib / 1024);
    let mut alea = Alea::start(&[]);
    // Half of it, as others may want some at the same time; what is not touched takes none.
    for size in [available / 2, 1, 33, available / 3, 16] {
        alea.say(&format!("setoption name Hash value {}", size.clamp(1, 1_048_576)));
        assert!(alea.sync().is_empty(), "{size}");
        search(&mut alea, "go nodes 1000");
    }
}

#[test]
fn sizes_and_threads_change_between_searches() {
    let mut alea = Alea::start(&[]);
    for (hash, threads, variant) in [
        (1, 4, "chess"),
        (64, 1, "quantum"),
        (3, 7, "equalizer"),
        (16, 2, "blender100-nightrider"),
        (2, 16, "bomber"),
        (1, 1, "chess"),
    ] {
        alea.say(&format!("setoption name Hash value {hash}"));
        alea.say(&format!("setoption name Threads value {threads}"));
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        for go in ["go nodes 2000", "go movetime 10", "go depth 2"] {
            search(&mut alea, go);
        }
        alea.say("ucinewgame");
        search(&mut alea, "go nodes 500");
    }
    assert!(alea.end().is_empty());
}

#[test]
fn five_hundred_and_twelve_threads_search() {
    let mut alea = Alea::start(&[]);
    alea.say("setoption name Threads value 512");
    for (variant, go) in
        [("chess", "nodes 20000"), ("chess", "movetime 100"), ("equalizer", "depth 2")]
    {
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        search(&mut alea, &format!("go {go}"));
    }
    alea.say("go infinite");
    assert!(alea.sync().iter().all(|line| line.starts_with("info ")));
    assert!(search(&mut alea, "stop").0.starts_with("bestmove "));
    alea.say("setoption name Threads value 1");
    search(&mut alea, "go depth 3");
    assert!(alea.end().is_empty());
}

/// Where the system gives neither memory for a table nor threads, that is told, and what there is goes
/// on.
#[cfg(target_os = "linux")]
#[test]
fn what_the_system_refuses_is_told() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 900000; exec \"$0\"", env!("CARGO_BIN_EXE_alea")]);
    let mut alea = Alea::of(shell);
    assert!(
        alea.ask("setoption name Hash value 2000").starts_with(
            "info string error: setoption: no memory for a hash table of 2000 MiB; that"
        )
    );
    search(&mut alea, "go nodes 2000");
    alea.say("setoption name Hash value 32");
    search(&mut alea, "go nodes 2000");
    // Every thread reserves a stack.
    alea.say("setoption name Threads value 40");
    alea.say("go nodes 2000");
    let error = alea.hear_until("info string error: search thread ");
    assert!(error.contains(" did not start: "), "{error}");
    assert!(alea.hear_until("bestmove ").len() > 12);
    alea.say("setoption name Threads value 2");
    search(&mut alea, "go nodes 2000");
}

/// Processor time that a process has used, in seconds.
#[cfg(target_os = "linux")]
fn used(id: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // The name in brackets may have blanks in it.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_ascii_whitespace().collect();
    let ticks: u64 = [11, 12].iter().map(|&field| fields[field].parse::<u64>().unwrap()).sum();
    // Linux counts for programs in hundredths, whatever its own clock.
    ticks as f64 / 100.0
}

/// Who has nothing to do takes no time of the processor: before any search, when one is over, and under
/// `infinite` and `ponder` when there is nothing left to find.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_done_where_nothing_is_to_do() {
    let scripts: &[&[&str]] = &[
        &[],
        &["go depth 5"],
        &["go infinite", "stop"],
        // A mate, the end of a game, and draws that are as deep as they go.
        &["position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go infinite"],
        &["position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go ponder wtime 1000 btime 1000"],
        &["position startpos moves f2f3 e7e5 g2g4 d8h4", "go infinite"],
        &["position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go infinite"],
        &[
            "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1",
            "setoption name MultiPV value 3",
            "go infinite",
        ],
        &["go infinite depth 3"],
        &["go ponder nodes 300"],
        &["setoption name Threads value 8", "go infinite depth 2"],
        &["setoption name UCI_Variant value equalizer", "go infinite depth 2"],
        &["setoption name UCI_Variant value bomber", "go ponder nodes 50"],
        &["perft 2", "solve 1", "setoption name Hash value 64", "ucinewgame"],
    ];
    let mut engines: Vec<Alea> = scripts
        .iter()
        .map(|script| {
            let mut alea = Alea::start(&[]);
            for line in *script {
                alea.say(line);
            }
            alea
        })
        .collect();
    thread::sleep(Duration::from_millis(1500));
    let before: Vec<f64> = engines.iter().map(|alea| used(alea.id())).collect();
    thread::sleep(Duration::from_secs(2));
    for ((alea, before), script) in engines.iter().zip(before).zip(scripts) {
        let time = used(alea.id()) - before;
        assert!(time < 0.5, "{script:?}: {time} s of 2");
    }
    for alea in &mut engines {
        alea.say("stop");
        alea.sync();
    }
}

/// Short searches in all games, over and over, take no more memory than the first of them did.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow() {
    let wanted = std::env::var("ALEA_SEARCHES")
        .map_or(1500, |text| text.parse().expect("ALEA_SEARCHES is a number"));
    let mut alea = Alea::start(&[]);
    let resident = |alea: &Alea| told(&format!("/proc/{}/status", alea.id()), "VmRSS:").unwrap();
    let games = variants();
    let mut searches = 0_u64;
    let mut round = |alea: &mut Alea| {
        for variant in &games {
            alea.say(&format!("setoption name UCI_Variant value {variant}"));
            for go in ["go nodes 200", "go depth 1", "go movetime 1", "go nodes 50"] {
                search(alea, go);
                searches += 1;
            }
            alea.say("ucinewgame");
        }
        searches
    };
    for _ in 0..3 {
        round(&mut alea);
    }
    let before = resident(&alea);
    let mut done = 0;
    while done < wanted {
        done = round(&mut alea);
    }
    let after = resident(&alea);
    println!("{done} searches, {before} KiB before and {after} KiB after");
    assert!(after < before + 6 * 1024, "{before} KiB became {after} KiB in {done} searches");
}

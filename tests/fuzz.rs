//! Texts that are nearly right, by the thousand or, if asked, by the million: nothing that comes in
//! upsets a reader or a session, and what is read without complaint makes sense.
//!
//! `ALEA_FUZZ` is how many times as much is tried as in a usual run.

mod program;
mod support;

use std::fs;
use std::io::{BufReader, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use alea::arena::{log, openings, pgn};
use alea::eval::network::Network;
use alea::eval::{Evaluator, MAX_EVAL, weights};
use alea::game::bomber::Deck;
use alea::game::{AnySetup, Game, GameOptions, OPTIONS, OptionKind, VARIANTS, with_game};
use alea::search::open_desk;
use alea::uci;
use program::{Alea, run};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::mangle::{mutate, mutated_text, survive};
use support::{data_lines, pick};

/// How much is tried.
fn effort() -> u64 {
    std::env::var("ALEA_FUZZ").ok().map_or(1, |text| text.parse().expect("ALEA_FUZZ is a number"))
}

/// Does something with that many numbered sources of randomness, at the same time. On threads of its
/// own: a session waits for work that it gives to those of rayon.
fn many(count: u64, each: impl Fn(&mut StdRng) + Sync) {
    let threads = thread::available_parallelism().map_or(2, |number| number.get() as u64);
    thread::scope(|scope| {
        for thread in 0..threads {
            let each = &each;
            scope.spawn(move || {
                for seed in (thread..count).step_by(threads as usize) {
                    each(&mut StdRng::seed_from_u64(seed));
                }
            });
        }
    });
}

/// Positions and actions of every game, as the vectors tell them.
fn told() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for variant in VARIANTS {
        let any = AnySetup::named(variant, &GameOptions::default()).unwrap();
        with_game!(any, G, setup => all.push((*variant, G::start(&setup).fen(&setup))));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        for line in data_lines(&format!("vectors/{name}")) {
            let mut columns = line.split('\t');
            let (Some(variant), Some(position)) = (columns.next(), columns.next()) else {
                continue;
            };
            let variant = VARIANTS.iter().find(|&&known| known == variant);
            if let (Some(variant), Some(fen)) = (variant, position.strip_prefix("fen ")) {
                all.push((*variant, fen.to_owned()));
            }
        }
    }
    assert!(all.len() > 300, "{}", all.len());
    all
}

#[test]
fn positions_and_actions() {
    let told = told();
    let read = AtomicU64::new(0);
    let count = 30_000 * effort();
    many(count, |rng| {
        let (variant, fen) = &told[rng.random_range(0..told.len())];
        // Now and then by the rules of another game.
        let variant = if rng.random_ratio(1, 20) { pick(rng, VARIANTS) } else { *variant };
        let text = mutated_text(fen, rng);
        let any = AnySetup::named(variant, &GameOptions::default()).unwrap();
        with_game!(any, G, setup => {
            if let Ok(position) = G::from_fen(&setup, &text) {
                read.fetch_add(1, Ordering::Relaxed);
                survive(&setup, &text, position, rng);
            }
        });
    });
    let read = read.into_inner();
    println!("{count} positions, {read} of them read, with up to 12 actions each");
    assert!(read > count / 100, "{read} of {count}");
}

#[test]
fn decks_and_options() {
    let decks: Vec<Vec<u8>> = ["eleven.txt", "two  rows.txt", "wrong.txt"]
        .iter()
        .map(|name| {
            fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/decks").join(name))
                .unwrap()
        })
        .collect();
    let count = 20_000 * effort();
    let read = AtomicU64::new(0);
    many(count, |rng| {
        let deck = &decks[rng.random_range(0..decks.len())];
        match Deck::parse(&mutate(deck, rng)) {
            Ok(deck) => {
                assert!(!deck.cards().is_empty() && deck.total() > 0);
                read.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let option = &OPTIONS[rng.random_range(0..OPTIONS.len())];
        let value = match option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.to_owned(),
            OptionKind::File => return,
        };
        let mut options = GameOptions::default();
        let value = mutated_text(&value, rng);
        if options.set(option.name, &value).is_err() {
            assert_eq!(options, GameOptions::default(), "{} {value:?}", option.name);
        }
    });
    println!("{count} decks, {} of them read, and as many options", read.into_inner());
}

/// A network that is read can be written, and evaluates the start of a game that it fits.
fn judge<G: Game>(setup: &G::Setup, network: Network) {
    let evaluator =
        Evaluator::<G>::new(weights(G::family(setup))).with_network(Some(Arc::new(network)));
    let value = evaluator.evaluate_fresh(&G::start(setup));
    assert!(value.abs() <= MAX_EVAL, "{value}");
}

#[test]
fn networks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/networks/chess.net");
    let whole = fs::read(path).unwrap();
    // Magic number, kinds, files, ranks, alone.
    let header = whole.split_at(12).0;
    let count = 500 * effort();
    let (read, judged) = (AtomicU64::new(0), AtomicU64::new(0));
    many(count, |rng| {
        for _ in 0..20 {
            let short = mutate(&header[..rng.random_range(0..=header.len())], rng);
            assert!(Network::read(&short).is_err(), "{short:?}");
        }
        let mut bytes = mutate(&whole, rng);
        if rng.random_bool(0.5) {
            // Numbers that learning does not come to.
            let from = rng.random_range(0..=bytes.len());
            let end = (from + rng.random_range(0..20_000)).min(bytes.len());
            rng.fill(&mut bytes[from..end]);
        }
        let network = match Network::read(&bytes) {
            Ok(network) => network,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        read.fetch_add(1, Ordering::Relaxed);
        assert_eq!(Network::read(&network.write()).as_ref(), Ok(&network));
        let any = AnySetup::named(pick(rng, VARIANTS), &GameOptions::default()).unwrap();
        with_game!(&any, G, setup => {
            if network.fits::<G>() {
                judged.fetch_add(1, Ordering::Relaxed);
                judge::<G>(setup, network);
            }
        });
    });
    let (read, judged) = (read.into_inner(), judged.into_inner());
    println!("{count} networks, {read} of them read, {judged} in use; {} short ones", 20 * count);
    assert!(judged > count / 50, "{judged} of {count}");
}

/// Where files of this test are.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Short games of several kinds, in PGN and as logs.
fn played(folder: &Path) -> (Vec<String>, Vec<String>) {
    ["chess", "equalizer-options", "bomber", "blender", "quantum", "ladders"]
        .iter()
        .map(|variant| {
            let [pgn, log] = ["pgn", "jsonl"].map(|end| folder.join(format!("{variant}.{end}")));
            let [pgn, log] = [&pgn, &log].map(|path| path.to_str().unwrap().to_owned());
            let engine = format!("cmd={}", env!("CARGO_BIN_EXE_alea"));
            let output = run(&[
                "match",
                variant,
                "--engine",
                &engine,
                "name=a",
                "--engine",
                &engine,
                "name=b",
                "--each",
                "nodes=20",
                "--rounds",
                "1",
                "--maxmoves",
                "12",
                "--pgn",
                &pgn,
                "--log",
                &log,
            ]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            (fs::read_to_string(pgn).unwrap(), fs::read_to_string(log).unwrap())
        })
        .unzip()
}

#[test]
fn games_logs_and_openings() {
    let folder = folder("games");
    let (games, logs) = played(&folder);
    let count = 2_000 * effort();
    let (whole, replayed) = (AtomicU64::new(0), AtomicU64::new(0));
    many(count, |rng| {
        let text = &games[rng.random_range(0..games.len())];
        if let Ok(games) = pgn::read(&mutated_text(text, rng)) {
            for game in &games {
                if pgn::replay(game).is_ok() {
                    replayed.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        let which: u32 = rng.random();
        let file = |end: &str| folder.join(format!("{which}.{end}")).to_str().unwrap().to_owned();
        let path = file("jsonl");
        let text = &logs[rng.random_range(0..logs.len())];
        fs::write(&path, mutate(text.as_bytes(), rng)).unwrap();
        if log::read(&path).is_ok() {
            whole.fetch_add(1, Ordering::Relaxed);
        }
        fs::remove_file(path).unwrap();
        let epd = rng.random_bool(0.5);
        let path = file(if epd { "epd" } else { "pgn" });
        let variant = pick(rng, VARIANTS);
        let any = AnySetup::named(variant, &GameOptions::default()).unwrap();
        let text = if epd {
            with_game!(&any, G, setup => G::start(setup).fen(setup)) + " moves e2e4 e7e5\n"
        } else {
            games[rng.random_range(0..games.len())].clone()
        };
        fs::write(&path, mutate(text.as_bytes(), rng)).unwrap();
        if let Ok(found) = openings::read(&path, &any, Some(8)) {
            assert!(!found.is_empty());
        }
        fs::remove_file(path).unwrap();
    });
    let (whole, replayed) = (whole.into_inner(), replayed.into_inner());
    println!(
        "{count} PGN files, {replayed} games replayed; {count} logs, {whole} read; {count} opening files"
    );
    assert!(replayed > 0 && whole > 0);
}

/// What sessions are made of: the lines of `protocol.md`, and what GUIs send.
fn lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> =
        text.lines().filter_map(|line| Some(line.strip_prefix("> ")?.to_owned())).collect();
    lines.extend(
        [
            "uci",
            "isready",
            "ucinewgame",
            "debug on",
            "register later",
            "setoption name Hash value 2",
            "setoption name Threads value 2",
            "setoption name MultiPV value 3",
            "setoption name UCI_Chess960 value true",
            "position startpos moves e2e4 e7e5 g1f3",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
            "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 20",
            "go depth 3 searchmoves e2e4 d2d4",
            "go nodes 100",
            "go movetime 1",
            "go mate 1",
            "go ponder",
            "go infinite",
            "ponderhit",
            "stop",
            "perft 1",
            "d",
            "eval",
            "fen",
            "node",
            "legal",
        ]
        .map(str::to_owned),
    );
    lines
}

/// Whether a line is better not sent by chance: it ends all, or takes all the memory or all the
/// threads of the machine.
fn is_costly(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.contains("quit") || line.contains("hash") || line.contains("threads")
}

/// A writer that others can read.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Mangled lines by the hundred to a session in this process; whatever may run is stopped after each.
#[test]
fn lines_of_the_protocol() {
    const LINES: u64 = 200;
    let known = lines();
    let count = 100 * effort();
    many(count, |rng| {
        let mut script = Vec::new();
        for _ in 0..LINES {
            let line = mutate(known[rng.random_range(0..known.len())].as_bytes(), rng);
            let text = String::from_utf8_lossy(&line);
            if is_costly(&text) || text.contains('\r') {
                continue;
            }
            script.extend(line);
            script.extend(b"\nstop\n");
        }
        let mangled = script.clone();
        script.extend(b"isready\n");
        let heard = Heard::default();
        let input = BufReader::new(Cursor::new(script));
        uci::talk(open_desk, input, Box::new(heard.clone()), false).unwrap();
        let text = heard.text();
        let complaint = text.lines().find(|line| line.contains("thread has ended"));
        assert_eq!(complaint, None, "{:?}", String::from_utf8_lossy(&mangled));
        assert!(
            text.lines().any(|line| line == "readyok"),
            "{:?}",
            String::from_utf8_lossy(&mangled)
        );
    });
    println!("{} lines to {count} sessions", count * LINES);
}

/// What a session was told and what it must have said.
#[derive(Default)]
struct Ledger {
    script: Vec<u8>,
    /// Lines that begin a search, or are refused.
    searches: usize,
    ready: usize,
    lines: u64,
}

impl Ledger {
    fn send(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let words = |line: &str| -> Vec<String> {
            line.trim_start_matches('\u{feff}')
                .split_ascii_whitespace()
                .map(str::to_owned)
                .collect()
        };
        for line in text.split('\n') {
            match words(line).split_first() {
                Some((first, rest)) if first == "go" => {
                    // Counts are no searches.
                    if rest.contains(&"perft".to_owned()) {
                        return;
                    }
                    self.searches += 1;
                }
                Some((first, _)) if first == "isready" => self.ready += 1,
                _ => {}
            }
        }
        self.lines += 1;
        self.script.extend(line);
        self.script.push(b'\n');
    }
}

/// A search that ends by itself or is stopped by what follows.
fn search_line(rng: &mut StdRng) -> String {
    match rng.random_range(0..9) {
        0 => format!("go depth {}", rng.random_range(0..5)),
        1 => format!("go nodes {}", rng.random_range(0..3000)),
        2 => format!("go movetime {}", rng.random_range(-1..20)),
        3 => format!("go wtime {0} btime {0} winc 1 binc 1", rng.random_range(-5..300)),
        4 => "go infinite".to_owned(),
        5 => "go ponder wtime 100 btime 100".to_owned(),
        6 => format!("go mate {}", rng.random_range(0..3)),
        7 => format!("go movestogo {} wtime 50 btime 50", rng.random_range(-1..3)),
        _ => "go wtime 1 btime 1".to_owned(),
    }
}

/// Whether the answer would be taken for that of a line that stands before a search.
fn asks_for_actions(text: &str) -> bool {
    text.lines().any(|line| line.split_ascii_whitespace().next() == Some("legal"))
}

fn session(seed: u64, known: &[String], told: &[(&'static str, String)]) -> u64 {
    let mut rng = StdRng::seed_from_u64(seed);
    let rng = &mut rng;
    let mut ledger = Ledger::default();
    for _ in 0..rng.random_range(5..40) {
        match rng.random_range(0..10) {
            0 => ledger.send(
                format!("setoption name UCI_Variant value {}", pick(rng, VARIANTS)).as_bytes(),
            ),
            1 => {
                let (variant, fen) = &told[rng.random_range(0..told.len())];
                ledger.send(format!("setoption name UCI_Variant value {variant}").as_bytes());
                ledger.send(format!("position fen {fen}").as_bytes());
            }
            2 | 3 => {
                // What is legal is asked for when nothing runs, so that the answer can be checked.
                for line in ["stop", "legal", &search_line(rng)] {
                    ledger.send(line.as_bytes());
                }
            }
            4 => ledger
                .send(pick(rng, &["stop", "ponderhit", "isready", "ucinewgame", "uci"]).as_bytes()),
            5 => {
                let options = [
                    "Hash value 1",
                    "Hash value 3",
                    "Threads value 1",
                    "Threads value 3",
                    "MultiPV value 1",
                    "MultiPV value 4",
                    "UCI_ShowWDL value true",
                    "Clear Hash",
                    "UCI_LimitStrength value true",
                    "UCI_LimitStrength value false",
                ];
                ledger.send(format!("setoption name {}", pick(rng, &options)).as_bytes());
            }
            6 => {
                let line = &known[rng.random_range(0..known.len())];
                if !is_costly(line) && !asks_for_actions(line) {
                    ledger.send(line.as_bytes());
                    // A count of many plies is right to take long.
                    ledger.send(b"stop");
                }
            }
            _ => {
                let line = mutate(known[rng.random_range(0..known.len())].as_bytes(), rng);
                let text = String::from_utf8_lossy(&line).into_owned();
                let counts = ["perft", "solve"].iter().any(|word| text.contains(word));
                if !is_costly(&text) && !counts && !asks_for_actions(&text) {
                    ledger.send(&line);
                }
            }
        }
    }
    let quits = rng.random_bool(0.3);
    ledger.send(b"isready");
    if quits {
        ledger.send(b"quit");
    }
    let mut alea = Alea::start(&[]);
    alea.pour(&ledger.script);
    let said = alea.end();
    let script = String::from_utf8_lossy(&ledger.script);
    let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    let complaint = said.iter().find(|line| line.contains("thread has ended"));
    assert_eq!(complaint, None, "session {seed}: {script:?}");
    let (ready, best, refused) =
        (count("readyok"), count("bestmove "), count("info string error: go"));
    if quits {
        // Lines that waited for the end of a search were not obeyed.
        assert!(best + refused <= ledger.searches, "session {seed}: {script:?}");
    } else {
        assert_eq!(best + refused, ledger.searches, "session {seed}: {script:?}\n{said:#?}");
    }
    assert_eq!(ready, ledger.ready, "session {seed}: {script:?}\n{said:#?}");
    let mut legal: Option<Vec<&str>> = None;
    for line in &said {
        let mut words = line.split(' ');
        match words.next() {
            // The line of `help` has blanks there.
            Some("legal") if !line.starts_with("legal  ") => {
                // Nothing is legal in a drawn position, and yet people play on there.
                legal = Some(words.collect()).filter(|legal: &Vec<&str>| !legal.is_empty());
            }
            Some("chance") => legal = Some(Vec::new()),
            Some("bestmove") => {
                let best = words.next().unwrap_or_default();
                if let Some(legal) = legal.take() {
                    let fits =
                        if legal.is_empty() { best == "(none)" } else { legal.contains(&best) };
                    assert!(fits, "session {seed}: {best:?} of {legal:?}: {script:?}");
                }
            }
            Some("info") if line.starts_with("info string error: go") => legal = None,
            _ => {}
        }
    }
    ledger.lines
}

/// Every `isready` is answered, every `go` by one legal `bestmove` or one error, and the program ends.
#[test]
fn sessions() {
    let (known, told) = (lines(), told());
    let count = 60 * effort();
    let lines = AtomicU64::new(0);
    many(count, |rng| {
        lines.fetch_add(session(rng.random(), &known, &told), Ordering::Relaxed);
    });
    let lines = lines.into_inner();
    println!("{lines} lines to {count} sessions of the program");
}

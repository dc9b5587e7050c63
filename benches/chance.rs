//! How many nodes a search through chance needs to the same depth and value, part by part: plain
//! expectimax, Star1, Star2, with the transposition table, and with actions that several events
//! allow searched once. Nothing is pruned that could matter, and all parts agree on the value.
//!
//! `cargo bench --bench chance` prints a table for each game; `-- N` looks N plies deep instead of 4.

use std::sync::Arc;

use alea::game::{AnySetup, Game, GameOptions, Record, with_game};
use alea::search::{Control, Engine, Limits, Method, Settings, Star, Table};
use rayon::prelude::*;

const fn exact(star: Star, table: bool, share: bool) -> Method {
    Method { exact: true, star, table, share }
}

const METHODS: [(&str, Method); 5] = [
    ("plain expectimax", exact(Star::None, false, false)),
    ("Star1", exact(Star::One, false, false)),
    ("Star2", exact(Star::Two, false, false)),
    ("Star2 + table", exact(Star::Two, true, false)),
    ("Star2 + table + sharing", exact(Star::Two, true, true)),
];

/// Thirty positions of self-play each, at a decision or before an event.
const POSITIONS: [(&str, &str); 2] = [
    ("equalizer", include_str!("positions/equalizer.txt")),
    ("bomber", include_str!("positions/bomber.txt")),
];

fn nodes<G: Game>(
    variant: &'static str,
    setup: &G::Setup,
    fen: &str,
    method: Method,
    depth: u32,
) -> (u64, i32) {
    let settings = Settings { hash: 64, method, ..Settings::default() };
    let table = Arc::new(Table::new(64).expect("64 MiB"));
    let mut engine = Engine::<G>::new(variant, setup.clone(), settings, table);
    let record = Record::parse::<&str>(setup, Some(fen), &[]).expect("a position of the game");
    engine.set_record(record);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let summary = engine.think(&limits, &Control::new(false), &|_| {});
    (summary.nodes, summary.score)
}

fn main() {
    // Cargo adds options of its own.
    let depth = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(4_u32);
    for (variant, text) in POSITIONS {
        let any = AnySetup::named(variant, &GameOptions::default()).expect("a game");
        let fens: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        println!("\n{variant}: nodes of {} positions, iterations 1 to {depth}", fens.len());
        println!("{:26}{:>14} {:>10} {:>22}", "", "nodes", "of plain", "branching by depth");
        let mut plain = 0;
        let mut wanted = Vec::new();
        for (name, method) in METHODS {
            let mut sums = Vec::new();
            let mut scores = Vec::new();
            for depth in 1..=depth {
                let found: Vec<(u64, i32)> = with_game!(&any, G, setup => fens
                    .par_iter()
                    .map(|fen| nodes::<G>(variant, setup, fen, method, depth))
                    .collect());
                sums.push(found.iter().map(|&(nodes, _)| nodes).sum::<u64>());
                scores = found.into_iter().map(|(_, score)| score).collect();
            }
            let last = sums.last().copied().unwrap_or(0);
            if plain == 0 {
                (plain, wanted) = (last, scores.clone());
            }
            assert_eq!(scores, wanted, "{name} finds other values");
            let growth: Vec<String> = sums
                .windows(2)
                .map(|pair| format!("{:.1}", pair[1] as f64 / pair[0] as f64))
                .collect();
            println!(
                "{name:26}{last:>14} {:>9.3} % {:>20}",
                100.0 * last as f64 / plain as f64,
                growth.join("  ")
            );
        }
    }
}

//! The search as its users see it: exact mates, legal lines, limits, draws.

use std::sync::{Arc, Mutex};

use alea::core::moves_to_mate;
use alea::game::chess::{Chess, Setup};
use alea::game::{Game, Record};
use alea::search::{
    Bound, Control, Desk, Engine, Info, Limits, Report, ScoreText, Settings, Summary, Table,
};

type Action = <Chess as Game>::Action;

fn engine(settings: Settings) -> Engine<Chess> {
    let table = Arc::new(Table::new(settings.hash).unwrap());
    Engine::new("chess", Setup::default(), settings, table)
}

fn set(engine: &mut Engine<Chess>, fen: &str, actions: &[&str]) {
    engine.set_record(Record::parse(&Setup::default(), Some(fen), actions).unwrap());
}

fn think(engine: &mut Engine<Chess>, limits: &Limits) -> (Summary<Action>, Vec<Info>) {
    let infos = Mutex::new(Vec::new());
    let summary = engine.think(limits, &Control::new(false), &|report| {
        if let Report::Info(info) = report {
            infos.lock().unwrap().push(info);
        }
    });
    (summary, infos.into_inner().unwrap())
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// FEN and moves to mate.
const MATES: &[(&str, u32)] = &[
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 60", 1),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("8/8/8/8/8/3k4/7q/3K4 b - - 0 1", 1),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1", 3),
    ("2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1", 3),
];

#[test]
fn mates_are_found_and_proved() {
    for &(fen, moves) in MATES {
        let mut engine = engine(Settings::default());
        set(&mut engine, fen, &[]);
        let (summary, infos) =
            think(&mut engine, &Limits { mate: Some(moves), ..Limits::default() });
        assert_eq!(moves_to_mate(summary.score), Some(moves as i32), "{fen}");
        assert_eq!(infos.last().unwrap().score, ScoreText::Mate(moves as i32), "{fen}");
        // The line ends in the mate that it promises.
        assert_eq!(summary.line.len(), 2 * moves as usize - 1, "{fen}");
        let mut position = *engine.record().position();
        for action in summary.line {
            assert!(position.is_legal(action), "{fen}");
            position.play(action, &mut ());
        }
        assert!(position.in_check() && position.count_actions() == 0, "{fen}");
    }
}

#[test]
fn that_there_is_no_mate_so_short_is_proved_too() {
    for &(fen, moves) in MATES.iter().filter(|&&(_, moves)| moves > 1) {
        let mut engine = engine(Settings::default());
        set(&mut engine, fen, &[]);
        let limits = Limits { mate: Some(moves - 1), ..Limits::default() };
        let (summary, _) = think(&mut engine, &limits);
        let found = moves_to_mate(summary.score);
        assert!(found.is_none_or(|found| found >= moves as i32), "{fen}: {found:?}");
        assert!(summary.best.is_some());
    }
}

/// A few positions of every sort.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 w - - 0 14",
    "8/P3k3/8/8/8/1p6/1K6/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 96 80",
    "k7/8/8/8/8/8/8/K6Q b - - 0 1",
];

#[test]
fn every_line_is_legal_to_its_end_and_the_best_action_begins_it() {
    for threads in [1, 2] {
        for fen in POSITIONS {
            let mut engine = engine(Settings { threads, multi_pv: 3, ..Settings::default() });
            set(&mut engine, fen, &[]);
            let (summary, infos) = think(&mut engine, &depth(9));
            let start = *engine.record().position();
            for info in &infos {
                let mut position = start;
                for text in &info.pv {
                    let action = position.parse_action(&Setup::default(), text);
                    let action = action.unwrap_or_else(|| panic!("{fen}: {text} in {info}"));
                    position.play(action, &mut ());
                }
            }
            let last = infos.iter().rev().find(|info| info.multipv == 1).unwrap();
            let best = start.action_text(&Setup::default(), summary.best.unwrap());
            assert_eq!(last.pv.first(), Some(&best), "{fen}");
            assert_eq!(last.bound, Bound::Exact);
        }
    }
}

#[test]
fn lines_of_multipv_are_different_and_in_order() {
    let mut engine = engine(Settings { multi_pv: 5, ..Settings::default() });
    let (_, infos) = think(&mut engine, &depth(8));
    let last: Vec<_> = infos.iter().filter(|info| info.depth == 8).collect();
    assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let mut heads: Vec<_> = last.iter().map(|info| info.pv[0].clone()).collect();
    heads.sort();
    heads.dedup();
    assert_eq!(heads.len(), 5);
    let scores: Vec<_> = last
        .iter()
        .map(|info| match info.score {
            ScoreText::Cp(cp) => cp,
            ScoreText::Mate(_) => panic!("{info}"),
        })
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn a_search_can_be_repeated_exactly() {
    let mut nodes = Vec::new();
    for _ in 0..2 {
        let mut engine = engine(Settings::default());
        set(&mut engine, POSITIONS[1], &[]);
        nodes.push(think(&mut engine, &depth(10)).0.nodes);
        engine.new_game();
        nodes.push(think(&mut engine, &depth(10)).0.nodes);
    }
    assert!(nodes.iter().all(|&count| count == nodes[0]), "{nodes:?}");
}

#[test]
fn a_node_limit_is_exact_with_one_thread() {
    for nodes in [1000, 12_345, 50_000] {
        let mut engine = engine(Settings::default());
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(think(&mut engine, &limits).0.nodes, nodes);
    }
}

#[test]
fn only_the_actions_asked_for_are_searched() {
    let mut engine = engine(Settings { multi_pv: 4, ..Settings::default() });
    let limits = Limits { search_moves: vec!["a2a3".into(), "h2h4".into()], ..depth(6) };
    let (_, infos) = think(&mut engine, &limits);
    assert!(infos.iter().all(|info| info.pv[0] == "a2a3" || info.pv[0] == "h2h4"));
    assert_eq!(infos.iter().map(|info| info.multipv).max(), Some(2));
}

#[test]
fn what_repeats_a_third_time_is_a_draw() {
    let mut engine = engine(Settings::default());
    let fen = "7k/8/8/8/8/1q6/8/K5Q1 b - - 10 1";
    set(&mut engine, fen, &[]);
    let (summary, _) = think(&mut engine, &depth(8));
    assert!(summary.score >= 0, "Black can check for ever: {}", summary.score);

    // The side that is lost otherwise checks for ever.
    let fen = "6k1/5ppp/8/8/8/1r4q1/2Q5/K7 w - - 0 1";
    set(&mut engine, fen, &[]);
    let (summary, _) = think(&mut engine, &depth(10));
    let text = engine.record().position().action_text(&Setup::default(), summary.best.unwrap());
    assert!(text.starts_with("c2"), "{text}");
}

#[test]
fn the_clock_of_fifty_moves_runs_out_at_a_hundred() {
    let mut engine = engine(Settings::default());
    set(&mut engine, "7k/8/8/8/8/8/8/KQ6 w - - 99 100", &[]);
    let (summary, _) = think(&mut engine, &depth(8));
    assert_eq!(summary.score, 0);
    set(&mut engine, "7k/8/8/8/8/8/8/KQ6 w - - 0 100", &[]);
    assert!(think(&mut engine, &depth(8)).0.score > 500);
}

#[test]
fn a_drawn_position_still_gets_an_answer() {
    let mut engine = engine(Settings::default());
    set(&mut engine, "8/8/8/4k3/8/8/8/4KN2 w - - 0 1", &[]);
    assert!(think(&mut engine, &depth(5)).0.best.is_some());
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];
    set(&mut engine, POSITIONS[0], &shuffle);
    assert!(think(&mut engine, &depth(5)).0.best.is_some());
}

#[test]
fn what_is_played_is_what_was_said_last_wherever_the_search_is_broken_off() {
    for nodes in (300..12_000).step_by(177) {
        let mut engine = engine(Settings::default());
        set(&mut engine, POSITIONS[(nodes % 5) as usize], &[]);
        let (summary, infos) =
            think(&mut engine, &Limits { nodes: Some(nodes), ..Limits::default() });
        let position = *engine.record().position();
        let best = position.action_text(&Setup::default(), summary.best.unwrap());
        assert_eq!(infos.last().unwrap().pv.first(), Some(&best), "{nodes}");
    }
}

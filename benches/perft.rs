//! Bulk-counted perft on one thread: alea beside cozy-chess and shakmaty, in one run, and alea alone
//! in games that they do not know.
//!
//! Throughput is in leaf actions a second, so the ratio of two rows is the speed ratio.

use std::hint::black_box;
use std::time::Duration;

use alea::game::{Game, blender, chess, ladders, mutation, perft, quantum};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

const POSITIONS: [(&str, &str, u32, u64); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "middlegame",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
];

/// The count as cozy-chess's own perft example makes it: the last ply is the sizes of move sets.
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for action in moves {
            let mut child = board.clone();
            child.play_unchecked(action);
            nodes += cozy(&child, depth - 1);
        }
        false
    });
    nodes
}

fn bench(criterion: &mut Criterion) {
    for (name, fen, depth, nodes) in POSITIONS {
        let mut group = criterion.benchmark_group(format!("perft {name} {depth}"));
        group
            .throughput(Throughput::Elements(nodes))
            .sampling_mode(SamplingMode::Flat)
            .sample_size(10)
            .measurement_time(Duration::from_secs(5));

        let alea = chess::Chess::from_fen(&chess::Setup::default(), fen).unwrap();
        assert_eq!(perft::perft(&alea, depth), nodes);
        group.bench_function("alea", |b| b.iter(|| perft::perft(black_box(&alea), depth)));

        let board: cozy_chess::Board = fen.parse().unwrap();
        assert_eq!(cozy(&board, depth), nodes);
        group.bench_function("cozy-chess", |b| b.iter(|| cozy(black_box(&board), depth)));

        let position: shakmaty::Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        assert_eq!(shakmaty::perft(&position, depth), nodes);
        group.bench_function("shakmaty", |b| {
            b.iter(|| shakmaty::perft(black_box(&position), depth));
        });
        group.finish();
    }
}

/// A game that no peer knows.
fn alone<G: Game>(criterion: &mut Criterion, name: &str, position: &G, depth: u32, nodes: u64) {
    let mut group = criterion.benchmark_group(format!("perft {name} {depth}"));
    group
        .throughput(Throughput::Elements(nodes))
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    assert_eq!(perft::perft(position, depth), nodes);
    group.bench_function("alea", |b| b.iter(|| perft::perft(black_box(position), depth)));
    group.finish();
}

/// Board, tokens of quantum, depths of quantum and of chess.
const QUANTUM: [(&str, &str, &str, [u32; 2]); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", [4, 5]),
    (
        "with men away",
        "r2qk2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "tracks=-,Nd3:1,-,Bc5:2/Rd8:1,-,-,-",
        [3, 4],
    ),
];

/// Quantum Chess beside alea's own chess on the same board; throughput is in leaf actions.
fn bench_quantum(criterion: &mut Criterion) {
    for (name, board, tokens, [depth, depth_of_chess]) in QUANTUM {
        let mut group = criterion.benchmark_group(format!("perft quantum {name}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        let setup = quantum::Setup::default();
        let quantum = quantum::Quantum::from_fen(&setup, &format!("{board} {tokens}")).unwrap();
        group.throughput(Throughput::Elements(perft::perft(&quantum, depth)));
        group.bench_function("quantum", |b| b.iter(|| perft::perft(black_box(&quantum), depth)));
        let chess = chess::Chess::from_fen(&chess::Setup::default(), board).unwrap();
        group.throughput(Throughput::Elements(perft::perft(&chess, depth_of_chess)));
        group.bench_function("chess", |b| {
            b.iter(|| perft::perft(black_box(&chess), depth_of_chess));
        });
        group.finish();
    }
}

/// A game that no peer knows, from its start position.
fn from_start<G: Game>(
    criterion: &mut Criterion,
    name: &str,
    setup: &G::Setup,
    depth: u32,
    nodes: u64,
) {
    alone(criterion, name, &G::start(setup), depth, nodes);
}

fn bench_others(criterion: &mut Criterion) {
    let setup = mutation::Setup::default();
    from_start::<mutation::Mutation>(criterion, "mutation", &setup, 5, 8_519_817);
    let setup = blender::Setup;
    from_start::<blender::Blender8>(criterion, "blender", &setup, 5, 7_778_522);
    from_start::<blender::Blender8Night>(criterion, "blender-nightrider", &setup, 5, 7_778_522);
    from_start::<blender::Blender100>(criterion, "blender100", &setup, 4, 1_070_092);
    from_start::<blender::Blender100Night>(
        criterion,
        "blender100-nightrider",
        &setup,
        4,
        1_070_092,
    );
    // After the placing; beside the start of chess in the same run, the ratio is what ladders cost.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 \
               ladders=e3f4,g3h4,e5f6,g5h6/a3b4,c3d4,a5b6,c5d6";
    let position = ladders::Ladders::from_fen(&ladders::Setup::default(), fen).unwrap();
    alone(criterion, "ladders", &position, 4, 527_105);
}

criterion_group!(benches, bench, bench_others, bench_quantum);
criterion_main!(benches);

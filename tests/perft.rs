//! Perft counts against plain data, and the data against shakmaty's own counting.
//!
//! A row of `tests/data/perft/*.tsv` is a name, a FEN, and the counts of perft 1, 2, 3, …; the names
//! of `blender.tsv` are those of games, and its counts are Fairy-Stockfish's
//! (`tests/clients/perft_pyffish.py`).

use std::path::Path;

use alea::core::Color;
use alea::game::chess::{Chess, Setup};
use alea::game::equalizer::{self, Equalizer, Mode};
use alea::game::quantum::{self, Quantum};
use alea::game::{AnySetup, Game, GameOptions, perft, with_game};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Position, PositionError};

/// Counts above this are left to the long test.
const NODE_CAP: u64 = 5_000_000;
/// Counts above this are not counted once more by shakmaty.
const PEER_CAP: u64 = 300_000;

struct Row {
    name: String,
    fen: String,
    counts: Vec<u64>,
}

fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let &[name, fen, counts] = &columns[..] else { panic!("{file}: {line:?}") };
            let counts = counts
                .split(' ')
                .map(|count| count.parse().unwrap_or_else(|_| panic!("{file}: {line:?}")))
                .collect();
            Row { name: name.to_owned(), fen: fen.to_owned(), counts }
        })
        .collect()
}

/// The peer's position; positions that no game can reach are positions all the same.
fn peer(fen: &str, mode: CastlingMode) -> shakmaty::Chess {
    fen.parse::<Fen>()
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .into_position::<shakmaty::Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn check(file: &str, least_rows: usize, setup: Setup) {
    let rows = rows(file);
    assert!(rows.len() >= least_rows, "{file} has {} rows", rows.len());
    let mode = if setup.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    rows.par_iter().for_each(|Row { name, fen, counts }| {
        let position =
            Chess::from_fen(&setup, fen).unwrap_or_else(|error| panic!("{name}: {error}"));
        let peer = peer(fen, mode);
        assert_eq!(position.count_actions(), peer.legal_moves().len() as u64, "{name}: {fen}");
        for (depth, &count) in (1..).zip(counts) {
            if count <= NODE_CAP {
                let found = perft::perft(&position, depth);
                assert_eq!(found, count, "{file}, {name}: perft {depth} of {fen}");
            }
            if count <= PEER_CAP {
                let found = shakmaty::perft(&peer, depth);
                assert_eq!(found, count, "shakmaty, {file}, {name}: perft {depth} of {fen}");
            }
        }
    });
}

#[test]
fn chess() {
    check("chess.tsv", 100, Setup::default());
}

/// Dice that are over, or never come, leave chess.
#[test]
fn dice_games_without_dice_are_chess() {
    const CAP: u64 = 20_000;
    rows("chess.tsv").par_iter().for_each(|Row { fen, counts, .. }| {
        let board = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        for (mode, tail) in [
            (Mode::TieBreak, "0 6"),
            (Mode::BackToBack, "0 4"),
            (Mode::Weaker, "0 1 period=4000000000"),
            (Mode::Winners, "0 1 period=4000000000"),
        ] {
            let setup = equalizer::Setup { mode, strong: Color::White, period: 0 };
            let fen = format!("{board} {tail}");
            let position = Equalizer::from_fen(&setup, &fen).unwrap();
            for (depth, &count) in (1..).zip(counts) {
                if count <= CAP {
                    assert_eq!(perft::perft(&position, depth), count, "{mode:?} {depth} {fen}");
                }
            }
        }
    });
}

/// A track that is taken all game long keeps everybody on the board; without gems nobody leaves before
/// the turn after a capture.
#[test]
fn quantum_without_departures_is_chess() {
    const CAP: u64 = 200_000;
    let setup = quantum::Setup::default();
    rows("chess.tsv").par_iter().for_each(|Row { fen, counts, .. }| {
        for (tokens, deepest) in
            [("board=255:0 tracks=Na1:255/Qh8:255", 9), ("gems=0,0", 2), ("rule=upto gems=0,0", 2)]
        {
            let fen = format!("{fen} {tokens}");
            let position = Quantum::from_fen(&setup, &fen).unwrap();
            for (depth, &count) in (1..=deepest).zip(counts) {
                if count <= CAP {
                    assert_eq!(perft::perft(&position, depth), count, "{depth} {fen}");
                }
            }
        }
    });
}

#[test]
fn chess960() {
    check("chess960.tsv", 110, Setup { chess960: true, ..Setup::default() });
}

/// The number of sequences of moves such as chess has.
fn plain_perft<G: Game>(position: &G, depth: u32) -> u64 {
    let plain = perft::branches(position)
        .into_iter()
        .filter(|&action| G::plain_move(action).is_some_and(|plain| plain.promoted().is_none()));
    if depth == 1 {
        return plain.count() as u64;
    }
    plain
        .map(|action| {
            let mut child = position.clone();
            child.play(action, &mut ());
            plain_perft(&child, depth - 1)
        })
        .sum()
}

/// Without merges, separations and promotions the games are chess with more men.
#[test]
fn plain_moves_of_blender() {
    let rows = rows("blender.tsv");
    assert!(rows.len() >= 80, "{} rows", rows.len());
    rows.par_iter().for_each(|Row { name, fen, counts }| {
        let any = AnySetup::named(name, &GameOptions::default()).unwrap();
        with_game!(any, G, setup => {
            let position = G::from_fen(&setup, fen).unwrap_or_else(|e| panic!("{name}: {e}"));
            for (depth, &count) in (1..).zip(counts) {
                let found = plain_perft(&position, depth);
                assert_eq!(found, count, "{name}: perft {depth} of {fen}");
            }
        });
    });
}

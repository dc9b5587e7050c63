//! `alea bench`: a fixed amount of search, whose node count is the checksum of its behaviour.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::game::{AnySetup, GameOptions, Record, with_game};
use crate::search::{Control, DeskError, Engine, Limits, Settings, Table};

use super::ToolError;

/// Search a fixed set of positions to fixed depths and count nodes and time.
///
/// The last line is `<nodes> nodes <nps> nps`. One thread; the node count is the same on every
/// machine, and changes only when the search, the evaluation or the rules do.
#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// Plies to add to every depth; it may be negative.
    #[arg(long, value_name = "PLIES", default_value_t = 0, allow_negative_numbers = true)]
    deeper: i32,
}

const HASH: usize = 16;

/// Variant, FEN, depth.
const POSITIONS: &[(&str, &str, i32)] = &[
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 14),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 12),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 16),
    ("chess", "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9", 13),
    ("chess", "r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 w - - 0 14", 13),
    ("chess", "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N1BN2/1P2QPPP/3R1RK1 b - - 2 14", 12),
    ("chess", "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 0 13", 12),
    ("chess", "3r1rk1/p4ppp/1p2p3/8/2P1n3/1P2PN2/P4PPP/2R2RK1 w - - 0 20", 14),
    ("chess", "6k1/5ppp/p7/1p2r3/8/P4P2/1P4PP/3R2K1 b - - 0 28", 16),
    ("chess", "8/5pk1/4p1p1/3pP2p/3P1P1P/2K3P1/8/8 w - - 0 40", 20),
    ("chess", "8/8/4k3/3n1p2/3B1P2/4K1P1/8/8 w - - 4 52", 16),
    ("chess", "r4rk1/pp1n1ppp/2pqp3/3b4/3P1P2/2PBPN2/PP1Q2PP/R4RK1 b - - 3 16", 12),
    ("chess", "4r1k1/1p3pp1/p1p4p/P1Pp4/1P1P2n1/4R1P1/5PKP/2B5 b - - 1 31", 14),
    ("chess", "r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP3PP1/RNBQR1K1 b kq - 1 10", 12),
    ("chess", "1k1r3r/ppp2p2/2n1b3/2q1P1pp/4N3/P1P2N2/1P1Q1PPP/R4RK1 w - - 0 19", 12),
    ("chess", "8/P3k3/8/8/8/1p6/1K6/8 w - - 0 1", 16),
    ("chroma", "obyrvybo/gggggggg/8/8/4G3/8/GGGG1GGG/OBYRVYBO b KQkq e3 0 1", 12),
    ("equalizer", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("equalizer", "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9 die=N", 6),
    ("equalizer", "8/5pk1/4p1p1/3pP2p/3P1P1P/2K3P1/8/8 w - - 0 40 die=P", 8),
    (
        "equalizer-tiebreak",
        "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3 die=*",
        5,
    ),
    ("equalizer-handicap", "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N1BN2/1P2QPPP/3R1RK1 b - - 2 14", 8),
    ("equalizer-weaker", "4k3/p1n2p2/8/1p1b4/4P3/2N5/P2P4/R3K3 w Q - 0 3 strong=b", 6),
    ("equalizer-winners", "2r2n1r/4kppp/p4n2/8/8/P2P3P/5KP1/RNN2B1R w - - 0 18", 4),
    (
        "equalizer-backtoback",
        "rnbqkbnr/ppp2ppp/8/3pp3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3 die=B next=w:-,b:N",
        11,
    ),
    (
        "equalizer-captureroll",
        "r1bqkbnr/ppppp2p/2n2p2/6P1/8/3P3P/PPP1P1P1/RNBQKBNR w KQkq - 0 5 next=w:?,b:-",
        6,
    ),
    (
        "equalizer-forecast",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 next=w:N,b:Q",
        7,
    ),
    (
        "equalizer-specific",
        "r1b2bnr/p1qppk1p/6p1/5p2/3K4/7P/PPP1PPP1/R1BQ1BNR b - - 0 9 next=w:P@e2,b:P@a7",
        7,
    ),
    ("equalizer-options", "r1bqkbnr/ppp1p1pp/8/3p1p2/5P1P/P1PP2P1/1P2B3/RNBQK1NR w KQk - 0 8", 8),
    ("bomber", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 9),
    (
        "bomber",
        "r4rk1/pp1n1ppp/2pqp3/3b4/3P1P2/2PBPN2/PP1Q2PP/R4RK1 b - - 3 16 deck=2,1,2,2,0,2,2,1,2",
        8,
    ),
    ("blender", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 13),
    ("blender", "r1b1k2r/pp3ppp/2n1pn2/2q5/2B5/2+A1P3/PP3PPP/R2QK2R b KQkq - 0 11 pool=-/B", 12),
    ("blender", "1r4k1/1P3ppp/8/2n5/3+c4/5N2/2R2PPP/6K1 w - - 0 30 pool=BB+Q/NQ", 13),
    (
        "blender-nightrider",
        "r2qk2r/ppp2ppp/3p4/2b1p3/2B1P3/2+H2+h2/PPPP1PPP/R1BQK2R w KQkq - 0 9",
        12,
    ),
    (
        "blender100",
        "rnbaqkcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBAQKCBNR w KQkq - 0 1",
        12,
    ),
    (
        "blender100-nightrider",
        "r3qk3r/pppp2pppp/3+a1b4/4pp4/3N6/4PP4/3B2+C3/10/PPPP2PPPP/R3QK3R w KQkq - 0 14 \
         pool=-/AC",
        12,
    ),
    ("mutation", "ppppkppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPKPPP w - - 0 1", 13),
    (
        "mutation",
        "p1p4p/ppp1k1p1/p2ppp1P/2p5/4PPp1/2P5/PP1PP1P1/P2PK2P w - - 0 1 \
         board=rybkkbyr/wwwwwwww/yybrrbyy/byykkyyb/byykkyyb/yybrrbyy/wwwwwwww/rybkkbyr",
        12,
    ),
    ("mutation", "7k/p3p3/1p6/8/3P4/6P1/P7/2K5 w - - 0 1", 17),
    ("quantum", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 9),
    (
        "quantum",
        "rn1qkbn1/1bppppp1/8/7p/p7/5N2/PPPPP2P/1NBQK2R b Kq - 1 5 gems=0,1 \
         tracks=Ra1:1,-,Pg2:1,Pf2:2/-,-,-,Rh8:3",
        8,
    ),
    (
        "quantum",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 rule=upto",
        7,
    ),
    ("quantum", "8/2p3k1/3p4/1P5r/1R3p2/8/4P1P1/4K3 w - - 0 1 tracks=-,-,Bc1:1,-/-,Nf6:2,-,-", 10),
    (
        "ladders",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 place=2,2 \
         ladders=a1b2,e3f4/c3d4,d6e7 blocks=a1,c3,e3,d6",
        7,
    ),
    (
        "ladders",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 \
         ladders=e3f4,g3h4,e5f6,g5h6/a3b4,c3d4,a5b6,c5d6",
        11,
    ),
    (
        "ladders",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 \
         ladders=c1d2,f4g5,c5d6,g1h2/b6c7,e7f8,a3b4,g3h4",
        10,
    ),
    ("ladders", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ladders=e3f4,c5d6/d4e5,f2g3", 14),
];

/// Runs the bench.
///
/// # Errors
/// No memory; nobody reads.
pub fn run(wanted: &Bench, output: &mut impl Write) -> Result<(), ToolError> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for &(variant, fen, depth) in POSITIONS {
        let depth = (depth + wanted.deeper).max(1).unsigned_abs();
        let (searched, took) = one(variant, fen, depth)?;
        writeln!(output, "{variant} depth {depth} nodes {searched} {fen}")?;
        nodes += searched;
        time += took;
    }
    let nps = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    writeln!(output, "{nodes} nodes {nps} nps")?;
    Ok(())
}

fn one(variant: &str, fen: &str, depth: u32) -> Result<(u64, Duration), ToolError> {
    let setup: AnySetup = super::game(variant, &GameOptions::default())?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let table = Arc::new(Table::new(HASH).ok_or(DeskError::NoTable(HASH))?);
    let variant = setup.variant();
    with_game!(setup, G, setup => {
        let record = Record::parse::<&str>(&setup, Some(fen), &[])?;
        let mut engine = Engine::<G>::new(variant, setup, Settings::default(), table);
        engine.set_record(record);
        let start = Instant::now();
        let summary = engine.think(&limits, &Control::new(false), &|_| {});
        Ok((summary.nodes, start.elapsed()))
    })
}

//! `alea bench`: a fixed amount of search, whose node count is the checksum of its behaviour.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::game::{AnySetup, GameOptions, Record, with_game};
use crate::search::{Control, DeskError, Engine, Limits, Settings, Table};

use super::ToolError;

/// Search a fixed set of positions to fixed depths and count nodes and time
///
/// The last line is `<nodes> nodes <nps> nps`. One thread; the node count is the same on every
/// machine, and changes only when the search, the evaluation or the rules do.
#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// Plies to add to every depth
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
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

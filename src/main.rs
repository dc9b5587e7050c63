//! The command line of alea.

use std::io;
use std::process::ExitCode;

use alea::search::open_desk;
use alea::tools::{ToolError, analyse, bench, openings, perft, pgn, play_match, tune};
use alea::uci;
use clap::{Parser, Subcommand};

/// A search engine for chess variants, and for chess.
///
/// Without a command it speaks UCI over standard input and output, as GUIs want; protocol.md has
/// the commands beyond UCI.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI over standard input and output; the same as no command.
    Uci,
    Analyse(analyse::Analyse),
    Perft(perft::Perft),
    Pgn(pgn::Pgn),
    Bench(bench::Bench),
    Openings(openings::Openings),
    Tune(tune::Tune),
    Match(Box<play_match::Match>),
    MatchMerge(play_match::Merge),
}

fn main() -> ExitCode {
    let mut output = io::stdout();
    let result = match Arguments::parse().command.unwrap_or(Command::Uci) {
        Command::Uci => match uci::run(open_desk) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => return fail(&error),
        },
        Command::Analyse(wanted) => analyse::run(&wanted, open_desk, &mut output),
        Command::Perft(wanted) => perft::run(&wanted, &mut output),
        Command::Pgn(wanted) => pgn::run(&wanted, &mut output),
        Command::Bench(wanted) => bench::run(&wanted, &mut output),
        Command::Openings(wanted) => openings::run(&wanted, &mut output),
        Command::Tune(wanted) => tune::run(&wanted),
        Command::Match(wanted) => return end(play_match::run(&wanted, &mut output)),
        Command::MatchMerge(wanted) => return end(play_match::merge(&wanted, &mut output)),
    };
    end(result.map(|()| ExitCode::SUCCESS))
}

fn end(result: Result<ExitCode, ToolError>) -> ExitCode {
    match result {
        Ok(code) => code,
        // Whoever closed the pipe has read enough.
        Err(ToolError::Output(_)) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("alea: {error}");
    ExitCode::FAILURE
}

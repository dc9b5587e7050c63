//! The command line of alea.

use std::io::{self, Write};
use std::process::ExitCode;

use alea::search::open_desk;
use alea::tools::{ToolError, analyse, bench, openings, perft, pgn, play_match, train, tune};
use alea::uci;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;

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
    Train(train::Train),
    Match(Box<play_match::Match>),
    MatchMerge(play_match::Merge),
    /// Print a script that lets a shell complete alea's command lines.
    ///
    /// For bash: alea completions bash > ~/.local/share/bash-completion/completions/alea
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page of alea or of one of its commands, for man.
    ///
    /// To read it at once: alea man | man -l -
    Man {
        /// The command; none for the page of alea itself.
        command: Option<String>,
    },
}

fn main() -> ExitCode {
    let mut output = io::stdout();
    let result = match arguments().command.unwrap_or(Command::Uci) {
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
        Command::Train(wanted) => train::run(&wanted),
        Command::Match(wanted) => return end(play_match::run(&wanted, &mut output)),
        Command::MatchMerge(wanted) => return end(play_match::merge(&wanted, &mut output)),
        Command::Completions { shell } => completions(shell, &mut output),
        Command::Man { command } => manual(command.as_deref(), &mut output),
    };
    end(result.map(|()| ExitCode::SUCCESS))
}

/// What the command line says.
fn arguments() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|mut error| {
        if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
            && let Some(hint) = quotes_hint(word)
        {
            let hint = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
            error.insert(ContextKind::Suggested, hint);
        }
        error.exit()
    })
}

/// What may be wrong where a word is not what is wanted in its place.
fn quotes_hint(stray: &str) -> Option<String> {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    unquoted(&words, stray)
        .map(|option| format!("put all the words of {option} together in quotes"))
}

/// The option for whose value a word is likely to be meant: the one before it that takes several words,
/// of which another has been taken.
fn unquoted<'a>(words: &'a [String], stray: &str) -> Option<&'a str> {
    let place = words.iter().rposition(|word| word == stray)?;
    let option = words.get(..place)?.iter().rposition(|word| word.starts_with("--"))?;
    let word = words.get(option)?;
    let (name, value) = match word.split_once('=') {
        Some((name, _)) => (name, option),
        None => (word.as_str(), option + 1),
    };
    (["--moves", "--fen"].contains(&name) && place > value).then_some(name)
}

fn completions(shell: Shell, output: &mut impl Write) -> Result<(), ToolError> {
    // The generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "alea", &mut script);
    Ok(output.write_all(&script)?)
}

fn manual(name: Option<&str>, output: &mut impl Write) -> Result<(), ToolError> {
    let mut alea = Arguments::command();
    // This gives the pages of commands their names, as alea-perft.
    alea.build();
    let page = match name {
        None => alea,
        Some(name) => match alea.find_subcommand(name) {
            Some(page) => page.clone(),
            None => {
                let text = format!("there is no command {name:?}; alea --help lists them");
                alea.error(ErrorKind::InvalidValue, text).exit()
            }
        },
    };
    Ok(Man::new(page).render(output)?)
}

fn end(result: Result<ExitCode, ToolError>) -> ExitCode {
    match result {
        Ok(code) => code,
        // Whoever closed the pipe has read enough.
        Err(ToolError::Output(_)) => ExitCode::SUCCESS,
        Err(error) => {
            let code = fail(&error);
            if let ToolError::NoGame(word) = &error
                && let Some(hint) = quotes_hint(word)
            {
                eprintln!("alea: {hint}");
            }
            code
        }
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("alea: {error}");
    ExitCode::FAILURE
}

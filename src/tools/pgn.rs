//! `alea pgn`: checks the games of PGN files against the rules.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::arena::pgn::{self, Replay};

use super::ToolError;

/// Check the games of PGN files against the rules, and list them.
///
/// Moves must be written as in a position command (e2e4); tags say which game is played, with which
/// options, and from where.
#[derive(Args, Clone, Debug)]
pub struct Pgn {
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the position command of each game, too.
    #[arg(long)]
    pub positions: bool,
}

/// Checks and prints.
///
/// # Errors
/// A file that cannot be read or is no PGN; a game that breaks the rules, once all files have been
/// read; nobody reads what is printed.
pub fn run(wanted: &Pgn, output: &mut impl Write) -> Result<(), ToolError> {
    let mut count = 0;
    let mut wrong = Vec::new();
    for path in &wanted.files {
        if wanted.files.len() > 1 {
            writeln!(output, "file {}", path.display())?;
        }
        let bytes =
            fs::read(path).map_err(|error| ToolError::Unreadable { path: path.clone(), error })?;
        let failed = |error| ToolError::Pgn { path: path.clone(), error: Box::new(error) };
        // PGN of old is Latin-1, of which names suffer here, but no moves.
        for game in pgn::read(&String::from_utf8_lossy(&bytes)).map_err(failed)? {
            count += 1;
            match pgn::replay(&game) {
                Ok(replay) => {
                    writeln!(
                        output,
                        "game {} variant {} result {} actions {}",
                        game.number,
                        replay.setup.variant(),
                        game.result,
                        replay.actions.len(),
                    )?;
                    if wanted.positions {
                        writeln!(output, "{}", position(&replay))?;
                    }
                }
                Err(error) => {
                    writeln!(output, "{error}")?;
                    wrong.push(format!("{} game {}", path.display(), game.number));
                }
            }
        }
    }
    writeln!(output, "{count} games, {} wrong", wrong.len())?;
    if wrong.is_empty() { Ok(()) } else { Err(ToolError::WrongGames(wrong)) }
}

/// The command that sets up the end of a game.
fn position(replay: &Replay<'_>) -> String {
    let start = replay.fen.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
    let moves = if replay.actions.is_empty() { "" } else { " moves " };
    format!("position {start}{moves}{}", replay.actions.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str, positions: bool) -> (String, Result<(), String>) {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("alea-pgn-{}-{number}.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        let mut output = Vec::new();
        let wanted = Pgn { files: vec![path.clone()], positions };
        let result = run(&wanted, &mut output);
        fs::remove_file(&path).unwrap();
        let path = path.display().to_string();
        let result = result.map_err(|error| error.to_string().replace(&path, "FILE"));
        (String::from_utf8(output).unwrap(), result)
    }

    #[test]
    fn games_are_listed() {
        let text =
            "1. e2e4 e7e5 1-0\n[Variant \"bomber\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n*";
        let (output, result) = listed(text, true);
        assert_eq!(
            output,
            "game 1 variant chess result 1-0 actions 2\n\
             position startpos moves e2e4 e7e5\n\
             game 2 variant bomber result * actions 0\n\
             position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\
             2 games, 0 wrong\n"
        );
        assert_eq!(result, Ok(()));
    }

    #[test]
    fn wrong_games_are_named() {
        let (output, result) = listed("1. e2e5 * 1. e2e4 * 1. e4 *", false);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let reason = |such: &str| format!("is no legal action, such as {such}, after {start}");
        assert_eq!(
            output,
            format!(
                "game 1, which begins on line 1: action 1 (\"e2e5\") {}\n\
                 game 2 variant chess result * actions 1\n\
                 game 3, which begins on line 1: action 1 (\"e4\") {}\n\
                 3 games, 2 wrong\n",
                reason("e2e3, e2e4"),
                reason("e2e4")
            )
        );
        assert_eq!(result, Err("games that break the rules: FILE game 1; FILE game 3".to_owned()));
        let (_, result) = listed("{", false);
        let error = "\"FILE\", line 1: the comment that begins here has no end; wanted '}'";
        assert_eq!(result, Err(error.to_owned()));
    }
}

//! Openings from a file: FENs with tokens, EPD, lists of actions, or PGN.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::{AnySetup, Node, PositionError};

use super::pgn::{self, PgnError};
use super::referee::{Referee, referee};

/// Why a file of openings does not serve.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error("{file:?} cannot be read: {error}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is no PGN.
    #[error("{file:?}: {error}")]
    Pgn {
        /// The file.
        file: String,
        /// What is wrong.
        error: Box<PgnError>,
    },
    /// A game of another kind.
    #[error("{file:?}, game {number}: it is a game of {found:?}; wanted {wanted}")]
    Variant {
        /// The file.
        file: String,
        /// Which game, from 1.
        number: usize,
        /// The kind.
        found: String,
        /// The match's kind.
        wanted: &'static str,
    },
    /// There is nothing in it.
    #[error("{0:?} has no opening; wanted one a line: a FEN, or actions")]
    Empty(String),
    /// A wrong position or action.
    #[error("{file:?}, {unit} {number}: {error}")]
    Position {
        /// The file.
        file: String,
        /// What is counted: lines, or games.
        unit: &'static str,
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        error: Box<PositionError>,
    },
    /// A game cannot begin there.
    #[error("{file:?}, {unit} {number}: the game is over there already; wanted one to play on")]
    Over {
        /// The file.
        file: String,
        /// What is counted: lines, or games.
        unit: &'static str,
        /// Which one, from 1.
        number: usize,
    },
}

/// Where a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// A position, if not the game's start.
    pub fen: Option<String>,
    /// Actions and events played from it.
    pub actions: Vec<String>,
}

/// In what order openings come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the file, over and over.
    #[default]
    Sequential,
    /// Shuffled by the match's seed, over and over.
    Random,
}

/// Reads a file; `plies` bounds how many actions of players are taken from a list.
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn read(
    file: &str,
    setup: &AnySetup,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let bytes =
        std::fs::read(file).map_err(|error| OpeningError::File { file: file.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    let is_pgn = Path::new(file).extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let (unit, found) = if is_pgn {
        let games = pgn::read(&text)
            .map_err(|error| OpeningError::Pgn { file: file.to_owned(), error: Box::new(error) })?;
        for (index, game) in games.iter().enumerate() {
            if let Some(found) = game.tag("Variant").filter(|&found| found != setup.variant()) {
                let (file, found) = (file.to_owned(), found.to_owned());
                let (number, wanted) = (index + 1, setup.variant());
                return Err(OpeningError::Variant { file, number, found, wanted });
            }
        }
        let opening = |game: pgn::PgnGame| Opening {
            fen: game.tag("FEN").map(str::to_owned),
            actions: game.actions,
        };
        ("game", games.into_iter().map(opening).enumerate().collect::<Vec<_>>())
    } else {
        let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
        let lines =
            lines.enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        ("line", lines.map(|(index, line)| (index, line_opening(line))).collect())
    };
    let mut table = referee(setup);
    let mut openings = Vec::new();
    for (index, mut opening) in found {
        let (file, number) = (file.to_owned(), index + 1);
        if let Err(error) = shorten(&mut *table, &mut opening, plies) {
            let error = Box::new(error);
            return Err(OpeningError::Position { file, unit, number, error });
        }
        if matches!(table.node(), Node::Over(_)) {
            return Err(OpeningError::Over { file, unit, number });
        }
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(OpeningError::Empty(file.to_owned()));
    }
    Ok(openings)
}

/// A line: `[fen] FEN [moves …]`, EPD with its operations, `startpos moves …`, or actions only.
fn line_opening(line: &str) -> Opening {
    // Operations of EPD end in semicolons; of those the clocks matter.
    let (line, operations) = match line.split_once(';') {
        Some((first, rest)) => {
            // The first operation stands before its semicolon: after the fields and tokens.
            let words: Vec<&str> = first.split_ascii_whitespace().collect();
            let numbers = words.iter().skip(EPD_FIELDS).take(2);
            let clocks = numbers.take_while(|word| word.parse::<u32>().is_ok()).count();
            let fields = words.len().min(EPD_FIELDS) + clocks;
            let tokens = words.iter().skip(fields).take_while(|word| word.contains('=')).count();
            let (fields, operation) = words.split_at(fields + tokens);
            (fields.join(" "), format!("{};{rest}", operation.join(" ")))
        }
        None => (line.to_owned(), String::new()),
    };
    // Numbers of moves are for the eye.
    let numbered = |word: &str| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < word.len() && !rest.is_empty() && rest.bytes().all(|byte| byte == b'.')
    };
    let words: Vec<&str> = line.split_ascii_whitespace().filter(|word| !numbered(word)).collect();
    let (start, actions) = match words.iter().position(|&word| word == "moves") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None if words.first().is_some_and(|word| word.contains('/') || *word == "fen") => {
            (&words[..], &[][..])
        }
        None if words.first() == Some(&"startpos") => (&words[..1], &words[1..]),
        None => (&[][..], &words[..]),
    };
    let start: Vec<&str> =
        start.iter().copied().filter(|&word| word != "fen" && word != "startpos").collect();
    let clock = |name: &str| {
        operations.split(';').find_map(|operation| {
            let mut words = operation.split_ascii_whitespace();
            words.next().filter(|&word| word == name)?;
            words.next().map(str::to_owned)
        })
    };
    let mut fen = start.join(" ");
    let (half, full) = (clock("hmvc"), clock("fmvn"));
    if start.len() == EPD_FIELDS && (half.is_some() || full.is_some()) {
        let or = |clock: Option<String>, default: &str| clock.unwrap_or_else(|| default.to_owned());
        fen = format!("{fen} {} {}", or(half, "0"), or(full, "1"));
    }
    Opening {
        fen: (!start.is_empty()).then_some(fen),
        actions: actions.iter().map(|&action| action.to_owned()).collect(),
    }
}

/// Board, side, castling and en passant.
const EPD_FIELDS: usize = 4;

/// Plays an opening on the table, and leaves out what comes after so many actions of players.
fn shorten(
    table: &mut dyn Referee,
    opening: &mut Opening,
    plies: Option<usize>,
) -> Result<(), PositionError> {
    let Some(plies) = plies else {
        return table.set_up(opening.fen.as_deref(), &opening.actions);
    };
    table.set_up(opening.fen.as_deref(), &[])?;
    let mut played = 0;
    for (index, action) in opening.actions.iter().enumerate() {
        let decides = !matches!(table.node(), Node::Chance(_));
        if decides && played == plies {
            opening.actions.truncate(index);
            break;
        }
        played += usize::from(decides);
        if !table.play(action) {
            // It says what is wrong in full.
            break;
        }
    }
    table.set_up(opening.fen.as_deref(), &opening.actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_form() {
        let opening = |fen: Option<&str>, actions: &[&str]| Opening {
            fen: fen.map(str::to_owned),
            actions: actions.iter().map(|&action| action.to_owned()).collect(),
        };
        for (line, wanted) in [
            ("e2e4 e7e5", opening(None, &["e2e4", "e7e5"])),
            ("startpos moves e2e4", opening(None, &["e2e4"])),
            ("startpos", opening(None, &[])),
            (
                "8/8/8/8/8/8/8/8 w - - 3 9 die=P",
                opening(Some("8/8/8/8/8/8/8/8 w - - 3 9 die=P"), &[]),
            ),
            (
                "fen 8/8 w - - 0 1 moves roll:P e2e4",
                opening(Some("8/8 w - - 0 1"), &["roll:P", "e2e4"]),
            ),
            ("8/8 w - - bm Nf3; hmvc 4; fmvn 7; id \"x\";", opening(Some("8/8 w - - 4 7"), &[])),
            ("8/8 w - - hmvc 4; fmvn 7;", opening(Some("8/8 w - - 4 7"), &[])),
            ("8/8 w - - id \"a/b c\";", opening(Some("8/8 w - -"), &[])),
            ("8/8 w - - hmvc 4;", opening(Some("8/8 w - - 4 1"), &[])),
            ("8/8 w - - id 4; fmvn 9;", opening(Some("8/8 w - - 0 9"), &[])),
            ("8/8 w - - 17 60; id x;", opening(Some("8/8 w - - 17 60"), &[])),
            ("8/8 w - - 0 1 die=Q; id z", opening(Some("8/8 w - - 0 1 die=Q"), &[])),
            ("8/8 w - - 0 1 die=Q id z;", opening(Some("8/8 w - - 0 1 die=Q"), &[])),
            ("1. e2e4 e7e5 2. g1f3 2... b8c6", opening(None, &["e2e4", "e7e5", "g1f3", "b8c6"])),
        ] {
            assert_eq!(line_opening(line), wanted, "{line}");
        }
    }
}

//! Lines as commands.

use thiserror::Error;

use crate::search::Limits;

use super::go::{self, Go};
use super::output::clip;

/// The longest quotation in an error message, in characters.
const LONGEST_QUOTE: usize = 40;

/// The commands, for a person.
pub(super) const HELP: &str = "\
uci                                   name, options, uciok
isready                               readyok, at once
ucinewgame                            forget what earlier searches learnt
setoption name <name> [value <value>] set an option; uci lists them
position startpos [moves <actions>]   set the position
position fen <FEN> [moves <actions>]  set the position
go [depth|nodes|mate|movetime N] [infinite] [ponder] [searchmoves <actions>]
   [wtime|btime|winc|binc ms] [movestogo N]
                                      search; bestmove ends it
go perft N                            count, branch by branch
stop                                  end the search, or the counting
ponderhit                             the expected move was played
fen                                   the position as FEN
node                                  whose decision it is, or chance, or how the game ended
legal                                 the legal actions, or events with their probabilities
perft N                               count sequences of N player actions
solve N                               the exact value, N player actions deep
d                                     the board
eval                                  what the evaluation says
quit                                  end";

/// A line's meaning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// An empty line, or a command that alea has no use for.
    Nothing,
    Uci,
    IsReady,
    Help,
    Stop,
    PonderHit,
    Quit,
    /// It needs the desk, and so is not obeyed while something runs.
    AtDesk(DeskCommand<'a>),
}

/// What is done at the desk.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DeskCommand<'a> {
    NewGame,
    SetOption { name: String, value: Option<String> },
    Position { fen: Option<String>, actions: Vec<&'a str> },
    Go(Limits),
    Divide(u32),
    Fen,
    Node,
    Legal,
    Perft(u32),
    Solve(u32),
    Draw,
    Eval,
}

/// Why a line has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    #[error("unknown command {0:?}; try help")]
    Unknown(String),
    #[error("{place}: wanted {wanted}, but the line ends")]
    Missing { place: &'static str, wanted: &'static str },
    #[error("{place}: wanted {wanted}, not {found:?}")]
    Unexpected { place: &'static str, wanted: &'static str, found: String },
}

impl CommandError {
    /// What is wrong with a word, or with there being none.
    pub(super) fn wanted(place: &'static str, wanted: &'static str, found: Option<&str>) -> Self {
        match found {
            None => Self::Missing { place, wanted },
            Some(found) => Self::Unexpected { place, wanted, found: clip(found, LONGEST_QUOTE) },
        }
    }
}

impl<'a> Command<'a> {
    /// Reads a line, whatever blanks and line end it has.
    pub(super) fn parse(line: &'a str) -> Result<Self, CommandError> {
        // Some shells begin what they pipe with a byte order mark.
        let line = line.trim_start_matches('\u{feff}');
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        Ok(match first {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "debug" | "register" => Self::Nothing,
            "help" => Self::Help,
            _ => Self::AtDesk(DeskCommand::parse(first, words, line)?),
        })
    }
}

impl<'a> DeskCommand<'a> {
    /// Reads a line that begins with that word, which those words follow.
    fn parse(first: &str, words: Words<'a>, line: &'a str) -> Result<Self, CommandError> {
        Ok(match first {
            "ucinewgame" => Self::NewGame,
            "setoption" => set_option(line)?,
            "position" => position(words)?,
            "go" => match go::parse(words)? {
                Go::Search(limits) => Self::Go(limits),
                Go::Divide(depth) => Self::Divide(depth),
            },
            "perft" => Self::Perft(depth("perft", words)?),
            "solve" => Self::Solve(depth("solve", words)?),
            "fen" => alone("fen", words, Self::Fen)?,
            "node" => alone("node", words, Self::Node)?,
            "legal" => alone("legal", words, Self::Legal)?,
            "d" => alone("d", words, Self::Draw)?,
            "eval" => alone("eval", words, Self::Eval)?,
            _ => return Err(CommandError::Unknown(clip(first, LONGEST_QUOTE))),
        })
    }

    /// The word that it begins with.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::NewGame => "ucinewgame",
            Self::SetOption { .. } => "setoption",
            Self::Position { .. } => "position",
            Self::Go(_) | Self::Divide(_) => "go",
            Self::Fen => "fen",
            Self::Node => "node",
            Self::Legal => "legal",
            Self::Perft(_) => "perft",
            Self::Solve(_) => "solve",
            Self::Draw => "d",
            Self::Eval => "eval",
        }
    }
}

type Words<'a> = std::str::SplitAsciiWhitespace<'a>;

/// A command that takes no words: a person who writes `fen <FEN>` wants something else.
fn alone<'a>(
    place: &'static str,
    words: Words<'a>,
    command: DeskCommand<'a>,
) -> Result<DeskCommand<'a>, CommandError> {
    end(place, words).map(|()| command)
}

fn end(place: &'static str, mut words: Words<'_>) -> Result<(), CommandError> {
    match words.next() {
        None => Ok(()),
        found => Err(CommandError::wanted(place, "the end of the line", found)),
    }
}

/// The one number of `perft` and `solve`.
fn depth(place: &'static str, mut words: Words<'_>) -> Result<u32, CommandError> {
    let word = words.next();
    let depth = go::depth(place, word)?;
    end(place, words).map(|()| depth)
}

/// The first word of a text and what follows it.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// `setoption name <words> [value <text>]`. The text is kept as it is, for names of files may have
/// several blanks in a row.
fn set_option(line: &str) -> Result<DeskCommand<'_>, CommandError> {
    const PLACE: &str = "setoption";
    let mut rest = line;
    let mut words = std::iter::from_fn(|| {
        let (word, after) = split_word(rest)?;
        rest = after;
        Some(word)
    })
    .skip(1);
    match words.next() {
        Some("name") => {}
        found => return Err(CommandError::wanted(PLACE, "name", found)),
    }
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    if name.is_empty() {
        return Err(CommandError::wanted(PLACE, "an option's name after name", None));
    }
    // Nothing is left if `value` did not come, or if nothing came after it: the same to us.
    let value = rest.trim_ascii();
    let value = (!value.is_empty()).then(|| value.to_owned());
    Ok(DeskCommand::SetOption { name: name.join(" "), value })
}

/// `position startpos|fen <words> [moves <actions>]`.
fn position(mut words: Words<'_>) -> Result<DeskCommand<'_>, CommandError> {
    const PLACE: &str = "position";
    let fen = match words.next() {
        Some("startpos") => {
            match words.next() {
                None | Some("moves") => {}
                found => return Err(CommandError::wanted(PLACE, "moves after startpos", found)),
            }
            None
        }
        Some("fen") => {
            let fields: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fields.is_empty() {
                return Err(CommandError::wanted(PLACE, "a FEN after fen", None));
            }
            Some(fields.join(" "))
        }
        found => return Err(CommandError::wanted(PLACE, "startpos or fen", found)),
    };
    Ok(DeskCommand::Position { fen, actions: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn blanks_and_line_ends_do_not_matter() {
        assert_eq!(Command::parse(" \t uci \r"), Ok(Command::Uci));
        assert_eq!(Command::parse("\u{feff}uci"), Ok(Command::Uci));
        assert_eq!(Command::parse("\t\r"), Ok(Command::Nothing));
        assert_eq!(
            Command::parse("setoption  name\tClear   Hash"),
            Ok(Command::AtDesk(DeskCommand::SetOption { name: "Clear Hash".into(), value: None }))
        );
    }

    #[test]
    fn positions_are_fen_words_up_to_moves() {
        assert_eq!(
            Command::parse("position fen 8/8 w  - moves e2e4 roll:N"),
            Ok(Command::AtDesk(DeskCommand::Position {
                fen: Some("8/8 w -".into()),
                actions: vec!["e2e4", "roll:N"]
            }))
        );
        assert_eq!(
            Command::parse("position startpos moves"),
            Ok(Command::AtDesk(DeskCommand::Position { fen: None, actions: vec![] }))
        );
        assert_eq!(error("position"), "position: wanted startpos or fen, but the line ends");
        assert_eq!(error("position fen"), "position: wanted a FEN after fen, but the line ends");
        assert_eq!(
            error("position fen moves e2e4"),
            "position: wanted a FEN after fen, but the line ends"
        );
        assert_eq!(
            error("position startpos e2e4"),
            "position: wanted moves after startpos, not \"e2e4\""
        );
        assert_eq!(error("position 8/8 w"), "position: wanted startpos or fen, not \"8/8\"");
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        assert_eq!(
            Command::parse("setoption name Move Overhead value 3 0"),
            Ok(Command::AtDesk(DeskCommand::SetOption {
                name: "Move Overhead".into(),
                value: Some("3 0".into())
            }))
        );
        assert_eq!(
            Command::parse(" setoption  name  BomberDeck  value  my  decks/a b.txt \r"),
            Ok(Command::AtDesk(DeskCommand::SetOption {
                name: "BomberDeck".into(),
                value: Some("my  decks/a b.txt".into())
            }))
        );
        assert_eq!(error("setoption"), "setoption: wanted name, but the line ends");
        assert_eq!(error("setoption Hash"), "setoption: wanted name, not \"Hash\"");
        assert_eq!(
            error("setoption name value 3"),
            "setoption: wanted an option's name after name, but the line ends"
        );
    }

    #[test]
    fn what_is_wrong_is_quoted_but_not_at_length() {
        assert_eq!(error("joho"), "unknown command \"joho\"; try help");
        let long = error(&"x".repeat(1000));
        assert_eq!(long, format!("unknown command \"{}…\"; try help", "x".repeat(40)));
        assert_eq!(error("\0"), "unknown command \"\\0\"; try help");
        assert_eq!(error("fen 8/8"), "fen: wanted the end of the line, not \"8/8\"");
        assert_eq!(error("perft"), "perft: wanted a depth from 0, but the line ends");
        assert_eq!(error("perft -1"), "perft: wanted a depth from 0, not \"-1\"");
        assert_eq!(error("solve 2 3"), "solve: wanted the end of the line, not \"3\"");
    }
}

//! The words of `go`.

use std::iter::Peekable;
use std::num::IntErrorKind;
use std::time::Duration;

use crate::search::{Clock, Limits};

use super::command::CommandError;

/// What `go` asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// `go …`.
    Search(Limits),
    /// `go perft N`.
    Divide(u32),
}

/// The words that end a list of actions.
const KEYWORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Some thirty years in milliseconds: no clock says more, and sums with it cannot overflow.
const LONGEST_TIME: i64 = 1_000_000_000_000;

/// Reads the words after `go`.
pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Result<Go, CommandError> {
    let mut words = words.peekable();
    let mut limits = Limits::default();
    let mut times = [None; 2];
    let mut increments = [0; 2];
    let mut perft = None;
    while let Some(word) = words.next() {
        let [white_time, black_time] = &mut times;
        let [white_increment, black_increment] = &mut increments;
        match word {
            "searchmoves" => limits.search_moves.extend(actions(&mut words)?),
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "wtime" => *white_time = Some(milliseconds("go wtime", words.next())?),
            "btime" => *black_time = Some(milliseconds("go btime", words.next())?),
            "winc" => *white_increment = milliseconds("go winc", words.next())?,
            "binc" => *black_increment = milliseconds("go binc", words.next())?,
            "movestogo" => {
                // Some GUIs write 0 where there is no next time control.
                let moves = number("go movestogo", words.next())?;
                limits.moves_to_go = (moves > 0).then(|| saturated(moves));
            }
            "depth" => limits.depth = Some(at_least_one("go depth", words.next())?),
            "mate" => limits.mate = Some(at_least_one("go mate", words.next())?),
            "nodes" => {
                let nodes = number("go nodes", words.next())?;
                limits.nodes = Some(u64::try_from(nodes).unwrap_or(0).max(1));
            }
            "movetime" => {
                let time = milliseconds("go movetime", words.next())?;
                limits.movetime =
                    Some(Duration::from_millis(u64::try_from(time).unwrap_or(0).max(1)));
            }
            "perft" => perft = Some(depth("go perft", words.next())?),
            _ => {
                return Err(CommandError::wanted(
                    "go",
                    "depth, nodes, mate, movetime, wtime, btime, winc, binc, movestogo, infinite, \
                     ponder, searchmoves or perft",
                    Some(word),
                ));
            }
        }
    }
    if let Some(depth) = perft {
        return Ok(Go::Divide(depth));
    }
    let [white_time, black_time] = times;
    let [white_increment, black_increment] = increments;
    limits.clocks = [
        white_time.map(|time| Clock { time, increment: white_increment }),
        black_time.map(|time| Clock { time, increment: black_increment }),
    ];
    let unlimited = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.mate.is_none()
        && limits.movetime.is_none()
        && limits.clocks == [None; 2];
    limits.infinite |= unlimited;
    Ok(Go::Search(limits))
}

/// The actions up to the next keyword, at least one.
fn actions<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Vec<String>, CommandError> {
    let mut actions = Vec::new();
    while let Some(word) = words.next_if(|word| !KEYWORDS.contains(word)) {
        actions.push(word.to_owned());
    }
    if actions.is_empty() {
        return Err(CommandError::wanted("go searchmoves", "an action", words.peek().copied()));
    }
    Ok(actions)
}

/// A depth of `perft` and `solve`, where 0 means something.
pub(super) fn depth(place: &'static str, word: Option<&str>) -> Result<u32, CommandError> {
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| CommandError::wanted(place, "a depth from 0", word))
}

/// A whole number; one that is too large is the largest.
fn number(place: &'static str, word: Option<&str>) -> Result<i64, CommandError> {
    let wrong = || CommandError::wanted(place, "a whole number", word);
    word.ok_or_else(wrong)?.parse().or_else(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => Ok(i64::MAX),
        IntErrorKind::NegOverflow => Ok(i64::MIN),
        _ => Err(wrong()),
    })
}

/// A time as a GUI tells it, below zero too.
fn milliseconds(place: &'static str, word: Option<&str>) -> Result<i64, CommandError> {
    Ok(number(place, word)?.clamp(-LONGEST_TIME, LONGEST_TIME))
}

fn at_least_one(place: &'static str, word: Option<&str>) -> Result<u32, CommandError> {
    Ok(saturated(number(place, word)?.max(1)))
}

/// A number that is not negative.
fn saturated(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str) -> Limits {
        match parse(line.split_ascii_whitespace()).unwrap() {
            Go::Search(limits) => limits,
            Go::Divide(_) => panic!("{line} is a perft"),
        }
    }

    fn error(line: &str) -> String {
        parse(line.split_ascii_whitespace()).unwrap_err().to_string()
    }

    #[test]
    fn every_word_has_its_place() {
        let all = limits(
            "wtime 1000 btime -20 winc 5 binc 6 movestogo 7 depth 8 nodes 9 mate 10 movetime 11 \
             ponder searchmoves e2e4 L@c3 infinite",
        );
        assert_eq!(
            all,
            Limits {
                depth: Some(8),
                nodes: Some(9),
                mate: Some(10),
                movetime: Some(Duration::from_millis(11)),
                clocks: [
                    Some(Clock { time: 1000, increment: 5 }),
                    Some(Clock { time: -20, increment: 6 })
                ],
                moves_to_go: Some(7),
                infinite: true,
                ponder: true,
                search_moves: vec!["e2e4".into(), "L@c3".into()],
            }
        );
        assert_eq!(parse("depth 3 perft 4".split(' ')), Ok(Go::Divide(4)));
        assert_eq!(parse("perft 0".split(' ')), Ok(Go::Divide(0)));
    }

    #[test]
    fn without_a_limit_it_is_infinite() {
        assert!(limits("").infinite);
        assert!(limits("searchmoves e2e4").infinite);
        assert!(limits("winc 5 movestogo 3").infinite);
        assert!(!limits("depth 3").infinite);
        assert!(!limits("btime 3").infinite);
    }

    #[test]
    fn small_and_large_numbers_are_brought_into_range() {
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("depth 99999999999999999999999").depth, Some(u32::MAX));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("mate -3").mate, Some(1));
        assert_eq!(limits("movetime -5").movetime, Some(Duration::from_millis(1)));
        assert_eq!(limits("wtime 9223372036854775807").clocks[0].unwrap().time, LONGEST_TIME);
        assert_eq!(limits("wtime 5 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn errors_name_the_word() {
        assert_eq!(error("depth"), "go depth: wanted a whole number, but the line ends");
        assert_eq!(error("wtime x"), "go wtime: wanted a whole number, not \"x\"");
        assert_eq!(error("searchmoves depth 3"), "go searchmoves: wanted an action, not \"depth\"");
        assert_eq!(error("perft x"), "go perft: wanted a depth from 0, not \"x\"");
        assert!(error("deep 3").ends_with("not \"deep\""));
    }
}

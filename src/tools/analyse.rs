//! `alea analyse`: one search, told to a person.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;

use crate::core::Color;
use crate::game::EndRule;
use crate::search::{
    Bound, Control, Desk, DeskError, Info, Limits, Next, OutcomeInfo, Report, ScoreText, Settings,
    Table,
};
use crate::uci::OpenDesk;

use super::{GameArguments, PositionArguments, ToolError};

/// Search a position and say what it is worth, in words.
///
/// Scores are in pawns from White's view: 1.00 is the advantage with which White expects to score
/// three quarters; ≤ and ≥ before one: it is at most, at least this, as the search there is not done.
/// Without a limit the search takes 5 seconds.
#[derive(Args, Clone, Debug)]
pub struct Analyse {
    /// The game.
    #[arg(default_value = "chess", value_name = "GAME", help = super::games())]
    pub variant: String,
    /// The position.
    #[command(flatten)]
    pub position: PositionArguments,
    /// Search this long, in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    pub movetime: Option<u64>,
    /// Search this many plies deep.
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Search this many nodes.
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Show this many best lines.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub multipv: u16,
    /// Search on this many threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: u16,
    /// Remember positions in this many MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// Options of the game.
    #[command(flatten)]
    pub game: GameArguments,
}

impl Analyse {
    fn limits(&self) -> Limits {
        let milliseconds = match (self.movetime, self.depth, self.nodes) {
            (None, None, None) => Some(5000),
            // A century is enough, and no sum with it overflows.
            (time, ..) => time.map(|time| time.clamp(1, 3_200_000_000_000)),
        };
        Limits {
            movetime: milliseconds.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            ..Limits::default()
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            hash: self.hash as usize,
            threads: usize::from(self.threads),
            multi_pv: usize::from(self.multipv),
            show_wdl: true,
            analyse_mode: true,
            ..Settings::default()
        }
    }
}

/// Searches and tells.
///
/// # Errors
/// A wrong game or position; no memory; nobody reads.
pub fn run(
    wanted: &Analyse,
    open: OpenDesk,
    output: &mut (impl Write + Send),
) -> Result<(), ToolError> {
    let setup = super::game(&wanted.variant, &wanted.game.options()?)?;
    let settings = wanted.settings();
    let table = Table::new(settings.hash).ok_or(DeskError::NoTable(settings.hash))?;
    let mut desk = open(&setup, &settings, Arc::new(table));
    desk.set_position(wanted.position.fen.as_deref(), &wanted.position.actions())?;
    writeln!(output, "{}\n", desk.drawing(io::stdout().is_terminal()).trim_end())?;
    let node = desk.node_line();
    if let Some(rule) = desk.end_rule() {
        writeln!(output, "{} ({}).", state_of_play(&node), why(rule))?;
        return Ok(());
    }
    writeln!(output, "{}.", state_of_play(&node))?;
    writeln!(output, "Scores are in pawns, from White's view.\n")?;
    let turn = side_to_move(&*desk);
    let findings = search(&mut *desk, wanted, turn, output)?;
    write!(output, "\n{}", findings.text(turn))?;
    Ok(())
}

/// What a search said last.
struct Findings {
    lines: Vec<Info>,
    outcomes: Vec<OutcomeInfo>,
    best: Option<String>,
}

/// Searches, a live line per report; what the last ones said.
fn search(
    desk: &mut dyn Desk,
    wanted: &Analyse,
    turn: Color,
    output: &mut (impl Write + Send),
) -> Result<Findings, io::Error> {
    struct Heard<'a, W> {
        output: &'a mut W,
        written: io::Result<()>,
        findings: Findings,
    }
    let control = Control::new(false);
    let heard = Mutex::new(Heard {
        output,
        written: Ok(()),
        findings: Findings { lines: Vec::new(), outcomes: Vec::new(), best: None },
    });
    desk.search(&wanted.limits(), &control, &|report| {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match report {
            Report::Info(info) => {
                let line = live_line(&info, turn, wanted.multipv > 1);
                if info.bound == Bound::Exact {
                    heard.findings.lines.retain(|other| other.multipv != info.multipv);
                    heard.findings.lines.push(info);
                }
                writeln!(heard.output, "{line}")
            }
            Report::Note(note) => writeln!(heard.output, "{note}"),
            Report::Current { .. } => Ok(()),
            Report::Outcome(outcome) => {
                heard.findings.outcomes.push(outcome);
                Ok(())
            }
            Report::Best { action, .. } => {
                heard.findings.best = action;
                Ok(())
            }
        };
        if written.is_err() {
            heard.written = written;
            control.stop();
        }
    });
    let Heard { written, mut findings, .. } =
        heard.into_inner().unwrap_or_else(PoisonError::into_inner);
    written?;
    findings.lines.sort_by_key(|info| info.multipv);
    Ok(findings)
}

/// The side to move by the FEN: the one whose score a search gives, at chance positions too.
fn side_to_move(desk: &dyn Desk) -> Color {
    Color::white_if(desk.fen_line().split(' ').nth(2) != Some("b"))
}

/// A `node …` line in words.
fn state_of_play(node: &str) -> &'static str {
    match node.trim_start_matches("node ") {
        "decision white" => "White is to decide",
        "decision black" => "Black is to decide",
        "over white" => "The game is over: White has won",
        "over black" => "The game is over: Black has won",
        "over draw" => "The game is over: a draw",
        _ => "Chance is to decide; what follows is the average over what it may bring",
    }
}

/// Why a game is over, in words.
fn why(rule: EndRule) -> &'static str {
    match rule {
        EndRule::Checkmate => "checkmate",
        EndRule::Stalemate => "stalemate",
        EndRule::KingLost => "a king is gone or cannot be saved",
        EndRule::FiftyMoves => "so many moves without a capture or a pawn's move",
        EndRule::Repetition => "the position stands for the third time",
        EndRule::Material => "too few men to mate",
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A score of the side to move as White sees it, short.
fn number(score: ScoreText, turn: Color) -> String {
    match score {
        ScoreText::Cp(score) => format!("{:+.2}", f64::from(score * turn.sign()) / 100.0),
        ScoreText::Mate(moves) => {
            let white = (moves > 0) == (turn == Color::White);
            format!("{}#{}", if white { '+' } else { '-' }, moves.unsigned_abs())
        }
    }
}

/// The same in words.
fn words(score: ScoreText, turn: Color) -> String {
    match score {
        ScoreText::Mate(moves) => {
            let winner = if moves > 0 { turn } else { !turn };
            format!("{} wins: mate in {}", name(winner), moves.unsigned_abs())
        }
        ScoreText::Cp(score) => {
            let better = if score > 0 { turn } else { !turn };
            let how = match score.unsigned_abs() {
                0..20 => return format!("about equal, {}", number(ScoreText::Cp(score), turn)),
                20..60 => "slightly better",
                60..150 => "better",
                150..300 => "much better",
                _ => "winning",
            };
            format!("{} is {how}, {}", name(better), number(ScoreText::Cp(score), turn))
        }
    }
}

/// One line of an iteration.
fn live_line(info: &Info, turn: Color, ranked: bool) -> String {
    let mut line = format!("depth {:>2}  ", info.depth);
    if ranked {
        let _ = write!(line, "line {:>2}  ", info.multipv);
    }
    let sign = match (info.bound, turn) {
        (Bound::Exact, _) => ' ',
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => '≥',
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => '≤',
    };
    let _ = write!(
        line,
        "{sign}{:>6}  {:>6.1} s  {:>13} nodes  {}",
        number(info.score, turn),
        info.time.as_secs_f64(),
        grouped(info.nodes),
        info.pv.join(" ")
    );
    line.trim_end().to_owned()
}

/// A number with its thousands set apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Findings {
    /// What came out, in words.
    fn text(&self, turn: Color) -> String {
        let mut text = match &self.best {
            Some(action) => format!("Best action:     {action}\n"),
            None => "Best action:     none, nobody is to decide\n".to_owned(),
        };
        for info in &self.lines {
            if self.lines.len() > 1 {
                let _ = writeln!(text, "\nLine {}", info.multipv);
            }
            let _ = writeln!(text, "Evaluation:      {}", words(info.score, turn));
            if let Some([win, draw, loss]) = info.wdl {
                let (white, black) = if turn == Color::White { (win, loss) } else { (loss, win) };
                let tenths = |per_mille: u32| f64::from(per_mille) / 10.0;
                let _ = writeln!(
                    text,
                    "Expected result: White {:.1} % (wins {:.1} %, draws {:.1} %, loses {:.1} %)",
                    tenths(white) + tenths(draw) / 2.0,
                    tenths(white),
                    tenths(draw),
                    tenths(black)
                );
            }
            if !info.pv.is_empty() {
                let _ = writeln!(text, "Line of play:    {}", info.pv.join(" "));
            }
        }
        if !self.outcomes.is_empty() {
            text.push('\n');
            text.push_str(&table(&self.outcomes, turn));
        }
        text
    }
}

/// For the board: what chance may bring, how likely it is, what it is worth and what to play then.
fn table(outcomes: &[OutcomeInfo], turn: Color) -> String {
    let width = |texts: &mut dyn Iterator<Item = usize>, heading: &str| {
        texts.max().unwrap_or(0).max(heading.chars().count())
    };
    let event = width(&mut outcomes.iter().map(|o| o.event.chars().count()), "event");
    let name = width(&mut outcomes.iter().map(|o| o.name.chars().count()), "if it is");
    let mut text = format!(
        "{:name$}  {:event$}  {:>6}  {:>6}  play\n",
        "if it is", "event", "chance", "score"
    );
    for outcome in outcomes {
        let (share, whole) = outcome.probability;
        let _ = writeln!(
            text,
            "{:name$}  {:event$}  {:>4.1} %  {:>6}  {}",
            outcome.name,
            outcome.event,
            100.0 * f64::from(share) / f64::from(whole),
            number(outcome.score, turn),
            play_then(&outcome.next),
        );
    }
    text
}

/// What is to be done after an event.
fn play_then(next: &Next) -> String {
    match next {
        Next::Action(action) => action.clone(),
        Next::Event(form) => format!("another {form}"),
        Next::Unsearched => "not searched".to_owned(),
        Next::End => "the game is over".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_white_s() {
        assert_eq!(number(ScoreText::Cp(62), Color::White), "+0.62");
        assert_eq!(number(ScoreText::Cp(62), Color::Black), "-0.62");
        assert_eq!(number(ScoreText::Mate(3), Color::Black), "-#3");
        assert_eq!(number(ScoreText::Mate(-3), Color::Black), "+#3");
        assert_eq!(words(ScoreText::Cp(62), Color::White), "White is better, +0.62");
        assert_eq!(words(ScoreText::Cp(-30), Color::Black), "White is slightly better, +0.30");
        assert_eq!(words(ScoreText::Cp(0), Color::Black), "about equal, +0.00");
        assert_eq!(words(ScoreText::Mate(3), Color::Black), "Black wins: mate in 3");
        assert_eq!(words(ScoreText::Mate(-1), Color::Black), "White wins: mate in 1");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn five_seconds_unless_limited() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            wanted: Analyse,
        }
        let limits = |line: &str| {
            let line: Line = clap::Parser::try_parse_from(line.split(' ')).unwrap();
            line.wanted.limits()
        };
        assert_eq!(limits("analyse").movetime, Some(Duration::from_secs(5)));
        assert_eq!(limits("analyse --depth 3").movetime, None);
        assert_eq!(limits("analyse chess --movetime 0").movetime, Some(Duration::from_millis(1)));
    }
}

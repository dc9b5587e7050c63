//! The expected values of an independent implementation, row by row.
//!
//! Every `tests/data/vectors/*.tsv` is read; its columns are variant, position (`startpos` or
//! `fen …`), actions, kind, argument, value, and, where options are set first, `name=value,…`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use alea::game::{AnySetup, Game, GameOptions, Node, Outcome, Record, perft, solve, with_game};
use rayon::prelude::*;

/// Rows that contradict the specification's words, with the answer that its words ask for.
const DISPUTED: &[(&str, &str)] = &[
    // King and bishop against king: "A position drawn by rule is over: `node` says so and `legal`
    // is empty."
    (
        "chroma\tfen 8/4G1v1/8/8/8/8/8/V7 w - - 0 1\te7e8y\tlegal\t\tg7f6 g7f8 g7g8 g7h6 g7h7 g7h8",
        "",
    ),
    // "FENs are complete: the default of a token is always the built-in one, never an option's.
    // Options shape only what `startpos` means."
    (
        "quantum\tfen 4k3/8/8/8/8/8/7P/7K w - - 0 1 tracks=-,-,-,Pe2:1/-,-,-,-\th2h3\tlegal\t\t\
         e2e3 e2e4 end\tQuantumFreeMoves=upto",
        "e2e3 e2e4",
    ),
    (
        "quantum\tfen 4k3/7p/8/8/8/8/8/4K3 w - - 0 1 tracks=Na1:1,Rc2:1,-,Bb3:1/-,-,-,-\te1f1 end\t\
         legal\t\tc2a2 c2b2 c2c1 c2c3 c2c4 c2c5 c2c6 c2c7 c2c8 c2d2 c2e2 c2f2 c2g2 c2h2 end\t\
         QuantumFreeMoves=upto",
        "error: action 2 (\"end\") is no legal action, such as a1b3, a1c2, after 4k3/7p/8/8/8/8/8/N4K2 w - - 1 1 \
         tracks=-,Rc2:1,-,Bb3:1/-,-,-,- free=1:1:a1 due=2,4",
    ),
];

/// One line of a file.
struct Row {
    variant: String,
    fen: Option<String>,
    actions: Vec<String>,
    kind: String,
    argument: String,
    value: String,
    options: String,
}

impl Row {
    fn parse(line: &str) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[variant, position, actions, kind, argument, value, ref rest @ ..] = &columns[..]
        else {
            return Err(format!("{} columns, wanted 6 or 7", columns.len()));
        };
        let options = match rest {
            [] => "",
            [options] => options,
            _ => return Err(format!("{} columns, wanted 6 or 7", columns.len())),
        };
        let fen = match position.strip_prefix("fen ") {
            Some(fen) => Some(fen.to_owned()),
            None if position == "startpos" => None,
            None => return Err(format!("position {position:?}")),
        };
        Ok(Self {
            variant: variant.to_owned(),
            fen,
            actions: actions
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
            kind: kind.to_owned(),
            argument: argument.to_owned(),
            value: value.to_owned(),
            options: options.to_owned(),
        })
    }

    fn depth(&self) -> Result<u32, String> {
        self.argument.parse().map_err(|_| format!("argument {:?} is no depth", self.argument))
    }

    /// What alea says where the row has its value.
    fn answer(&self) -> Result<String, String> {
        let mut options = GameOptions::default();
        for setting in self.options.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').ok_or(format!("option {setting:?}"))?;
            options.set(name, value).map_err(|error| error.to_string())?;
        }
        let any = AnySetup::named(&self.variant, &options)
            .ok_or_else(|| format!("unknown variant {:?}", self.variant))?;
        with_game!(any, G, setup => self.answer_of::<G>(&setup))
    }

    fn answer_of<G: Game>(&self, setup: &G::Setup) -> Result<String, String> {
        let record = Record::<G>::parse(setup, self.fen.as_deref(), &self.actions)
            .map_err(|error| error.to_string())?;
        let position = record.position();
        match self.kind.as_str() {
            "perft" => Ok(perft::perft(position, self.depth()?).to_string()),
            "solve" => {
                let stop = AtomicBool::new(false);
                solve::solve(&record, self.depth()?, &stop)
                    .map(|solution| solution.value_text())
                    .map_err(|error| error.to_string())
            }
            "legal" => Ok(legal(&record, setup)),
            "fen" => Ok(position.fen(setup)),
            "node" => Ok(match record.node() {
                Node::Decision(color) => format!("decision-{color}"),
                Node::Chance(_) => "chance".to_owned(),
                Node::Over(Outcome::Win(color)) => format!("over-{color}"),
                Node::Over(Outcome::Draw) => "over-draw".to_owned(),
            }),
            other => Err(format!("unknown kind {other:?}")),
        }
    }
}

/// The actions, or the events with their probabilities, in ASCII order.
fn legal<G: Game>(record: &Record<G>, setup: &G::Setup) -> String {
    let position = record.position();
    let mut words = Vec::new();
    match record.node() {
        Node::Over(_) => {}
        Node::Decision(_) => {
            for action in perft::branches(position) {
                words.push(position.action_text(setup, action));
            }
        }
        Node::Chance(_) => {
            let mut total = 0;
            position.outcomes(|_, weight| total += weight);
            position.outcomes(|event, weight| {
                let share = num_rational::Ratio::new(weight, total);
                let text = position.action_text(setup, event);
                words.push(format!("{text}={}/{}", share.numer(), share.denom()));
            });
        }
    }
    words.sort_unstable();
    words.join(" ")
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .collect();
    files.sort_unstable();
    files
}

#[test]
fn every_row_of_every_file_agrees() {
    let files = files();
    assert!(!files.is_empty(), "no vectors");
    let mut lines = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let before = lines.len();
        for (index, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                lines.push((format!("{name}:{}", index + 1), line.to_owned()));
            }
        }
        assert!(lines.len() > before, "{name} has no rows");
    }
    let wrong: Vec<String> = lines
        .par_iter()
        .filter_map(|(place, line)| {
            let row = match Row::parse(line) {
                Ok(row) => row,
                Err(error) => return Some(format!("{place}: {error}")),
            };
            let answer = row.answer().unwrap_or_else(|error| format!("error: {error}"));
            let disputed = DISPUTED.iter().find(|(disputed, _)| disputed == line);
            let expected = disputed.map_or(row.value.as_str(), |(_, value)| value);
            (answer != expected)
                .then(|| format!("{place}: {line}\n  expected {expected:?}\n  answered {answer:?}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows disagree:\n{}",
        wrong.len(),
        lines.len(),
        wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
}

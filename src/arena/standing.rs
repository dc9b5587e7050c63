//! How a match stands, in numbers and words.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::log::{Ending, GameRecord, GameResult};
use super::plan::Plan;
use super::sprt::{Model, Verdict};
use super::statistics::{Estimate, Points, Tally};

/// The games so far, for the first engine.
#[derive(Clone, Debug)]
pub struct Standing {
    names: [String; 2],
    tally: Tally,
    /// Wins, draws and losses of the first engine with White, and with Black.
    by_color: [[u64; 3]; 2],
    /// Pairs of which one game is known, by number.
    halves: BTreeMap<u64, Points>,
    /// Points by number of the game.
    points: BTreeMap<u64, Points>,
    /// How often games ended so.
    endings: BTreeMap<&'static str, u64>,
    /// How often each engine lost by a fault of that kind.
    faults: [BTreeMap<&'static str, u64>; 2],
    /// Actions of players in all games.
    actions: u64,
}

impl Standing {
    /// No game yet.
    pub fn new(plan: &Plan) -> Self {
        Self {
            names: plan.engines.each_ref().map(|engine| engine.name.clone()),
            tally: Tally::default(),
            by_color: [[0; 3]; 2],
            halves: BTreeMap::new(),
            points: BTreeMap::new(),
            endings: BTreeMap::new(),
            faults: [BTreeMap::new(), BTreeMap::new()],
            actions: 0,
        }
    }

    /// Takes a game in.
    pub fn add(&mut self, game: &GameRecord) {
        let white = game.white == self.names[0];
        let (points, place) = match (game.result, white) {
            (GameResult::Draw, _) => (Points::Draw, 1),
            (GameResult::White, true) | (GameResult::Black, false) => (Points::Win, 0),
            _ => (Points::Loss, 2),
        };
        self.tally.add_game(points);
        self.by_color[usize::from(!white)][place] += 1;
        self.points.insert(game.game, points);
        let pair = game.game.div_ceil(2);
        if let Some(other) = self.halves.remove(&pair) {
            self.tally.add_pair(other, points);
        } else {
            self.halves.insert(pair, points);
        }
        let ending = game.ending.text();
        *self.endings.entry(ending).or_insert(0) += 1;
        if game.ending.is_fault() {
            let loser = usize::from(points == Points::Win);
            *self.faults[loser].entry(ending).or_insert(0) += 1;
        }
        let players = game.steps.iter().filter(|step| step.by != super::log::Mover::Chance);
        self.actions += players.count() as u64;
    }

    /// The counts behind all figures.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The first engine's points by game, in the order of their numbers.
    pub fn points(&self) -> Vec<f64> {
        self.points.values().map(|points| points.value()).collect()
    }

    /// The score in one line: wins, losses and draws of the first engine, its share of the points,
    /// the number of games.
    pub fn line(&self) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        let [first, second] = &self.names;
        format!(
            "Score of {first} vs {second}: {wins} - {losses} - {draws} [{:.3}] {}",
            self.tally.score(),
            self.tally.games()
        )
    }

    /// The test's line, if there is a test.
    pub fn sprt_line(&self, plan: &Plan) -> Option<String> {
        let sprt = plan.sprt?;
        let (lower, upper) = sprt.bounds();
        let verdict = match sprt.verdict(&self.tally) {
            Verdict::Continue => "no verdict yet",
            Verdict::AcceptH0 => "H0 accepted",
            Verdict::AcceptH1 => "H1 accepted",
        };
        Some(format!(
            "SPRT: LLR {:.2} ({lower:.2}, {upper:.2}) for {} Elo {:.2} against {:.2}: {verdict}",
            sprt.llr(&self.tally),
            match sprt.model() {
                Model::Logistic => "logistic",
                Model::Normalised => "normalised",
            },
            sprt.elo0(),
            sprt.elo1(),
        ))
    }

    /// All there is to say, several lines.
    pub fn summary(&self, plan: &Plan) -> String {
        let tally = &self.tally;
        let mut text = self.line();
        text.push('\n');
        if tally.games() == 0 {
            return text;
        }
        let _ = writeln!(
            text,
            "Score {:.1} % +/- {:.1}; Elo {}; nElo {}; LOS {:.1} %; draws {:.1} %",
            100.0 * tally.score(),
            100.0 * tally.score_error(),
            bounded(tally.elo(), tally.elo_bounds()),
            estimated(tally.normalised_elo()),
            100.0 * tally.likelihood_of_superiority(),
            100.0 * tally.draw_ratio(),
        );
        let [white, black] =
            self.by_color.map(|[wins, draws, losses]| format!("{wins} - {losses} - {draws}"));
        let _ = writeln!(text, "{} with White: {white}, with Black: {black}", self.names[0]);
        if tally.pairs.iter().any(|&count| count > 0) {
            let [ll, ld, dd, wd, ww] = tally.pairs;
            let _ = write!(text, "Pairs LL {ll}, LD {ld}, DD or WL {dd}, WD {wd}, WW {ww}");
            // Where all pairs are alike there is no error to compare.
            if let (Some((paired, unpaired)), Some(gain)) =
                (tally.standard_errors(), tally.pairing_gain())
                && paired > 0.0
            {
                let _ = write!(
                    text,
                    "; standard error of the score {:.2} % with pairs, {:.2} % without: pairs are \
                     worth {gain:.2} times the games",
                    100.0 * paired,
                    100.0 * unpaired,
                );
            }
            text.push('\n');
        }
        if let Some(line) = self.sprt_line(plan) {
            let _ = writeln!(text, "{line}");
        }
        let list = |counts: &BTreeMap<&'static str, u64>| {
            let words: Vec<_> =
                counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
            if words.is_empty() { "none".to_owned() } else { words.join(", ") }
        };
        let _ = writeln!(
            text,
            "Ended by {}; {:.1} actions a game",
            list(&self.endings),
            self.actions as f64 / tally.games() as f64
        );
        for (name, faults) in self.names.iter().zip(&self.faults) {
            let _ = writeln!(text, "Faults of {name}: {}", list(faults));
        }
        text
    }
}

fn estimated(estimate: Estimate) -> String {
    format!("{:.1} +/- {:.1}", estimate.value, estimate.error)
}

/// An estimate with its error, or with its bounds where the error has no end.
fn bounded(estimate: Estimate, (lower, upper): (f64, f64)) -> String {
    if estimate.error.is_finite() {
        estimated(estimate)
    } else {
        format!("{:.1} ({lower:.1} to {upper:.1})", estimate.value)
    }
}

impl Ending {
    /// Its name, as logs have it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::KingLost => "king-lost",
            Self::FiftyMoves => "fifty-moves",
            Self::Repetition => "repetition",
            Self::Material => "material",
            Self::ResignAdjudication => "resign-adjudication",
            Self::DrawAdjudication => "draw-adjudication",
            Self::LengthAdjudication => "length-adjudication",
            Self::TimeForfeit => "time-forfeit",
            Self::IllegalAction => "illegal-action",
            Self::Crash => "crash",
            Self::Disconnect => "disconnect",
            Self::Stall => "stall",
            Self::Refusal => "refusal",
        }
    }

    /// Whether the loser did not lose by play.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit
                | Self::IllegalAction
                | Self::Crash
                | Self::Disconnect
                | Self::Stall
                | Self::Refusal
        )
    }
}

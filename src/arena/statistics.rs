//! What the results of a match say about strength.
//!
//! Openings are played twice, with colours reversed, and the two games of a pair share what the
//! opening gives one side. So a pair is one sample with five outcomes (pentanomial), and only where
//! no pair is complete is a game one with three (trinomial). [M. Van den Bergh, *Comments on
//! normalized Elo*](https://www.cantate.be/Fishtest/normalized_elo_practical.pdf) has the theory.
//!
//! With n samples of scores xᵢ in 0 … 1, m their mean and v = Σ(xᵢ − m)²/n, the standard error of m
//! is √(v/n). Everything here is for the first engine, and ± means the half width of an interval
//! that holds the truth in 95 % of matches.

use std::f64::consts::{LN_10, SQRT_2};

/// Half the width of the interval that holds 95 % of the normal distribution, in standard
/// deviations: Φ⁻¹(0.975).
const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of one standard deviation a game: 800/ln 10. There it agrees with logistic Elo
/// for small differences if no game is drawn.
pub(super) const NORMALISED_ELO: f64 = 800.0 / LN_10;

/// What a game gave the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Points {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl Points {
    /// 0 for a loss, 0.5 for a draw, 1 for a win.
    pub fn value(self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// What the other engine got.
    #[must_use]
    #[cfg(test)]
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    fn halves(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// A value with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely value; ±∞ if nothing bounds it.
    pub value: f64,
    /// Half the width of the 95 % interval, 0 or more; ∞ if an end of it is infinite or unknown.
    pub error: f64,
}

/// The results of a match, counted for the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by their half points, 0 … 4: two losses; loss and draw; two draws, or win and
    /// loss; win and draw; two wins. Their games are among the wins, draws and losses too.
    pub pairs: [u64; 5],
}

/// Scores in 0 … 1 as they were observed.
struct Sample {
    /// How many.
    count: f64,
    /// Games that make one: 1 or 2.
    games: f64,
    mean: f64,
    variance: f64,
    /// Third and fourth central moment over the 1.5th and second power of the variance; 0 if that
    /// is 0.
    skewness: f64,
    kurtosis: f64,
}

impl Sample {
    /// Of as many of each score as `counts` says; the scores are equally spaced from 0 to 1.
    fn new(counts: &[u64], games: f64) -> Self {
        let count = counts.iter().sum::<u64>() as f64;
        let best = (counts.len() - 1) as f64;
        let average = |of: &dyn Fn(f64) -> f64| {
            let each = counts.iter().enumerate();
            each.map(|(at, &times)| of(at as f64 / best) * times as f64).sum::<f64>() / count
        };
        let varied = counts.iter().filter(|&&times| times > 0).count() > 1;
        let mean = if count > 0.0 { average(&|score| score) } else { 0.5 };
        if !varied {
            return Self { count, games, mean, variance: 0.0, skewness: 0.0, kurtosis: 0.0 };
        }
        let moment = |power| average(&|score| (score - mean).powi(power));
        let variance = moment(2);
        let skewness = moment(3) / variance.powf(1.5);
        let kurtosis = moment(4) / (variance * variance);
        Self { count, games, mean, variance, skewness, kurtosis }
    }

    fn standard_error(&self) -> f64 {
        (self.variance / self.count).sqrt()
    }

    /// The greatest share, at 95 %, of scores other than the only one observed: q with
    /// (1 − q)ⁿ = 0.05, which is near 3/n; everything if nothing was observed.
    fn unseen(&self) -> f64 {
        if self.count > 0.0 { -(0.05_f64.ln() / self.count).exp_m1() } else { 1.0 }
    }
}

impl Tally {
    /// Counts a game that is over, whether it belongs to a pair or not.
    pub fn add_game(&mut self, points: Points) {
        match points {
            Points::Loss => self.losses += 1,
            Points::Draw => self.draws += 1,
            Points::Win => self.wins += 1,
        }
    }

    /// Counts a pair both games of which are over. It counts the pair alone: each of the games has
    /// its own [`Self::add_game`], when it ends.
    pub fn add_pair(&mut self, one: Points, other: Points) {
        self.pairs[usize::from(one.halves() + other.halves())] += 1;
    }

    /// The same match, counted for the second engine.
    #[must_use]
    #[cfg(test)]
    pub(super) fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// How many pairs are complete.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The share of points in all games, 0 … 1; 0.5 if there are none.
    pub fn score(&self) -> f64 {
        self.trinomial().mean
    }

    /// The share of points in complete pairs, 0 … 1; in all games if no pair is complete, and 0.5 if
    /// there are none.
    ///
    /// This is what the estimates below are of. A game whose partner is still to come is left out of
    /// them: its opening and its colour favour one engine, and often all such games have the first
    /// engine play the same colour.
    pub fn balanced_score(&self) -> f64 {
        self.sample().mean
    }

    /// The 95 % error of [`Self::balanced_score`], 0 … 1: 1.96 √(v/n).
    ///
    /// Samples that are all equal have no variance, which would claim certainty after a single
    /// game. Then, with 95 % confidence, all other outcomes together have a share below q, where
    /// (1 − q)ⁿ = 0.05 (the rule of three), and the error is the greatest that allows: q times the
    /// distance to the farther of 0 and 1. It is 0.5 if there are no games.
    pub fn score_error(&self) -> f64 {
        let sample = self.sample();
        if sample.variance > 0.0 {
            DEVIATIONS_95 * sample.standard_error()
        } else {
            sample.unseen() * sample.mean.max(1.0 - sample.mean)
        }
    }

    /// The 95 % interval of [`Self::balanced_score`], lower end first, both 0 … 1. Cut off at 0 and 1;
    /// for equal samples see [`Self::score_error`]: from m − qm to m + q(1 − m).
    pub fn score_bounds(&self) -> (f64, f64) {
        let sample = self.sample();
        let mean = sample.mean;
        if sample.variance > 0.0 {
            let error = DEVIATIONS_95 * sample.standard_error();
            ((mean - error).max(0.0), (mean + error).min(1.0))
        } else {
            let unseen = sample.unseen();
            (mean - unseen * mean, mean + unseen * (1.0 - mean))
        }
    }

    /// Logistic Elo, with half the difference of [`Self::elo_bounds`] as error.
    ///
    /// A score of 0 or 1 is −∞ or +∞ Elo. The error is ∞ wherever one of the bounds is infinite.
    /// Neither is ever NaN; without games it is 0 ± ∞.
    pub fn elo(&self) -> Estimate {
        let (lower, upper) = self.elo_bounds();
        Estimate { value: elo_of_score(self.balanced_score()), error: (upper - lower) / 2.0 }
    }

    /// The 95 % interval of logistic Elo, lower end first: the Elo of [`Self::score_bounds`]. An end
    /// where the score could be 0 or 1 is −∞ or +∞; the lower end is never +∞, nor the upper −∞.
    pub fn elo_bounds(&self) -> (f64, f64) {
        let (lower, upper) = self.score_bounds();
        (elo_of_score(lower), elo_of_score(upper))
    }

    /// Normalised Elo: (m − ½)/σ · 800/ln 10, with σ the standard deviation of a game's score, which
    /// for pairs is √2 times that of the pair's score in 0 … 1.
    ///
    /// With t = (m − ½)/√v, skewness g and kurtosis k of the samples (3 for a normal distribution),
    /// the variance of t is (1 − tg + t²(k − 1)/4)/n to first order, which allows for σ being an
    /// estimate itself.
    ///
    /// Samples that are all equal say nothing about σ: then the value is 0 for a score of ½ and else
    /// ±∞, and the error ∞.
    pub fn normalised_elo(&self) -> Estimate {
        let sample = self.sample();
        let over = sample.mean - 0.5;
        if sample.variance == 0.0 {
            let value = if over == 0.0 { 0.0 } else { f64::INFINITY.copysign(over) };
            return Estimate { value, error: f64::INFINITY };
        }
        let unit = NORMALISED_ELO / sample.games.sqrt();
        let t = over / sample.variance.sqrt();
        let spread = 1.0 - t * sample.skewness + t * t * (sample.kurtosis - 1.0) / 4.0;
        let error = DEVIATIONS_95 * (spread.max(0.0) / sample.count).sqrt();
        Estimate { value: unit * t, error: unit * error }
    }

    /// How likely it is, 0 … 1, that the first engine is the stronger one: Φ((m − ½)/√(v/n)), with Φ
    /// the normal distribution.
    ///
    /// If all samples are equal, v is taken about ½ instead of m, so that n wins and nothing else
    /// give Φ(√n). It is 0.5 if there are no games, or each sample is level.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let sample = self.sample();
        let over = sample.mean - 0.5;
        let deviations = if sample.variance > 0.0 {
            over / sample.standard_error()
        } else if over == 0.0 {
            0.0
        } else {
            sample.count.sqrt().copysign(over)
        };
        0.5 * libm::erfc(-deviations / SQRT_2)
    }

    /// The standard error of the score of the complete pairs, as they are and as if the same games
    /// were independent: (√(v/n), √(w/2n)), with v the variance of the n pairs' scores and w that of
    /// the scores of single games, taken from all games played. Both 0 or more, as shares of the
    /// points. `None` if no pair is complete.
    pub fn standard_errors(&self) -> Option<(f64, f64)> {
        let pairs = self.pentanomial();
        (pairs.count > 0.0).then(|| {
            let unpaired = (self.trinomial().variance / (2.0 * pairs.count)).sqrt();
            (pairs.standard_error(), unpaired)
        })
    }

    /// How many times as many independent games would have the error that the pairs have: the square
    /// of the second of [`Self::standard_errors`] over the first. Above 1 where the colours of a pair
    /// cancel the opening's bias, 1 where they do nothing; ∞ if all pairs but not all games came out
    /// equal. `None` if no pair is complete.
    pub fn pairing_gain(&self) -> Option<f64> {
        let (paired, unpaired) = self.standard_errors()?;
        let both_nothing = paired == 0.0 && unpaired == 0.0;
        Some(if both_nothing { 1.0 } else { (unpaired / paired).powi(2) })
    }

    /// The share of draws in all games, 0 … 1; 0 if there are none.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    fn sample(&self) -> Sample {
        if self.complete_pairs() > 0 { self.pentanomial() } else { self.trinomial() }
    }

    fn pentanomial(&self) -> Sample {
        Sample::new(&self.pairs, 2.0)
    }

    fn trinomial(&self) -> Sample {
        Sample::new(&[self.losses, self.draws, self.wins], 1.0)
    }
}

/// The difference in logistic Elo at which that score, 0 … 1, is expected: 400 log₁₀(s/(1 − s)).
/// −∞ for 0, +∞ for 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score, 0 … 1, expected at a difference in logistic Elo: 1/(1 + 10^(−e/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, ..Tally::default() }
    }

    /// Whose level pairs are two draws each.
    fn pairs(pairs: [u64; 5]) -> Tally {
        let [two_losses, loss, level, win, two_wins] = pairs;
        Tally {
            wins: win + 2 * two_wins,
            draws: loss + 2 * level + win,
            losses: 2 * two_losses + loss,
            pairs,
        }
    }

    #[track_caller]
    fn near(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() <= within, "{value} is not {expected} ± {within}");
    }

    #[test]
    fn counts_games_and_pairs() {
        let mut tally = Tally::default();
        tally.add_game(Points::Win);
        tally.add_game(Points::Loss);
        tally.add_pair(Points::Win, Points::Loss);
        tally.add_game(Points::Draw);
        tally.add_game(Points::Win);
        tally.add_pair(Points::Draw, Points::Win);
        tally.add_game(Points::Win);
        assert_eq!(tally, Tally { wins: 3, draws: 1, losses: 1, pairs: [0, 0, 1, 1, 0] });
        assert_eq!((tally.games(), tally.complete_pairs()), (5, 2));
        // 3.5 of 5; the last game waits for its partner: 2.5 of 4.
        near(tally.score(), 0.7, 1e-15);
        near(tally.balanced_score(), 0.625, 1e-15);
        near(tally.draw_ratio(), 0.2, 1e-15);
    }

    #[test]
    fn every_pair_has_its_place() {
        let all = [Points::Loss, Points::Draw, Points::Win];
        for one in all {
            assert!((one.value() + one.reversed().value() - 1.0).abs() < 1e-15);
            for other in all {
                let mut tally = Tally::default();
                tally.add_pair(one, other);
                let place = 2.0 * (one.value() + other.value());
                assert_eq!(tally.pairs.iter().position(|&times| times == 1), Some(place as usize));
                let mut back = Tally::default();
                back.add_pair(other.reversed(), one.reversed());
                assert_eq!(tally.reversed(), back);
            }
        }
    }

    #[test]
    fn trinomial_by_hand() {
        // 60 wins, 20 draws, 20 losses: m = 0.7, v = (60·0.09 + 20·0.04 + 20·0.49)/100 = 0.16,
        // standard error √(0.16/100) = 0.04.
        let tally = games(60, 20, 20);
        near(tally.score_error(), 0.078_398_559, 1e-9);
        // 400 log₁₀(0.7/0.3).
        near(tally.elo().value, 147.190_714, 1e-6);
        // 0.2/0.4 · 347.435 586.
        near(tally.normalised_elo().value, 173.717_793, 1e-6);
        // Central moments: third (60·0.027 − 20·0.008 − 20·0.343)/100 = −0.054, g = −0.84375; fourth
        // (60·0.0081 + 20·0.0016 + 20·0.2401)/100 = 0.0532, k = 2.078125. With t = 0.5 the spread is
        // 1 + 0.421875 + 0.25·1.078125/4 = 1.489257812, its root 1.220351514:
        // 1.959964 · 0.1220351514 · 347.435586.
        near(tally.normalised_elo().error, 83.101_2, 1e-4);
        // Φ(5).
        near(tally.likelihood_of_superiority(), 1.0 - 2.866_515_7e-7, 1e-13);
        assert_eq!(tally.standard_errors(), None);
        assert_eq!(tally.pairing_gain(), None);
    }

    #[test]
    fn pentanomial_by_hand() {
        // 10 pairs, 4 of them won by 1½–½, 6 level: m = (4·0.75 + 6·0.5)/10 = 0.6,
        // v = (4·0.0225 + 6·0.01)/10 = 0.015.
        let tally = Tally { wins: 10, draws: 4, losses: 6, pairs: [0, 0, 6, 4, 0] };
        let (paired, unpaired) = tally.standard_errors().unwrap();
        near(paired, 0.0015_f64.sqrt(), 1e-15);
        // Of the games: (10·0.16 + 4·0.01 + 6·0.36)/20 = 0.19; √(0.19/20).
        near(unpaired, 0.0095_f64.sqrt(), 1e-15);
        near(tally.pairing_gain().unwrap(), 19.0 / 3.0, 1e-12);
        // σ = √0.03; 0.1/0.173 205 081 · 347.435 586.
        near(tally.normalised_elo().value, 200.592_029, 1e-6);
    }

    #[test]
    fn games_without_a_partner_change_no_estimate() {
        let even = pairs([3, 9, 20, 11, 4]);
        let mut odd = even;
        (0..7).for_each(|_| odd.add_game(Points::Win));
        assert!(odd.score() > even.score());
        assert_eq!(odd.elo(), even.elo());
        assert_eq!(odd.normalised_elo(), even.normalised_elo());
        assert_eq!(odd.score_bounds(), even.score_bounds());
    }

    #[test]
    fn no_games_say_nothing() {
        let none = Tally::default();
        assert_eq!((none.games(), none.complete_pairs()), (0, 0));
        near(none.score(), 0.5, 0.0);
        near(none.score_error(), 0.5, 0.0);
        assert_eq!(none.score_bounds(), (0.0, 1.0));
        assert_eq!(none.elo(), Estimate { value: 0.0, error: f64::INFINITY });
        assert_eq!(none.elo_bounds(), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(none.normalised_elo(), Estimate { value: 0.0, error: f64::INFINITY });
        near(none.likelihood_of_superiority(), 0.5, 0.0);
        near(none.draw_ratio(), 0.0, 0.0);
    }

    #[test]
    fn equal_results_leave_room_for_others() {
        // 0.05^(1/16) = e^(−2.995 732 274/16) = 0.829 250 28.
        let won = games(16, 0, 0);
        near(won.score_error(), 0.170_749_72, 1e-8);
        assert_eq!(won.elo(), Estimate { value: f64::INFINITY, error: f64::INFINITY });
        // 400 log₁₀(0.829 250 28/0.170 749 72).
        near(won.elo_bounds().0, 274.530_2, 1e-4);
        assert!(won.elo_bounds().1.is_infinite());
        assert_eq!(won.normalised_elo(), Estimate { value: f64::INFINITY, error: f64::INFINITY });
        // Φ(4).
        near(won.likelihood_of_superiority(), 0.999_968_328_8, 1e-10);
        let lost = won.reversed();
        assert_eq!(lost.elo(), Estimate { value: f64::NEG_INFINITY, error: f64::INFINITY });
        near(lost.elo_bounds().1, -won.elo_bounds().0, 1e-9);
        near(lost.likelihood_of_superiority(), 1.0 - 0.999_968_328_8, 1e-10);
        let drawn = games(0, 16, 0);
        near(drawn.elo().value, 0.0, 0.0);
        near(drawn.score_error(), 0.085_374_86, 1e-8);
        near(drawn.likelihood_of_superiority(), 0.5, 0.0);
        // All pairs level, by a win and a loss each.
        let level = Tally { wins: 8, draws: 0, losses: 8, pairs: [0, 0, 8, 0, 0] };
        assert_eq!(level.pairing_gain(), Some(f64::INFINITY));
        assert_eq!(pairs([0, 0, 8, 0, 0]).pairing_gain(), Some(1.0));
    }

    #[test]
    fn every_small_tally_has_bounded_numbers() {
        for code in 0..4_u64.pow(5) {
            let tally =
                pairs([0, 1, 2, 3, 4].map(|at| [0, 1, 3, 400][code as usize >> (2 * at) & 3]));
            let (low, high) = tally.score_bounds();
            let score = tally.balanced_score();
            assert!(0.0 <= low && low <= score && score <= high && high <= 1.0, "{tally:?}");
            let (elo, (lower, upper)) = (tally.elo(), tally.elo_bounds());
            assert!(lower <= elo.value && elo.value <= upper && elo.error > 0.0, "{tally:?}");
            let normalised = tally.normalised_elo();
            assert!(!normalised.value.is_nan() && normalised.error >= 0.0, "{tally:?}");
            let superior = tally.likelihood_of_superiority();
            assert!((0.0..=1.0).contains(&superior), "{tally:?}");
            let back = tally.reversed();
            near(back.likelihood_of_superiority(), 1.0 - superior, 1e-12);
            near(back.balanced_score(), 1.0 - score, 1e-12);
            near(back.score_error(), tally.score_error(), 1e-12);
            if elo.value.is_finite() {
                near(back.elo().value, -elo.value, 1e-6);
                near(score_of_elo(elo.value), score, 1e-12);
            }
        }
    }

    #[test]
    fn independent_games_gain_nothing_by_pairing() {
        // Losses, draws and wins as 2 : 5 : 3 make pairs as 4 : 20 : 25 + 12 : 30 : 9.
        let single = games(600, 1000, 400);
        let paired = Tally { pairs: [40, 200, 370, 300, 90], ..single };
        near(paired.pairing_gain().unwrap(), 1.0, 1e-12);
        near(paired.score_error(), single.score_error(), 1e-12);
        near(paired.elo().value, single.elo().value, 1e-9);
        near(paired.elo().error, single.elo().error, 1e-9);
        near(paired.normalised_elo().value, single.normalised_elo().value, 1e-9);
        let (one, other) = (paired.normalised_elo().error, single.normalised_elo().error);
        // Half as many samples know σ less well, by t²/2n.
        near(one, other, other * 1e-2);
        let (one, other) = (paired.likelihood_of_superiority(), single.likelihood_of_superiority());
        near(one, other, 1e-12);
    }

    /// Expected: Elo, its error, normalised Elo, likelihood of superiority in per cent.
    #[track_caller]
    fn published(tally: Tally, elo: f64, error: f64, normalised: f64, superior: f64) {
        near(tally.elo().value, elo, 0.0051);
        near(tally.elo().error, error, 0.0051);
        near(tally.normalised_elo().value, normalised, 0.0051);
        near(tally.likelihood_of_superiority() * 100.0, superior, 0.0051);
    }

    /// From fastchess, `app/tests/elo_test.cpp`: Elo, error, normalised Elo, likelihood.
    #[test]
    fn agrees_with_the_tests_of_fastchess() {
        let near_normalised = |tally: Tally, expected| {
            near(tally.normalised_elo().value, expected, 0.0051);
        };
        near_normalised(games(76, 123, 89), -20.76);
        near(games(76, 123, 89).likelihood_of_superiority(), 0.1553, 0.00005);
        published(games(136, 111, 96), 40.70, 30.43, 49.77, 99.60);
        near_normalised(games(34, 0, 356), -508.44);
        published(pairs([34, 54, 63, 64, 75]), 55.58, 27.65, 57.94, 100.00);
        published(pairs([332, 433, 498, 333, 334]), -8.64, 10.33, -9.17, 5.05);
        near_normalised(pairs([7895, 8757, 5685, 568, 9999]), -19.01);
        near(pairs([7895, 8757, 5685, 568, 9999]).elo().error, 2.95, 0.0051);
    }

    /// As fastchess printed them, in princesslana/princhess#343, lynx-chess/Lynx#1899,
    /// official-stockfish/books#72 and Disservin/fastchess#807.
    #[test]
    fn agrees_with_reports_of_fastchess() {
        published(pairs([1, 22, 52, 21, 4]), 8.69, 27.04, 15.51, 73.60);
        published(pairs([235, 1384, 2521, 1341, 239]), -1.06, 4.05, -1.67, 30.33);
        published(pairs([0, 183, 642, 175, 0]), -1.39, 6.44, -3.29, 33.62);
        published(pairs([30, 6, 18, 0, 6]), -168.40, 73.37, -170.08, 0.00);
    }

    /// As Fishtest printed them, in official-stockfish/Stockfish#4160 and #6255: Elo, its error,
    /// normalised Elo and its error.
    #[test]
    fn agrees_with_reports_of_fishtest() {
        for (counts, expected) in [
            ([39, 5335, 18992, 5622, 12], [1.35, 1.2, 3.13, 2.8]),
            ([1, 137, 4659, 203, 0], [2.22, 1.3, 12.00, 6.8]),
        ] {
            let tally = pairs(counts);
            near(tally.elo().value, expected[0], 0.0051);
            near(tally.elo().error, expected[1], 0.051);
            near(tally.normalised_elo().value, expected[2], 0.0051);
            near(tally.normalised_elo().error, expected[3], 0.051);
        }
        near(pairs([39, 5335, 18992, 5622, 12]).likelihood_of_superiority(), 0.986, 0.0005);
    }

    /// From the page of raw statistics of montytest's test 69d3c8dc7c5b3724e29d2712: variance,
    /// skewness, excess kurtosis, deviation of a game, normalised Elo, share of draws.
    #[test]
    fn agrees_with_raw_statistics() {
        let tally = Tally { wins: 58, draws: 108, losses: 90, pairs: [13, 37, 50, 25, 3] };
        near(tally.score(), 0.4375, 0.0);
        near(tally.draw_ratio(), 0.42188, 0.000_005);
        let sample = tally.sample();
        near(sample.variance, 0.05762, 0.000_005);
        near(sample.skewness, -0.01324, 0.000_005);
        near(sample.kurtosis - 3.0, -0.50187, 0.000_005);
        near((2.0 * sample.variance).sqrt(), 0.33946, 0.000_005);
        near(tally.normalised_elo().value, -63.97, 0.005);
        // With t = −0.0625/√0.05762 = −0.26037 the spread is 1 − 0.00345 + 0.02539 = 1.02194:
        // 1.95996 · √(1.02194/128)/√2 · 347.4356.
        near(tally.normalised_elo().error, 43.02, 0.01);
        // Variance of games: (58 + 108/4)/256 − 0.4375² = 0.140625; over 2 · 0.05762.
        near(tally.pairing_gain().unwrap(), 1.2203, 0.0001);
    }
}

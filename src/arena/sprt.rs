//! The sequential probability ratio test: play until one of two hypotheses about the difference in
//! strength can be accepted.
//!
//! The ratio is that of the greatest likelihoods which the results can have under each hypothesis
//! (generalised SPRT): a multinomial distribution has more parameters than the hypothesis fixes, and
//! the rest is fitted. M. Van den Bergh derives the fits: for a given expected score in
//! [proposition 1.1 of *support MLE
//! multinomial*](https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf), for a given normalised
//! Elo in section 4.1 of [*Comments on normalized
//! Elo*](https://www.cantate.be/Fishtest/normalized_elo_practical.pdf).

use std::f64::consts::SQRT_2;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::statistics::{NORMALISED_ELO, Tally, score_of_elo};

/// The greatest difference, in Elo of either model, that a hypothesis can name.
pub const MAX_ELO: f64 = 1000.0;

/// What outcomes that never occurred count, as in Fishtest: without it they would be impossible
/// under every hypothesis.
const UNSEEN: f64 = 1e-3;

/// What the difference in strength is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo: the expected score is 1/(1 + 10^(−e/400)).
    Logistic,
    /// Normalised Elo: the expected score is ½ + σe ln 10/800, with σ the standard deviation of a
    /// game's score. How many games a test takes then hardly depends on openings and draws.
    Normalised,
}

/// Why there can be no such test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// A hypothesis is not a number, or out of reach.
    #[error("{name} is {value}, but must be a number from −{MAX_ELO} to {MAX_ELO}")]
    Elo {
        /// Which: elo0 or elo1.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The hypotheses are equal or the wrong way round.
    #[error("elo0 is {elo0} and elo1 is {elo1}, but elo0 must be less than elo1")]
    Order {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
    },
    /// The share of wrong decisions is none that can be kept to.
    #[error("{name} is {value}, but must be above 0 and below 0.5, as 0.05 is")]
    Risk {
        /// Which: alpha or beta.
        name: &'static str,
        /// What it is.
        value: f64,
    },
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing yet.
    Continue,
    /// The difference is elo0 or less.
    AcceptH0,
    /// The difference is elo1 or more.
    AcceptH1,
}

/// A test of elo1 (H1) against elo0 (H0).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// Tests whether the first engine is stronger by `elo1` rather than by `elo0`, in Elo of the
    /// model. `alpha` is the share of tests that may accept H1 where H0 is true, `beta` that of tests
    /// which may accept H0 where H1 is.
    ///
    /// # Errors
    ///
    /// Unless both differences are within ±[`MAX_ELO`] and `elo0` is the lesser, and both shares are
    /// above 0 and below 0.5.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Self, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            // Not a number is in no range either.
            if !(f64::MIN_POSITIVE..0.5).contains(&value) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The difference under H0, in Elo of the model.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, in Elo of the model.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The share of tests, 0 … 0.5, that may accept H1 where H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The share of tests, 0 … 0.5, that may accept H0 where H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// What the differences are measured in.
    pub fn model(&self) -> Model {
        self.model
    }

    /// At which log-likelihood ratios H0 and H1 are accepted, the negative one first: Wald's
    /// (ln(β/(1 − α)), ln((1 − β)/α)).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio of H1 to H0, natural logarithm: negative where the
    /// results speak for H0, 0 without games.
    ///
    /// The results are the complete pairs, and games that wait for their partners are left out; if no
    /// pair is complete they are the games. Outcomes that never occurred count 0.001.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.complete_pairs() > 0 {
            self.ratio(tally.pairs, SQRT_2)
        } else if tally.games() > 0 {
            self.ratio([tally.losses, tally.draws, tally.wins], 1.0)
        } else {
            0.0
        }
    }

    /// What the results say: [`Self::llr`] against [`Self::bounds`].
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (lower, upper) = self.bounds();
        let ratio = self.llr(tally);
        if ratio >= upper {
            Verdict::AcceptH1
        } else if ratio <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }

    /// `deviations` is how many standard deviations of an outcome are one of a game.
    fn ratio<const N: usize>(&self, counts: [u64; N], deviations: f64) -> f64 {
        let observed = Observed::new(counts);
        let fit = |elo| match self.model {
            Model::Logistic => observed.with_mean(score_of_elo(elo)),
            Model::Normalised => observed.with_t(deviations * elo / NORMALISED_ELO),
        };
        // Hypotheses within ±MAX_ELO always have a fit.
        let fits = fit(self.elo0).zip(fit(self.elo1));
        fits.map_or(0.0, |(h0, h1)| observed.total * (h1.likelihood - h0.likelihood))
    }
}

/// Shares of N outcomes whose scores are equally spaced from 0 to 1.
struct Observed<const N: usize> {
    total: f64,
    shares: [f64; N],
}

/// The distribution that makes what was observed most likely, of those that meet a condition.
#[derive(Clone, Copy, Debug)]
struct Fit<const N: usize> {
    shares: [f64; N],
    /// The mean log-likelihood of an outcome, less that under the shares observed: Σ oᵢ ln(pᵢ/oᵢ).
    likelihood: f64,
}

fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|at| at as f64 / (N - 1) as f64)
}

/// Mean and standard deviation of the score.
fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    let scores = scores::<N>();
    let mean: f64 = shares.iter().zip(scores).map(|(share, score)| share * score).sum();
    let variance: f64 =
        shares.iter().zip(scores).map(|(share, score)| share * (score - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

impl<const N: usize> Observed<N> {
    fn new(counts: [u64; N]) -> Self {
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total = counts.iter().sum();
        Self { total, shares: counts.map(|count| count / total) }
    }

    /// With Σ pᵢfᵢ = 0. By Lagrange, pᵢ = oᵢ/(1 + xfᵢ) with Σ oᵢfᵢ/(1 + xfᵢ) = 0, whose left side
    /// falls in x wherever all denominators are positive. `None` if all fᵢ have one sign.
    fn orthogonal_to(&self, f: [f64; N]) -> Option<Fit<N>> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        // No share exceeds 1, so 1 + xfᵢ ≥ oᵢ.
        for (share, f) in self.shares.iter().zip(f) {
            if f > 0.0 {
                low = low.max((share - 1.0) / f);
            } else if f < 0.0 {
                high = high.min((share - 1.0) / f);
            }
        }
        if low.is_infinite() || high.is_infinite() {
            return None;
        }
        let slope = |x: f64| -> f64 {
            self.shares.iter().zip(f).map(|(share, f)| share * f / (1.0 + x * f)).sum()
        };
        let x = loop {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break middle;
            }
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        };
        let shares = std::array::from_fn(|at| self.shares[at] / (1.0 + x * f[at]));
        let likelihood = self.shares.iter().zip(f).map(|(share, f)| -share * (x * f).ln_1p()).sum();
        Some(Fit { shares, likelihood })
    }

    /// With that expected score, between 0 and 1.
    fn with_mean(&self, mean: f64) -> Option<Fit<N>> {
        self.orthogonal_to(scores::<N>().map(|score| score - mean))
    }

    /// With mean m and standard deviation s such that (m − ½)/s = t.
    ///
    /// Where p meets the condition, it is to first order Σ pᵢfᵢ = 0 with
    /// fᵢ = aᵢ − ½ − ts/2 · (1 + ((aᵢ − m)/s)²), so m and s are those of the fit under the last m and
    /// s until they settle. Several may settle where t lies beyond what was observed, as the
    /// distributions with t or more are no convex set; hence several starts, of which the likeliest
    /// end counts.
    fn with_t(&self, t: f64) -> Option<Fit<N>> {
        // Narrow ones about each score beyond ½, since t asks for them if it is large.
        let narrow = scores::<N>().into_iter().filter(|&score| score > 0.5).map(|score| {
            let over = score - 0.5;
            (0.5 + over.copysign(t), over / (2.0 * t.abs().max(1.0)))
        });
        let starts =
            [moments(&[1.0 / N as f64; N]), moments(&self.shares)].into_iter().chain(narrow);
        starts
            .filter_map(|start| self.settled(t, start))
            .max_by(|one, other| one.likelihood.total_cmp(&other.likelihood))
    }

    /// From a mean and a standard deviation. `None` if that leads nowhere.
    fn settled(&self, t: f64, (mut mean, mut deviation): (f64, f64)) -> Option<Fit<N>> {
        let mut fit = Fit { shares: [0.0; N], likelihood: f64::NEG_INFINITY };
        for _ in 0..200 {
            let last = fit.shares;
            fit = self.orthogonal_to(scores::<N>().map(|score| {
                let far = (score - mean) / deviation;
                score - 0.5 - t * deviation / 2.0 * (1.0 + far * far)
            }))?;
            (mean, deviation) = moments(&fit.shares);
            if fit.shares.iter().zip(last).all(|(share, last)| (share - last).abs() < 1e-12) {
                break;
            }
        }
        // Rounding can keep the last digits from coming to rest, so this decides.
        ((mean - 0.5 - t * deviation).abs() < 1e-7).then_some(fit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, ..Tally::default() }
    }

    fn pairs(pairs: [u64; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[track_caller]
    fn near(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() <= within, "{value} is not {expected} ± {within}");
    }

    #[test]
    fn refuses_what_is_no_test() {
        let refused = |elo0, elo1, alpha, beta| {
            Sprt::new(elo0, elo1, alpha, beta, Model::Logistic).unwrap_err().to_string()
        };
        assert_eq!(
            refused(5.0, 0.0, 0.05, 0.05),
            "elo0 is 5 and elo1 is 0, but elo0 must be less than elo1"
        );
        assert_eq!(
            refused(1.5, 1.5, 0.05, 0.05),
            "elo0 is 1.5 and elo1 is 1.5, but elo0 must be less than elo1"
        );
        assert_eq!(
            refused(f64::NAN, 0.0, 0.05, 0.05),
            "elo0 is NaN, but must be a number from −1000 to 1000"
        );
        assert_eq!(
            refused(0.0, 1001.0, 0.05, 0.05),
            "elo1 is 1001, but must be a number from −1000 to 1000"
        );
        assert_eq!(
            refused(0.0, 5.0, 0.0, 0.05),
            "alpha is 0, but must be above 0 and below 0.5, as 0.05 is"
        );
        assert_eq!(
            refused(0.0, 5.0, 0.05, 0.5),
            "beta is 0.5, but must be above 0 and below 0.5, as 0.05 is"
        );
        assert!(refused(0.0, 5.0, f64::NAN, 0.05).starts_with("alpha is NaN"));
        assert!(refused(0.0, 5.0, 0.05, -0.1).starts_with("beta is -0.1"));
    }

    #[test]
    fn bounds_by_hand() {
        // ln(0.05/0.95) = −ln 19.
        let (lower, upper) = sprt(Model::Normalised, 0.0, 5.0).bounds();
        near(lower, -2.944_438_979, 1e-9);
        near(upper, 2.944_438_979, 1e-9);
        // ln(0.1/0.95), ln(0.9/0.05): the (−2.25, 2.89) of many a report.
        let (lower, upper) = Sprt::new(-5.0, 0.0, 0.05, 0.1, Model::Logistic).unwrap().bounds();
        near(lower, -2.251_291_799, 1e-9);
        near(upper, 2.890_371_758, 1e-9);
    }

    #[test]
    fn without_draws_the_fit_is_the_hypothesis() {
        // 60 wins, 40 losses: 60 ln(p₁/p₀) + 40 ln((1 − p₁)/(1 − p₀)), but for the 0.001 draws. Elo 0
        // is p₀ = ½, Elo 400 log₁₀ 1.5 = 70.436504 is p₁ = 0.6:
        // 60 ln 1.2 + 40 ln 0.8 = 10.939293 − 8.925742.
        near(sprt(Model::Logistic, 0.0, 70.436_504).llr(&games(60, 0, 40)), 2.013_551, 1e-3);
        // t = 0.1/√0.24 = 0.204124 for p₁ = 0.6, times 347.435586.
        near(sprt(Model::Normalised, 0.0, 70.919_9).llr(&games(60, 0, 40)), 2.013_551, 1e-3);
        // All pairs won: under t = elo √2/347.435586 = ±0.1 the fit wins p of them and loses the
        // others, with (p − ½)/√(p(1 − p)) = t, p = ½ + t/(2√(1 + t²)) = 0.549752 or 0.450248:
        // 20 ln(0.549752/0.450248).
        let elo = 24.567_406;
        near(sprt(Model::Normalised, -elo, elo).llr(&pairs([0, 0, 0, 0, 20])), 3.993_4, 2e-2);
    }

    /// From fastchess, `app/tests/sprt_test.cpp`.
    #[test]
    fn agrees_with_the_tests_of_fastchess() {
        let cases = [
            (Model::Normalised, 0.0, 2.0, games(36433, 68692, 36027), 0.92),
            (Model::Normalised, -1.75, 0.25, games(10871, 20431, 10650), 2.30),
            (Model::Logistic, 0.5, 2.5, games(21404, 40708, 21184), -1.57),
            (Model::Logistic, 0.0, 2.0, games(57433, 106_593, 57030), -2.59),
            (Model::Normalised, 0.0, 2.0, pairs([365, 16618, 36229, 16974, 390]), 2.25),
            (Model::Normalised, -1.75, 0.25, pairs([127, 4883, 10712, 5150, 104]), 3.01),
            (Model::Logistic, 0.5, 2.5, pairs([223, 9863, 21279, 10037, 246]), -3.07),
            (Model::Logistic, 0.0, 2.0, pairs([871, 26175, 55983, 26678, 821]), -4.98),
        ];
        for (model, elo0, elo1, tally, expected) in cases {
            near(sprt(model, elo0, elo1).llr(&tally), expected, 0.0051);
        }
    }

    /// As fastchess and `OpenBench` printed them: princesslana/princhess#343, lynx-chess/Lynx#1899 (in
    /// logistic Elo), kevlu8/PZChessBot#303, and in heofthetea/dhbw `SPRT.md`.
    #[test]
    fn agrees_with_reports() {
        let cases = [
            (Model::Normalised, -5.0, 0.0, [1, 22, 52, 21, 4], 0.15),
            (Model::Logistic, -5.0, 0.0, [235, 1384, 2521, 1341, 239], 1.69),
            (Model::Normalised, -5.0, 0.0, [89, 1928, 3765, 1956, 99], 2.89),
            (Model::Normalised, 0.0, 20.0, [0, 0, 2, 0, 37], 2.96),
        ];
        for (model, elo0, elo1, counts, expected) in cases {
            near(sprt(model, elo0, elo1).llr(&pairs(counts)), expected, 0.0051);
        }
    }

    /// As Fishtest printed them, in official-stockfish/Stockfish#4403, #6255 and #6268. The
    /// verdicts are not compared: Fishtest moves the bounds by the overshoot it expects.
    #[test]
    fn agrees_with_reports_of_fishtest() {
        let sprt = sprt(Model::Normalised, -1.75, 0.25);
        for (counts, expected) in [
            ([1402, 55789, 136_915, 55460, 1426], 2.96),
            ([173, 43599, 134_275, 43384, 181], 2.94),
            ([44, 11252, 34531, 10903, 50], -2.94),
            ([317, 12094, 28735, 12231, 319], 2.96),
            ([47, 9917, 26934, 10064, 45], 2.94),
            ([557, 20676, 53260, 20693, 574], 2.98),
            ([117, 22417, 61364, 22462, 107], 2.96),
        ] {
            near(sprt.llr(&pairs(counts)), expected, 0.0051);
        }
    }

    /// From the page of raw statistics of montytest's test 69d3c8dc7c5b3724e29d2712, normalised bounds
    /// 0 and 4, which it gives as 0 and 2.716 in logistic Elo. The last digits of the latter are
    /// missing there.
    #[test]
    fn agrees_with_raw_statistics() {
        let tally = pairs([13, 37, 50, 25, 3]);
        near(sprt(Model::Normalised, 0.0, 4.0).llr(&tally), -0.54912, 0.000_005);
        near(sprt(Model::Logistic, 0.0, 2.716).llr(&tally), -0.53772, 0.000_12);
        // What each outcome adds, in the logistic model.
        let observed = Observed::new(tally.pairs);
        let h0 = observed.with_mean(0.5).unwrap();
        let h1 = observed.with_mean(score_of_elo(2.716)).unwrap();
        let jumps = [-0.022_039, -0.015_047, -0.004_307, 0.014_302, 0.054_441];
        for (at, jump) in jumps.into_iter().enumerate() {
            near((h1.shares[at] / h0.shares[at]).ln(), jump, 0.000_01);
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        for model in [Model::Logistic, Model::Normalised] {
            let sprt = sprt(model, -3.0, 4.0);
            near(sprt.llr(&Tally::default()), 0.0, 0.0);
            assert_eq!(sprt.verdict(&Tally::default()), Verdict::Continue);
        }
    }

    #[test]
    fn games_without_a_partner_wait() {
        let sprt = sprt(Model::Logistic, 0.0, 5.0);
        let even = pairs([3, 9, 20, 11, 4]);
        near(sprt.llr(&Tally { wins: 70, ..even }), sprt.llr(&even), 0.0);
    }

    #[test]
    fn the_sign_is_that_of_the_nearer_hypothesis() {
        let (strong, weak) = (games(400, 300, 300), games(300, 300, 400));
        for model in [Model::Logistic, Model::Normalised] {
            let sprt = sprt(model, -20.0, 20.0);
            assert_eq!(sprt.verdict(&strong), Verdict::AcceptH1);
            assert_eq!(sprt.verdict(&weak), Verdict::AcceptH0);
            near(sprt.llr(&games(300, 300, 300)), 0.0, 1e-9);
        }
    }

    #[test]
    fn independent_games_say_the_same_in_pairs() {
        // Losses, draws and wins as 2 : 5 : 3 make pairs as 4 : 20 : 25 + 12 : 30 : 9.
        let single = games(6000, 10000, 4000);
        let paired = Tally { pairs: [400, 2000, 3700, 3000, 900], ..single };
        for model in [Model::Logistic, Model::Normalised] {
            for (elo0, elo1) in [(0.0, 5.0), (28.0, 34.0), (40.0, 50.0)] {
                let sprt = sprt(model, elo0, elo1);
                let expected = sprt.llr(&single);
                near(sprt.llr(&paired), expected, 0.02 * expected.abs());
            }
        }
    }

    fn small_tallies() -> impl Iterator<Item = Tally> {
        let count = |code: usize, at: usize| [0, 1, 4, 90, 7000][code / 5_usize.pow(at as u32) % 5];
        let five = (1..3125).map(move |code| pairs([0, 1, 2, 3, 4].map(|at| count(code, at))));
        let three = (1..125).map(move |code| games(count(code, 0), count(code, 1), count(code, 2)));
        five.chain(three)
    }

    #[test]
    fn either_engine_sees_the_same_test() {
        for tally in small_tallies() {
            for model in [Model::Logistic, Model::Normalised] {
                let ratio = sprt(model, -2.0, 5.0).llr(&tally);
                let other = sprt(model, -5.0, 2.0).llr(&tally.reversed());
                assert!(ratio.is_finite(), "{tally:?}");
                near(ratio, -other, 1e-9 * ratio.abs().max(1.0));
            }
        }
    }

    /// Every fit is a distribution that meets its hypothesis, however far that is from the results.
    #[test]
    fn every_fit_meets_its_hypothesis() {
        fn check<const N: usize>(counts: [u64; N], deviations: f64) {
            let observed = Observed::new(counts);
            for elo in [-MAX_ELO, -300.0, -40.0, -1.75, 0.0, 0.25, 10.0, 150.0, 700.0, MAX_ELO] {
                let (mean, t) = (score_of_elo(elo), deviations * elo / NORMALISED_ELO);
                let fit = observed.with_mean(mean).unwrap();
                near(fit.shares.iter().sum(), 1.0, 1e-8);
                near(moments(&fit.shares).0, mean, 1e-8);
                let fit = observed.with_t(t).unwrap_or_else(|| panic!("{counts:?} {elo}"));
                near(fit.shares.iter().sum(), 1.0, 1e-8);
                let (mean, deviation) = moments(&fit.shares);
                near(mean - 0.5, t * deviation, 1e-7);
                assert!(fit.shares.iter().all(|&share| share >= 0.0), "{counts:?} {elo}");
                assert!(fit.likelihood <= 1e-12, "{counts:?} {elo}");
            }
        }
        for tally in small_tallies() {
            if tally.complete_pairs() > 0 {
                check(tally.pairs, SQRT_2);
            } else {
                check([tally.losses, tally.draws, tally.wins], 1.0);
            }
        }
    }

    /// No distribution of a fine grid that is on the hypothesis' side of the results is likelier than
    /// the fit.
    #[test]
    fn no_other_distribution_is_likelier() {
        const STEPS: usize = 36;
        let mut grid = Vec::new();
        for code in 0..(STEPS + 1).pow(4) {
            let digit = |at: u32| code / (STEPS + 1).pow(at) % (STEPS + 1);
            let four = [digit(0), digit(1), digit(2), digit(3)];
            if let Some(rest) = STEPS.checked_sub(four.iter().sum()) {
                let [a, b, c, d] = four;
                grid.push([a, b, c, d, rest].map(|steps| steps as f64 / STEPS as f64));
            }
        }
        for counts in [[13, 37, 50, 25, 3], [1, 0, 4, 2, 9], [40, 3, 0, 0, 1], [0, 0, 30, 0, 0]] {
            let observed = Observed::new(counts);
            let (mean, deviation) = moments(&observed.shares);
            let ratio = (mean - 0.5) / deviation;
            for elo in [-400.0, -90.0, -10.0, 0.0, 25.0, 90.0, 400.0] {
                let (score, t) = (score_of_elo(elo), SQRT_2 * elo / NORMALISED_ELO);
                let of_mean = observed.with_mean(score).unwrap().likelihood;
                let of_t = observed.with_t(t).unwrap().likelihood;
                for shares in &grid {
                    let terms = observed.shares.iter().zip(shares);
                    let likelihood: f64 = terms.map(|(o, p)| o * (p / o).ln()).sum();
                    let (grid_mean, grid_deviation) = moments(shares);
                    let beyond = |value: f64, hypothesis: f64, seen: f64| {
                        if hypothesis > seen { value >= hypothesis } else { value <= hypothesis }
                    };
                    if beyond(grid_mean, score, mean) {
                        assert!(likelihood <= of_mean + 1e-9, "{counts:?} {elo} {shares:?}");
                    }
                    if grid_deviation > 0.0 && beyond((grid_mean - 0.5) / grid_deviation, t, ratio)
                    {
                        assert!(likelihood <= of_t + 1e-9, "{counts:?} {elo} {shares:?}");
                    }
                }
            }
        }
    }
}

//! The course of a match as a picture.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use thiserror::Error;

/// Width and height in pixels.
const SIZE: (u32, u32) = (800, 450);
/// About as many points are drawn at most: there are no more pixels to tell them apart.
const MOST_POINTS: usize = 1000;
/// The most characters of the title, and of an engine's name.
const LONGEST_TITLE: usize = 60;
const LONGEST_NAME: usize = 30;
/// How many standard errors a normal distribution stays within 95 times out of 100.
const NINETY_FIVE: f64 = 1.96;
/// With fewer pairs there is no band: the first ones are often equal, and it would have no width.
const FEWEST_PAIRS: usize = 5;

const LINE: RGBColor = RGBColor(31, 94, 168);
const EVEN: RGBColor = RGBColor(120, 120, 120);
const GRID: RGBColor = RGBColor(228, 228, 228);

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlotError {
    /// A game gave points that no game gives.
    #[error("game {game} has {points} points; wanted 0, 0.5 or 1")]
    Points {
        /// The game, from 1.
        game: usize,
        /// Its points.
        points: String,
    },
    /// The drawing failed.
    #[error("the picture could not be drawn: {0}")]
    Drawing(String),
}

/// The score after some games.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Standing {
    games: usize,
    /// In percent of the points, 0 … 100.
    score: f64,
    /// How far the band reaches to either side, in percent; none after too few pairs.
    margin: Option<f64>,
}

/// An SVG of 800×450 pixels that shows the score of `first` against `second` as the games were
/// played, in percent of the points, with a band that holds the true score 95 times out of 100.
///
/// `points` are those of `first`, 0, 0.5 or 1 for each game, in the order of the games' numbers;
/// games 2k−1 and 2k are a pair. The band is the score ± 1.96·√(v/m), where m is the number of
/// complete pairs and v the variance of their scores, Σ(pair − mean)²/(m − 1): the games of a pair
/// share their opening and are not independent, pairs are. The band begins with the fifth pair
/// and says little as long as there are few. Equal arguments give equal bytes.
///
/// # Errors
/// Points below 0 or above 1, or a failure of the drawing.
pub fn svg(title: &str, first: &str, second: &str, points: &[f64]) -> Result<String, PlotError> {
    let wrong = points.iter().position(|point| !(0.0..=1.0).contains(point));
    if let Some((index, point)) = wrong.and_then(|index| Some((index, points.get(index)?))) {
        return Err(PlotError::Points { game: index + 1, points: point.to_string() });
    }
    let first = clip(first, LONGEST_NAME);
    let second = clip(second, LONGEST_NAME);
    let standings = standings(points);
    let mut text = String::new();
    draw(&mut text, &clip(title, LONGEST_TITLE), &first, &second, &standings)
        .map_err(|error| PlotError::Drawing(error.to_string()))?;
    Ok(text)
}

/// A text that XML can have, and that there is room for.
fn clip(text: &str, longest: usize) -> String {
    let is_text = |character: char| !matches!(character, '\0'..' ' | '\u{7f}'..'\u{a0}' | '\u{fffe}' | '\u{ffff}');
    let mut characters =
        text.chars().map(|character| if is_text(character) { character } else { ' ' });
    let mut clipped: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() {
        clipped.pop();
        clipped.push('…');
    }
    clipped
}

/// The standings that are drawn: evenly spread, and the last.
fn standings(points: &[f64]) -> Vec<Standing> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let mut standings = Vec::new();
    let (mut sum, mut pairs) = (0.0, Pairs::default());
    // The first game of a pair that is not complete.
    let mut waiting = None;
    for (index, &point) in points.iter().enumerate() {
        sum += point;
        match waiting.take() {
            None => waiting = Some(point),
            Some(other) => pairs.add(f64::midpoint(point, other)),
        }
        let games = index + 1;
        if games.is_multiple_of(step) || games == points.len() {
            let margin = pairs.margin().map(|margin| 100.0 * margin);
            standings.push(Standing { games, score: 100.0 * sum / games as f64, margin });
        }
    }
    standings
}

/// Sums over the scores of pairs.
#[derive(Default)]
struct Pairs {
    count: usize,
    sum: f64,
    squares: f64,
}

impl Pairs {
    fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        self.squares += score * score;
    }

    fn margin(&self) -> Option<f64> {
        let count = self.count as f64;
        // Scores are quarters, so these sums are exact, and equal scores have variance 0.
        let variance = (self.squares - self.sum * self.sum / count).max(0.0) / (count - 1.0);
        (self.count >= FEWEST_PAIRS).then(|| NINETY_FIVE * (variance / count).sqrt())
    }
}

/// The percentages that are shown. What happens in the first twentieth of the games may lie outside,
/// or else nothing would be seen of the rest of a long match.
fn range(standings: &[Standing]) -> (f64, f64) {
    let last = standings.last().map_or(0, |standing| standing.games);
    let (mut low, mut high) = (45.0_f64, 55.0_f64);
    for standing in standings.iter().filter(|standing| standing.games > last / 20) {
        let margin = standing.margin.unwrap_or_default();
        low = low.min(standing.score - margin);
        high = high.max(standing.score + margin);
    }
    let room = (high - low) / 20.0;
    let low = ((low - room) / 5.0).floor() * 5.0;
    let high = ((high + room) / 5.0).ceil() * 5.0;
    (low.clamp(0.0, 100.0), high.clamp(0.0, 100.0))
}

/// The last standing in words.
fn summary(first: &str, second: &str, standings: &[Standing]) -> String {
    let Some(last) = standings.last() else {
        return format!("{first} – {second}: no games yet");
    };
    let margin = last.margin.map(|margin| format!(" ± {margin:.1}")).unwrap_or_default();
    let games = if last.games == 1 { "game" } else { "games" };
    format!("{first} – {second}: {:.1}{margin} % after {} {games}", last.score, last.games)
}

fn draw(
    text: &mut String,
    title: &str,
    first: &str,
    second: &str,
    standings: &[Standing],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let games = standings.last().map_or(1, |standing| standing.games);
    let (low, high) = range(standings);
    let inside = |percent: f64| percent.clamp(low, high);
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let middle = SIZE.0 as i32 / 2;
    let centred = |size: i32, color: RGBColor| {
        ("sans-serif", size).into_font().color(&color).pos(Pos::new(HPos::Center, VPos::Top))
    };
    root.draw_text(title, &centred(22, BLACK), (middle, 12))?;
    root.draw_text(&summary(first, second, standings), &centred(15, EVEN), (middle, 42))?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(70)
        .margin_right(30)
        .margin_bottom(10)
        .margin_left(10)
        .x_label_area_size(45)
        .y_label_area_size(60)
        .build_cartesian_2d(0..games, low..high)?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(EVEN)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 15))
        .x_labels(games.clamp(1, 10))
        .y_labels(10)
        .x_desc("games")
        .y_desc(format!("score of {first} in %"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .draw()?;
    let edge = |sign: f64| {
        standings.iter().filter_map(move |standing| {
            Some((standing.games, inside(standing.score + sign * standing.margin?)))
        })
    };
    let band: Vec<_> = edge(1.0).chain(edge(-1.0).collect::<Vec<_>>().into_iter().rev()).collect();
    if !band.is_empty() {
        chart.draw_series([Polygon::new(band, LINE.mix(0.18))])?;
    }
    chart.draw_series(LineSeries::new([(0, 50.0), (games, 50.0)], EVEN))?;
    let mut line = standings.iter().map(|standing| (standing.games, inside(standing.score)));
    chart.draw_series(LineSeries::new(line.clone(), LINE.stroke_width(2)))?;
    chart.draw_series(line.next_back().map(|end| Circle::new(end, 3, LINE.filled())))?;
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_clipped() {
        let long = "x".repeat(1000);
        let picture = svg("<a> & \"b\"\u{1}\n\u{ffff}", "one & <two>", &long, &[1.0, 0.5]).unwrap();
        assert!(picture.starts_with("<svg width=\"800\" height=\"450\""), "{picture}");
        assert!(picture.contains("&lt;a&gt; &amp; &quot;b&quot;"), "{picture}");
        assert!(picture.contains("score of one &amp; &lt;two&gt; in %"), "{picture}");
        assert!(!picture.contains("<a>") && !picture.contains("<two>"));
        assert!(!picture.contains(['\u{1}', '\u{ffff}']) && !picture.contains(&long));
        assert!(picture.contains("– xxxxxxxxxxxxxxxxxxxxxxxxxxxxx…:"), "{picture}");
    }

    #[test]
    fn few_games_and_many_are_drawn() {
        for (count, words) in [
            (0, "a – b: no games yet"),
            (1, "a – b: 100.0 % after 1 game"),
            (3, "a – b: 66.7 % after 3 games"),
            (4, "a – b: 75.0 % after 4 games"),
            (100_000, "a – b: 62.5 ± 0.2 % after 100000 games"),
        ] {
            let points: Vec<_> =
                (0..count).map(|game| [1.0, 0.5, 0.5, 1.0, 0.5, 0.0, 1.0, 0.5][game % 8]).collect();
            let picture = svg("t", "a", "b", &points).unwrap();
            assert!(picture.contains(words), "{count}: {picture}");
            assert!(picture.len() < 60_000, "{count}: {}", picture.len());
            assert!(!picture.contains("NaN"));
            assert_eq!(picture, svg("t", "a", "b", &points).unwrap());
        }
        assert_eq!(standings(&vec![0.5; 100_000]).len(), MOST_POINTS);
        assert_eq!(standings(&vec![0.5; 1_001]).last().map(|last| last.games), Some(1_001));
    }

    #[test]
    fn pairs_make_the_band() {
        let pairs = [[1.0, 0.0], [1.0, 1.0], [0.5, 1.0], [0.5, 0.5], [1.0, 0.5]];
        let points = [pairs.as_flattened(), &[1.0]].concat();
        let standings = standings(&points);
        let scores: Vec<_> = standings.iter().map(|standing| standing.score).collect();
        assert_eq!(scores[..2], [100.0, 50.0]);
        assert_eq!(standings[8].margin, None);
        // Scores of 0.5, 1, 0.75, 0.5, 0.75: the squares of their distances from 0.7 sum to 0.175.
        let margin = standings[9].margin.unwrap();
        assert!((margin - 196.0 * (0.175_f64 / 4.0 / 5.0).sqrt()).abs() < 1e-9);
        assert_eq!(standings[10].margin, Some(margin));
    }

    #[test]
    fn impossible_points_are_named() {
        for (points, named) in [(f64::NAN, "NaN"), (-0.5, "-0.5"), (2.0, "2")] {
            let error = svg("", "", "", &[0.5, points]).unwrap_err().to_string();
            assert_eq!(error, format!("game 2 has {named} points; wanted 0, 0.5 or 1"));
        }
    }
}

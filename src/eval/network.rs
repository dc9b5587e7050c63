//! A learned part of the evaluation: a network with one hidden layer whose sums are kept
//! incrementally while pieces change (NNUE, Nasu 2018).
//!
//! The board is seen once from each side: own men and the enemy's by kind and square, ranks counted
//! from the own side and files from the side on which the own king stands. Each of the [`HIDDEN`]
//! sums of either view is clipped to 0 … 1 and squared; the output is linear in them, with weights
//! of its own for each of [`BUCKETS`] numbers of men.

use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::core::{Bitboard, Color, Geometry, Score, Square};
use crate::game::kernel::{Piece, State};
use crate::game::{AnySetup, Game, GameOptions, GeometryOf, SquareOf, VARIANTS, with_game};

/// Sums of a view, the most that a network may have; the others of a narrower one are nothing.
pub const HIDDEN: usize = 256;
/// Sums come in so many: the width of a network's file is told in these.
const GRAIN: usize = 16;
/// Numbers of men told apart.
pub const BUCKETS: usize = 8;

/// What stands for 1 in the sums.
pub(crate) const SUM_ONE: i32 = 255;
/// What stands for 1 in the output's weights.
pub(crate) const OUTPUT_ONE: i32 = 64;
/// Centipawns for 1 in the output: the logistic curve of the expected score, with 100 centipawns at
/// three quarters, is then that of the output itself.
pub(crate) const CENTIPAWNS: f32 = 91.023_92;

const MAGIC: &[u8; 8] = b"aleanet2";

/// The sums of a view before they are clipped, or one man's part in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub(crate) [i16; HIDDEN]);

impl Row {
    /// Of nothing.
    pub const ZERO: Self = Self([0; HIDDEN]);

    #[inline(always)]
    fn add(&mut self, other: &[i16; HIDDEN]) {
        for (sum, part) in self.0.iter_mut().zip(other) {
            *sum = sum.wrapping_add(*part);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &[i16; HIDDEN]) {
        for (sum, part) in self.0.iter_mut().zip(other) {
            *sum = sum.wrapping_sub(*part);
        }
    }

    /// The sum of weight × clipped². A weight is below 128, so that its product with a clipped sum is
    /// an `i16`, and all of them together are an `i32`.
    #[inline(always)]
    fn output(&self, weights: &Self) -> i32 {
        let mut sum = 0;
        for (&hidden, &weight) in self.0.iter().zip(&weights.0) {
            let clipped = hidden.clamp(0, SUM_ONE as i16);
            sum += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
        }
        sum
    }
}

/// Why bytes are no network for a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The first bytes are others.
    #[error("it does not begin with {:?}", String::from_utf8_lossy(MAGIC))]
    Magic,
    /// It is too long or too short.
    #[error("it has {found} bytes, not {wanted}")]
    Length {
        /// Of the file.
        found: usize,
        /// Of such a network.
        wanted: usize,
    },
    /// It has no sums, or more than a view.
    #[error("it has {0} sums to a view; wanted {GRAIN} to {HIDDEN}")]
    Width(usize),
    /// An output weight would overflow.
    #[error("an output weight is {0}; wanted −127 to 127")]
    Weight(i16),
}

/// What a network is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Kinds of men.
    pub kinds: u8,
    /// Files of the board.
    pub files: u8,
    /// Ranks of the board.
    pub ranks: u8,
    /// Whether its output is all of the evaluation, and not added to the weighted features.
    pub alone: bool,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kinds of men on {} by {} squares", self.kinds, self.files, self.ranks)
    }
}

impl Shape {
    /// That of a game.
    pub fn of<G: Game>(alone: bool) -> Self {
        Self {
            kinds: <G::Men as crate::game::kernel::Men>::KINDS as u8,
            files: GeometryOf::<G>::FILES as u8,
            ranks: GeometryOf::<G>::RANKS as u8,
            alone,
        }
    }

    /// The games with such men and boards, by their names in [`VARIANTS`].
    pub fn variants(self) -> impl Iterator<Item = &'static str> {
        let options = GameOptions::default();
        VARIANTS.iter().copied().filter(move |name| {
            AnySetup::named(name, &options)
                .is_some_and(|any| with_game!(any, G, _setup => self == Self::of::<G>(self.alone)))
        })
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        2 * usize::from(self.kinds) * usize::from(self.files) * usize::from(self.ranks)
    }

    /// The length of such a network's file with so many sums.
    fn bytes(self, width: usize) -> usize {
        HEADER + 2 * width * (self.rows() + 1) + BUCKETS * (4 * width + 4)
    }
}

const HEADER: usize = MAGIC.len() + 5;

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(crate) shape: Shape,
    /// Sums that may be other than nothing.
    pub(crate) width: usize,
    /// By [`row_of`].
    pub(crate) rows: Vec<Row>,
    pub(crate) bias: Row,
    /// For the side to decide, then for the other one.
    pub(crate) output: [[Row; 2]; BUCKETS],
    pub(crate) output_bias: [i32; BUCKETS],
}

/// Which row a piece on a square is in a view.
#[inline(always)]
pub(crate) fn row_of<G: Game>(
    piece: Piece,
    square: SquareOf<G>,
    view: Color,
    mirrored: bool,
) -> usize {
    let squares = GeometryOf::<G>::SQUARES;
    let kinds = <G::Men as crate::game::kernel::Men>::KINDS;
    let side = if piece.color() == view { 0 } else { kinds };
    let square = square.relative(view);
    let square = if mirrored {
        let files = GeometryOf::<G>::FILES;
        square.index() + files - 1 - 2 * square.file()
    } else {
        square.index()
    };
    (side + piece.kind().index()) * squares + square
}

/// Whether the view of a side whose king stands there counts files from the other end.
#[inline(always)]
pub(crate) fn mirrors<G: Geometry>(king: Square<G>) -> bool {
    king.file() >= G::FILES / 2
}

/// Which output weights hold for so many men on the board.
#[inline(always)]
pub(crate) fn bucket_of<G: Geometry>(occupied: Bitboard<G>) -> usize {
    // As many men as fill the first two and the last two ranks are in the last bucket.
    let full = 4 * G::FILES;
    ((occupied.count() as usize).saturating_sub(1) * BUCKETS / full).min(BUCKETS - 1)
}

impl Network {
    /// Reads a network's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Some((magic, rest)) = bytes.split_at_checked(MAGIC.len()) else {
            return Err(NetworkError::Magic);
        };
        if magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let &[kinds, files, ranks, alone, grains, ref data @ ..] = rest else {
            return Err(NetworkError::Length { found: bytes.len(), wanted: HEADER });
        };
        let shape = Shape { kinds, files, ranks, alone: alone != 0 };
        let width = usize::from(grains) * GRAIN;
        if !(GRAIN..=HIDDEN).contains(&width) {
            return Err(NetworkError::Width(width));
        }
        if bytes.len() != shape.bytes(width) {
            return Err(NetworkError::Length { found: bytes.len(), wanted: shape.bytes(width) });
        }
        let mut numbers = data.as_chunks::<2>().0.iter().map(|&number| i16::from_le_bytes(number));
        let mut row = || {
            let mut row = Row::ZERO;
            for (to, from) in row.0[..width].iter_mut().zip(&mut numbers) {
                *to = from;
            }
            row
        };
        let rows = (0..shape.rows()).map(|_| row()).collect();
        let bias = row();
        let output: [[Row; 2]; BUCKETS] = std::array::from_fn(|_| std::array::from_fn(|_| row()));
        if let Some(&wrong) = output
            .iter()
            .flatten()
            .flat_map(|row| &row.0)
            .find(|weight| weight.unsigned_abs() > 127)
        {
            return Err(NetworkError::Weight(wrong));
        }
        let mut halves = || numbers.next().unwrap_or(0);
        let output_bias = std::array::from_fn(|_| {
            let (low, high) = (halves(), halves());
            i32::from(low) & 0xffff | i32::from(high) << 16
        });
        Ok(Self { shape, width, rows, bias, output, output_bias })
    }

    /// Whether it is for games with such men and boards.
    pub fn fits<G: Game>(&self) -> bool {
        self.shape == Shape::of::<G>(self.shape.alone)
    }

    /// What it is for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network's file.
    pub fn write(&self) -> Vec<u8> {
        let Shape { kinds, files, ranks, alone } = self.shape;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([kinds, files, ranks, u8::from(alone), (self.width / GRAIN) as u8]);
        let rows = self.rows.iter().chain([&self.bias]).chain(self.output.iter().flatten());
        let numbers = rows.flat_map(|row| &row.0[..self.width]);
        bytes.extend(numbers.copied().flat_map(i16::to_le_bytes));
        bytes.extend(self.output_bias.into_iter().flat_map(i32::to_le_bytes));
        bytes
    }

    /// A view summed from nothing but the position.
    fn view<G: Game>(&self, state: &State<G::Men>, view: Color, mirrored: bool) -> Row {
        let mut sum = self.bias;
        for (square, piece) in state.board().pieces() {
            sum.add(&self.rows[row_of::<G>(piece, square, view, mirrored)].0);
        }
        sum
    }

    /// A view after pieces have come and gone.
    #[inline(always)]
    fn follow<G: Game>(
        &self,
        from: &Row,
        to: &mut Row,
        changes: &Changes,
        view: Color,
        mirrored: bool,
    ) {
        let row = |&(piece, square): &(Piece, u8)| {
            &self.rows[row_of::<G>(piece, Square::new(square.into()), view, mirrored)].0
        };
        let parts = to.0.iter_mut().zip(&from.0);
        match (changes.came.as_slice(), changes.went.as_slice()) {
            // A move and a capture: in one pass.
            ([a], [b]) => {
                for ((to, from), (a, b)) in parts.zip(row(a).iter().zip(row(b))) {
                    *to = from.wrapping_add(*a).wrapping_sub(*b);
                }
            }
            ([a], [b, c]) => {
                let rows = row(a).iter().zip(row(b)).zip(row(c));
                for ((to, from), ((a, b), c)) in parts.zip(rows) {
                    *to = from.wrapping_add(*a).wrapping_sub(*b).wrapping_sub(*c);
                }
            }
            (came, went) => {
                *to = *from;
                for piece in came {
                    to.add(row(piece));
                }
                for piece in went {
                    to.subtract(row(piece));
                }
            }
        }
    }

    /// Sums what is missing of the last position of a line.
    #[inline]
    fn catch_up<G: Game>(&self, state: &State<G::Men>, line: &mut Line) {
        let last = line.last;
        for color in Color::ALL {
            let side = color.index();
            let mirrored = line.steps[last].mirrored[side];
            let mut known = last;
            while !line.steps[known].known[side] && !line.steps[known].breaks[side] {
                known -= 1;
            }
            if line.steps[known].known[side] {
                for index in known..last {
                    let (before, after) = line.steps.split_at_mut(index + 1);
                    let (before, after) = (&before[index], &mut after[0]);
                    let (from, to) = (&before.rows[side], &mut after.rows[side]);
                    self.follow::<G>(from, to, &after.changes, color, mirrored);
                    after.known[side] = true;
                }
            } else {
                let step = &mut line.steps[last];
                step.rows[side] = self.view::<G>(state, color, mirrored);
                step.known[side] = true;
            }
        }
    }

    /// The output in centipawns, for the side to decide.
    #[inline]
    pub(super) fn evaluate<G: Game>(&self, position: &G, line: &mut Line) -> Score {
        self.catch_up::<G>(position.state(), line);
        let rows = &line.steps[line.last].rows;
        let us = position.turn();
        let bucket = bucket_of(position.state().board().occupied());
        let [own, enemy] = &self.output[bucket];
        let sum = rows[us.index()].output(own) + rows[(!us).index()].output(enemy);
        // A file's bias may be any number.
        let output = (sum / SUM_ONE).saturating_add(self.output_bias[bucket]) as f32;
        (output * (CENTIPAWNS / (SUM_ONE * OUTPUT_ONE) as f32)) as Score
    }
}

/// Pieces that came and went with an action.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    came: ArrayVec<(Piece, u8), MOST_CHANGES>,
    went: ArrayVec<(Piece, u8), MOST_CHANGES>,
    /// There were more than have room here.
    many: bool,
}

/// More of either kind, as in great explosions, and the views are summed anew.
const MOST_CHANGES: usize = 6;

impl Changes {
    #[inline(always)]
    pub(super) fn put<G: Geometry>(&mut self, piece: Piece, square: Square<G>) {
        self.many |= self.came.try_push((piece, square.index() as u8)).is_err();
    }

    #[inline(always)]
    pub(super) fn taken<G: Geometry>(&mut self, piece: Piece, square: Square<G>) {
        self.many |= self.went.try_push((piece, square.index() as u8)).is_err();
    }

    fn clear(&mut self) {
        self.came.clear();
        self.went.clear();
        self.many = false;
    }
}

/// Both views of a position on a line.
#[derive(Clone, Debug)]
struct Step {
    rows: [Row; 2],
    known: [bool; 2],
    /// The view does not follow from the one before: the own king has changed halves.
    breaks: [bool; 2],
    /// Whether files are counted from the other end, as the own king stands there.
    mirrored: [bool; 2],
    /// What was other in the position before.
    changes: Changes,
}

impl Step {
    fn new() -> Self {
        Self {
            rows: [Row::ZERO; 2],
            known: [false; 2],
            breaks: [true; 2],
            mirrored: [false; 2],
            changes: Changes::default(),
        }
    }
}

/// The positions from a root to where a search stands, with the network's sums as far as they have
/// been asked for.
#[derive(Clone, Debug)]
pub struct Line {
    steps: Vec<Step>,
    last: usize,
}

impl Line {
    /// Of nothing but the root.
    pub fn new<G: Game>(root: &G) -> Self {
        let mut line = Self { steps: vec![Step::new(); 2], last: 0 };
        line.steps[0].mirrored = mirrored(root);
        line
    }

    /// One position more, the same as the last as long as nothing is told of changes.
    #[inline(always)]
    pub(super) fn push(&mut self) -> &mut Changes {
        self.last += 1;
        if self.last == self.steps.len() {
            self.steps.push(Step::new());
        }
        let (before, after) = self.steps.split_at_mut(self.last);
        let step = &mut after[0];
        step.known = [false; 2];
        step.breaks = [false; 2];
        step.mirrored = before[self.last - 1].mirrored;
        step.changes.clear();
        &mut step.changes
    }

    /// All changes are told.
    #[inline(always)]
    pub(super) fn arrive<G: Game>(&mut self, position: &G) {
        let step = &mut self.steps[self.last];
        let mirrored = mirrored(position);
        let many = step.changes.many;
        step.breaks = Color::ALL.map(Color::index).map(|s| many || mirrored[s] != step.mirrored[s]);
        step.mirrored = mirrored;
    }

    /// Back to the position before.
    ///
    /// # Panics
    /// At the root.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.last -= 1;
    }
}

/// Whose view counts files from the other end.
#[inline(always)]
fn mirrored<G: Game>(position: &G) -> [bool; 2] {
    let state = position.state();
    Color::ALL.map(|color| state.has_king(color) && mirrors(state.king(color)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use crate::eval::{Evaluator, networks};
    use crate::game::blender::Blender100;
    use crate::game::chess::{Chess, Setup};
    use crate::game::{Family, perft};

    use super::*;

    fn random_network<G: Game>(seed: u64) -> Network {
        let mut random = StdRng::seed_from_u64(seed);
        let mut row = |most: i16| Row(std::array::from_fn(|_| random.random_range(-most..=most)));
        let shape = Shape::of::<G>(true);
        Network {
            shape,
            width: HIDDEN,
            rows: (0..shape.rows()).map(|_| row(300)).collect(),
            bias: row(300),
            output: std::array::from_fn(|_| std::array::from_fn(|_| row(127))),
            output_bias: std::array::from_fn(|bucket| 70_000 * bucket as i32 - 200_000),
        }
    }

    /// The output as the module's first words say, in exact numbers.
    fn told(network: &Network, position: &Chess) -> f64 {
        let board = position.state().board();
        let bucket = bucket_of(board.occupied());
        let us = position.turn();
        let mut sum = f64::from(network.output_bias[bucket]);
        for (view, weights) in [us, !us].into_iter().zip(&network.output[bucket]) {
            let far = position.state().king(view).file() >= 4;
            for hidden in 0..HIDDEN {
                let mut total = f64::from(network.bias.0[hidden]);
                for (square, piece) in board.pieces() {
                    let rank = if view == Color::White { square.rank() } else { 7 - square.rank() };
                    let file = if far { 7 - square.file() } else { square.file() };
                    let side = if piece.color() == view { 0 } else { 6 };
                    let row = (side + piece.kind().index()) * 64 + rank * 8 + file;
                    total += f64::from(network.rows[row].0[hidden]);
                }
                let clipped = total.clamp(0.0, 255.0) / 255.0;
                sum += clipped * clipped * 255.0 * f64::from(weights.0[hidden]);
            }
        }
        sum / (255.0 * 64.0) * f64::from(CENTIPAWNS)
    }

    #[test]
    fn the_output_is_what_the_words_say() {
        let network = random_network::<Chess>(1);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "2kr3r/ppp2p2/8/8/4q3/8/PPP2PPP/1K1RR3 w - - 0 1",
            "8/8/8/3k4/8/8/3Q4/4K3 b - - 0 1",
        ] {
            let position = Chess::from_fen(&Setup::default(), fen).unwrap();
            let found = f64::from(network.evaluate(&position, &mut Line::new(&position)));
            let told = told(&network, &position);
            assert!((found - told).abs() < 2.0, "{fen}: {found}, not {told}");
        }
    }

    /// Forth and back through random games, asked for now and then.
    fn wander<G: Game>(setup: &G::Setup) {
        let network = Arc::new(random_network::<G>(4));
        let evaluator = Evaluator::<G>::of(setup).with_network(Some(network));
        let mut random = StdRng::seed_from_u64(5);
        let mut asked = 0;
        for _ in 0..40 {
            let root = G::start(setup);
            let mut line = Line::new(&root);
            let mut path = vec![(root.clone(), evaluator.fresh(&root))];
            for _ in 0..200 {
                let (position, sums) = path.last().unwrap();
                if random.random_ratio(1, 4) {
                    let kept = evaluator.evaluate(position, sums, &mut line);
                    assert_eq!(kept, evaluator.evaluate_fresh(position), "{}", position.fen(setup));
                    asked += 1;
                }
                let actions = perft::branches(position);
                if path.len() > 1 && (actions.is_empty() || random.random_ratio(1, 5)) {
                    path.pop();
                    line.pop();
                } else if let Some(&action) = actions.choose(&mut random) {
                    let (mut position, mut sums) = (position.clone(), *sums);
                    evaluator.play(&mut position, action, &mut sums, &mut line);
                    path.push((position, sums));
                }
            }
        }
        assert!(asked > 1000, "{asked}");
    }

    #[test]
    fn sums_kept_equal_sums_made() {
        for name in VARIANTS {
            let any = AnySetup::named(name, &GameOptions::default()).unwrap();
            with_game!(&any, G, setup => wander::<G>(setup));
        }
    }

    #[test]
    fn every_built_in_network_is_some_game_s() {
        let (mut built_in, mut fitting) = (HashSet::new(), HashSet::new());
        for name in VARIANTS {
            let any = AnySetup::named(name, &GameOptions::default()).unwrap();
            with_game!(&any, G, setup => {
                if let Some(file) = networks::network(G::family(setup)) {
                    built_in.insert(file);
                    if Network::read(file).unwrap().fits::<G>() {
                        fitting.insert(file);
                    }
                }
            });
        }
        assert_eq!(fitting, built_in);
        assert!(!built_in.is_empty());
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let network = random_network::<Chess>(2);
        let bytes = network.write();
        assert_eq!(Network::read(&bytes).unwrap(), network);
        let narrow = networks::network(Family::Mutation).unwrap();
        assert!(Network::read(narrow).unwrap().width < HIDDEN);
        assert_eq!(Network::read(narrow).unwrap().write(), narrow);
        assert!(network.fits::<Chess>());
        assert!(!network.fits::<Blender100>());
        let variants: Vec<_> = network.shape().variants().collect();
        assert!(variants.contains(&"chess") && !variants.contains(&"blender"), "{variants:?}");
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let bytes = random_network::<Chess>(3).write();
        let error = |bytes: &[u8]| Network::read(bytes).unwrap_err().to_string();
        for length in 0..MAGIC.len() {
            assert_eq!(error(&bytes[..length]), "it does not begin with \"aleanet2\"");
        }
        for length in [8, 9, 12] {
            assert_eq!(error(&bytes[..length]), format!("it has {length} bytes, not 13"));
        }
        let whole = bytes.len();
        assert_eq!(error(&bytes[..whole - 1]), format!("it has {} bytes, not {whole}", whole - 1));
        let mut other = bytes.clone();
        other[9] = 10;
        assert!(error(&other).starts_with(&format!("it has {whole} bytes, not ")));
        for (grains, width) in [(0, 0), (17, 272), (255, 4080)] {
            let mut other = bytes.clone();
            other[12] = grains;
            let told = format!("it has {width} sums to a view; wanted 16 to 256");
            assert_eq!(error(&other), told);
        }
        let mut wrong = bytes;
        let weight = HEADER + 2 * HIDDEN * (Shape::of::<Chess>(true).rows() + 1);
        wrong[weight..weight + 2].copy_from_slice(&128_i16.to_le_bytes());
        assert_eq!(error(&wrong), "an output weight is 128; wanted \u{2212}127 to 127");
    }
}

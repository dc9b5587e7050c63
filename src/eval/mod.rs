//! What a position is worth: a tapered sum of weighted features, computed from what the men are and
//! how they move, so that any man of any game has a sensible value, or what a network has learnt.
//!
//! The search sees four things: an [`Accumulator`] that it copies along its line, the [`Line`] itself,
//! [`Evaluator::play`], which keeps both up to date, and [`Evaluator::evaluate`]. A network
//! ([`network`]) adds to the features or takes their place.

pub mod layout;
pub mod network;
mod networks;
mod packed;
mod terms;
mod weights;

use std::marker::PhantomData;
use std::sync::Arc;

use crate::core::{Color, Geometry, Score, Square, zobrist};
use crate::game::kernel::{Ground, Kind, Men, Movement, Observer, Piece};
use crate::game::{Game, GeometryOf, SquareOf, piece_codes, squares};

use layout::{COUNT, Class};
use network::{Changes, Line, Network};
pub use packed::Packed;
pub use terms::{Sink, Trace, trace};
pub use weights::weights;

/// The largest score that is no proven win: evaluations stay within ± this.
pub const MAX_EVAL: Score = 20_000;

/// Sums over the pieces on the board, kept incrementally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// Worth and placement of all men, White's less Black's.
    placed: Packed,
    /// How much force is left, in quarters of a minor piece.
    force: i32,
    /// Zobrist key of the pawns alone.
    pub pawn_key: u64,
    /// Zobrist keys of each side's other men.
    pub men_keys: [u64; 2],
}

/// The evaluation of one game under one set of weights, and maybe with a network.
#[derive(Clone, Debug)]
pub struct Evaluator<G: Game> {
    weights: Vec<Packed>,
    /// By piece code and square.
    placed: Vec<Packed>,
    /// By piece code.
    force: Vec<i32>,
    network: Option<Arc<Network>>,
    game: PhantomData<G>,
}

/// The class of a kind's movement, for weights that depend on it.
pub(crate) fn class(movement: Movement) -> Class {
    match (movement.knight, movement.diagonal, movement.orthogonal, movement.nightrider) {
        (true, false, false, false) => Class::Knight,
        (false, true, false, false) => Class::Diagonal,
        (false, false, true, false) => Class::Orthogonal,
        _ => Class::Compound,
    }
}

/// Whether a pawn may stay one on its last rank, where it is worth nothing: it never moves again and
/// attacks nothing.
fn pawns_may_stay<G: Game>() -> bool {
    G::Men::PROMOTIONS.contains(&Kind::PAWN)
}

/// The weights whose sum is the worth of a kind on a square, its placement included.
pub(crate) fn placement<G: Game>(kind: Kind, square: SquareOf<G>) -> Vec<usize> {
    let bucket = layout::bucket::<GeometryOf<G>>(square);
    match kind {
        Kind::PAWN if pawns_may_stay::<G>() && square.rank() == GeometryOf::<G>::RANKS - 1 => {
            return Vec::new();
        }
        Kind::PAWN => return vec![layout::PAWN_WORTH, layout::PAWN_PLACE + bucket],
        Kind::KING => return vec![layout::KING_PLACE + bucket],
        _ => {}
    }
    let movement = Movement::of::<G::Men>(kind, square);
    let mut weights = Vec::new();
    let mut add = |class: Class| {
        weights.push(layout::WORTH + class as usize);
        weights.push(layout::PLACE + class as usize * layout::BUCKETS + bucket);
    };
    let ways = [
        (movement.knight, Class::Knight),
        (movement.diagonal, Class::Diagonal),
        (movement.orthogonal, Class::Orthogonal),
    ];
    for (_, class) in ways.into_iter().filter(|&(has, _)| has) {
        add(class);
    }
    if class(movement) == Class::Compound {
        add(Class::Compound);
    }
    if movement.nightrider {
        weights.extend([layout::NIGHTRIDER, layout::NIGHTRIDER_PLACE + bucket]);
    }
    if let Some(further) = kind.index().checked_sub(layout::KINDS) {
        weights.push(layout::KIND + further % layout::FURTHER_KINDS);
    }
    weights
}

impl<G: Game> Evaluator<G> {
    /// The evaluation of a game of that setup, with the network that is built in for it.
    pub fn of(setup: &G::Setup) -> Self {
        let read = |bytes: &[u8]| {
            // The tests read every file that is built in.
            Network::read(bytes).unwrap_or_else(|error| unreachable!("{error}"))
        };
        let network = networks::network(G::family(setup)).map(read);
        let network = network.filter(Network::fits::<G>).map(Arc::new);
        Self::new(weights(G::family(setup))).with_network(network)
    }

    /// The evaluation with those weights and no network, (middlegame, endgame) in centipawns in the
    /// order of [`layout`].
    pub fn new(weights: &[(i16, i16); COUNT]) -> Self {
        let weights: Vec<Packed> = weights.iter().map(|&(mg, eg)| Packed::new(mg, eg)).collect();
        let mut placed = vec![Packed::ZERO; piece_codes::<G>() * squares::<G>()];
        let mut force = vec![0; piece_codes::<G>()];
        for kind in (0..G::Men::KINDS).map(|kind| Kind(kind as u8)) {
            for color in Color::ALL {
                let code = Piece::new(kind, color).code();
                for square in Square::all() {
                    let terms = placement::<G>(kind, square.relative(color));
                    let sum = terms.into_iter().fold(Packed::ZERO, |sum, w| sum + weights[w]);
                    placed[code * squares::<G>() + square.index()] = sum * color.sign();
                }
                if kind != Kind::PAWN && kind != Kind::KING {
                    let m = Movement::of::<G::Men>(kind, Square::new(0));
                    force[code] = i32::from(m.knight) * 4
                        + i32::from(m.diagonal) * 4
                        + i32::from(m.orthogonal) * 7
                        + i32::from(m.nightrider) * 7;
                }
            }
        }
        Self { weights, placed, force, network: None, game: PhantomData }
    }

    /// The same with a network, or without one.
    #[must_use]
    pub fn with_network(self, network: Option<Arc<Network>>) -> Self {
        Self { network, ..self }
    }

    /// A weight's middlegame and endgame value in centipawns.
    pub fn weight(&self, index: usize) -> (i32, i32) {
        (self.weights[index].middlegame(), self.weights[index].endgame())
    }

    /// The sums of a position, from nothing but it.
    pub fn fresh(&self, position: &G) -> Accumulator {
        let mut sums = Accumulator::default();
        let mut listener = Listener { evaluator: self, sums: &mut sums, changes: None };
        for (square, piece) in position.state().board().pieces() {
            listener.put(piece, square);
        }
        sums
    }

    /// Plays an action, keeps the sums up to date and puts the new position on the line.
    #[inline(always)]
    pub fn play(
        &self,
        position: &mut G,
        action: G::Action,
        sums: &mut Accumulator,
        line: &mut Line,
    ) {
        let changes = line.push();
        let learns = self.network.is_some();
        let mut listener = Listener { evaluator: self, sums, changes: learns.then_some(changes) };
        position.play(action, &mut listener);
        if learns {
            line.arrive(position);
        }
    }

    /// Passes, and puts the new position on the line.
    pub fn play_null(&self, position: &mut G, line: &mut Line) {
        line.push();
        position.play_null();
    }

    /// The force that is left, with that of men who are away.
    #[inline(always)]
    fn total_force(&self, position: &G, sums: &Accumulator) -> i32 {
        let mut force = sums.force;
        if G::TRACKS {
            position.away(|away| force += self.force[away.piece.code()]);
        }
        force
    }

    /// What the network says of the last position of the line, in centipawns for the side to decide;
    /// `None` without one, on a board of other colours than self-play's, and where a side has but one
    /// man left: self-play gives games up long before, so that what wins then is not learnt.
    #[inline(always)]
    pub fn learned(&self, position: &G, line: &mut Line) -> Option<Score> {
        let network = self.network.as_ref()?;
        let board = position.state().board();
        let is_bare = Color::ALL.iter().any(|&color| board.color(color).count() <= 1);
        let is_strange = *position.state().ground() != Ground::DEFAULT;
        (!is_bare && !is_strange).then(|| network.evaluate(position, line))
    }

    /// Whether the weighted features count for nothing where the network says something.
    pub fn is_learned_alone(&self) -> bool {
        self.network.as_ref().is_some_and(|network| network.shape().alone)
    }

    /// The worth of the last position of the line to the side to decide, in centipawns, within
    /// ±[`MAX_EVAL`].
    pub fn evaluate(&self, position: &G, sums: &Accumulator, line: &mut Line) -> Score {
        let learned = self.learned(position, line);
        if let Some(learned) = learned
            && self.is_learned_alone()
        {
            return learned.clamp(-MAX_EVAL, MAX_EVAL);
        }
        let mut total = terms::Sum { weights: &self.weights, total: sums.placed };
        terms::features(position, &mut total);
        let white = terms::taper(position, total.total, self.total_force(position, sums));
        let own = white * position.turn().sign() + learned.unwrap_or(0);
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The same from nothing but the position.
    pub fn evaluate_fresh(&self, position: &G) -> Score {
        self.evaluate(position, &self.fresh(position), &mut Line::new(position))
    }
}

/// Keeps sums up to date while an action is played.
struct Listener<'a, G: Game> {
    evaluator: &'a Evaluator<G>,
    sums: &'a mut Accumulator,
    /// Of the network's sums, if there is a network.
    changes: Option<&'a mut Changes>,
}

impl<G: Game> Listener<'_, G> {
    #[inline(always)]
    fn toggle_key(&mut self, piece: Piece, square: SquareOf<G>) {
        let key = zobrist::piece(piece.code(), square.index());
        if piece.kind() == Kind::PAWN {
            self.sums.pawn_key ^= key;
        } else {
            self.sums.men_keys[piece.color().index()] ^= key;
        }
    }
}

impl<G: Game> Observer<GeometryOf<G>> for Listener<'_, G> {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: SquareOf<G>) {
        self.sums.placed += self.evaluator.placed[piece.code() * squares::<G>() + square.index()];
        self.sums.force += self.evaluator.force[piece.code()];
        self.toggle_key(piece, square);
        if let Some(changes) = &mut self.changes {
            changes.put(piece, square);
        }
    }

    #[inline(always)]
    fn taken(&mut self, piece: Piece, square: SquareOf<G>) {
        self.sums.placed -= self.evaluator.placed[piece.code() * squares::<G>() + square.index()];
        self.sums.force -= self.evaluator.force[piece.code()];
        self.toggle_key(piece, square);
        if let Some(changes) = &mut self.changes {
            changes.taken(piece, square);
        }
    }
}

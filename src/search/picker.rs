use smallvec::SmallVec;

use crate::game::{ActionList, Game, Wanted};

use super::history::{Histories, Played};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Known,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Gives the actions of a node one by one, those that are likely to cut first: the table's action,
/// captures that lose nothing, killer and quiet actions by history, losing captures.
pub(super) struct Picker<G: Game> {
    stage: Stage,
    known: Option<G::Action>,
    killer: Option<G::Action>,
    /// Losing captures, `bad` of them, then what is chosen from.
    list: G::Actions,
    scores: SmallVec<[i32; USUAL]>,
    next: usize,
    bad: usize,
    noisy_only: bool,
    /// What a capture must gain to be a good one.
    threshold: i32,
}

/// More actions are rare.
const USUAL: usize = 96;

const KILLER_BONUS: i32 = 30_000;

impl<G: Game> Picker<G> {
    /// All actions; `known` is legal.
    pub(super) fn new(known: Option<G::Action>, killer: Option<G::Action>) -> Self {
        Self {
            stage: Stage::Known,
            known,
            killer,
            list: G::Actions::default(),
            scores: SmallVec::new(),
            next: 0,
            bad: 0,
            noisy_only: false,
            threshold: 0,
        }
    }

    /// Only captures and promotions that gain `threshold` centipawns at least.
    pub(super) fn noisy(known: Option<G::Action>, threshold: i32) -> Self {
        Self { noisy_only: true, threshold, ..Self::new(known, None) }
    }

    /// No more quiet actions from now on.
    pub(super) fn skip_quiet(&mut self) {
        if self.stage == Stage::Quiet {
            self.finish_quiet();
        }
    }

    fn finish_quiet(&mut self) {
        self.stage = Stage::BadNoisy;
        self.next = 0;
    }

    pub(super) fn next(
        &mut self,
        position: &G,
        histories: &Histories,
        before: [Played; 3],
    ) -> Option<G::Action> {
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = Stage::MakeNoisy;
                    if self.known.is_some() {
                        return self.known;
                    }
                }
                Stage::MakeNoisy => {
                    self.make(position, Wanted::Noisy, |action| {
                        let gist = position.gist(action);
                        16 * (gist.victim + gist.promotion) + histories.capture(&gist)
                    });
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    Some(action) if position.exchange_gains(action, self.threshold) => {
                        return Some(action);
                    }
                    Some(action) => {
                        // What stood there is through.
                        self.list.as_mut()[self.bad] = action;
                        self.bad += 1;
                    }
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    let us = position.turn();
                    let killer = self.killer;
                    self.make(position, Wanted::Quiet, |action| {
                        let bonus = if Some(action) == killer { KILLER_BONUS } else { 0 };
                        histories.quiet(us, &position.gist(action), before) + bonus
                    });
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(action) => return Some(action),
                    None => self.finish_quiet(),
                },
                Stage::BadNoisy => {
                    let action = self.list.as_ref()[..self.bad].get(self.next).copied();
                    self.next += 1;
                    if action.is_none() {
                        self.stage = Stage::Done;
                    }
                    return action;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether what [`Picker::next`] gave last is a capture that loses.
    pub(super) fn is_losing(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    fn make(&mut self, position: &G, wanted: Wanted, score: impl Fn(G::Action) -> i32) {
        self.list.truncate(self.bad);
        self.next = self.bad;
        position.actions(wanted, &mut self.list);
        self.scores.clear();
        self.scores.extend(self.list.as_ref().iter().map(|&action| score(action)));
    }

    /// The action of the highest score left, the table's left out; a step of a selection sort.
    fn best(&mut self) -> Option<G::Action> {
        loop {
            let rest = self.scores.get(self.next..)?;
            let mut best = 0;
            for (index, score) in rest.iter().enumerate() {
                if *score > rest[best] {
                    best = index;
                }
            }
            if rest.is_empty() {
                return None;
            }
            self.scores.swap(self.next, self.next + best);
            let list = self.list.as_mut();
            list.swap(self.next, self.next + best);
            let action = list[self.next];
            self.next += 1;
            if Some(action) != self.known {
                return Some(action);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chess::{Chess, Setup};
    use crate::game::perft;

    /// Whatever is known, and whatever histories say, each legal action comes just once.
    #[test]
    fn every_action_comes_once() {
        let histories = Histories::new::<Chess>();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let position = Chess::from_fen(&Setup::default(), fen).unwrap();
            let mut all = perft::branches(&position);
            all.sort_by_key(|action| action.to_bits());
            for known in all.iter().map(|&action| Some(action)).chain([None]) {
                let mut picker = Picker::<Chess>::new(known, all.first().copied());
                let mut given = Vec::new();
                while let Some(action) = picker.next(&position, &histories, [0; 3]) {
                    given.push(action);
                }
                assert!(known.is_none() || given.first().copied() == known, "{fen}");
                given.sort_by_key(|action| action.to_bits());
                assert_eq!(given, all, "{fen} {known:?}");
            }
        }
    }

    #[test]
    fn a_noisy_picker_gives_what_gains_enough() {
        let histories = Histories::new::<Chess>();
        // The queen takes a guarded pawn or a free rook.
        let fen = "4k3/8/2p4r/3p4/3Q4/8/8/4K2R w - - 0 1";
        let position = Chess::from_fen(&Setup::default(), fen).unwrap();
        let mut picker = Picker::<Chess>::noisy(None, 0);
        let first = picker.next(&position, &histories, [0; 3]).unwrap();
        assert_eq!(position.action_text(&Setup::default(), first), "h1h6");
        assert_eq!(picker.next(&position, &histories, [0; 3]), None);
    }
}

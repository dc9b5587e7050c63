//! Chess N Ladders against a generator that was written for nothing but to be checked against: every
//! way of every man, step by step and ride by ride, as the page of the rules has it, with no bitboard
//! in sight.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use alea::core::Color;
use alea::game::chess::{self, Chess};
use alea::game::ladders::{Ladders, Setup, Tiles};
use alea::game::{Game, Node, Outcome, perft};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::{data_lines, pick};

/// A square by file and rank, both from 0.
type Place = (i32, i32);
type Ladder = (Place, Place);

const STRAIGHT: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [Place; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [Place; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn place(text: &str) -> Place {
    let bytes = text.as_bytes();
    ((bytes[0] - b'a').into(), (bytes[1] - b'1').into())
}

fn inside((file, rank): Place) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

fn other(ladder: Ladder, end: Place) -> Option<Place> {
    if ladder.0 == end {
        Some(ladder.1)
    } else if ladder.1 == end {
        Some(ladder.0)
    } else {
        None
    }
}

/// What two ways must have in common to be one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sort {
    from: Place,
    to: Place,
    captured: Option<Place>,
    promotion: Option<char>,
}

/// What is special about a way without a ride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plain {
    Usual,
    DoubleStep,
    EnPassant,
}

/// A chess move's way so far.
#[derive(Clone)]
struct Way {
    at: Place,
    captured: Option<Place>,
    unridden: Vec<Ladder>,
    rode: bool,
    double: bool,
    en_passant: bool,
}

#[derive(Clone)]
struct Naive {
    men: BTreeMap<Place, char>,
    white: bool,
    castling: BTreeSet<char>,
    ep: Option<Place>,
    ladders: [Vec<Ladder>; 2],
}

#[derive(Clone, Debug)]
struct Legal {
    text: String,
    sort: Sort,
    plain: Option<Plain>,
    castling: bool,
    en_passant: bool,
}

impl Naive {
    /// Reads a FEN that is known to be one, of the game proper.
    fn read(fen: &str) -> Self {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut men = BTreeMap::new();
        for (row, text) in words[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(run) = letter.to_digit(10) {
                    file += run as i32;
                } else {
                    men.insert((file, 7 - row as i32), letter);
                    file += 1;
                }
            }
        }
        let ladders = words.iter().find_map(|word| word.strip_prefix("ladders=")).unwrap_or("-/-");
        let sides: Vec<Vec<Ladder>> = ladders
            .split('/')
            .map(|side| {
                side.split(',')
                    .filter(|word| *word != "-")
                    .map(|word| (place(&word[..2]), place(&word[2..])))
                    .collect()
            })
            .collect();
        Self {
            men,
            white: words[1] == "w",
            castling: words[2].chars().filter(|&letter| letter != '-').collect(),
            ep: (words[3] != "-").then(|| place(words[3])),
            ladders: [sides[0].clone(), sides[1].clone()],
        }
    }

    fn is_of(&self, white: bool, at: Place) -> bool {
        self.men.get(&at).is_some_and(|man| man.is_ascii_uppercase() == white)
    }

    fn is_empty(&self, at: Place) -> bool {
        !self.men.contains_key(&at)
    }

    fn side(&self, white: bool) -> &[Ladder] {
        &self.ladders[usize::from(!white)]
    }

    /// The chess moves from `way.at`, of a man who has been lifted off `origin`, with the rides in
    /// their middle.
    fn chess_moves(&self, man: char, origin: Place, way: &Way) -> Vec<Way> {
        let white = man.is_ascii_uppercase();
        let mut found = Vec::new();
        match man.to_ascii_lowercase() {
            'n' => self.leaps(&LEAPS, white, way, &mut found),
            'k' => self.leaps(&[STRAIGHT, SLANTED].concat(), white, way, &mut found),
            'p' => self.pawn_moves(white, way, &mut found),
            slider => {
                let mut ways = Vec::new();
                if slider != 'b' {
                    ways.extend(STRAIGHT);
                }
                if slider != 'r' {
                    ways.extend(SLANTED);
                }
                for step in ways {
                    self.slide(white, origin, step, way, &mut found);
                }
            }
        }
        found
    }

    fn leaps(&self, steps: &[Place], white: bool, way: &Way, found: &mut Vec<Way>) {
        for (x, y) in steps {
            let to = (way.at.0 + x, way.at.1 + y);
            if inside(to) && !self.is_of(white, to) {
                let captured = self.is_of(!white, to).then_some(to);
                found.push(Way { at: to, captured, ..way.clone() });
            }
        }
    }

    fn slide(&self, white: bool, origin: Place, step: Place, way: &Way, found: &mut Vec<Way>) {
        let to = (way.at.0 + step.0, way.at.1 + step.1);
        if !inside(to) || self.is_of(white, to) {
            return;
        }
        if self.is_of(!white, to) {
            found.push(Way { at: to, captured: Some(to), ..way.clone() });
            return;
        }
        let here = Way { at: to, ..way.clone() };
        if to != origin {
            found.push(here.clone());
        }
        self.slide(white, origin, step, &here, found);
        for &ladder in &way.unridden {
            let Some(far) = other(ladder, to) else { continue };
            if self.is_of(white, far) {
                continue;
            }
            let mut there = Way { at: far, rode: true, ..way.clone() };
            there.unridden.retain(|&one| one != ladder);
            if self.is_of(!white, far) {
                // That ends the move.
                there.captured = Some(far);
                there.unridden.clear();
                found.push(there);
                continue;
            }
            if far != origin {
                found.push(there.clone());
            }
            self.slide(white, origin, step, &there, found);
        }
    }

    fn pawn_moves(&self, white: bool, way: &Way, found: &mut Vec<Way>) {
        let ahead = if white { 1 } else { -1 };
        let step = |(file, rank): Place| (file, rank + ahead);
        let free = |at: Place| inside(at) && self.is_empty(at);
        let first = step(way.at);
        if free(first) {
            found.push(Way { at: first, ..way.clone() });
            if way.at.1 == if white { 1 } else { 6 } {
                if free(step(first)) {
                    found.push(Way { at: step(first), double: true, ..way.clone() });
                }
                for &ladder in &way.unridden {
                    let Some(far) = other(ladder, first) else { continue };
                    if free(far) && free(step(far)) {
                        let mut there = Way { at: step(far), rode: true, ..way.clone() };
                        there.unridden.retain(|&one| one != ladder);
                        found.push(there);
                    }
                }
            }
        }
        for x in [-1, 1] {
            let to = (way.at.0 + x, way.at.1 + ahead);
            if !inside(to) {
                continue;
            }
            if self.is_of(!white, to) {
                found.push(Way { at: to, captured: Some(to), ..way.clone() });
            } else if self.ep == Some(to) {
                let captured = Some((to.0, to.1 - ahead));
                found.push(Way { at: to, captured, en_passant: true, ..way.clone() });
            }
        }
    }

    /// Every way of a side's men, kings left out of account, castling not among them: what it comes
    /// to, what is plain about it, and whether it captures en passant.
    fn pseudo_ways(&self, white: bool) -> Vec<(Sort, Option<Plain>, bool)> {
        let mut all = Vec::new();
        for (&from, &man) in self.men.iter().filter(|(_, man)| man.is_ascii_uppercase() == white) {
            let mut lifted = self.clone();
            lifted.men.remove(&from);
            if white != self.white {
                lifted.ep = None;
            }
            let mut emit = |way: &Way| {
                if way.at == from {
                    return;
                }
                let plain = match (way.rode, way.en_passant, way.double) {
                    (true, ..) => None,
                    (_, true, _) => Some(Plain::EnPassant),
                    (_, _, true) => Some(Plain::DoubleStep),
                    _ => Some(Plain::Usual),
                };
                let last = if white { 7 } else { 0 };
                let promotes = man.eq_ignore_ascii_case(&'p') && way.at.1 == last;
                let choices: &[Option<char>] =
                    if promotes { &[Some('q'), Some('r'), Some('b'), Some('n')] } else { &[None] };
                for &promotion in choices {
                    let sort = Sort { from, to: way.at, captured: way.captured, promotion };
                    all.push((sort, plain, way.en_passant));
                }
            };
            let still = Way {
                at: from,
                captured: None,
                unridden: self.side(white).to_vec(),
                rode: false,
                double: false,
                en_passant: false,
            };
            let mut starts = vec![still.clone()];
            for &ladder in self.side(white) {
                let Some(far) = other(ladder, from) else { continue };
                let mut there = Way { at: far, rode: true, ..still.clone() };
                there.unridden.retain(|&one| one != ladder);
                if lifted.is_of(!white, far) {
                    emit(&Way { captured: Some(far), ..there });
                } else if lifted.is_empty(far) {
                    starts.push(there);
                }
            }
            for start in starts {
                for way in lifted.chess_moves(man, from, &start) {
                    emit(&way);
                    for &ladder in &way.unridden {
                        let Some(far) = other(ladder, way.at) else { continue };
                        // Whoever was captured is gone by now.
                        let empty = lifted.is_empty(far) || way.captured == Some(far);
                        let there = Way { at: far, rode: true, ..way.clone() };
                        if empty {
                            emit(&there);
                        } else if lifted.is_of(!white, far) && way.captured.is_none() {
                            emit(&Way { captured: Some(far), ..there });
                        }
                    }
                }
            }
        }
        all
    }

    fn king(&self, white: bool) -> Place {
        let king = if white { 'K' } else { 'k' };
        *self.men.iter().find(|&(_, &man)| man == king).unwrap().0
    }

    /// Whether a move would capture that side's king.
    fn is_in_check(&self, white: bool) -> bool {
        let king = self.king(white);
        self.pseudo_ways(!white).iter().any(|(sort, ..)| sort.captured == Some(king))
    }

    fn after(&self, sort: Sort, plain: Option<Plain>) -> Self {
        let mut after = self.clone();
        let mut man = after.men.remove(&sort.from).unwrap();
        if let Some(captured) = sort.captured {
            after.men.remove(&captured);
        }
        if let Some(letter) = sort.promotion {
            man = if self.white { letter.to_ascii_uppercase() } else { letter };
        }
        after.men.insert(sort.to, man);
        for square in [Some(sort.from), sort.captured].into_iter().flatten() {
            for (home, letters) in [
                ((0, 0), "Q"),
                ((7, 0), "K"),
                ((4, 0), "KQ"),
                ((0, 7), "q"),
                ((7, 7), "k"),
                ((4, 7), "kq"),
            ] {
                if square == home {
                    after.castling.retain(|&letter| !letters.contains(letter));
                }
            }
        }
        after.white = !self.white;
        after.ep = (plain == Some(Plain::DoubleStep))
            .then_some((sort.from.0, i32::midpoint(sort.from.1, sort.to.1)));
        after
    }

    fn after_castling(&self, from: Place, to: Place) -> Self {
        let mut after = self.after(Sort { from, to, captured: None, promotion: None }, None);
        let (corner, beside) = if to.0 > from.0 { (7, to.0 - 1) } else { (0, to.0 + 1) };
        let rook = after.men.remove(&(corner, from.1)).unwrap();
        after.men.insert((beside, from.1), rook);
        after
    }

    fn castling_moves(&self) -> Vec<(Place, Place)> {
        let mut moves = Vec::new();
        let home = if self.white { 0 } else { 7 };
        for (right, files) in [('K', [5, 6].as_slice()), ('Q', &[3, 2, 1])] {
            let right = if self.white { right } else { right.to_ascii_lowercase() };
            if !self.castling.contains(&right)
                || !files.iter().all(|&file| self.is_empty((file, home)))
            {
                continue;
            }
            let from = (4, home);
            let safe = [4, files[0], files[1]].into_iter().all(|file| {
                let mut there = self.clone();
                let king = there.men.remove(&from).unwrap();
                there.men.insert((file, home), king);
                !there.is_in_check(self.white)
            });
            let to = (files[1], home);
            if safe && !self.after_castling(from, to).is_in_check(self.white) {
                moves.push((from, to));
            }
        }
        moves
    }

    fn child(&self, legal: &Legal) -> Self {
        let mut child = if legal.castling {
            self.after_castling(legal.sort.from, legal.sort.to)
        } else {
            self.after(legal.sort, legal.plain)
        };
        // The square is there only for those who can take on it.
        if child.ep.is_some() && !child.legal().iter().any(|legal| legal.en_passant) {
            child.ep = None;
        }
        child
    }

    fn legal(&self) -> Vec<Legal> {
        let mut sorts: BTreeMap<Sort, (Option<Plain>, bool)> = BTreeMap::new();
        for (sort, plain, en_passant) in self.pseudo_ways(self.white) {
            let entry = sorts.entry(sort).or_default();
            entry.0 = entry.0.or(plain);
            entry.1 |= en_passant;
        }
        let castling = self.castling_moves();
        let mut all: Vec<Legal> = castling
            .iter()
            .map(|&(from, to)| Legal {
                text: name(from) + &name(to),
                sort: Sort { from, to, captured: None, promotion: None },
                plain: None,
                castling: true,
                en_passant: false,
            })
            .collect();
        sorts.retain(|&sort, &mut (plain, _)| !self.after(sort, plain).is_in_check(self.white));
        for (&sort, &(plain, en_passant)) in &sorts {
            let Sort { from, to, captured, promotion } = sort;
            if captured.is_none() && castling.contains(&(from, to)) {
                continue;
            }
            let owned = |(other, &(plain, _)): (&Sort, &(Option<Plain>, bool))| {
                plain == Some(Plain::EnPassant) && (other.from, other.to) == (from, to)
            };
            if captured.is_none() && sorts.iter().any(owned) {
                continue;
            }
            let mut text = name(from) + &name(to);
            text.extend(promotion);
            if let Some(captured) = captured
                && captured != to
                && plain != Some(Plain::EnPassant)
            {
                text.push('x');
                text += &name(captured);
            }
            all.push(Legal { text, sort, plain, castling: false, en_passant });
        }
        all.sort_by(|a, b| a.text.cmp(&b.text));
        all
    }

    /// The first four fields of its FEN.
    fn fields(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..8).rev() {
            let mut row = String::new();
            let mut run = 0;
            for file in 0..8 {
                match self.men.get(&(file, rank)) {
                    None => run += 1,
                    Some(&man) => {
                        if run > 0 {
                            row += &run.to_string();
                        }
                        run = 0;
                        row.push(man);
                    }
                }
            }
            if run > 0 {
                row += &run.to_string();
            }
            rows.push(row);
        }
        let castling: String =
            "KQkq".chars().filter(|letter| self.castling.contains(letter)).collect();
        format!(
            "{} {} {} {}",
            rows.join("/"),
            if self.white { "w" } else { "b" },
            if castling.is_empty() { "-" } else { &castling },
            self.ep.map_or_else(|| "-".to_owned(), name)
        )
    }
}

/// What was seen in the positions of a test, so that it can say that nothing was missed.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    positions: u32,
    /// Checks that only a ride gives, and all.
    ride_checks: u32,
    checks: u32,
    mates: u32,
    /// Actions that no move of chess comes to; of these that capture on another square than their
    /// last, and en passant; plain captures en passant; castling.
    rides: u32,
    shifted: u32,
    ride_passing: u32,
    passing: u32,
    castling: u32,
    promotions: u32,
    /// Ways that only the king's safety forbids, while in no check.
    pinned: u32,
}

impl Seen {
    fn add(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            ride_checks: self.ride_checks + other.ride_checks,
            checks: self.checks + other.checks,
            mates: self.mates + other.mates,
            rides: self.rides + other.rides,
            shifted: self.shifted + other.shifted,
            ride_passing: self.ride_passing + other.ride_passing,
            passing: self.passing + other.passing,
            castling: self.castling + other.castling,
            promotions: self.promotions + other.promotions,
            pinned: self.pinned + other.pinned,
        }
    }
}

/// Compares everything that both know of a position, and of what follows each action.
fn compare(position: &Ladders, seen: &mut Seen) {
    let setup = Setup::default();
    let fen = position.fen(&setup);
    let naive = Naive::read(&fen);
    let legal = naive.legal();
    let mut actions: Vec<_> = perft::branches(position)
        .into_iter()
        .map(|action| (position.action_text(&setup, action), action))
        .collect();
    actions.sort_by(|a, b| a.0.cmp(&b.0));
    let texts: Vec<&str> = actions.iter().map(|(text, _)| text.as_str()).collect();
    let wanted: Vec<&str> = legal.iter().map(|legal| legal.text.as_str()).collect();
    assert_eq!(texts, wanted, "{fen}");
    assert_eq!(position.count_actions(), texts.len() as u64, "{fen}");
    let check = naive.is_in_check(naive.white);
    assert_eq!(position.in_check(), check, "{fen}");
    if legal.is_empty() {
        let outcome =
            if check { Outcome::Win(Color::white_if(!naive.white)) } else { Outcome::Draw };
        assert_eq!(position.node(), Node::Over(outcome), "{fen}");
        seen.mates += u32::from(check);
    }
    for (legal, (text, action)) in legal.iter().zip(&actions) {
        let mut child = *position;
        child.play(*action, &mut ());
        assert_eq!(child.key(), child.fresh_key(), "{text} in {fen}");
        let after = child.fen(&setup);
        let fields: Vec<&str> = after.split(' ').take(4).collect();
        assert_eq!(fields.join(" "), naive.child(legal).fields(), "{text} in {fen}");
        assert!(position.is_legal(*action), "{text} in {fen}");
        let ride = legal.plain.is_none() && !legal.castling;
        assert_eq!(Ladders::plain_move(*action).is_none(), ride, "{text} in {fen}");
        seen.rides += u32::from(ride);
        seen.shifted += u32::from(text.contains('x'));
        seen.ride_passing += u32::from(ride && legal.en_passant);
        seen.passing += u32::from(legal.plain == Some(Plain::EnPassant));
        seen.castling += u32::from(legal.castling);
        seen.promotions += u32::from(ride && legal.sort.promotion.is_some());
    }
    seen.positions += 1;
    seen.checks += u32::from(check);
    let mut without = naive.clone();
    without.ladders = [Vec::new(), Vec::new()];
    seen.ride_checks += u32::from(check && !without.is_in_check(naive.white));
    if !check {
        let king = naive.king(naive.white);
        let ways: BTreeSet<Sort> =
            naive.pseudo_ways(naive.white).into_iter().map(|(sort, ..)| sort).collect();
        let free = |sort: &&Sort| sort.from != king && !legal.iter().any(|l| l.sort == **sort);
        seen.pinned += ways.iter().filter(free).count() as u32;
    }
}

/// That many ladders of a side, between any squares.
fn random_ladders(rng: &mut StdRng, count: usize) -> String {
    let mut squares: Vec<Place> = (0..64).map(|square| (square % 8, square / 8)).collect();
    squares.shuffle(rng);
    let words: Vec<String> =
        squares.chunks(2).take(count).map(|pair| name(pair[0]) + &name(pair[1])).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

/// A random position as a FEN; it need not be one.
fn random_fen(rng: &mut StdRng) -> String {
    let mut naive = Naive::read("8/8/8/8/8/8/8/8 w - -");
    naive.white = rng.random();
    let mut put = |rng: &mut StdRng, man: char| {
        let at = (rng.random_range(0..8), rng.random_range(0..8));
        let edge = if man == 'P' { 7 } else { 0 };
        if naive.is_empty(at) && !(man.eq_ignore_ascii_case(&'p') && at.1 == edge) {
            naive.men.insert(at, man);
        }
        naive.men.get(&at) == Some(&man)
    };
    let castles = rng.random_bool(0.3);
    if castles {
        for (rank, men) in [(0, ['K', 'R', 'R']), (7, ['k', 'r', 'r'])] {
            for (file, man) in [4, 0, 7].into_iter().zip(men) {
                naive.men.insert((file, rank), man);
            }
        }
        naive.castling = "KQkq".chars().collect();
    } else {
        for king in ['K', 'k'] {
            while !put(rng, king) {}
        }
    }
    let mut put = |rng: &mut StdRng, man: char| {
        let at = (rng.random_range(0..8), rng.random_range(0..8));
        let edge = if man == 'P' { 7 } else { 0 };
        if naive.is_empty(at) && !(man.eq_ignore_ascii_case(&'p') && at.1 == edge) {
            naive.men.insert(at, man);
        }
    };
    let letters: Vec<char> =
        pick(rng, &["PpPpNnBbRrQq", "PpPpPpPpNn", "NnBbRrQq", "Qq", "PpBbRr", "Pp"])
            .chars()
            .collect();
    let most = pick(rng, &[2, 6, 14, 30]);
    for _ in 0..rng.random_range(0..=most) {
        let man = pick(rng, &letters);
        put(rng, man);
    }
    if rng.random_bool(0.4) {
        // A pawn that may have stepped twice, and somebody who may take it.
        let (pawn, taker, rank, ahead) =
            if naive.white { ('p', 'P', 4, 1) } else { ('P', 'p', 3, -1) };
        let file = rng.random_range(0..8);
        let squares = [(file, rank + ahead), (file, rank + 2 * ahead)];
        if squares.iter().chain([&(file, rank)]).all(|&at| naive.is_empty(at)) {
            naive.men.insert((file, rank), pawn);
            naive.ep = Some(squares[0]);
            let beside = (file + 1, rank);
            if rng.random() && inside(beside) && naive.is_empty(beside) {
                naive.men.insert(beside, taker);
            }
        }
    }
    // Of more ladders the ways are too many to be told one by one.
    let counts = [0, 1, 2, 4, 4, 6, 8];
    let (white, black) = (pick(rng, &counts), pick(rng, &counts));
    let (white, black) = (random_ladders(rng, white), random_ladders(rng, black));
    format!("{} 0 1 ladders={white}/{black}", naive.fields())
}

#[test]
fn random_positions_with_random_ladders() {
    let seen = (0..6000_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let fen = random_fen(&mut rng);
            let naive = Naive::read(&fen);
            let mut seen = Seen::default();
            match Ladders::from_fen(&Setup::default(), &fen) {
                Ok(position) => {
                    // An ep square of no use is dropped.
                    let of_use = naive.legal().iter().any(|legal| legal.en_passant);
                    let ep = naive.ep.filter(|_| of_use).map(name);
                    assert_eq!(position.state().ep().map(|square| square.to_string()), ep, "{fen}");
                    compare(&position, &mut seen);
                }
                Err(error) => assert!(naive.is_in_check(!naive.white), "{fen}: {error}"),
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 2000 && seen.rides > 10_000 && seen.pinned > 500, "{seen:?}");
    assert!(seen.ride_checks > 200 && seen.checks > 400 && seen.mates > 20, "{seen:?}");
    assert!(seen.shifted > 300 && seen.promotions > 300, "{seen:?}");
    assert!(seen.passing > 100 && seen.ride_passing > 20 && seen.castling > 50, "{seen:?}");
}

#[test]
fn random_games() {
    let seen = (0..120_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let tiles = Tiles::ALL[seed as usize % 4];
            let mut position = Ladders::start(&Setup { tiles });
            let mut seen = Seen::default();
            for _ in 0..100 {
                if !position.is_placing() {
                    compare(&position, &mut seen);
                }
                let actions = perft::branches(&position);
                if actions.is_empty() {
                    break;
                }
                position.play(pick(&mut rng, &actions), &mut ());
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 5000 && seen.rides > 20_000 && seen.pinned > 200, "{seen:?}");
    assert!(seen.ride_checks > 50 && seen.checks > 200, "{seen:?}");
}

/// The placing of all four tiles, block by block.
#[test]
fn boards_are_placed_where_they_fit() {
    for (index, tiles) in Tiles::ALL.into_iter().enumerate() {
        (0..40_u64).into_par_iter().for_each(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let setup = Setup { tiles };
            let mut position = Ladders::start(&setup);
            let mut covered: BTreeSet<Place> = BTreeSet::new();
            let mut white = false;
            let mut sides: [Vec<Ladder>; 2] = Default::default();
            for turn in 0..8 {
                let block = |(file, rank): Place| {
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| (file + x, rank + y))
                };
                let fits = |at: &Place| {
                    let shade = match index {
                        0 => (at.0 + at.1) % 2 == 0,
                        1 => (at.0 + at.1) % 2 == 1,
                        _ => true,
                    };
                    shade
                        && block(*at).into_iter().all(|one| inside(one) && !covered.contains(&one))
                };
                let blocks: Vec<Place> = (0..64).map(|n| (n / 8, n % 8)).filter(fits).collect();
                if blocks.is_empty() {
                    break;
                }
                let wanted: Vec<String> =
                    blocks.iter().map(|&at| format!("L@{}", name(at))).collect();
                assert!(position.is_placing(), "{turn}");
                assert_eq!(position.turn() == Color::White, white);
                let mut texts: Vec<String> = perft::branches(&position)
                    .into_iter()
                    .map(|action| position.action_text(&setup, action))
                    .collect();
                texts.sort_unstable();
                assert_eq!(texts, wanted);
                let at = pick(&mut rng, &blocks);
                covered.extend(block(at));
                let [low, right, up, far] = block(at);
                let ladder = [(low, far), (right, up), (low, up), (right, far)][index];
                sides[usize::from(!white)].push(ladder);
                let action = position.parse_action(&setup, &format!("L@{}", name(at))).unwrap();
                position.play(action, &mut ());
                white = !white;
            }
            assert!(!position.is_placing());
            assert_eq!(position.turn(), Color::White);
            let fen = position.fen(&setup);
            assert!(!fen.contains("place=") && !fen.contains("tiles=") && !fen.contains("blocks="));
            let ladders = |color: Color| -> Vec<Ladder> {
                position
                    .ladders(color)
                    .ladders()
                    .map(|(low, high)| (place(&low.to_string()), place(&high.to_string())))
                    .collect()
            };
            for (color, side) in Color::ALL.into_iter().zip(&mut sides) {
                side.sort_unstable_by_key(|(low, _)| (low.1, low.0));
                assert_eq!(&ladders(color), side);
            }
        });
    }
}

/// Whoever has no ladders plays chess, and with rides nowhere in reach so do both.
#[test]
fn without_ladders_it_is_chess() {
    data_lines("perft/chess.tsv").par_iter().for_each(|line| {
        let fen = line.split('\t').nth(1).unwrap();
        let chess = Chess::from_fen(&chess::Setup::default(), fen).unwrap();
        let ladders = Ladders::from_fen(&Setup::default(), fen).unwrap();
        assert_eq!(ladders.fen(&Setup::default()), chess.fen(&chess::Setup::default()));
        assert_eq!(perft::perft(&chess, 3), perft::perft(&ladders, 3), "{fen}");
    });
}

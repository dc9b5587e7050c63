//! The rules once more, as slowly and as close to the words of the page as can be, on a board of
//! texts: what the fast rules must agree with.

use std::collections::BTreeMap;

use super::*;
use crate::game::perft;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Mover, target, result.
pub(super) const MERGES: &[(&str, &str, &str)] = &[
    ("N", "B", "+A"),
    ("B", "N", "+A"),
    ("N", "R", "+C"),
    ("R", "N", "+C"),
    ("R", "B", "+Q"),
    ("B", "R", "+Q"),
    ("N", "+Q", "+M"),
    ("B", "+C", "+M"),
    ("R", "+A", "+M"),
];

/// The further ones of games with nightriders.
pub(super) const NIGHT_MERGES: &[(&str, &str, &str)] = &[
    ("N", "N", "+H"),
    ("B", "+H", "+U"),
    ("R", "+H", "+V"),
    ("R", "+U", "+S"),
    ("B", "+V", "+S"),
    ("N", "+M", "+S"),
    ("+H", "+Q", "+S"),
    ("+Q", "+H", "+S"),
    ("+A", "+C", "+S"),
    ("+C", "+A", "+S"),
];

/// Whole, part, rest.
pub(super) const SEPARATIONS: &[(&str, &str, &str)] = &[
    ("+Q", "R", "B"),
    ("+Q", "B", "R"),
    ("+A", "B", "N"),
    ("+A", "N", "B"),
    ("+C", "R", "N"),
    ("+C", "N", "R"),
    ("+M", "N", "+Q"),
    ("+M", "B", "+C"),
    ("+M", "R", "+A"),
    ("+H", "N", "N"),
    ("+U", "B", "+H"),
    ("+U", "N", "+A"),
    ("+V", "R", "+H"),
    ("+V", "N", "+C"),
    ("+S", "R", "+U"),
    ("+S", "B", "+V"),
    ("+S", "N", "+M"),
    ("+S", "+Q", "+H"),
    ("+S", "+H", "+Q"),
    ("+S", "+A", "+C"),
    ("+S", "+C", "+A"),
];

/// Parts of what is broken, in the order of breaking.
const BREAKING: &[(&str, &[&str])] = &[
    ("+Q", &["R", "B"]),
    ("+A", &["B", "N"]),
    ("+C", &["R", "N"]),
    ("+H", &["N", "N"]),
    ("+M", &["R", "B", "N"]),
    ("+U", &["B", "N", "N"]),
    ("+V", &["R", "N", "N"]),
    ("+S", &["R", "B", "N", "N"]),
];

const POOL_ORDER: &[&str] =
    &["N", "B", "R", "Q", "A", "C", "+Q", "+A", "+C", "+H", "+M", "+U", "+V", "+S"];

const ROOK: &[(i32, i32)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: &[(i32, i32)] = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: &[(i32, i32)] =
    &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

type At = (i32, i32);

#[derive(Clone)]
struct Slow {
    files: i32,
    ranks: i32,
    night: bool,
    /// Name in upper case, and whether it is White's.
    men: BTreeMap<At, (String, bool)>,
    white: bool,
    castling: String,
    ep: String,
    /// White's and Black's entries.
    pools: [Vec<String>; 2],
}

fn name(at: At) -> String {
    format!("{}{}", (b'a' + at.0 as u8) as char, at.1 + 1)
}

impl Slow {
    fn read(fen: &str, files: i32, night: bool) -> Self {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut men = BTreeMap::new();
        for (row, text) in words[0].split('/').enumerate() {
            let (mut file, rank) = (0, files - 1 - row as i32);
            let letters: Vec<char> = text.chars().collect();
            let mut i = 0;
            while i < letters.len() {
                if letters[i].is_ascii_digit() {
                    let digits: String =
                        letters[i..].iter().take_while(|c| c.is_ascii_digit()).collect();
                    file += digits.parse::<i32>().unwrap();
                    i += digits.len();
                    continue;
                }
                let length = if letters[i] == '+' { 2 } else { 1 };
                let letter: String = letters[i..i + length].iter().collect();
                let white = letter == letter.to_ascii_uppercase();
                men.insert((file, rank), (letter.to_ascii_uppercase(), white));
                file += 1;
                i += length;
            }
        }
        let pool = words.iter().find_map(|word| word.strip_prefix("pool=")).unwrap_or("-/-");
        let pools: Vec<Vec<String>> = pool
            .split('/')
            .map(|side| {
                let mut entries: Vec<String> = Vec::new();
                for letter in side.chars().filter(|&letter| letter != '-') {
                    match entries.last_mut().filter(|last| last.as_str() == "+") {
                        Some(last) => last.push(letter),
                        None => entries.push(letter.to_string()),
                    }
                }
                entries
            })
            .collect();
        Self {
            files,
            ranks: files,
            night,
            men,
            white: words[1] == "w",
            castling: words[2].to_owned(),
            ep: words[3].to_owned(),
            pools: pools.try_into().unwrap(),
        }
    }

    fn has(&self, at: At) -> bool {
        (0..self.files).contains(&at.0) && (0..self.ranks).contains(&at.1)
    }

    /// Where a man of that name would go or attack from a square, the first man on a line included.
    fn reach(&self, name: &str, from: At) -> Vec<At> {
        let mut reached = Vec::new();
        let mut slide = |ways: &[(i32, i32)], endless: bool| {
            for way in ways {
                let mut at = (from.0 + way.0, from.1 + way.1);
                while self.has(at) {
                    reached.push(at);
                    if self.men.contains_key(&at) || !endless {
                        break;
                    }
                    at = (at.0 + way.0, at.1 + way.1);
                }
            }
        };
        let letter = name.trim_start_matches('+');
        if "RQCMVS".contains(letter) {
            slide(ROOK, true);
        }
        if "BQAMUS".contains(letter) {
            slide(BISHOP, true);
        }
        if "NACM".contains(letter) {
            slide(KNIGHT, false);
        }
        if "HUVS".contains(letter) {
            slide(KNIGHT, true);
        }
        if letter == "K" {
            slide(ROOK, false);
            slide(BISHOP, false);
        }
        reached
    }

    fn is_attacked(&self, target: At, by_white: bool) -> bool {
        self.men.iter().filter(|(_, man)| man.1 == by_white).any(|(&at, man)| {
            if man.0 == "P" {
                let ahead = if by_white { 1 } else { -1 };
                [-1, 1].iter().any(|side| (at.0 + side, at.1 + ahead) == target)
            } else {
                self.reach(&man.0, at).contains(&target)
            }
        })
    }

    fn in_check(&self, white: bool) -> bool {
        let king = self.men.iter().find(|(_, man)| man.0 == "K" && man.1 == white).unwrap();
        self.is_attacked(*king.0, !white)
    }

    fn merged(&self, mover: &str, target: &str) -> Option<&'static str> {
        let night: &[_] = if self.night { NIGHT_MERGES } else { &[] };
        let mut rows = MERGES.iter().chain(night);
        rows.find(|row| row.0 == mover && row.1 == target).map(|row| row.2)
    }

    /// The man comes to the square: it captures, merges, or simply stands there. `None` if it may
    /// not.
    fn arrive(&self, man: &str, to: At) -> Option<Self> {
        let mut after = self.clone();
        let mut arrived = man.to_owned();
        if let Some((there, white)) = self.men.get(&to) {
            if *white == self.white {
                self.merged(man, there)?.clone_into(&mut arrived);
            } else if there != "P" {
                after.pools[usize::from(!*white)].push(there.clone());
            }
        }
        after.men.insert(to, (arrived, self.white));
        Some(after)
    }

    /// What the pool offers, with the pool after it.
    fn promotions(&self) -> Vec<(String, Vec<String>)> {
        let pool = &self.pools[usize::from(!self.white)];
        let without = |entry: &str| {
            let mut rest = pool.clone();
            let place = rest.iter().position(|other| other == entry)?;
            rest.remove(place);
            Some(rest)
        };
        let mut found = Vec::new();
        for entry in POOL_ORDER {
            if let Some(rest) = without(entry) {
                found.push(((*entry).to_owned(), rest));
            } else if ["N", "B", "R"].contains(entry) {
                let broken = BREAKING.iter().find_map(|(whole, parts)| {
                    let place = parts.iter().position(|part| part == entry)?;
                    let mut rest = without(whole)?;
                    for (index, part) in parts.iter().enumerate() {
                        if index != place {
                            rest.push((*part).to_owned());
                        }
                    }
                    Some(rest)
                });
                found.extend(broken.map(|rest| ((*entry).to_owned(), rest)));
            }
        }
        found
    }

    /// Every legal action with what it leads to.
    fn actions(&self) -> BTreeMap<String, Self> {
        let mut found = BTreeMap::new();
        let mut offer = |text: String, after: Self| {
            if !after.in_check(self.white) {
                assert!(found.insert(text.clone(), after).is_none(), "{text} twice");
            }
        };
        for (&from, (man, _)) in self.men.iter().filter(|(_, man)| man.1 == self.white) {
            if man == "P" {
                self.pawn(from, &mut offer);
                continue;
            }
            for to in self.reach(man, from) {
                if let Some(mut after) = self.arrive(man, to) {
                    after.men.remove(&from);
                    offer(name(from) + &name(to), after);
                }
            }
            for (_, part, rest) in SEPARATIONS.iter().filter(|row| row.0 == man) {
                for to in self.reach(part, from) {
                    if let Some(mut after) = self.arrive(part, to) {
                        after.men.insert(from, ((*rest).to_owned(), self.white));
                        let letter = part.trim_start_matches('+').to_ascii_lowercase();
                        offer(name(from) + &name(to) + &letter, after);
                    }
                }
            }
            if man == "K" {
                self.castle(from, &mut offer);
            }
        }
        found
    }

    fn pawn(&self, from: At, offer: &mut impl FnMut(String, Self)) {
        let ahead = if self.white { 1 } else { -1 };
        let (start, last) = if self.white { (1, self.ranks - 1) } else { (self.ranks - 2, 0) };
        let mut steps: Vec<At> = Vec::new();
        let one = (from.0, from.1 + ahead);
        if self.has(one) && !self.men.contains_key(&one) {
            steps.push(one);
            let two = (from.0, from.1 + 2 * ahead);
            if from.1 == start && !self.men.contains_key(&two) {
                steps.push(two);
            }
        }
        for side in [-1, 1] {
            let to = (from.0 + side, from.1 + ahead);
            if self.men.get(&to).is_some_and(|man| man.1 != self.white) {
                steps.push(to);
            } else if self.has(to) && name(to) == self.ep {
                let mut after = self.arrive("P", to).unwrap();
                after.men.remove(&from);
                after.men.remove(&(to.0, from.1));
                offer(name(from) + &name(to), after);
            }
        }
        for to in steps {
            let mut after = self.arrive("P", to).unwrap();
            after.men.remove(&from);
            let text = name(from) + &name(to);
            if to.1 == last {
                for (piece, pool) in self.promotions() {
                    let mut after = after.clone();
                    after.pools[usize::from(!self.white)] = pool;
                    after.men.insert(to, (piece.clone(), self.white));
                    offer(text.clone() + &piece.to_ascii_lowercase(), after);
                }
            }
            offer(text, after);
        }
    }

    fn castle(&self, from: At, offer: &mut impl FnMut(String, Self)) {
        let home = if self.white { 0 } else { self.ranks - 1 };
        for (letter, side) in [("K", 1), ("Q", -1)] {
            let letter = if self.white { letter.to_owned() } else { letter.to_lowercase() };
            if !self.castling.contains(&letter) {
                continue;
            }
            let rook = (if side > 0 { self.files - 1 } else { 0 }, home);
            let between = |at: i32| (at - from.0) * side > 0 && (rook.0 - at) * side > 0;
            let free = (0..self.files).filter(|&file| between(file));
            if free.into_iter().any(|file| self.men.contains_key(&(file, home)))
                || (0..=2).any(|step| self.is_attacked((from.0 + step * side, home), !self.white))
            {
                continue;
            }
            let mut after = self.clone();
            after.men.remove(&from);
            after.men.remove(&rook);
            after.men.insert((from.0 + 2 * side, home), ("K".to_owned(), self.white));
            after.men.insert((from.0 + side, home), ("R".to_owned(), self.white));
            offer(name(from) + &name((from.0 + 2 * side, home)), after);
        }
    }

    /// Board and pools as a FEN has them.
    fn text(&self) -> (String, String) {
        let mut board = String::new();
        for rank in (0..self.ranks).rev() {
            let mut empty = 0;
            for file in 0..self.files {
                match self.men.get(&(file, rank)) {
                    None => empty += 1,
                    Some((name, white)) => {
                        if empty > 0 {
                            board += &empty.to_string();
                        }
                        empty = 0;
                        board += &if *white { name.clone() } else { name.to_lowercase() };
                    }
                }
            }
            if empty > 0 {
                board += &empty.to_string();
            }
            board += if rank > 0 { "/" } else { "" };
        }
        let side = |entries: &Vec<String>| -> String {
            let text: String = POOL_ORDER
                .iter()
                .map(|name| name.repeat(entries.iter().filter(|entry| entry == name).count()))
                .collect();
            if text.is_empty() { "-".to_owned() } else { text }
        };
        (board, self.pools.each_ref().map(side).join("/"))
    }
}

/// What is compared in every position.
fn agree<G: BlenderBoard, const NIGHT: bool>(position: &Blender<G, NIGHT>) {
    let fen = position.fen(&Setup);
    let slow = Slow::read(&fen, G::FILES as i32, NIGHT);
    assert_eq!(slow.in_check(slow.white), position.in_check(), "{fen}");
    let expected = slow.actions();
    let mut texts = Vec::new();
    for action in perft::branches(position) {
        let text = position.action_text(&Setup, action);
        let mut after = *position;
        after.play(action, &mut ());
        let after = after.fen(&Setup);
        let board = after.split(' ').next().unwrap().to_owned();
        let pool = after.split(' ').find_map(|word| word.strip_prefix("pool=")).unwrap_or("-/-");
        let found = (board, pool.to_owned());
        let wanted = expected.get(&text).map(Slow::text);
        assert_eq!(Some(found), wanted, "{text} in {fen}");
        texts.push(text);
    }
    texts.sort_unstable();
    let wanted: Vec<_> = expected.into_keys().collect();
    assert_eq!(texts, wanted, "{fen}");
}

/// Random games in which merges, separations and pawns' moves are as likely as all else together,
/// so that merged men come about and pawns arrive.
fn random_games<G: BlenderBoard, const NIGHT: bool>(games: u64, plies: usize) {
    (0..games).into_par_iter().for_each(|seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Blender::<G, NIGHT>::start(&Setup);
        for _ in 0..plies {
            agree(&position);
            let all = perft::branches(&position);
            let rare: Vec<_> = all
                .iter()
                .copied()
                .filter(|action| match action.meaning() {
                    Meaning::Move(action) => {
                        let mover = position.state.board().at(action.from());
                        mover.is_some_and(|piece| piece.kind() == Kind::PAWN)
                    }
                    Meaning::Merge { .. } | Meaning::Separation { .. } => true,
                })
                .collect();
            let choice = if !rare.is_empty() && random.random_bool(0.5) { &rare } else { &all };
            if choice.is_empty() {
                break;
            }
            position.play(choice[random.random_range(0..choice.len())], &mut ());
        }
    });
}

#[test]
fn blender_agrees_with_the_slow_rules() {
    random_games::<Board8, false>(40, 200);
}

#[test]
fn blender_nightrider_agrees_with_the_slow_rules() {
    random_games::<Board8, true>(40, 200);
}

#[test]
fn blender100_agrees_with_the_slow_rules() {
    random_games::<Board10, false>(16, 200);
}

#[test]
fn blender100_nightrider_agrees_with_the_slow_rules() {
    random_games::<Board10, true>(16, 200);
}

/// Few men and much to merge and to part: checks, pins, blocks and captures of checkers in plenty.
fn random_positions<G: BlenderBoard, const NIGHT: bool>(positions: u64) {
    (0..positions).into_par_iter().for_each(|seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let letters: Vec<&str> =
            Blender::<G, NIGHT>::LETTERS.iter().copied().filter(|name| !name.is_empty()).collect();
        let mut men: Vec<Option<String>> = vec![None; G::SQUARES];
        for king in ["K", "k"] {
            men[random.random_range(0..G::SQUARES)] = Some(king.to_owned());
        }
        for _ in 0..random.random_range(2..16) {
            let square = random.random_range(0..G::SQUARES);
            let letter = letters[random.random_range(0..letters.len())];
            let white = random.random_bool(0.5);
            if letter != "K" && men[square].is_none() {
                men[square] =
                    Some(if white { letter.to_owned() } else { letter.to_ascii_lowercase() });
            }
        }
        let rows: Vec<String> = men
            .chunks(G::FILES)
            .map(|row| {
                row.iter().map(|man| man.clone().unwrap_or_else(|| "1".to_owned())).collect()
            })
            .collect();
        // Runs of ones are numbers of several digits to a FEN.
        let rows: Vec<String> = rows.iter().map(|row| runs(row)).collect();
        for turn in ["w", "b"] {
            let pool = ["-/-", "N+Q/-", "+M/R+S", "NBRQ/QRBN", "+A+A/+C+H"];
            let pool = pool[random.random_range(0..pool.len())];
            let fen = format!("{} {turn} - - 0 1 pool={pool}", rows.join("/"));
            if let Ok(position) = Blender::<G, NIGHT>::from_fen(&Setup, &fen) {
                agree(&position);
                for action in perft::branches(&position) {
                    assert!(position.is_legal(action), "{action:?} in {fen}");
                }
                assert_eq!(position.count_actions(), perft::branches(&position).len() as u64);
            }
        }
    });
}

/// Replaces each run of ones by its length.
fn runs(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars().chain(['/']) {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        if letter != '/' {
            text.push(letter);
        }
    }
    text
}

#[test]
fn random_positions_agree_with_the_slow_rules() {
    random_positions::<Board8, false>(3000);
    random_positions::<Board8, true>(6000);
    random_positions::<Board10, false>(1500);
    random_positions::<Board10, true>(3000);
}

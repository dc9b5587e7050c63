//! Quantum Chess against rules that were written for nothing but to be checked against: man by man,
//! square by square, in the order of the page, with no bitboard in sight.

mod support;

use std::fmt::Write;

use alea::core::Color;
use alea::game::quantum::{Quantum, Setup};
use alea::game::{Game, Node, Outcome, perft};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::{data_lines, pick};

/// A move: from, to, and the upper-case letter of a promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    from: usize,
    to: usize,
    promotion: Option<char>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Move(Step),
    Initiate(usize, usize),
    End,
}

/// A man on a track: upper-case letter, square, circle.
type Away = Option<(char, usize, u32)>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Naive {
    /// From a1; upper case is White's.
    men: [Option<char>; 64],
    white: bool,
    castling: Vec<char>,
    ep: Option<usize>,
    halfmove: u32,
    fullmove: u32,
    board: Vec<(u32, u32)>,
    up_to: bool,
    gems: [u32; 2],
    tracks: [Vec<Away>; 2],
    jump: Option<usize>,
    /// Track, moves left, square.
    free: Option<(usize, u32, usize)>,
    due: Vec<usize>,
}

fn square(text: &str) -> usize {
    let bytes = text.as_bytes();
    assert_eq!(bytes.len(), 2, "{text}");
    usize::from(bytes[1] - b'1') * 8 + usize::from(bytes[0] - b'a')
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}

/// The square so many files and ranks further, if there is one.
fn shifted(from: usize, files: i32, ranks: i32) -> Option<usize> {
    let (file, rank) = ((from % 8) as i32 + files, (from / 8) as i32 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Naive {
    /// Reads a FEN that is known to be one.
    fn read(fen: &str) -> Self {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut men = [None; 64];
        for (row, text) in words[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(run) => file += run as usize,
                    None => {
                        men[(7 - row) * 8 + file] = Some(letter);
                        file += 1;
                    }
                }
            }
        }
        let token = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
        let board: Vec<(u32, u32)> = token("board=")
            .unwrap_or("2:1,3:2,4:3,5:4")
            .split(',')
            .map(|track| track.split_once(':').unwrap())
            .map(|(circles, free)| (circles.parse().unwrap(), free.parse().unwrap()))
            .collect();
        let gems = token("gems=").unwrap_or("2,2").split_once(',').unwrap();
        let side = |text: &str| -> Vec<Away> {
            let man = |text: &str| {
                let (man, circle) = text.split_once(':')?;
                Some((man.chars().next()?, square(&man[1..]), circle.parse().unwrap()))
            };
            text.split(',').map(man).collect()
        };
        let tracks = match token("tracks=") {
            Some(text) => {
                let (white, black) = text.split_once('/').unwrap();
                [side(white), side(black)]
            }
            None => [vec![None; board.len()], vec![None; board.len()]],
        };
        Self {
            men,
            white: words[1] == "w",
            castling: words[2].chars().filter(|&letter| letter != '-').collect(),
            ep: (words[3] != "-").then(|| square(words[3])),
            halfmove: words[4].parse().unwrap(),
            fullmove: words[5].parse().unwrap(),
            board,
            up_to: token("rule=") == Some("upto"),
            gems: [gems.0.parse().unwrap(), gems.1.parse().unwrap()],
            tracks,
            jump: token("jump=").map(square),
            free: token("free=").map(|text| {
                let parts: Vec<&str> = text.split(':').collect();
                (
                    parts[0].parse::<usize>().unwrap() - 1,
                    parts[1].parse().unwrap(),
                    square(parts[2]),
                )
            }),
            due: token("due=").map_or(Vec::new(), |text| {
                text.split(',').map(|track| track.parse::<usize>().unwrap() - 1).collect()
            }),
        }
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut run = 0;
            for file in 0..8 {
                match self.men[rank * 8 + file] {
                    None => run += 1,
                    Some(letter) => {
                        if run > 0 {
                            write!(text, "{run}").unwrap();
                        }
                        run = 0;
                        text.push(letter);
                    }
                }
            }
            if run > 0 {
                write!(text, "{run}").unwrap();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let castling: String = self.castling.iter().collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let ep = self.shown_ep().map_or("-".to_owned(), name);
        let side = if self.white { "w" } else { "b" };
        write!(text, " {side} {castling} {ep} {} {}", self.halfmove, self.fullmove).unwrap();
        let board: Vec<String> = self.board.iter().map(|(c, f)| format!("{c}:{f}")).collect();
        if board.join(",") != "2:1,3:2,4:3,5:4" {
            write!(text, " board={}", board.join(",")).unwrap();
        }
        if self.up_to {
            text.push_str(" rule=upto");
        }
        if self.gems != [2, 2] {
            write!(text, " gems={},{}", self.gems[0], self.gems[1]).unwrap();
        }
        if self.tracks.iter().flatten().any(Option::is_some) {
            let side = |tracks: &[Away]| -> String {
                let man = |away: &Away| match away {
                    None => "-".to_owned(),
                    Some((letter, square, circle)) => format!("{letter}{}:{circle}", name(*square)),
                };
                tracks.iter().map(man).collect::<Vec<_>>().join(",")
            };
            write!(text, " tracks={}/{}", side(&self.tracks[0]), side(&self.tracks[1])).unwrap();
        }
        if let Some(square) = self.jump {
            write!(text, " jump={}", name(square)).unwrap();
        }
        if let Some((track, left, square)) = self.free {
            write!(text, " free={}:{left}:{}", track + 1, name(square)).unwrap();
        }
        if !self.due.is_empty() {
            let due: Vec<String> = self.due.iter().map(|track| (track + 1).to_string()).collect();
            write!(text, " due={}", due.join(",")).unwrap();
        }
        text
    }

    /// The ep field: where the side to move could capture, or, under `upto`, the opponent if nothing
    /// follows.
    fn shown_ep(&self) -> Option<usize> {
        let ep = self.ep?;
        let mut seen = self.clone();
        if self.free.is_some() {
            if !self.up_to || !self.due.is_empty() {
                return None;
            }
            seen.white = !seen.white;
        } else if self.jump.is_some() {
            return None;
        }
        seen.steps().into_iter().any(|step| seen.is_en_passant(step)).then_some(ep)
    }

    fn is_own(&self, square: usize, white: bool) -> bool {
        self.men[square].is_some_and(|man| man.is_ascii_uppercase() == white)
    }

    fn king(&self, white: bool) -> Option<usize> {
        (0..64).find(|&square| self.men[square] == Some(if white { 'K' } else { 'k' }))
    }

    /// Where the man on the square could go if no king were to be heeded, castling aside.
    fn reach(&self, from: usize) -> Vec<usize> {
        let man = self.men[from].unwrap();
        let white = man.is_ascii_uppercase();
        let mut reach = Vec::new();
        let mut go = |ways: &[(i32, i32)], far: bool| {
            for &(files, ranks) in ways {
                let mut at = from;
                while let Some(next) = shifted(at, files, ranks) {
                    if self.is_own(next, white) {
                        break;
                    }
                    reach.push(next);
                    if !far || self.men[next].is_some() {
                        break;
                    }
                    at = next;
                }
            }
        };
        match man.to_ascii_uppercase() {
            'N' => go(&LEAPS, false),
            'B' => go(&SLANTED, true),
            'R' => go(&STRAIGHT, true),
            'Q' => {
                go(&SLANTED, true);
                go(&STRAIGHT, true);
            }
            'K' => {
                go(&SLANTED, false);
                go(&STRAIGHT, false);
            }
            _ => {
                let ahead = if white { 1 } else { -1 };
                if let Some(one) = shifted(from, 0, ahead).filter(|&to| self.men[to].is_none()) {
                    reach.push(one);
                    let home = if white { 1 } else { 6 };
                    if from / 8 == home {
                        let two = shifted(one, 0, ahead).unwrap();
                        if self.men[two].is_none() {
                            reach.push(two);
                        }
                    }
                }
                for side in [-1, 1] {
                    if let Some(to) = shifted(from, side, ahead)
                        && (self.is_own(to, !white)
                            || self.ep == Some(to) && to / 8 == if white { 5 } else { 2 })
                    {
                        reach.push(to);
                    }
                }
            }
        }
        reach
    }

    fn is_attacked(&self, target: usize, by_white: bool) -> bool {
        let mut board = self.clone();
        // So that pawns strike there.
        if board.men[target].is_none() {
            board.men[target] = Some(if by_white { 'p' } else { 'P' });
        }
        (0..64).filter(|&from| board.is_own(from, by_white)).any(|from| {
            let straight = matches!(board.men[from], Some('P' | 'p')) && from % 8 == target % 8;
            !straight && board.reach(from).contains(&target)
        })
    }

    fn is_in_check(&self, white: bool) -> bool {
        self.king(white).is_some_and(|king| self.is_attacked(king, !white))
    }

    fn is_en_passant(&self, step: Step) -> bool {
        matches!(self.men[step.from], Some('P' | 'p'))
            && step.from % 8 != step.to % 8
            && self.men[step.to].is_none()
    }

    fn is_castling(&self, step: Step) -> bool {
        matches!(self.men[step.from], Some('K' | 'k')) && step.from.abs_diff(step.to) == 2
    }

    /// The legal moves of chess.
    fn steps(&self) -> Vec<Step> {
        let us = self.white;
        let mut steps = Vec::new();
        for from in (0..64).filter(|&from| self.is_own(from, us)) {
            for to in self.reach(from) {
                let last = if us { 7 } else { 0 };
                let promotes = matches!(self.men[from], Some('P' | 'p')) && to / 8 == last;
                if promotes {
                    let all = ['Q', 'R', 'B', 'N'].map(Some);
                    steps.extend(all.map(|promotion| Step { from, to, promotion }));
                } else {
                    steps.push(Step { from, to, promotion: None });
                }
            }
        }
        let home = if us { 0 } else { 56 };
        for (right, rook, empty, path) in
            [('K', 7, vec![5, 6], vec![4, 5, 6]), ('Q', 0, vec![1, 2, 3], vec![4, 3, 2])]
        {
            let right = if us { right } else { right.to_ascii_lowercase() };
            if self.castling.contains(&right)
                && empty.iter().all(|file| self.men[home + file].is_none())
                && !path.iter().any(|file| self.is_attacked(home + file, !us))
            {
                assert!(self.men[home + rook].is_some() && self.men[home + 4].is_some());
                let to = home + path[2];
                steps.push(Step { from: home + 4, to, promotion: None });
            }
        }
        steps.retain(|&step| {
            let mut after = self.clone();
            after.move_men(step);
            !after.is_in_check(us)
        });
        steps
    }

    fn gain(&mut self) {
        if self.gems[0] + self.gems[1] < 10 {
            self.gems[usize::from(!self.white)] += 1;
        }
    }

    /// A man has left the square, or been captured there: castling rights that go with it.
    fn vacate(&mut self, square: usize) {
        let lost: &[char] = match square {
            0 => &['Q'],
            4 => &['K', 'Q'],
            7 => &['K'],
            56 => &['q'],
            60 => &['k', 'q'],
            63 => &['k'],
            _ => &[],
        };
        self.castling.retain(|right| !lost.contains(right));
    }

    /// What a move does on the board, with gems, clock and ep square.
    fn move_men(&mut self, step: Step) {
        let man = self.men[step.from].unwrap();
        let white = man.is_ascii_uppercase();
        let pawn = matches!(man, 'P' | 'p');
        if self.is_castling(step) {
            let home = step.from - 4;
            let (rook, to) = if step.to > step.from { (7, 5) } else { (0, 3) };
            self.men[home + to] = self.men[home + rook].take();
        }
        if self.is_en_passant(step) {
            let passed = step.from / 8 * 8 + step.to % 8;
            assert!(matches!(self.men[passed], Some('P' | 'p')));
            self.men[passed] = None;
            self.gain();
        }
        if self.men[step.to].is_some() {
            self.vacate(step.to);
            self.halfmove = 0;
            self.gain();
        }
        if pawn {
            self.halfmove = 0;
        }
        self.vacate(step.from);
        self.men[step.from] = None;
        let letter = step.promotion.unwrap_or(man);
        self.men[step.to] =
            Some(if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() });
        let double = pawn && step.from.abs_diff(step.to) == 16;
        self.ep = double.then_some(usize::midpoint(step.from, step.to));
    }

    /// All ways to send away a man from the square or a later one.
    fn initiations(&self, first: usize) -> Vec<Act> {
        let us = self.white;
        let side = usize::from(!us);
        let mut acts = Vec::new();
        if self.gems[side] == 0 || self.is_in_check(us) {
            return acts;
        }
        for from in (first..64).filter(|&from| self.is_own(from, us)) {
            let mut after = self.clone();
            after.men[from] = None;
            if self.king(us) == Some(from) || after.is_in_check(us) {
                continue;
            }
            let empty = (0..self.board.len()).filter(|&track| self.tracks[side][track].is_none());
            acts.extend(empty.map(|track| Act::Initiate(from, track)));
        }
        acts
    }

    /// The legal moves of a man that has come back.
    fn free_steps(&self, square: usize) -> Vec<Step> {
        let mut steps = self.steps();
        steps.retain(|&step| {
            step.from == square && !self.is_castling(step) && !self.is_en_passant(step)
        });
        steps
    }

    fn is_over(&self) -> bool {
        self.king(true).is_none() || self.king(false).is_none()
    }

    fn acts(&self) -> Vec<Act> {
        if self.is_over() {
            return Vec::new();
        }
        if let Some(last) = self.jump {
            let mut acts = self.initiations(last + 1);
            acts.push(Act::End);
            return acts;
        }
        if let Some((_, _, square)) = self.free {
            let mut acts: Vec<Act> = self.free_steps(square).into_iter().map(Act::Move).collect();
            if self.up_to {
                acts.push(Act::End);
            }
            return acts;
        }
        let mut acts: Vec<Act> = self.steps().into_iter().map(Act::Move).collect();
        acts.extend(self.initiations(0));
        acts
    }

    fn pass(&mut self) {
        (self.jump, self.free) = (None, None);
        self.due.clear();
        self.fullmove += u32::from(!self.white);
        self.white = !self.white;
    }

    /// Returns, from the top track down.
    fn resolve(&mut self) {
        let side = usize::from(!self.white);
        self.free = None;
        while !self.due.is_empty() {
            let track = self.due.remove(0);
            let (letter, square, circle) = self.tracks[side][track].take().unwrap();
            assert_eq!(circle, 1);
            self.ep = None;
            if let Some(captured) = self.men[square] {
                self.halfmove = 0;
                self.vacate(square);
                if captured.is_ascii_uppercase() != self.white {
                    self.gain();
                }
            }
            self.men[square] = Some(if self.white { letter } else { letter.to_ascii_lowercase() });
            if self.is_over() {
                break;
            }
            if self.goes_on(self.board[track].1, square) {
                self.free = Some((track, self.board[track].1, square));
                return;
            }
        }
        self.pass();
    }

    fn goes_on(&self, left: u32, square: usize) -> bool {
        // An ep square never serves the side that has made the double step.
        let mut seen = self.clone();
        seen.ep = None;
        left > 0 && !self.is_in_check(!self.white) && !seen.free_steps(square).is_empty()
    }

    fn play(&mut self, act: Act) {
        let side = usize::from(!self.white);
        match act {
            Act::Move(step) => {
                if let Some((track, left, _)) = self.free {
                    self.move_men(step);
                    if self.goes_on(left - 1, step.to) {
                        self.free = Some((track, left - 1, step.to));
                    } else {
                        self.resolve();
                    }
                    return;
                }
                self.halfmove += 1;
                self.move_men(step);
                for track in 0..self.board.len() {
                    if let Some((_, _, circle)) = &mut self.tracks[side][track] {
                        if *circle == 1 { self.due.push(track) } else { *circle -= 1 }
                    }
                }
                self.resolve();
            }
            Act::Initiate(square, track) => {
                if self.jump.is_none() {
                    self.halfmove += 1;
                }
                let man = self.men[square].take().unwrap().to_ascii_uppercase();
                self.vacate(square);
                self.ep = None;
                self.tracks[side][track] = Some((man, square, self.board[track].0));
                self.gems[side] -= 1;
                if self.initiations(square + 1).is_empty() {
                    self.pass();
                } else {
                    self.jump = Some(square);
                }
            }
            Act::End => {
                if self.jump.is_some() {
                    self.pass();
                } else {
                    self.resolve();
                }
            }
        }
    }

    fn text(act: Act) -> String {
        match act {
            Act::Move(Step { from, to, promotion }) => {
                let promotion = promotion.map(|letter| letter.to_ascii_lowercase().to_string());
                name(from) + &name(to) + &promotion.unwrap_or_default()
            }
            Act::Initiate(square, track) => format!("{}t{}", name(square), track + 1),
            Act::End => "end".to_owned(),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.acts()
            .into_iter()
            .map(|act| {
                let mut after = self.clone();
                after.play(act);
                after.perft(depth - 1)
            })
            .sum()
    }

    /// How the game ended, draws by clock aside.
    fn outcome(&self) -> Option<Outcome> {
        if self.is_over() {
            return Some(Outcome::Win(Color::white_if(self.king(true).is_some())));
        }
        if self.acts().is_empty() {
            return Some(if self.is_in_check(self.white) {
                Outcome::Win(Color::white_if(!self.white))
            } else {
                Outcome::Draw
            });
        }
        let bare = self.men.iter().flatten().count() == 2
            && self.tracks.iter().flatten().all(Option::is_none);
        let between = self.jump.is_none() && self.free.is_none();
        (between && (bare || self.halfmove >= 100)).then_some(Outcome::Draw)
    }
}

/// What was seen in the positions of a test, so that it can say that nothing was missed.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    positions: u32,
    jumps: u32,
    free: u32,
    due: u32,
    ends: u32,
    free_ep: u32,
    ep: u32,
    kings_lost: u32,
    mates: u32,
    stalemates: u32,
}

impl Seen {
    fn add(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            jumps: self.jumps + other.jumps,
            free: self.free + other.free,
            due: self.due + other.due,
            ends: self.ends + other.ends,
            free_ep: self.free_ep + other.free_ep,
            ep: self.ep + other.ep,
            kings_lost: self.kings_lost + other.kings_lost,
            mates: self.mates + other.mates,
            stalemates: self.stalemates + other.stalemates,
        }
    }
}

/// Compares everything that both know of a position.
fn compare(position: &Quantum, naive: &Naive, seen: &mut Seen) {
    let setup = Setup::default();
    let fen = position.fen(&setup);
    assert_eq!(fen, naive.fen());
    let again = Quantum::from_fen(&setup, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(&again, position, "{fen}");
    let mut texts: Vec<String> = perft::branches(position)
        .into_iter()
        .map(|action| position.action_text(&setup, action))
        .collect();
    texts.sort_unstable();
    let mut wanted: Vec<String> = naive.acts().into_iter().map(Naive::text).collect();
    wanted.sort_unstable();
    assert_eq!(texts, wanted, "{fen}");
    assert_eq!(position.count_actions(), texts.len() as u64, "{fen}");
    let node = match naive.outcome() {
        Some(outcome) => Node::Over(outcome),
        None => Node::Decision(Color::white_if(naive.white)),
    };
    assert_eq!(position.node(), node, "{fen}");
    seen.positions += 1;
    seen.jumps += u32::from(naive.jump.is_some());
    seen.free += u32::from(naive.free.is_some());
    seen.due += u32::from(!naive.due.is_empty());
    seen.ends += u32::from(naive.up_to && naive.free.is_some());
    let ep = naive.shown_ep().is_some();
    seen.free_ep += u32::from(ep && naive.free.is_some());
    seen.ep += u32::from(ep && naive.free.is_none());
    seen.kings_lost += u32::from(naive.is_over());
    if naive.acts().is_empty() && !naive.is_over() {
        if naive.is_in_check(naive.white) { seen.mates += 1 } else { seen.stalemates += 1 }
    }
}

/// A random game from a position, compared all along; what is seen is added.
fn wander(fen: &str, plies: usize, rng: &mut StdRng, seen: &mut Seen) {
    let setup = Setup::default();
    let mut position =
        Quantum::from_fen(&setup, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut naive = Naive::read(&position.fen(&setup));
    for _ in 0..plies {
        compare(&position, &naive, seen);
        let acts = naive.acts();
        if acts.is_empty() {
            return;
        }
        // Moves of men rather than initiations, of which there are many.
        let moves: Vec<Act> =
            acts.iter().copied().filter(|act| matches!(act, Act::Move(_))).collect();
        let act = if moves.is_empty() || rng.random_bool(0.2) {
            pick(rng, &acts)
        } else {
            pick(rng, &moves)
        };
        let action = position.parse_action(&setup, &Naive::text(act)).unwrap();
        position.play(action, &mut ());
        naive.play(act);
    }
    compare(&position, &naive, seen);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn random_games_from_the_start() {
    let seen = (0..200_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut seen = Seen::default();
            let rules = pick(&mut rng, &["", " rule=upto", " board=1:4,2:0,1:2", " gems=5,5"]);
            wander(&format!("{START}{rules}"), 200, &mut rng, &mut seen);
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 10_000 && seen.jumps > 500 && seen.free > 500, "{seen:?}");
    assert!(seen.due > 20 && seen.ep > 20 && seen.kings_lost > 5, "{seen:?}");
}

/// A FEN of anything: men and kings anywhere, pawns on their first rank, boards of one to eight tracks
/// that may be without free moves, men on them due at once or later.
fn random_fen(rng: &mut StdRng) -> String {
    let mut squares = [None; 64];
    let most = pick(rng, &[3, 8, 24, 60]);
    for _ in 0..rng.random_range(0..most) {
        let at = rng.random_range(0..64);
        let man =
            pick(rng, &['P', 'P', 'P', 'p', 'p', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']);
        let last = match man {
            'P' => 7,
            'p' => 0,
            _ => 8,
        };
        if at / 8 != last {
            squares[at] = Some(man);
        }
    }
    let home = rng.random_bool(0.4);
    let corners = [(0, 'R'), (7, 'R'), (56, 'r'), (63, 'r')];
    for (at, rook) in corners.into_iter().filter(|_| home) {
        squares[at] = Some(rook);
    }
    for (at, king) in [(4, 'K'), (60, 'k')] {
        let mut at = if home { at } else { rng.random_range(0..64) };
        while matches!(squares[at], Some('K')) {
            at = rng.random_range(0..64);
        }
        squares[at] = Some(king);
    }
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let row: String = (0..8).map(|file| squares[rank * 8 + file].unwrap_or('1')).collect();
        let mut text = row;
        for run in (2..=8).rev() {
            text = text.replace(&"1".repeat(run), &run.to_string());
        }
        rows.push(text);
    }
    let tracks = rng.random_range(1..=8);
    let board: Vec<(u32, u32)> =
        (0..tracks).map(|_| (rng.random_range(1..=3), rng.random_range(0..=3))).collect();
    let mut sides = Vec::new();
    for last in [7, 0] {
        let side: Vec<String> = board
            .iter()
            .map(|&(circles, _)| {
                if rng.random_bool(0.5) {
                    return "-".to_owned();
                }
                let man = pick(rng, &['P', 'N', 'B', 'R', 'Q']);
                let mut at = rng.random_range(0..64);
                while man == 'P' && at / 8 == last {
                    at = rng.random_range(0..64);
                }
                format!("{man}{}:{}", name(at), rng.random_range(1..=circles))
            })
            .collect();
        sides.push(side.join(","));
    }
    let board: Vec<String> = board.iter().map(|(c, f)| format!("{c}:{f}")).collect();
    let white = rng.random_range(0..=5);
    format!(
        "{} {} KQkq - {} 1 board={} rule={} gems={white},{} tracks={}/{}",
        rows.join("/"),
        pick(rng, &["w", "b"]),
        pick(rng, &[0, 7, 98]),
        board.join(","),
        pick(rng, &["exact", "upto"]),
        rng.random_range(0..=5),
        sides[0],
        sides[1],
    )
}

#[test]
fn random_positions_with_random_tracks() {
    let setup = Setup::default();
    let seen = (0..6000_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut seen = Seen::default();
            let fen = random_fen(&mut rng);
            match Quantum::from_fen(&setup, &fen) {
                Ok(position) => {
                    wander(&fen, 25, &mut rng, &mut seen);
                    if seed % 50 == 0 {
                        let naive = Naive::read(&position.fen(&setup));
                        assert_eq!(perft::perft(&position, 2), naive.perft(2), "{fen}");
                    }
                }
                Err(error) => {
                    // The one thing that may be wrong with it.
                    let naive = Naive::read(&fen);
                    assert!(naive.is_in_check(!naive.white), "{fen}: {error}");
                }
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 20_000 && seen.jumps > 500 && seen.free > 3000, "{seen:?}");
    assert!(seen.due > 1000 && seen.ends > 1000 && seen.ep > 5, "{seen:?}");
    assert!(seen.kings_lost > 200 && seen.mates > 50 && seen.stalemates > 5, "{seen:?}");
}

/// Pawns that come back behind enemy pawns, so that their free double steps can be taken.
#[test]
fn free_double_steps_can_be_taken() {
    let seen = (0..400_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut seen = Seen::default();
            let tracks = pick(&mut rng, &["Pe2:1,-", "Pe2:1,Pc2:1", "Pe2:1,Pc2:2", "Pc2:1,Pe2:1"]);
            let board = pick(&mut rng, &["1:2,2:2", "1:1,2:1", "1:3,3:0", "1:4,2:1"]);
            let rule = pick(&mut rng, &["upto", "exact"]);
            let fen = format!(
                "4k3/8/8/8/3p1p2/8/7P/7K w - - 0 1 board={board} rule={rule} tracks={tracks}/-,-"
            );
            if Quantum::from_fen(&Setup::default(), &fen).is_ok() {
                wander(&fen, 6, &mut rng, &mut seen);
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.free_ep > 20 && seen.ep > 20, "{seen:?}");
}

#[test]
fn small_trees_count_the_same() {
    let setup = Setup::default();
    let agree = |fen: &str, depth| {
        let position = Quantum::from_fen(&setup, fen).unwrap();
        let naive = Naive::read(&position.fen(&setup));
        assert_eq!(perft::perft(&position, depth), naive.perft(depth), "{fen}");
    };
    agree(START, 2);
    data_lines("vectors/quantum.tsv")
        .par_iter()
        .filter_map(|line| line.split('\t').nth(1)?.strip_prefix("fen "))
        .filter(|fen| fen.split(' ').next().is_some_and(|board| board.len() < 40))
        .for_each(|fen| agree(fen, 2));
}

//! Chess Mutation against a generator that was written for nothing but to be checked against: man by
//! man, square by square, as the page of the rules has it, with no bitboard in sight.

mod support;

use alea::core::Color;
use alea::game::mutation::{Ground, Mutation, Setup};
use alea::game::{Game, Node, Outcome, perft};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use support::pick;

type Place = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    white: bool,
    king: bool,
}

#[derive(Clone)]
struct Naive {
    /// By rank and file from a1.
    men: [[Option<Man>; 8]; 8],
    colors: [[u8; 8]; 8],
    white_moves: bool,
}

const STRAIGHT: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [Place; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

impl Naive {
    /// Reads a FEN that is known to be one.
    fn read(fen: &str) -> Self {
        let mut words = fen.split(' ');
        let mut men = [[None; 8]; 8];
        for (row, text) in words.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(run) = letter.to_digit(10) {
                    file += run as usize;
                    continue;
                }
                let (white, king) =
                    (letter.is_ascii_uppercase(), letter.eq_ignore_ascii_case(&'k'));
                men[7 - row][file] = Some(Man { white, king });
                file += 1;
            }
        }
        let white_moves = words.next() == Some("w");
        let board = words.find_map(|word| word.strip_prefix("board="));
        let board = board
            .unwrap_or("rybkkbyr/wwwwwwww/ybyrryby/bykyykyb/bykyykyb/ybyrryby/wwwwwwww/rybkkbyr");
        let mut colors = [[b'w'; 8]; 8];
        for (row, text) in board.split('/').enumerate() {
            colors[7 - row].copy_from_slice(text.as_bytes());
        }
        Self { men, colors, white_moves }
    }

    fn at(&self, (file, rank): Place) -> Option<Man> {
        self.men[rank as usize][file as usize]
    }

    /// Every move that leaves kings out of account, by men of that side.
    fn pseudo_moves(&self, white: bool) -> Vec<(Place, Place)> {
        let mut moves = Vec::new();
        let inside = |(file, rank): Place| (0..8).contains(&file) && (0..8).contains(&rank);
        for rank in 0..8 {
            for file in 0..8 {
                let from = (file, rank);
                let Some(man) = self.at(from).filter(|man| man.white == white) else { continue };
                let mut walk = |steps: &[Place], far: bool| {
                    for &(x, y) in steps {
                        let mut to = (file + x, rank + y);
                        while inside(to) {
                            if self.at(to).is_none_or(|other| other.white != white) {
                                moves.push((from, to));
                            }
                            if !far || self.at(to).is_some() {
                                break;
                            }
                            to = (to.0 + x, to.1 + y);
                        }
                    }
                };
                if man.king {
                    walk(&STRAIGHT, false);
                    walk(&SLANTED, false);
                    continue;
                }
                match self.colors[rank as usize][file as usize] {
                    b'y' => {
                        let leaps = [1, -1]
                            .into_iter()
                            .flat_map(|x| [2, -2].into_iter().flat_map(move |y| [(x, y), (y, x)]));
                        walk(&leaps.collect::<Vec<_>>(), false);
                    }
                    b'r' => walk(&STRAIGHT, true),
                    b'b' => walk(&SLANTED, true),
                    b'k' => {
                        walk(&STRAIGHT, true);
                        walk(&SLANTED, true);
                    }
                    _ => {
                        let ahead = if white { 1 } else { -1 };
                        let free = |to: Place| inside(to) && self.at(to).is_none();
                        if free((file, rank + ahead)) {
                            moves.push((from, (file, rank + ahead)));
                            if free((file, rank + 2 * ahead)) {
                                moves.push((from, (file, rank + 2 * ahead)));
                            }
                        }
                        for to in [(file - 1, rank + ahead), (file + 1, rank + ahead)] {
                            if inside(to) && self.at(to).is_some_and(|other| other.white != white) {
                                moves.push((from, to));
                            }
                        }
                    }
                }
            }
        }
        moves
    }

    fn is_in_check(&self, white: bool) -> bool {
        self.pseudo_moves(!white)
            .into_iter()
            .any(|(_, to)| self.at(to) == Some(Man { white, king: true }))
    }

    fn after(&self, (from, to): (Place, Place)) -> Self {
        let mut after = self.clone();
        let man = after.men[from.1 as usize][from.0 as usize].take();
        after.men[to.1 as usize][to.0 as usize] = man;
        after.white_moves = !self.white_moves;
        after
    }

    fn legal(&self) -> Vec<(Place, Place)> {
        let mut moves = self.pseudo_moves(self.white_moves);
        moves.retain(|&action| !self.after(action).is_in_check(self.white_moves));
        moves
    }

    fn texts(&self) -> Vec<String> {
        let name = |(file, rank): Place| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        let mut texts: Vec<String> =
            self.legal().into_iter().map(|(from, to)| name(from) + &name(to)).collect();
        texts.sort_unstable();
        texts
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal().into_iter().map(|action| self.after(action).perft(depth - 1)).sum()
    }

    /// How the game ended, if nobody can move.
    fn end(&self) -> Option<Outcome> {
        let mate = self.is_in_check(self.white_moves);
        self.legal().is_empty().then(|| {
            if mate { Outcome::Win(Color::white_if(!self.white_moves)) } else { Outcome::Draw }
        })
    }
}

/// What was seen in the positions of a test, so that it can say that nothing was missed.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    positions: u32,
    checks: u32,
    /// Moves that the rules of movement allow and the king's safety forbids, while in no check.
    pinned: u32,
    mates: u32,
    stalemates: u32,
}

impl Seen {
    fn add(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            checks: self.checks + other.checks,
            pinned: self.pinned + other.pinned,
            mates: self.mates + other.mates,
            stalemates: self.stalemates + other.stalemates,
        }
    }
}

/// Compares everything that both know of a position.
fn compare(position: &Mutation, seen: &mut Seen) {
    let setup = Setup::default();
    let fen = position.fen(&setup);
    let naive = Naive::read(&fen);
    let mut texts: Vec<String> = perft::branches(position)
        .into_iter()
        .map(|action| position.action_text(&setup, action))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, naive.texts(), "{fen}");
    assert_eq!(position.count_actions(), texts.len() as u64, "{fen}");
    let check = naive.is_in_check(naive.white_moves);
    assert_eq!(position.in_check(), check, "{fen}");
    if let Some(outcome) = naive.end() {
        assert_eq!(position.node(), Node::Over(outcome), "{fen}");
        if check { seen.mates += 1 } else { seen.stalemates += 1 }
    }
    seen.positions += 1;
    seen.checks += u32::from(check);
    if !check {
        let kings = |&(from, _): &(Place, Place)| !naive.at(from).unwrap().king;
        let count = |moves: Vec<(Place, Place)>| moves.iter().filter(|&m| kings(m)).count() as u32;
        seen.pinned += count(naive.pseudo_moves(naive.white_moves)) - count(naive.legal());
    }
}

/// A board of some of the colours, at random.
fn random_board(rng: &mut StdRng) -> Ground {
    let palette = pick(rng, &["rybkw", "ybw", "rk", "bw", "kw", "y", "rrrryybkw", "w", "bky"]);
    let letters = palette.as_bytes();
    let rank = |rng: &mut StdRng| {
        (0..8).map(|_| char::from(letters[rng.random_range(0..letters.len())])).collect::<String>()
    };
    let ranks: Vec<String> = (0..8).map(|_| rank(rng)).collect();
    ranks.join("/").parse().unwrap()
}

#[test]
fn random_games_on_random_boards() {
    let seen = (0..300_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let ground = if seed < 60 { Ground::default() } else { random_board(&mut rng) };
            let mut position = Mutation::start(&Setup { ground });
            let mut seen = Seen::default();
            for _ in 0..150 {
                compare(&position, &mut seen);
                let actions = perft::branches(&position);
                if actions.is_empty() {
                    break;
                }
                position.play(pick(&mut rng, &actions), &mut ());
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 20_000 && seen.checks > 1000 && seen.pinned > 1000, "{seen:?}");
    assert!(seen.mates > 20, "{seen:?}");
}

/// Men anywhere, few and many, so that kings are in the thick of it.
#[test]
fn random_positions_on_random_boards() {
    let seen = (0..6000_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let board = random_board(&mut rng);
            let mut squares = [' '; 64];
            for king in ['K', 'k'] {
                let free = (0..64).filter(|&square| squares[square] == ' ').collect::<Vec<_>>();
                squares[pick(&mut rng, &free)] = king;
            }
            let most = pick(&mut rng, &[3, 8, 40]);
            for _ in 0..rng.random_range(0..most) {
                let square = rng.random_range(0..64);
                if squares[square] == ' ' {
                    squares[square] = pick(&mut rng, &['P', 'p']);
                }
            }
            let rows: Vec<String> = squares
                .chunks(8)
                .map(|row| row.iter().map(|&c| if c == ' ' { '1' } else { c }).collect())
                .collect();
            // Runs of ones are no usual way to write empty squares, but digits are read greedily.
            let rows: Vec<String> = rows.iter().map(|row| compact(row)).collect();
            let fen = format!(
                "{} {} - - 0 1 board={board}",
                rows.join("/"),
                if rng.random() { "w" } else { "b" }
            );
            let naive = Naive::read(&fen);
            let mut seen = Seen::default();
            match Mutation::from_fen(&Setup::default(), &fen) {
                Ok(position) => {
                    compare(&position, &mut seen);
                    if seed % 20 == 0 {
                        assert_eq!(perft::perft(&position, 2), naive.perft(2), "{fen}");
                    }
                }
                Err(error) => assert!(naive.is_in_check(!naive.white_moves), "{fen}: {error}"),
            }
            seen
        })
        .reduce(Seen::default, Seen::add);
    assert!(seen.positions > 1000 && seen.checks > 200 && seen.pinned > 50, "{seen:?}");
    assert!(seen.mates > 20, "{seen:?}");
}

/// Ones as the numbers that they add up to.
fn compact(row: &str) -> String {
    let mut text = String::new();
    let mut run = 0;
    for letter in row.chars().chain([' ']) {
        if letter == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            text.push_str(&run.to_string());
            run = 0;
        }
        text.push(letter);
    }
    text.trim_end().to_owned()
}

#[test]
fn the_start_counts_the_same() {
    let start = Mutation::start(&Setup::default());
    let naive = Naive::read(&start.fen(&Setup::default()));
    for depth in 0..4 {
        assert_eq!(perft::perft(&start, depth), naive.perft(depth), "{depth}");
    }
}

/// A pinned pion moves along the line of the pin if its own colour lets it.
#[test]
fn pins_follow_colours() {
    let men = "4p2k/8/8/8/4P3/8/8/4K3 w - - 0 1";
    for (enemy, own, moves) in [
        ("r", "r", "e4e2 e4e3 e4e5 e4e6 e4e7 e4e8"),
        ("r", "k", "e4e2 e4e3 e4e5 e4e6 e4e7 e4e8"),
        ("k", "w", "e4e5 e4e6"),
        ("k", "b", ""),
        ("r", "y", ""),
    ] {
        let rank = |letter: &str| letter.repeat(8);
        let board = [enemy, "w", "w", "w", own, "w", "w", "w"].map(rank).join("/");
        let fen = format!("{men} board={board}");
        let position = Mutation::from_fen(&Setup::default(), &fen).unwrap();
        compare(&position, &mut Seen::default());
        let mut pinned: Vec<String> = perft::branches(&position)
            .into_iter()
            .map(|action| position.action_text(&Setup::default(), action))
            .filter(|text| text.starts_with("e4"))
            .collect();
        pinned.sort_unstable();
        assert_eq!(pinned.join(" "), moves, "{fen}");
    }
}

/// Nobody can move: with a check and without.
#[test]
fn mate_and_stalemate_are_told_apart() {
    for (men, color, end) in [
        ("k7/2P5/8/8/8/8/8/K7 b", "k", Outcome::Draw),
        ("k7/1P6/1K6/8/8/8/8/8 b", "k", Outcome::Win(Color::White)),
    ] {
        let board = vec![color.repeat(8); 8].join("/");
        let fen = format!("{men} - - 0 1 board={board}");
        let position = Mutation::from_fen(&Setup::default(), &fen).unwrap();
        compare(&position, &mut Seen::default());
        assert_eq!(position.node(), Node::Over(end), "{fen}");
    }
}

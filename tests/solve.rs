//! `solve` against a brute force that follows the specification word by word, on chess, on a game
//! with chance in which the same side may act several times running, on bomber and on quantum.

mod support;

use std::sync::atomic::AtomicBool;

use alea::core::{Board8, Color};
use alea::game::bomber::{self, Bomber};
use alea::game::chess::{Chess, Setup};
use alea::game::kernel::{ChessMen, FenError, Move, Observer, State};
use alea::game::quantum::{self, Quantum};
use alea::game::solve::{Solution, SolveError, solve};
use alea::game::{Action, Family, Game, Gist, Node, Outcome, Record, Wanted, perft};
use arrayvec::ArrayVec;
use num_rational::Ratio;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::{pick, play_randomly};

/// Chess with a coin that falls after every move without check: the mover moves again or the turn
/// passes, with these weights.
#[derive(Clone, Debug)]
struct CoinChess<const AGAIN: u32, const PASS: u32> {
    chess: Chess,
    coin_due: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CoinAction {
    Move(Move),
    Pass,
    Again,
}

impl Action for CoinAction {
    fn to_bits(self) -> u32 {
        match self {
            Self::Move(action) => action.to_bits(),
            Self::Pass => 1 << 30,
            Self::Again => 1 << 31,
        }
    }

    fn from_bits(bits: u32) -> Option<Self> {
        match bits {
            0x4000_0000 => Some(Self::Pass),
            0x8000_0000 => Some(Self::Again),
            _ => <Move as Action>::from_bits(bits).map(Self::Move),
        }
    }
}

impl<const AGAIN: u32, const PASS: u32> Game for CoinChess<AGAIN, PASS> {
    type Men = ChessMen;
    type Action = CoinAction;
    type Actions = ArrayVec<CoinAction, 512>;
    type Setup = Setup;

    const HAS_CHANCE: bool = true;
    const DICE: bool = false;
    const EVENTS_ARE_QUIET: bool = true;
    const ALTERNATES: bool = false;

    fn turn(&self) -> Color {
        self.chess.turn()
    }

    fn state(&self) -> &State<ChessMen> {
        self.chess.state()
    }

    fn is_chance(&self) -> bool {
        self.coin_due
    }

    fn ended(&self) -> Option<Outcome> {
        None
    }

    fn outcome_without_actions(&self) -> Outcome {
        self.chess.outcome_without_actions()
    }

    fn drawn_by_rule(&self) -> bool {
        self.chess.drawn_by_rule()
    }

    fn actions(&self, wanted: Wanted, list: &mut Self::Actions) {
        let mut moves = <Chess as Game>::Actions::default();
        self.chess.actions(wanted, &mut moves);
        list.extend(moves.into_iter().map(CoinAction::Move));
    }

    fn is_legal(&self, action: CoinAction) -> bool {
        match action {
            CoinAction::Move(action) => !self.coin_due && self.chess.is_legal(action),
            CoinAction::Pass | CoinAction::Again => self.coin_due,
        }
    }

    fn outcomes(&self, mut each: impl FnMut(CoinAction, u32)) {
        each(CoinAction::Again, AGAIN);
        each(CoinAction::Pass, PASS);
    }

    fn play<O: Observer<Board8>>(&mut self, action: CoinAction, observer: &mut O) {
        match action {
            CoinAction::Move(action) => {
                self.chess.play(action, observer);
                self.coin_due = !self.chess.in_check();
            }
            CoinAction::Pass => self.coin_due = false,
            CoinAction::Again => {
                self.chess.play_null();
                self.coin_due = false;
            }
        }
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn play_null(&mut self) {
        self.chess.play_null();
    }

    fn key(&self) -> u64 {
        self.chess.key() ^ u64::from(self.coin_due)
    }

    fn fresh_key(&self) -> u64 {
        self.chess.fresh_key() ^ u64::from(self.coin_due)
    }

    fn in_check(&self) -> bool {
        self.chess.in_check()
    }

    fn gist(&self, action: CoinAction) -> Gist {
        match action {
            CoinAction::Move(action) => self.chess.gist(action),
            _ => Gist { piece: 0, from: 0, to: 0, victim: 0, victim_kind: 0, promotion: 0 },
        }
    }

    fn exchange_gains(&self, action: CoinAction, threshold: i32) -> bool {
        matches!(action, CoinAction::Move(action) if self.chess.exchange_gains(action, threshold))
    }

    fn family(_: &Setup) -> Family {
        Family::Chess
    }

    fn start(setup: &Setup) -> Self {
        Self { chess: Chess::start(setup), coin_due: false }
    }

    fn from_fen(setup: &Setup, text: &str) -> Result<Self, FenError> {
        Ok(Self { chess: Chess::from_fen(setup, text)?, coin_due: false })
    }

    fn fen(&self, setup: &Setup) -> String {
        self.chess.fen(setup)
    }

    fn action_text(&self, setup: &Setup, action: CoinAction) -> String {
        match action {
            CoinAction::Move(action) => self.chess.action_text(setup, action),
            CoinAction::Pass => "coin:P".to_owned(),
            CoinAction::Again => "coin:A".to_owned(),
        }
    }

    fn plain_move(action: CoinAction) -> Option<Move> {
        match action {
            CoinAction::Move(action) => Some(action),
            CoinAction::Pass | CoinAction::Again => None,
        }
    }

    fn parse_action(&self, setup: &Setup, text: &str) -> Option<CoinAction> {
        self.chess.parse_action(setup, text).map(CoinAction::Move)
    }

    fn draw(&self, setup: &Setup, colors: bool) -> String {
        self.chess.draw(setup, colors)
    }
}

/// The value for `us`, as the specification says it.
fn brute<G: Game>(record: &Record<G>, depth: u32, us: Color) -> Ratio<i128> {
    let after = |action| {
        let mut next = record.clone();
        next.play(action);
        next
    };
    let position = record.position();
    let win = |color| Ratio::from_integer(if color == us { 1 } else { -1 });
    match record.node() {
        Node::Over(Outcome::Win(color)) => win(color),
        Node::Over(Outcome::Draw) => Ratio::from_integer(0),
        _ if depth == 0 => Ratio::from_integer(0),
        Node::Chance(_) => {
            let (mut sum, mut total) = (Ratio::from_integer(0), 0);
            position.outcomes(|event, weight| {
                sum += brute(&after(event), depth, us) * Ratio::from_integer(i128::from(weight));
                total += i128::from(weight);
            });
            sum / Ratio::from_integer(total)
        }
        Node::Decision(color) => {
            let values = perft::branches(position)
                .into_iter()
                .map(|action| brute(&after(action), depth - 1, us));
            if color == us { values.max() } else { values.min() }.unwrap()
        }
    }
}

/// Value and actions, the latter all that are as good as the best.
fn brute_root<G: Game>(record: &Record<G>, depth: u32) -> Solution<G::Action> {
    let us = record.position().turn();
    let value = brute(record, depth, us);
    let mut best = Vec::new();
    if depth > 0 && matches!(record.node(), Node::Decision(_)) {
        best = perft::branches(record.position());
        best.retain(|&action| {
            let mut next = record.clone();
            next.play(action);
            brute(&next, depth - 1, us) == value
        });
    }
    Solution { value, best }
}

fn solved<G: Game>(record: &Record<G>, depth: u32) -> Solution<G::Action> {
    solve(record, depth, &AtomicBool::new(false)).unwrap()
}

fn chess_record(fen: &str, actions: &str) -> Record<Chess> {
    let actions: Vec<&str> = actions.split_ascii_whitespace().collect();
    Record::parse(&Setup::default(), Some(fen), &actions).unwrap()
}

/// Value text and actions in ASCII order.
fn told(fen: &str, actions: &str, depth: u32) -> (String, String) {
    let record = chess_record(fen, actions);
    let solution = solved(&record, depth);
    let mut best: Vec<_> = solution
        .best
        .iter()
        .map(|&action| record.position().action_text(&Setup::default(), action))
        .collect();
    best.sort_unstable();
    (solution.value_text(), best.join(" "))
}

/// A bare or nearly bare king at an edge against heavy men: mates, stalemates and draws abound.
fn skirmish(rng: &mut StdRng) -> String {
    loop {
        let mut board = [['.'; 8]; 8];
        board[0][rng.random_range(0..8)] = 'k';
        board[pick(rng, &[2, 2, 3, 4])][rng.random_range(0..8)] = 'K';
        for _ in 0..rng.random_range(1..6) {
            let piece = pick(rng, &['Q', 'Q', 'R', 'R', 'N', 'P', 'q', 'p', 'p']);
            let ranks = if piece.eq_ignore_ascii_case(&'p') { 1..7 } else { 0..8 };
            board[rng.random_range(ranks)][rng.random_range(0..8)] = piece;
        }
        if rng.random_bool(0.5) {
            let swap = |man: char| {
                if man.is_lowercase() { man.to_ascii_uppercase() } else { man.to_ascii_lowercase() }
            };
            board = board.map(|rank| rank.map(swap));
            board.reverse();
        }
        let ranks: Vec<String> =
            board.iter().map(|rank| rank.iter().collect::<String>().replace('.', "1")).collect();
        let halfmove = pick(rng, &[0, 0, 0, 97, 98, 99]);
        let turn = pick(rng, &['w', 'b']);
        let fen = format!("{} {turn} - - {halfmove} 60", merge_runs(&ranks.join("/")));
        if Chess::from_fen(&Setup::default(), &fen).is_ok() {
            return fen;
        }
    }
}

/// `11` is eleven squares in a FEN: adds up the ones.
fn merge_runs(board: &str) -> String {
    let mut text = board.to_owned();
    for run in (2..=8).rev() {
        text = text.replace(&"1".repeat(run), &run.to_string());
    }
    text
}

#[test]
fn chess_agrees_with_brute_force() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut decisive = 0;
    for _ in 0..400 {
        let fen = skirmish(&mut rng);
        let mut record = chess_record(&fen, "");
        // Moves there and back make repetitions near.
        let plies = rng.random_range(0..5);
        play_randomly(&mut record, plies, &mut rng);
        for depth in 0..=3 {
            let (found, wanted) = (solved(&record, depth), brute_root(&record, depth));
            assert_eq!(found, wanted, "solve {depth} of {fen}");
            decisive += u32::from(*found.value.numer() != 0);
        }
    }
    assert!(decisive > 100, "{decisive}");
}

#[test]
fn chance_and_sides_that_act_again_agree_with_brute_force() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut fractions = 0;
    for _ in 0..400 {
        let fen = skirmish(&mut rng);
        let start = CoinChess::<1, 2>::from_fen(&Setup::default(), &fen).unwrap();
        let mut record = Record::new(start);
        let plies = rng.random_range(0..4);
        play_randomly(&mut record, plies, &mut rng);
        for depth in 0..=2 {
            let (found, wanted) = (solved(&record, depth), brute_root(&record, depth));
            assert_eq!(found, wanted, "solve {depth} of {fen}");
            fractions += u32::from(*found.value.denom() != 1);
        }
    }
    assert!(fractions > 20, "{fractions}");
}

/// Pawns one step from enemies, kings near them, and a deck that is nearly used up.
fn minefield(rng: &mut StdRng) -> String {
    loop {
        let mut board = [['1'; 8]; 8];
        for _ in 0..2 {
            let (row, file) = (rng.random_range(3..7), rng.random_range(0..8));
            board[row][file] = 'P';
            board[row - 2][file] = pick(rng, &['p', 'p', 'q', 'n', 'k']);
        }
        for piece in ['K', 'k', 'p', 'R', 'r'] {
            let square = &mut board[rng.random_range(1..7)][rng.random_range(0..8)];
            if *square == '1' {
                *square = piece;
            }
        }
        let ranks: Vec<String> = board.iter().map(String::from_iter).collect();
        let board = merge_runs(&ranks.join("/"));
        let (turn, halfmove) = (pick(rng, &['w', 'b']), pick(rng, &[0, 0, 98, 99]));
        let deck: Vec<_> = (0..9).map(|_| pick(rng, &["0", "0", "1", "2"])).collect();
        let fen = format!("{board} {turn} - - {halfmove} 60 deck={}", deck.join(","));
        let position = Bomber::from_fen(&bomber::Setup::default(), &fen);
        if position.is_ok_and(|position| position.ended().is_none()) {
            return fen;
        }
    }
}

#[test]
fn bomber_agrees_with_brute_force() {
    let mut rng = StdRng::seed_from_u64(3);
    let (mut fractions, mut chances) = (0, 0);
    for _ in 0..300 {
        let fen = minefield(&mut rng);
        let mut record =
            Record::<Bomber>::parse::<&str>(&bomber::Setup::default(), Some(&fen), &[]).unwrap();
        let plies = rng.random_range(0..4);
        play_randomly(&mut record, plies, &mut rng);
        chances += u32::from(record.position().is_chance());
        for depth in 0..=2 {
            let (found, wanted) = (solved(&record, depth), brute_root(&record, depth));
            assert_eq!(found, wanted, "solve {depth} of {fen}");
            fractions += u32::from(*found.value.denom() != 1);
        }
    }
    assert!(fractions > 20 && chances > 10, "{fractions} {chances}");
}

/// Turns of several actions, men about to come back near kings, and positions that repeat.
#[test]
fn quantum_agrees_with_brute_force() {
    let setup = quantum::Setup::default();
    let mut rng = StdRng::seed_from_u64(4);
    let (mut solved_games, mut decisive, mut within) = (0, 0, 0);
    while solved_games < 250 {
        let fen = skirmish(&mut rng);
        let mut side = || {
            let man = pick(&mut rng, &["R", "N", "Q", "P"]);
            let (file, rank) = (pick(&mut rng, &["a", "c", "e", "g"]), rng.random_range(2..8));
            pick(&mut rng, &["-,-", "-,-", &*format!("{man}{file}{rank}:1,-")]).to_owned()
        };
        let (white, black) = (side(), side());
        let gems = pick(&mut rng, &["0,0", "0,0", "1,0", "2,1"]);
        let rule = pick(&mut rng, &["exact", "upto"]);
        let fen = format!("{fen} board=1:2,2:1 rule={rule} gems={gems} tracks={white}/{black}");
        let Ok(mut record) = Record::<Quantum>::parse::<&str>(&setup, Some(&fen), &[]) else {
            continue;
        };
        solved_games += 1;
        let plies = rng.random_range(0..8);
        play_randomly(&mut record, plies, &mut rng);
        within += u32::from(!record.position().is_between_turns());
        for depth in 0..=2 {
            let (found, wanted) = (solved(&record, depth), brute_root(&record, depth));
            assert_eq!(found, wanted, "solve {depth} of {fen}");
            decisive += u32::from(*found.value.numer() != 0);
        }
    }
    // Kings go to and fro; what happens within a turn is not compared.
    let shuffle = "e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1 d8e8";
    let actions: Vec<&str> = shuffle.split(' ').collect();
    let fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
    for (actions, over) in [(&actions[..], true), (&actions[..7], false)] {
        let record = Record::<Quantum>::parse(&setup, Some(fen), actions).unwrap();
        assert_eq!(matches!(record.node(), Node::Over(Outcome::Draw)), over, "{actions:?}");
        for depth in 0..=1 {
            assert_eq!(solved(&record, depth), brute_root(&record, depth), "{depth} {actions:?}");
        }
    }
    assert!(decisive > 50 && within > 20, "{decisive} {within}");
}

#[test]
fn what_is_over_counts_before_the_horizon() {
    let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    for depth in 0..3 {
        assert_eq!(told(mate, "", depth), ("-1.000000000".to_owned(), String::new()));
    }
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(told(stalemate, "", 2), ("0.000000000".to_owned(), String::new()));
}

#[test]
fn every_action_that_attains_the_value_is_named() {
    let mates = "k7/8/1K6/8/8/8/8/4Q2R w - - 0 1";
    assert_eq!(told(mates, "", 1), ("1.000000000".to_owned(), "e1e8 h1h8".to_owned()));
    let (value, best) = told("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", 2);
    assert_eq!((value.as_str(), best.split(' ').count()), ("0.000000000", 15));
    // At depth 0 nothing may be played, so nothing attains anything.
    assert_eq!(told(mates, "", 0), ("0.000000000".to_owned(), String::new()));
}

#[test]
fn mate_on_the_hundredth_ply_comes_before_the_draw() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 60";
    assert_eq!(told(fen, "", 1), ("1.000000000".to_owned(), "a1a8".to_owned()));
    // With the hundred plies gone there is nothing to play for.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 100 60";
    assert_eq!(told(fen, "", 1), ("0.000000000".to_owned(), String::new()));
}

#[test]
fn positions_given_before_count_for_repetition() {
    let fen = "k7/8/1K6/8/8/8/8/4Q2R w - - 0 1";
    let there_and_back = "h1h2 a8b8 h2h1 b8a8";
    assert_eq!(told(fen, there_and_back, 1).0, "1.000000000");
    let twice = format!("{there_and_back} {there_and_back}");
    assert_eq!(told(fen, &twice, 1), ("0.000000000".to_owned(), String::new()));
    // One ply before: Black steps into the draw, which saves it from the mate.
    let but_one = twice.strip_suffix(" b8a8").unwrap();
    assert_eq!(told(fen, but_one, 2), ("0.000000000".to_owned(), "b8a8".to_owned()));
    assert_eq!(told(fen, "h1h2 a8b8 h2h1", 2), ("-1.000000000".to_owned(), "b8a8 b8c8".to_owned()));
}

#[test]
fn a_mate_in_three_is_found_in_five_plies() {
    // White mates on its third move.
    let fen = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";
    assert_eq!(told(fen, "", 5), ("1.000000000".to_owned(), "f8c5".to_owned()));
    assert_eq!(told(fen, "", 3).0, "0.000000000");
}

#[test]
fn a_raised_stop_is_heeded() {
    let record = Record::new(Chess::start(&Setup::default()));
    assert_eq!(solve(&record, 6, &AtomicBool::new(true)), Err(SolveError::Stopped));
}

#[test]
fn fractions_that_do_not_fit_are_an_error() {
    type Game = CoinChess<4_294_967_291, 4_294_967_279>;
    let start = Game::from_fen(&Setup::default(), "k7/8/2K5/8/8/8/8/7R w - - 0 1").unwrap();
    let record = Record::new(start);
    let depths: Vec<_> =
        (0..6).map(|depth| solve(&record, depth, &AtomicBool::new(false))).collect();
    assert!(depths[..3].iter().all(Result::is_ok), "{depths:?}");
    assert_eq!(depths[5], Err(SolveError::Overflow));
}

#[test]
fn nine_decimals_are_rounded_half_away_from_zero() {
    let text = |numer: i128, denom: i128| {
        Solution::<Move> { value: Ratio::new(numer, denom), best: Vec::new() }.value_text()
    };
    for (numer, denom, wanted) in [
        (0, 1, "0.000000000"),
        (1, 1, "1.000000000"),
        (-1, 1, "-1.000000000"),
        (1, 3, "0.333333333"),
        (-2, 3, "-0.666666667"),
        (1, 2_000_000_000, "0.000000001"),
        (-1, 2_000_000_000, "-0.000000001"),
        (1, 2_000_000_001, "0.000000000"),
        (-1, 2_000_000_001, "0.000000000"),
        (3, 2_000_000_000, "0.000000002"),
        (1_999_999_999, 2_000_000_000, "1.000000000"),
        (-1_999_999_999, 2_000_000_000, "-1.000000000"),
        (i128::MAX - 1, i128::MAX, "1.000000000"),
        (i128::MAX / 3, i128::MAX, "0.333333333"),
        (1, i128::MAX, "0.000000000"),
    ] {
        assert_eq!(text(numer, denom), wanted, "{numer}/{denom}");
    }
}

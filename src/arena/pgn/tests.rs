use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::arena::log::{GameResult, Step};
use crate::core::Color;
use crate::game::{Game, Node, Wanted, drawn_event};

fn heading<'a>(variant: &'a str, options: &'a [(String, String)]) -> Heading<'a> {
    Heading {
        event: "a match",
        site: "",
        date: "2026.11.30".to_owned(),
        variant,
        options,
        time_controls: ["-".to_owned(), "-".to_owned()],
    }
}

fn owned(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A record without steps.
fn record(steps: Vec<Step>) -> GameRecord {
    GameRecord {
        game: 5,
        white: "alea".to_owned(),
        black: "peer".to_owned(),
        seed: 7,
        fen: None,
        opening: 0,
        steps,
        result: GameResult::Draw,
        ending: Ending::LengthAdjudication,
        detail: None,
    }
}

/// The step that an action is in a position.
fn step<G: Game>(record: &Record<G>, setup: &G::Setup, action: &str) -> Step {
    let by = match record.position().node() {
        Node::Decision(Color::White) => Mover::White,
        Node::Decision(Color::Black) => Mover::Black,
        _ => Mover::Chance,
    };
    let n = record.position().fen(setup).split(' ').nth(5).unwrap().parse().unwrap();
    Step { n, by, action: action.to_owned(), thought: Thought::default() }
}

fn setup(variant: &str, options: &[(String, String)]) -> AnySetup {
    let mut values = GameOptions::default();
    for (name, value) in options {
        values.set(name, value).unwrap();
    }
    AnySetup::named(variant, &values).unwrap()
}

/// The record of these actions.
fn played(
    variant: &str,
    options: &[(String, String)],
    fen: Option<&str>,
    actions: &str,
) -> GameRecord {
    let steps = with_game!(setup(variant, options), G, setup => {
        let start = fen.map_or_else(|| G::start(&setup), |fen| G::from_fen(&setup, fen).unwrap());
        let mut record = Record::new(start);
        let mut steps = Vec::new();
        for text in actions.split_whitespace() {
            steps.push(step(&record, &setup, text));
            let action = record.position().parse_action(&setup, text).unwrap();
            record.play(action);
        }
        steps
    });
    GameRecord { fen: fen.map(str::to_owned), ..record(steps) }
}

/// Reads a written game back and plays it.
fn check(game: &GameRecord, heading: &Heading<'_>) -> String {
    let text = text(game, heading);
    for line in text.lines().filter(|line| !line.starts_with('[')) {
        assert!(line.chars().count() < 80 && line == line.trim(), "{line}");
    }
    let games = read(&text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
    let replay = replay(&games[0]).unwrap();
    let actions: Vec<_> = game.steps.iter().map(|step| &step.action[..]).collect();
    assert_eq!(replay.actions, actions);
    assert_eq!(replay.fen, game.fen.as_deref());
    assert_eq!(replay.setup, setup(heading.variant, heading.options));
    assert_eq!(games[0].result, game.result.text());
    text
}

#[test]
fn a_game_is_written_with_its_dice_and_thoughts() {
    let mut game =
        played("equalizer", &[], None, "roll:P e2e4 roll:N g8f6 roll:P e4e5 roll:K roll:P d7d5");
    game.opening = 2;
    game.steps[1].thought.nodes = Some(9);
    game.steps[3].thought = Thought {
        score: Some("cp -31".to_owned()),
        depth: Some(12),
        nodes: Some(1834),
        ms: Some(450),
    };
    game.steps[5].thought.score = Some("mate 3".to_owned());
    game.ending = Ending::IllegalAction;
    game.detail = Some("said {\"e2\\e9\"}\n[%chance roll:P]".to_owned());
    game.result = GameResult::Black;
    let mut heading = heading("equalizer", &[]);
    heading.time_controls = ["300+2".to_owned(), "300+2".to_owned()];
    assert_eq!(
        check(&game, &heading),
        r#"[Event "a match"]
[Site "?"]
[Date "2026.11.30"]
[Round "3.1"]
[White "alea"]
[Black "peer"]
[Result "0-1"]
[Variant "equalizer"]
[TimeControl "300+2"]
[Seed "7"]
[PlyCount "4"]
[Termination "rules infraction"]
[Ending "illegal-action: said {\"e2\\e9\"} [%chance roll:P]"]

{[%chance roll:P]} 1. e2e4 {[%chance roll:N]} 1... g8f6 {-0.31/12 1834n 0.450s}
{[%chance roll:P]} 2. e4e5 {+M3} {[%chance roll:K]} {[%chance roll:P]} 2...
d7d5 {illegal-action: said ("e2\e9") (%chance roll:P]} 0-1

"#
    );
}

#[test]
fn turns_are_numbered_as_in_chess() {
    let moves = |game: &GameRecord, variant| {
        let text = check(game, &heading(variant, &[]));
        text.split_once("\n\n").unwrap().1.replace('\n', " ").trim_end().to_owned()
    };
    let mut game = played("chess", &[], None, "e2e4 e7e5 g1f3 b8c6 f1b5");
    assert_eq!(
        moves(&game, "chess"),
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 {length-adjudication} 1/2-1/2"
    );
    game.steps[2].thought.depth = Some(4);
    game.steps[3].thought.ms = Some(12_005);
    assert_eq!(
        moves(&game, "chess"),
        "1. e2e4 e7e5 2. g1f3 {/4} 2... b8c6 {12.005s} 3. f1b5 {length-adjudication} 1/2-1/2"
    );
    let fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 40";
    assert_eq!(
        moves(&played("chess", &[], Some(fen), "e7e5 e2e4 e8e7"), "chess"),
        "40... e7e5 41. e2e4 e8e7 {length-adjudication} 1/2-1/2"
    );
    // Several actions in a turn.
    let game =
        played("equalizer-options", &[], None, "e2e4 d7d5 refuse roll:N g1f3 refuse roll:P d5e4");
    assert_eq!(
        moves(&game, "equalizer-options"),
        "1. e2e4 d7d5 2. refuse {[%chance roll:N]} g1f3 refuse {[%chance roll:P]} d5e4 \
         {length-adjudication} 1/2-1/2"
    );
    let game = played("bomber", &[], None, "e2e4 e7e5* card:2 d2d4");
    assert_eq!(
        moves(&game, "bomber"),
        "1. e2e4 e7e5* {[%chance card:2]} 2. d2d4 {length-adjudication} 1/2-1/2"
    );
}

#[test]
fn options_are_written_and_read() {
    let deck = owned(&[("BomberDeck", "tests/data/decks/two  rows.txt")]);
    let game = played("bomber", &deck, None, "e2e4 e7e5* card:2 d2d4");
    let text = check(&game, &heading("bomber", &deck));
    assert!(
        text.contains("[GameOptions \"BomberDeck=tests/data/decks/two  rows.txt\"]\n"),
        "{text}"
    );
    let strong = owned(&[("EqualizerStrong", "b"), ("EqualizerPeriod", "1")]);
    let game = played("equalizer-winners", &strong, None, "roll:NP take:2");
    let text = check(&game, &heading("equalizer-winners", &strong));
    assert!(text.contains("[GameOptions \"EqualizerStrong=b; EqualizerPeriod=1\"]\n"), "{text}");
    let chess960 = owned(&[("UCI_Chess960", "true")]);
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let game = played("chess", &chess960, Some(fen), "e1h1");
    let text = check(&game, &heading("chess", &chess960));
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n"), "{text}");
    // A path may look like a list.
    let read = settings("BomberDeck=a; b=c; UCI_Chess960=true").unwrap();
    assert_eq!(
        read,
        owned(&[("BomberDeck", "a; b=c"), ("UCI_Chess960", "true")])
            .iter()
            .map(|(name, value)| (&name[..], value.clone()))
            .collect::<Vec<_>>()
    );
}

/// Games of every variant, played at random.
#[test]
fn what_is_written_is_read() {
    let mut random = StdRng::seed_from_u64(1);
    for &variant in VARIANTS.iter().cycle().take(5 * VARIANTS.len()) {
        let steps = with_game!(setup(variant, &[]), G, setup => {
            let mut record = Record::new(G::start(&setup));
            let mut steps = Vec::new();
            for _ in 0..300 {
                let position = record.position();
                let action = match record.node() {
                    Node::Over(_) => break,
                    Node::Chance(_) => drawn_event(position, random.random()),
                    Node::Decision(_) => {
                        let mut list = <G as Game>::Actions::default();
                        position.actions(Wanted::All, &mut list);
                        *list.as_ref().choose(&mut random).unwrap()
                    }
                };
                let mut step = step(&record, &setup, &position.action_text(&setup, action));
                if step.by != Mover::Chance && random.random_bool(0.7) {
                    step.thought.score = Some(format!("cp {}", random.random_range(-900..900)));
                    step.thought.depth = Some(random.random_range(1..40));
                    step.thought.nodes = Some(random.random());
                }
                steps.push(step);
                record.play(action);
            }
            steps
        });
        check(&record(steps), &heading(variant, &[]));
    }
}

#[test]
fn endings_have_a_word_of_pgn() {
    for (ending, wanted) in [
        (Ending::Checkmate, "[Termination \"normal\"]\n[Ending \"checkmate\"]"),
        (Ending::FiftyMoves, "[Termination \"normal\"]\n[Ending \"fifty-moves\"]"),
        (
            Ending::DrawAdjudication,
            "[Termination \"adjudication\"]\n[Ending \"draw-adjudication\"]",
        ),
        (Ending::TimeForfeit, "[Termination \"time forfeit\"]\n[Ending \"time-forfeit\"]"),
        (Ending::Stall, "[Termination \"abandoned\"]\n[Ending \"stall\"]"),
    ] {
        let game = GameRecord { game: 6, ending, ..record(Vec::new()) };
        let text = text(&game, &heading("chess", &[]));
        assert!(text.contains(wanted) && text.contains("[Round \"3.2\"]"), "{text}");
    }
}

#[test]
fn scores_are_in_pawns() {
    for (text, wanted) in [
        ("cp 31", Some("+0.31")),
        ("cp -5", Some("-0.05")),
        ("cp 0", Some("+0.00")),
        ("cp 12345", Some("+123.45")),
        ("cp -9223372036854775808", Some("-92233720368547758.08")),
        ("mate 3", Some("+M3")),
        ("mate -2", Some("-M2")),
        ("cp", None),
        ("cp x", None),
        ("elo 3", None),
        ("", None),
    ] {
        assert_eq!(score(text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn pgn_is_read_as_it_is_found() {
    let text = "\u{feff}; made by hand\r\n\
        [Event \"the \\\"big\\\" one \\\\ 1\"]\r\n\
        % [Event \"not me\"]\r\n\
        [ Result  \"1-0\" ]\r\n\r\n\
        1.e2e4! {best} e7e5?! $1 ( 1... c7c5 {no ) here [%chance roll:P]} (1...e6 2. d4) 2. Nf3 1-0 )\r\n\
        2 . g1f3 {[%clk 1:00] [%chance roll:N] and\r\n[%chance\r\nroll:*] [%chancellor x]} 2... b8c6 ; end }\r\n\
        3. e7e8+a 0-0 N@f3$12 !? 3… e4e5*!! ...Qh5+\r\n\r\n\
        [Event \"two\"]\r\n\
        [Event \"three\"]\r\n\
        1. d4 1/2 {over} 1. c4 * \r\n\
        [White \"x\"] 7.0-1";
    let games = read(text).unwrap();
    assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 12, 13, 14, 15]);
    let results: Vec<_> = games.iter().map(|game| &game.result[..]).collect();
    assert_eq!(results, ["1-0", "*", "1/2-1/2", "*", "0-1"]);
    assert_eq!(games[0].tag("EVENT"), Some("the \"big\" one \\ 1"));
    assert_eq!(games[0].tag("Site"), None);
    assert_eq!(
        games[0].actions,
        [
            "e2e4", "e7e5", "g1f3", "roll:N", "roll:*", "b8c6", "e7e8+a", "0-0", "N@f3", "e4e5*",
            "Qh5+"
        ]
    );
    assert_eq!(games[2].actions, ["d4"]);
    assert_eq!(games[3].actions, ["c4"]);
    assert_eq!(read("").unwrap(), []);
    assert_eq!(read("\u{feff} ; nothing\n%\n{at all}").unwrap(), []);
}

#[test]
fn what_cannot_be_read_is_named() {
    for (text, error) in [
        ("1. e4 {a\nb", "line 1: the comment that begins here has no end; wanted '}'"),
        (
            "1. e4\n(d4 (c4)\n\n[Event \"x\"]",
            "line 2: the variation that begins here has no end; wanted ')' before the next game",
        ),
        ("e4\n }", "line 2: '}' ends nothing; wanted a move, a tag or a comment"),
        ("e4 )", "line 1: ')' ends nothing; wanted a move, a tag or a comment"),
        (
            "[Event \"x\n\"]",
            "line 1: \"[Event \\\"x\" is no tag; wanted [Name \"value\"] on one line, with \\\" and \
             \\\\ for a quotation mark and a backslash in the value",
        ),
        (
            "{ [%chance roll:P roll:N]}",
            "line 1: \"[%chance roll:P roll:N]\" is no event; wanted one word, such as \
             [%chance roll:P]",
        ),
        (
            "{[%chance]}",
            "line 1: \"[%chance]\" is no event; wanted one word, such as [%chance roll:P]",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), error, "{text}");
    }
    for text in [
        "[]",
        "[\"x\"]",
        "[A]",
        "[A \"x\"",
        "[A \"x\" y]",
        "[A x]",
        "[",
        "[A \"\\\"]",
        "{[%chance x}",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn what_cannot_be_played_is_named() {
    for (text, error) in [
        (
            "*\n\n1. e2e4 e2e4",
            "game 2, which begins on line 3: action 2 (\"e2e4\") is no legal action, such as e7e5, e7e6, after \
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "[Variant \"Equalizer\"] {[%chance roll:X]}",
            "game 1, which begins on line 1: action 1 (\"roll:X\") is no possible event; \
             roll:<face> is due, such as roll:P, after \
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "[GameOptions \"EqualizerPeriod=x\"] *",
            "game 1, which begins on line 1: option EqualizerPeriod cannot be \"x\"; wanted a whole \
             number from 0 to 1000",
        ),
        (
            "[GameOptions \"fast\"] *",
            "game 1, which begins on line 1: GameOptions has \"fast\"; wanted NAME=VALUE, with \"; \" \
             between several",
        ),
        ("[GameOptions \"Speed=1\"] *", "game 1, which begins on line 1: unknown option \"Speed\""),
    ] {
        let games = read(text).unwrap();
        assert_eq!(replay(games.last().unwrap()).unwrap_err().to_string(), error);
    }
    let error = |text| replay(&read(text).unwrap()[0]).unwrap_err().to_string();
    let start = "game 1, which begins on line 1: ";
    assert!(
        error("[Variant \"go\"] *")
            .starts_with(&format!("{start}there is no variant \"go\"; there are chess, "))
    );
    assert!(error("[FEN \"8/8 w\"] *").starts_with(&format!("{start}FEN")));
}

/// Neither reading nor playing panics, whatever the bytes are.
#[test]
fn no_bytes_panic() {
    let mut random = StdRng::seed_from_u64(2);
    let seed = "[Event \"a \\\"b\\\"\"]\r\n[Variant \"equalizer\"]\n[GameOptions \"UCI_Chess960=true; \
        EqualizerPeriod=3\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\
        {[%chance roll:P]} 1. e2e4! $3 (1. d4 {no}) ; rest\n% skip\n1... e7e8=Q ½-½ \u{feff}1/2-1/2 …";
    let pieces: Vec<char> = "[]{}()%;$\"\\.!?*\n\r 01e4…½\u{feff}\0".chars().collect();
    for round in 0..20_000 {
        let mut bytes = if round % 4 == 0 { Vec::new() } else { seed.as_bytes().to_vec() };
        for _ in 0..random.random_range(1..12) {
            let place = random.random_range(0..=bytes.len());
            let end = random.random_range(place..=bytes.len().min(place + 8));
            let piece = pieces.choose(&mut random).unwrap().to_string().into_bytes();
            match random.random_range(0..4) {
                0 => drop(bytes.splice(place..end, piece)),
                1 => drop(bytes.splice(place..place, [random.random()])),
                2 => drop(bytes.drain(place..end)),
                _ => bytes.extend_from_within(place..end),
            }
        }
        let lossy = String::from_utf8_lossy(&bytes);
        for game in read(&lossy).into_iter().flatten() {
            // Whether it can be played is not asked.
            let _ = replay(&game);
        }
    }
}

//! `protocol.md` and `games.md` against the program: their examples are run, and whatever the program has
//! of options, commands, tokens and errors must be there.
//!
//! A block marked `session` is a conversation with a fresh alea: `> ` begins a line to it, the
//! other lines are what it answers, all of them and in this order. Within a line `…` stands for any
//! text, and a line of nothing but `…` for any number of lines.

mod program;

use std::fs;
use std::path::Path;

use program::{Alea, variants};

/// A block's first line number and its lines.
struct Example {
    line: usize,
    lines: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut open: Option<Example> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            None if line == "```session" => {
                open = Some(Example { line: index + 2, lines: Vec::new() });
            }
            None => {}
            Some(_) if line == "```" => examples.extend(open.take()),
            Some(example) => example.lines.push(line.to_owned()),
        }
    }
    assert!(open.is_none(), "the last block has no end");
    examples
}

/// Whether a line is what the pattern wants, `…` standing for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    rest.ends_with(last)
}

fn run(page: &str, example: &Example) {
    let mut alea = Alea::start(&[]);
    let mut anything = false;
    for (offset, wanted) in example.lines.iter().enumerate() {
        let place = format!("{page}, line {}", example.line + offset);
        if let Some(line) = wanted.strip_prefix("> ") {
            alea.say(line);
        } else if wanted == "…" {
            anything = true;
        } else {
            loop {
                let line = alea.hear().unwrap_or_else(|| panic!("{place}: no {wanted:?} came"));
                if matches(wanted, &line) {
                    break;
                }
                assert!(anything, "{place}: wanted {wanted:?}, came {line:?}");
            }
            anything = false;
        }
    }
    let rest = alea.end();
    assert!(anything || rest.is_empty(), "{page}, line {}: more came: {rest:?}", example.line);
}

fn text(page: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
}

#[test]
fn the_examples_are_true() {
    for page in ["protocol.md", "games.md"] {
        let examples = examples(&text(page));
        assert!(examples.len() > 10, "{page}");
        for example in &examples {
            run(page, example);
        }
    }
}

/// The cells of the table's row that begins so.
fn row(page: &str, name: &str) -> Vec<String> {
    let start = format!("| {name} ");
    let line = page.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("no row begins with {start:?}"));
    let cells = line.replace("\\|", "/");
    cells.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// Type, range and default are those that `uci` tells.
#[test]
fn every_option_has_its_row() {
    let page = text("protocol.md");
    let mut alea = Alea::start(&[]);
    alea.say("uci");
    let mut options = 0;
    loop {
        let line = alea.hear().unwrap();
        if line == "uciok" {
            break;
        }
        let Some(option) = line.strip_prefix("option name ") else { continue };
        options += 1;
        let (name, rest) = option.split_once(" type ").unwrap();
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let cells = row(&page, &format!("`{name}`"));
        let [_, _, told_kind, told_range, told_default, meaning, ..] = &cells[..] else {
            panic!("{cells:?}");
        };
        assert_eq!(told_kind, kind, "{name}");
        assert!(meaning.len() > 8, "{name}");
        let rest = rest.strip_prefix("default ").unwrap_or_default();
        match kind {
            "spin" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [default, "min", min, "max", max] = words[..] else { panic!("{line}") };
                assert_eq!(*told_range, format!("{min} … {max}"), "{name}");
                assert_eq!(told_default, default, "{name}");
            }
            "combo" => {
                let values: Vec<&str> = rest.split(" var ").collect();
                assert_eq!(told_default, values[0], "{name}");
                if name == "UCI_Variant" {
                    for game in &values[1..] {
                        assert!(page.contains(&format!("`{game}`")), "{game}");
                    }
                } else {
                    assert_eq!(*told_range, values[1..].join(", "), "{name}");
                }
            }
            "check" => assert_eq!(told_default, rest, "{name}"),
            "string" => {
                let start = told_default.trim_matches('`').trim_end_matches('…');
                assert!(rest.starts_with(start) && !start.is_empty(), "{name}");
            }
            _ => assert_eq!((kind, told_default.as_str()), ("button", ""), "{name}"),
        }
    }
    assert!(options > 15, "{options}");
}

#[test]
fn every_command_and_every_word_of_go_has_its_place() {
    let page = text("protocol.md");
    let mut alea = Alea::start(&[]);
    alea.say("help");
    let commands: Vec<String> = alea
        .sync()
        .iter()
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let titles = [format!("### `{command}`"), format!("### `{command} ")];
        let found = page.lines().any(|line| titles.iter().any(|title| line.starts_with(title)));
        assert!(found, "{command}");
    }
    let error = alea.ask("go somewhere");
    let words = error.strip_prefix("info string error: go: wanted ").unwrap();
    let words = words.strip_suffix(", not \"somewhere\"").unwrap().replace(" or ", ", ");
    let table = page.split("### `go <words>`").nth(1).unwrap().split("```").next().unwrap();
    for word in words.split(", ") {
        let told = [format!("`{word}`"), format!("`{word} ")];
        assert!(told.iter().any(|told| table.contains(told)), "{word}");
    }
}

/// Every key of every game's FEN is in the game's row.
#[test]
fn every_token_has_its_place() {
    let page = text("protocol.md");
    let mut alea = Alea::start(&[]);
    for variant in variants() {
        alea.say(&format!("setoption name UCI_Variant value {variant}"));
        alea.hear_until("info string variant ");
        let fen = alea.ask("fen");
        let fen: Vec<&str> = fen.split(' ').skip(1).take(6).collect();
        let error = alea.ask(&format!("position fen {} zz=1", fen.join(" ")));
        let (_, keys) = error.split_once(" has ").unwrap_or_else(|| panic!("{error}"));
        let game = match variant.split('-').next().unwrap() {
            "blender100" => "blender",
            game => game,
        };
        let start = format!("| `{game}`");
        let rows = page.split("## Actions and tokens, game by game").nth(1).unwrap();
        let row = rows.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("no row for {game}"));
        for key in keys.split(", ").filter(|&key| key != "none") {
            assert!(row.contains(&format!("`{key}=")), "{variant}: {key} in {row}");
        }
    }
}

/// The texts of a file's errors, `…` in every place that is filled in.
fn errors(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in source.split("#[error(").skip(1) {
        let Some(rest) = part.trim_start().strip_prefix('"') else { continue };
        let (mut text, mut letters) = (String::new(), rest.chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                '"' => break,
                '{' => {
                    letters.by_ref().find(|&letter| letter == '}');
                    text.push('…');
                }
                '\\' => match letters.next() {
                    // The text goes on in the next line.
                    Some('\n') => while letters.next_if_eq(&' ').is_some() {},
                    Some(escaped) => text.push(escaped),
                    None => {}
                },
                _ => text.push(letter),
            }
        }
        // What only puts others together says nothing itself.
        if text.chars().filter(char::is_ascii_alphabetic).count() > 8 {
            found.push(text);
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_error_is_described() {
    let page = text("protocol.md").replace("\"…\"", "…").replace("'…'", "…");
    let mut files = Vec::new();
    for room in ["src/uci", "src/search", "src/game"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(room), &mut files);
    }
    let errors: Vec<String> = files.iter().flat_map(|file| errors(file)).collect();
    assert!(errors.len() > 40, "{}", errors.len());
    for error in errors {
        assert!(page.contains(&format!("`{error}`")), "{error}");
    }
}

#[test]
fn ellipses_match_any_text() {
    assert!(matches("a…c", "abc"));
    assert!(matches("a…c", "ac"));
    assert!(matches("…", ""));
    assert!(matches("a…b…c", "a-b-b-c"));
    assert!(!matches("a…c", "abd"));
    assert!(!matches("abc", "abcd"));
}

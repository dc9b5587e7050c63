//! The examples of `protocol.md`, run against the program.
//!
//! A block marked `session` is a conversation with a fresh alea: `> ` begins a line to it, the
//! other lines are what it answers, all of them and in this order. Within a line `…` stands for any
//! text, and a line of nothing but `…` for any number of lines.

mod program;

use std::fs;
use std::path::Path;

use program::Alea;

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

fn run(example: &Example) {
    let mut alea = Alea::start(&[]);
    let mut anything = false;
    for (offset, wanted) in example.lines.iter().enumerate() {
        let place = format!("protocol.md, line {}", example.line + offset);
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
    assert!(anything || rest.is_empty(), "protocol.md, line {}: more came: {rest:?}", example.line);
}

#[test]
fn the_examples_of_the_protocol_are_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let examples = examples(&fs::read_to_string(path).unwrap());
    assert!(examples.len() > 10);
    examples.iter().for_each(run);
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

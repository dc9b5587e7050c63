//! Texts that are nearly right, and what must hold of those that are read nevertheless.

use alea::game::{Game, perft};
use rand::RngExt;
use rand::rngs::StdRng;

use super::pick;

/// What texts of all kinds are made of.
const PIECES: &[&str] = &[
    "0",
    "1",
    "-1",
    "9",
    "64",
    "65536",
    "4294967296",
    "18446744073709551616",
    "+",
    "-",
    "=",
    "/",
    ",",
    ":",
    ".",
    "*",
    "x",
    " ",
    "\t",
    "\r",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "#",
    "%",
    "$",
    "a1",
    "h8",
    "j10",
    "e2e4",
    "e7e8q",
    "O-O",
    "O-O-O",
    "K",
    "k",
    "Q",
    "P",
    "p",
    "+N",
    "w",
    "b",
    "KQkq",
    "die=",
    "next=",
    "boom=",
    "deck=",
    "pool=",
    "board=",
    "gems=",
    "tracks=",
    "free=",
    "due=",
    "jump=",
    "place=",
    "ladders=",
    "blocks=",
    "roll:N",
    "card:1",
    "pick:e2",
    "L@c3",
    "e2t1",
    "startpos",
    "moves",
    "fen",
    "value",
    "name",
    "\u{e9}",
    "\u{1f600}",
    "\u{0}",
    "null",
    "true",
];

/// What may stand for one another in FENs and actions.
const LETTERS: &[u8] = b"KQRBNPkqrbnpGOYVgoyvwaeh0123456789/-";

/// A text with a few bytes, words or parts changed, doubled, lost or moved.
pub(crate) fn mutate(text: &[u8], rng: &mut StdRng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let changes = if rng.random_bool(0.6) { 1 } else { rng.random_range(2..=4) };
    for _ in 0..changes {
        if bytes.is_empty() {
            bytes.extend(pick(rng, PIECES).bytes());
            continue;
        }
        let place = rng.random_range(0..bytes.len());
        match rng.random_range(0..10) {
            0 => bytes[place] = rng.random(),
            1 => bytes[place] ^= 1 << rng.random_range(0..8),
            2 => {
                bytes.remove(place);
            }
            3 => {
                let other = rng.random_range(0..bytes.len());
                bytes.swap(place, other);
            }
            4 => bytes.truncate(place),
            5 => {
                let end = (place + rng.random_range(1..24)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                let to = rng.random_range(0..=bytes.len());
                bytes.splice(to..to, part);
            }
            6 => {
                let end = (place + rng.random_range(1..24)).min(bytes.len());
                bytes.drain(place..end);
            }
            7 => bytes[place] = pick(rng, LETTERS),
            _ => {
                let part = pick(rng, PIECES).bytes();
                bytes.splice(place..place, part);
            }
        }
    }
    bytes
}

/// The same; what is no UTF-8 then is replaced.
pub(crate) fn mutated_text(text: &str, rng: &mut StdRng) -> String {
    String::from_utf8_lossy(&mutate(text.as_bytes(), rng)).into_owned()
}

/// What was read of a text is a position: it can be printed, read again and played on from, and of
/// mangled actions no wrong one is taken.
pub(crate) fn survive<G: Game + PartialEq>(
    setup: &G::Setup,
    text: &str,
    mut position: G,
    rng: &mut StdRng,
) {
    let printed = position.fen(setup);
    assert_eq!(G::from_fen(setup, &printed), Ok(position.clone()), "{text:?}");
    for _ in 0..3 {
        assert_eq!(position.key(), position.fresh_key(), "{text:?}");
        position.draw(setup, false);
        let branches = perft::branches(&position);
        if !position.is_chance() && position.ended().is_none() {
            assert_eq!(position.count_actions(), branches.len() as u64, "{text:?}");
        }
        if branches.is_empty() {
            return;
        }
        let branch = pick(rng, &branches);
        let name = position.action_text(setup, branch);
        for _ in 0..4 {
            if let Some(action) = position.parse_action(setup, &mutated_text(&name, rng)) {
                assert!(branches.contains(&action), "{action:?} in {text:?}");
            }
        }
        position.play(branch, &mut ());
    }
    assert_eq!(position.key(), position.fresh_key(), "{text:?}");
}

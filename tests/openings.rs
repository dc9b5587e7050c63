//! The files of start positions in `openings/`.

mod support;

use std::collections::HashSet;
use std::path::Path;

use alea::game::{AnySetup, Game, GameOptions, Node, VARIANTS, with_game};
use support::data_lines;

/// There is one for every game, and each line is a position that a game can begin at.
#[test]
fn every_line_is_a_start() {
    for &variant in VARIANTS {
        let file = format!("../../openings/{variant}.epd");
        let lines = data_lines(&file);
        assert!(lines.len() >= 100, "{file} has {} positions", lines.len());
        let different: HashSet<Vec<&str>> = lines.iter().map(|line| without_clocks(line)).collect();
        assert_eq!(different.len(), lines.len(), "{file} has a position twice");
        let setup = AnySetup::named(variant, &GameOptions::default()).unwrap();
        with_game!(setup, G, setup => for line in &lines {
            let position = G::from_fen(&setup, line)
                .unwrap_or_else(|error| panic!("{file}: {line}: {error}"));
            assert_eq!(&position.fen(&setup), line, "{file}");
            assert!(!matches!(position.node(), Node::Over(_)), "{file}: {line}: over");
            assert!(!position.in_check(), "{file}: {line}: check");
            assert!(position.is_fresh_turn(), "{file}: {line}: something is left over");
            for token in ["die=", "next=", "boom="] {
                assert!(!line.contains(token), "{file}: {line}: {token}");
            }
        });
    }
}

/// A file whose name is no game's would be read by nobody, this test included.
#[test]
fn files_are_named_by_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openings");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "epd") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(VARIANTS.contains(&name), "{}", path.display());
        }
    }
}

fn without_clocks(fen: &str) -> Vec<&str> {
    let fields = fen.split(' ').enumerate();
    fields.filter(|(index, _)| !(4..6).contains(index)).map(|(_, field)| field).collect()
}

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use crate::core::Color;

use super::bomber::{Deck, DeckFileError};
use super::ladders::Tiles;
use super::mutation::Ground;
use super::quantum::TrackBoard;

/// What a game's option may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// What holds where nothing was set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// What holds where nothing was set.
        default: u32,
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// One of several words.
    Combo {
        /// What holds where nothing was set.
        default: &'static str,
        /// All of them.
        values: &'static [&'static str],
    },
    /// A text of a form of its own.
    Text {
        /// What holds where nothing was set.
        default: &'static str,
    },
    /// The name of a file; none, or [`NO_FILE`], for what is built in.
    File,
}

/// UCI's word for a text that is empty.
pub const NO_FILE: &str = "<empty>";

impl OptionKind {
    /// What a value may be, for messages.
    fn wanted(self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Combo { values, .. } => values.join(" or "),
            Self::Text { default } => format!("a text such as {default}"),
            Self::File => format!("the name of a file, or {NO_FILE}"),
        }
    }
}

/// An option that shapes what `startpos` means, or how a game's actions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name in `setoption`.
    pub name: &'static str,
    /// Its values.
    pub kind: OptionKind,
}

/// The options of all games.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "UCI_Chess960", kind: OptionKind::Check { default: false } },
    OptionSpec {
        name: "EqualizerStrong",
        kind: OptionKind::Combo { default: "w", values: &["w", "b"] },
    },
    OptionSpec {
        name: "EqualizerPeriod",
        kind: OptionKind::Spin { default: 0, min: 0, max: 1000 },
    },
    OptionSpec { name: "BomberDeck", kind: OptionKind::File },
    OptionSpec { name: "MutationBoard", kind: OptionKind::Text { default: Ground::DEFAULT_TEXT } },
    OptionSpec {
        name: "QuantumTracks",
        kind: OptionKind::Text { default: TrackBoard::DEFAULT_TEXT },
    },
    OptionSpec {
        name: "QuantumFreeMoves",
        kind: OptionKind::Combo { default: "exact", values: &["exact", "upto"] },
    },
    OptionSpec {
        name: "LadderTiles",
        kind: OptionKind::Combo { default: "diagonal", values: Tiles::NAMES },
    },
];

/// A value that an option cannot have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// The value is not of the option's kind.
    #[error("option {name} cannot be {value:?}; wanted {wanted}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it may be.
        wanted: String,
    },
    /// The file that the value names does not serve.
    #[error("option {name}: {error}")]
    Deck {
        /// The option.
        name: &'static str,
        /// What is wrong with the file.
        error: DeckFileError,
    },
}

/// Values of the games' options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// Whether castling is told as in Chess960.
    pub chess960: bool,
    /// The stronger side in `startpos` of `equalizer-handicap` and `equalizer-weaker`.
    pub strong: Color,
    /// The count of turns in `startpos` of the equalizer's modes that have one; 0 is the mode's own.
    pub period: u32,
    /// The cards of `bomber`.
    pub deck: Arc<Deck>,
    /// The colours of the squares in `startpos` of `mutation`.
    pub ground: Ground,
    /// The tracks in `startpos` of `quantum`.
    pub tracks: TrackBoard,
    /// Whether free moves may be given up in `startpos` of `quantum`.
    pub free_moves_up_to: bool,
    /// The boards of `startpos` of `ladders`.
    pub tiles: Tiles,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            chess960: false,
            strong: Color::White,
            period: 0,
            deck: Arc::default(),
            ground: Ground::default(),
            tracks: TrackBoard::default(),
            free_moves_up_to: false,
            tiles: Tiles::default(),
        }
    }
}

impl GameOptions {
    /// Sets an option; names are compared without regard to case.
    ///
    /// # Errors
    /// An unknown name, a value out of the option's kind, or a file that does not serve; nothing is
    /// changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(spec) = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        match spec.kind {
            OptionKind::File => return self.set_file(spec.name, value),
            OptionKind::Text { .. } => return self.set_text(spec.name, value),
            _ => {}
        }
        self.set_known(spec, value).ok_or_else(|| OptionError::Value {
            name: spec.name,
            value: value.to_owned(),
            wanted: spec.kind.wanted(),
        })
    }

    /// Reads a file at once, so that what was wrong with it is told where it is named.
    fn set_file(&mut self, name: &'static str, path: &str) -> Result<(), OptionError> {
        self.deck = if path.is_empty() || path == NO_FILE {
            Arc::default()
        } else {
            Arc::new(Deck::read(path).map_err(|error| OptionError::Deck { name, error })?)
        };
        Ok(())
    }

    /// Reads a text by its own form.
    fn set_text(&mut self, name: &'static str, text: &str) -> Result<(), OptionError> {
        let read = match name {
            "MutationBoard" => read_into(&mut self.ground, text),
            "QuantumTracks" => read_into(&mut self.tracks, text),
            _ => return Err(OptionError::Unknown(name.to_owned())),
        };
        read.map_err(|wanted| OptionError::Value { name, value: text.to_owned(), wanted })
    }

    fn set_known(&mut self, spec: &OptionSpec, text: &str) -> Option<()> {
        let truth = || {
            let [no, yes] = ["false", "true"].map(|word| text.eq_ignore_ascii_case(word));
            (no || yes).then_some(yes)
        };
        let number = || {
            let OptionKind::Spin { min, max, .. } = spec.kind else { return None };
            text.parse().ok().filter(|value| (min..=max).contains(value))
        };
        let word = || {
            let OptionKind::Combo { values, .. } = spec.kind else { return None };
            values.iter().copied().find(|value| value.eq_ignore_ascii_case(text))
        };
        match spec.name {
            "UCI_Chess960" => self.chess960 = truth()?,
            "EqualizerStrong" => self.strong = Color::white_if(word()? == "w"),
            "EqualizerPeriod" => self.period = number()?,
            "QuantumFreeMoves" => self.free_moves_up_to = word()? == "upto",
            "LadderTiles" => self.tiles = Tiles::named(word()?)?,
            _ => return None,
        }
        Some(())
    }
}

/// Replaces a value by what a text says, if it says one; else tells what was wanted.
fn read_into<T: FromStr<Err: Display>>(value: &mut T, text: &str) -> Result<(), String> {
    *value = text.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_bad_values_change_nothing() {
        let mut options = GameOptions::default();
        assert!(!options.chess960);
        options.set("uci_chess960", "TRUE").unwrap();
        assert!(options.chess960);
        assert!(options.set("UCI_Chess960", "maybe").is_err());
        assert!(options.chess960);
        options.set("EqualizerStrong", "B").unwrap();
        options.set("equalizerperiod", "7").unwrap();
        assert_eq!((options.strong, options.period), (Color::Black, 7));
        for (name, value, error) in [
            ("Chess961", "true", "unknown option \"Chess961\""),
            (
                "EqualizerStrong",
                "white",
                "option EqualizerStrong cannot be \"white\"; wanted w or b",
            ),
            (
                "EqualizerPeriod",
                "-1",
                "option EqualizerPeriod cannot be \"-1\"; wanted a whole number from 0 to 1000",
            ),
        ] {
            assert_eq!(options.set(name, value).unwrap_err().to_string(), error);
        }
        assert_eq!((options.strong, options.period), (Color::Black, 7));
    }

    #[test]
    fn a_coloured_board_is_read_when_it_is_set_and_a_wrong_one_changes_nothing() {
        let mut options = GameOptions::default();
        let red = ["rrrrrrrr"; 8].join("/");
        options.set("mutationboard", &red).unwrap();
        assert_eq!(options.ground.to_string(), red);
        let own = options.clone();
        for (value, wanted) in [
            ("", "8 ranks of 8 colours, separated by '/', not 1"),
            ("r/r/r/r/r/r/r/r", "8 colours in rank 1, not 1"),
            (&red.replacen('r', "x", 1), "colours r, y, b, k or w in rank 8, not 'x'"),
        ] {
            assert_eq!(
                options.set("MutationBoard", value).unwrap_err().to_string(),
                format!("option MutationBoard cannot be {value:?}; wanted {wanted}")
            );
        }
        assert_eq!(options, own);
    }

    #[test]
    fn a_deck_is_read_when_it_is_set_and_a_wrong_one_changes_nothing() {
        let built_in = GameOptions::default();
        let mut options = GameOptions::default();
        options.set("bomberdeck", "tests/data/decks/two  rows.txt").unwrap();
        assert_eq!(options.deck.cards().len(), 2);
        let own = options.clone();
        assert_ne!(own, built_in);
        let error = options.set("BomberDeck", "tests/data/decks/wrong.txt").unwrap_err();
        assert_eq!(
            error.to_string(),
            "option BomberDeck: \"tests/data/decks/wrong.txt\", line 7: the row has 3 squares; \
             wanted 2, as the rows above it have"
        );
        let error = options.set("BomberDeck", "no such file").unwrap_err().to_string();
        assert!(
            error.starts_with("option BomberDeck: \"no such file\" cannot be read: "),
            "{error}"
        );
        assert_eq!(options, own);
        for nothing in ["", "<empty>"] {
            options.clone_from(&own);
            options.set("BomberDeck", nothing).unwrap();
            assert_eq!(options, built_in);
        }
    }

    /// Every option takes the default that it declares, and has it already.
    #[test]
    fn defaults_are_what_holds() {
        for spec in OPTIONS {
            let mut options = GameOptions::default();
            let default = match spec.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => {
                    default.to_owned()
                }
                OptionKind::File => NO_FILE.to_owned(),
            };
            options.set(spec.name, &default).unwrap();
            assert_eq!(options, GameOptions::default(), "{}", spec.name);
        }
    }
}

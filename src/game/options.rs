use std::collections::BTreeMap;

use thiserror::Error;

/// What a game's option may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// What holds where nothing was set.
        default: bool,
    },
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
pub const OPTIONS: &[OptionSpec] =
    &[OptionSpec { name: "UCI_Chess960", kind: OptionKind::Check { default: false } }];

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
        wanted: &'static str,
    },
}

/// Values of the games' options; what was not set has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameOptions {
    checks: BTreeMap<&'static str, bool>,
}

impl GameOptions {
    /// Sets an option; names are compared without regard to case.
    ///
    /// # Errors
    /// An unknown name, or a value out of the option's kind; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(spec) = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        match spec.kind {
            OptionKind::Check { .. } => {
                let value = match value {
                    _ if value.eq_ignore_ascii_case("true") => true,
                    _ if value.eq_ignore_ascii_case("false") => false,
                    _ => {
                        return Err(OptionError::Value {
                            name: spec.name,
                            value: value.to_owned(),
                            wanted: "true or false",
                        });
                    }
                };
                self.checks.insert(spec.name, value);
            }
        }
        Ok(())
    }

    /// Whether castling is told as in Chess960.
    pub fn chess960(&self) -> bool {
        self.checks.get("UCI_Chess960").copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_bad_values_change_nothing() {
        let mut options = GameOptions::default();
        assert!(!options.chess960());
        options.set("uci_chess960", "TRUE").unwrap();
        assert!(options.chess960());
        assert!(options.set("UCI_Chess960", "maybe").is_err());
        assert!(options.chess960());
        assert_eq!(
            options.set("Chess961", "true").unwrap_err().to_string(),
            "unknown option \"Chess961\""
        );
    }
}

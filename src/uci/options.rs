//! The options: every one declared once, with its name, range and what it sets.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use thiserror::Error;

use crate::eval::network::{Network, NetworkError, Shape};
use crate::game::{
    GameOptions, NO_FILE, OPTIONS as GAME_OPTIONS, OptionError, OptionKind, VARIANTS,
};
use crate::search::{ParameterError, Parameters, Settings};

use super::output::clip;

/// The game that is played before any other is chosen.
pub(super) const DEFAULT_VARIANT: &str = "chess";

/// The longest quotation in an error message, in characters.
const LONGEST_QUOTE: usize = 60;

/// An option of the engine's own; the games' follow [`GAME_OPTIONS`].
struct EngineOption {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    Spin { min: u64, max: u64, get: fn(&Settings) -> u64, set: fn(&mut Settings, u64) },
    Check { get: fn(&Settings) -> bool, set: fn(&mut Settings, bool) },
    ClearHash,
    Variant,
    Network,
}

const ENGINE_OPTIONS: &[EngineOption] = &[
    EngineOption {
        name: "Hash",
        kind: Kind::Spin {
            min: 1,
            max: 1_048_576,
            get: |settings| widened(settings.hash),
            set: |settings, value| settings.hash = narrowed(value),
        },
    },
    EngineOption {
        name: "Threads",
        kind: Kind::Spin {
            min: 1,
            max: 512,
            get: |settings| widened(settings.threads),
            set: |settings, value| settings.threads = narrowed(value),
        },
    },
    EngineOption {
        name: "MultiPV",
        kind: Kind::Spin {
            min: 1,
            max: 256,
            get: |settings| widened(settings.multi_pv),
            set: |settings, value| settings.multi_pv = narrowed(value),
        },
    },
    // GUIs ask for it before they send `go ponder`; alea itself needs not know.
    EngineOption { name: "Ponder", kind: Kind::Check { get: |_| false, set: |_, _| {} } },
    EngineOption {
        name: "Move Overhead",
        kind: Kind::Spin {
            min: 0,
            max: 5000,
            get: |settings| settings.move_overhead,
            set: |settings, value| settings.move_overhead = value,
        },
    },
    EngineOption { name: "Clear Hash", kind: Kind::ClearHash },
    EngineOption { name: "EvalFile", kind: Kind::Network },
    EngineOption { name: "UCI_Variant", kind: Kind::Variant },
    EngineOption {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            get: |settings| settings.show_wdl,
            set: |settings, value| settings.show_wdl = value,
        },
    },
    EngineOption {
        name: "UCI_AnalyseMode",
        kind: Kind::Check {
            get: |settings| settings.analyse_mode,
            set: |settings, value| settings.analyse_mode = value,
        },
    },
    EngineOption {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            get: |settings| settings.limit_strength,
            set: |settings, value| settings.limit_strength = value,
        },
    },
    EngineOption {
        name: "UCI_Elo",
        kind: Kind::Spin {
            min: *Settings::ELO_RANGE.start() as u64,
            max: *Settings::ELO_RANGE.end() as u64,
            get: |settings| u64::from(settings.elo),
            set: |settings, value| settings.elo = u32::try_from(value).unwrap_or(u32::MAX),
        },
    },
];

fn widened(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

fn narrowed(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// The `option …` line of UCI.
impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        let defaults = Settings::default();
        match self.kind {
            Kind::Spin { min, max, get, .. } => {
                write!(f, "spin default {} min {min} max {max}", get(&defaults))
            }
            Kind::Check { get, .. } => write!(f, "check default {}", get(&defaults)),
            Kind::ClearHash => write!(f, "button"),
            Kind::Network => write!(f, "string default {NO_FILE}"),
            Kind::Variant => {
                write!(f, "combo default {DEFAULT_VARIANT}")?;
                VARIANTS.iter().try_for_each(|name| write!(f, " var {name}"))
            }
        }
    }
}

/// The `option …` lines of all options.
pub(super) fn lines() -> Vec<String> {
    let games = GAME_OPTIONS.iter().map(|option| {
        let (kind, default, rest) = declaration(option.kind);
        format!("option name {} type {kind} default {default}{rest}", option.name)
    });
    ENGINE_OPTIONS.iter().map(ToString::to_string).chain(games).collect()
}

/// How UCI declares a game's option: its type, its default, and what follows that.
fn declaration(kind: OptionKind) -> (&'static str, String, String) {
    match kind {
        OptionKind::Check { default } => ("check", default.to_string(), String::new()),
        OptionKind::Spin { default, min, max } => {
            ("spin", default.to_string(), format!(" min {min} max {max}"))
        }
        OptionKind::Combo { default, values } => {
            let values = values.iter().flat_map(|value| [" var ", value]).collect();
            ("combo", default.to_owned(), values)
        }
        OptionKind::Text { default } => ("string", default.to_owned(), String::new()),
        OptionKind::File => ("string", NO_FILE.to_owned(), String::new()),
    }
}

/// What a `setoption` does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The engine's settings become these.
    Settings(Box<Settings>),
    /// This network plays in the games that it fits; without one, what is built in.
    Network(Option<Arc<Network>>),
    /// The games' options become these.
    Game(GameOptions),
    /// This game is played.
    Variant(&'static str),
    /// The hash is emptied.
    ClearHash,
}

/// Why a `setoption` does nothing.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum SetError {
    #[error("unknown option {0:?}; uci lists all")]
    Unknown(String),
    #[error("option {name} needs a value; wanted {wanted}")]
    NoValue { name: &'static str, wanted: String },
    #[error("option {name} cannot be {value:?}; wanted {wanted}")]
    Value { name: &'static str, value: String, wanted: String },
    #[error("option EvalFile: {path:?} cannot be read: {error}")]
    File { path: String, error: String },
    #[error("option EvalFile: {path:?} is longer than {LONGEST_NETWORK} bytes; wanted a network")]
    LongFile { path: String },
    #[error("option EvalFile: {path:?} is no network: {error}")]
    Network { path: String, error: NetworkError },
    #[error("option EvalFile: {path:?} is a network for {shape}, which no game has")]
    Shape { path: String, shape: Shape },
    #[error("search parameter {name} cannot be {value:?}; wanted a whole number")]
    Parameter { name: String, value: String },
    #[error(transparent)]
    Range(#[from] ParameterError),
    #[error(transparent)]
    Game(#[from] OptionError),
}

/// What setting an option to a value does to the present ones.
pub(super) fn effect(
    name: &str,
    value: Option<&str>,
    settings: &Settings,
    games: &GameOptions,
) -> Result<Effect, SetError> {
    if let Some(option) = ENGINE_OPTIONS.iter().find(|option| option.is_called(name)) {
        return option.effect(value, settings);
    }
    if Parameters::LIST.iter().any(|parameter| parameter.name == name) {
        return parameter_effect(name, value, settings);
    }
    let Some(option) = GAME_OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    else {
        return Err(SetError::Unknown(clip(name, LONGEST_QUOTE)));
    };
    let mut games = games.clone();
    games.set(option.name, value.unwrap_or_default())?;
    Ok(Effect::Game(games))
}

/// Tunables of the search: not declared to GUIs, but set like any option, by their exact names.
fn parameter_effect(
    name: &str,
    value: Option<&str>,
    settings: &Settings,
) -> Result<Effect, SetError> {
    let mut settings = settings.clone();
    let text = value.unwrap_or_default();
    let value = text.parse().map_err(|_| SetError::Parameter {
        name: name.to_owned(),
        value: clip(text, LONGEST_QUOTE),
    })?;
    settings.parameters.set(name, value)?;
    Ok(Effect::Settings(Box::new(settings)))
}

/// No game's network is longer; devices and pipes have no end.
const LONGEST_NETWORK: u64 = 1 << 24;

/// The network in that file; none for what is built in.
fn network(path: &str) -> Result<Option<Arc<Network>>, SetError> {
    if path.is_empty() || path == NO_FILE {
        return Ok(None);
    }
    let clipped = || clip(path, LONGEST_QUOTE);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST_NETWORK + 1).read_to_end(&mut bytes))
        .map_err(|error| SetError::File { path: clipped(), error: error.to_string() })?;
    if bytes.len() as u64 > LONGEST_NETWORK {
        return Err(SetError::LongFile { path: clipped() });
    }
    let network =
        Network::read(&bytes).map_err(|error| SetError::Network { path: clipped(), error })?;
    let shape = network.shape();
    if shape.variants().next().is_none() {
        return Err(SetError::Shape { path: clipped(), shape });
    }
    Ok(Some(Arc::new(network)))
}

impl EngineOption {
    fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn effect(&self, value: Option<&str>, settings: &Settings) -> Result<Effect, SetError> {
        let value =
            || value.ok_or_else(|| SetError::NoValue { name: self.name, wanted: self.wanted() });
        let wrong = |value: &str| SetError::Value {
            name: self.name,
            value: clip(value, LONGEST_QUOTE),
            wanted: self.wanted(),
        };
        let mut settings = Box::new(settings.clone());
        match self.kind {
            Kind::Spin { min, max, set, .. } => {
                let value = value()?;
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                set(&mut settings, number.ok_or_else(|| wrong(value))?);
            }
            Kind::Check { set, .. } => {
                let value = value()?;
                let [no, yes] = ["false", "true"].map(|text| value.eq_ignore_ascii_case(text));
                set(&mut settings, (no || yes).then_some(yes).ok_or_else(|| wrong(value))?);
            }
            Kind::Network => return network(value()?).map(Effect::Network),
            Kind::ClearHash => return Ok(Effect::ClearHash),
            Kind::Variant => {
                let value = value()?;
                let variant = VARIANTS.iter().find(|name| name.eq_ignore_ascii_case(value));
                return variant.map(|&name| Effect::Variant(name)).ok_or_else(|| wrong(value));
            }
        }
        Ok(Effect::Settings(settings))
    }

    /// What its value may be.
    fn wanted(&self) -> String {
        match self.kind {
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Variant => VARIANTS.join(", "),
            Kind::ClearHash => "nothing".to_owned(),
            Kind::Network => format!("the name of a file, or {NO_FILE}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_set(name: &str, value: Option<&str>) -> Result<Effect, SetError> {
        effect(name, value, &Settings::default(), &GameOptions::default())
    }

    fn error(name: &str, value: Option<&str>) -> String {
        try_set(name, value).unwrap_err().to_string()
    }

    #[test]
    fn the_default_game_is_one() {
        assert!(VARIANTS.contains(&DEFAULT_VARIANT));
    }

    #[test]
    fn names_and_combo_values_are_compared_without_case() {
        let wanted = Settings { move_overhead: 30, ..Settings::default() };
        assert_eq!(try_set("MOVE overhead", Some("30")), Ok(Effect::Settings(Box::new(wanted))));
        assert_eq!(try_set("uci_variant", Some("CHROMA")), Ok(Effect::Variant("chroma")));
        assert_eq!(try_set("clear hash", None), Ok(Effect::ClearHash));
        let wanted = Settings { show_wdl: true, ..Settings::default() };
        assert_eq!(try_set("UCI_ShowWDL", Some("True")), Ok(Effect::Settings(Box::new(wanted))));
    }

    #[test]
    fn setting_a_default_changes_nothing() {
        assert_eq!(
            try_set("UCI_Chess960", Some("false")),
            Ok(Effect::Game(GameOptions::default()))
        );
        assert_eq!(try_set("Hash", Some("16")), Ok(Effect::Settings(Box::default())));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        assert_eq!(error("Hush", Some("3")), "unknown option \"Hush\"; uci lists all");
        for value in ["0", "1048577", "x", "-1", "1 2", "99999999999999999999999"] {
            assert_eq!(
                error("hash", Some(value)),
                format!("option Hash cannot be {value:?}; wanted a whole number from 1 to 1048576")
            );
        }
        assert_eq!(
            error("Threads", None),
            "option Threads needs a value; wanted a whole number from 1 to 512"
        );
        assert_eq!(
            error("Ponder", Some("yes")),
            "option Ponder cannot be \"yes\"; wanted true or false"
        );
        assert_eq!(
            error("UCI_Chess960", Some("yes")),
            "option UCI_Chess960 cannot be \"yes\"; wanted true or false"
        );
        assert_eq!(
            error("aspiration", Some("1000")),
            "search parameter aspiration cannot be 1000; wanted 4 to 50"
        );
        assert_eq!(
            error("aspiration", None),
            "search parameter aspiration cannot be \"\"; wanted a whole number"
        );
        assert!(error("UCI_Variant", Some("go")).starts_with("option UCI_Variant cannot be"));
    }

    #[test]
    fn a_network_is_read_when_its_file_is_named() {
        let missing = error("EvalFile", Some("no such file"));
        assert!(
            missing.starts_with("option EvalFile: \"no such file\" cannot be read: "),
            "{missing}"
        );
        assert_eq!(
            error("EvalFile", Some("Cargo.toml")),
            "option EvalFile: \"Cargo.toml\" is no network: it does not begin with \"aleanet2\""
        );
        if cfg!(unix) {
            assert_eq!(
                error("EvalFile", Some("/dev/zero")),
                "option EvalFile: \"/dev/zero\" is longer than 16777216 bytes; wanted a network"
            );
        }
        assert_eq!(
            error("EvalFile", None),
            "option EvalFile needs a value; wanted the name of a file, or <empty>"
        );
        let taken = try_set("EvalFile", Some("src/eval/networks/chess.net"));
        assert!(matches!(taken, Ok(Effect::Network(Some(_)))), "{taken:?}");
        for nothing in ["", "<empty>"] {
            assert_eq!(try_set("EvalFile", Some(nothing)), Ok(Effect::Network(None)));
        }
    }
}

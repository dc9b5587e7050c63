use std::sync::Arc;

use crate::core::Color;

use super::{GameOptions, blender, bomber, chess, equalizer, ladders, mutation, quantum};

/// The values of `UCI_Variant`.
pub const VARIANTS: &[&str] = &[
    "chess",
    "chroma",
    "equalizer",
    "equalizer-tiebreak",
    "equalizer-handicap",
    "equalizer-weaker",
    "equalizer-winners",
    "equalizer-backtoback",
    "equalizer-captureroll",
    "equalizer-forecast",
    "equalizer-specific",
    "equalizer-options",
    "bomber",
    "blender",
    "blender-nightrider",
    "blender100",
    "blender100-nightrider",
    "mutation",
    "quantum",
    "ladders",
];

/// The one place where a game is picked at run time; everything behind it is monomorphised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnySetup {
    /// `chess` and `chroma`.
    Chess(chess::Setup),
    /// `equalizer` in its ten modes.
    Equalizer(equalizer::Setup),
    /// `bomber`.
    Bomber(bomber::Setup),
    /// `blender`.
    Blender(blender::Setup),
    /// `blender-nightrider`.
    BlenderNightrider(blender::Setup),
    /// `blender100`.
    Blender100(blender::Setup),
    /// `blender100-nightrider`.
    Blender100Nightrider(blender::Setup),
    /// `mutation`.
    Mutation(mutation::Setup),
    /// `quantum`.
    Quantum(quantum::Setup),
    /// `ladders`.
    Ladders(ladders::Setup),
}

impl AnySetup {
    /// The game of that name under those options; `None` if no game is called so.
    pub fn named(name: &str, options: &GameOptions) -> Option<Self> {
        match name {
            "chess" => Some(Self::Chess(chess::Setup {
                names: chess::Names::Chess,
                chess960: options.chess960,
            })),
            "chroma" => {
                Some(Self::Chess(chess::Setup { names: chess::Names::Chroma, chess960: false }))
            }
            "bomber" => Some(Self::Bomber(bomber::Setup { deck: Arc::clone(&options.deck) })),
            blender::Blender8::VARIANT => Some(Self::Blender(blender::Setup)),
            blender::Blender8Night::VARIANT => Some(Self::BlenderNightrider(blender::Setup)),
            blender::Blender100::VARIANT => Some(Self::Blender100(blender::Setup)),
            blender::Blender100Night::VARIANT => Some(Self::Blender100Nightrider(blender::Setup)),
            "mutation" => Some(Self::Mutation(mutation::Setup { ground: options.ground })),
            "quantum" => Some(Self::Quantum(quantum::Setup {
                board: options.tracks,
                up_to: options.free_moves_up_to,
            })),
            "ladders" => Some(Self::Ladders(ladders::Setup { tiles: options.tiles })),
            _ => equalizer::Mode::named(name).map(|mode| {
                Self::Equalizer(equalizer::Setup {
                    mode,
                    strong: if mode.has_strong() { options.strong } else { Color::White },
                    period: if mode.period().is_some() { options.period } else { 0 },
                })
            }),
        }
    }

    /// The value of `UCI_Variant`.
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Chess(setup) => setup.names.variant(),
            Self::Equalizer(setup) => setup.mode.variant(),
            Self::Bomber(_) => "bomber",
            Self::Blender(_) => blender::Blender8::VARIANT,
            Self::BlenderNightrider(_) => blender::Blender8Night::VARIANT,
            Self::Blender100(_) => blender::Blender100::VARIANT,
            Self::Blender100Nightrider(_) => blender::Blender100Night::VARIANT,
            Self::Mutation(_) => "mutation",
            Self::Quantum(_) => "quantum",
            Self::Ladders(_) => "ladders",
        }
    }
}

/// Runs an expression with a type alias for the game of an [`AnySetup`] and its setup:
///
/// ```
/// use alea::game::{AnySetup, Game, GameOptions, with_game};
/// let any = AnySetup::named("chess", &GameOptions::default()).unwrap();
/// let count = with_game!(any, G, setup => G::start(&setup).count_actions());
/// assert_eq!(count, 20);
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident, $setup:ident => $body:expr) => {
        match $any {
            $crate::game::AnySetup::Chess($setup) => {
                type $game = $crate::game::chess::Chess;
                $body
            }
            $crate::game::AnySetup::Equalizer($setup) => {
                type $game = $crate::game::equalizer::Equalizer;
                $body
            }
            $crate::game::AnySetup::Bomber($setup) => {
                type $game = $crate::game::bomber::Bomber;
                $body
            }
            $crate::game::AnySetup::Blender($setup) => {
                type $game = $crate::game::blender::Blender8;
                $body
            }
            $crate::game::AnySetup::BlenderNightrider($setup) => {
                type $game = $crate::game::blender::Blender8Night;
                $body
            }
            $crate::game::AnySetup::Blender100($setup) => {
                type $game = $crate::game::blender::Blender100;
                $body
            }
            $crate::game::AnySetup::Blender100Nightrider($setup) => {
                type $game = $crate::game::blender::Blender100Night;
                $body
            }
            $crate::game::AnySetup::Mutation($setup) => {
                type $game = $crate::game::mutation::Mutation;
                $body
            }
            $crate::game::AnySetup::Quantum($setup) => {
                type $game = $crate::game::quantum::Quantum;
                $body
            }
            $crate::game::AnySetup::Ladders($setup) => {
                type $game = $crate::game::ladders::Ladders;
                $body
            }
        }
    };
}
pub use with_game;

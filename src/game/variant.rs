use super::{GameOptions, chess};

/// The values of `UCI_Variant`.
pub const VARIANTS: &[&str] = &["chess", "chroma"];

/// The one place where a game is picked at run time; everything behind it is monomorphised.
#[derive(Clone, Debug)]
pub enum AnySetup {
    /// `chess` and `chroma`.
    Chess(chess::Setup),
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
            _ => None,
        }
    }

    /// The value of `UCI_Variant`.
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Chess(setup) => setup.names.variant(),
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
        }
    };
}
pub use with_game;

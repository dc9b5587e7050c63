//! The rules at the table: whose turn it is, what is legal, what chance brings, how a game ended.

use thiserror::Error;

use crate::core::Color;
use crate::core::zobrist::mix;
use crate::game::kernel::{CHESS_LETTERS, Kind};
use crate::game::{
    AnySetup, EndRule, Game, Node, Outcome, PositionError, Record, drawn_event, perft, with_game,
};

use super::log::{Ending, GameResult};

/// A game under way, of any kind.
pub(super) trait Referee: Send {
    /// Sets up a position and plays actions and events.
    ///
    /// # Errors
    /// What is wrong with them; the former position stands.
    fn set_up(&mut self, fen: Option<&str>, actions: &[String]) -> Result<(), PositionError>;

    /// What the position is.
    fn node(&self) -> Node;

    /// Who won and why, if the game is over by its rules.
    fn verdict(&self) -> Option<(GameResult, Ending)>;

    /// The FEN's side to move and fullmove number: what changes when a turn is over.
    fn turn(&self) -> (Color, u32);

    /// The position with its tokens.
    fn fen(&self) -> String;

    /// All legal actions of a decision, in ASCII order.
    fn legal(&self) -> Vec<String>;

    /// Plays an action or event; whether it was legal. If not, nothing happened.
    fn play(&mut self, text: &str) -> bool;

    /// The event that a number picks at a chance position.
    fn event(&self, number: u64) -> String;

    /// Whether dice are thrown for turns, rather than cards drawn one after the other from a pile.
    fn has_dice(&self) -> bool;

    /// The position as a program sees it that only knows how men move.
    ///
    /// # Errors
    /// No such program can play the game, or men are on the board that it has not been given a letter
    /// for.
    fn plain(&self, letters: &[(String, String)]) -> Result<Plain, PlainError>;
}

/// A decision in the words of plain chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// Six fields, no tokens.
    pub(super) fen: String,
    /// The legal plain moves: for the program, and in our own words.
    pub(super) moves: Vec<(String, String)>,
}

/// Why a program that plays plain chess cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PlainError {
    /// The men of the game move otherwise than those of chess.
    #[error(
        "a plain engine cannot play this game, whose men do not move as those of chess do; wanted an \
         engine of alea's protocol, proto=alea"
    )]
    Game,
    /// A man that it has not been given a letter for.
    #[error(
        "a plain engine knows no {0:?}: name the letter that stands for it, as letters={0}:X, with \
         an engine that knows such a man"
    )]
    Letter(String),
}

/// A referee for games of that kind, at the start position.
pub(super) fn referee(setup: &AnySetup) -> Box<dyn Referee> {
    with_game!(setup.clone(), G, setup => {
        let record = Record::<G>::new(G::start(&setup));
        Box::new(Table::<G> { setup, record })
    })
}

struct Table<G: Game> {
    setup: G::Setup,
    record: Record<G>,
}

impl<G: Game> Referee for Table<G> {
    fn set_up(&mut self, fen: Option<&str>, actions: &[String]) -> Result<(), PositionError> {
        self.record = Record::parse(&self.setup, fen, actions)?;
        Ok(())
    }

    fn node(&self) -> Node {
        self.record.node()
    }

    fn verdict(&self) -> Option<(GameResult, Ending)> {
        let (outcome, rule) = self.record.end()?;
        let ending = match rule {
            EndRule::Checkmate => Ending::Checkmate,
            EndRule::Stalemate => Ending::Stalemate,
            EndRule::KingLost => Ending::KingLost,
            EndRule::FiftyMoves => Ending::FiftyMoves,
            EndRule::Repetition => Ending::Repetition,
            EndRule::Material => Ending::Material,
        };
        let result = match outcome {
            Outcome::Win(color) => GameResult::win(color),
            Outcome::Draw => GameResult::Draw,
        };
        Some((result, ending))
    }

    fn turn(&self) -> (Color, u32) {
        let state = self.record.position().state();
        (state.turn(), state.fullmove_number())
    }

    fn fen(&self) -> String {
        self.record.position().fen(&self.setup)
    }

    fn legal(&self) -> Vec<String> {
        let position = self.record.position();
        let text = |&action: &G::Action| position.action_text(&self.setup, action);
        let mut texts: Vec<String> = perft::branches(position).iter().map(text).collect();
        texts.sort();
        texts
    }

    fn play(&mut self, text: &str) -> bool {
        let action = self.record.position().parse_action(&self.setup, text);
        if let Some(action) = action {
            self.record.play(action);
        }
        action.is_some()
    }

    fn event(&self, number: u64) -> String {
        let position = self.record.position();
        position.action_text(&self.setup, drawn_event(position, number))
    }

    fn has_dice(&self) -> bool {
        G::DICE
    }

    fn plain(&self, letters: &[(String, String)]) -> Result<Plain, PlainError> {
        if !G::PLAIN {
            return Err(PlainError::Game);
        }
        let position = self.record.position();
        let state = position.state();
        let own = G::letters(&self.setup);
        let mut names: Vec<&str> = own.to_vec();
        for (kind, name) in names.iter_mut().enumerate() {
            if let Some((_, given)) = letters.iter().find(|(letter, _)| letter == own[kind]) {
                *name = given;
            } else if let Some(chess) = CHESS_LETTERS.get(kind) {
                *name = chess;
            } else if state.board().kind(Kind(kind as u8)).any() {
                return Err(PlainError::Letter(own[kind].to_owned()));
            } else {
                *name = "";
            }
        }
        let style = G::castling_style(&self.setup);
        let moves = perft::branches(position)
            .iter()
            .filter_map(|&action| {
                let plain = G::plain_move(action)?;
                if plain.promoted().is_some_and(|kind| names[kind.index()].is_empty()) {
                    return None;
                }
                let text = state.move_text(plain, &names, style);
                Some((text, position.action_text(&self.setup, action)))
            })
            .collect();
        Ok(Plain { fen: state.fen(&names, style), moves })
    }
}

/// What dice and cards of a game follow from.
///
/// Dice are thrown for turns: what falls depends on the side, the number of the move and how often
/// the side has rolled in that turn, so that it is the same in both games of a pair however the
/// games differ. Cards come from a pile that was shuffled once: the n-th card drawn is the same.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    seed: u64,
    turn: (Color, u32),
    rolled: u64,
}

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, turn: (Color::White, 0), rolled: 0 }
    }

    /// The event at a chance position.
    pub(super) fn event(&mut self, referee: &dyn Referee) -> String {
        let turn = referee.turn();
        if referee.has_dice() && turn != self.turn {
            (self.turn, self.rolled) = (turn, 0);
        }
        let (color, number) = self.turn;
        let place = u64::from(number) << 1 | color.index() as u64;
        let event = referee.event(mix(mix(mix(self.seed) ^ place) ^ self.rolled));
        self.rolled += 1;
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameOptions;

    fn table(variant: &str, fen: &str, actions: &str) -> Box<dyn Referee> {
        let setup = AnySetup::named(variant, &GameOptions::default()).unwrap();
        let mut table = referee(&setup);
        let actions: Vec<String> = actions.split_ascii_whitespace().map(str::to_owned).collect();
        table.set_up(Some(fen).filter(|fen| !fen.is_empty()), &actions).unwrap();
        table
    }

    #[test]
    fn every_ending_is_told_apart() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        for (variant, fen, actions, wanted) in [
            ("chess", "", "", None),
            ("chess", "", "f2f3 e7e5 g2g4 d8h4", Some((GameResult::Black, Ending::Checkmate))),
            (
                "equalizer",
                "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
                "",
                Some((GameResult::White, Ending::Checkmate)),
            ),
            (
                "chess",
                "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
                "",
                Some((GameResult::Draw, Ending::Stalemate)),
            ),
            (
                "equalizer",
                "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
                "",
                Some((GameResult::Draw, Ending::Stalemate)),
            ),
            ("chess", "", shuffle, Some((GameResult::Draw, Ending::Repetition))),
            (
                "chess",
                "7k/8/5K2/6Q1/8/8/8/8 b - - 100 90",
                "",
                Some((GameResult::Draw, Ending::FiftyMoves)),
            ),
            (
                "chess",
                "7k/8/5K2/6N1/8/8/8/8 b - - 0 1",
                "",
                Some((GameResult::Draw, Ending::Material)),
            ),
            (
                "bomber",
                "8/8/8/8/4P3/8/8/4K3 b - - 0 1",
                "",
                Some((GameResult::White, Ending::KingLost)),
            ),
            // White's own explosion left its king in check.
            (
                "bomber",
                "k3r3/8/8/8/8/8/8/4K3 b - - 0 1",
                "",
                Some((GameResult::Black, Ending::KingLost)),
            ),
        ] {
            assert_eq!(table(variant, fen, actions).verdict(), wanted, "{variant} {fen} {actions}");
        }
    }

    #[test]
    fn plain_words_are_those_of_chess() {
        let plain = table("chroma", "4v3/G7/8/8/8/8/8/4V3 w - - 0 1", "").plain(&[]).unwrap();
        assert_eq!(plain.fen, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert!(plain.moves.contains(&("a7a8q".to_owned(), "a7a8r".to_owned())));
        let bomber = table("bomber", "4k3/8/4r3/8/4P3/8/8/4K3 w - - 0 1", "").plain(&[]).unwrap();
        assert!(bomber.moves.iter().all(|(plain, own)| plain == own && !own.contains('*')));
        assert!(bomber.moves.iter().any(|(plain, _)| plain == "e4e5"));
        let die = table("equalizer", "", "roll:N").plain(&[]).unwrap();
        assert_eq!(die.moves.len(), 4);
        let letters = [("N".to_owned(), "S".to_owned())];
        let renamed = table("chess", "", "").plain(&letters).unwrap();
        assert!(renamed.fen.starts_with("rsbqkbsr/pppppppp/"), "{}", renamed.fen);
        // Neither a merge nor a part that leaves; no promotion to what has no letter, nor to a pawn.
        let fen = "7k/3P4/8/8/8/8/+Q7/KN6 w - - 0 1 pool=R+A/-";
        let letters = [("+Q".to_owned(), "Q".to_owned())];
        let blender = table("blender", fen, "").plain(&letters).unwrap();
        assert_eq!(blender.fen, "7k/3P4/8/8/8/8/Q7/KN6 w - - 0 1");
        assert!(blender.moves.iter().all(|(plain, own)| plain == own));
        let has = |text: &str| blender.moves.iter().any(|(plain, _)| plain == text);
        for text in ["d7d8r", "d7d8n", "d7d8b", "a2a3", "b1c3"] {
            assert!(has(text), "{text}");
        }
        for text in ["d7d8", "d7d8+a", "a2a3r", "a2b1"] {
            assert!(!has(text), "{text}");
        }
        assert!(table("blender", fen, "").plain(&[]).is_err());
    }

    /// Dice belong to turns, cards to the pile.
    #[test]
    fn luck_is_shared_as_it_should_be() {
        let mut dice = Dice::new(7);
        let first = dice.event(&*table("equalizer", "", ""));
        let black = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let second = dice.event(&*table("equalizer", black, ""));
        // White had no roll in another game: Black's is the same.
        assert_eq!(Dice::new(7).event(&*table("equalizer", black, "")), second);
        assert_eq!(Dice::new(7).event(&*table("equalizer", "", "")), first);
        let boom = |move_number: u32| {
            let fen = format!("4k3/8/8/4r3/4P3/8/8/4K3 w - - 0 {move_number} boom=e4");
            table("bomber", &fen, "")
        };
        let mut one = Dice::new(9);
        let mut other = Dice::new(9);
        for number in 1..20 {
            assert_eq!(one.event(&*boom(number)), other.event(&*boom(2 * number)));
        }
        let drawn =
            |seed| (0..6).map(|_| seed).map(|s| Dice::new(s).event(&*boom(1))).collect::<Vec<_>>();
        assert_ne!(drawn(1), drawn(2));
    }
}

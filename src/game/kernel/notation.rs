//! Moves as text: from, to and the promotion's letter, as UCI has it.

use crate::core::Square;

use super::{CastlingStyle, Kind, Letters, Men, Move, State, Tag, Wanted};

impl<M: Men> State<M> {
    /// A move as text. Castling is the king's move of two squares, in Chess960 its taking the rook.
    pub fn move_text(&self, action: Move, letters: &[&str], style: CastlingStyle) -> String {
        let from = action.from::<M::Geometry>();
        let mut text = format!("{from}{}", Self::shown_target(action, style));
        if let Some(kind) = action.promoted() {
            text.push_str(&letters[kind.index()].to_ascii_lowercase());
        }
        text
    }

    /// The legal move of that text.
    pub fn parse_move(&self, text: &str, letters: Letters, style: CastlingStyle) -> Option<Move> {
        let (from, rest) = Square::<M::Geometry>::parse_prefix(text)?;
        let (to, promotion) = Square::<M::Geometry>::parse_prefix(rest)?;
        let promoted = match promotion {
            "" => None,
            letter => {
                let lower = |name: &&str| name.eq_ignore_ascii_case(letter);
                let kind = letters.iter().position(lower)?;
                // Upper case is no promotion's.
                if letter.bytes().any(|b| b.is_ascii_uppercase()) {
                    return None;
                }
                Some(Kind(kind as u8))
            }
        };
        let mut found = None;
        self.each_move(Wanted::All, |action| {
            if action.from::<M::Geometry>() == from
                && Self::shown_target(action, style) == to
                && action.promoted() == promoted
            {
                found = Some(action);
            }
        });
        found
    }

    fn shown_target(action: Move, style: CastlingStyle) -> Square<M::Geometry> {
        let to = action.to();
        if action.tag() == Tag::Castling && style == CastlingStyle::Standard {
            Self::castling_targets(action.from(), to).0
        } else {
            to
        }
    }
}

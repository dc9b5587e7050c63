//! The board and both players' tracks for a person.

use std::fmt::Write;

use crate::core::{Bitboard, Color};
use crate::game::Game;
use crate::game::kernel::{CHESS_LETTERS, draw_board, draw_facts};

use super::tracks::each_bit;
use super::{Quantum, Stage, text};

/// Of each track its own, on a terminal.
const COLORS: [u8; super::MAX_TRACKS] = [196, 208, 220, 46, 51, 33, 129, 201];

fn paint(colors: bool, track: usize, text: &str) -> String {
    match COLORS.get(track) {
        Some(color) if colors => format!("\x1b[1;38;5;{color}m{text}\x1b[0m"),
        _ => text.to_owned(),
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `1 gem`, `2 gems`.
fn counted(count: u8, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Numbers of tracks, from 1.
fn numbers(tracks: u8) -> String {
    each_bit(tracks).map(|track| (track + 1).to_string()).collect::<Vec<_>>().join(" and ")
}

impl Quantum {
    /// The board, the tracks with their circles, gems, and what comes next. On a terminal each track
    /// has a colour of its own, and so has the square to which its man comes back.
    pub(super) fn drawing(&self, colors: bool) -> String {
        let mut text = draw_board(&self.state, CHESS_LETTERS, |_, letter| letter.to_owned());
        if colors {
            text = self.with_wakes(&text);
        }
        for color in Color::ALL {
            let _ = writeln!(text, "\n{}: {}", name(color), counted(self.gems(color), "gem"));
            for track in 0..self.board.len() {
                text.push_str(&self.track_line(color, track, colors));
            }
        }
        let rule = if self.up_to { "may be given up" } else { "must be made" };
        let _ = writeln!(text, "\nBank: {}; free moves {rule}", counted(self.bank(), "gem"));
        let _ = writeln!(text, "{}", self.stage_text());
        let checkers = if self.state.has_king(self.state.turn()) {
            self.state.checkers()
        } else {
            Bitboard::EMPTY
        };
        text + &draw_facts(&self.text(), self.key(), checkers)
    }

    /// A track's circles from the left, the man on one of them, and where it comes back.
    fn track_line(&self, color: Color, track: usize, colors: bool) -> String {
        let man = self.tracks(color).at(track);
        let mut circles = String::new();
        for circle in 1..=self.board.circles(track) {
            let man = man.filter(|man| man.circle == circle);
            let letter = man.map_or("o".to_owned(), |man| match color {
                Color::White => text::letter(man.kind).to_owned(),
                Color::Black => text::letter(man.kind).to_lowercase(),
            });
            let _ = write!(circles, " {}", paint(colors, track, &letter));
        }
        let free = counted(self.board.free_moves(track), "free move");
        let mut line = format!("  track {}:{circles}  {free}", track + 1);
        if let Some(man) = man {
            let _ = write!(line, ", back to {}", paint(colors, track, &man.square.to_string()));
            let due = color == self.state.turn() && self.due >> track & 1 != 0;
            if due {
                line.push_str(" in this turn");
            }
        }
        line + "\n"
    }

    /// Marks the squares to which men come back, where they are empty, in their tracks' colours.
    fn with_wakes(&self, text: &str) -> String {
        let mut lines: Vec<Vec<String>> =
            text.lines().map(|line| line.chars().map(String::from).collect()).collect();
        for color in Color::ALL {
            for (track, man) in self.tracks(color).travellers() {
                // The lines of ranks stand between those of edges, a square's middle every fourth
                // character.
                let (row, column) = (2 * (7 - man.square.rank()) + 1, 4 * man.square.file() + 5);
                let cell = lines.get_mut(row).and_then(|line| line.get_mut(column));
                if let Some(cell) = cell {
                    if cell == " " || cell == "." {
                        "*".clone_into(cell);
                    }
                    *cell = paint(true, track, cell);
                }
            }
        }
        lines.into_iter().map(|line| line.concat() + "\n").collect()
    }

    fn stage_text(&self) -> String {
        let us = name(self.state.turn());
        match self.stage {
            Stage::Start => format!("{us} moves or initiates"),
            Stage::Jump(square) => {
                format!("{us} may go on initiating, after {square}, or end the turn")
            }
            Stage::Free { track, left, square, .. } => {
                let due = if self.due == 0 {
                    String::new()
                } else {
                    format!("; then the return from track {}", numbers(self.due))
                };
                format!(
                    "{us}'s man on {square}, back from track {}, has {} left{due}",
                    track + 1,
                    counted(left, "free move")
                )
            }
            Stage::Over => "The game is over: a king is lost".to_owned(),
        }
    }
}

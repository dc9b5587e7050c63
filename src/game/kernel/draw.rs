use std::fmt::Write;

use crate::core::{Bitboard, Color, Geometry, Square};

use super::fen::{Letters, piece_text};
use super::{Men, Piece, State};

/// The board for a person, White below, ranks and files at the edges, one text per piece.
///
/// `paint` may wrap a piece's letter in terminal colours; it gets the piece and its letter.
pub fn draw_board<M: Men>(
    state: &State<M>,
    letters: Letters,
    paint: impl Fn(Piece, &str) -> String,
) -> String {
    draw_cells(state, |square, piece| {
        let mark = if (square.rank() + square.file()).is_multiple_of(2) { "." } else { " " };
        piece.map_or_else(
            || format!(" {mark} "),
            |piece| {
                let letter = piece_text(piece, letters);
                let pad = if letter.len() > 1 { "" } else { " " };
                format!("{pad}{} ", paint(piece, &letter))
            },
        )
    })
}

/// The board for a person, White below, ranks and files at the edges; `cell` gives the three
/// characters that are seen of a square.
pub fn draw_cells<M: Men>(
    state: &State<M>,
    cell: impl Fn(Square<M::Geometry>, Option<Piece>) -> String,
) -> String {
    let (files, ranks) = (M::Geometry::FILES, M::Geometry::RANKS);
    let edge = format!("   +{}\n", "---+".repeat(files));
    let mut text = edge.clone();
    for rank in (0..ranks).rev() {
        let _ = write!(text, "{:>2} |", rank + 1);
        for file in 0..files {
            let square = Square::new(rank * files + file);
            let _ = write!(text, "{}|", cell(square, state.board().at(square)));
        }
        text.push('\n');
        text.push_str(&edge);
    }
    text.push_str("    ");
    for file in 0..files {
        let _ = write!(text, " {}  ", (b'a' + file as u8) as char);
    }
    let _ = write!(
        text,
        "  {} to move",
        match state.turn() {
            Color::White => "White",
            Color::Black => "Black",
        }
    );
    text.push('\n');
    text
}

/// The lines below every board: FEN, key, and the squares of the checkers.
pub fn draw_facts<G: Geometry>(fen: &str, key: u64, checkers: Bitboard<G>) -> String {
    let checkers: Vec<_> = checkers.into_iter().map(|square| square.to_string()).collect();
    format!("FEN: {fen}\nKey: {key:016x}\nCheckers: {}\n", checkers.join(" "))
}

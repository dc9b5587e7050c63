//! The phase before the game, in which the boards are placed.

use crate::core::zobrist::mix;
use crate::core::{Bitboard, Board8, Color, Square};

use super::Ladders;
use super::set::ladder_key;
use super::tiles::{Tiles, free_blocks};

/// What is still to be placed, and where nothing can be any more. When nobody is to place, the
/// default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Placing {
    /// Boards that White and Black have left.
    pub left: [u8; 2],
    pub tiles: Tiles,
    /// The lower left squares of the blocks that are covered.
    pub blocks: Bitboard<Board8>,
}

impl Placing {
    /// Whether it goes on.
    #[inline(always)]
    pub(super) fn is_on(&self) -> bool {
        self.left != [0; 2]
    }

    /// Where that side can place a board.
    pub(super) fn places(&self, color: Color) -> Bitboard<Board8> {
        if self.left[color.index()] == 0 {
            return Bitboard::EMPTY;
        }
        free_blocks(self.blocks) & self.tiles.blocks()
    }

    /// The Zobrist key; 0 when nobody is to place.
    pub(super) fn key(&self) -> u64 {
        if !self.is_on() {
            return 0;
        }
        let counts = u64::from(self.left[0]) << 8 | u64::from(self.left[1]);
        mix(mix(12) ^ counts << 8 ^ self.tiles as u64) ^ mix(mix(13) ^ self.blocks.0)
    }
}

impl Ladders {
    /// Boards that a side has still to place; 0 for both once the game proper has begun.
    pub fn left_to_place(&self, color: Color) -> u8 {
        self.placing.left[color.index()]
    }

    /// Whether boards are still being placed.
    #[inline(always)]
    pub fn is_placing(&self) -> bool {
        self.placing.is_on()
    }

    /// Where the side to decide can place a board: the blocks' lower left squares.
    pub fn places(&self) -> Bitboard<Board8> {
        self.placing.places(self.state.turn())
    }

    /// Replaces what is to be placed, in the key too.
    fn set_placing(&mut self, placing: Placing) {
        self.ladder_key ^= self.placing.key() ^ placing.key();
        self.placing = placing;
    }

    /// Places a board where one can be placed.
    pub(super) fn place(&mut self, block: Square<Board8>) {
        let us = self.state.turn();
        let mut placing = self.placing;
        let (low, high) = placing.tiles.ladder(block);
        let added = self.sides[us.index()].add(low, high);
        if added {
            self.ladder_key ^= ladder_key(us, low, high);
        }
        placing.blocks |= block.into();
        let left = &mut placing.left[us.index()];
        *left = left.saturating_sub(1);
        self.set_placing(placing);
        self.state.hand_over_turn();
        self.end_placing_if_over();
    }

    /// Begins the game proper if the side to place, in the phase of placing, can place nothing.
    pub(super) fn end_placing_if_over(&mut self) {
        if self.places().is_empty() {
            self.set_placing(Placing::default());
            if self.state.turn() == Color::Black {
                self.state.hand_over_turn();
            }
        }
    }
}

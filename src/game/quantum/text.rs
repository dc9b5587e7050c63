//! FENs of quantum: its tokens read, checked and written.

use std::fmt::Write;

use crate::core::{Board8, Color, Square};
use crate::game::kernel::{
    CHESS_LETTERS, CastlingStyle, ChessMen, FenError, Flaw, Kind, Leniency, LooseFen, Move, Tag,
};

use super::tracks::{each_bit, number};
use super::{GEMS, Quantum, START_GEMS, Stage, TrackBoard, TrackBoardError, Tracks, Traveller};

const VARIANT: &str = "quantum";
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The tracks that each player has.
const BOARD: &str = "board";
/// Whether free moves may be given up.
const RULE: &str = "rule";
const UP_TO: &str = "upto";
const EXACT: &str = "exact";
/// Gems of White and Black.
const GEM: &str = "gems";
/// The men on tracks.
const TRACKS: &str = "tracks";
/// The square that the last man sent away in this turn left.
const JUMP: &str = "jump";
/// The man with free moves.
const FREE: &str = "free";
/// Tracks from which men come back later in this turn.
const DUE: &str = "due";
const KEYS: &[&str] = &[BOARD, RULE, GEM, TRACKS, JUMP, FREE, DUE];

fn wrong<T>(key: &'static str, value: &str, wanted: impl Into<String>) -> Result<T, FenError> {
    Err(FenError::Token { key, value: value.to_owned(), wanted: wanted.into() })
}

/// A piece's letter on a track: upper case for both sides.
pub(super) fn letter(kind: Kind) -> &'static str {
    CHESS_LETTERS.get(kind.index()).copied().unwrap_or("?")
}

impl Quantum {
    /// The position of a FEN.
    pub(super) fn read(text: &str) -> Result<Self, FenError> {
        let mut loose = LooseFen::<ChessMen>::parse(text, CHESS_LETTERS)?;
        loose.check_keys(VARIANT, KEYS)?;
        let ep = loose.ep;
        if [JUMP, FREE].into_iter().any(|key| loose.token(key).is_some()) {
            // What the turn has begun with has cleared it.
            loose.ep = None;
        }
        let leniency = Leniency {
            missing_kings: true,
            // The man that has left may have shielded it.
            other_side_in_check: loose.token(JUMP).is_some(),
            pawns_on_end_ranks: [true, false],
        };
        let state = loose.clone().into_state_with(CastlingStyle::Standard, leniency)?;
        let missing: Vec<_> =
            Color::ALL.into_iter().filter(|&color| !state.has_king(color)).collect();
        if missing.len() == Color::ALL.len() {
            let flaws = missing.into_iter().map(|color| Flaw::Kings(color, 0)).collect();
            return Err(FenError::Flaws(flaws));
        }
        let mut position = Self {
            state,
            board: TrackBoard::default(),
            up_to: false,
            gems: [START_GEMS; 2],
            tracks: [Tracks::default(); 2],
            stage: if missing.is_empty() { Stage::Start } else { Stage::Over },
            due: 0,
            ep: None,
        };
        position.read_lasting(&loose)?;
        position.read_turn(&loose)?;
        position.ep = ep.filter(|&target| position.leaves_ep(target));
        Ok(position)
    }

    /// The tokens that hold between turns.
    fn read_lasting(&mut self, loose: &LooseFen<ChessMen>) -> Result<(), FenError> {
        if let Some(value) = loose.token(BOARD) {
            self.board = match value.parse() {
                Ok(board) => board,
                Err(error) => return wrong(BOARD, value, TrackBoardError::to_string(&error)),
            };
        }
        if let Some(value) = loose.token(RULE) {
            self.up_to = match value {
                UP_TO => true,
                EXACT => false,
                _ => return wrong(RULE, value, "exact or upto"),
            };
        }
        if let Some(value) = loose.token(GEM) {
            let read = value
                .split_once(',')
                .and_then(|(white, black)| Some([number(white)?, number(black)?]))
                .filter(|&[white, black]| white.checked_add(black).is_some_and(|sum| sum <= GEMS));
            self.gems = match read {
                Some(gems) => gems,
                None => {
                    return wrong(
                        GEM,
                        value,
                        "White's and Black's gems, 10 at most together, as in 2,2",
                    );
                }
            };
        }
        if let Some(value) = loose.token(TRACKS) {
            let Some((white, black)) = value.split_once('/') else {
                return wrong(TRACKS, value, "White's tracks, a '/', and Black's");
            };
            for (color, text) in Color::ALL.into_iter().zip([white, black]) {
                match self.read_tracks(color, text) {
                    Ok(tracks) => self.tracks[color.index()] = tracks,
                    Err(wanted) => return wrong(TRACKS, value, wanted),
                }
            }
        }
        Ok(())
    }

    /// One side's tracks; the error is what was wanted.
    fn read_tracks(&self, color: Color, text: &str) -> Result<Tracks, String> {
        let texts: Vec<&str> = text.split(',').collect();
        let count = self.board.len();
        if texts.len() != count {
            let found = texts.len();
            return Err(format!("{count} tracks of {color} with commas between, not {found}"));
        }
        let mut tracks = Tracks::default();
        for (index, text) in texts.into_iter().enumerate().filter(|(_, text)| *text != "-") {
            let circles = self.board.circles(index);
            match read_traveller(text) {
                Some(man) if man.circle == 0 || man.circle > circles => {
                    let (circle, track) = (man.circle, index + 1);
                    return Err(format!(
                        "circles 1 to {circles} on track {track} of {color}, not {circle}"
                    ));
                }
                Some(man) if man.kind == Kind::PAWN && man.square.relative_rank(color) == 7 => {
                    let square = man.square;
                    return Err(format!("no pawn of {color} from {square}, on its last rank"));
                }
                Some(man) => tracks.put(index, man),
                None => {
                    return Err(format!(
                        "- or a piece PNBRQ, its square and its circle as in Rd4:3 on track {} of \
                         {color}, not {text:?}",
                        index + 1
                    ));
                }
            }
        }
        Ok(tracks)
    }

    /// The tokens that say how far the turn has come.
    fn read_turn(&mut self, loose: &LooseFen<ChessMen>) -> Result<(), FenError> {
        let [jump, free, due] = [JUMP, FREE, DUE].map(|key| loose.token(key));
        for (key, value) in [(JUMP, jump), (FREE, free), (DUE, due)] {
            if let Some(value) = value
                && self.stage == Stage::Over
            {
                return wrong(key, value, "nothing, for a king is lost and the game is over");
            }
        }
        if let Some(value) = jump {
            if free.is_some() {
                return wrong(JUMP, value, "only one of jump and free");
            }
            let Some(square) = Square::parse(value) else {
                return wrong(JUMP, value, "the square that the last man sent away left");
            };
            let has_left = self.own_tracks().travellers().any(|(track, man)| {
                man.square == square && man.circle == self.board.circles(track)
            });
            if !has_left || self.state.board().at(square).is_some() {
                let us = self.state.turn();
                return wrong(
                    JUMP,
                    value,
                    format!(
                        "an empty square that a man of {us} left, who stands on the right-most \
                         circle of a track"
                    ),
                );
            }
            if !self.may_jump_after(square) {
                return wrong(
                    JUMP,
                    value,
                    "a turn in which another man may leave: a gem, an empty track, and a man on a \
                     later square that does not leave its king in check",
                );
            }
            self.stage = Stage::Jump(square);
        }
        if let Some(value) = due {
            if free.is_none() {
                return wrong(DUE, value, "free as well: a man that has come back before");
            }
            match self.read_due(value) {
                Some(due) => self.due = due,
                None => {
                    return wrong(
                        DUE,
                        value,
                        format!(
                            "numbers of tracks with commas between, from the top, on each of which \
                             a man of {} stands on circle 1",
                            self.state.turn()
                        ),
                    );
                }
            }
        }
        if let Some(value) = free {
            match self.read_free(value) {
                Ok(stage) => self.stage = stage,
                Err(wanted) => return wrong(FREE, value, wanted),
            }
        }
        Ok(())
    }

    fn read_due(&self, text: &str) -> Option<u8> {
        let due = self.own_tracks().on_first_circle();
        text.split(',').try_fold(0_u8, |read, text| {
            let bit = 1_u8.checked_shl(u32::from(number(text)?.checked_sub(1)?))?;
            (due & bit != 0 && bit > read).then_some(read | bit)
        })
    }

    fn read_free(&self, text: &str) -> Result<Stage, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let read = match parts[..] {
            [track, left, square] => number(track)
                .and_then(|track| track.checked_sub(1))
                .zip(number(left))
                .zip(Square::parse(square)),
            _ => None,
        };
        let Some(((track, left), square)) = read else {
            return Err("a track, free moves left and a square, as in 2:1:d4".to_owned());
        };
        let us = self.state.turn();
        let index = usize::from(track);
        let most = self.board.free_moves(index);
        if index >= self.board.len() || self.own_tracks().at(index).is_some() {
            return Err(format!("an empty track of {us}"));
        }
        if left == 0 || left > most {
            return Err(format!("1 to {most} free moves left of track {}", index + 1));
        }
        let man = self.state.board().at(square);
        if !man.is_some_and(|man| man.color() == us && man.kind() != Kind::KING) {
            return Err(format!("the square of a man of {us}, not its king"));
        }
        if self.due != 0 && self.due.trailing_zeros() <= u32::from(track) {
            return Err(format!("a track above all that are due, not {}", index + 1));
        }
        let targets = self.state.targets_from(square);
        if targets.is_empty() {
            return Err(format!("a man that can move, not that on {square}"));
        }
        Ok(Stage::Free { track, left, square, targets })
    }

    /// Whether the other side could take en passant on the square if free moves were given up now.
    fn leaves_ep(&self, target: Square<Board8>) -> bool {
        let Stage::Free { square, .. } = self.stage else { return false };
        let us = self.state.turn();
        let board = self.state.board();
        if !self.up_to
            || self.due != 0
            || target.relative_rank(us) != 2
            || target.forward(us) != square
            || !board.of(us, Kind::PAWN).has(square)
            || board.occupied().has(target)
            || board.occupied().has(target.forward(!us))
        {
            return false;
        }
        let mut after = self.state;
        after.finish_turn(Move::new(target, square, Tag::DoubleStep));
        after.ep() == Some(target)
    }

    /// The FEN with its tokens.
    pub(super) fn text(&self) -> String {
        let mut text = self.state.fen(CHESS_LETTERS, CastlingStyle::Standard);
        if let Some(ep) = self.ep {
            let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
            if let Some(field) = fields.get_mut(3) {
                *field = ep.to_string();
            }
            text = fields.join(" ");
        }
        if self.board != TrackBoard::default() {
            let _ = write!(text, " {BOARD}={}", self.board);
        }
        if self.up_to {
            let _ = write!(text, " {RULE}={UP_TO}");
        }
        if self.gems != [START_GEMS; 2] {
            let _ = write!(text, " {GEM}={},{}", self.gems[0], self.gems[1]);
        }
        if self.tracks.iter().any(|tracks| tracks.occupied() != 0) {
            let [white, black] = self.tracks.map(|tracks| self.tracks_text(&tracks));
            let _ = write!(text, " {TRACKS}={white}/{black}");
        }
        match self.stage {
            Stage::Start | Stage::Over => {}
            Stage::Jump(square) => {
                let _ = write!(text, " {JUMP}={square}");
            }
            Stage::Free { track, left, square, .. } => {
                let _ = write!(text, " {FREE}={}:{left}:{square}", track + 1);
            }
        }
        if self.due != 0 {
            let due: Vec<String> =
                each_bit(self.due).map(|track| (track + 1).to_string()).collect();
            let _ = write!(text, " {DUE}={}", due.join(","));
        }
        text
    }

    fn tracks_text(&self, tracks: &Tracks) -> String {
        let man = |track| match tracks.at(track) {
            None => "-".to_owned(),
            Some(Traveller { kind, square, circle }) => {
                format!("{}{square}:{circle}", letter(kind))
            }
        };
        (0..self.board.len()).map(man).collect::<Vec<_>>().join(",")
    }
}

fn read_traveller(text: &str) -> Option<Traveller> {
    let (man, circle) = text.split_once(':')?;
    let (place, square) = CHESS_LETTERS
        .iter()
        .enumerate()
        .find_map(|(place, letter)| Some((place, man.strip_prefix(*letter)?)))?;
    let kind = Kind(place as u8);
    (kind != Kind::KING).then_some(Traveller {
        kind,
        square: Square::parse(square)?,
        circle: number(circle)?,
    })
}

//! Games as PGN, the text that chess programs exchange: written from a match's log, and read from
//! anywhere.
//!
//! Moves are actions as in a `position` command (`e2e4`, `refuse`, `e4e5*`), for no notation of
//! chess has words for dice and cards. What chance brought is a command in a comment,
//! `{[%chance roll:P]}`, which programs that know nothing of it pass over.

use std::fmt::Write as _;

use thiserror::Error;

use crate::game::{
    AnySetup, GameOptions, OPTIONS, OptionError, OptionKind, PositionError, Record, VARIANTS,
    with_game,
};

use super::log::{Ending, GameRecord, Mover, Thought};

/// The longest line of moves: PGN wants lines of less than 80 characters.
const WIDTH: usize = 79;
/// The most characters of a text that errors quote.
const LONGEST_QUOTE: usize = 40;
/// What begins an event in a comment.
const CHANCE: &str = "[%chance";
/// The tag that has the game's options.
const OPTIONS_TAG: &str = "GameOptions";
/// What stands between options in their tag.
const BETWEEN_OPTIONS: &str = "; ";

/// What the tags of all games of a match have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading<'a> {
    /// The match's name; `?` is written for an empty one.
    pub event: &'a str,
    /// Where it was played; `?` is written for an empty one.
    pub site: &'a str,
    /// The day it began, as `2026.11.30`, or `????.??.??`.
    pub date: String,
    /// The value of `UCI_Variant`.
    pub variant: &'a str,
    /// The game's options that were set, as names and values.
    pub options: &'a [(String, String)],
    /// White's and Black's time control as PGN writes it: `40/9000`, `300+2`, `-` for none.
    pub time_controls: [String; 2],
}

/// The PGN of a game, with an empty line after the tags and one after the moves.
///
/// Lines have less than 80 characters, unless a tag or a single word is longer. The text of an
/// action must be one word. Control characters in tags and comments become blanks, braces in
/// comments become parentheses.
pub fn text(game: &GameRecord, heading: &Heading<'_>) -> String {
    let mut text = tags(game, heading);
    text.push('\n');
    let mut lines = Lines::default();
    // The last player's action since which no comment came, and the last at all.
    let mut uninterrupted = false;
    let mut latest = None;
    for (index, step) in game.steps.iter().enumerate() {
        if step.by == Mover::Chance {
            lines.add(&format!("{{{CHANCE} {}]}}", step.action));
            uninterrupted = false;
            continue;
        }
        // A turn of several actions is numbered once.
        if latest != Some((step.n, step.by)) {
            match step.by {
                Mover::White => lines.add(&format!("{}.", step.n)),
                _ if uninterrupted => {}
                _ => lines.add(&format!("{}...", step.n)),
            }
        }
        lines.add(&step.action);
        latest = Some((step.n, step.by));
        let comment = if index < game.opening { String::new() } else { words(&step.thought) };
        lines.comment(&comment);
        uninterrupted = comment.is_empty();
    }
    lines.comment(&ending(game));
    lines.add(game.result.text());
    text.push_str(&lines.text);
    text.push_str("\n\n");
    text
}

fn tags(game: &GameRecord, heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = write!(text, "[{name} \"");
        for character in value.chars().map(printable) {
            if matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
        text.push_str("\"]\n");
    };
    let known = |value| if str::is_empty(value) { "?" } else { value };
    tag("Event", known(heading.event));
    tag("Site", known(heading.site));
    tag("Date", &heading.date);
    tag("Round", &format!("{}.{}", game.game.div_ceil(2), 2 - game.game % 2));
    tag("White", known(&game.white));
    tag("Black", known(&game.black));
    tag("Result", game.result.text());
    tag("Variant", heading.variant);
    if !heading.options.is_empty() {
        let settings = heading.options.iter().map(|(name, value)| format!("{name}={value}"));
        tag(OPTIONS_TAG, &settings.collect::<Vec<_>>().join(BETWEEN_OPTIONS));
    }
    if let Some(fen) = &game.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    match &heading.time_controls {
        [white, black] if white == black => tag("TimeControl", white),
        [white, black] => {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
    }
    tag("Seed", &game.seed.to_string());
    let plies = game.steps.iter().filter(|step| step.by != Mover::Chance).count();
    tag("PlyCount", &plies.to_string());
    tag("Termination", termination(game.ending));
    tag("Ending", &ending(game));
    text
}

/// PGN's word for an ending.
const fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate
        | Ending::Stalemate
        | Ending::KingLost
        | Ending::FiftyMoves
        | Ending::Repetition
        | Ending::Material => "normal",
        Ending::ResignAdjudication | Ending::DrawAdjudication | Ending::LengthAdjudication => {
            "adjudication"
        }
        Ending::TimeForfeit => "time forfeit",
        Ending::IllegalAction => "rules infraction",
        Ending::Crash | Ending::Disconnect | Ending::Stall | Ending::Refusal => "abandoned",
    }
}

/// The ending as the log calls it, with its detail: `illegal-action: e2e5`.
fn ending(game: &GameRecord) -> String {
    let name = serde_json::to_value(game.ending).ok();
    let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or_default();
    match game.detail.as_deref() {
        None | Some("") => name.to_owned(),
        Some(detail) => format!("{name}: {detail}"),
    }
}

/// What an engine said, as `+0.31/12 1834n 0.450s`.
fn words(thought: &Thought) -> String {
    let mut parts = Vec::new();
    let score = thought.score.as_deref().and_then(score).unwrap_or_default();
    let depth = thought.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    parts.extend(Some(score + &depth).filter(|part| !part.is_empty()));
    parts.extend(thought.nodes.map(|nodes| format!("{nodes}n")));
    parts.extend(thought.ms.map(|ms| format!("{}.{:03}s", ms / 1000, ms % 1000)));
    parts.join(" ")
}

/// `cp 31` as `+0.31`, `mate -2` as `-M2`.
fn score(text: &str) -> Option<String> {
    let (unit, number) = text.split_once(' ')?;
    let number: i64 = number.split_whitespace().next()?.parse().ok()?;
    let sign = if number < 0 { '-' } else { '+' };
    let size = number.unsigned_abs();
    match unit {
        "cp" => Some(format!("{sign}{}.{:02}", size / 100, size % 100)),
        "mate" => Some(format!("{sign}M{size}")),
        _ => None,
    }
}

fn printable(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// Pieces of text between blanks, in lines that are not too long.
#[derive(Default)]
struct Lines {
    text: String,
    /// The characters of the last line.
    column: usize,
}

impl Lines {
    /// Adds a piece, which stays whole.
    fn add(&mut self, piece: &str) {
        let length = piece.chars().count();
        if self.column > 0 {
            // A line that begins with % is no part of the game.
            let fits = self.column + 1 + length <= WIDTH || piece.starts_with('%');
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(piece);
        self.column += length;
    }

    /// Adds a comment, which may be broken at blanks; none if there is nothing in it.
    fn comment(&mut self, words: &str) {
        let words: String = words.chars().map(printable).collect();
        // Nothing that somebody else wrote may end the comment, or be taken for an event.
        let words = words.replace('{', "(").replace('}', ")").replace("[%", "(%");
        let mut words = words.split_whitespace().peekable();
        let mut open = "{";
        while let Some(word) = words.next() {
            let close = if words.peek().is_none() { "}" } else { "" };
            self.add(&format!("{open}{word}{close}"));
            open = "";
        }
    }
}

/// A game as it was read: nothing is known yet of whether it can be played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Names and values of its tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Moves and events in their order, without numbers, comments, variations and judgements.
    pub actions: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`: what ends the moves, or else what the tag says.
    pub result: String,
}

impl PgnGame {
    /// The value of the first tag of that name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| &value[..])
    }
}

/// Why a text is no PGN, or a game of it cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnError {
    /// The text cannot be read.
    #[error("line {line}: {flaw}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        flaw: PgnFlaw,
    },
    /// A game cannot be played.
    #[error("game {number}, which begins on line {line}: {flaw}")]
    Game {
        /// The game's number in the text, from 1.
        number: usize,
        /// The line on which it begins, from 1.
        line: usize,
        /// What is wrong with it.
        flaw: GameFlaw,
    },
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnFlaw {
    /// A comment without an end.
    #[error("the comment that begins here has no end; wanted '}}'")]
    OpenComment,
    /// A variation without an end.
    #[error("the variation that begins here has no end; wanted ')' before the next game")]
    OpenVariation,
    /// Something that ends nothing.
    #[error("{0:?} ends nothing; wanted a move, a tag or a comment")]
    Stray(char),
    /// A tag that is not a name and a value.
    #[error(
        "{0:?} is no tag; wanted [Name \"value\"] on one line, with \\\" and \\\\ for a quotation \
         mark and a backslash in the value"
    )]
    Tag(String),
    /// An event that is not one word in brackets.
    #[error("{0:?} is no event; wanted one word, such as [%chance roll:P]")]
    Event(String),
}

/// What can be wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFlaw {
    /// No game is called so.
    #[error("there is no variant {0:?}; there are {list}", list = VARIANTS.join(", "))]
    Variant(String),
    /// The tag of options has something else in it.
    #[error("{OPTIONS_TAG} has {0:?}; wanted NAME=VALUE, with {BETWEEN_OPTIONS:?} between several")]
    Setting(String),
    /// An option is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The FEN or an action is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads all games of a text.
///
/// Besides what [`text`] writes it takes PGN as it is found: comments after `;` too, `%` lines,
/// variations and judgements (`$1`, `!?`), which are left out, move numbers of any form, and games
/// whose result is missing. Moves are taken as they stand.
///
/// ```
/// use alea::arena::pgn::read;
/// let games = read("[Variant \"equalizer\"]\n{[%chance roll:P]} 1. e2e4! (d2d4) *").unwrap();
/// assert_eq!(games[0].tag("variant"), Some("equalizer"));
/// assert_eq!(games[0].actions, ["roll:P", "e2e4"]);
/// let error = read("1. e2e4 {best\nby test").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1: the comment that begins here has no end; wanted '}'",
/// );
/// ```
///
/// # Errors
/// The first thing that is no PGN, and its line.
pub fn read(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    let mut reader = Reader::default();
    let mut cursor = Cursor { rest: text, line: 1, at_start: true };
    // How many variations are open, and where the outermost began.
    let mut depth = 0_usize;
    let mut opened = 0;
    loop {
        cursor.take(is_blank);
        let line = cursor.line;
        let at = |flaw| PgnError::Text { line, flaw };
        let Some(first) = cursor.peek() else { break };
        match first {
            ';' => cursor.skip_line(),
            '%' if cursor.at_start => cursor.skip_line(),
            '{' => {
                let comment = cursor.comment().ok_or_else(|| at(PgnFlaw::OpenComment))?;
                if depth == 0 {
                    for event in events(comment).map_err(at)? {
                        reader.action(event, line);
                    }
                }
            }
            '(' => {
                cursor.next();
                opened = if depth == 0 { line } else { opened };
                depth += 1;
            }
            ')' if depth > 0 => {
                cursor.next();
                depth -= 1;
            }
            '[' if depth == 0 => {
                let (name, value) = cursor.tag().map_err(at)?;
                reader.tag(name, value, line);
            }
            // A tag in a variation: the variation's end was forgotten.
            '[' => break,
            ')' | '}' | ']' => return Err(at(PgnFlaw::Stray(first))),
            '$' => {
                cursor.next();
                cursor.take(|character| character.is_ascii_digit());
            }
            _ => {
                let word = cursor.take(|c| !is_blank(c) && !"{}()[];$".contains(c));
                if depth == 0 {
                    reader.word(word, line);
                }
            }
        }
    }
    if depth > 0 {
        return Err(PgnError::Text { line: opened, flaw: PgnFlaw::OpenVariation });
    }
    Ok(reader.finish())
}

/// Blanks, and byte order marks, which are left where files were put together.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whoever writes rubbish need not get it all back.
fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The events of a comment.
fn events(comment: &str) -> Result<Vec<&str>, PgnFlaw> {
    let mut found = Vec::new();
    let mut rest = comment;
    while let Some((_, command)) = rest.split_once(CHANCE) {
        rest = command;
        // Another command may begin with the same letters.
        if command.starts_with(|character: char| character != ']' && !is_blank(character)) {
            continue;
        }
        let wrong = || PgnFlaw::Event(clip(&format!("{CHANCE}{command}")));
        let (inside, after) = command.split_once(']').ok_or_else(wrong)?;
        let mut words = inside.split_whitespace();
        match (words.next(), words.next()) {
            (Some(event), None) => found.push(event),
            _ => return Err(wrong()),
        }
        rest = after;
    }
    Ok(found)
}

/// The result that a word says.
fn result(word: &str) -> Option<&'static str> {
    match word {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "½-½" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// A place in a text.
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    /// Whether a line begins here.
    at_start: bool,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut rest = self.rest.chars();
        let character = rest.next()?;
        self.rest = rest.as_str();
        self.at_start = character == '\n';
        self.line += usize::from(self.at_start);
        Some(character)
    }

    /// Goes to the first character that is not wanted, and gives those before it.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
        before.get(..before.len() - self.rest.len()).unwrap_or_default()
    }

    fn skip_line(&mut self) {
        self.take(|character| character != '\n');
    }

    /// What is in the braces that begin here.
    fn comment(&mut self) -> Option<&'a str> {
        self.next();
        let comment = self.take(|character| character != '}');
        self.next().map(|_| comment)
    }

    /// Name and value of the tag that begins here.
    fn tag(&mut self) -> Result<(&'a str, String), PgnFlaw> {
        let wrong = PgnFlaw::Tag(clip(self.rest.lines().next().unwrap_or_default()));
        let blanks = |character| is_blank(character) && character != '\n';
        self.next();
        self.take(blanks);
        let name = self.take(|c| !is_blank(c) && !"\"[]".contains(c));
        self.take(blanks);
        if name.is_empty() || self.next() != Some('"') {
            return Err(wrong);
        }
        let mut value = String::new();
        loop {
            match self.next() {
                Some('"') => break,
                Some('\\') => {
                    if let Some(escaped @ ('"' | '\\')) = self.peek() {
                        self.next();
                        value.push(escaped);
                    } else {
                        value.push('\\');
                    }
                }
                Some('\n') | None => return Err(wrong),
                Some(character) => value.push(character),
            }
        }
        self.take(blanks);
        if self.next() == Some(']') { Ok((name, value)) } else { Err(wrong) }
    }
}

/// What has been read.
#[derive(Default)]
struct Reader {
    games: Vec<PgnGame>,
    /// The game that is being read.
    game: PgnGame,
    /// Whether its moves have begun.
    moves: bool,
}

impl Reader {
    /// Something of the current game stands on that line.
    fn begin(&mut self, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn tag(&mut self, name: &str, value: String, line: usize) {
        let again = name.eq_ignore_ascii_case("Event") && self.game.tag(name).is_some();
        if self.moves || again {
            self.end(None);
        }
        self.begin(line);
        self.game.tags.push((name.to_owned(), value));
    }

    fn action(&mut self, action: &str, line: usize) {
        self.begin(line);
        self.moves = true;
        self.game.actions.push(action.to_owned());
    }

    /// A word among the moves.
    fn word(&mut self, word: &str, line: usize) {
        self.begin(line);
        self.moves = true;
        if let Some(result) = result(word) {
            return self.end(Some(result));
        }
        let tail = word.trim_start_matches(|character: char| character.is_ascii_digit());
        let after = tail.trim_start_matches(['.', '…']);
        let is_numbered = after.is_empty() || after.len() < tail.len();
        let word = if is_numbered { after } else { word };
        if let Some(result) = result(word) {
            return self.end(Some(result));
        }
        let action = word.trim_end_matches(['!', '?']);
        if !action.is_empty() {
            self.action(action, line);
        }
    }

    /// Ends the current game.
    fn end(&mut self, said: Option<&'static str>) {
        let game = std::mem::take(&mut self.game);
        self.moves = false;
        let result = said.or_else(|| game.tag("Result").and_then(result)).unwrap_or("*").to_owned();
        self.games.push(PgnGame { number: self.games.len() + 1, result, ..game });
    }

    fn finish(mut self) -> Vec<PgnGame> {
        if self.game.line > 0 {
            self.end(None);
        }
        self.games
    }
}

/// A game that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay<'a> {
    /// What is played, with its options.
    pub setup: AnySetup,
    /// The FEN of the start, if it is not the game's start position.
    pub fen: Option<&'a str>,
    /// The actions from there, each legal where it stands.
    pub actions: &'a [String],
}

/// Plays a game through by the rules that its tags `Variant` (chess, if missing), `GameOptions` and
/// `FEN` name.
///
/// A deck that `GameOptions` names is read from its file.
///
/// # Errors
/// The first thing that is wrong, with the number of the game.
pub fn replay(game: &PgnGame) -> Result<Replay<'_>, PgnError> {
    check(game).map_err(|flaw| PgnError::Game { number: game.number, line: game.line, flaw })
}

fn check(game: &PgnGame) -> Result<Replay<'_>, GameFlaw> {
    let mut options = GameOptions::default();
    for (name, value) in settings(game.tag(OPTIONS_TAG).unwrap_or_default())? {
        options.set(name, &value)?;
    }
    let variant = game.tag("Variant").unwrap_or("chess");
    let setup = AnySetup::named(&variant.to_ascii_lowercase(), &options)
        .ok_or_else(|| GameFlaw::Variant(clip(variant)))?;
    let fen = game.tag("FEN").filter(|fen| !fen.is_empty());
    let actions = &game.actions;
    with_game!(&setup, G, setup => Record::<G>::parse(setup, fen, actions).map(drop))?;
    Ok(Replay { setup, fen, actions })
}

/// The options of their tag.
fn settings(text: &str) -> Result<Vec<(&str, String)>, GameFlaw> {
    let kind = |name: &str| {
        OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)).map(|spec| spec.kind)
    };
    let mut settings: Vec<(&str, String)> = Vec::new();
    for part in text.split(BETWEEN_OPTIONS).filter(|_| !text.is_empty()) {
        let setting = part.split_once('=');
        // The name of a file may have in it what stands between options.
        if setting.is_none_or(|(name, _)| kind(name).is_none())
            && let Some((name, path)) = settings.last_mut()
            && kind(name) == Some(OptionKind::File)
        {
            path.push_str(BETWEEN_OPTIONS);
            path.push_str(part);
            continue;
        }
        let (name, value) = setting.ok_or_else(|| GameFlaw::Setting(clip(part)))?;
        settings.push((name, value.to_owned()));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests;

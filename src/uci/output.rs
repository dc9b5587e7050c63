//! The one way out, shared by all threads.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The longest message of an error line, in characters: whoever sends rubbish need not get it all
/// back.
const LONGEST_ERROR: usize = 600;

/// Whole lines to a stream, flushed one by one.
pub(super) struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    broken: AtomicBool,
}

impl Output {
    pub(super) fn new(writer: Box<dyn Write + Send>) -> Self {
        Self { writer: Mutex::new(writer), broken: AtomicBool::new(false) }
    }

    /// Writes a line, or several at once that nothing may come between.
    pub(super) fn line(&self, text: impl Display) {
        let mut text = text.to_string();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.broken.store(true, Ordering::SeqCst);
        }
    }

    /// Writes the one line that an error gets.
    pub(super) fn error(&self, error: impl Display) {
        let message = clip(&error.to_string(), LONGEST_ERROR);
        self.line(format_args!("info string error: {}", message.replace(['\n', '\r'], " ")));
    }

    /// Whether nobody reads any more.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::SeqCst)
    }
}

/// A text of at most so many characters, and `…` if there were more.
pub(crate) fn clip(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_counts_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöü", 2), "äö…");
        assert_eq!(clip("", 0), "");
    }
}

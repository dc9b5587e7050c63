//! The thread that reads lines.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;

use super::session::Event;

/// The longest line that is read; a game of a hundred thousand actions fits.
const LONGEST_LINE: usize = 1 << 20;

/// Sends every line, then the end of input.
pub(super) fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    // A stream that cannot be read has ended.
    while let Ok(Some(line)) = next_line(&mut input, LONGEST_LINE) {
        let event = match line {
            Line::Text(text) => Event::Line(text),
            Line::TooLong => Event::LongLine(LONGEST_LINE),
        };
        if events.send(event).is_err() {
            return;
        }
    }
    // The session may have ended already.
    let _ = events.send(Event::EndOfInput);
}

/// A line as it came in.
pub(crate) enum Line {
    /// Without its end, and with what is not UTF-8 replaced.
    Text(String),
    /// Longer than was asked for.
    TooLong,
}

/// The next line, of at most so many bytes; `None` at the end of input.
pub(crate) fn next_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            if length == 0 {
                return Ok(None);
            }
            break;
        }
        let mut parts = chunk.splitn(2, |&byte| byte == b'\n');
        let part = parts.next().unwrap_or_default();
        let ended = parts.next().is_some();
        let used = part.len() + usize::from(ended);
        length = length.saturating_add(used);
        if length <= longest {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if ended {
            break;
        }
    }
    Ok(Some(if length > longest {
        Line::TooLong
    } else {
        Line::Text(String::from_utf8_lossy(&line).into_owned())
    }))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::sync::mpsc;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Event> {
        let (sender, events) = mpsc::channel();
        read_lines(BufReader::with_capacity(7, bytes), &sender);
        drop(sender);
        events.iter().collect()
    }

    #[test]
    fn lines_need_neither_utf8_nor_an_end() {
        let events = lines(b"uci\r\n\n\xff\xfe isready");
        let texts: Vec<_> = events
            .iter()
            .filter_map(|event| if let Event::Line(line) = event { Some(&**line) } else { None })
            .collect();
        assert_eq!(texts, ["uci\r", "", "\u{fffd}\u{fffd} isready"]);
        assert!(matches!(events.last(), Some(Event::EndOfInput)));
    }

    #[test]
    fn a_line_without_end_takes_no_memory_without_end() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE];
        bytes.extend_from_slice(b"\nisready\n");
        let events = lines(&bytes);
        assert!(matches!(
            &events[..],
            [Event::LongLine(_), Event::Line(line), Event::EndOfInput] if line == "isready"
        ));
    }
}

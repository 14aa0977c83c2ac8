//! Splits bytes that come in pieces into lines.

use crate::requests::BodyError;

/// The most bytes that the buffer keeps for lines to come.
const KEPT: usize = 256 << 10;

/// The bytes that have come, as lines. A line that is too long is skipped.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// The beginning of the next line.
    start: usize,
    /// The first byte that was not searched for the end of that line.
    searched: usize,
    /// Whether the next bytes belong to a skipped line.
    skipping: bool,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, searched: 0, skipping: false, limit }
    }

    /// Adds bytes. The waiting bytes move to the start of the buffer only when they are no more than the bytes before
    /// them, so the moves of a backlog cost no more than its length. A move also frees the memory of a long line.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 && self.start >= self.buffer.len() - self.start {
            self.move_rest();
        }
        self.buffer.extend_from_slice(bytes);
    }

    fn move_rest(&mut self) {
        if self.buffer.capacity() > KEPT {
            self.buffer = self.rest().to_owned();
        } else {
            self.buffer.drain(..self.start);
        }
        self.searched -= self.start;
        self.start = 0;
    }

    /// The next line without its end; `None` until more bytes have come.
    #[inline]
    pub(super) fn next_line(&mut self) -> Option<Result<&[u8], BodyError>> {
        if self.skipping {
            let Some(end) = self.find_end() else {
                self.forget();
                return None;
            };
            self.skipping = false;
            self.advance(end);
        }
        let Some(end) = self.find_end() else {
            self.searched = self.buffer.len();
            if self.buffer.len() - self.start <= self.limit {
                return None;
            }
            self.skipping = true;
            self.forget();
            return Some(Err(BodyError::TooLong(self.limit)));
        };
        let start = self.start;
        self.advance(end);
        if end - start > self.limit {
            return Some(Err(BodyError::TooLong(self.limit)));
        }
        self.buffer.get(start..end).map(Ok)
    }

    /// The bytes after the last line.
    pub(super) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Returns `true` if only white space follows the last end of a line.
    pub(super) fn is_between_lines(&self) -> bool {
        let rest = self.rest();
        let last = rest.rsplit(|byte| *byte == b'\n').next().unwrap_or(rest);
        let is_begun = self.skipping && last.len() == rest.len();
        !is_begun && last.trim_ascii().is_empty()
    }

    #[inline]
    fn find_end(&self) -> Option<usize> {
        let unsearched = self.buffer.get(self.searched..)?;
        let offset = match unsearched {
            // Hot path, row `watch byte by byte` of the benches.
            [byte] => (*byte == b'\n').then_some(0)?,
            bytes => memchr::memchr(b'\n', bytes)?,
        };
        Some(self.searched + offset)
    }

    fn advance(&mut self, end: usize) {
        self.start = end + 1;
        self.searched = self.start;
    }

    fn forget(&mut self) {
        self.buffer = Vec::new();
        (self.start, self.searched) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Lines;

    const LIMIT: usize = 4;

    /// The lines out of some pieces, `!` for one that is too long, and the rest.
    fn all<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut lines = Lines::new(LIMIT);
        let mut found = Vec::new();
        for piece in pieces {
            lines.push(piece);
            while let Some(line) = lines.next_line() {
                found.push(
                    line.map_or("!".to_owned(), |line| String::from_utf8_lossy(line).into_owned()),
                );
            }
            assert!(lines.buffer.len() <= 2 * LIMIT + piece.len(), "the buffer is bounded");
        }
        found.push(String::from_utf8_lossy(lines.rest()).into_owned());
        found
    }

    #[test]
    fn lines_and_rests() {
        let table: [(&str, &[&str]); 8] = [
            ("", &[""]),
            ("a", &["a"]),
            ("a\n", &["a", ""]),
            ("a\n\nb", &["a", "", "b"]),
            ("1234\nb", &["1234", "b"]),
            ("12345\nb", &["!", "b"]),
            ("12345", &["!", ""]),
            ("a\n123456789\nb\n123456\n", &["a", "!", "b", "!", ""]),
        ];
        for (text, expected) in table {
            assert_eq!(all([text.as_bytes()]), expected, "{text:?} as a whole");
            assert_eq!(all(text.as_bytes().chunks(1)), expected, "{text:?} byte by byte");
        }
    }

    /// Each line that is taken makes room for one that comes. A piece must not move the whole backlog.
    #[test]
    fn a_backlog_moves_seldom() {
        let mut lines = Lines::new(LIMIT);
        lines.push("abc\n".repeat(10_000).as_bytes());
        let mut moves = 0;
        for _ in 0..40_000 {
            assert_eq!(lines.next_line().unwrap().unwrap(), b"abc");
            lines.push(b"abc\n");
            moves += usize::from(lines.start == 0);
        }
        assert!(moves <= 4, "{moves} moves");
    }

    #[test]
    fn memory_of_long_lines_is_freed() {
        let long = vec![b'a'; 1 << 20];
        for limit in [2 << 20, LIMIT] {
            let mut lines = Lines::new(limit);
            for piece in [&long[..], b"a\n"] {
                lines.push(piece);
                while lines.next_line().is_some() {}
            }
            lines.push(b"b");
            assert!(lines.buffer.capacity() < 1 << 10, "limit {limit}");
        }
    }

    proptest! {
        #[test]
        fn cuts_make_no_difference(text in "[ab\n]{0,40}", size in 1..20_usize) {
            prop_assert_eq!(all(text.as_bytes().chunks(size)), all([text.as_bytes()]));
        }
    }
}

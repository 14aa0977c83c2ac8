//! A text of YAML in parts, each with the text of one document.

use std::io::{self, BufRead, Read as _};
use std::mem;

/// The parts of a text, which is read as it is needed. At the beginning of a line `---` always begins a document, also in a text of
/// several lines, so a part ends before it.
pub(super) struct Chunks<'r> {
    reader: &'r mut dyn BufRead,
    /// The most bytes of a part.
    limit: usize,
    /// The line that begins the next part.
    ahead: Vec<u8>,
    /// The number of lines that were read, without the one ahead.
    lines: usize,
    is_cut: bool,
}

/// What a line is between documents.
enum Line {
    /// `---`
    Begin,
    /// Nothing, a comment, or a directive.
    Prefix,
    Content,
}

impl<'r> Chunks<'r> {
    pub(super) fn new(reader: &'r mut dyn BufRead, limit: usize) -> Self {
        Self { reader, limit, ahead: Vec::new(), lines: 0, is_cut: false }
    }

    /// The number of lines before the next part.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Reads the next part; `None` at the end. A part that is longer than the limit is cut, and is the last part.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_cut {
            return Ok(None);
        }
        let mut text = mem::take(&mut self.ahead);
        // Whether the text has its `---`, or content without one.
        let mut has_begun = !text.is_empty();
        self.lines += usize::from(has_begun);
        let mut is_after_separator = has_begun;
        loop {
            let start = text.len();
            // Reads only so much of a long line as shows that it is too long, and whether it is a marker.
            let room = self.limit.saturating_sub(start) + b"---\n".len() + 1;
            let mut some = (&mut self.reader).take(u64::try_from(room).unwrap_or(u64::MAX));
            if some.read_until(b'\n', &mut text)? == 0 {
                return Ok((!text.is_empty()).then_some(text));
            }
            if is_after_separator {
                move_mark(&mut text, start);
            }
            let line = Line::classify(text.get(start..).unwrap_or_default());
            is_after_separator = matches!(line, Line::Begin);
            match line {
                Line::Begin if has_begun => {
                    self.ahead = text.split_off(start);
                    return Ok(Some(text));
                }
                Line::Begin | Line::Content => has_begun = true,
                Line::Prefix => {}
            }
            if text.len() > self.limit {
                self.is_cut = true;
                return Ok(Some(text));
            }
            self.lines += 1;
        }
    }
}

/// The byte order mark of a file that was appended to another one: `kubectl` skips it at the beginning of each document. Here it
/// becomes spaces at the end of the separator before it, so that all places stay.
fn move_mark(text: &mut [u8], line: usize) {
    let Some((separator, document)) = text.split_at_mut_checked(line) else { return };
    if !document.starts_with(MARK) {
        return;
    }
    let end = separator.trim_ascii_end().len();
    if let Some(both) = text.get_mut(end..line + MARK.len()) {
        both.rotate_right(MARK.len());
        if let Some(mark) = both.get_mut(..MARK.len()) {
            mark.fill(b' ');
        }
    }
}

/// A byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

impl Line {
    fn classify(line: &[u8]) -> Self {
        let rest = line.strip_prefix(b"---");
        if rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace)) {
            return Self::Begin;
        }
        match line.trim_ascii_start().first() {
            None | Some(b'#') => Self::Prefix,
            Some(b'%') if line.starts_with(b"%") => Self::Prefix,
            Some(_) => Self::Content,
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_source::{ReadLimits, documents};
    use proptest::prelude::*;

    use super::Chunks;

    fn split(text: &str, limit: usize) -> Vec<(usize, String)> {
        let mut text = text.as_bytes();
        let (mut chunks, mut parts) = (Chunks::new(&mut text, limit), Vec::new());
        loop {
            let lines = chunks.lines();
            let Some(chunk) = chunks.next().unwrap() else { return parts };
            parts.push((lines, String::from_utf8(chunk).unwrap()));
        }
    }

    #[test]
    fn a_part_is_a_document() {
        let table: [(&str, &[(usize, &str)]); 6] = [
            ("a: 1\n---\nb: 2\n", &[(0, "a: 1\n"), (1, "---\nb: 2\n")]),
            ("# c\n---\na\n--- b\n---c\n", &[(0, "# c\n---\na\n"), (3, "--- b\n---c\n")]),
            ("%YAML 1.1\n---\na", &[(0, "%YAML 1.1\n---\na")]),
            ("a\n...\nb\n---\nc", &[(0, "a\n...\nb\n"), (3, "---\nc")]),
            ("---\n---\n", &[(0, "---\n"), (1, "---\n")]),
            ("", &[]),
        ];
        for (text, expected) in table {
            let parts = split(text, 100);
            let parts: Vec<_> = parts.iter().map(|(line, text)| (*line, text.as_str())).collect();
            assert_eq!(parts, expected, "{text:?}");
        }
        assert_eq!(
            split("a: 1\n---\nlonger\n", 5),
            [(0, "a: 1\n".to_owned()), (1, "---\nlonger".to_owned())]
        );
    }

    #[test]
    fn a_byte_order_mark_can_begin_each_document() {
        let text = "a: 1\n---\n\u{feff}b: 2\n--- # c\r\n\u{feff}'c': d\n---\n\u{feff}{e: f}\n";
        let read = split(text, 1_000).into_iter().flat_map(|(_, chunk)| {
            let trees = documents("a.yaml", chunk.as_bytes(), &ReadLimits::MANIFESTS);
            trees.map(|tree| tree.unwrap().root().to_json().to_string()).collect::<Vec<_>>()
        });
        let expected = [r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":"d"}"#, r#"{"e":"f"}"#];
        assert_eq!(read.collect::<Vec<_>>(), expected);
    }

    proptest! {
        /// All parts together have the documents of the whole text, with the same numbers and places.
        #[test]
        fn parts_are_read_as_the_whole(
            lines in prop::collection::vec(
                prop::sample::select(vec![
                    "---", "--- ", "--- {x: 1}", "...", "# c", "", "a: 1", "b: |", "  text", "  --- no", "c: [1,", "  2]", "'d': x",
                ]),
                0..12,
            )
        ) {
            let text = lines.join("\n");
            let whole = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
            let mut expected = Vec::new();
            for tree in whole {
                // The part after an error can be read.
                let Ok(tree) = tree else { return Ok(()) };
                let place = tree.position(tree.root().span().start);
                expected.push((tree.number(), place, tree.root().to_json()));
            }
            let (mut number, mut read) = (0, Vec::new());
            for (lines, chunk) in split(&text, 1_000) {
                let mut all = documents("a.yaml", chunk.as_bytes(), &ReadLimits::MANIFESTS).after(number, lines + 1);
                for tree in all.by_ref() {
                    let tree = tree.unwrap();
                    let place = tree.position(tree.root().span().start);
                    read.push((tree.number(), place, tree.root().to_json()));
                }
                number = all.number();
            }
            prop_assert_eq!(read, expected, "{}", text);
        }
    }
}

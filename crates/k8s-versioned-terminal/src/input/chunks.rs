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
    /// `...`
    End,
    /// Nothing, or a comment.
    Empty,
    /// A directive, if a document follows.
    Directive,
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
        loop {
            let start = text.len();
            // Of a long line not more than tells that it is too long, and whether it is a marker.
            let room = self.limit.saturating_sub(start) + b"---\n".len() + 1;
            let mut some = (&mut self.reader).take(u64::try_from(room).unwrap_or(u64::MAX));
            if some.read_until(b'\n', &mut text)? == 0 {
                return Ok((!text.is_empty()).then_some(text));
            }
            match Line::classify(text.get(start..).unwrap_or_default()) {
                Line::Begin if has_begun => {
                    self.ahead = text.split_off(start);
                    return Ok(Some(text));
                }
                Line::Begin | Line::Content => has_begun = true,
                Line::Directive | Line::Empty => {}
                Line::End => {
                    self.lines += 1;
                    return Ok(Some(text));
                }
            }
            if text.len() > self.limit {
                self.is_cut = true;
                return Ok(Some(text));
            }
            self.lines += 1;
        }
    }
}

impl Line {
    fn classify(line: &[u8]) -> Self {
        let is_marker = |marker: &[u8]| {
            let rest = line.strip_prefix(marker);
            rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
        };
        if is_marker(b"---") {
            Self::Begin
        } else if is_marker(b"...") {
            Self::End
        } else {
            match line.trim_ascii_start().first() {
                None | Some(b'#') => Self::Empty,
                Some(b'%') if line.starts_with(b"%") => Self::Directive,
                Some(_) => Self::Content,
            }
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
            ("a\n...\n%YAML 1.1\n---\nb", &[(0, "a\n...\n"), (2, "%YAML 1.1\n---\nb")]),
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
                // A part after an error can be read nevertheless.
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

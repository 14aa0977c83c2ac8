//! The line of a text that a problem is about.

use std::ops::Range;

/// A line, with a part of it to point at.
#[derive(Debug, PartialEq)]
pub(crate) struct Line<'a> {
    /// The line's number, from 1.
    pub(crate) number: usize,
    /// The line without its line feed.
    pub(crate) text: &'a str,
    /// The part, in bytes of the line.
    pub(crate) part: Range<usize>,
}

impl<'a> Line<'a> {
    /// The line of `text` in which `span` begins, unless the span is not one of this text.
    ///
    /// Values can be long; their first line is enough to find them.
    pub(crate) fn of(text: &'a str, span: Range<usize>) -> Option<Self> {
        let before = text.get(..span.start)?;
        let start = before.rfind('\n').map_or(0, |line_feed| line_feed + 1);
        let rest = text.get(span.start..)?;
        let end = rest.find('\n').map_or(text.len(), |length| span.start + length);
        let part = text.get(span.start..span.end.clamp(span.start, end))?;
        Some(Self {
            number: before.matches('\n').count() + 1,
            text: text.get(start..end)?,
            part: span.start - start..span.start - start + part.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn finds_the_line_of_a_span() {
        let source = "{\n  \"é\": [\n  ]\n}";
        let cases = [
            (0..1, Some((1, "{", 0..1))),
            (4..8, Some((2, "  \"é\": [", 2..6))),
            // More than one line: what is in the first.
            (10..15, Some((2, "  \"é\": [", 8..9))),
            // The end of the text, where something is missing.
            (17..17, Some((4, "}", 1..1))),
            // Not of this text.
            (18..19, None),
            (6..7, None),
            (4..6, None),
        ];
        for (span, expected) in cases {
            let expected = expected.map(|(number, text, part)| Line { number, text, part });
            assert_eq!(Line::of(source, span.clone()), expected, "{span:?}");
        }
    }
}

//! What a parser of YAML 1.2 reads, and `kubectl` refuses or reads otherwise. Nothing is read silently as something else.

use std::ops::Range;

use granit_parser::{Event, ScalarStyle, StructureStyle};

/// A part of the text that is refused, and why.
type Refusal = (Range<usize>, &'static str);

/// What was read of a text.
pub(super) struct Dialect<'t> {
    text: &'t str,
    /// The first line that begins like a separator, and has a value.
    separator: Option<usize>,
    /// Whether a document has begun.
    has_begun: bool,
    /// The end of the last event.
    end: usize,
    /// The brackets around the next event.
    brackets: usize,
}

impl<'t> Dialect<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, separator: first_separator(text), has_begun: false, end: 0, brackets: 0 }
    }

    /// The part that is refused because of an event.
    pub(super) fn refused(&mut self, event: &Event<'_>, span: &Range<usize>) -> Option<Refusal> {
        let before = self.end..span.start;
        self.end = self.end.max(span.end);
        let refusal = match event {
            Event::DocumentStart(is_marked, _) => self.document(*is_marked, before, span),
            Event::Scalar(_, style, anchor, _) => self.scalar(*style, *anchor, before, span),
            Event::MappingStart(style, anchor, _) | Event::SequenceStart(style, anchor, _) => {
                self.brackets += usize::from(*style == StructureStyle::Flow || self.brackets > 0);
                self.anchor(*anchor, before)
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.brackets = self.brackets.saturating_sub(1);
                return None;
            }
            _ => None,
        };
        refusal.or_else(|| self.separator_before(span))
    }

    fn document(
        &mut self,
        is_marked: bool,
        before: Range<usize>,
        span: &Range<usize>,
    ) -> Option<Refusal> {
        let between = self.text.get(before.clone()).unwrap_or_default();
        // A text does not begin with `...`.
        let is_after_end = if self.has_begun {
            !is_marked
        } else {
            between.lines().any(|line| line.starts_with("..."))
        };
        self.has_begun = true;
        if is_after_end {
            let why = "did not find expected document start: `---` begins a document after `...`";
            return Some((span.clone(), why));
        }
        let directive = between.split_inclusive('\n').scan(before.start, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        });
        let (start, line) = directive.into_iter().find(|(_, line)| line.starts_with('%'))?;
        let why = "did not find expected document start: directives are not supported";
        Some((start..start + line.trim_end().len(), why))
    }

    fn scalar(
        &self,
        style: ScalarStyle,
        anchor: usize,
        before: Range<usize>,
        span: &Range<usize>,
    ) -> Option<Refusal> {
        if style == ScalarStyle::Plain && self.brackets > 0 {
            let mut after = self.text.get(span.end..).unwrap_or_default().chars();
            let ends_in_colon = after.next() == Some(':')
                && after.next().is_some_and(|next| ",[]{}".contains(next));
            if ends_in_colon && !span.is_empty() {
                let why = "in brackets, the `:` after a key is followed by a space";
                return Some((span.clone(), why));
            }
            let text = self.text.get(span.clone()).unwrap_or_default();
            if text.starts_with(':') || text.contains('?') {
                let why = "in brackets, a text with `?` or with a `:` at its beginning has quotes";
                return Some((span.clone(), why));
            }
        }
        self.anchor(anchor, before)
    }

    /// `libyaml` does not take a `:` for a part of an anchor.
    fn anchor(&self, anchor: usize, before: Range<usize>) -> Option<Refusal> {
        let between = self.text.get(before.clone()).filter(|_| anchor != 0)?;
        let start = before.start + between.rfind('&')?;
        let name = self.text.get(start..)?.split(char::is_whitespace).next()?;
        let is_refused = name.ends_with(':');
        is_refused.then(|| (start..start + name.len(), "an anchor does not end with `:`"))
    }

    fn separator_before(&self, span: &Range<usize>) -> Option<Refusal> {
        let start = self.separator.filter(|start| span.end > *start)?;
        let why = "invalid document separator: after `---` a line has at most a comment; a line break is missing";
        Some((start..start + SEPARATOR.len(), why))
    }
}

const SEPARATOR: &str = "---";

/// The first line that begins with `---` and goes on with more than a comment.
fn first_separator(text: &str) -> Option<usize> {
    let first = text.starts_with(SEPARATOR).then_some(0);
    let others = text.match_indices("\n---").map(|(at, _)| at + 1);
    first.into_iter().chain(others).find(|start| {
        let after = text.get(start + SEPARATOR.len()..).unwrap_or_default();
        let rest = after.lines().next().unwrap_or_default().trim();
        !rest.is_empty() && !rest.starts_with('#')
    })
}

#[cfg(test)]
mod tests {
    use crate::{ReadLimits, documents};

    #[test]
    fn what_kubectl_does_not_read_is_refused() {
        for (text, place, why) in [
            ("a: 1\n--- {b: 2}\n", "2:1", "invalid document separator"),
            ("---a: 1\nb: 2\n", "1:1", "invalid document separator"),
            ("a: b\n---c: d\n", "2:1", "invalid document separator"),
            ("--- |\n  y\n", "1:1", "invalid document separator"),
            ("%YAML 1.1\n---\na: 1\n", "1:1", "directives"),
            ("a: 1\n...\nb: 2\n", "3:1", "begins a document after `...`"),
            ("a: {b:}\n", "1:5", "followed by a space"),
            ("a: [b:, c]\n", "1:5", "followed by a space"),
            ("a: {b: http://c?d=e}\n", "1:8", "has quotes"),
            ("a: {b: :c}\n", "1:8", "has quotes"),
            ("a: &b: c\n", "1:4", "an anchor"),
            ("---\n\u{feff}a: 1\n", "2:1", "BOM"),
        ] {
            let found: Vec<_> =
                documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS).collect();
            let errors = found.into_iter().find_map(Result::err).unwrap();
            let error = errors.0.first().unwrap();
            let before = text.get(..error.span.start).unwrap();
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            assert_eq!(format!("{line}:{column}"), place, "{text:?}");
            assert!(error.to_string().contains(why), "{text:?}: {error}");
        }
    }

    #[test]
    fn what_looks_like_it_is_read() {
        for text in [
            "--- # c\na: 1\n---   \nb: 2\n",
            "a: b:c\n",
            "a: {b: c:d, 'e': {}, \"f\":1, g: 'h?', i: }\n",
            "a: what?\n",
            "a: |\n  ---b\n  %c\n",
            "a: &b c\nd: *b\n",
            "a: &b:c d\n",
        ] {
            let found: Result<Vec<_>, _> =
                documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS).collect();
            assert!(found.is_ok(), "{text:?}: {found:?}");
        }
    }
}

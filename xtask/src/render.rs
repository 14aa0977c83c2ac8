//! Errors, as people read them.

use std::error::Error as _;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet, normalize_untrusted_str,
};
use coordination_codegen::Problem;

use crate::changes::Changes;
use crate::error::{Error, Refused, Source};
use crate::tree::Entry;
use crate::{diff, regenerate};

/// Of how many files a difference is shown. All of them are named.
const DIFFS: usize = 5;

/// An error as text that ends with a line break.
pub fn error(error: &Error, colour: bool) -> String {
    match error {
        Error::Refused(refused) => problems(refused, colour),
        Error::Stale(changes) => stale(changes),
        other => plain(other),
    }
}

/// The error and its causes on one line.
fn plain(error: &Error) -> String {
    let mut text = format!("error: {error}");
    let mut cause = error.source();
    while let Some(source) = cause {
        let _ = write!(text, ": {source}");
        cause = source.source();
    }
    text + "\n"
}

/// What is not up to date: all names, then the first differences, then what to do about it.
fn stale(changes: &Changes) -> String {
    let mut text = format!("error: {} is not what `specs` yields\n", regenerate::FOLDER);
    for (name, write) in &changes.written {
        let what = if write.before.is_some() {
            "differs"
        } else {
            "missing"
        };
        let _ = writeln!(text, "  {what}  {}", changes.show(name));
    }
    for (name, entry) in &changes.removed {
        let slash = if *entry == Entry::Folder { "/" } else { "" };
        let _ = writeln!(text, "  surplus  {}{slash}", changes.show(name));
    }
    text += &differences(changes);
    let _ = writeln!(text, "\nto repair this, run `{}`", regenerate::COMMAND);
    text
}

/// `-` is what a file holds, `+` what it should hold.
fn differences(changes: &Changes) -> String {
    let mut text = String::new();
    let differing = changes.written.iter().filter_map(|(name, write)| {
        let before = write.before.as_deref()?;
        Some((name, before, write.after.as_slice()))
    });
    for (name, before, after) in differing.take(DIFFS) {
        let _ = writeln!(text, "\n{}", changes.show(name));
        for line in diff::unified(before, after) {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Each problem with the line of the document that it is about, then how many there are.
fn problems(refused: &Refused, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    let mut count = 0_usize;
    for problem in &refused.problems {
        text += &renderer.render(&[report(problem, &refused.sources)]);
        text += "\n\n";
        count += 1;
    }
    let noun = if count == 1 { "problem" } else { "problems" };
    let _ = writeln!(text, "error: {count} {noun} found, nothing written");
    text
}

fn report<'a>(problem: &Problem, sources: &'a [Source]) -> Group<'a> {
    let place = &problem.place;
    let group = Group::with_title(Level::ERROR.primary_title(problem.cause.to_string()));
    let group = match find(&place.file, sources) {
        Some((path, text)) => match place.span.clone().and_then(|span| line(text, span)) {
            Some(line) => group.element(line.snippet(path)),
            None => group.element(Origin::path(path)),
        },
        None => group.element(Origin::path(place.file.to_string())),
    };
    let pointer = place.pointer.to_string();
    let at = (!pointer.is_empty()).then(|| note("at", &pointer));
    let understood = problem
        .cause
        .understood()
        .map(|text| note("understood", &text));
    let hint = problem.cause.hint().map(|text| note("hint", text));
    group.elements([at, understood, hint].into_iter().flatten())
}

fn note(name: &'static str, text: &str) -> Message<'static> {
    Level::NOTE
        .with_name(name)
        .message(normalize_untrusted_str(text))
}

/// The file that a problem is about: its path as shown, and its text (empty when it is not UTF-8).
/// No name stands for the first folder itself.
fn find<'a>(file: &str, sources: &'a [Source]) -> Option<(String, &'a str)> {
    sources.iter().find_map(|source| {
        if file.is_empty() {
            return Some((source.shown.clone(), ""));
        }
        let bytes = source.files.get(file)?;
        let text = str::from_utf8(bytes).unwrap_or_default();
        Some((format!("{}/{file}", source.shown), text))
    })
}

/// A line of a file, with a part of it to point at.
struct Line<'a> {
    number: usize,
    text: &'a str,
    part: Range<usize>,
}

impl<'a> Line<'a> {
    fn snippet(self, path: String) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        Snippet::source(self.text)
            .line_start(self.number)
            .path(path)
            .annotation(AnnotationKind::Primary.span(self.part))
    }
}

/// The line in which a span begins. Values can be long; their first line is enough to find them.
fn line(text: &str, span: Range<usize>) -> Option<Line<'_>> {
    let before = text.get(..span.start)?;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = text
        .get(span.start..)?
        .find('\n')
        .map_or(text.len(), |length| span.start + length);
    let number = before.matches('\n').count() + 1;
    let part = span.start - start..span.end.clamp(span.start, end) - start;
    Some(Line {
        number,
        text: text.get(start..end)?,
        part,
    })
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn finds_the_line_of_a_span() {
        let text = "{\n  \"é\": [\n  ]\n}";
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
        ];
        for (span, expected) in cases {
            let found = line(text, span.clone()).map(|line| (line.number, line.text, line.part));
            assert_eq!(found, expected, "{span:?}");
        }
    }
}

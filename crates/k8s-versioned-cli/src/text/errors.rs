//! Errors as text for people.

use std::collections::BTreeSet;
use std::env;
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::mem;
use std::ops::Range;
use std::process::ExitCode;

use annotate_snippets::{
    AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet, normalize_untrusted_str,
};
use k8s_versioned_codegen::Problem;
use k8s_versioned_core::findings::{Finding, Severity, count};
use k8s_versioned_core::text;
use k8s_versioned_source::Position;
use k8s_versioned_terminal::{stderr_width, wrap};

use crate::error::{Error, Refused, SourceFolder};
use crate::project::changes::Changes;
use crate::text::line_diff;

/// The number of files whose differences are shown. All files are named.
const DIFFS: usize = 5;

/// The columns before the text of a hint, below a line whose number has up to five digits.
const HINT_INDENT: usize = "12345 = hint: ".len();

/// An error as text that ends with a line break.
pub fn error(error: &Error, colour: bool) -> String {
    match error {
        Error::Refused(refused) => {
            let noun = count(refused.problems.len(), "problem");
            let advice = refused.advice.map(|advice| format!("{advice}\n")).unwrap_or_default();
            let problems = problems(refused, colour);
            let nothing = if refused.writes { ", nothing written" } else { "" };
            format!("{problems}error: {noun} found{nothing}\n{advice}")
        }
        Error::Stale { folders, command } => stale(folders, command),
        other => plain(other),
    }
}

/// The error and its causes on one line.
pub(crate) fn plain(error: &Error) -> String {
    format!("error: {}\n", with_causes(error))
}

/// An error with its causes.
pub(crate) fn with_causes(error: &(dyn StdError + 'static)) -> String {
    text::with_causes(error, ToString::to_string)
}

/// The files that are not up to date: all names, then the first differences, then the hint.
fn stale(folders: &[Changes], command: &str) -> String {
    let mut text = String::new();
    for changes in folders.iter().filter(|changes| !changes.is_empty()) {
        let _ = writeln!(text, "error: {} is not up to date with `specs`", changes.folder());
        for (name, write) in &changes.written {
            let what = if write.before.is_some() { "differs" } else { "missing" };
            let _ = writeln!(text, "  {what}  {}", changes.show(name));
        }
        for name in changes.show_removed() {
            let _ = writeln!(text, "  surplus  {name}");
        }
    }
    text += &differences(folders);
    let _ = writeln!(text, "\nto repair this, run `{command}`");
    text
}

/// The differences of the first files: `-` is the content, `+` the wanted content.
fn differences(folders: &[Changes]) -> String {
    let mut text = String::new();
    let written = folders
        .iter()
        .flat_map(|changes| changes.written.iter().map(move |written| (changes, written)));
    let differing = written.filter_map(|(changes, (name, write))| {
        let before = write.before.as_deref()?;
        Some((changes.show(name), before, write.after.as_slice()))
    });
    for (name, before, after) in differing.take(DIFFS) {
        let _ = writeln!(text, "\n{name}");
        for line in line_diff::unified(before, after) {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Problems for programs, each with its line.
pub(crate) fn findings(refused: &Refused) -> impl Iterator<Item = Finding> {
    placed(refused).map(|(finding, _)| finding)
}

/// Problems as reports about files name them: by their paths.
pub(crate) fn findings_by_path(refused: &Refused) -> impl Iterator<Item = Finding> {
    placed(refused).map(|(mut finding, path)| {
        finding.file = path;
        finding
    })
}

/// Each problem with its line, and the path of its file.
fn placed(refused: &Refused) -> impl Iterator<Item = (Finding, String)> {
    refused.problems.iter().map(|problem| {
        let mut finding = finding_of(problem);
        let (path, text) = find(&problem.place.file, &refused.sources);
        let place =
            problem.place.span.as_ref().and_then(|span| Some(Position::of(text?, span.start)));
        (finding.line, finding.column) =
            (place.map(|place| place.line), place.map(|place| place.column));
        (finding, path)
    })
}

/// A problem for programs, without its line.
fn finding_of(problem: &Problem) -> Finding {
    let severity = if problem.is_warning() { Severity::Warning } else { Severity::Error };
    Finding::new(severity, problem.id(), &*problem.place.file, problem.message())
        .at(problem.place.pointer.clone())
        .with_hint(problem.hint())
}

/// Each problem with its line in the file.
fn problems(refused: &Refused, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let (mut text, mut hints) = (String::new(), Hints::default());
    for problem in refused.problems.iter() {
        text += &renderer.render(&[report(problem, &refused.sources, &mut hints)]);
        text += "\n\n";
    }
    text
}

/// The hints that a text has already: a long one is not repeated for each problem of the same kind.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    seen: BTreeSet<String>,
    /// The kind of the problem before.
    last: String,
}

impl Hints {
    /// The hint of a problem of this kind, or where it is above.
    pub(crate) fn once(&mut self, id: &str, hint: &str) -> String {
        let follows = mem::replace(&mut self.last, id.to_owned()) == id;
        match (self.seen.insert(hint.to_owned()), follows) {
            (true, _) => hint.to_owned(),
            (false, true) => "as above".to_owned(),
            (false, false) => format!("as for `{id}` above"),
        }
    }
}

fn report<'a>(problem: &Problem, sources: &'a [SourceFolder], hints: &mut Hints) -> Group<'a> {
    let place = &problem.place;
    let title = wrap(&problem.message(), stderr_width(), "error[]: ".len() + problem.id().len());
    let title = Level::ERROR.primary_title(title).id(problem.id());
    let (path, text) = find(&place.file, sources);
    let span = place.span.clone();
    let line = text.and_then(|text| Some((text, in_first_line(text, span?)?)));
    let group = match line {
        Some((text, span)) => {
            let annotation = AnnotationKind::Primary.span(span);
            title.element(Snippet::source(text).path(path).annotation(annotation))
        }
        // The source that the user named has no file.
        None if path.is_empty() => Group::with_title(title),
        None => title.element(Origin::path(path)),
    };
    let at = (!place.pointer.is_empty()).then(|| note("at", &place.pointer));
    let understood = problem.understood().map(|text| note("understood", &text));
    let hint = wrap(&hints.once(problem.id(), &problem.hint()), stderr_width(), HINT_INDENT);
    let hint = Some(note("hint", &hint));
    group.elements([at, understood, hint].into_iter().flatten())
}

/// The file of a problem: its path as messages show it, and its text if it has one. A file without a name is the
/// first folder.
fn find<'a>(file: &str, sources: &'a [SourceFolder]) -> (String, Option<&'a str>) {
    for source in sources {
        if file.is_empty() {
            return (source.label.clone(), None);
        }
        if let Some(bytes) = source.files.get(file) {
            return (source.path(file), str::from_utf8(bytes).ok());
        }
    }
    // A file that is missing, in the only folder.
    match sources {
        [source] => (source.path(file), None),
        _ => (file.to_owned(), None),
    }
}

/// The part of a span in its first line, which is enough to find a value. `None` if the text has no such span.
fn in_first_line(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let value = text.get(span.clone())?;
    Some(span.start..span.start + value.lines().next().map_or(0, str::len))
}

fn note(name: &'static str, text: &str) -> Message<'static> {
    let text = normalize_untrusted_str(text);
    Level::NOTE.with_name(name).message(text)
}

/// Returns `true` if the standard error has colour: on a terminal, unless <https://no-color.org> switches it off.
pub fn colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a text. Unlike `println!`, it does not panic when the output is closed.
pub fn print(to: &mut impl io::Write, text: &str, code: ExitCode) -> ExitCode {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::Hints;

    #[test]
    fn a_hint_that_is_above_another_says_whose_it_is() {
        let mut hints = Hints::default();
        let hints_shown = [("a", "x"), ("a", "x"), ("b", "y"), ("a", "x"), ("b", "y")]
            .map(|(id, hint)| hints.once(id, hint));
        assert_eq!(hints_shown, ["x", "as above", "y", "as for `a` above", "as for `b` above"]);
    }
}

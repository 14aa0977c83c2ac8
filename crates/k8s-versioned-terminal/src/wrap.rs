//! Lines that fit on the terminal.

use std::io;

use anstream::adapter::strip_str;
use k8s_versioned_core::findings::Severity;
use terminal_size::{Width, terminal_size_of};

/// The narrowest terminal for which lines are wrapped, in columns.
const NARROWEST: usize = 40;

/// The beginning of a line that is a hint.
const HINT: &str = "  hint: ";

/// The columns before the further lines of a finding.
const BELOW: usize = 4;

/// The number of columns of the terminal that is the standard output; `None` if it is not a terminal.
pub fn stdout_width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(width), _)| width.into())
}

/// The number of columns of the terminal that is the standard error; `None` if it is not a terminal.
pub fn stderr_width() -> Option<usize> {
    terminal_size_of(io::stderr()).map(|(Width(width), _)| width.into())
}

/// Wraps the findings and hints of a text. Their further lines are indented. Other lines stay as they are, such as types.
pub fn wrap_findings(text: &str, width: Option<usize>) -> String {
    if width.is_none() {
        return text.to_owned();
    }
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let (begin, rest, indent) = match line.strip_prefix(HINT) {
            Some(hint) => (HINT, hint, HINT.len()),
            None if is_finding(line) => ("", line, BELOW),
            None => {
                wrapped += line;
                continue;
            }
        };
        let below = format!("\n{:indent$}", "");
        wrapped += begin;
        wrapped += &wrap(rest.trim_end(), width, indent).replace('\n', &below);
        wrapped.push('\n');
    }
    wrapped
}

/// Returns `true` if a line begins with a severity and an identifier.
fn is_finding(line: &str) -> bool {
    let plain = strip_str(line).to_string();
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let mut ids = severities.iter().filter_map(|severity| plain.strip_prefix(severity.name()));
    ids.any(|id| id.starts_with('['))
}

/// Breaks a text into lines that fit on the terminal after an indent. A longer word has a line of its own. If the width is not known, or
/// the terminal is too narrow, nothing changes. Lines break at spaces. Other spaces stay, because they can be in a value.
pub fn wrap(text: &str, width: Option<usize>, indent: usize) -> String {
    let room = width.filter(|width| *width >= NARROWEST).map(|width| width.saturating_sub(indent));
    let (mut wrapped, mut column) = (String::new(), 0);
    for (index, word) in text.split(' ').enumerate() {
        let length = strip_str(word).to_string().chars().count();
        if index > 0 {
            let fits = room.is_none_or(|room| column + 1 + length <= room);
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped += word;
        column += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::{wrap, wrap_findings};

    #[test]
    fn findings_wrap_under_their_text() {
        let text = "\u{1b}[31merror[a]\u{1b}[0m: a line that is longer than the terminal\n  hint: write the value in quotes: it is a text\n";
        let expected = "\u{1b}[31merror[a]\u{1b}[0m: a line that is longer than\n    the terminal\n  hint: write the value in quotes: it is\n        a text\n";
        assert_eq!(wrap_findings(text, Some(40)), expected);
        assert_eq!(wrap_findings(text, None), text);
        let types =
            "pub struct Widget; // A line of another text, which is longer than the terminal\n";
        assert_eq!(wrap_findings(types, Some(40)), types);
        assert_eq!(wrap_findings(text, Some(200)), text);
    }

    #[test]
    fn spaces_in_a_value_stay() {
        assert_eq!(
            wrap("the value \"a  b\" is not a number", Some(40), 20),
            "the value \"a  b\" is\nnot a number"
        );
    }

    #[test]
    fn text_wraps_beside_an_indent() {
        assert_eq!(wrap("one two three", Some(40), 33), "one two\nthree");
        assert_eq!(wrap("one two three", Some(40), 60), "one\ntwo\nthree");
        assert_eq!(wrap("one two three", Some(10), 5), "one two three");
        assert_eq!(wrap("one two three", None, 5), "one two three");
    }
}

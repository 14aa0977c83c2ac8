//! Findings of checks and commands: a [`Finding`], written as text for people and as JSON for programs, and [`table`]s of
//! counts.
//!
//! ```
//! use k8s_versioned_core::findings::{Finding, Severity};
//!
//! let finding = Finding::new(Severity::Error, "round-trip", "leases/get.json", "expected 3, found 4")
//!     .at("/response/json/spec")
//!     .with_hint("does the type change the value?");
//! assert_eq!(
//!     finding.to_string(),
//!     "error[round-trip]: leases/get.json at /response/json/spec: expected 3, found 4\n  \
//!      hint: does the type change the value?\n",
//! );
//! ```

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::quoted::{OneLine, start};

/// The colour of a verdict without errors, on a terminal.
pub const GOOD: Style = AnsiColor::Green.on_default();

/// Something that a check or a command found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Whether the finding is an error, a warning or a note.
    pub severity: Severity,
    /// The check or the rule. An identifier never changes its meaning.
    pub id: Cow<'static, str>,
    /// The file or the input; empty if the finding is about none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The position in the file: a JSON pointer or a field path; empty for the whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// The description for people, without the place.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
    /// The number of the document in the file, from 1. This number and the next members are parts of `at`, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<usize>,
    /// The number of the item in the list, from 1; of a list in a list, the numbers from the outermost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub item: Vec<usize>,
    /// The field path in the object; empty for the whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The line of the file on which the value of the field begins, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of `line` on which the field begins, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The object of a note by [`of_object`](Self::of_object): reports join such notes.
    #[doc(hidden)]
    #[serde(skip)]
    pub object: Option<String>,
}

/// The severity of a finding, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The check or the command fails.
    Error,
    /// Something is lost, or needs attention.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word that reports begin with, such as `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    /// The colour on a terminal.
    pub fn style(self) -> Style {
        match self {
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Note => Style::new().dimmed(),
        }
    }
}

impl Finding {
    /// A finding about a whole file, without a hint.
    pub fn new(
        severity: Severity,
        id: impl Into<Cow<'static, str>>,
        file: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let (id, file, message) = (id.into(), file.into(), message.into());
        Self {
            severity,
            id,
            file,
            at: String::new(),
            message,
            hint: None,
            document: None,
            item: Vec::new(),
            path: String::new(),
            line: None,
            column: None,
            object: None,
        }
    }

    /// A note about an object that a command does not change: its message is the identifier in words, and the object.
    #[doc(hidden)]
    pub fn of_object(id: &'static str, file: impl Into<String>, object: impl fmt::Display) -> Self {
        let object = object.to_string();
        let message = format!("{}: {object}", id.replace('-', " "));
        let note = Self::new(Severity::Note, id, file, message);
        Self { object: Some(object), ..note }
    }

    /// Sets the position in the file: a JSON pointer or a field path.
    #[must_use]
    pub fn at(mut self, at: impl Into<String>) -> Self {
        self.at = at.into();
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Writes a line, and one for the hint; `{:#}` with the colours of a terminal. Names and values from files end no line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, id, file, at, message, hint, line, column, .. } = self;
        let style = if f.alternate() { severity.style() } else { Style::new() };
        write!(f, "{style}{}[{id}]{style:#}: {}", severity.name(), OneLine(file))?;
        if let (Some(line), Some(column)) = (line, column) {
            write!(f, ":{line}:{column}")?;
        }
        if !at.is_empty() {
            write!(f, " at {}", OneLine(at))?;
        }
        writeln!(f, ": {}", OneLine(&without_middle(message)))?;
        hint.as_ref().map_or(Ok(()), |hint| writeln!(f, "  hint: {}", OneLine(hint)))
    }
}

/// The most bytes of a message that people read whole.
const WHOLE: usize = 1_000;

/// A message for people: of a long one the beginning and the end. Servers show a whole value first, and say last what is wrong with it.
pub fn without_middle(message: &str) -> Cow<'_, str> {
    let start = start(message, 300);
    let end = message.char_indices().rev().nth(600).and_then(|(at, _)| message.get(at..));
    let left_out = message.len().saturating_sub(start.len() + end.map_or(0, str::len));
    match end {
        Some(end) if message.len() > WHOLE && left_out > 0 => {
            format!("{start} ... ({left_out} bytes) ... {end}").into()
        }
        _ => Cow::Borrowed(message),
    }
}

/// A number of things, for people: `1 error`, `2 errors`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A table in Markdown, which people can also read on a terminal. The first row has the titles. The first `texts`
/// columns are aligned to the left, the others hold numbers. With `aligned` all cells of a column have the same width.
pub fn table(texts: usize, rows: &[Vec<String>], aligned: bool) -> String {
    let escape = |cell: &String| cell.replace('|', "\\|").replace(['\n', '\r'], " ");
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(escape).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).filter(|_| aligned);
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().enumerate().map(|(column, cell)| match width(column) {
            width if column < texts => format!("{cell:<width$}"),
            width => format!("{cell:>width$}"),
        });
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
        if index == 0 {
            let rule = |column| match (width(column).max(1), column < texts) {
                (1, true) => "---".to_owned(),
                (1, false) => "--:".to_owned(),
                (width, true) => "-".repeat(width + 2),
                (width, false) => "-".repeat(width + 1) + ":",
            };
            let rules: Vec<String> = (0..row.len()).map(rule).collect();
            let _ = writeln!(text, "|{}|", rules.join("|"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Finding, Severity, table, without_middle};

    #[test]
    fn long_messages_keep_both_ends() {
        let long = format!("a{}z", "ž".repeat(1_000));
        let shown = without_middle(&long);
        let expected = ["a", &"ž".repeat(299), " ... (202 bytes) ... ", &"ž".repeat(600), "z"];
        assert_eq!(shown, expected.concat());
        assert_eq!(without_middle("short"), "short");
    }

    #[test]
    fn json_leaves_out_what_is_empty() {
        let finding = Finding::new(Severity::Warning, "a", "f", "m");
        let json = serde_json::to_string(&finding).unwrap();
        assert_eq!(json, r#"{"severity":"warning","id":"a","file":"f","message":"m"}"#);
        assert!(format!("{finding:#}").contains("\u{1b}["));
    }

    #[test]
    fn texts_from_files_end_no_line() {
        let finding = Finding::new(Severity::Error, "a", "f\n", "m\u{1b}[2J").at("b\r");
        let finding = finding.with_hint("h\n".to_owned());
        let text = "error[a]: f\\n at b\\r: m\\u{1b}[2J\n  hint: h\\n\n";
        assert_eq!(finding.to_string(), text);
    }

    #[test]
    fn a_cell_neither_ends_the_cell_nor_the_line() {
        let rows = [vec!["name", "count"], vec!["a|b\nc", "1"]];
        let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect());
        assert_eq!(table(1, &rows, false), "| name | count |\n|---|--:|\n| a\\|b c | 1 |\n");
        let aligned = "| name   | count |\n|--------|------:|\n| a\\|b c |     1 |\n";
        assert_eq!(table(1, &rows, true), aligned);
    }
}

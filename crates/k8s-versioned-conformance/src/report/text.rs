//! The report for people.

use std::fmt;

use anstyle::{AnsiColor, Style};

use super::{Counts, Failure, Known, Report, count, table};

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const FAINT: Style = Style::new().dimmed();

/// A report as text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    report: &'a Report,
    coloured: bool,
}

impl Report {
    /// The report as text for people.
    pub fn text(&self) -> Text<'_> {
        Text { report: self, coloured: false }
    }
}

impl Text<'_> {
    /// With colours, as ANSI escape codes. The caller makes sure that they go to a terminal.
    #[must_use]
    pub fn coloured(self) -> Self {
        Self { coloured: true, ..self }
    }

    fn style(&self, style: Style) -> Style {
        if self.coloured { style } else { Style::new() }
    }

    fn failure(&self, f: &mut fmt::Formatter<'_>, failure: &Failure) -> fmt::Result {
        let bad = self.style(BAD);
        let (check, file, mismatch) = (failure.check, failure.file.display(), &failure.mismatch);
        writeln!(f, "\n{bad}FAILED{bad:#} {check}: {file}")?;
        writeln!(f, "  at       {}", whole(&mismatch.pointer))?;
        writeln!(f, "  expected {}", mismatch.expected)?;
        writeln!(f, "  found    {}", mismatch.found)?;
        writeln!(f, "  hint     {}", mismatch.hint)
    }

    fn known(&self, f: &mut fmt::Formatter<'_>, known: &Known) -> fmt::Result {
        let faint = self.style(FAINT);
        let Known { failure, reason } = known;
        let (check, file) = (failure.check, failure.file.display());
        writeln!(f, "\n{faint}known{faint:#} {check}: {file}")?;
        writeln!(f, "  at       {}", whole(&failure.mismatch.pointer))?;
        writeln!(f, "  because  {reason}")
    }

    fn other_errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bad = self.style(BAD);
        for rejected in &self.report.rejected {
            let (file, reason) = (rejected.file.display(), &rejected.reason);
            writeln!(f, "\n{bad}ERROR{bad:#} {file}: {reason}")?;
        }
        for entry in &self.report.stale {
            writeln!(f, "\n{bad}STALE{bad:#} {}: {entry}", entry.check)?;
            writeln!(f, "  at       {}", whole(&entry.pointer))?;
            writeln!(f, "  hint     nothing fails there any more: remove the known failure")?;
        }
        Ok(())
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let recordings = count(report.recordings, "recording", "recordings");
        if report.is_success() {
            let good = self.style(GOOD);
            return writeln!(f, "\n{good}{recordings}: nothing failed{good:#}");
        }
        let numbers = [
            (report.failures.len(), "failure", "failures"),
            (
                report.rejected.len(),
                "file that is not a recording",
                "files that are not recordings",
            ),
            (report.stale.len(), "stale known failure", "stale known failures"),
        ];
        let parts = numbers.iter().filter(|(number, ..)| *number > 0);
        let parts: Vec<String> =
            parts.map(|(number, one, many)| count(*number, one, many)).collect();
        let bad = self.style(BAD);
        writeln!(f, "\n{bad}{recordings}: {}{bad:#}", parts.join(", "))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let cell =
            |counts: &Counts| table::Cell { text: table::counts(counts), style: style(counts) };
        writeln!(f, "Passed, and in brackets not applicable:\n")?;
        table::matrix(&report.matrix, cell).write_text(f, self.coloured)?;
        if report.not_applicable().next().is_some() {
            writeln!(f)?;
            table::reasons(report).write_text(f, self.coloured)?;
        }
        for known in &report.known {
            self.known(f, known)?;
        }
        for failure in &report.failures {
            self.failure(f, failure)?;
        }
        self.other_errors(f)?;
        self.summary(f)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

fn style(counts: &Counts) -> Style {
    match counts {
        Counts { failed: 1.., .. } => BAD,
        Counts { passed: 0, .. } => FAINT,
        _ => Style::new(),
    }
}

/// The pointer, or words for the empty one.
fn whole(pointer: &str) -> &str {
    if pointer.is_empty() { "the whole recording" } else { pointer }
}

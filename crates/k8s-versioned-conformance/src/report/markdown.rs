//! The report for a page.

use std::fmt;

use super::{Counts, Failure, Matrix, Report, count, table};

const LEGEND: &str = "\
A number counts the bodies that passed, or the recordings if the check examines recordings as a whole. The number
in brackets counts those to which the check does not apply.";

/// A report as Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'a> {
    report: &'a Report,
}

impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> Markdown<'_> {
        Markdown { report: self }
    }
}

impl Markdown<'_> {
    fn failures(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.report.failures.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n## Failures\n")?;
        self.report.failures.iter().try_for_each(|failure| item(f, failure))
    }

    fn known(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.report.known.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n## Known failures\n")?;
        for known in &self.report.known {
            let failure = &known.failure;
            writeln!(
                f,
                "- {}: {} at {}: {}",
                failure.check,
                code(&failure.file.display()),
                code(&failure.mismatch.pointer),
                known.reason
            )?;
        }
        Ok(())
    }

    fn other_errors(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rejected, stale) = (&self.report.rejected, &self.report.stale);
        if rejected.is_empty() && stale.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n## Errors\n")?;
        for file in rejected {
            writeln!(f, "- {}: {}", code(&file.file.display()), file.reason)?;
        }
        for entry in stale {
            let place = format!("{entry} {}", entry.pointer);
            writeln!(
                f,
                "- {}: {} does not fail any more: remove the known failure",
                entry.check,
                code(&place.trim_end())
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let recordings = count(report.recordings, "recording", "recordings");
        let verdict = if report.is_success() { "nothing failed" } else { "something failed" };
        writeln!(f, "{recordings}: {verdict}.\n")?;
        table::checks(report).write_markdown(f)?;
        writeln!(f, "\n## Results\n\n{LEGEND}\n")?;
        report.matrix.markdown().fmt(f)?;
        if report.not_applicable().next().is_some() {
            writeln!(f, "\n## Not applicable\n")?;
            table::reasons(report).write_markdown(f)?;
        }
        self.known(f)?;
        self.failures(f)?;
        self.other_errors(f)
    }
}

/// A matrix as a table of Markdown.
#[derive(Clone, Copy, Debug)]
pub struct MarkdownTable<'a> {
    matrix: &'a Matrix,
}

impl Matrix {
    /// The matrix as a table of Markdown.
    pub fn markdown(&self) -> MarkdownTable<'_> {
        MarkdownTable { matrix: self }
    }
}

impl fmt::Display for MarkdownTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |counts: &Counts| table::Cell::new(table::counts(counts));
        table::matrix(self.matrix, cell).write_markdown(f)
    }
}

fn item(f: &mut fmt::Formatter<'_>, failure: &Failure) -> fmt::Result {
    let mismatch = &failure.mismatch;
    writeln!(
        f,
        "- {}: {} at {}: expected {}, found {}: {}",
        failure.check,
        code(&failure.file.display()),
        code(&mismatch.pointer),
        code(&mismatch.expected),
        code(&mismatch.found),
        mismatch.hint
    )
}

/// A text as code, in more backquotes than the text has in a row.
fn code(text: &dyn fmt::Display) -> String {
    let text = text.to_string().replace(['\n', '\r'], " ");
    let longest = text.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default() + 1);
    if text.contains('`') || text.is_empty() {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

//! The report of a command: findings, written in one of the forms.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};

use k8s_versioned_core::Short;
use k8s_versioned_core::findings::{Finding, Severity, count, table, without_middle};
use serde::Serialize;

use crate::{ReportFormat, wrap_findings};

/// The findings of a command about the objects that it reads.
#[derive(Debug, Default)]
pub struct Report {
    format: ReportFormat,
    /// The least grave findings that are not left out; `None` if all are shown.
    least: Option<Severity>,
    /// The columns of the terminal to which the report goes.
    width: Option<usize>,
    objects: usize,
    errors: usize,
    has_wrong_item: bool,
    findings: Vec<Finding>,
    repeated: BTreeMap<Cow<'static, str>, Repeated>,
}

/// The option `--quiet`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct QuietArgs {
    /// Report only what fails the command: no other warnings, no notes and no summaries.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Many notes with one identifier.
#[derive(Debug)]
struct Repeated {
    first: Finding,
    count: usize,
    files: BTreeSet<String>,
    objects: BTreeSet<String>,
}

/// A report for programs; a command can add members.
#[derive(Serialize)]
struct Json<'a, M> {
    success: bool,
    objects: usize,
    findings: &'a [Finding],
    #[serde(flatten)]
    more: M,
}

impl Report {
    /// A report in this form. A quiet report has only errors.
    pub fn new(format: ReportFormat, is_quiet: bool) -> Self {
        Self { format, least: is_quiet.then_some(Severity::Error), ..Self::default() }
    }

    /// Keeps the findings that fail the command in a quiet report: those that are at least as grave.
    #[must_use]
    pub fn failing_on(self, severity: Severity) -> Self {
        Self { least: self.least.map(|_| severity), ..self }
    }

    /// Wraps hints for a terminal of this width.
    #[must_use]
    pub fn with_width(self, width: Option<usize>) -> Self {
        Self { width, ..self }
    }

    /// Counts objects.
    pub fn count_objects(&mut self, number: usize) {
        self.objects += number;
    }

    /// The number of objects.
    pub fn objects(&self) -> usize {
        self.objects
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns `true` if an item of a list has an error.
    pub fn has_wrong_item(&self) -> bool {
        self.has_wrong_item
    }

    /// Returns `true` if there is no error.
    pub fn is_success(&self) -> bool {
        self.errors == 0
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        let is_error = finding.severity == Severity::Error;
        self.errors += usize::from(is_error);
        self.has_wrong_item |= is_error && !finding.item.is_empty();
        if self.least.is_some_and(|least| finding.severity > least) {
            return;
        }
        match finding.object.clone().filter(|_| self.format == ReportFormat::Text) {
            Some(object) => Repeated::add(&mut self.repeated, object, finding),
            None => self.findings.push(finding),
        }
    }

    /// Removes warnings and notes, which do not matter if the command fails.
    pub fn keep_errors(&mut self) {
        self.findings.retain(|finding| finding.severity == Severity::Error);
        self.repeated.clear();
    }

    /// Writes and forgets the findings so far, if the form can be written before all are known.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write_next(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.findings.is_empty()
            || !matches!(self.format, ReportFormat::Text | ReportFormat::Github)
        {
            return Ok(());
        }
        // The standard error has no buffer.
        let mut buffered = BufWriter::new(out);
        for finding in self.findings.drain(..) {
            if self.format == ReportFormat::Github {
                writeln!(buffered, "{}", annotation(&finding))?;
            } else {
                let text = wrap_findings(&format!("{finding:#}"), self.width);
                buffered.write_all(text.as_bytes())?;
            }
        }
        buffered.flush()
    }

    /// Writes the report, without what [`Report::write_next`] wrote. In JSON it is an object with more members.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(
        &mut self,
        success: bool,
        more: impl Serialize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let findings = &self.findings;
        match self.format {
            ReportFormat::Text | ReportFormat::Github => {
                let repeated = std::mem::take(&mut self.repeated);
                self.findings.extend(repeated.into_iter().map(|(id, it)| it.finding(id)));
                self.write_next(out)?;
            }
            ReportFormat::Json => {
                write_json(&Json { success, objects: self.objects, findings, more }, out)?;
            }
            ReportFormat::Markdown => out.write_all(markdown(findings).as_bytes())?,
            ReportFormat::Gitlab => {
                write_json(&findings.iter().map(Violation::new).collect::<Vec<_>>(), out)?;
            }
        }
        out.flush()
    }
}

impl Repeated {
    fn add(all: &mut BTreeMap<Cow<'static, str>, Self>, object: String, finding: Finding) {
        let (id, file) = (finding.id.clone(), finding.file.clone());
        let (files, objects) = (BTreeSet::new(), BTreeSet::new());
        let same = all.entry(id).or_insert(Self { first: finding, count: 0, files, objects });
        same.count += 1;
        same.objects.insert(object);
        same.files.insert(file);
    }

    /// One note for all.
    fn finding(self, id: Cow<'static, str>) -> Finding {
        if self.count == 1 {
            return self.first;
        }
        let place = match self.files.len() {
            1 => self.first.file,
            files => count(files, "file"),
        };
        let objects: Vec<&str> = self.objects.iter().map(String::as_str).collect();
        let (what, number) = (id.replace('-', " "), count(self.count, "object"));
        let message = format!("{what}: {number}: {}", Short(&objects.join(", ")));
        Finding::new(Severity::Note, id, place, message)
    }
}

/// Writes a report as JSON for programs.
///
/// # Errors
/// The output cannot be written.
pub fn write_json<T: Serialize + ?Sized>(report: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, report)?;
    writeln!(out)?;
    out.flush()
}

/// A table of findings.
fn markdown(findings: &[Finding]) -> String {
    let title = ["finding", "place", "message", "hint"].map(str::to_owned).to_vec();
    let row = |finding: &Finding| {
        let Finding { severity, id, file, at, message, hint, .. } = finding;
        let place = match (finding.line, finding.column) {
            (Some(line), Some(column)) => format!("{file}:{line}:{column} {at}"),
            _ => format!("{file} {at}"),
        };
        let hint = hint.as_deref().unwrap_or_default().to_owned();
        let name = format!("{} `{id}`", severity.name());
        vec![name, place.trim_end().to_owned(), without_middle(message).into_owned(), hint]
    };
    if findings.is_empty() {
        return "No findings.\n".to_owned();
    }
    table(4, &std::iter::once(title).chain(findings.iter().map(row)).collect::<Vec<_>>(), false)
}

/// A workflow command of GitHub.
fn annotation(finding: &Finding) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let Finding { id, at, message, hint, .. } = finding;
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let file = Some(&finding.file).filter(|file| !file.is_empty());
    let properties = [
        file.map(|file| format!("file={}", property(file))),
        finding.line.map(|line| format!("line={line}")),
        finding.column.map(|column| format!("col={column}")),
        Some(format!("title={}", property(id))),
    ];
    let properties = properties.into_iter().flatten().collect::<Vec<_>>().join(",");
    let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
    let hint = hint.as_ref().map_or_else(String::new, |hint| format!("\nhint: {hint}"));
    format!("::{command} {properties}::{}", data(&format!("{at}{}{hint}", without_middle(message))))
}

/// An entry of a Code Quality report of GitLab.
#[derive(Serialize)]
struct Violation<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

impl<'a> Violation<'a> {
    fn new(finding: &'a Finding) -> Self {
        let Finding { id, file, at, message, hint, .. } = finding;
        let shown = without_middle(message);
        let parts = [Some(at.as_str()), Some(&*shown), hint.as_deref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        };
        let path = file.strip_prefix("./").unwrap_or(file);
        let lines = Lines { begin: finding.line.unwrap_or(1) };
        Self {
            description: parts.join(": "),
            check_name: id,
            // It does not contain the line: a finding stays the same if lines are added before it.
            fingerprint: [file.as_str(), id, at, message].join("|"),
            severity,
            location: Location { path, lines },
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::findings::{Finding, Severity};

    use super::Report;
    use crate::ReportFormat;

    fn written(format: ReportFormat, is_quiet: bool) -> String {
        let mut report = Report::new(format, is_quiet);
        let mut error = Finding::new(Severity::Error, "bad", "a:b,100%.yaml", "no | number");
        error = error.at("document 1: spec").with_hint("write 1");
        (error.line, error.column) = (Some(2), Some(3));
        report.add(error);
        for name in ["A", "B"] {
            report.add(Finding::of_object("skipped", "c.yaml", name));
        }
        let mut out = Vec::new();
        report.write(false, (), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_form_has_the_place() {
        let text = "error[bad]\u{1b}[0m: a:b,100%.yaml:2:3 at document 1: spec: no | number\n  hint: write 1\n";
        let written = |format| written(format, false);
        assert!(written(ReportFormat::Text).contains(text), "{}", written(ReportFormat::Text));
        assert!(written(ReportFormat::Text).ends_with("c.yaml: skipped: 2 objects: A, B\n"));
        let github = written(ReportFormat::Github);
        let line = "::error file=a%3Ab%2C100%25.yaml,line=2,col=3,title=bad::document 1: spec: no | number%0Ahint: write 1\n";
        assert!(github.starts_with(line) && github.lines().count() == 3, "{github}");
        let gitlab: serde_json::Value =
            serde_json::from_str(&written(ReportFormat::Gitlab)).unwrap();
        let location = serde_json::json!({"path": "a:b,100%.yaml", "lines": {"begin": 2}});
        assert_eq!((&gitlab[0]["location"], &gitlab[2]["severity"]), (&location, &"info".into()));
        let markdown = written(ReportFormat::Markdown);
        let row =
            "| error `bad` | a:b,100%.yaml:2:3 document 1: spec | no \\| number | write 1 |\n";
        assert!(markdown.contains(row), "{markdown}");
        let json: serde_json::Value = serde_json::from_str(&written(ReportFormat::Json)).unwrap();
        assert_eq!((&json["findings"][0]["column"], &json["success"]), (&3.into(), &false.into()));
    }

    #[test]
    fn a_quiet_report_has_errors_alone() {
        assert!(!written(ReportFormat::Text, true).contains("skipped"));
        assert_eq!(written(ReportFormat::Github, true).lines().count(), 1);
    }

    #[test]
    fn a_quiet_report_keeps_what_fails_the_command() {
        for (least, expected) in [(Severity::Error, 1), (Severity::Warning, 2)] {
            let mut report = Report::new(ReportFormat::Github, true).failing_on(least);
            let mut loud = Report::new(ReportFormat::Github, false).failing_on(least);
            for severity in [Severity::Error, Severity::Warning, Severity::Note] {
                let finding = Finding::new(severity, "a", "b.yaml", "c");
                report.add(finding.clone());
                loud.add(finding);
            }
            assert_eq!((report.findings.len(), loud.findings.len()), (expected, 3));
        }
    }

    /// Only programs read the whole value of a long message.
    #[test]
    fn long_values_are_cut_for_people() {
        let message = format!("Invalid value: {}: the reason", "a".repeat(5_000));
        let written = |format| {
            let mut report = Report::new(format, false);
            report.add(Finding::new(Severity::Error, "a", "b.yaml", message.clone()));
            let mut out = Vec::new();
            report.write(false, (), &mut out).unwrap();
            let mut text = String::from_utf8(out).unwrap();
            if format == ReportFormat::Gitlab {
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                text = json[0]["description"].as_str().unwrap().to_owned();
            }
            text
        };
        for format in
            [ReportFormat::Text, ReportFormat::Github, ReportFormat::Gitlab, ReportFormat::Markdown]
        {
            let text = written(format);
            assert!(text.len() < 1_300 && text.contains("a: the reason"), "{text}");
        }
        assert!(written(ReportFormat::Json).contains(&message));
    }

    #[test]
    fn an_annotation_without_a_file() {
        let finding = Finding::new(Severity::Error, "usage", "", "no");
        assert_eq!(super::annotation(&finding), "::error title=usage::no");
    }
}

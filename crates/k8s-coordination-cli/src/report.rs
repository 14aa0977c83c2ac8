//! The report of a command about the objects that it reads: findings, written as text for people or as JSON for programs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use k8s_coordination::v1::Lease;
use k8s_versioned::conversion::{ConversionFinding, ConversionReport};
use k8s_versioned::field::FieldError;
use k8s_versioned::{Kind as _, KindEntry, Short, TypeMetaError};
use k8s_versioned_names::findings::{Finding, Severity, count};
use serde::Serialize;

use crate::input::{Files, InputPosition, Source};
use crate::object;

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For a page.
    Markdown,
}

/// Reads the format of a report that is not for a page.
pub(crate) fn text_or_json() -> impl TypedValueParser<Value = Format> {
    let formats = [Format::Text, Format::Json];
    let names = formats.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false))
}

/// The hint for the value of YAML that is not read as a text, because it has no quotes. The reason has the value that was
/// read, not the text, which may be `0o14` or `1_000`.
fn unquoted(reason: &str) -> Option<String> {
    let found = reason.strip_prefix("invalid type: ")?.strip_suffix(", expected a string")?;
    let (sort, _) = found.split_once('`')?;
    let (text, read) = match sort {
        "integer " => ("010", "the number `8`"),
        "boolean " => ("n", "`false`"),
        "floating point " => ("1.30", "the number `1.3`"),
        _ => return None,
    };
    Some(format!("write the value in quotes: without them YAML reads `{text}` as {read}"))
}

/// The hint for a number or a boolean that is read as a text, because it has quotes.
fn quoted(reason: &str) -> Option<String> {
    let (value, expected) =
        reason.strip_prefix("invalid type: string \"")?.rsplit_once("\", expected ")?;
    // YAML reads `015` as another number.
    let is_number = |number: Option<i64>| number.is_some_and(|it| it.to_string() == value);
    let fits = match expected {
        "i32" => is_number(value.parse::<i32>().ok().map(i64::from)),
        "i64" => is_number(value.parse().ok()),
        "a boolean" => value.parse::<bool>().is_ok(),
        _ => false,
    };
    fits.then(|| format!("write it without quotes: `{value}`"))
}

/// The reason of a reader, which names types of Rust, in the words of JSON.
fn in_words(reason: &str) -> String {
    let Some((found, expected)) = reason.rsplit_once(", expected ") else {
        return reason.to_owned();
    };
    let expected = match expected {
        "i32" | "u32" => "a whole number of 32 bits",
        "i64" | "u64" => "a whole number of 64 bits",
        "f64" => "a number",
        "a map" => "an object",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    let found = match found {
        "invalid type: sequence" => "invalid type: list",
        "invalid type: map" => "invalid type: object",
        _ => found,
    };
    format!("{found}, expected {expected}")
}

/// A finding whose position is not known yet.
#[derive(Debug)]
pub(crate) struct Note(Box<Finding>);

impl Note {
    /// A finding without a hint.
    pub(crate) fn new(severity: Severity, id: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Finding::new(severity, id, "", message)))
    }

    /// Sets the hint.
    pub(crate) fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Sets the hint, if there is one.
    pub(crate) fn with_any_hint(self, hint: Option<impl Into<Cow<'static, str>>>) -> Self {
        match hint {
            Some(hint) => self.with_hint(hint),
            None => self,
        }
    }

    /// The text cannot be read, or is not an object.
    pub(crate) fn not_understood(reason: &str) -> Self {
        Self::new(Severity::Error, "not-understood", Short(reason).to_string())
    }

    /// A field has a value that its type does not have.
    pub(crate) fn undecodable(position: &InputPosition, reason: &str) -> Self {
        let note = Self::new(Severity::Error, "undecodable", Short(&in_words(reason)).to_string());
        let hint = unquoted(reason).filter(|_| position.is_yaml());
        note.with_any_hint(hint.or_else(|| quoted(reason)))
    }

    /// The type of an object is not known.
    pub(crate) fn type_error(error: &TypeMetaError) -> Self {
        let note = Self::not_understood(&error.message());
        match error {
            TypeMetaError::Absent { field: "kind", expected } if expected.is_empty() => {
                note.with_hint(object::all())
            }
            TypeMetaError::Absent { expected, .. } if expected.is_empty() => note
                .with_hint("write it, such as `apiVersion: coordination.k8s.io/v1` of a `Lease`"),
            _ => note,
        }
    }

    /// Returns `true` if the command fails because of it.
    pub(crate) fn is_error(&self) -> bool {
        self.0.severity == Severity::Error
    }

    fn at(self, position: &InputPosition, path: &str) -> Finding {
        let (mut found, path) = (*self.0, Short(path).to_string());
        position.input().clone_into(&mut found.file);
        position.in_input().mark(&mut found);
        let at = position.in_input().field(&path);
        found.path = path;
        found.at(at)
    }
}

/// The state of a report before an argument is read.
pub(crate) struct Begun {
    counts: (usize, usize),
    position: InputPosition,
    empty: bool,
    no_files: bool,
}

/// The report of a command about the objects that it reads.
#[derive(Default)]
pub(crate) struct ObjectReport {
    objects: usize,
    findings: Vec<Finding>,
    /// What is an error about arguments without an object if no argument has one.
    without_objects: Vec<(InputPosition, Note)>,
    /// The hint about an absent `binaryVersion`.
    no_binary_version: &'static str,
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

impl ObjectReport {
    /// A report with the hint about an absent `binaryVersion`.
    pub(crate) fn with_hint(no_binary_version: &'static str) -> Self {
        Self { no_binary_version, ..Self::default() }
    }

    /// Counts an object of the group.
    pub(crate) fn count_object(&mut self) {
        self.objects += 1;
    }

    /// The number of objects of the group.
    pub(crate) fn objects(&self) -> usize {
        self.objects
    }

    /// The number of errors.
    pub(crate) fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    /// Returns `true` if an item of a list has an error.
    pub(crate) fn has_wrong_item(&self) -> bool {
        let wrong =
            |finding: &Finding| finding.severity == Severity::Error && !finding.item.is_empty();
        self.findings.iter().any(wrong)
    }

    /// Returns `true` if there is no error.
    pub(crate) fn is_success(&self) -> bool {
        self.errors() == 0
    }

    /// Begins with the input of one argument.
    pub(crate) fn begin(&self, source: &Source) -> Begun {
        let position = InputPosition::of_input(&source.path);
        Begun {
            counts: self.counts(),
            position,
            empty: source.is_empty(),
            no_files: source.inputs.is_empty(),
        }
    }

    /// Adds an error if the argument has neither an object of the group nor an error: a command without input does not
    /// succeed. With `--skip-unknown`, one argument with an object is enough; an empty file and a folder without files
    /// are errors nevertheless.
    pub(crate) fn end(&mut self, begun: Begun, files: &Files) {
        let Begun { counts, position, empty, no_files } = begun;
        if self.counts() != counts {
            return;
        }
        let mut note = Note::new(Severity::Error, "no-object", "it is empty").with_hint(
            "the command before the pipe may have failed; `> FILE` empties FILE before it is read, \
             `convert --in-place` does not",
        );
        if !empty {
            let message = format!("it holds no object of `{}`", Lease::GROUP);
            note = Note::new(Severity::Error, "no-object", message).with_any_hint(no_files.then_some(
                "in a folder, files `*.json`, `*.pb`, `*.yaml` and `*.yml` are read; with `-R` also those in folders in it",
            ));
        }
        if files.skip_unknown && !empty && !no_files {
            self.without_objects.push((position, note));
        } else {
            self.note(&position, "", note);
        }
    }

    /// Ends the input of all arguments.
    pub(crate) fn end_all(&mut self) {
        let without_objects = std::mem::take(&mut self.without_objects);
        if self.counts() == (0, 0) {
            for (position, note) in without_objects {
                self.note(&position, "", note);
            }
        }
    }

    fn counts(&self) -> (usize, usize) {
        (self.objects, self.errors())
    }

    /// Adds a finding about a field; the path is empty for the whole object.
    pub(crate) fn note(&mut self, position: &InputPosition, path: &str, note: Note) {
        self.findings.push(note.at(position, path));
    }

    /// Adds an error for which a server would reject the object. Its message says what to write instead.
    pub(crate) fn rejected(&mut self, position: &InputPosition, error: &FieldError) {
        let line = error.with_reason_word();
        let path = error.path.as_str();
        let message = line.strip_prefix(path).and_then(|rest| rest.strip_prefix(": "));
        let message = message.unwrap_or(&line);
        self.note(position, path, Note::new(Severity::Error, "rejected", message));
    }

    /// Adds the findings of a conversion of an object of this kind.
    pub(crate) fn converted(
        &mut self,
        position: &InputPosition,
        entry: Option<&KindEntry>,
        report: &ConversionReport,
    ) {
        for (path, finding) in report.iter() {
            let note = self.converted_note(entry, path.as_str(), finding);
            self.note(position, path.as_str(), note);
        }
    }

    /// Adds the reasons why an object was not converted.
    pub(crate) fn refused(
        &mut self,
        position: &InputPosition,
        entry: Option<&KindEntry>,
        reasons: &ConversionReport,
    ) {
        let before = self.findings.len();
        self.converted(position, entry, reasons);
        for finding in self.findings.iter_mut().skip(before) {
            finding.severity = Severity::Error;
        }
    }

    /// A finding of a conversion, with the hint that suits the object.
    fn converted_note(
        &self,
        entry: Option<&KindEntry>,
        path: &str,
        finding: &ConversionFinding,
    ) -> Note {
        let (id, hint) = id_and_hint(finding);
        let hint = match finding {
            ConversionFinding::InvalidInTarget if path == "spec.binaryVersion" => {
                self.no_binary_version.into()
            }
            ConversionFinding::UnknownField { .. } => {
                let instead = entry.and_then(|entry| object::field_instead(entry, path));
                instead.map_or(hint.into(), |it| Cow::from(format!("servers drop it, too: {it}")))
            }
            _ => Cow::from(hint),
        };
        let note = Note::new(finding.severity(), id, finding.to_string());
        note.with_any_hint(Some(hint).filter(|hint| !hint.is_empty()))
    }

    /// Removes warnings and notes, which do not matter if the command fails.
    pub(crate) fn keep_errors(&mut self) {
        self.findings.retain(|finding| finding.severity == Severity::Error);
    }

    /// Writes one line for each finding, and one for its hint. The objects that the command leaves alone are one line.
    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        // The standard error has no buffer.
        let mut out = BufWriter::new(out);
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        let mut summaries = Vec::new();
        for id in ["skipped", "not-converted"] {
            let (same, others): (Vec<_>, Vec<_>) = findings.iter().partition(|it| it.id == id);
            if same.len() > 1 {
                summaries.push(summary(id, &same));
                findings = others;
            }
        }
        let each = findings.into_iter().chain(&summaries);
        each.into_iter().try_for_each(|finding| write!(out, "{finding}"))?;
        out.flush()
    }

    /// Writes the report and more members as a JSON object.
    pub(crate) fn write_json(
        &self,
        success: bool,
        more: impl Serialize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let findings = &self.findings;
        write_json(&Json { success, objects: self.objects, findings, more }, out)
    }
}

/// One note for many with the same id. The message of each is the id and the type of an object.
fn summary(id: &'static str, notes: &[&Finding]) -> Finding {
    let files: BTreeSet<&str> = notes.iter().map(|note| note.file.as_str()).collect();
    let place = match files.first() {
        Some(file) if files.len() == 1 => (*file).to_owned(),
        _ => count(files.len(), "file"),
    };
    let types = notes.iter().filter_map(|note| Some(note.message.split_once(": ")?.1));
    let types: Vec<&str> = types.collect::<BTreeSet<_>>().into_iter().collect();
    let (what, objects) = (id.replace('-', " "), count(notes.len(), "object"));
    let message = format!("{what}: {objects}: {}", Short(&types.join(", ")));
    Finding::new(Severity::Note, id, place, message)
}

/// Writes a report as JSON for programs.
pub(crate) fn write_json<T: Serialize + ?Sized>(report: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, report)?;
    writeln!(out)?;
    out.flush()
}

/// The identifier of a finding of a conversion, and its hint; empty if there is none.
fn id_and_hint(finding: &ConversionFinding) -> (&'static str, &'static str) {
    use ConversionFinding::{
        Filled, Implied, InvalidInTarget, Lost, Malformed, Missing, OtherType, Preserved,
        Redundant, Restored, Stale, TooLarge, UnknownField, Unsupported,
    };
    match finding {
        Preserved { .. } => (
            "preserved",
            "converting back restores it, unless a client removes the annotation or edits the field",
        ),
        Restored { .. } => ("restored", ""),
        Filled { .. } => ("filled", "converting back removes it, unless a client edits the field"),
        Stale { .. } => ("stale", "if the kept value is the right one, write it into the source"),
        Malformed { .. } => ("malformed", "only conversions should write this annotation"),
        Unsupported { .. } => ("unsupported", "only conversions should write this annotation"),
        Implied { .. } => ("implied", ""),
        Redundant { .. } => ("redundant", ""),
        TooLarge { .. } => ("too-large", "shorten other annotations"),
        Lost { .. } => ("lost", ""),
        InvalidInTarget => ("invalid-in-target", "write it into the source, or into the result"),
        Missing => ("missing", ""),
        OtherType { .. } => ("other-type", "write a value of the type that the version declares"),
        UnknownField { .. } => ("unknown-field", "servers drop it, too: is its name correct?"),
        _ => ("refused", ""),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Note;
    use crate::input::InputPosition;

    /// The words are those of YAML and JSON, not of Rust. A hint never changes the text of a value.
    #[test]
    fn reasons_are_for_people() {
        let whole = "a whole number of 32 bits";
        for (reason, message, hint) in [
            ("string \"many\", expected i32", format!("string \"many\", expected {whole}"), None),
            (
                "string \"15\", expected i32",
                format!("string \"15\", expected {whole}"),
                Some("write it without quotes: `15`"),
            ),
            (
                "string \", expected i32\", expected a bool",
                "string \", expected i32\", expected a bool".to_owned(),
                None,
            ),
            ("sequence, expected struct ObjectMeta", "list, expected an object".to_owned(), None),
            ("string \"015\", expected i32", format!("string \"015\", expected {whole}"), None),
            ("map, expected a string", "object, expected a string".to_owned(), None),
            (
                "integer `3000000000`, expected i64",
                "integer `3000000000`, expected a whole number of 64 bits".to_owned(),
                None,
            ),
            ("sequence, expected a map", "list, expected an object".to_owned(), None),
        ] {
            let place = InputPosition::of_input(Path::new("a"));
            let Note(found) = Note::undecodable(&place, &format!("invalid type: {reason}"));
            assert_eq!(found.message, format!("invalid type: {message}"));
            assert_eq!(found.hint.as_deref(), hint, "{reason}");
        }
    }
}

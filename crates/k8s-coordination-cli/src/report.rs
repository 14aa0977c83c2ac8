//! The report of a command about the objects that it reads: findings, written as text for people or as JSON for programs.

use std::borrow::Cow;
use std::io::Write;
use std::ops::{Deref, DerefMut};

use k8s_coordination::v1::Lease;
use k8s_versioned::conversion::{ConversionFinding, ConversionReport};
use k8s_versioned::field::FieldError;
use k8s_versioned::{Kind as _, KindEntry, Short, TypeMetaError};
use k8s_versioned_names::findings::{Finding, Severity, count};
use k8s_versioned_terminal::input::name_of;
use k8s_versioned_terminal::{Format, Place, Progress, Report, stderr_width, stdout_width};

use crate::input::Source;
use crate::{Error, object};

/// The hint for the value of YAML that is not read as a text, because it has no quotes. The reason has the value that was
/// read, not the text, which may be `0o14` or `1_000`.
fn unquoted(reason: &str) -> Option<String> {
    let value = reason.strip_prefix("invalid type: ")?.strip_suffix(", expected a string")?;
    let (sort, _) = value.split_once('`')?;
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
    let Some((value, expected)) = reason.rsplit_once(", expected ") else {
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
    let value = match value {
        "invalid type: sequence" => "invalid type: list",
        "invalid type: map" => "invalid type: object",
        _ => value,
    };
    format!("{value}, expected {expected}")
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
    pub(crate) fn undecodable(place: &Place<'_>, reason: &str) -> Self {
        let note = Self::new(Severity::Error, "undecodable", Short(&in_words(reason)).to_string());
        let hint = unquoted(reason).filter(|_| place.is_yaml());
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

    fn at(self, place: &Place<'_>, path: &str) -> Finding {
        place.finding(*self.0, path)
    }
}

/// The state of a report before an argument is read.
pub(crate) struct Begun {
    counts: (usize, usize),
    place: Place<'static>,
    files: usize,
}

/// The report of a command about the objects that it reads.
#[derive(Default)]
pub(crate) struct ObjectReport<'o> {
    report: Report,
    /// Where findings are written as soon as they are known.
    out: Option<&'o mut dyn Write>,
    progress: Option<&'o Progress>,
    /// What is an error about arguments without an object if no argument has one.
    without_objects: Vec<(Place<'static>, Note)>,
    /// The hint about an absent `binaryVersion`.
    no_binary_version: &'static str,
}

impl Deref for ObjectReport<'_> {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.report
    }
}

impl DerefMut for ObjectReport<'_> {
    fn deref_mut(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl<'o> ObjectReport<'o> {
    /// A report in this form. A quiet one has errors alone.
    pub(crate) fn new(format: Format, is_quiet: bool, progress: &'o Progress) -> Self {
        let report = Report::new(format, is_quiet).with_width(stderr_width());
        Self { report, progress: Some(progress), ..Self::default() }
    }

    /// A report of a command that is quick, or says itself what it does.
    #[cfg(feature = "cluster")]
    pub(crate) fn without_progress(format: Format, is_quiet: bool) -> Self {
        let report = Report::new(format, is_quiet).with_width(stderr_width());
        Self { report, ..Self::default() }
    }

    /// Writes findings here, the standard output, as soon as they are known.
    pub(crate) fn with_output(self, out: &'o mut dyn Write) -> Self {
        Self { out: Some(out), report: self.report.with_width(stdout_width()), ..self }
    }

    /// Sets the hint about an absent `binaryVersion`.
    pub(crate) fn with_hint(self, no_binary_version: &'static str) -> Self {
        Self { no_binary_version, ..self }
    }

    /// Writes the findings so far, if they need not wait for others.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub(crate) fn write_next(&mut self) -> Result<(), Error> {
        let objects = self.report.objects();
        if let Some(progress) = self.progress.filter(|_| objects.is_multiple_of(1_000)) {
            progress.say(count(objects, "object"));
        }
        let Some(out) = &mut self.out else { return Ok(()) };
        let mut write = || self.report.write_next(out);
        match self.progress {
            Some(progress) => progress.pause(write)?,
            None => write()?,
        }
        Ok(())
    }

    /// The findings without their output.
    pub(crate) fn into_report(self) -> Report {
        self.report
    }

    /// Begins with the input of one argument.
    pub(crate) fn begin(&self, source: &Source) -> Begun {
        let place = Place::input(name_of(&source.path));
        Begun { counts: self.counts(), place, files: source.files.len() }
    }

    /// Adds an error if the argument has neither an object of the group nor an error: a command without input does not
    /// succeed. With `--skip-unknown`, one argument with an object is enough; an empty file and a folder without files
    /// are errors nevertheless.
    pub(crate) fn end(&mut self, begun: Begun, has_text: bool, skip_unknown: bool) {
        let Begun { counts, place, files } = begun;
        if self.counts() != counts {
            return;
        }
        let (empty, no_files) = (files == 1 && !has_text, files == 0);
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
        if skip_unknown && !empty && !no_files {
            self.without_objects.push((place, note));
        } else {
            self.note(&place, "", note);
        }
    }

    /// Ends the input of all arguments.
    pub(crate) fn end_all(&mut self) {
        let without_objects = std::mem::take(&mut self.without_objects);
        if self.counts() == (0, 0) {
            for (place, note) in without_objects {
                self.note(&place, "", note);
            }
        }
    }

    fn counts(&self) -> (usize, usize) {
        (self.objects(), self.errors())
    }

    /// Adds a finding about a field; the path is empty for the whole object.
    pub(crate) fn note(&mut self, place: &Place<'_>, path: &str, note: Note) {
        self.report.add(note.at(place, path));
    }

    /// Adds an error for which a server would reject the object. Its message says what to write instead.
    pub(crate) fn rejected(&mut self, place: &Place<'_>, error: &FieldError) {
        let line = error.with_reason_word();
        let path = error.path.as_str();
        let message = line.strip_prefix(path).and_then(|rest| rest.strip_prefix(": "));
        let message = message.unwrap_or(&line);
        self.note(place, path, Note::new(Severity::Error, "rejected", message));
    }

    /// Adds the findings of a conversion of an object of this kind.
    pub(crate) fn converted(
        &mut self,
        place: &Place<'_>,
        entry: Option<&KindEntry>,
        report: &ConversionReport,
    ) {
        for (path, finding) in report.iter() {
            let note = self.converted_note(entry, path.as_str(), finding);
            self.note(place, path.as_str(), note);
        }
    }

    /// Adds the reasons why an object was not converted.
    pub(crate) fn refused(
        &mut self,
        place: &Place<'_>,
        entry: Option<&KindEntry>,
        reasons: &ConversionReport,
    ) {
        for (path, finding) in reasons.iter() {
            let mut note = self.converted_note(entry, path.as_str(), finding);
            note.0.severity = Severity::Error;
            self.note(place, path.as_str(), note);
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
    use k8s_versioned_terminal::Place;

    use super::Note;

    /// The messages use words of YAML and JSON, not of Rust. A hint never changes the text of a value.
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
            let place = Place::input("a");
            let Note(note) = Note::undecodable(&place, &format!("invalid type: {reason}"));
            assert_eq!(note.message, format!("invalid type: {message}"));
            assert_eq!(note.hint.as_deref(), hint, "{reason}");
        }
    }
}

//! The report of a command about the objects that it reads: findings, written as text for people or as JSON for programs.

use std::borrow::Cow;
use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use k8s_coordination::v1::Lease;
use k8s_versioned::conversion::{ConversionFinding, ConversionReport};
use k8s_versioned::field::FieldError;
use k8s_versioned::{Kind as _, KindEntry};
use k8s_versioned_core::findings::{Severity, count};
use k8s_versioned_terminal::input::name_of;
use k8s_versioned_terminal::{
    InputPlace, Progress, Report, ReportFormat, stderr_width, stdout_width,
};
use serde_json::Value;

use crate::note::Note;
use crate::{Error, object};

/// The state of a report before an argument is read.
pub(crate) struct Begun {
    counts: (usize, usize),
    place: InputPlace<'static>,
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
    without_objects: Vec<(InputPlace<'static>, Note)>,
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
    /// A report in this form. A quiet one has only errors.
    pub(crate) fn new(format: ReportFormat, is_quiet: bool, progress: &'o Progress) -> Self {
        let report = Report::new(format, is_quiet).with_width(stderr_width());
        Self { report, progress: Some(progress), ..Self::default() }
    }

    /// A report of a command that is quick, or says itself what it does.
    #[cfg(feature = "cluster")]
    pub(crate) fn without_progress(format: ReportFormat, is_quiet: bool) -> Self {
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

    /// Begins with the input of one argument, which names this number of files.
    pub(crate) fn begin(&self, argument: &Path, files: usize) -> Begun {
        let place = InputPlace::input(name_of(argument));
        Begun { counts: self.counts(), place, files }
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
    pub(crate) fn note(&mut self, place: &InputPlace<'_>, path: &str, note: Note) {
        self.report.add(note.at(place, path));
    }

    /// Adds every reason why an object does not decode. Returns `true` if there are any.
    pub(crate) fn undecodable(
        &mut self,
        place: &InputPlace<'_>,
        entry: &KindEntry,
        value: &Value,
    ) -> bool {
        let errors = entry.decode_errors(value);
        for error in &errors {
            let note = Note::undecodable(place, &error.reason().to_string());
            self.note(place, error.path(), note);
        }
        !errors.is_empty()
    }

    /// Adds an error for which a server would reject the object. Its message says what to write instead.
    pub(crate) fn rejected(&mut self, place: &InputPlace<'_>, error: &FieldError) {
        let note = Note::new(Severity::Error, "rejected", error.without_path());
        self.note(place, error.path.as_str(), note);
    }

    /// Adds the findings of a conversion of an object of this kind.
    pub(crate) fn converted(
        &mut self,
        place: &InputPlace<'_>,
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
        place: &InputPlace<'_>,
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
                instead.map_or(hint.into(), |instead| {
                    Cow::from(format!("servers drop it, too: {instead}"))
                })
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
        Adopted, Filled, Implied, InvalidInTarget, Lost, Malformed, Missing, MoreMissing,
        MoreUnknownFields, NotHandedBack, NotShown, OtherType, Preserved, Redundant, Restored,
        Stale, TooLarge, UnknownField, Unsupported,
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
        Adopted { .. } => ("adopted", ""),
        NotHandedBack { .. } => ("not-handed-back", "shorten other annotations"),
        TooLarge { .. } => ("too-large", "shorten other annotations"),
        NotShown { .. } => ("not-shown", "write the object in the version that has these fields"),
        Lost { .. } => ("lost", ""),
        InvalidInTarget => ("invalid-in-target", "write it into the source, or into the result"),
        Missing | MoreMissing { .. } => ("missing", ""),
        OtherType { .. } => ("other-type", "write a value of the type that the version declares"),
        UnknownField { .. } | MoreUnknownFields { .. } => {
            ("unknown-field", "servers drop it, too: is its name correct?")
        }
        _ => ("refused", ""),
    }
}

//! The report of a command about the objects that it reads.

mod entry;
mod hint;
mod note;

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use k8s_versioned::TypeMetaError;
use k8s_versioned::field::FieldError;
use k8s_versioned_conversion::ConversionReport;
use serde::Serialize;

use crate::input::{Place, Source};

use entry::Entry;
pub(crate) use note::Note;

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// The importance of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Level {
    /// The command fails.
    Error,
    /// Something is lost, or needs attention.
    Warning,
    /// Good to know.
    Note,
}

/// The state of a report before an argument is read.
pub(crate) struct Begun {
    counts: (usize, usize),
    place: Place,
    empty: bool,
}

/// The report of a command about the objects that it reads.
#[derive(Default)]
pub(crate) struct ObjectReport {
    objects: usize,
    entries: Vec<Entry>,
}

/// A report for programs; a command can add members.
#[derive(Serialize)]
struct Json<'a, M> {
    success: bool,
    objects: usize,
    entries: &'a [Entry],
    #[serde(flatten)]
    more: M,
}

impl ObjectReport {
    /// Counts an object of the group.
    pub(crate) fn count_object(&mut self) {
        self.objects += 1;
    }

    /// The number of objects of the group.
    pub(crate) fn objects(&self) -> usize {
        self.objects
    }

    /// The number of entries of a level.
    pub(crate) fn count(&self, level: Level) -> usize {
        let entries = self.entries.iter();
        entries.filter(|entry| entry.level() == level).count()
    }

    /// Returns `true` if there is no error.
    pub(crate) fn is_success(&self) -> bool {
        self.count(Level::Error) == 0
    }

    /// Begins with the input of one argument.
    pub(crate) fn begin(&self, source: &Source) -> Begun {
        Begun {
            counts: self.counts(),
            place: Place::of_input(&source.path),
            empty: source.is_empty(),
        }
    }

    /// Adds an error if the argument has neither an object of the group nor an error: a command without input does not
    /// succeed.
    pub(crate) fn end(&mut self, begun: Begun) {
        let Begun { counts, place, empty } = begun;
        if self.counts() == counts {
            self.note(&place, "", Note::NoObject { empty });
        }
    }

    fn counts(&self) -> (usize, usize) {
        (self.objects, self.count(Level::Error))
    }

    /// Adds a note of this command.
    pub(crate) fn note(&mut self, place: &Place, path: &str, note: Note) {
        self.entries.push(Entry::note(place, path, note));
    }

    /// Adds the reason why the type of an object is not known.
    pub(crate) fn type_error(&mut self, place: &Place, error: &TypeMetaError) {
        self.note(place, error.field(), Note::not_understood(error.message()));
    }

    /// Adds an error for which a server would reject the object.
    pub(crate) fn rejected(&mut self, place: &Place, error: &FieldError) {
        self.entries.push(Entry::rejected(place, error));
    }

    /// Adds the findings of a conversion.
    pub(crate) fn converted(&mut self, place: &Place, report: &ConversionReport) {
        self.entries.extend(findings(place, report));
    }

    /// Adds the reasons why an object was not converted.
    pub(crate) fn refused(&mut self, place: &Place, reasons: &ConversionReport) {
        let reasons = findings(place, reasons);
        self.entries.extend(reasons.map(Entry::into_error));
    }

    /// Removes warnings and notes, which do not matter if the command fails.
    pub(crate) fn keep_errors(&mut self) {
        self.entries.retain(|entry| entry.level() == Level::Error);
    }

    /// Writes one line for each entry, and one for its hint.
    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        // The standard error has no buffer.
        let mut out = BufWriter::new(out);
        self.entries.iter().try_for_each(|entry| write!(out, "{entry}"))?;
        out.flush()
    }

    /// Writes the report and more members as a JSON object.
    pub(crate) fn write_json(
        &self,
        success: bool,
        more: impl Serialize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        let json = Json { success, objects: self.objects, entries: &self.entries, more };
        serde_json::to_writer_pretty(&mut out, &json)?;
        writeln!(out)?;
        out.flush()
    }
}

fn findings(place: &Place, report: &ConversionReport) -> impl Iterator<Item = Entry> {
    report.iter().map(|(path, finding)| Entry::finding(place, path.as_str(), finding))
}

/// A number of things, for people.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

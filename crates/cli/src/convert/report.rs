//! What there is to tell of a conversion.

use std::io::{self, BufWriter, Write};

use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_versioned::conversion;
use serde::Serialize;

use super::ReportFormat;
use super::entry::{Entry, Note, What};
use crate::input::Place;

/// What there is to tell of a conversion.
pub(super) struct Report {
    to: LeaseCandidateVersion,
    objects: usize,
    notes: Vec<Entry>,
    /// If there are any, nothing is written, and no note matters.
    problems: Vec<Entry>,
}

/// A report for programs.
#[derive(Serialize)]
struct Json<'a> {
    success: bool,
    to: &'static str,
    /// How many objects were converted.
    objects: usize,
    entries: &'a [Entry],
}

impl Report {
    pub(super) fn new(to: LeaseCandidateVersion) -> Self {
        Self {
            to,
            objects: 0,
            notes: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn count_object(&mut self) {
        self.objects += 1;
    }

    /// Adds what the library reports.
    pub(super) fn add(&mut self, place: &Place, report: &conversion::Report) {
        self.notes.extend(entries(place, report));
    }

    pub(super) fn note(&mut self, place: &Place, path: &str, note: Note) {
        self.notes.push(Entry::new(place, path, What::Note(note)));
    }

    /// Adds the reasons for which a document is refused; it then becomes nothing.
    pub(super) fn refused<T>(&mut self, place: &Place, reasons: &conversion::Report) -> Option<T> {
        self.problems.extend(entries(place, reasons));
        None
    }

    /// Adds why a document is not understood; it then becomes nothing.
    pub(super) fn not_understood<T>(&mut self, place: &Place, reason: String) -> Option<T> {
        let note = What::Note(Note::NotUnderstood { reason });
        self.problems.push(Entry::new(place, "", note));
        None
    }

    pub(super) fn write(&self, format: ReportFormat, err: &mut impl Write) -> io::Result<()> {
        // The standard error would be written piece by piece.
        let mut err = BufWriter::new(err);
        match format {
            ReportFormat::Text => self.write_text(&mut err)?,
            ReportFormat::Json => {
                serde_json::to_writer_pretty(&mut err, &self.json())?;
                writeln!(err)?;
            }
        }
        err.flush()
    }

    fn write_text(&self, err: &mut impl Write) -> io::Result<()> {
        for entry in self.entries() {
            write!(err, "{entry}")?;
        }
        match self.problems.len() {
            0 => Ok(()),
            1 => writeln!(err, "nothing is written: 1 problem"),
            problems => writeln!(err, "nothing is written: {problems} problems"),
        }
    }

    fn json(&self) -> Json<'_> {
        let success = self.problems.is_empty();
        Json {
            success,
            to: self.to.as_str(),
            objects: if success { self.objects } else { 0 },
            entries: self.entries(),
        }
    }

    fn entries(&self) -> &[Entry] {
        if self.problems.is_empty() {
            &self.notes
        } else {
            &self.problems
        }
    }
}

fn entries(place: &Place, report: &conversion::Report) -> impl Iterator<Item = Entry> {
    report.iter().map(|entry| {
        let what = What::Finding(entry.finding.clone());
        Entry::new(place, entry.path.as_str(), what)
    })
}

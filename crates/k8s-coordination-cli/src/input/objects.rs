//! The objects of the group in the input of a command.

use k8s_versioned::KindEntry;
use serde_json::Value;

use super::{Document, Files, Place, list};
use crate::Error;
use crate::object::{ObjectKind, TypeMeta};
use crate::report::{Note, ObjectReport};
use crate::suggestion;

/// An object of the group.
pub(crate) struct Found {
    pub(crate) place: Place,
    pub(crate) value: Value,
    pub(crate) entry: &'static KindEntry,
}

/// Reads all objects of the group, also those in lists, and calls `work` with each. Other objects and errors go into the
/// report.
///
/// # Errors
///
/// A file or folder cannot be read.
pub(crate) fn for_each_object(
    files: &Files,
    report: &mut ObjectReport,
    mut work: impl FnMut(Found, &mut ObjectReport),
) -> Result<(), Error> {
    for source in files.read()? {
        let begun = report.begin(&source);
        let mut documents = Vec::new();
        let inputs = source.inputs.into_iter();
        for document in inputs.flat_map(|input| input.documents) {
            list::take_apart(document, &mut documents);
        }
        for document in documents {
            if let Some(found) = identify(files, document, report) {
                work(found, report);
            }
        }
        report.end(begun);
    }
    Ok(())
}

/// The document as an object of the group. `None` if it is not one; the report has the reason.
fn identify(files: &Files, document: Document, report: &mut ObjectReport) -> Option<Found> {
    let Document { place, value } = document;
    let note = match value.and_then(|value| Ok((ObjectKind::of(&value)?, value))) {
        Ok((ObjectKind::Known(entry), value)) => {
            report.count_object();
            return Some(Found { place, value, entry });
        }
        Ok((ObjectKind::OtherGroup(of), _)) => files.other_group(of, Note::Skipped),
        Err(note) => note,
    };
    report.note(&place, "", note);
    None
}

impl Files {
    /// The note about a kind of another group.
    pub(crate) fn other_group(&self, of: TypeMeta, skipped: impl FnOnce(TypeMeta) -> Note) -> Note {
        if self.skip_unknown {
            return skipped(of);
        }
        let hint = suggestion::nearest(&of);
        let hint = hint.unwrap_or_else(|| "`--skip-unknown` skips it".to_owned());
        Note::OtherGroup { of, hint }
    }
}

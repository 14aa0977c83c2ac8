//! The objects of the group in all that a command reads.

use k8s_versioned::KindEntry;
use serde_json::Value;

use super::{Document, Files, Place, list};
use crate::Error;
use crate::object::{Sort, TypeMeta};
use crate::report::{Note, ObjectReport};
use crate::suggestion;

/// An object of the group.
pub(crate) struct Found {
    pub(crate) place: Place,
    pub(crate) value: Value,
    pub(crate) entry: &'static KindEntry,
}

/// Reads all objects of the group, lists taken apart, and does something with each. What else is there goes into the
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
            if let Some(found) = sort(files, document, report) {
                work(found, report);
            }
        }
        report.end(begun);
    }
    Ok(())
}

fn sort(files: &Files, document: Document, report: &mut ObjectReport) -> Option<Found> {
    let Document { place, value } = document;
    let sorted = value.and_then(|value| Ok((Sort::of(&value)?, value)));
    let note = match sorted {
        Ok((Sort::Known(entry), value)) => {
            report.count_object();
            return Some(Found { place, value, entry });
        }
        Ok((Sort::OtherGroup(of), _)) => files.other_group(of, Note::PassedOver),
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
        let advice = suggestion::nearest(&of);
        let advice = advice.unwrap_or_else(|| "`--skip-unknown` passes over it".to_owned());
        Note::OtherGroup { of, advice }
    }
}

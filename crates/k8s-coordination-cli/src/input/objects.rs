//! The objects of the group in the input of a command.

use k8s_coordination::v1::Lease;
use k8s_versioned::{Kind as _, KindEntry, Part, TypeMeta, for_each_object};
use k8s_versioned_findings::Severity;
use serde_json::Value;

use super::{Document, Files, InputPosition};
use crate::Error;
use crate::object::{ObjectKind, is_list};
use crate::report::{Note, ObjectReport};
use crate::suggestion;

/// An object of the group.
pub(crate) struct Found {
    pub(crate) place: InputPosition,
    pub(crate) value: Value,
    pub(crate) entry: &'static KindEntry,
}

impl Files {
    /// Reads all objects of the group, also those in lists, and calls `work` with each. Other objects and errors go into
    /// the report.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read.
    pub(crate) fn for_each(
        &self,
        report: &mut ObjectReport,
        mut work: impl FnMut(Found, &mut ObjectReport),
    ) -> Result<(), Error> {
        for source in self.read()? {
            let begun = report.begin(&source);
            let inputs = source.inputs.into_iter();
            for Document { place, value } in inputs.flat_map(|input| input.documents) {
                match value {
                    Ok(mut value) => for_each_object(&mut value, &is_list, &mut |part| {
                        if let Some(found) = self.identify(&place, part, report) {
                            work(found, report);
                        }
                    }),
                    Err(note) => report.note(&place, "", note),
                }
            }
            report.end(begun, Lease::GROUP);
        }
        Ok(())
    }

    /// The part of a document as an object of the group. `None` if it is not one; the report has the reason.
    fn identify(
        &self,
        document: &InputPosition,
        part: Part<'_>,
        report: &mut ObjectReport,
    ) -> Option<Found> {
        let place = document.item(part.position);
        let of = match part.type_meta {
            Ok(_) if part.is_list => return None,
            Ok(of) => of,
            Err(error) => {
                report.type_error(&place, &error);
                return None;
            }
        };
        let note = match ObjectKind::of(of) {
            Ok(ObjectKind::Known(entry)) => {
                report.count_object();
                return Some(Found { place, value: part.value.take(), entry });
            }
            Ok(ObjectKind::OtherGroup(of)) => self.other_group(&of, skipped),
            Err(note) => note,
        };
        report.note(&place, "", note);
        None
    }

    /// The note about a kind of another group.
    pub(crate) fn other_group(
        &self,
        of: &TypeMeta<'_>,
        skipped: fn(&TypeMeta<'_>) -> Note,
    ) -> Note {
        if self.skip_unknown {
            return skipped(of);
        }
        let message = format!("{of} is not of the group `{}`", Lease::GROUP);
        let hint = suggestion::nearest(of);
        let hint = hint.unwrap_or_else(|| "`--skip-unknown` skips it".to_owned());
        Note::new(Severity::Error, "other-group", message).with_hint(hint)
    }
}

/// The note about a kind that a command does not read.
pub(crate) fn skipped(of: &TypeMeta<'_>) -> Note {
    Note::new(Severity::Note, "skipped", format!("skipped: {of}"))
}

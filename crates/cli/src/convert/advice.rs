//! What to do about what a conversion reports.

use k8s_versioned::conversion::Finding;

use super::entry::Note;

/// What to do, where there is something to do or to know; `path` is the field's.
pub(super) fn on_finding(path: &str, finding: &Finding) -> Option<&'static str> {
    Some(match finding {
        Finding::Preserved { .. } => {
            "converting back restores it, unless somebody removes the annotation or edits the field"
        }
        Finding::Filled { .. } => {
            "converting back takes it out again, unless somebody edits the field"
        }
        Finding::Stale { .. } => "if the kept value is the right one, write it into the source",
        Finding::Malformed { .. } | Finding::Unsupported { .. } => {
            "only conversions should write this annotation"
        }
        Finding::ReservedKeyDiscarded { .. } => {
            "conversions write this annotation on objects of later versions only: remove it"
        }
        Finding::TooLarge { .. } => "shorten other annotations",
        Finding::InvalidInTarget if path == "spec.binaryVersion" => {
            "write it, or let `--binary-version` fill it"
        }
        Finding::InvalidInTarget => "write it into the source, or into the result",
        Finding::UnknownField { .. } => "servers drop it, too: is its name right?",
        _ => return None,
    })
}

/// What to do about what the library has no finding for.
pub(super) fn on_note(note: &Note) -> Option<&'static str> {
    match note {
        Note::OwnersKept => Some(
            "owners elsewhere have other uids: an object whose owners do not exist is collected as garbage",
        ),
        Note::FinalizersKept => {
            Some("where no controller removes them, the object cannot be deleted")
        }
        Note::LastAppliedKept => Some("remove it, or apply the converted object once"),
        Note::CarriedOver { .. }
        | Note::ServerFieldsRemoved { .. }
        | Note::NotUnderstood { .. } => None,
    }
}

//! Hints for the entries of a report.

use std::borrow::Cow;

use k8s_versioned_conversion::Finding;

use super::Note;

/// The hint for a finding of a conversion, if there is one. `path` is the path of the field.
pub(super) fn on_finding(path: &str, finding: &Finding) -> Option<&'static str> {
    Some(match finding {
        Finding::Preserved { .. } => {
            "converting back restores it, unless a client removes the annotation or edits the field"
        }
        Finding::Filled { .. } => "converting back removes it, unless a client edits the field",
        Finding::Stale { .. } => "if the kept value is the right one, write it into the source",
        Finding::Malformed { .. } | Finding::Unsupported { .. } => {
            "only conversions should write this annotation"
        }
        Finding::TooLarge { .. } => "shorten other annotations",
        Finding::InvalidInTarget if path == "spec.binaryVersion" => {
            "write it, or let `--binary-version` fill it"
        }
        Finding::InvalidInTarget => "write it into the source, or into the result",
        Finding::UnknownField { .. } => "servers drop it, too: is its name correct?",
        _ => return None,
    })
}

/// The hint for a note of this command, if there is one.
pub(super) fn on_note(note: &Note) -> Option<Cow<'static, str>> {
    let hint = match note {
        Note::NoObject { empty: true } => {
            "the command before the pipe may have failed; `> FILE` empties FILE before it is read, \
             `convert --in-place` does not"
        }
        Note::OutOfDate { renewed } => {
            return Some(
                format!("if this is an old dump, give its time: `--now {renewed}`").into(),
            );
        }
        Note::OwnersKept => {
            "owners in another cluster have other uids: an object whose owners do not exist is garbage-collected"
        }
        Note::FinalizersKept => "if no controller removes them, the object cannot be deleted",
        Note::WouldBeLost => "is its name correct? `--drop-unknown` drops it",
        Note::LastAppliedKept => "remove it, or apply the converted object once",
        Note::NotUnderstood { hint, .. } => return hint.clone().map(Cow::Owned),
        Note::OtherGroup { hint, .. } => return Some(Cow::Owned(hint.clone())),
        _ => return None,
    };
    Some(hint.into())
}

//! What there is to tell of one place.

use std::fmt;

use k8s_versioned::conversion::Finding;
use k8s_versioned::{Quoted, Short};
use serde::Serialize;

use super::advice;
use crate::input::Place;

/// What there is to tell of one place.
#[derive(Serialize)]
pub(super) struct Entry {
    #[serde(flatten)]
    place: Place,
    /// The path of the field; empty for the whole object.
    path: String,
    #[serde(flatten)]
    what: What,
    message: String,
    advice: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum What {
    Finding(Finding),
    Note(Note),
}

/// What the library has no finding for.
#[derive(Serialize)]
#[serde(
    tag = "finding",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(super) enum Note {
    /// An item of a list of any kinds is of another kind.
    CarriedOver { api_version: String, kind: String },
    /// These fields were removed on demand.
    ServerFieldsRemoved { fields: Vec<String> },
    /// The object keeps its owners, which may not exist where it is created anew.
    OwnersKept,
    /// The object keeps its finalizers, which nobody may be there to remove.
    FinalizersKept,
    /// The object keeps what `kubectl apply` has sent last, in the version of then.
    LastAppliedKept,
    /// A document or an object cannot be read.
    NotUnderstood { reason: String },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding(finding) => finding.fmt(f),
            Self::Note(note) => note.fmt(f),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CarriedOver { api_version, kind } => {
                let (kind, api_version) = (Quoted(kind), Quoted(api_version));
                write!(f, "carried over as it is: {kind} of {api_version}")
            }
            Self::ServerFieldsRemoved { fields } => write!(f, "removed: {}", fields.join(", ")),
            Self::OwnersKept | Self::FinalizersKept => f.write_str("kept as they are"),
            Self::LastAppliedKept => f.write_str("kept as it is, in the version of the source"),
            Self::NotUnderstood { reason } => Short(reason).fmt(f),
        }
    }
}

impl Entry {
    pub(super) fn new(place: &Place, path: &str, what: What) -> Self {
        let advice = match &what {
            What::Finding(finding) => advice::on_finding(path, finding),
            What::Note(note) => advice::on_note(note),
        };
        Self {
            place: place.clone(),
            path: path.to_owned(),
            message: what.to_string(),
            what,
            advice,
        }
    }
}

/// One line, and one for the advice.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", Short(&self.path))?;
        }
        writeln!(f, "{}", self.message)?;
        match self.advice {
            Some(advice) => writeln!(f, "  hint: {advice}"),
            None => Ok(()),
        }
    }
}

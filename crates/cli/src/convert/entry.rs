//! What there is to tell of one place.

use std::fmt;

use k8s_versioned::conversion::Finding;
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
                write!(f, "carried over as it is: {kind} of {api_version}")
            }
            Self::ServerFieldsRemoved { fields } => write!(f, "removed: {}", fields.join(", ")),
            Self::OwnersKept => f.write_str("kept as they are"),
            Self::NotUnderstood { reason } => f.write_str(reason),
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

/// One line, and one for the advice. The texts in it may come from anybody, and go to a terminal.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.path.is_empty() { "" } else { ": " };
        let line = format!("{}: {}{separator}{}", self.place, self.path, self.message);
        for char in line.replace('\n', "; ").chars() {
            if char.is_control() {
                write!(f, "{}", char.escape_default())?;
            } else {
                write!(f, "{char}")?;
            }
        }
        writeln!(f)?;
        match self.advice {
            Some(advice) => writeln!(f, "  hint: {advice}"),
            None => Ok(()),
        }
    }
}

//! An entry of a report.

use std::borrow::Cow;
use std::fmt;

use k8s_versioned::Short;
use k8s_versioned::field::{FieldError, Reason};
use k8s_versioned_conversion::{Finding, Severity};
use serde::Serialize;
use serde_json::Value;

use super::{Level, Note, hint};
use crate::input::Place;

/// An entry of a report.
#[derive(Serialize)]
pub(crate) struct Entry {
    level: Level,
    #[serde(flatten)]
    place: Place,
    /// The path of the field; empty for the whole object.
    path: String,
    #[serde(flatten)]
    subject: Subject,
    message: String,
    hint: Option<Cow<'static, str>>,
    /// Path and message, for people.
    #[serde(skip)]
    line: String,
}

/// The subject of an entry, for programs.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Subject {
    /// A finding of a conversion.
    Finding(Finding),
    /// A note of this command.
    Note(Note),
    /// An error by the rules of servers.
    Rejected(Rejected),
}

/// An error for which a server rejects the object.
#[derive(Serialize)]
#[serde(tag = "finding", rename = "rejected")]
pub(crate) struct Rejected {
    reason: Reason,
    value: Option<Value>,
}

impl Entry {
    pub(super) fn finding(place: &Place, path: &str, finding: &Finding) -> Self {
        let level = match finding.severity() {
            Severity::Note => Level::Note,
            _ => Level::Warning,
        };
        let hint = hint::on_finding(path, finding).map(Into::into);
        let subject = Subject::Finding(finding.clone());
        Self::new(level, place, path, subject, finding.to_string(), hint)
    }

    pub(super) fn note(place: &Place, path: &str, note: Note) -> Self {
        let (level, hint, message) = (note.level(), hint::on_note(&note), note.to_string());
        Self::new(level, place, path, Subject::Note(note), message, hint)
    }

    /// The message says what to write instead, so there is no separate hint.
    pub(super) fn rejected(place: &Place, error: &FieldError) -> Self {
        let (reason, value) = (error.reason, error.value.clone());
        let subject = Subject::Rejected(Rejected { reason, value });
        let message = error.message.clone();
        Self {
            line: error.with_reason_word(),
            ..Self::new(Level::Error, place, error.path.as_str(), subject, message, None)
        }
    }

    fn new(
        level: Level,
        place: &Place,
        path: &str,
        subject: Subject,
        message: String,
        hint: Option<Cow<'static, str>>,
    ) -> Self {
        let line = match path {
            "" => message.clone(),
            path => format!("{}: {message}", Short(path)),
        };
        Self { level, place: place.clone(), path: path.to_owned(), subject, message, hint, line }
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    /// The same entry as an error.
    pub(super) fn into_error(self) -> Self {
        let level = Level::Error;
        Self { level, ..self }
    }
}

/// One line, and one for the hint.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.place, self.line)?;
        match &self.hint {
            Some(hint) => writeln!(f, "  hint: {hint}"),
            None => Ok(()),
        }
    }
}

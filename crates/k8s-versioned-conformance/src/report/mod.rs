//! The report of a run.

mod json;
mod markdown;
mod matrix;
mod table;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::known::KnownFailure;
use crate::outcome::{Inapplicable, Mismatch};
use k8s_versioned_recordings::{Recording, Recordings, Rejected};

pub use markdown::{Markdown, MarkdownTable};
pub use matrix::{ApiVersion, Counts, Matrix};
pub use text::Text;

/// The report of a run.
///
/// It prints itself as text for people ([`Display`](std::fmt::Display), or [`Report::text`] with colours), as
/// JSON for programs ([`Serialize`]) and as Markdown for a page ([`Report::markdown`]).
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The number of recordings.
    pub recordings: usize,
    /// The checks that ran.
    pub checks: Vec<CheckInfo>,
    /// The counts by release, API version and check.
    pub matrix: Matrix,
    reasons: BTreeMap<(usize, Inapplicable), usize>,
    /// The failures that are not known.
    pub failures: Vec<Failure>,
    /// The known failures.
    pub known: Vec<Known>,
    /// The files that are not recordings.
    pub rejected: Vec<NotARecording>,
    /// The entries of known failures that nothing fails for any more.
    pub stale: Vec<KnownFailure>,
}

/// A check and its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckInfo {
    /// The name of the check.
    pub name: &'static str,
    /// The rule, which completes the sentence "The check asks that …".
    pub rule: &'static str,
}

/// One mismatch in one recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Failure {
    /// The check that found it.
    pub check: &'static str,
    /// The path of the recording.
    pub file: PathBuf,
    /// The mismatch and its place.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

/// A mismatch that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Known {
    /// The mismatch.
    #[serde(flatten)]
    pub failure: Failure,
    /// The reason of the known failure.
    pub reason: String,
}

/// A file that is not a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotARecording {
    /// The path of the file.
    pub file: PathBuf,
    /// The reason.
    pub reason: String,
}

/// A reason why a check did not apply, and a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotApplicable<'a> {
    /// The check.
    pub check: &'static str,
    /// The reason.
    pub reason: &'a str,
    /// The count.
    pub count: usize,
}

/// One finding, judged by the known failures.
pub(crate) enum Tally {
    Passed,
    Failed(Vec<Failure>),
    Known(Vec<(Failure, String)>),
    NotApplicable(Inapplicable),
}

impl Failure {
    pub(crate) fn new(check: &'static str, recording: &Recording, mismatch: Mismatch) -> Self {
        Self { check, file: recording.path.file.clone(), mismatch }
    }
}

impl Report {
    pub(crate) fn new(recordings: &Recordings, checks: Vec<CheckInfo>) -> Self {
        let names = checks.iter().map(|check| check.name);
        Self {
            recordings: recordings.len(),
            matrix: Matrix::new(names.collect()),
            checks,
            reasons: BTreeMap::new(),
            failures: Vec::new(),
            known: Vec::new(),
            rejected: recordings.rejected().iter().map(NotARecording::of).collect(),
            stale: Vec::new(),
        }
    }

    /// Adds a finding of the check with this index.
    pub(crate) fn add(&mut self, recording: &Recording, check: usize, tally: Tally) {
        let row = ApiVersion::of(recording);
        let Some(counts) = self.matrix.counts_mut(row, check) else {
            return;
        };
        match tally {
            Tally::Passed => counts.passed += 1,
            Tally::Failed(failures) => {
                counts.failed += 1;
                self.failures.extend(failures);
            }
            Tally::Known(known) => {
                counts.known += 1;
                let known = known.into_iter();
                self.known.extend(known.map(|(failure, reason)| Known { failure, reason }));
            }
            Tally::NotApplicable(reason) => {
                counts.not_applicable += 1;
                *self.reasons.entry((check, reason)).or_default() += 1;
            }
        }
    }

    /// True if no check failed, no file was rejected, and no known failure is stale.
    pub fn is_success(&self) -> bool {
        self.failures.is_empty() && self.rejected.is_empty() && self.stale.is_empty()
    }

    /// The reasons why checks did not apply, with counts.
    pub fn not_applicable(&self) -> impl Iterator<Item = NotApplicable<'_>> {
        let reasons = self.reasons.iter();
        reasons.filter_map(|((check, reason), &count)| {
            Some(NotApplicable { check: self.matrix.checks.get(*check)?, reason, count })
        })
    }
}

impl NotARecording {
    fn of(rejected: &Rejected) -> Self {
        Self { file: rejected.path.clone(), reason: rejected.reason.to_string() }
    }
}

/// A number and what it counts: `1 file`, `2 files`.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

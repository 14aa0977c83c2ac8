//! The report for programs.

use serde::{Serialize, Serializer};

use super::{CheckInfo, Counts, Failure, Known, NotARecording, NotApplicable, Report};
use crate::known::KnownFailure;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    success: bool,
    recordings: usize,
    checks: &'a [CheckInfo],
    matrix: Vec<Row<'a>>,
    not_applicable: Vec<NotApplicable<'a>>,
    failures: &'a [Failure],
    known: &'a [Known],
    stale: &'a [KnownFailure],
    not_recordings: &'a [NotARecording],
}

/// One cell of the matrix.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    release: String,
    api_version: String,
    check: &'a str,
    #[serde(flatten)]
    counts: Counts,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json {
            success: self.is_success(),
            recordings: self.recordings,
            checks: &self.checks,
            matrix: rows(self),
            not_applicable: self.not_applicable().collect(),
            failures: &self.failures,
            known: &self.known,
            stale: &self.stale,
            not_recordings: &self.rejected,
        }
        .serialize(serializer)
    }
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    let matrix = &report.matrix;
    let mut rows = Vec::new();
    for (row, counts) in matrix.rows() {
        let cells = matrix.checks.iter().zip(counts);
        rows.extend(cells.map(|(check, counts)| Row {
            release: row.release.to_string(),
            api_version: row.to_string(),
            check,
            counts: *counts,
        }));
    }
    rows
}

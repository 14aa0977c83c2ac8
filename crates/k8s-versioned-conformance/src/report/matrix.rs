//! The counts by release, API version and check.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use k8s_versioned::{Release, Version};
use serde::Serialize;

use k8s_versioned_recordings::Recording;

/// The counts by release, API version and check.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The names of the checks: the columns.
    pub checks: Vec<&'static str>,
    rows: BTreeMap<ApiVersion, Vec<Counts>>,
}

/// An API version as one release serves it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiVersion {
    /// The release of the server.
    pub release: Release,
    /// The API group.
    pub group: String,
    // The version that clients prefer is first.
    rank: Reverse<Option<Version>>,
    /// The version of the group.
    pub version: String,
}

/// The number of findings of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Counts {
    /// The findings without a mismatch.
    pub passed: usize,
    /// The findings with a mismatch that is not known.
    pub failed: usize,
    /// The findings to which the check does not apply.
    pub not_applicable: usize,
    /// The findings with known mismatches only.
    pub known: usize,
}

impl Matrix {
    pub(super) fn new(checks: Vec<&'static str>) -> Self {
        Self { checks, rows: BTreeMap::new() }
    }

    pub(super) fn counts_mut(&mut self, row: ApiVersion, check: usize) -> Option<&mut Counts> {
        let width = self.checks.len();
        let row = self.rows.entry(row);
        row.or_insert_with(|| vec![Counts::default(); width]).get_mut(check)
    }

    /// The rows, each with the counts of every check.
    pub fn rows(&self) -> impl Iterator<Item = (&ApiVersion, &[Counts])> {
        self.rows.iter().map(|(row, counts)| (row, counts.as_slice()))
    }

    /// The counts of a check over all rows.
    pub fn total(&self, check: &str) -> Counts {
        let index = self.checks.iter().position(|name| *name == check);
        let counts = self.rows.values().filter_map(|row| row.get(index?));
        counts.fold(Counts::default(), Counts::plus)
    }
}

impl ApiVersion {
    pub(super) fn of(recording: &Recording) -> Self {
        let api_version = crate::kinds::group_version(recording);
        Self {
            release: recording.path.release,
            group: api_version.group.to_owned(),
            rank: Reverse(api_version.version.parse().ok()),
            version: api_version.version.to_owned(),
        }
    }
}

impl fmt::Display for ApiVersion {
    /// Writes the `apiVersion`, without the release.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, version) = (&self.group, &self.version);
        k8s_versioned::GroupVersion { group, version }.fmt(f)
    }
}

impl Counts {
    fn plus(self, other: &Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            not_applicable: self.not_applicable + other.not_applicable,
            known: self.known + other.known,
        }
    }
}

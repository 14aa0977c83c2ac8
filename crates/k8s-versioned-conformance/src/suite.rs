//! Running checks.

use std::collections::BTreeSet;

use k8s_versioned::Registry;
use thiserror::Error;

use crate::check::{self, Check};
use crate::documents::Documents;
use crate::known::{KnownFailure, KnownFailures};
use crate::outcome::{Examination, Mismatch};
use crate::report::{Report, Tally};
use k8s_versioned_recordings::{Recording, Recordings};

/// Checks to run over recordings.
#[derive(Default)]
pub struct Suite<'a> {
    checks: Vec<Check<'a>>,
    left_out: Vec<&'static str>,
    known: KnownFailures,
}

impl<'a> Suite<'a> {
    /// A suite without checks, for [`with`](Self::with).
    pub fn new() -> Self {
        Self::default()
    }

    /// The general checks: they apply to the types and recordings of any API.
    pub fn general(registry: &'a dyn Registry, documents: &'a Documents) -> Self {
        let suite = Self::new().with(check::decode(registry)).with(check::round_trip(registry));
        #[cfg(feature = "jsonschema")]
        let suite = suite.with(check::schema(registry, documents));
        #[cfg(not(feature = "jsonschema"))]
        let suite = Self { left_out: vec!["schema"], ..suite };
        suite.with(check::response(registry, documents)).with(check::twin(registry))
    }

    /// Adds a check.
    #[must_use]
    pub fn with(mut self, check: Check<'a>) -> Self {
        self.checks.push(check);
        self
    }

    /// Sets the known failures.
    #[must_use]
    pub fn with_known_failures(mut self, known: KnownFailures) -> Self {
        self.known = known;
        self
    }

    /// Keeps these checks.
    ///
    /// # Errors
    ///
    /// There is no check of one of the names.
    pub fn only(mut self, names: &[impl AsRef<str>]) -> Result<Self, UnknownCheck> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let known: Vec<&'static str> = self.names().collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
            return Err(UnknownCheck { found: (*unknown).to_owned(), known });
        }
        self.checks.retain(|check| names.contains(&check.info.name));
        let left_out = known.into_iter().filter(|name| !names.contains(name));
        self.left_out.extend(left_out);
        Ok(self)
    }

    /// The names of the checks, in the order in which they run.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.checks.iter().map(|check| check.info.name)
    }

    /// Runs all checks over all recordings.
    pub fn run(&self, recordings: &Recordings) -> Report {
        let checks = self.checks.iter().map(|check| check.info);
        let mut report = Report::new(recordings, checks.collect());
        let mut met = vec![false; self.known.entries().len()];
        let mut examined = BTreeSet::new();
        for recording in recordings {
            for (index, check) in self.checks.iter().enumerate() {
                for finding in check.findings(recording, recordings) {
                    if finding.examined.is_ok() {
                        examined.insert(check.info.name);
                    }
                    let judged = self.judge(check.info.name, recording, finding, &mut met);
                    report.add(recording, index, judged);
                }
            }
        }
        let stale = self.known.entries().iter().zip(met);
        // A check that examines nothing, for example without documents, does not show that an entry is stale.
        let idle = |entry: &KnownFailure| {
            self.names().any(|name| name == entry.check && !examined.contains(name))
        };
        let stale = stale
            .filter(|(entry, met)| !met && !idle(entry) && self.is_in_scope(entry, recordings));
        stale.for_each(|(entry, _)| report.add_stale(entry));
        report
    }

    fn judge(
        &self,
        check: &'static str,
        recording: &Recording,
        finding: Examination,
        met: &mut [bool],
    ) -> Tally {
        let mismatches = match finding.examined {
            Err(reason) => return Tally::NotApplicable(reason),
            Ok(mismatches) if mismatches.is_empty() => return Tally::Passed,
            Ok(mismatches) => mismatches,
        };
        // All are looked up, so that an unknown mismatch does not make the entries of later ones stale.
        let reasons = mismatches.iter().map(|mismatch| {
            let entry = self.covering(check, recording, mismatch, met)?;
            Some(entry.reason.clone())
        });
        let reasons: Vec<Option<String>> = reasons.collect();
        match reasons.into_iter().collect::<Option<Vec<_>>>() {
            Some(reasons) => Tally::Known(mismatches.into_iter().zip(reasons).collect()),
            None => Tally::Failed(mismatches),
        }
    }

    /// The first entry that covers a mismatch. Marks all that cover it as met.
    fn covering(
        &self,
        check: &str,
        recording: &Recording,
        mismatch: &Mismatch,
        met: &mut [bool],
    ) -> Option<&KnownFailure> {
        let mut first = None;
        for (entry, met) in self.known.entries().iter().zip(met) {
            if entry.covers(check, recording, mismatch) {
                *met = true;
                first = first.or(Some(entry));
            }
        }
        first
    }

    /// Returns `true` if the run could have met an entry: neither its check nor its release was left out.
    fn is_in_scope(&self, entry: &KnownFailure, recordings: &Recordings) -> bool {
        !self.left_out.contains(&entry.check.as_str()) && recordings.covers(entry.release)
    }
}

/// There is no check of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no check is called `{found}`; there are {}", known.join(", "))]
pub struct UnknownCheck {
    found: String,
    known: Vec<&'static str>,
}

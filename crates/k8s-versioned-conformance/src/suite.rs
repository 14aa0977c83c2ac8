//! Running checks.

use std::collections::BTreeSet;
use std::fmt;

use k8s_versioned::Registry;
use k8s_versioned_admission::NEWEST;
use thiserror::Error;

use crate::check::{self, Check};
use crate::documents::Documents;
use crate::examination::{Examination, Mismatch, is_in};
use crate::kinds;
use crate::known_failures::{KnownFailure, KnownFailures};
use crate::recordings::{Recording, Recordings};
use crate::suite_report::{SuiteReport, Tally};

/// Checks to run over recordings.
#[derive(Default)]
pub struct Suite<'a> {
    registry: Option<&'a dyn Registry>,
    checks: Vec<Check<'a>>,
    left_out: Vec<&'static str>,
    known: KnownFailures,
}

impl fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite")
            .field("checks", &self.checks)
            .field("known", &self.known)
            .finish_non_exhaustive()
    }
}

impl<'a> Suite<'a> {
    /// A suite without checks, for [`with`](Self::with).
    pub fn new() -> Self {
        Self::default()
    }

    /// The general checks: they apply to the types and recordings of any API. The check `admit` is among them if the
    /// documents have definitions of custom resources.
    pub fn general(registry: &'a dyn Registry, documents: &'a Documents) -> Self {
        let suite = Self { registry: Some(registry), ..Self::new() };
        let suite = suite.with(check::decode(registry)).with(check::round_trip(registry));
        #[cfg(feature = "jsonschema")]
        let suite = suite.with(check::schema(registry, documents));
        #[cfg(not(feature = "jsonschema"))]
        let suite = suite.leaving_out("schema");
        let suite = suite.with(check::response(registry, documents)).with(check::twin(registry));
        if documents.have_definitions() {
            return suite.with(check::admit(documents, NEWEST));
        }
        suite.leaving_out("admit")
    }

    /// A check that does not run: its known failures are not stale.
    fn leaving_out(mut self, check: &'static str) -> Self {
        self.left_out.push(check);
        self
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

    /// Keeps only these checks.
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
    ///
    /// If the suite has a registry, and it has the kind of no object of the recordings, the report has an error: nothing
    /// was judged.
    pub fn run(&self, recordings: &Recordings) -> SuiteReport {
        let checks = self.checks.iter().map(|check| check.info);
        let mut report = SuiteReport::new(recordings, checks.collect());
        let mut met = vec![false; self.known.entries().len()];
        let mut examined = BTreeSet::new();
        for recording in recordings {
            // One cause is one finding: the first check that meets such a value reports it.
            let mut undecodable = BTreeSet::new();
            for (index, check) in self.checks.iter().enumerate() {
                let mut values = Vec::new();
                for finding in check.findings(recording, recordings) {
                    if finding.examined.is_ok() {
                        examined.insert(check.info.name);
                    }
                    let of = finding.undecodable().map(str::to_owned);
                    let mut judged = self.judge(check.info.name, recording, finding, &mut met);
                    if of.as_ref().is_some_and(|of| is_in_one_of(of, &undecodable)) {
                        judged = Tally::NotApplicable(UNDECODABLE.into());
                    }
                    values.extend(of);
                    report.add(recording, index, judged);
                }
                undecodable.extend(values);
            }
        }
        let stale = self.known.entries().iter().zip(met);
        // A check that examines nothing, for example without documents, does not show that an entry is stale.
        let idle = |entry: &KnownFailure| {
            self.names().any(|name| name == entry.check && !examined.contains(name))
        };
        let stale = stale
            .filter(|(entry, met)| !met && !idle(entry) && self.is_in_scope(entry, recordings));
        report.findings.extend(stale.map(|(entry, _)| entry.stale(recordings, || self.names())));
        let missing = self.registry.and_then(|registry| kinds::missing(registry, recordings));
        if let Some(missing) = missing.filter(|_| !recordings.is_empty()) {
            report.add_unjudged(missing);
        }
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

/// The reason of a check for a value that an earlier check has reported.
const UNDECODABLE: &str = "it does not decode, which is reported";

/// Returns `true` if a place is one of these, or below one.
fn is_in_one_of(pointer: &str, places: &BTreeSet<String>) -> bool {
    places.iter().any(|place| is_in(pointer, place))
}

/// A check of this name does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no check is called `{found}`; there are {}", known.join(", "))]
pub struct UnknownCheck {
    found: String,
    known: Vec<&'static str>,
}

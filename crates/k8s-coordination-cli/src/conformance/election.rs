//! The check of elections.

use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyLeaseCandidateRef, LeaseCandidateVersion,
};
use k8s_coordination::election::{Election, ElectionOutcome};
use k8s_coordination::v1::Lease;
use k8s_versioned::MicroTime;
use k8s_versioned::conversion::{AnyVersion, ConversionReport};
use k8s_versioned_conformance::recordings::Scenario;
use k8s_versioned_conformance::{
    Check, Examination, Mismatch, NothingToCompare, Recording, differences,
};
use serde::Deserialize;
use serde_json::Value;

/// An election with the recorded candidates writes the same `spec` into the `Lease` as the server did, or nothing.
///
/// Where servers depend on the order of candidates, each of their results is right. A second finding says so.
pub(super) fn check() -> Check<'static> {
    let rule = "an election writes the same spec of the Lease as the server, or nothing; where servers depend on the \
                order of candidates, one of their results";
    Check::new("elect", rule, |recording, _| match RecordedElection::read(recording) {
        Ok(election) => election.findings(),
        Err(stop) => vec![Examination::new(POINTER, NothingToCompare::examined(Err(stop)))],
    })
}

const POINTER: &str = "/lease";

/// A recorded election: the objects that an elector saw, and the `Lease` afterwards.
#[derive(Debug)]
pub struct RecordedElection {
    lease_name: String,
    candidates: Vec<AnyLeaseCandidate>,
    before: Option<Lease>,
    after: Option<Lease>,
    now: MicroTime,
}

impl RecordedElection {
    /// The election of a recording; `None` if it is not an election, or cannot be read.
    pub fn from_recording(recording: &Recording) -> Option<Self> {
        Self::read(recording).ok()
    }

    /// The outcome of an election with the recorded candidates, in their order.
    pub fn outcome(&self) -> ElectionOutcome<'_> {
        self.outcome_in_order(self.candidates.iter().map(AnyLeaseCandidate::by_ref).collect())
    }

    fn read(recording: &Recording) -> Result<Self, NothingToCompare> {
        let scenario = recording.scenario().ok_or("not a scenario")?;
        let (Some(Value::Array(candidates)), Some(Value::String(name)), Some(after)) =
            (scenario.get("candidates"), scenario.get("leaseName"), scenario.get("lease"))
        else {
            return Err("not an election".into());
        };
        let version = scenario.api_version.as_deref().unwrap_or_default();
        let version: LeaseCandidateVersion =
            version.parse().map_err(|_| "candidates of an unknown version")?;
        let decode = |(index, value)| {
            AnyLeaseCandidate::decode(version, value, &mut ConversionReport::new()).map_err(
                |error| NothingToCompare::undecodable(format!("/candidates/{index}"), &error),
            )
        };
        let candidates = candidates.iter().enumerate().map(decode);
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        let before = scenario.get("before").map(|scenario| lease("/before", scenario));
        let after = lease(POINTER, after)?;
        Ok(Self {
            now: now(scenario, after.as_ref(), &candidates)?,
            lease_name: name.clone(),
            candidates,
            before: before.transpose()?.flatten(),
            after,
        })
    }

    fn outcome_in_order<'a>(
        &'a self,
        candidates: Vec<AnyLeaseCandidateRef<'a>>,
    ) -> ElectionOutcome<'a> {
        let namespace = candidates.first().map_or("", |first| first.namespace());
        Election::new(namespace, &self.lease_name, candidates, self.now)
            .with_lease(self.before.as_ref())
            .outcome()
    }

    fn findings(&self) -> Vec<Examination> {
        let outcome = self.outcome();
        let tied = outcome.tied();
        let mut mismatches = self.compare(&outcome);
        for name in &tied {
            if mismatches.is_empty() {
                break;
            }
            // An election takes the first of equals.
            let mut candidates: Vec<_> =
                self.candidates.iter().map(AnyLeaseCandidate::by_ref).collect();
            candidates.sort_by_key(|candidate| candidate.name() != *name);
            mismatches = self.compare(&self.outcome_in_order(candidates));
        }
        let disputed = outcome.disputed().is_some();
        if disputed && self.after == self.before {
            mismatches.clear();
        }
        let mut findings = vec![Examination::new(POINTER, Ok(mismatches))];
        let mut note = |applies: bool, reason: &'static str| {
            findings.extend(applies.then(|| Examination::not_applicable(POINTER, reason)));
        };
        note(!tied.is_empty(), "tied: a server may take any of the tied candidates");
        note(disputed, "disputed: a server may also elect no candidate");
        findings
    }

    /// Compares the written `Lease` with the server's. A server that writes changes at least one field.
    fn compare(&self, outcome: &ElectionOutcome<'_>) -> Vec<Mismatch> {
        let expected = self.after.as_ref().filter(|_| self.after != self.before);
        let actual = outcome.written();
        let (Some(expected), Some(actual)) = (expected, actual) else {
            let both = [written(expected), written(actual)];
            let [expected, actual] = both.map(str::to_owned);
            let differ = expected != actual;
            let mismatch = differ.then(|| mismatch(POINTER, expected, actual));
            return mismatch.into_iter().collect();
        };
        let mut actual = actual.spec.clone();
        // The server wrote shortly after the time of the recording.
        if actual.renew_time == Some(self.now) {
            actual.renew_time = expected.spec.renew_time;
        }
        let [expected, actual] =
            [&expected.spec, &actual].map(|spec| serde_json::to_value(spec).unwrap_or_default());
        let differences = differences("/lease/spec", &expected, &actual).into_iter();
        let mismatches = differences
            .map(|difference| mismatch(&difference.pointer, difference.expected, difference.found));
        mismatches.collect()
    }
}

fn mismatch(pointer: &str, expected: String, actual: String) -> Mismatch {
    let hint = "a rule of the election differs: `coordination elect` explains the election";
    Mismatch::new(pointer, expected, actual, hint)
}

fn written(lease: Option<&Lease>) -> &'static str {
    lease.map_or("nothing is written", |_| "a Lease is written")
}

/// `null` means no Lease.
fn lease(pointer: &str, value: &Value) -> Result<Option<Lease>, NothingToCompare> {
    Option::deserialize(value).map_err(|error| NothingToCompare::undecodable(pointer, &error))
}

/// The time of the election: as recorded, else when the Lease was written, else when the last candidate was created.
fn now(
    scenario: &Scenario,
    after: Option<&Lease>,
    candidates: &[AnyLeaseCandidate],
) -> Result<MicroTime, NothingToCompare> {
    if let Some(now) = scenario.get("now") {
        return MicroTime::deserialize(now)
            .map_err(|error| NothingToCompare::undecodable("/now", &error));
    }
    let created = candidates
        .iter()
        .filter_map(|candidate| candidate.metadata().creation_timestamp.map(MicroTime::from));
    after.and_then(|after| after.spec.renew_time).or_else(|| created.max()).ok_or_else(|| {
        NothingToCompare::undecodable(
            "/now",
            "absent, and no other field gives the time of the election",
        )
    })
}

//! Whether an election comes to the outcome of the server.

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_versioned::MicroTime;
use k8s_versioned::conversion::{AnyVersion, ConversionReport};
use k8s_versioned_conformance::recording::Scenario;
use k8s_versioned_conformance::{Check, Finding, Mismatch, Recording, Recordings};
use serde::Deserialize;
use serde_json::Value;

use super::Stop;

/// For the candidates and the lease of a recorded election, the same is written into the lease.
pub(super) struct Elect;

impl Check for Elect {
    fn name(&self) -> &'static str {
        "elect"
    }

    fn about(&self) -> &'static str {
        "an election ends with the strategy, the holder and the preferred holder that the server wrote, or writes \
         nothing; where servers depend on the order of candidates, with one of their results"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        vec![match Recorded::read(recording) {
            Err(stop) => stop.finding("/lease"),
            Ok(recorded) => return recorded.findings(),
        }]
    }
}

/// An election that a server held.
struct Recorded {
    lease_name: String,
    candidates: Vec<AnyLeaseCandidate>,
    before: Option<Lease>,
    after: Option<Lease>,
    now: MicroTime,
}

impl Recorded {
    fn read(recording: &Recording) -> Result<Self, Stop> {
        let scenario = recording.scenario().ok_or("not a scenario")?;
        let (Some(Value::Array(candidates)), Some(Value::String(name)), Some(after)) = (
            scenario.get("candidates"),
            scenario.get("leaseName"),
            scenario.get("lease"),
        ) else {
            return Err("not an election".into());
        };
        let version = scenario.api_version().unwrap_or_default();
        let version: LeaseCandidateVersion = version
            .parse()
            .map_err(|_| "candidates of an unknown version")?;
        Self::decode(scenario, name, version, candidates, after)
    }

    fn decode(
        scenario: &Scenario,
        lease_name: &str,
        version: LeaseCandidateVersion,
        candidates: &[Value],
        after: &Value,
    ) -> Result<Self, Stop> {
        let decode = |(index, value)| {
            AnyLeaseCandidate::decode(version, value, &mut ConversionReport::new())
                .map_err(|error| Stop::undecodable(format!("/candidates/{index}"), &error))
        };
        let candidates = candidates.iter().enumerate().map(decode);
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        let before = scenario
            .get("before")
            .map(|before| lease("/before", before));
        let after = lease("/lease", after)?;
        Ok(Self {
            now: now(scenario, after.as_ref(), &candidates)?,
            lease_name: lease_name.to_owned(),
            candidates,
            before: before.transpose()?.flatten(),
            after,
        })
    }

    /// Where servers depend on the order in which they see the candidates, each result of theirs is right, and
    /// a second finding says so.
    fn findings(&self) -> Vec<Finding> {
        let mut candidates: Vec<_> = self.candidates.iter().map(Candidate::from).collect();
        let outcome = self.outcome(&candidates);
        let tied = outcome.tied();
        let mut mismatches = self.compare(&outcome);
        for name in &tied {
            // The first of equals is taken.
            candidates.sort_by_key(|candidate| candidate.name != *name);
            if mismatches.is_empty() {
                break;
            }
            mismatches = self.compare(&self.outcome(&candidates));
        }
        let stopped = outcome.disputed().is_some() && self.after == self.before;
        if stopped {
            mismatches.clear();
        }
        let mut findings = vec![Finding::of_mismatches("/lease", mismatches)];
        if !tied.is_empty() {
            let reason = "tied: a server may take any of the tied candidates";
            findings.push(Finding::not_applicable("/lease", reason));
        }
        if outcome.disputed().is_some() {
            let reason = "disputed: a server may also elect nobody";
            findings.push(Finding::not_applicable("/lease", reason));
        }
        findings
    }

    fn outcome(&self, candidates: &[Candidate<'_>]) -> Outcome {
        Election {
            namespace: candidates.first().map_or("", |first| first.namespace),
            lease_name: &self.lease_name,
            candidates,
            lease: self.before.as_ref(),
            now: self.now,
        }
        .outcome()
    }

    fn compare(&self, outcome: &Outcome) -> Vec<Mismatch> {
        // A server that writes changes at least one field.
        let expected = self.after.as_ref().filter(|_| self.after != self.before);
        let found = outcome.written();
        let both = |of: fn(&LeaseSpec) -> Option<&str>| (part(expected, of), part(found, of));
        let parts = [
            ("", (written(expected), written(found))),
            ("/spec/strategy", both(strategy)),
            ("/spec/holderIdentity", both(holder)),
            ("/spec/preferredHolder", both(preferred)),
        ];
        let differing = parts
            .into_iter()
            .filter(|(_, (expected, found))| expected != found);
        differing
            .map(|(field, (expected, found))| Mismatch {
                pointer: format!("/lease{field}"),
                expected,
                found,
                advice: "a rule of election differs: `coordination elect` tells the story of the candidates".into(),
            })
            .collect()
    }
}

/// `null`: there is none.
fn lease(pointer: &str, value: &Value) -> Result<Option<Lease>, Stop> {
    Option::deserialize(value).map_err(|error| Stop::undecodable(pointer, &error))
}

/// When the decision was taken: as recorded, or when the lease was written, or right after the last candidate
/// had come.
fn now(
    scenario: &Scenario,
    after: Option<&Lease>,
    candidates: &[AnyLeaseCandidate],
) -> Result<MicroTime, Stop> {
    if let Some(now) = scenario.get("now") {
        return MicroTime::deserialize(now).map_err(|error| Stop::undecodable("/now", &error));
    }
    let created = candidates
        .iter()
        .filter_map(|candidate| candidate.metadata().creation_timestamp.map(MicroTime::from));
    after
        .and_then(|after| after.spec.renew_time)
        .or_else(|| created.max())
        .ok_or_else(|| Stop::undecodable("/now", "absent, and nothing else tells the time"))
}

fn written(lease: Option<&Lease>) -> String {
    lease
        .map_or("nothing is written", |_| "a Lease is written")
        .to_owned()
}

fn part(lease: Option<&Lease>, part: fn(&LeaseSpec) -> Option<&str>) -> String {
    let part = lease.and_then(|lease| part(&lease.spec));
    part.map_or_else(|| "absent".to_owned(), |part| format!("{part:?}"))
}

fn strategy(spec: &LeaseSpec) -> Option<&str> {
    Some(spec.strategy.as_ref()?.as_str())
}

fn holder(spec: &LeaseSpec) -> Option<&str> {
    spec.holder_identity.as_deref()
}

fn preferred(spec: &LeaseSpec) -> Option<&str> {
    spec.preferred_holder.as_deref()
}

//! Whether an election comes to the outcome of the server.

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::election::{Candidate, Election};
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
        "an election ends with the strategy, the holder and the preferred holder that the server wrote, or writes nothing"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        vec![match Recorded::read(recording) {
            Err(stop) => stop.finding("/lease"),
            Ok(recorded) => Finding::of_mismatches("/lease", recorded.compare()),
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

    fn compare(&self) -> Vec<Mismatch> {
        let candidates: Vec<_> = self.candidates.iter().map(Candidate::from).collect();
        let outcome = Election {
            namespace: candidates.first().map_or("", |first| first.namespace),
            lease_name: &self.lease_name,
            candidates: &candidates,
            lease: self.before.as_ref(),
            now: self.now,
        }
        .outcome();
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

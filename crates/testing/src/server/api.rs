//! The objects of the server, and its answers.

use std::collections::BTreeMap;

use k8s_lease_elector::k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion,
};
use k8s_lease_elector::k8s_coordination::meta::v1::{MicroTime, Time};
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::k8s_coordination::validation::{Prepare, Validate, with_gate_off};
use k8s_lease_elector::{CallError, ElectorAnswer, ElectorVerb};

pub const NAMESPACE: &str = "default";
pub const LEASE: &str = "work";

/// One Lease and its candidates.
#[derive(Clone, Debug, Default)]
pub struct Server {
    pub lease: Option<Lease>,
    /// The candidates by their names.
    pub candidates: BTreeMap<String, AnyLeaseCandidate>,
    pub serves: Serves,
    versions: u64,
    uids: u64,
}

/// The parts of the API that are enabled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serves {
    /// The version of `LeaseCandidate`.
    pub candidates: Option<LeaseCandidateVersion>,
    /// The feature gate `CoordinatedLeaderElection`.
    pub gate: bool,
}

impl Serves {
    /// Coordinated election with candidates of this version.
    pub fn coordinated(version: LeaseCandidateVersion) -> Self {
        Self { candidates: Some(version), gate: true }
    }
}

/// The object that a request changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Nothing,
    Lease,
    Candidate(String),
}

impl Server {
    pub fn new(serves: Serves) -> Self {
        Self { serves, ..Self::default() }
    }

    /// Executes a request at this time of the server's clock.
    pub fn execute(&mut self, verb: &ElectorVerb, now: MicroTime) -> (ElectorAnswer, Change) {
        if version(verb).is_some_and(|version| self.serves.candidates != Some(version)) {
            return (ElectorAnswer::NotServed, Change::Nothing);
        }
        match verb {
            ElectorVerb::ReadLease(_) => (self.read_lease(), Change::Nothing),
            ElectorVerb::CreateLease(lease) => self.create_lease(lease, now),
            ElectorVerb::TryLease(lease) => (self.try_lease(lease, now), Change::Nothing),
            ElectorVerb::ReplaceLease(lease) => self.replace_lease(lease),
            ElectorVerb::ReadCandidate(_, name) => (self.read(name), Change::Nothing),
            ElectorVerb::CreateCandidate(candidate) => self.create(candidate, now),
            ElectorVerb::ReplaceCandidate(candidate) => self.replace(candidate),
            ElectorVerb::DeleteCandidate(_, name) => self.delete(name),
            other => panic!("{other:?}"),
        }
    }

    fn read_lease(&self) -> ElectorAnswer {
        let lease = self.lease.clone();
        lease.map_or(ElectorAnswer::NotFound, |lease| ElectorAnswer::Lease(lease.into()))
    }

    /// A new Lease as the server would store it.
    fn admitted(&self, lease: &Lease, now: MicroTime) -> Result<Lease, ElectorAnswer> {
        let mut lease = lease.to_created_in(NAMESPACE);
        lease.metadata.creation_timestamp = Some(Time::from(now));
        if !self.serves.gate {
            lease = with_gate_off(lease, None);
        }
        lease.validate().map_err(|errors| invalid(&errors))?;
        Ok(lease)
    }

    fn try_lease(&self, lease: &Lease, now: MicroTime) -> ElectorAnswer {
        self.admitted(lease, now)
            .map_or_else(|refused| refused, |lease| ElectorAnswer::Lease(lease.into()))
    }

    fn create_lease(&mut self, lease: &Lease, now: MicroTime) -> (ElectorAnswer, Change) {
        if self.lease.is_some() {
            return (ElectorAnswer::Conflict, Change::Nothing);
        }
        match self.admitted(lease, now) {
            Err(refused) => (refused, Change::Nothing),
            Ok(mut lease) => {
                lease.metadata.uid = Some(self.next_uid());
                self.store_lease(lease)
            }
        }
    }

    fn replace_lease(&mut self, lease: &Lease) -> (ElectorAnswer, Change) {
        let Some(stored) = &self.lease else {
            // The precondition on `uid` fails.
            return (ElectorAnswer::Conflict, Change::Nothing);
        };
        if lease.metadata.resource_version.is_none() {
            return (refused("metadata.resourceVersion: must be specified"), Change::Nothing);
        }
        if lease.metadata.resource_version != stored.metadata.resource_version
            || lease.metadata.uid != stored.metadata.uid
        {
            return (ElectorAnswer::Conflict, Change::Nothing);
        }
        let mut lease = lease.to_update_of(stored);
        if !self.serves.gate {
            lease = with_gate_off(lease, Some(stored));
        }
        if let Err(errors) = lease.validate_update(stored) {
            return (invalid(&errors), Change::Nothing);
        }
        self.store_lease(lease)
    }

    /// Stores the Lease without checks.
    pub fn store_lease(&mut self, mut lease: Lease) -> (ElectorAnswer, Change) {
        lease.metadata.resource_version = Some(self.next_version());
        self.lease = Some(lease.clone());
        (ElectorAnswer::Lease(lease.into()), Change::Lease)
    }

    /// Applies a merge patch of the spec without a `resourceVersion`: the last writer wins.
    pub fn patch_lease(&mut self, patch: &LeaseSpec) -> (ElectorAnswer, Change) {
        let Some(mut lease) = self.lease.clone() else {
            return (ElectorAnswer::NotFound, Change::Nothing);
        };
        let spec = &mut lease.spec;
        let text = |new: &Option<String>, old: &mut Option<String>| {
            if new.is_some() {
                old.clone_from(new);
            }
        };
        text(&patch.holder_identity, &mut spec.holder_identity);
        spec.lease_duration_seconds = patch.lease_duration_seconds.or(spec.lease_duration_seconds);
        spec.acquire_time = patch.acquire_time.or(spec.acquire_time);
        spec.renew_time = patch.renew_time.or(spec.renew_time);
        spec.lease_transitions = patch.lease_transitions.or(spec.lease_transitions);
        self.store_lease(lease)
    }

    pub fn delete_lease(&mut self) -> Change {
        self.lease = None;
        self.versions += 1;
        Change::Lease
    }

    fn read(&self, name: &str) -> ElectorAnswer {
        let candidate = self.candidates.get(name).cloned();
        candidate.map_or(ElectorAnswer::NotFound, |one| ElectorAnswer::Candidate(one.into()))
    }

    fn create(&mut self, candidate: &AnyLeaseCandidate, now: MicroTime) -> (ElectorAnswer, Change) {
        if self.candidates.contains_key(name(candidate)) {
            return (ElectorAnswer::Conflict, Change::Nothing);
        }
        let mut candidate = candidate.to_created_in(NAMESPACE);
        if let Err(errors) = candidate.validate() {
            return (invalid(&errors), Change::Nothing);
        }
        let metadata = candidate.metadata_mut();
        metadata.creation_timestamp = Some(Time::from(now));
        metadata.uid = Some(self.next_uid());
        self.store(candidate)
    }

    fn replace(&mut self, candidate: &AnyLeaseCandidate) -> (ElectorAnswer, Change) {
        let Some(stored) = self.candidates.get(name(candidate)) else {
            return (ElectorAnswer::Conflict, Change::Nothing);
        };
        if candidate.metadata().resource_version != stored.metadata().resource_version {
            return (ElectorAnswer::Conflict, Change::Nothing);
        }
        let candidate = candidate.to_update_of(stored);
        if let Err(errors) = candidate.validate_update(stored) {
            return (invalid(&errors), Change::Nothing);
        }
        self.store(candidate)
    }

    /// Stores a candidate without checks.
    pub fn store(&mut self, mut candidate: AnyLeaseCandidate) -> (ElectorAnswer, Change) {
        candidate.metadata_mut().resource_version = Some(self.next_version());
        let name = name(&candidate).to_owned();
        self.candidates.insert(name.clone(), candidate.clone());
        (ElectorAnswer::Candidate(candidate.into()), Change::Candidate(name))
    }

    fn delete(&mut self, name: &str) -> (ElectorAnswer, Change) {
        match self.delete_candidate(name) {
            Change::Nothing => (ElectorAnswer::NotFound, Change::Nothing),
            change => (ElectorAnswer::Deleted, change),
        }
    }

    pub fn delete_candidate(&mut self, name: &str) -> Change {
        let deleted = self.candidates.remove(name);
        deleted.map_or(Change::Nothing, |_| Change::Candidate(name.to_owned()))
    }

    fn next_uid(&mut self) -> String {
        self.uids += 1;
        format!("uid-{}", self.uids)
    }

    fn next_version(&mut self) -> String {
        self.versions += 1;
        self.versions.to_string()
    }
}

fn name(candidate: &AnyLeaseCandidate) -> &str {
    candidate.metadata().name.as_deref().unwrap_or_default()
}

/// The version of candidates that a request is for.
fn version(verb: &ElectorVerb) -> Option<LeaseCandidateVersion> {
    match verb {
        ElectorVerb::ReadCandidate(version, _) | ElectorVerb::DeleteCandidate(version, _) => {
            Some(*version)
        }
        ElectorVerb::CreateCandidate(one) | ElectorVerb::ReplaceCandidate(one) => {
            Some(one.version())
        }
        _ => None,
    }
}

fn refused(message: &str) -> ElectorAnswer {
    ElectorAnswer::Failed(CallError::new(format!("422 Unprocessable Entity: {message}")))
}

fn invalid(errors: &impl std::fmt::Display) -> ElectorAnswer {
    refused(&errors.to_string())
}

//! The elector in the server: its looks at the objects, its pings, and its writes.

use jiff::SignedDuration;
use k8s_lease_elector::ElectorVerb;
use k8s_lease_elector::k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, ConvertObject,
};
use k8s_lease_elector::k8s_coordination::election::{Election, ElectionOutcome};
use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::k8s_coordination::v1::Lease;
use k8s_lease_elector::k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};

use super::{Change, LEASE, Micros, NAMESPACE, SECOND, Server};

/// The time between two looks, and the time for which the elector waits for the answer to a ping.
const WINDOW: Micros = 5 * SECOND;
const WINDOW_OF_TIME: SignedDuration = SignedDuration::from_secs(5);

/// The time until the elector sees a change, as measured in the recorded stories.
const REACTION: Micros = 8_000;

/// The next look of the elector.
#[derive(Clone, Debug)]
pub struct Elections {
    /// The time that a look takes without pings.
    look: Micros,
    /// The time that a look takes for each ping.
    ping: Micros,
    /// The time of the look after a change.
    changed: Option<Micros>,
    /// The time of the look after the window.
    again: Option<Micros>,
}

impl Elections {
    pub fn new(look: Micros, ping: Micros) -> Self {
        Self { look, ping, changed: None, again: None }
    }

    /// Plans a look after a change.
    pub fn notice(&mut self, change: &Change, now: Micros) {
        if *change != Change::Nothing {
            let seen = now + REACTION;
            self.changed = Some(self.changed.map_or(seen, |earlier| earlier.min(seen)));
        }
    }

    /// The time of the next look.
    pub fn next(&self) -> Option<Micros> {
        [self.changed, self.again].into_iter().flatten().min()
    }

    /// Looks if it is time, and returns the changes.
    pub fn look(&mut self, server: &mut Server, time: Micros, clock: MicroTime) -> Vec<Change> {
        if self.next().is_none_or(|next| time < next) {
            return Vec::new();
        }
        self.changed = self.changed.filter(|changed| time < *changed);
        self.again = self.again.filter(|again| time < *again);
        let due = election(server.candidates.values(), server.lease.as_ref(), clock).due;
        let changes = due.map_or(Vec::new(), |_| elect(server, clock));
        if !server.candidates.is_empty() {
            let pinged = |change: &&Change| matches!(change, Change::Candidate(_));
            let pings = changes.iter().filter(pinged).count() as Micros;
            let again = time + self.look + pings * self.ping + WINDOW;
            self.again = Some(self.again.map_or(again, |earlier| earlier.min(again)));
        }
        changes
    }
}

/// Pings candidates, or elects.
fn elect(server: &mut Server, now: MicroTime) -> Vec<Change> {
    let (waits, mut changes) = ping_silent(server, now);
    if waits {
        return changes;
    }
    let candidates = server.candidates.values();
    let answered = candidates.filter(|candidate| is_fresh(candidate, now)).collect::<Vec<_>>();
    if answered.is_empty() {
        return changes;
    }
    let outcome = election(answered, server.lease.as_ref(), now);
    if let Some(lease) = outcome.written().cloned() {
        changes.push(write(server, lease, now));
    }
    changes
}

fn election<'a>(
    candidates: impl IntoIterator<Item = &'a AnyLeaseCandidate>,
    lease: Option<&'a Lease>,
    now: MicroTime,
) -> ElectionOutcome<'a> {
    Election::new(NAMESPACE, LEASE, candidates, now).with_lease(lease).outcome()
}

fn write(server: &mut Server, lease: Lease, now: MicroTime) -> Change {
    let verb = if server.lease.is_none() {
        ElectorVerb::CreateLease(lease.into())
    } else {
        ElectorVerb::ReplaceLease(lease.into())
    };
    server.execute(&verb, now).1
}

/// Pings the candidates without a recent renewal. Returns true if the elector waits for an answer.
fn ping_silent(server: &mut Server, now: MicroTime) -> (bool, Vec<Change>) {
    let mut waits = false;
    let mut changes = Vec::new();
    for (name, candidate) in &server.candidates.clone() {
        if is_expired(candidate, now) {
            continue;
        }
        let pinged = candidate.ping_time().copied();
        let answered = pinged.is_none_or(|pinged| candidate.renew_time() >= Some(&pinged));
        let lately = pinged.is_some_and(|pinged| is_within(pinged, WINDOW_OF_TIME, now));
        if lately && !answered {
            waits = true;
        } else if !is_fresh(candidate, now) && answered {
            waits = true;
            changes.push(server.ping(name, now));
        }
    }
    (waits, changes)
}

fn is_expired(candidate: &AnyLeaseCandidate, now: MicroTime) -> bool {
    let valid = |renewed: &MicroTime| now.duration_since(*renewed) <= Election::VALID_FOR;
    !candidate.renew_time().is_some_and(valid)
}

fn is_fresh(candidate: &AnyLeaseCandidate, now: MicroTime) -> bool {
    let renewed = candidate.renew_time().copied();
    renewed.is_some_and(|renewed| is_within(renewed, WINDOW_OF_TIME, now))
}

/// Returns `true` if a time is less than this ago.
fn is_within(time: MicroTime, ago: SignedDuration, now: MicroTime) -> bool {
    now.duration_since(time) < ago
}

impl Server {
    /// Adds the candidate of another program.
    pub fn add_candidate(&mut self, name: &str, now: MicroTime) {
        let spec = LeaseCandidateSpec::new(LEASE, "1.36.0", "OldestEmulationVersion")
            .with_emulation_version("1.35.0")
            .with_renew_time(now);
        let mut candidate = LeaseCandidate::new(spec);
        candidate.metadata.name = Some(name.to_owned());
        let verb = ElectorVerb::CreateCandidate(Box::new(candidate.into()));
        self.execute(&verb, now);
    }

    /// Pings a candidate.
    pub fn ping(&mut self, name: &str, now: MicroTime) -> Change {
        self.change(name, |spec| spec.ping_time = Some(now))
    }

    /// Answers a ping, as the program of the candidate.
    pub fn answer_ping(&mut self, name: &str, now: MicroTime) -> Change {
        self.change(name, |spec| spec.renew_time = Some(now))
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut LeaseCandidateSpec)) -> Change {
        let Some(candidate) = self.candidates.get(name) else {
            return Change::Nothing;
        };
        let mut newest: LeaseCandidate = candidate.convert().0;
        change(&mut newest.spec);
        let changed = AnyLeaseCandidate::from(newest).convert_to(candidate.version()).0;
        self.store(changed).1
    }
}

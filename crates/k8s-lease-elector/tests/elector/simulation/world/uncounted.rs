//! Programs that take the Lease and do not count terms.
//!
//! The `LeaseLock` of the Python client takes a Lease over with `leaseTransitions` as they are. client-go adopts a Lease in its own
//! name, and keeps `acquireTime`, too. Both wait until the Lease of another process is over.

use super::{What, World};
use crate::simulation::participant::{Broken, counted};
use crate::simulation::schedule::Schedule;
use k8s_lease_elector::FencingToken;
use testing::server::{Change, Micros, SECOND, wall};

/// The time between two attempts.
const PERIOD: Micros = SECOND / 4;

impl World<'_> {
    /// Takes the Lease if it is free; else tries again while the fault lasts.
    pub(super) fn try_uncounted(&mut self, fault: usize) {
        let fault_of = self.schedule.faults[fault];
        let adopts = self.adopts(fault_of.process);
        if adopts || self.is_free() {
            self.take_uncounted(adopts.then(|| Schedule::name(fault_of.process)));
        } else if self.now + PERIOD < fault_of.at + fault_of.lasts {
            self.push(self.now + PERIOD, What::Uncounted(fault));
        }
    }

    /// Returns `true` if the Lease is in the name of a process that does not run.
    fn adopts(&self, process: usize) -> bool {
        let twins = self.schedule.processes.iter().any(|setup| setup.twin);
        let runs = twins || self.processes[process].participant.is_some();
        let holder = self.server.lease.as_ref().and_then(|lease| lease.spec.holder());
        !runs && holder == Some(Schedule::name(process))
    }

    /// Returns `true` if the Lease has no holder, or its duration is over.
    fn is_free(&self) -> bool {
        self.server.lease.as_ref().is_some_and(|lease| {
            let seconds = lease.spec.lease_duration_seconds.unwrap_or_default();
            let duration = u64::try_from(seconds).unwrap() * SECOND;
            lease.spec.holder().is_none() || self.record_since + duration < self.now
        })
    }

    fn take_uncounted(&mut self, adopted: Option<&str>) {
        let Some(mut lease) = self.server.lease.clone() else {
            return;
        };
        let now = wall(self.now, self.server_wall);
        let duration = self.schedule.processes[0].times.lease_duration / SECOND;
        lease.spec.holder_identity = Some(adopted.unwrap_or("other").to_owned());
        lease.spec.lease_duration_seconds = Some(i32::try_from(duration).unwrap());
        lease.spec.renew_time = Some(now);
        if adopted.is_none() {
            lease.spec.acquire_time = Some(now);
        }
        let transitions = lease.spec.lease_transitions.unwrap_or_default();
        self.server.store_lease(lease);
        self.note_other_write();
        let stored = self.server.lease.as_ref().map(|lease| lease.metadata.clone()).unwrap();
        let uid = stored.uid.unwrap();
        let token = if self.broken == Some(Broken::CountedToken) {
            counted(&uid, transitions)
        } else {
            let resource_version = stored.resource_version.unwrap().into();
            FencingToken { uid: uid.into(), resource_version }
        };
        self.tell(|| format!("another program leads, term {token}"));
        self.check_token(&token, "of another program begins");
    }

    /// Writes the number of terms as a client does that has its own idea of it.
    pub(super) fn count(&mut self, number: Option<i32>) {
        if let Some(mut lease) = self.server.lease.clone() {
            lease.spec.lease_transitions = number;
            self.server.store_lease(lease);
            self.note_other_write();
        }
    }

    fn note_other_write(&mut self) {
        self.record_since = self.now;
        self.tell_change("another client", &Change::Lease);
        self.changed(&Change::Lease);
    }
}

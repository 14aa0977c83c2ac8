//! The network, the watches and the server.

use k8s_lease_elector::{CallError, CallId, ElectorAnswer, ElectorEvent, ElectorVerb};

use super::{Happens, Message, What, World};
use crate::simulation::participant::Broken;
use crate::simulation::schedule::{Kind, LATENCY, Schedule};
use testing::server::{Change, Micros, SECOND, duration, wall};

/// The most requests that a process sends in ten seconds. In a million schedules it was 38.
const MOST_REQUESTS: usize = 50;

impl World<'_> {
    fn latency(&mut self) -> Micros {
        self.rng.u64(500..LATENCY)
    }

    /// The faults of a process at this time.
    pub(super) fn faults(&self, process: usize) -> impl Iterator<Item = Kind> {
        self.schedule.faults_of(process, self.now)
    }

    pub(super) fn send(&mut self, process: usize, id: CallId, verb: ElectorVerb) {
        self.check_rate(process);
        if self.faults(process).any(|kind| matches!(kind, Kind::LoseRequests)) {
            return;
        }
        let late = self.faults(process).find_map(|kind| match kind {
            Kind::Delay(by) => Some(by),
            _ => None,
        });
        let life = self.processes[process].life;
        let at = self.now + self.latency() + late.unwrap_or_default();
        let message = Message { from: process, life, id, verb };
        self.push(at, What::Arrives(Box::new(message)));
    }

    /// Checks that a process does not send too many requests in ten seconds.
    fn check_rate(&mut self, process: usize) {
        let (now, sent) = (self.now, &mut self.processes[process].sent);
        sent.retain(|at| now < at + 10 * SECOND);
        sent.push(now);
        let count = sent.len();
        self.found.most_requests = self.found.most_requests.max(count);
        if count > MOST_REQUESTS {
            let name = Schedule::name(process);
            self.violated(format!("`{name}` sends {count} requests in ten seconds"));
        }
    }

    pub(super) fn arrive(&mut self, message: &Message) {
        let refused = self.faults(message.from).find_map(|kind| match kind {
            Kind::Refuse(status, seconds) => Some(refusal(status, seconds)),
            _ => None,
        });
        let broken = self.faults(message.from).any(|kind| matches!(kind, Kind::Break));
        let resets = self.faults(message.from).any(|kind| matches!(kind, Kind::ResetWrites))
            && !matches!(message.verb, ElectorVerb::ReadLease(_) | ElectorVerb::ReadCandidate(..));
        let answer = refused.unwrap_or_else(|| {
            let answer = self.execute(message);
            if broken || resets { refusal(500, 0) } else { answer }
        });
        if self.faults(message.from).any(|kind| matches!(kind, Kind::LoseAnswers)) {
            return;
        }
        let late = self.faults(message.from).find_map(|kind| match kind {
            Kind::DelayAnswers(by) => Some(by),
            _ => None,
        });
        // The process sees the reset at once, before its watch sees the write.
        let latency = if resets { 1 } else { self.latency() };
        let at = self.now + latency + late.unwrap_or_default();
        let happens = Happens::Answer(message.id, Box::new(answer));
        self.push(at, What::Process(message.from, message.life, happens));
    }

    fn execute(&mut self, message: &Message) -> ElectorAnswer {
        let clock = wall(self.now, self.server_wall);
        let before = self.server.lease.as_ref().map(|lease| lease.spec.lease_transitions);
        let (answer, change) = match (&message.verb, self.broken) {
            (ElectorVerb::ReplaceLease(lease), Some(Broken::MergePatch)) => {
                self.server.patch_lease(&lease.spec)
            }
            (verb, _) => self.server.execute(verb, clock),
        };
        if change != Change::Nothing {
            let from = Schedule::name(message.from);
            self.tell_change(from, &change);
            if change == Change::Lease {
                self.check_write(from, before.flatten());
                self.record_since = self.now;
            }
            self.changed(&change);
        }
        answer
    }

    /// Checks that a write keeps the labels, and that the number of terms does not go back.
    fn check_write(&mut self, from: &str, before: Option<i32>) {
        let Some(lease) = &self.server.lease else {
            return;
        };
        if lease.metadata.labels.len() != self.labels {
            self.violated(format!("`{from}` removes a label"));
        } else if lease.spec.lease_transitions < before {
            self.violated(format!("`{from}` sets the term back"));
        }
    }

    pub(super) fn changed(&mut self, change: &Change) {
        if self.server.lease.is_none() {
            self.labels = 0;
        }
        if self.schedule.elects() {
            self.elections.notice(change, self.now);
            self.plan_look();
        }
        for process in 0..self.processes.len() {
            let life = self.processes[process].life;
            if self.sees(process) {
                self.deliver(process, life, change);
            }
        }
    }

    fn plan_look(&mut self) {
        if let Some(next) = self.elections.next() {
            self.push(next, What::Server);
        }
    }

    pub(super) fn look(&mut self) {
        let clock = wall(self.now, self.server_wall);
        if self.elections.next().is_none_or(|next| next > self.now) {
            return;
        }
        let changes = self.elections.look(&mut self.server, self.now, clock);
        for change in changes {
            self.tell_change("the server", &change);
            self.changed(&change);
        }
        self.plan_look();
    }

    fn sees(&self, process: usize) -> bool {
        self.schedule.processes[process].watches
            && self.processes[process].participant.is_some()
            && !self.faults(process).any(|kind| matches!(kind, Kind::BreakWatch))
    }

    /// Begins new watches: their first events are the stored objects.
    pub(super) fn watch_again(&mut self, process: usize, life: u64) {
        if self.processes[process].life == life && self.sees(process) {
            if self.server.lease.is_some() {
                self.deliver(process, life, &Change::Lease);
            }
            let name = Schedule::name(process);
            if self.server.candidates.contains_key(name) {
                self.deliver(process, life, &Change::Candidate(name.to_owned()));
            }
        }
    }

    fn deliver(&mut self, process: usize, life: u64, change: &Change) {
        let event = match change {
            Change::Lease => ElectorEvent::Lease(self.server.lease.clone().map(Box::new)),
            Change::Candidate(name) if name == Schedule::name(process) => {
                ElectorEvent::Candidate(self.server.candidates.get(name).cloned().map(Box::new))
            }
            _ => return,
        };
        let late = self.faults(process).find_map(|kind| match kind {
            Kind::DelayWatch(by) => Some(by),
            _ => None,
        });
        let at = self.now + self.latency() + late.unwrap_or_default();
        let it = &mut self.processes[process];
        it.watched_until = it.watched_until.max(at) + 1;
        let at = it.watched_until;
        self.push(at, What::Process(process, life, Happens::Event(Box::new(event))));
    }

    /// Tells of a write, unless it repeats the one before.
    pub(super) fn tell_change(&mut self, from: &str, change: &Change) {
        if self.story.is_some() {
            let text =
                format!("{from} writes {}", crate::simulation::story::change(&self.server, change));
            if self.last_told != text {
                self.last_told.clone_from(&text);
                self.tell(|| text);
            }
        }
    }
}

fn refusal(status: u16, seconds: u64) -> ElectorAnswer {
    let mut error = CallError::new(status.to_string());
    error.retry_after = (seconds > 0).then(|| duration(seconds * SECOND));
    ElectorAnswer::Failed(error)
}

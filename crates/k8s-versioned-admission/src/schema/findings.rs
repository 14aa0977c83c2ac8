//! Collectors of the faults of a value.

use std::collections::HashSet;

use super::fault::Fault;
use crate::answer::{Causes, RefusalCause, Room};
use crate::meter::Meter;

/// The steps of making a message, without those of a long value.
const STEPS_PER_FAULT: usize = 50;

/// Collects faults.
pub(crate) trait Sink {
    /// Adds a fault, which is made only if it is kept.
    fn add(&mut self, fault: impl FnOnce() -> Fault);

    /// Adds a number of faults that were counted before. Returns `false` if the faults have to be added one by one.
    fn add_counted(&mut self, count: usize) -> bool;

    /// The number of faults so far.
    fn count(&self) -> usize;

    /// Forgets the faults after the first ones.
    fn forget(&mut self, after: usize);

    /// Counts the steps of the check.
    fn meter(&self) -> &Meter;
}

/// Counts faults.
pub(super) struct Silent<'m> {
    pub(super) faults: usize,
    meter: &'m Meter,
}

impl<'m> Silent<'m> {
    pub(super) const fn new(meter: &'m Meter) -> Self {
        Self { faults: 0, meter }
    }
}

impl Sink for Silent<'_> {
    fn add(&mut self, _: impl FnOnce() -> Fault) {
        self.faults += 1;
    }

    fn add_counted(&mut self, count: usize) -> bool {
        self.faults += count;
        true
    }

    fn count(&self) -> usize {
        self.faults
    }

    fn forget(&mut self, after: usize) {
        self.faults = after;
    }

    fn meter(&self) -> &Meter {
        self.meter
    }
}

/// The causes of a value that does not fit, in the order of servers. Their size is bounded; further faults are only counted.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    causes: Vec<RefusalCause>,
    messages: HashSet<String>,
    order: Vec<String>,
    room: Room,
    more: usize,
    meter: Meter,
}

impl Sink for Findings {
    // Messages are made apart from the code of values without faults. Hot path, row `answer` of the benches.
    #[cold]
    fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.room.is_full() {
            self.more += 1;
        } else {
            self.keep(fault());
        }
    }

    fn add_counted(&mut self, _: usize) -> bool {
        false
    }

    fn count(&self) -> usize {
        self.causes.len() + self.more
    }

    fn forget(&mut self, after: usize) {
        self.more = after.saturating_sub(self.causes.len());
        for cause in self.causes.drain(after.min(self.causes.len())..) {
            self.room.give_back(&cause);
        }
        for message in self.order.drain(after.min(self.order.len())..) {
            self.messages.remove(&message);
        }
    }

    fn meter(&self) -> &Meter {
        &self.meter
    }
}

impl Findings {
    /// Findings of a check that spends the steps of a meter.
    pub(crate) fn within(meter: Meter) -> Self {
        Self { meter, ..Self::default() }
    }

    /// Servers report a message once.
    fn keep(&mut self, fault: Fault) {
        let Fault { message, cause } = fault;
        // It is made of several texts, and with its path.
        self.meter.spend(STEPS_PER_FAULT + message.len() / 8);
        if self.messages.insert(message.clone()) {
            self.room.take(&cause);
            self.causes.push(cause);
            self.order.push(message);
        }
    }

    /// Adds the causes to others.
    pub(crate) fn add_to(self, causes: &mut Causes) {
        self.causes.into_iter().for_each(|cause| causes.push(cause));
        causes.is_cut |= self.more > 0;
        causes.is_stopped |= self.meter.is_spent();
    }

    /// The causes, without the number of those that were left out, and the meter with the remaining steps.
    pub(crate) fn into_causes(self, meter: &Meter) -> Vec<RefusalCause> {
        meter.set(&self.meter);
        self.causes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Findings, Sink};
    use crate::answer::{Causes, MOST_CAUSES, RefusalCause};
    use crate::facts::Facts;
    use crate::schema::fault::Fault;

    fn fault(at: usize) -> Fault {
        let message = at.to_string();
        Fault { cause: RefusalCause::invalid("a", &json!(at).to_string(), &message), message }
    }

    #[test]
    fn faults_beyond_the_room_are_counted() {
        let mut findings = Findings::default();
        (0..MOST_CAUSES + 7).for_each(|at| findings.add(|| fault(at)));
        assert_eq!(findings.count(), MOST_CAUSES + 7);
        findings.forget(MOST_CAUSES + 1);
        assert_eq!(findings.count(), MOST_CAUSES + 1);
        findings.forget(5);
        assert_eq!(findings.count(), 5);
        (0..9).for_each(|at| findings.add(|| fault(at)));
        assert_eq!(findings.count(), 9);
        let mut causes = Causes::new(Facts::NEWEST);
        findings.add_to(&mut causes);
        assert_eq!((causes.all.len(), causes.is_cut), (9, false));
    }
}

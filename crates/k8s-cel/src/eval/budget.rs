//! What an evaluation spends: units of cost as servers count them, and steps of work that servers do not count.

use std::cell::Cell;

use super::fault::{Evaluated, Fault};
use crate::steps::Steps;

/// The units that one call of an expression may spend on a server.
pub(crate) const CALL_LIMIT: u64 = 1_000_000;

/// The units that the rules of one object may spend together on a server.
const OBJECT_LIMIT: u64 = 10_000_000;

/// The steps of work of one call. A unit of cost takes as long as a few of them.
pub(crate) const STEPS_OF_CALL: u64 = 4 * CALL_LIMIT;

/// The steps of work of the rules of one object together. Rules whose work servers count end by their units before.
const STEPS_OF_OBJECT: u64 = 2 * STEPS_OF_CALL;

/// The budget that is left for the rules of an object.
///
/// Servers count units of cost. Work that they do not count, such as a comparison of deep values, is bounded here by steps of
/// work: a rule that takes more is not judged.
///
/// ```
/// use k8s_cel::Budget;
///
/// let budget = Budget::default();
/// assert_eq!(budget.cost_left(), Some(10_000_000));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    /// `None` if a server has stopped and evaluates no further rule.
    cost: Option<u64>,
    work: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { cost: Some(OBJECT_LIMIT), work: STEPS_OF_OBJECT }
    }
}

impl Budget {
    /// The units of cost that are left, or `None` if a server evaluates no further rule of the object.
    pub const fn cost_left(&self) -> Option<u64> {
        self.cost
    }

    /// Returns `false` if no further rule of the object is judged, because its rules have used all steps of work.
    pub const fn has_work_left(&self) -> bool {
        self.work > 0
    }

    /// Ends the rules of the object.
    pub(crate) const fn stop(&mut self) {
        self.cost = None;
    }

    /// Subtracts what a call has spent. Returns `false` if less was left.
    pub(crate) fn take(&mut self, meter: &Meter) -> bool {
        let spent = self.work_of_call().saturating_sub(meter.steps.left());
        self.work = self.work.saturating_sub(spent);
        self.cost = self.cost.and_then(|left| left.checked_sub(meter.cost.get()));
        self.cost.is_some()
    }

    /// A budget that ends early, so that a test need not wait.
    #[cfg(test)]
    pub(crate) fn of_steps(work: u64) -> Self {
        Self { work, ..Self::default() }
    }

    /// The steps of work that a call has taken.
    #[cfg(test)]
    pub(crate) fn spent(&self, meter: &Meter) -> u64 {
        self.work_of_call() - meter.steps.left()
    }

    /// A meter for one call.
    pub(crate) fn meter(&self) -> Meter {
        Meter { cost: Cell::new(0), steps: Steps::new(self.work_of_call()) }
    }

    /// The steps that one call may take.
    fn work_of_call(&self) -> u64 {
        self.work.min(STEPS_OF_CALL)
    }
}

/// What one call spends.
#[derive(Debug)]
pub(crate) struct Meter {
    cost: Cell<u64>,
    steps: Steps,
}

impl Meter {
    /// The units that the call has spent.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost.get()
    }

    /// Spends units of cost, as a server counts them.
    #[inline]
    pub(crate) fn charge(&self, units: u64) -> Evaluated<()> {
        let spent = self.cost.get().saturating_add(units);
        self.cost.set(spent);
        if spent > CALL_LIMIT { Err(Fault::cancelled()) } else { Ok(()) }
    }

    /// Gives back units that a server does not count, and counts them as work.
    pub(crate) fn refund(&self, units: u64) -> Evaluated<()> {
        self.cost.set(self.cost.get().saturating_sub(units));
        self.work(usize::try_from(units).unwrap_or(usize::MAX))
    }

    /// Spends steps of work.
    #[inline]
    pub(crate) fn work(&self, steps: usize) -> Evaluated<()> {
        if self.steps.spend(steps) { Ok(()) } else { Err(too_much_work()) }
    }

    /// Spends the work of reading a text.
    #[inline]
    pub(crate) fn read(&self, bytes: usize) -> Evaluated<()> {
        if self.steps.read(bytes) { Ok(()) } else { Err(too_much_work()) }
    }
}

#[cold]
fn too_much_work() -> Fault {
    Fault::not_judged("the rule takes more steps than are spent on a rule")
}

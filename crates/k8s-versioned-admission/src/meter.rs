//! The steps that the checks of an object have spent.

use k8s_cel::steps::Steps;
use serde_json::Value;

/// The steps that a kind of checks of one object may take. Servers have no such limit: they compare each part of an object with each
/// part of the schema. A request has at most 3 MiB, so only a schema with hundreds of requirements for each value takes as many.
const MOST_STEPS: u64 = 5_000_000;

/// The description of checks for which the steps did not suffice.
pub(crate) const TOO_MANY_STEPS: &str =
    "the rest of the object: to compare it with its schema takes more than five million steps";

/// Counts the steps of checks, and ends them if they are too many.
#[derive(Clone, Debug)]
pub(crate) struct Meter(Steps);

impl Default for Meter {
    fn default() -> Self {
        Self(Steps::new(MOST_STEPS))
    }
}

impl Meter {
    /// Spends steps.
    pub(crate) fn spend(&self, steps: usize) {
        self.0.spend(steps);
    }

    /// Spends the steps of reading a text.
    pub(crate) fn read(&self, bytes: usize) {
        self.0.read(bytes);
    }

    /// Spends the steps of reading a value.
    pub(crate) fn read_value(&self, value: &Value) {
        match value {
            Value::String(text) => self.read(text.len()),
            Value::Array(items) => items.iter().for_each(|item| self.read_value(item)),
            Value::Object(members) => members.iter().for_each(|(name, member)| {
                self.read(name.len());
                self.read_value(member);
            }),
            _ => {}
        }
        self.spend(1);
    }

    /// Continues with the remaining steps of another meter.
    pub(crate) fn set(&self, other: &Self) {
        self.0.set(&other.0);
    }

    /// Returns `true` if no steps are left: then nothing is known of the parts that were not checked.
    pub(crate) const fn is_spent(&self) -> bool {
        self.0.left() == 0
    }
}

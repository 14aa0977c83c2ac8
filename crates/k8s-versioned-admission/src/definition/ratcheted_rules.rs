//! The rules that an update of a definition may break, because the stored definition breaks them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A rule for new definitions, and for an update only if the stored definition fulfils it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ratcheted {
    /// The types of schemas are known.
    Types,
    /// Defaults have no unknown fields.
    PrunedDefaults,
    /// Items of sets are atomic.
    ItemsOfSets,
    /// Items of sets and maps are not nullable, and the keys of maps are required or have defaults.
    ItemsOfKeyedLists,
    /// One of the versions of `ConversionReview` is known.
    ReviewVersions,
}

/// The rules that a definition breaks, and those that it may break because the stored one does.
#[derive(Debug, Default)]
pub(super) struct Ratchet {
    broken: BTreeSet<Ratcheted>,
    allowed: BTreeSet<Ratcheted>,
    /// The schemas of the stored definition, by their versions.
    stored: BTreeMap<String, Value>,
}

impl Ratchet {
    /// What an update of a stored definition may break: the rules that the definition breaks, and its schemas.
    pub(super) fn after(stored: Self, schemas: impl IntoIterator<Item = (String, Value)>) -> Self {
        let stored_schemas = schemas.into_iter().collect();
        Self { broken: BTreeSet::new(), allowed: stored.broken, stored: stored_schemas }
    }

    /// Notes that a rule is broken. Returns `true` if that is a cause.
    pub(super) fn counts(&mut self, rule: Ratcheted) -> bool {
        self.broken.insert(rule);
        !self.allowed.contains(&rule)
    }

    /// Whether the schema of a version is the stored one. Servers do not estimate the cost of its rules again: estimates can
    /// differ between releases.
    pub(super) fn is_unchanged(&self, version: &str, schema: &Value) -> bool {
        self.stored.get(version) == Some(schema)
    }
}

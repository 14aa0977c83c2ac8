//! Objects that belong together.

use std::collections::BTreeMap;

use k8s_versioned::GroupVersion;
use serde_json::Value;

/// Objects that belong together, each under a name that the set's check knows: what was there, what happened
/// to it, and what a server made of it.
///
/// Members that are objects, or lists of objects, are objects of the API. They may leave out what they are;
/// then they are of the scenario's `apiVersion`.
#[derive(Clone, Debug)]
pub struct Scenario {
    api_version: Option<String>,
    members: BTreeMap<String, Value>,
}

impl Scenario {
    pub(super) fn new(api_version: Option<String>, members: BTreeMap<String, Value>) -> Self {
        Self { api_version, members }
    }

    /// The `apiVersion` of the objects that do not name theirs.
    pub fn api_version(&self) -> Option<&str> {
        self.api_version.as_deref()
    }

    /// A member by its name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// All members, except the name and the `apiVersion`.
    pub fn members(&self) -> &BTreeMap<String, Value> {
        &self.members
    }

    pub(super) fn group_version(&self) -> Option<GroupVersion<'_>> {
        GroupVersion::parse(self.api_version()?).ok()
    }
}

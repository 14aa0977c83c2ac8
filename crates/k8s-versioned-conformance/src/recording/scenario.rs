//! Objects that belong together.

use std::collections::BTreeMap;

use k8s_versioned::GroupVersion;
use serde_json::Value;

/// Objects that belong together, each under a name that the check of the set knows: for example the candidates of an
/// election, and the `Lease` that the server wrote.
///
/// Members that are objects, or lists of objects, are objects of the API. They may leave out `apiVersion` and `kind`;
/// then they have the scenario's `apiVersion`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scenario {
    /// The `apiVersion` of the objects that have none.
    pub api_version: Option<String>,
    /// All members, except the name and the `apiVersion`.
    pub members: BTreeMap<String, Value>,
}

impl Scenario {
    /// A member by its name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    pub(super) fn group_version(&self) -> Option<GroupVersion<'_>> {
        GroupVersion::parse(self.api_version.as_deref()?).ok()
    }
}

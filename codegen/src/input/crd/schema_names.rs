//! The names of the schemas that a server publishes for a kind.

use super::definition::{DefinedVersion, Definition};

/// The names of the schemas of a kind and of its list.
pub(super) struct SchemaNames {
    pub(super) schema: String,
    pub(super) list_schema: String,
}

impl SchemaNames {
    /// The group in reverse, the version, and the kind.
    pub(super) fn new(definition: &Definition, version: &DefinedVersion) -> Self {
        let reversed: Vec<_> = definition.group.rsplit('.').collect();
        let name = |kind: &str| format!("{}.{}.{kind}", reversed.join("."), version.name);
        Self { schema: name(&definition.kind), list_schema: name(&definition.list_kind) }
    }
}

//! CustomResourceDefinitions to the OpenAPI v3 documents that a server publishes for them.
//!
//! A server publishes one document for each served version of a group: the schema of each kind with the fields that
//! every object has, a list kind, and the operations. [`documents`] follows the same rules, so that a manifest and a
//! cluster give the same types.

mod manifest;
mod paths;
mod schema;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::spec::CUSTOM_RESOURCES;
use crate::{Files, Problems};

use manifest::{Definition, Version};

/// The schemas to which documents of custom resources refer, by their full names.
const SHARED: &str = include_str!("../../base/custom-resources.json");

/// The documents that a server publishes for the CustomResourceDefinitions in `manifests`: files of YAML or JSON, each
/// with any number of objects. Objects of other kinds do not count.
///
/// `shared` has the schemas to which every document refers, by their full names: metadata, `Status`, `DeleteOptions`.
///
/// # Errors
/// All manifests that cannot be read, and all definitions that a server would refuse.
pub fn documents(manifests: &Files, shared: &Map<String, Value>) -> Result<Files, Problems> {
    let mut documents: BTreeMap<String, Document> = BTreeMap::new();
    for definition in &manifest::read(manifests)? {
        for version in &definition.versions {
            let name = format!("apis__{}__{}_openapi.json", definition.group, version.name);
            documents.entry(name).or_default().add(definition, version);
        }
    }
    Ok(documents.into_iter().map(|(name, document)| (name, document.text(shared))).collect())
}

/// The schemas to which documents of custom resources refer, for [`documents`].
pub fn shared_schemas() -> Map<String, Value> {
    serde_json::from_str(SHARED).unwrap_or_default()
}

/// The document of one group and version.
#[derive(Default)]
struct Document {
    schemas: Map<String, Value>,
    paths: Map<String, Value>,
}

impl Document {
    fn add(&mut self, definition: &Definition, version: &Version) {
        let names = Names::of(definition, version);
        self.schemas.insert(names.schema.clone(), schema::of_kind(definition, version));
        self.schemas
            .insert(names.list_schema.clone(), schema::of_list(definition, version, &names.schema));
        paths::add(&mut self.paths, definition, version, &names);
    }

    fn text(mut self, shared: &Map<String, Value>) -> Vec<u8> {
        for (name, schema) in shared {
            self.schemas.entry(name.clone()).or_insert_with(|| schema.clone());
        }
        let document = json!({
            "openapi": "3.0.0",
            "info": { "title": CUSTOM_RESOURCES, "version": "v0.1.0" },
            "paths": self.paths,
            "components": { "schemas": self.schemas },
        });
        document.to_string().into_bytes()
    }
}

/// The names of the schemas of a kind and of its list.
struct Names {
    schema: String,
    list_schema: String,
}

impl Names {
    /// The group in reverse, the version, and the kind.
    fn of(definition: &Definition, version: &Version) -> Self {
        let reversed: Vec<_> = definition.group.rsplit('.').collect();
        let name = |kind: &str| format!("{}.{}.{kind}", reversed.join("."), version.name);
        Self { schema: name(&definition.kind), list_schema: name(&definition.list_kind) }
    }
}

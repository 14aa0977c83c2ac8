//! The schemas from which objects are made.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::DocumentError;
use crate::documents::{self, kinds};

/// The schemas of a folder of `OpenAPI` documents and `CustomResourceDefinition`s, such as `specs` of a generated package.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// The schemas by their names. A schema has the fields of all releases.
    schemas: BTreeMap<String, Value>,
    /// The name of the schema of an `apiVersion` and kind.
    kinds: BTreeMap<(String, String), String>,
}

impl Schemas {
    /// Reads the files that [`Documents::load`](crate::Documents::load) reads.
    ///
    /// # Errors
    ///
    /// The errors of [`Documents::load`](crate::Documents::load).
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, DocumentError> {
        let mut all = Self::default();
        for (_, document) in documents::load(folder.as_ref())?.into_values() {
            all.add_document(&document);
        }
        Ok(all)
    }

    fn add_document(&mut self, document: &Value) {
        let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
        for (name, schema) in schemas.into_iter().flatten() {
            self.kinds.extend(kinds(schema).map(|kind| (kind, name.clone())));
            let known = self.schemas.entry(name.clone()).or_insert_with(|| schema.clone());
            let known = known.get_mut("properties").and_then(Value::as_object_mut);
            let new = schema.get("properties").and_then(Value::as_object);
            if let (Some(known), Some(new)) = (known, new) {
                known.extend(new.clone());
            }
        }
    }

    /// The schema of a kind.
    pub(super) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Value> {
        let name = self.kinds.get(&(api_version.to_owned(), kind.to_owned()))?;
        self.schemas.get(name)
    }

    /// A schema by its name.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.schemas.get(name)
    }

    /// The schema that a reference names; the schema itself, if it is not a reference to an object.
    pub(super) fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = reference(schema).filter(|name| !has_own_text(name));
        name.and_then(|name| self.named(name)).unwrap_or(schema)
    }
}

/// The name of the schema to which a schema refers.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    let reference = schema.get("$ref").or_else(|| schema.pointer("/allOf/0/$ref"));
    reference?.as_str()?.strip_prefix("#/components/schemas/")
}

/// Returns `true` for the types that write their values in a way of their own.
fn has_own_text(name: &str) -> bool {
    let special = ["Quantity", "Time", "MicroTime", "RawExtension", "ObjectMeta"];
    name.rsplit('.').next().is_some_and(|last| special.contains(&last))
}

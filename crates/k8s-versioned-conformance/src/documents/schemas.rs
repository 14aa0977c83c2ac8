//! The schemas of a document.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jsonschema::{Draft, ValidationError, Validator};
use k8s_versioned::{TypeMeta, pointer};
use serde_json::{Value, json};

use super::Document;

/// The schemas of kinds in a document.
#[derive(Debug)]
pub(super) struct Schemas {
    by_kind: BTreeMap<(String, String), Schema>,
}

/// The schema of a kind. It is compiled on first use.
#[derive(Debug)]
pub(crate) struct Schema {
    name: String,
    components: Arc<Value>,
    validator: OnceLock<Result<Validator, ValidationError<'static>>>,
}

impl Schemas {
    pub(super) fn of(mut document: Value) -> Self {
        let components = document.get_mut("components").map(Value::take);
        let components = Arc::new(components.unwrap_or_default());
        let schemas = components.get("schemas").and_then(Value::as_object);
        let mut by_kind = BTreeMap::new();
        for (name, schema) in schemas.into_iter().flatten() {
            for kind in kinds(schema) {
                by_kind.entry(kind).or_insert_with(|| Schema {
                    name: name.clone(),
                    components: Arc::clone(&components),
                    validator: OnceLock::new(),
                });
            }
        }
        Self { by_kind }
    }

    fn find(&self, api_version: &str, kind: &str) -> Option<&Schema> {
        self.by_kind.get(&(api_version.to_owned(), kind.to_owned()))
    }
}

impl Document {
    /// The schema of a body's kind.
    pub(crate) fn schema_of(&self, body: &Value) -> Option<&Schema> {
        let of = TypeMeta::of(body).ok()?;
        self.schemas.find(&of.api_version, &of.kind)
    }
}

impl Schema {
    /// The name of the schema in the document.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The validator of objects of the kind.
    pub(crate) fn validator(&self) -> Result<&Validator, &ValidationError<'static>> {
        self.validator.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Result<Validator, ValidationError<'static>> {
        let place = pointer::child("#/components/schemas", &self.name);
        // `allOf`: the draft that OpenAPI 3.0 is based on ignores members beside a `$ref`.
        let root = json!({ "allOf": [{ "$ref": place }], "components": *self.components });
        jsonschema::options()
            .with_draft(Draft::Draft4)
            .should_validate_formats(true)
            .offline()
            .build(&root)
    }
}

/// The `apiVersion` and `kind` of the objects that a schema describes.
fn kinds(schema: &Value) -> impl Iterator<Item = (String, String)> {
    let kinds = schema.get("x-kubernetes-group-version-kind");
    let kinds = kinds.and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(|kind| {
        let member = |name| kind.get(name).and_then(Value::as_str);
        let (group, version) = (member("group")?, member("version")?);
        let api_version =
            if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        Some((api_version, member("kind")?.to_owned()))
    })
}

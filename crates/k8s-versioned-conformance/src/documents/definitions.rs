//! The documents that servers publish for `CustomResourceDefinition`s, as far as checks and walks need them.

use std::path::Path;
use std::slice;

use k8s_versioned::verb::Verb;
use serde_json::{Map, Value, json};

use super::DocumentError;

/// The title of a document of custom resources.
pub(super) const TITLE: &str = "Kubernetes CRD Swagger";

const COLLECTION: [Verb; 3] = [Verb::LIST, Verb::CREATE, Verb::DELETE_COLLECTION];
const SUBRESOURCE: [Verb; 3] = [Verb::GET, Verb::REPLACE, Verb::PATCH];
const OBJECT: [Verb; 4] = [Verb::GET, Verb::REPLACE, Verb::PATCH, Verb::DELETE];

/// The kinds of one group and version.
#[derive(Debug, Default)]
pub(super) struct Published {
    paths: Map<String, Value>,
    schemas: Map<String, Value>,
}

/// The objects in a file of YAML.
pub(super) fn read(path: &Path, text: &[u8]) -> Result<Vec<Value>, DocumentError> {
    serde_saphyr::from_slice_multiple(text)
        .map_err(|error| DocumentError::Yaml { path: path.to_owned(), reason: error.to_string() })
}

/// The versions of the definitions among objects: the beginning of the name of their document, such as
/// `apis__example.com__v1`, the `spec` of the definition, and the version in it. A list has its items.
pub(super) fn versions(objects: &[Value]) -> impl Iterator<Item = (String, &Value, &Value)> {
    let items = |object| match Value::get(object, "items").and_then(Value::as_array) {
        Some(items) => items.as_slice(),
        None => slice::from_ref(object),
    };
    let is_definition = |object: &&Value| text_at(object, "/kind") == "CustomResourceDefinition";
    let definitions = objects.iter().flat_map(items).filter(is_definition);
    definitions.filter_map(|definition| definition.get("spec")).flat_map(|spec| {
        let versions = spec.get("versions").and_then(Value::as_array);
        versions.into_iter().flatten().map(move |version| {
            let (group, name) = (text_at(spec, "/group"), text_at(version, "/name"));
            (format!("apis__{group}__{name}"), spec, version)
        })
    })
}

impl Published {
    /// Adds a version of a definition.
    pub(super) fn add(&mut self, spec: &Value, version: &Value) {
        let Some(schema) = version.pointer("/schema/openAPIV3Schema") else { return };
        let (group, name) = (text_at(spec, "/group"), text_at(version, "/name"));
        self.add_schemas(spec, name, schema);
        let root = format!("/apis/{group}/{name}");
        let plural = text_at(spec, "/names/plural");
        let collection = if text_at(spec, "/scope") == "Namespaced" {
            self.paths.insert(format!("{root}/{plural}"), operations(&[Verb::LIST]));
            format!("{root}/namespaces/{{namespace}}/{plural}")
        } else {
            format!("{root}/{plural}")
        };
        let object = format!("{collection}/{{name}}");
        for subresource in ["status", "scale"] {
            if version.pointer(&format!("/subresources/{subresource}")).is_some() {
                self.paths.insert(format!("{object}/{subresource}"), operations(&SUBRESOURCE));
            }
        }
        self.paths.insert(collection, operations(&COLLECTION));
        self.paths.insert(object, operations(&OBJECT));
    }

    /// Adds the schemas of the kind and of its list.
    fn add_schemas(&mut self, spec: &Value, version: &str, schema: &Value) {
        let group = text_at(spec, "/group");
        let reversed: Vec<&str> = group.rsplit('.').collect();
        let schema_name = |kind: &str| format!("{}.{version}.{kind}", reversed.join("."));
        let kind = text_at(spec, "/names/kind");
        let list_kind = spec.pointer("/names/listKind").and_then(Value::as_str);
        let list_kind = list_kind.map_or_else(|| format!("{kind}List"), str::to_owned);
        let item = json!({ "$ref": format!("#/components/schemas/{}", schema_name(kind)) });
        let list = json!({
            "type": "object", "required": ["items"],
            "properties": { "items": { "type": "array", "items": item } },
        });
        for (kind, mut schema) in [(kind, schema.clone()), (&list_kind, list)] {
            if let Some(members) = schema.as_object_mut() {
                let kinds = json!([{ "group": group, "kind": kind, "version": version }]);
                members.insert("x-kubernetes-group-version-kind".to_owned(), kinds);
            }
            self.schemas.insert(schema_name(kind), schema);
        }
    }

    /// The document of the group and version.
    pub(super) fn into_document(self) -> Value {
        json!({
            "info": { "title": TITLE },
            "paths": self.paths,
            "components": { "schemas": self.schemas },
        })
    }
}

/// The operations on a path, each with the status codes that servers publish.
fn operations(verbs: &[Verb]) -> Value {
    let operation = |verb: &Verb| {
        let codes = verb.of_custom_resources().successes.iter().chain(&[401]);
        let responses: Map<_, _> = codes.map(|code| (code.to_string(), json!({}))).collect();
        (verb.method.to_lowercase(), json!({ "responses": responses }))
    };
    verbs.iter().map(operation).collect::<Map<_, _>>().into()
}

fn text_at<'v>(of: &'v Value, pointer: &str) -> &'v str {
    of.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

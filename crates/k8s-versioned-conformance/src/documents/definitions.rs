//! The documents that servers publish for `CustomResourceDefinition`s, as far as checks and walks need them.

use std::path::Path;

use k8s_versioned::verb::Verb;
use k8s_versioned_source::{ReadLimits, documents};
use serde_json::{Map, Value, json};

use super::error::DocumentError;

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

/// The definitions among the objects in a file of YAML. A list is its items.
pub(super) fn read(path: &Path, text: &[u8]) -> Result<Vec<Value>, DocumentError> {
    let mut objects = Vec::new();
    for tree in documents(path.to_string_lossy(), text, &ReadLimits::MANIFESTS) {
        let mut tree = tree.map_err(|errors| DocumentError::Yaml {
            path: path.to_owned(),
            reason: errors.to_string(),
        })?;
        let definitions = tree.definitions();
        objects.extend(definitions.into_iter().map(|object| tree.value(object.node).to_json()));
    }
    Ok(objects)
}

/// Definitions by their names.
pub(super) fn all(definitions: Vec<Value>) -> impl Iterator<Item = (String, Value)> {
    definitions.into_iter().map(|definition| {
        let part = |pointer| text_at(&definition, pointer);
        (format!("{}.{}", part("/spec/names/plural"), part("/spec/group")), definition)
    })
}

/// The versions of definitions that servers publish: the beginning of the name of their document, such as
/// `apis__example.com__v1`, the `spec` of the definition, and the version in it. A definition without a served version is kept for
/// its old versions: all of them count.
pub(super) fn versions(definitions: &[Value]) -> impl Iterator<Item = (String, &Value, &Value)> {
    definitions.iter().filter_map(|definition| definition.get("spec")).flat_map(|spec| {
        let versions = spec.get("versions").and_then(Value::as_array).map(Vec::as_slice);
        let versions = versions.unwrap_or_default();
        let is_served = |version: &Value| version.get("served") == Some(&Value::Bool(true));
        let all = !versions.iter().any(is_served);
        versions.iter().filter(move |version| all || is_served(version)).map(move |version| {
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
            let written = version.pointer(&format!("/subresources/{subresource}"));
            if written.is_some_and(|written| !written.is_null()) {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Published, read, versions};

    /// The versions and their paths of a definition with these versions.
    fn paths(versions_text: &str) -> Vec<(String, usize)> {
        let text = format!(
            "kind: CustomResourceDefinition\nspec: {{group: example.com, scope: Cluster, names: {{kind: Widget, plural: widgets}}, \
             versions: [{versions_text}]}}"
        );
        let objects = read(Path::new("a.yaml"), text.as_bytes()).unwrap();
        let paths = versions(&objects).map(|(name, spec, version)| {
            let mut published = Published::default();
            published.add(spec, version);
            (name, published.paths.len())
        });
        paths.collect()
    }

    #[test]
    fn a_server_publishes_what_it_serves() {
        let version = |name: &str, more: &str| {
            format!("{{name: {name}, schema: {{openAPIV3Schema: {{type: object}}}}, {more}}}")
        };
        let published = |versions: &[String]| paths(&versions.join(", "));
        let document = |version: &str, paths| (format!("apis__example.com__{version}"), paths);
        let (old, new) = (version("v1beta1", "served: false"), version("v1", "served: y"));
        assert_eq!(published(&[old.clone(), new]), [document("v1", 2)]);
        assert_eq!(published(&[old]), [document("v1beta1", 2)]);
        let none = version("v1", "served: true, subresources: {status: null}");
        assert_eq!(published(&[none]), [document("v1", 2)]);
        let status = version("v1", "served: true, subresources: {status: {}}");
        assert_eq!(published(&[status]), [document("v1", 3)]);
    }

    #[test]
    fn a_number_is_the_one_of_the_generator() {
        let text = b"kind: CustomResourceDefinition\nmaximum: 010";
        let definitions = read(Path::new("a.yaml"), text).unwrap();
        assert_eq!(definitions[0]["maximum"], 8);
    }
}

//! The operations on a kind, as a server publishes them.

use std::collections::BTreeMap;

use k8s_versioned_names::verb::Verb;
use serde_json::{Map, Value, json};

use super::SchemaNames;
use super::definition::{Definition, ServedVersion};
use super::schema::{META, reference};
use crate::spec::parameter_type;
use crate::text::capital;

/// The schema of the body of the subresource `scale`.
const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

const JSON_AND_YAML: [&str; 2] = ["application/json", "application/yaml"];

/// Parameters by their names, each with its type.
type Parameters = BTreeMap<&'static str, &'static str>;

/// A parameter that all paths have.
const PRETTY: (&str, &str) = ("pretty", "string");

/// Adds the paths of a kind.
pub(super) fn add(
    paths: &mut Map<String, Value>,
    definition: &Definition,
    version: &ServedVersion,
    names: &SchemaNames,
) {
    let root = format!("/apis/{}/{}", definition.group, version.name);
    let plural = &definition.plural;
    let scope = if definition.namespaced { "Namespaced" } else { "" };
    let on = KindOperations { definition, version, scope };
    let (collection, place): (_, &[&str]) = if definition.namespaced {
        paths.insert(format!("{root}/{plural}"), on.all_namespaces(&names.list_schema));
        (format!("{root}/namespaces/{{namespace}}/{plural}"), &["namespace"])
    } else {
        (format!("{root}/{plural}"), &[])
    };
    paths.insert(collection.clone(), on.collection(names, place));
    let object = format!("{collection}/{{name}}");
    let place = &[&["name"], place].concat();
    for (subresource, id, schema, is_served) in [
        ("/status", "Status", names.schema.as_str(), version.has_status),
        ("/scale", "Scale", SCALE, version.has_scale),
    ] {
        if is_served {
            paths.insert(format!("{object}{subresource}"), on.subresource(schema, place, id));
        }
    }
    paths.insert(object, on.object(&names.schema, place));
}

/// The operations on one kind.
struct KindOperations<'a> {
    definition: &'a Definition,
    version: &'a ServedVersion,
    /// The word for the scope in the names of operations.
    scope: &'static str,
}

impl KindOperations<'_> {
    fn all_namespaces(&self, list: &str) -> Value {
        let mut verb = Verb::LIST.of_custom_resources();
        let mut of_path = parameters(&verb);
        of_path.extend([PRETTY]);
        verb.parameters = &[];
        json!({
            "get": self.operation(("list", "", "ForAllNamespaces"), verb, list),
            "parameters": query(&of_path),
        })
    }

    fn collection(&self, names: &SchemaNames, place: &[&str]) -> Value {
        let SchemaNames { schema, list_schema } = names;
        let (list, create) = (Verb::LIST.of_custom_resources(), Verb::CREATE.of_custom_resources());
        let delete = Verb::DELETE_COLLECTION.of_custom_resources();
        let post = self.operation(("create", self.scope, ""), create, schema);
        let all = format!("Collection{}", self.scope);
        json!({
            "get": self.operation(("list", self.scope, ""), list, list_schema),
            "post": with_body(post, schema, create.media_types),
            "delete": self.operation(("delete", &all, ""), delete, &format!("{META}.Status")),
            "parameters": path(place),
        })
    }

    fn object(&self, schema: &str, place: &[&str]) -> Value {
        let (status, options) = (format!("{META}.Status"), format!("{META}.DeleteOptions"));
        let verb = Verb::DELETE.of_custom_resources();
        let delete = self.operation(("delete", self.scope, ""), verb, &status);
        let body = json!({ "content": content(&options, verb.media_types) });
        with(self.subresource(schema, place, ""), "delete", with(delete, "requestBody", body))
    }

    /// The operations that an object and its subresources share.
    fn subresource(&self, schema: &str, place: &[&str], name: &str) -> Value {
        let [get, replace, patch] =
            [Verb::GET, Verb::REPLACE, Verb::PATCH].map(Verb::of_custom_resources);
        let put = self.operation(("replace", self.scope, name), replace, schema);
        let changed = self.operation(("patch", self.scope, name), patch, schema);
        json!({
            "get": self.operation(("read", self.scope, name), get, schema),
            "put": with_body(put, schema, replace.media_types),
            "patch": with_body(changed, &format!("{META}.Patch"), patch.media_types),
            "parameters": path(place),
        })
    }

    /// An operation. `id` has the parts of its name: the verb, the words before the kind, and those after it.
    fn operation(&self, id: (&str, &str, &str), verb: Verb, answer: &str) -> Value {
        let Definition { group, kind, .. } = self.definition;
        let response = json!({ "content": content(answer, &JSON_AND_YAML) });
        let mut responses: Map<_, _> =
            verb.successes.iter().map(|code| (code.to_string(), response.clone())).collect();
        responses.insert("401".to_owned(), json!({}));
        let (begin, before, after) = id;
        let of = camel(group.strip_suffix(".k8s.io").unwrap_or(group));
        let version = camel(&self.version.name);
        let operation = json!({
            "operationId": format!("{begin}{of}{version}{before}{kind}{after}"),
            "responses": responses,
            "x-kubernetes-action": verb.action,
            "x-kubernetes-group-version-kind": {
                "group": group, "kind": kind, "version": self.version.name,
            },
        });
        let parameters = parameters(&verb);
        if parameters.is_empty() {
            return operation;
        }
        with(operation, "parameters", query(&parameters).into())
    }
}

/// The words of a name, each with a capital.
fn camel(name: &str) -> String {
    name.split(['.', '-']).map(capital).collect()
}

fn with_body(operation: Value, schema: &str, media_types: &[&str]) -> Value {
    let body = json!({ "content": content(schema, media_types), "required": true });
    with(operation, "requestBody", body)
}

/// An object with one more member.
fn with(mut object: Value, key: &str, value: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.insert(key.to_owned(), value);
    }
    object
}

fn content(schema: &str, media_types: &[&str]) -> Value {
    let body = json!({ "schema": reference(schema) });
    media_types.iter().map(|media_type| ((*media_type).to_owned(), body.clone())).collect()
}

fn parameters(verb: &Verb) -> Parameters {
    verb.parameters().map(|it| (it.name, parameter_type(it.of_type))).collect()
}

fn query(parameters: &Parameters) -> Vec<Value> {
    let parameter = |(name, of_type): (&&str, &&str)| json!({ "in": "query", "name": name, "schema": { "type": of_type, "uniqueItems": true } });
    parameters.iter().map(parameter).collect()
}

/// The parameters of a path.
fn path(names: &[&str]) -> Vec<Value> {
    let schema = json!({ "type": "string", "uniqueItems": true });
    let in_path =
        |name: &&str| json!({ "in": "path", "name": name, "required": true, "schema": schema });
    names.iter().map(in_path).chain(query(&Parameters::from([PRETTY]))).collect()
}

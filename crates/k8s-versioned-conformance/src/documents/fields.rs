//! The fields of an object that its schema does not have.

use k8s_versioned_core::nearest::nearest_field;
use serde_json::{Map, Value};

/// The fields that every object has.
const OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A field that a schema does not have.
#[derive(Debug, PartialEq)]
pub(super) struct UnknownField {
    /// Its place, written as servers write it.
    pub(super) path: String,
    /// The field that is nearest by name.
    pub(super) near: Option<String>,
}

/// A schema of a value, or a schema that it refers to.
#[derive(Clone, Copy)]
struct Node<'a> {
    schema: &'a Value,
    /// `true` if a server drops what the schema does not name, also if it names nothing. So it is in the schema of a
    /// definition; an object without fields in another schema may have any.
    closed: bool,
}

/// Walks through an object with its schemas.
struct Walk<'a> {
    components: &'a Value,
    unknown: Vec<UnknownField>,
}

/// The unknown fields of an object with a schema of the components; `custom` for the schema of a definition.
pub(super) fn unknown(
    components: &Value,
    schema: &str,
    custom: bool,
    object: &Value,
) -> Vec<UnknownField> {
    let mut walk = Walk { components, unknown: Vec::new() };
    if let Some(schema) = walk.schema(schema) {
        let nodes = walk.nodes([Node { schema, closed: custom }]);
        walk.value(&nodes, object, "", true);
    }
    walk.unknown
}

impl<'a> Walk<'a> {
    fn schema(&self, name: &str) -> Option<&'a Value> {
        self.components.get("schemas")?.get(name)
    }

    /// The schemas, those to which they refer, and those that also hold. A schema refers to itself only through fields.
    fn nodes(&self, of: impl IntoIterator<Item = Node<'a>>) -> Vec<Node<'a>> {
        let mut nodes: Vec<Node<'a>> = of.into_iter().collect();
        let mut next = 0;
        while let Some(Node { schema, closed }) = nodes.get(next).copied() {
            next += 1;
            let logic = ["allOf", "anyOf", "oneOf"].into_iter();
            let parts = logic.filter_map(|logic| schema.get(logic)?.as_array()).flatten();
            nodes.extend(parts.map(|schema| Node { schema, closed }));
            let name = schema.get("$ref").and_then(Value::as_str);
            let name = name.and_then(|name| name.strip_prefix("#/components/schemas/"));
            if let Some(schema) = name.and_then(|name| self.schema(name)) {
                let is_seen = nodes.iter().any(|node| std::ptr::eq(node.schema, schema));
                nodes.extend((!is_seen).then_some(Node { schema, closed: false }));
            }
        }
        nodes
    }

    fn value(&mut self, nodes: &[Node<'a>], value: &Value, path: &str, is_root: bool) {
        match value {
            Value::Array(items) => {
                let of_items = self.nodes(members(nodes, "items"));
                for (index, item) in items.iter().enumerate() {
                    self.value(&of_items, item, &format!("{path}[{index}]"), false);
                }
            }
            Value::Object(members) => self.fields(nodes, members, path, is_root),
            _ => {}
        }
    }

    fn fields(
        &mut self,
        nodes: &[Node<'a>],
        fields: &Map<String, Value>,
        path: &str,
        is_root: bool,
    ) {
        let says =
            |keyword| nodes.iter().any(|node| node.schema.get(keyword) == Some(&true.into()));
        let has_own = is_root || says("x-kubernetes-embedded-resource");
        let is_open = says("x-kubernetes-preserve-unknown-fields")
            || says("additionalProperties")
            || !nodes.iter().any(is_closed);
        let properties: Vec<Node<'a>> = members(nodes, "properties").collect();
        let additional = self.nodes(members(nodes, "additionalProperties"));
        for (name, value) in fields {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let of_field = self.nodes(members(&properties, name));
            let known = if of_field.is_empty() { &additional } else { &of_field };
            if known.iter().any(|node| node.schema.is_object()) {
                self.value(known, value, &path, false);
            } else if !(is_open || has_own && OBJECT.contains(&name.as_str())) {
                let own = OBJECT.into_iter().filter(|_| has_own);
                let names = properties.iter().filter_map(|node| node.schema.as_object());
                let names = names.flat_map(Map::keys).map(String::as_str).chain(own);
                let near = nearest_field(name, names.filter(|near| !fields.contains_key(*near)));
                self.unknown.push(UnknownField { near: near.map(str::to_owned), path });
            }
        }
    }
}

/// The values of a member of the schemas.
fn members<'a>(nodes: &[Node<'a>], name: &str) -> impl Iterator<Item = Node<'a>> {
    nodes.iter().filter_map(move |node| Some(Node { schema: node.schema.get(name)?, ..*node }))
}

/// Returns `true` if an object with the schema has no other fields.
fn is_closed(node: &Node<'_>) -> bool {
    let is_object = || match node.schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|of| of == "object"),
        of => of.is_some_and(|of| of == "object"),
    };
    node.schema.get("properties").is_some() || node.closed && is_object()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{UnknownField, unknown};

    /// The unknown fields of an object of a definition with the schema, each with the nearest one.
    fn found(schema: &Value, object: &Value) -> Vec<(String, Option<String>)> {
        let shared =
            json!({"type": "object", "properties": {"free": {"type": "object"}, "name": {}}});
        let components = json!({"schemas": {"a": schema, "shared": shared}});
        let found = unknown(&components, "a", true, object).into_iter();
        found.map(|UnknownField { path, near }| (path, near)).collect()
    }

    #[test]
    fn fields_that_a_schema_does_not_have() {
        let of = |schema: Value| json!({"type": "object", "properties": {"spec": schema}});
        let size = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
        let shared = json!({"allOf": [{"$ref": "#/components/schemas/shared"}]});
        let mut keeps = size.clone();
        keeps["x-kubernetes-preserve-unknown-fields"] = true.into();
        let mut embeds = size.clone();
        embeds["x-kubernetes-embedded-resource"] = true.into();
        let nullable = json!({"type": ["object", "null"], "properties": {"size": {}}});
        let one_of = json!({
            "type": "object", "properties": {"a": {}, "b": {}},
            "anyOf": [{"required": ["a"]}, {"properties": {"b": {"minimum": 1}}}],
        });
        let refused =
            |field: &str, near: Option<&str>| Some((field.to_owned(), near.map(str::to_owned)));
        for (schema, spec, expected) in [
            (&size, json!({"size": 1}), None),
            (&size, json!({"sise": 1}), refused("spec.sise", Some("size"))),
            (&size, json!({"size": 1, "sise": 1}), refused("spec.sise", None)),
            (&size, json!({"colour": null}), refused("spec.colour", None)),
            (&size, json!({"kind": 1}), refused("spec.kind", None)),
            (&nullable, json!({"colour": 1}), refused("spec.colour", None)),
            (&keeps, json!({"colour": {"a": 1}}), None),
            (&embeds, json!({"apiVersion": "v1", "kind": "A", "metadata": {"a": 1}}), None),
            (&embeds, json!({"colour": 1}), refused("spec.colour", None)),
            (&json!({"type": "object"}), json!({"a": 1}), refused("spec.a", None)),
            (&json!({"x-kubernetes-int-or-string": true}), json!({"a": 1}), None),
            (&json!({"type": "string"}), json!({"a": 1}), None),
            (
                &json!({"type": "array", "items": size}),
                json!([{}, {"b": 1}]),
                refused("spec[1].b", None),
            ),
            (
                &json!({"type": "object", "additionalProperties": size}),
                json!({"any": {"b": 1}}),
                refused("spec.any.b", None),
            ),
            (
                &json!({"type": "object", "additionalProperties": true}),
                json!({"a": {"b": 1}}),
                None,
            ),
            (&shared, json!({"free": {"a": 1}, "name": "a"}), None),
            (&shared, json!({"nam": "a"}), refused("spec.nam", Some("name"))),
            (&one_of, json!({"a": 1, "b": 2, "c": 3}), refused("spec.c", None)),
        ] {
            let object = json!({"apiVersion": "v1", "kind": "A", "metadata": {}, "spec": spec});
            let expected: Vec<_> = expected.into_iter().collect();
            assert_eq!(found(&of(schema.clone()), &object), expected, "{schema} {spec}");
        }
        let object = json!({"specs": {}, "metadata": {"lables": {}}});
        let mut schema = of(size);
        schema["properties"]["metadata"] = shared;
        let expected = [("metadata.lables", None), ("specs", Some("spec".to_owned()))];
        assert_eq!(found(&schema, &object), expected.map(|(path, near)| (path.to_owned(), near)));
    }
}

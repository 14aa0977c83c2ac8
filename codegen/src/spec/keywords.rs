//! The keywords of schemas, as far as the generator knows them.

use serde_json::{Map, Value};

/// The prefix of a reference to a schema.
pub(crate) const REFERENCE: &str = "#/components/schemas/";

/// The types of values that schemas have.
pub(crate) const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// The keyword that keeps the members of an object that its schema does not name.
pub(crate) const KEEPS_UNKNOWN: &str = "x-kubernetes-preserve-unknown-fields";

/// The keywords that cannot change a Rust type, apart from [`KEEPS_UNKNOWN`]. They are facts of the model, and so is the `format` of a
/// text of a custom resource.
pub(crate) const FACTS: [&str; 24] = [
    // Servers check them. A value that breaks them still has its type, and a later release may relax them.
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
    "x-kubernetes-validations",
    // They combine checks. Structural schemas state every field and type outside of them.
    "anyOf",
    "not",
    "oneOf",
    // Known words make an open enum, which also holds any other word.
    "enum",
    // Texts for readers.
    "example",
    "externalDocs",
    "title",
    // It says which fields a list can select by.
    "x-kubernetes-selectable-fields",
    // The fields of the objects are among the properties.
    "x-kubernetes-embedded-resource",
    KEEPS_UNKNOWN,
];

/// The prefixes of the names of schemas that all groups share.
const SHARED: [&str; 2] = ["io.k8s.apimachinery.pkg.", "io.k8s.api.autoscaling.v1.Scale"];

/// Returns `true` for a schema that all groups share. It is built in, in every document.
pub(crate) fn is_shared(schema: &str) -> bool {
    SHARED.iter().any(|prefix| schema.starts_with(prefix))
}

/// Returns `true` if a schema has the keyword with the value `true`.
pub(crate) fn flag(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// Returns `true` for a whole number or a text.
pub(crate) fn is_int_or_string(schema: &Value) -> bool {
    flag(schema, "x-kubernetes-int-or-string")
        || schema.get("type").is_none()
            && schema.get("format").is_some_and(|format| format == "int-or-string")
}

/// The schemas in the value of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nested {
    /// The value is an object, and each of its members is a schema.
    Members,
    /// The value is a schema, or an array of schemas.
    Itself,
}

impl Nested {
    /// The schemas in the value of a keyword: the one place that knows which keywords have schemas.
    pub(crate) fn for_keyword(keyword: &str) -> Option<Self> {
        match keyword {
            "properties" | "patternProperties" => Some(Self::Members),
            "additionalItems"
            | "additionalProperties"
            | "allOf"
            | "anyOf"
            | "items"
            | "not"
            | "oneOf" => Some(Self::Itself),
            _ => None,
        }
    }
}

/// Calls `visit` with the schemas in a schema, and then with the schema itself, for which the last argument is `true`.
pub(crate) fn walk(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>, bool)) {
    walk_inside(schema, true, visit);
}

fn walk_inside(
    schema: &mut Value,
    outermost: bool,
    visit: &mut impl FnMut(&mut Map<String, Value>, bool),
) {
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, value) in members.iter_mut() {
        match (Nested::for_keyword(keyword), value) {
            (Some(Nested::Members), Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| walk_inside(schema, false, visit));
            }
            (Some(Nested::Itself), Value::Array(schemas)) => {
                for schema in schemas {
                    walk_inside(schema, false, visit);
                }
            }
            (Some(Nested::Itself), schema) => walk_inside(schema, false, visit),
            _ => {}
        }
    }
    visit(members, outermost);
}

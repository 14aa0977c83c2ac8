//! The JSON Schema of `conversions.toml`, for editors: the keys of each kind of rule, from its [`RuleKind`].

use serde_json::{Map, Value, json};

use super::rule::{Key, RuleKind, Shape};
use crate::gather::Gather;

/// The JSON Schema of `conversions.toml`, for editors.
pub fn rules_schema() -> Value {
    let kind = properties(&[
        ("kind", text("The name of the kind.")),
        ("group", text("The API group, in a package of several.")),
        ("versions", names("The versions between which objects are converted.")),
        ("annotation", text("The key of the annotations that keep what a version cannot hold.")),
        ("servers", text("How the conversions of servers differ from these, for the page.")),
        ("field", list(&field_rule())),
        ("required", list(&required_rule())),
        ("lossless", list(&lossless_rule())),
        ("adopt", list(&adopt_rule())),
    ]);
    let kinds = list(&object(&kind, &["kind", "versions"], &[]));
    let shared = properties(&[
        ("kinds", names("The kinds that share the rules; each has a `[[kind]]`.")),
        ("versions", names("The versions, for paths in their order.")),
        ("under", under()),
        ("field", list(&field_rule())),
        ("adopt", list(&adopt_rule())),
    ]);
    let shared = list(&object(&shared, &["kinds"], &[]));
    let mut schema = object(&properties(&[("kind", kinds), ("shared", shared)]), &[], &[]);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        schema.insert("title".to_owned(), json!("The conversions between the versions of kinds"));
    }
    schema
}

/// A table `[[kind.field]]`. A key belongs to the rules that have it.
fn field_rule() -> Value {
    const NAMES: &str = "The path of the field in each version that has it: a table by version, a list in the order of `versions` with an empty text for a version that lacks it, or one text for all versions. `[]` follows the name of a list or map.";
    let rules = RuleKind::all();
    let choices: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "const": rule.name, "description": format!("{} {}", rule.meaning, rule.takes) }))
        .collect();
    let mut field = properties(&[
        ("names", names_of_fields(NAMES)),
        ("reason", reason()),
        ("rule", json!({ "oneOf": choices })),
    ]);
    let keys = || rules.iter().flat_map(|rule| rule.keys);
    field.extend(keys().map(|key| (key.name.to_owned(), value(key))));
    let conditions: Vec<Value> = keys().map(of_rules).collect();
    object(&field, &["rule", "names"], &conditions)
}

/// A table `[[kind.required]]`.
fn required_rule() -> Value {
    let required =
        json!({ "type": "boolean", "description": "Whether servers reject an empty value." });
    let rule = properties(&[
        ("names", paths("The path of the field in each version.")),
        ("required", required),
        ("reason", reason()),
    ]);
    object(&rule, &["names", "required", "reason"], &[])
}

/// A table `[[kind.lossless]]`.
fn lossless_rule() -> Value {
    let rule = properties(&[
        ("part", text("The path of the part, such as `spec`.")),
        ("versions", names("The versions in which the part is the same.")),
        ("reason", reason()),
    ]);
    object(&rule, &["part", "versions", "reason"], &[])
}

/// A table `[[kind.adopt]]`.
fn adopt_rule() -> Value {
    const FIELDS: &str = "The paths of several fields, by the places of their values in the JSON: names with dots between them, `*` for the only member of an object.";
    let write = json!({ "type": "boolean", "description": "Whether conversions also write it, so that the earlier webhook can take over again." });
    let rule = properties(&[
        ("annotation", text("The key of an annotation in which an earlier webhook kept values.")),
        (
            "version",
            text(
                "The version of the values. A whole object can name another one in its `apiVersion`.",
            ),
        ),
        (
            "field",
            text(
                "The path of the field whose value it is. Without `field` and `fields`, it is a whole object.",
            ),
        ),
        ("fields", paths(FIELDS)),
        ("write", write),
    ]);
    object(&rule, &["annotation", "version"], &[])
}

fn reason() -> Value {
    text("The evidence for the rule.")
}

fn names(meaning: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "description": meaning })
}

/// The values of a key.
fn value(key: &Key) -> Value {
    let of = |schema: Value| json!({ "type": "object", "additionalProperties": schema });
    let mut value = match key.shape {
        Shape::Words => {
            of(json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }))
        }
        Shape::Patterns => {
            json!({ "type": "array", "items": of(json!({ "type": "object" })), "minItems": 1 })
        }
        Shape::Values => of(json!({ "type": ["string", "number", "boolean"] })),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Any => json!({}),
        Shape::Text => json!({ "type": "string" }),
    };
    if let Some(value) = value.as_object_mut() {
        value.insert("description".to_owned(), json!(key.meaning));
    }
    value
}

/// The condition that an object with a key has one of its rules.
fn of_rules(key: &Key) -> Value {
    let rules = RuleKind::all().iter();
    let has = |rule: &&&RuleKind| rule.keys.iter().any(|other| other.name == key.name);
    let names: Vec<&str> = rules.filter(has).map(|rule| rule.name).collect();
    json!({ "if": { "required": [key.name] }, "then": { "properties": { "rule": { "enum": names } } } })
}

fn properties(properties: &[(&str, Value)]) -> Map<String, Value> {
    properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).gather()
}

fn object(properties: &Map<String, Value>, required: &[&str], all: &[Value]) -> Value {
    let mut object =
        json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let Some(object) = object.as_object_mut() {
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
        if !all.is_empty() {
            object.insert("allOf".to_owned(), json!(all));
        }
    }
    object
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text(meaning: &str) -> Value {
    json!({ "type": "string", "description": meaning })
}

fn paths(meaning: &str) -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" }, "minProperties": 1, "description": meaning })
}

/// The objects in which shared rules are.
fn under() -> Value {
    const UNDER: &str =
        "The objects in which the paths of the rules begin: each in a form of `names`.";
    json!({ "type": "array", "items": names_of_fields(UNDER), "description": UNDER })
}

/// Paths by version; in the order of the versions; or one for all versions.
fn names_of_fields(meaning: &str) -> Value {
    let path = json!({ "type": "string" });
    json!({
        "type": ["object", "array", "string"], "additionalProperties": path, "items": path, "minProperties": 1,
        "description": meaning,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{RuleKind, rules_schema};
    use crate::rules::read_conversions;

    #[test]
    fn the_schema_takes_the_good_cases() {
        let schema = jsonschema::validator_for(&rules_schema()).unwrap();
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/good");
        let mut count = 0;
        for case in fs::read_dir(good).unwrap().map(Result::unwrap) {
            let Ok(text) = fs::read_to_string(case.path().join("conversions.toml")) else {
                continue;
            };
            let json = toml::from_str::<serde_json::Value>(&text).unwrap();
            let errors: Vec<_> =
                schema.iter_errors(&json).map(|schema| schema.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", case.path().display());
            count += 1;
        }
        assert!(count >= 10, "{count}");
    }

    #[test]
    fn each_example_is_a_rule_with_its_keys() {
        let schema = jsonschema::validator_for(&rules_schema()).unwrap();
        for RuleKind { name, example, keys, meaning, takes, .. } in RuleKind::all() {
            let head = "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\n";
            let text = format!("{head}\n[[kind.field]]\n{example}\n");
            let rules = read_conversions(&text).unwrap();
            assert_eq!(rules[0].fields[0].rule.value, *name);
            assert!(
                keys.iter().all(|key| example.contains(&format!("\n{} = ", key.name))),
                "{name}"
            );
            assert!(
                meaning.ends_with('.') && takes.starts_with(&format!("`{name}` takes ")),
                "{name}"
            );
            let json = toml::from_str::<serde_json::Value>(&text).unwrap();
            assert!(schema.is_valid(&json), "{name}: {:?}", schema.iter_errors(&json).next());
            // A key of another rule.
            let has_field = keys.iter().any(|key| key.name == "field");
            let other = if has_field { "present = true" } else { "field = \"name\"" };
            let json = toml::from_str(&format!("{text}{other}\n")).unwrap();
            assert!(!schema.is_valid(&json), "{name} with {other}");
        }
    }
}

//! The JSON Schema of `conversions.toml`, for editors: the keys of each kind of rule, from its [`RuleKind`].

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::rule::{RuleKey, RuleKind, Shape};
use crate::gather::Gather;
use crate::plan::code;
use crate::text::join;

const LEAVE_OUT_EMPTY: &str = "Whether an optional field without a rule is absent where servers reject its empty value, and comes back as empty.";

/// The JSON Schema of `conversions.toml`, for editors.
pub fn rules_schema() -> Value {
    let kind = properties(&[
        ("kind", text("The name of the kind.")),
        ("group", text("The API group, in a package of several.")),
        ("versions", names("The versions between which objects are converted.")),
        ("annotation", text("The key of the annotations that keep what a version cannot hold.")),
        ("leave-out-empty", json!({ "type": "boolean", "description": LEAVE_OUT_EMPTY })),
        ("servers", text("How the conversions of servers differ from these, for the page.")),
        ("field", list(&field_rule())),
        ("required", list(&required_rule())),
        ("lossless", list(&lossless_rule())),
        ("adopt", list(&adopt_rule())),
    ]);
    let kinds = list(&object(&kind, &["kind", "versions"], &[]));
    let shared = properties(&[
        (
            "kinds",
            names(
                "The kinds that share the rules, beside those of a table in `under`; each has a `[[kind]]`.",
            ),
        ),
        ("versions", names("The versions, for paths in their order.")),
        ("under", under()),
        ("field", list(&field_rule())),
        ("adopt", list(&adopt_rule())),
    ]);
    let shared = list(&object(&shared, &[], &[]));
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
    // Rules can share the name of a key that says something else in each.
    let mut keys: BTreeMap<&str, Vec<(&RuleKind, &RuleKey)>> = BTreeMap::new();
    for rule in rules {
        for key in rule.keys {
            keys.entry(key.name).or_default().push((rule, key));
        }
    }
    field.extend(keys.iter().map(|(name, uses)| ((*name).to_owned(), key_schema(uses))));
    let of_keys = keys.iter().map(|(name, uses)| of_rules(name, uses));
    let conditions: Vec<Value> =
        of_keys.chain(rules.iter().filter_map(|rule| required_keys(rule))).collect();
    object(&field, &["rule", "names"], &conditions)
}

/// The values of a key in all rules that have it.
fn key_schema(uses: &[(&RuleKind, &RuleKey)]) -> Value {
    let mut schemas: Vec<Value> = Vec::new();
    let mut meanings: Vec<(Vec<String>, &str)> = Vec::new();
    for (rule, key) in uses {
        let schema = shape_schema(key.shape);
        if !schemas.contains(&schema) {
            schemas.push(schema);
        }
        match meanings.iter_mut().find(|(_, meaning)| *meaning == key.meaning) {
            Some((rules, _)) => rules.push(code(rule.name)),
            None => meanings.push((vec![code(rule.name)], key.meaning)),
        }
    }
    let description = match meanings.as_slice() {
        [(_, meaning)] => (*meaning).to_owned(),
        several => {
            let line =
                |(rules, meaning): &(Vec<String>, &str)| format!("{}: {meaning}", rules.join(", "));
            join(several.iter().map(line), "\n")
        }
    };
    let mut schema = match schemas.as_slice() {
        [schema] => schema.clone(),
        several => json!({ "anyOf": several }),
    };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), description.into());
    }
    schema
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

/// The values of a form.
fn shape_schema(shape: Shape) -> Value {
    let of = |schema: Value| json!({ "type": "object", "additionalProperties": schema });
    match shape {
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
    }
}

/// The condition that an object with a key has one of its rules.
fn of_rules(key: &str, uses: &[(&RuleKind, &RuleKey)]) -> Value {
    let names: Vec<&str> = uses.iter().map(|(rule, _)| rule.name).collect();
    json!({ "if": { "required": [key] }, "then": { "properties": { "rule": { "enum": names } } } })
}

/// The condition that an object with a rule has the keys that the rule needs.
fn required_keys(rule: &RuleKind) -> Option<Value> {
    let required = rule.keys.iter().filter(|key| key.required);
    let required: Vec<&str> = required.map(|key| key.name).collect();
    let is_rule = json!({ "required": ["rule"], "properties": { "rule": { "const": rule.name } } });
    (!required.is_empty()).then(|| json!({ "if": is_rule, "then": { "required": required } }))
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
    const UNDER: &str = "The objects in which the paths of the rules begin, each in a form of `names`: a list for all kinds, or a table by kind.";
    let all = json!({ "type": "array", "items": names_of_fields(UNDER) });
    let by_kind = json!({ "type": "object", "additionalProperties": { "type": "array", "items": names_of_fields(UNDER), "minItems": 1 } });
    json!({ "anyOf": [all, by_kind], "description": UNDER })
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
            // Without a key that the rule needs.
            let without = |missing: &str| {
                let mut json = toml::from_str::<serde_json::Value>(&text).unwrap();
                json["kind"][0]["field"][0].as_object_mut().unwrap().remove(missing);
                json
            };
            for key in *keys {
                assert_eq!(
                    schema.is_valid(&without(key.name)),
                    !key.required,
                    "{name}: {}",
                    key.name
                );
            }
        }
    }

    #[test]
    fn a_key_of_several_rules_says_what_it_is_in_each() {
        let schema = rules_schema();
        let field = &schema["properties"]["kind"]["items"]["properties"]["field"]["items"];
        for RuleKind { name, keys, .. } in RuleKind::all() {
            for key in *keys {
                let description = field["properties"][key.name]["description"].as_str().unwrap();
                assert!(description.contains(key.meaning), "{name}: {}", key.name);
            }
        }
        let conditions = field["allOf"].as_array().unwrap();
        let of_fill = |condition: &&serde_json::Value| condition["if"]["required"][0] == "fill";
        assert_eq!(conditions.iter().filter(of_fill).count(), 1);
    }
}

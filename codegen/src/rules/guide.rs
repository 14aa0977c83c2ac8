//! What people and editors need to know to write `conversions.toml`: each rule with its keys and an example, and the JSON Schema.

use serde_json::{Map, Value, json};

use crate::gather::Gather;
use crate::problem::StepName;

/// A rule of conversions, for people who write one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleGuide {
    /// The name, such as `move`.
    pub name: String,
    /// What it does.
    pub meaning: &'static str,
    /// The fields that it takes.
    pub takes: String,
    /// The keys that it has beside `rule`, `names` and `reason`.
    pub keys: &'static [Key],
    /// The rule for an invented kind, as TOML.
    pub example: &'static str,
}

impl RuleGuide {
    /// All rules.
    pub fn all() -> Vec<Self> {
        let guide = |rule: StepName| Self {
            name: rule.to_string(),
            meaning: rule.meaning(),
            takes: rule.takes().to_owned(),
            keys: keys(rule),
            example: example(rule),
        };
        StepName::ALL.map(guide).into()
    }
}

/// A key that only some rules have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key, such as `fill`.
    pub name: &'static str,
    /// What its value says.
    pub meaning: &'static str,
}

const FILL_FROM: Key = Key {
    name: "fill-from",
    meaning: "the path of a field whose value a policy can use instead of an absent one",
};
const FILL: Key =
    Key { name: "fill", meaning: "the value of a required field for which none is kept" };
const WORDS: Key = Key { name: "words", meaning: "the words of each version, all in one order" };
const FALLBACK: Key = Key {
    name: "fallback",
    meaning: "the value that a version has for each value that it does not know, or that does not fit",
};
const FIELD: Key = Key {
    name: "field",
    meaning: "the field of the object that has the value, or of the list's items that has the key",
};
const PRESENT: Key =
    Key { name: "present", meaning: "`true` if the sub-object is written when it is empty" };

/// The keys of a rule that not all rules have.
pub(crate) fn keys(rule: StepName) -> &'static [Key] {
    match rule {
        StepName::AbsentToZero => &[FILL_FROM],
        StepName::KeepAside => &[FILL],
        StepName::Words => &[WORDS, FALLBACK],
        StepName::Wrap | StepName::KeyedList => &[FIELD],
        StepName::Text | StepName::Narrow => &[FALLBACK],
        StepName::Nest => &[PRESENT],
        StepName::Move | StepName::FirstOfList | StepName::Schema => &[],
    }
}

fn example(rule: StepName) -> &'static str {
    match rule {
        StepName::Move => {
            r#"rule = "move"
names = { v1beta1 = "spec.volume", v1 = "spec.volumeName" }
reason = "v1 calls it by its full name.""#
        }
        StepName::FirstOfList => {
            r#"rule = "first-of-list"
names = { v1beta1 = "spec.logging", v1 = "spec.logging" }
reason = "v1beta1 has a list of at most one.""#
        }
        StepName::AbsentToZero => {
            r#"rule = "absent-to-zero"
names = { v1beta1 = "spec.version", v1 = "spec.version" }
fill-from = "spec.minimumVersion"
reason = "v1 requires it.""#
        }
        StepName::KeepAside => {
            r#"rule = "keep-aside"
names = { v1 = "spec.replicas" }
fill = 1
reason = "New in v1, and required there.""#
        }
        StepName::KeyedList => {
            r#"rule = "keyed-list"
names = { v1beta1 = "status.zones", v1 = "status.zones" }
field = "name"
reason = "A map by name in v1beta1, a list in v1.""#
        }
        StepName::Nest => {
            r#"rule = "nest"
names = { v1beta1 = "spec", v1 = "spec.backup" }
present = true
reason = "v1beta1 has `schedule` and `retention` beside the other fields; v1 has them in `backup`.""#
        }
        StepName::Words => {
            r#"rule = "words"
names = { v1beta1 = "spec.mode", v1 = "spec.mode" }
words = { v1beta1 = ["ro", "rw"], v1 = ["ReadOnly", "ReadWrite"] }
fallback = { v1beta1 = "rw" }
reason = "v1 writes the words in full, and knows `WriteOnce`, too.""#
        }
        StepName::Text => {
            r#"rule = "text"
names = { v1beta1 = "spec.port", v1 = "spec.port" }
fallback = { v1 = 80 }
reason = "A text in v1beta1, a number in v1.""#
        }
        StepName::Narrow => {
            r#"rule = "narrow"
names = { v1beta1 = "spec.size", v1 = "spec.size" }
fallback = { v1beta1 = 1 }
reason = "64 bits in v1.""#
        }
        StepName::Wrap => {
            r#"rule = "wrap"
names = { v1beta1 = "spec.secret", v1 = "spec.secretRef" }
field = "name"
reason = "The name of the secret in v1beta1, a reference in v1.""#
        }
        StepName::Schema => {
            r#"rule = "schema"
names = { v1beta1 = "spec.settings", v1 = "spec.settings" }
reason = "v1beta1 takes any JSON.""#
        }
    }
}

/// The JSON Schema of `conversions.toml`, for editors.
pub fn json_schema() -> Value {
    let kind = properties(&[
        ("kind", text("The name of the kind.")),
        ("group", text("The API group, in a package of several.")),
        ("versions", names("The versions between which objects are converted.")),
        ("annotation", text("The key of the annotation that keeps what a version cannot hold.")),
        ("servers", text("How the conversions of servers differ from these, for the page.")),
        ("field", list(&field_rule())),
        ("required", list(&required_rule())),
        ("lossless", list(&lossless_rule())),
    ]);
    let kinds = list(&object(&kind, &["kind", "versions"], &[]));
    let mut schema = object(&properties(&[("kind", kinds)]), &[], &[]);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        schema.insert("title".to_owned(), json!("The conversions between the versions of kinds"));
    }
    schema
}

/// A table `[[kind.field]]`. A key belongs to the rules that have it.
fn field_rule() -> Value {
    const NAMES: &str = "The path of the field in each version that has it. `[]` follows the name of a list or map.";
    let rules = RuleGuide::all();
    let choices: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "const": rule.name, "description": format!("{} {}", rule.meaning, rule.takes) }))
        .collect();
    let mut field = properties(&[
        ("names", paths(NAMES)),
        ("reason", reason()),
        ("rule", json!({ "oneOf": choices })),
    ]);
    let keys = || rules.iter().flat_map(|rule| rule.keys);
    field.extend(keys().map(|key| (key.name.to_owned(), value(key))));
    let conditions: Vec<Value> = keys().map(|key| of_rules(key, &rules)).collect();
    object(&field, &["rule", "names", "reason"], &conditions)
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

fn reason() -> Value {
    text("The evidence for the rule.")
}

fn names(meaning: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "description": meaning })
}

/// The values of a key.
fn value(key: &Key) -> Value {
    let of = |schema: Value| json!({ "type": "object", "additionalProperties": schema });
    let mut value = match key.name {
        "words" => of(json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 })),
        "fallback" => of(json!({ "type": ["string", "number", "boolean"] })),
        "present" => json!({ "type": "boolean" }),
        "fill" => json!({}),
        _ => json!({ "type": "string" }),
    };
    if let Some(value) = value.as_object_mut() {
        value.insert("description".to_owned(), json!(key.meaning));
    }
    value
}

/// The condition that an object with a key has one of its rules.
fn of_rules(key: &Key, rules: &[RuleGuide]) -> Value {
    let has = |rule: &&RuleGuide| rule.keys.iter().any(|other| other.name == key.name);
    let names: Vec<&str> = rules.iter().filter(has).map(|rule| rule.name.as_str()).collect();
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{RuleGuide, json_schema};
    use crate::rules::read_conversions;

    #[test]
    fn the_schema_takes_the_good_cases() {
        let schema = jsonschema::validator_for(&json_schema()).unwrap();
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/good");
        let mut count = 0;
        for case in fs::read_dir(good).unwrap().map(Result::unwrap) {
            let Ok(text) = fs::read_to_string(case.path().join("conversions.toml")) else {
                continue;
            };
            let json = toml::from_str::<serde_json::Value>(&text).unwrap();
            let errors: Vec<_> = schema.iter_errors(&json).map(|it| it.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", case.path().display());
            count += 1;
        }
        assert!(count >= 10, "{count}");
    }

    #[test]
    fn each_example_is_a_rule_with_its_keys() {
        let schema = jsonschema::validator_for(&json_schema()).unwrap();
        for RuleGuide { name, example, keys, meaning, takes } in RuleGuide::all() {
            let head = "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\n";
            let text = format!("{head}\n[[kind.field]]\n{example}\n");
            let rules = read_conversions(&text).unwrap();
            assert_eq!(rules[0].fields[0].rule.value.to_string(), name);
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
            let has_field = ["keyed-list", "wrap"].contains(&name.as_str());
            let other = if has_field { "present = true" } else { "field = \"name\"" };
            let json = toml::from_str(&format!("{text}{other}\n")).unwrap();
            assert!(!schema.is_valid(&json), "{name} with {other}");
        }
    }
}

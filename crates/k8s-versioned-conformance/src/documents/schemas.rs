//! The schemas of a document.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jsonschema::error::{TypeKind, ValidationErrorKind as ErrorKind};
use jsonschema::{Draft, JsonType, PatternOptions, ValidationError, Validator};
use k8s_versioned::{Bytes, pointer};
use k8s_versioned_admission::formats::Format;
use k8s_versioned_core::json::{LARGEST_EXACT, make_whole};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};
use serde_json::{Map, Value, json};

use super::definitions::TITLE;
use super::fields::{self, UnknownField};
use super::kinds::kinds;
use crate::differences::show;

/// The schema of a kind. It is compiled on first use.
#[derive(Debug)]
pub(crate) struct Schema {
    name: String,
    /// `true` for a custom resource: `null` is a value of its fields if the schema says so.
    custom: bool,
    components: Arc<Value>,
    validator: OnceLock<Result<Validator, ValidationError<'static>>>,
}

/// The schemas of the kinds in a document, by `apiVersion` and kind.
pub(super) fn by_kind(mut document: Value) -> BTreeMap<(String, String), Schema> {
    let title = document.pointer("/info/title").and_then(Value::as_str);
    let custom = title == Some(TITLE);
    let components = document.get_mut("components").map(Value::take);
    let mut components = components.unwrap_or_default();
    adapt(&mut components);
    let components = Arc::new(components);
    let schemas = components.get("schemas").and_then(Value::as_object);
    let mut by_kind = BTreeMap::new();
    for (name, schema) in schemas.into_iter().flatten() {
        for kind in kinds(schema) {
            by_kind.entry(kind).or_insert_with(|| Schema {
                name: name.clone(),
                custom,
                components: Arc::clone(&components),
                validator: OnceLock::new(),
            });
        }
    }
    by_kind
}

impl Schema {
    /// The name of the schema in the document.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with a body of the kind; the error is a schema that cannot be used.
    pub(crate) fn violations(
        &self,
        body: &Value,
    ) -> Result<Vec<Violation>, &ValidationError<'static>> {
        let mut read = if self.custom { body.clone() } else { without_nulls(body) };
        if let Some(metadata) = read.get_mut("metadata") {
            *metadata = without_nulls(metadata);
        }
        // Servers take no larger floating-point number for an integer.
        make_whole(&mut read, LARGEST_EXACT);
        let errors = self.validator()?.iter_errors(&read);
        Ok(errors.map(|error| Violation::new(&error, body)).collect())
    }

    /// The fields of an object of the kind that the schema does not have.
    pub(super) fn unknown_fields(&self, object: &Value) -> Vec<UnknownField> {
        fields::unknown(&self.components, &self.name, self.custom, object)
    }

    /// Returns `true` for custom resources, which servers store by their names.
    pub(super) fn needs_name(&self) -> bool {
        let metadata = pointer::child("/schemas", &self.name) + "/properties/metadata";
        let metadata = self.components.pointer(&metadata).map(Value::to_string);
        self.custom
            && !self.name.starts_with("io.k8s.api.")
            && metadata.is_some_and(|metadata| metadata.contains(".ObjectMeta\""))
    }

    /// The validator of objects of the kind.
    fn validator(&self) -> Result<&Validator, &ValidationError<'static>> {
        self.validator.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Result<Validator, ValidationError<'static>> {
        let place = pointer::child("#/components/schemas", &self.name);
        // `allOf`: the draft that OpenAPI 3.0 is based on ignores the other members of an object with `$ref`.
        let root = json!({ "allOf": [{ "$ref": place }], "components": *self.components });
        jsonschema::options()
            .with_draft(Draft::Draft4)
            .should_validate_formats(true)
            .with_format("byte", is_base64)
            .with_format("uri", |text: &str| Format::Uri.check(text))
            .with_format("cidr", |text: &str| Format::Cidr.check(text))
            .with_format("mac", |text: &str| Format::Mac.check(text))
            .with_format("uuid", |text: &str| Format::Uuid.check(text))
            // Servers use the regular expressions of Go, and so does this engine.
            .with_pattern_options(PatternOptions::regex())
            .offline()
            .build(&root)
    }
}

// Formats that the engine lacks, or that servers read in another way. They refuse no text that a server accepts.

fn is_base64(text: &str) -> bool {
    let text: StrDeserializer<'_, Error> = text.into_deserializer();
    Bytes::deserialize(text).is_ok()
}

/// A part of an object that its schema does not allow.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) pointer: String,
    /// What is wrong.
    pub(crate) message: String,
    /// The keyword's place in the schema.
    pub(crate) place: String,
    /// The part, shortened.
    pub(crate) found: String,
}

impl Violation {
    fn new(error: &ValidationError<'_>, body: &Value) -> Self {
        let pointer = error.instance_path().to_string();
        let place = error.schema_path().to_string();
        let mut message = error.masked().to_string();
        match error.kind() {
            ErrorKind::Minimum { limit } | ErrorKind::Maximum { limit }
                if place.rsplit('/').nth(2) == Some("allOf") =>
            {
                if let Some(format) = INTEGERS.into_iter().find(|integer| integer.has(limit)) {
                    message = format!("value is not an {:?}", format.name);
                }
            }
            ErrorKind::AnyOf { context } if is_int_or_string(context) => {
                "value is neither an integer nor a string".clone_into(&mut message);
            }
            _ => {}
        }
        let found = show(body.pointer(&pointer));
        Self { pointer, message, place, found }
    }
}

/// Returns `true` if the alternatives that failed are an integer and a string, apart from `null`.
fn is_int_or_string(alternatives: &[Vec<ValidationError<'_>>]) -> bool {
    let (mut integer, mut string) = (false, false);
    let is_known = |error: &ValidationError<'_>| match error.kind() {
        ErrorKind::Type { kind: TypeKind::Single(JsonType::Integer) } => {
            integer = true;
            true
        }
        ErrorKind::Type { kind: TypeKind::Single(JsonType::String) } => {
            string = true;
            true
        }
        ErrorKind::AnyOf { context } if is_int_or_string(context) => {
            (integer, string) = (true, true);
            true
        }
        ErrorKind::Enum { options } => **options == json!([null]),
        _ => false,
    };
    alternatives.iter().flatten().all(is_known) && integer && string
}

/// A format of integers.
#[derive(Clone, Copy)]
struct Integers {
    name: &'static str,
    least: i64,
    most: i64,
}

/// Servers check the first, and read no integer beyond the second.
const INTEGERS: [Integers; 2] = [
    Integers { name: "int32", least: i32::MIN as i64, most: i32::MAX as i64 },
    Integers { name: "int64", least: i64::MIN, most: i64::MAX },
];

impl Integers {
    fn has(self, limit: &Value) -> bool {
        [self.least, self.most].iter().any(|keyword| limit == keyword)
    }
}

/// `nullable` and the formats of integers in the terms of JSON Schema. Of a `null`, servers check only the type and the words.
fn adapt(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(adapt),
        Value::Object(members) => {
            let is_integer = members.get("type").is_some_and(|value| value == "integer");
            if members.get("nullable") == Some(&Value::Bool(true)) {
                if let Some(Value::String(of)) = members.get("type") {
                    members.insert("type".to_owned(), json!([of, "null"]));
                }
                if let Some(Value::Array(words)) = members.get_mut("enum") {
                    words.push(Value::Null);
                }
                let logic = ["allOf", "anyOf", "oneOf", "not"];
                let logic = logic.into_iter().filter_map(|name| members.remove_entry(name));
                let logic: Map<String, Value> = logic.collect();
                if !logic.is_empty() {
                    members.insert("anyOf".to_owned(), json!([{ "enum": [null] }, logic]));
                }
            }
            if is_integer {
                let is_short = members.get("format").is_some_and(|value| value == "int32");
                let [short, long] = INTEGERS;
                let Integers { least, most, .. } = if is_short { short } else { long };
                let range = json!({ "minimum": least, "maximum": most });
                if let Value::Array(all) = members.entry("allOf").or_insert_with(|| json!([])) {
                    all.push(range);
                }
            }
            members.values_mut().for_each(adapt);
        }
        _ => {}
    }
}

/// A value without its `null` members. A `null` in a list stays: it is an item.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::definitions::TITLE;
    use super::by_kind;

    /// Returns `true` if an object is valid in which a field has the value.
    fn accepts(field: &Value, value: &Value) -> bool {
        let kind = json!([{"group": "", "version": "v1", "kind": "Widget"}]);
        let schema = json!({"properties": {"a": field}, "x-kubernetes-group-version-kind": kind});
        let components = json!({"schemas": {"Widget": schema}});
        let schemas = by_kind(json!({"info": {"title": TITLE}, "components": components}));
        let body = json!({"apiVersion": "v1", "kind": "Widget", "a": value});
        schemas.values().next().unwrap().violations(&body).unwrap().is_empty()
    }

    #[test]
    fn null_is_valid_where_the_schema_is_nullable() {
        let int_or_string = json!([{"type": "integer"}, {"type": "string"}]);
        let one_of = json!([{"required": ["a"]}, {"required": ["b"]}]);
        let of_any = |nullable| json!({"anyOf": int_or_string, "nullable": nullable});
        let of_one = |nullable| json!({"type": "object", "oneOf": one_of, "nullable": nullable});
        let not = |nullable| json!({"not": {"enum": [null, 1]}, "nullable": nullable});
        let all = |nullable| json!({"allOf": [{"type": "string"}], "nullable": nullable});
        let table = [
            (of_any(true), json!(1), json!(true)),
            (of_one(true), json!({"a": 1}), json!({"a": 1, "b": 2})),
            (not(true), json!(2), json!(1)),
            (all(true), json!("a"), json!(1)),
        ];
        for (schema, good, bad) in table {
            let accepted = [&Value::Null, &good, &bad].map(|value| accepts(&schema, value));
            assert_eq!(accepted, [true, true, false], "{schema}");
        }
        for schema in [of_any(false), of_one(false), not(false), all(false)] {
            assert!(!accepts(&schema, &Value::Null), "{schema}");
        }
    }

    #[test]
    fn integers_are_read_as_servers_read_them() {
        let integer = |format: Value| json!({"type": "integer", "format": format});
        let own = json!({"type": "integer", "format": "int32", "nullable": true, "allOf": [{"minimum": 1}]});
        let table = [
            (integer("int32".into()), json!(i32::MAX), json!(i64::from(i32::MAX) + 1)),
            (integer("int32".into()), json!(i32::MIN), json!(i64::from(i32::MIN) - 1)),
            (integer("int64".into()), json!(i64::MAX), json!(i64::MAX as u64 + 1)),
            (integer("none".into()), json!(i64::MIN), json!(1e19)),
            (integer("int32".into()), json!(3.0), json!(3.5)),
            (json!({"type": "number"}), json!(1e19), json!("a")),
            (own.clone(), json!(null), json!(99_999_999_999_i64)),
            (own, json!(1.0), json!(0)),
        ];
        for (schema, good, bad) in table {
            assert!(accepts(&schema, &good), "{schema}: {good}");
            assert!(!accepts(&schema, &bad), "{schema}: {bad}");
        }
    }

    #[test]
    fn formats_are_read_as_servers_read_them() {
        let uuid = "0F8fad5b-d9cb-469f-a165-70867728950e";
        let table: [(&str, &[&str], &[&str]); 5] = [
            ("byte", &["", "aGVsbG8=", "aGVs\nbG8="], &["!!!", "aGVsbG8"]),
            (
                "uri",
                &["/foo?a=b c", "https://a.b/c", "mailto:a", "*"],
                &["", "a/b", "1:a", "/\u{7f}"],
            ),
            ("cidr", &["10.0.0.0/8", "fd00::/128"], &["nonsense", "10.0.0.0/33", "10.0.0.0"]),
            ("mac", &["00:00:5e:00:53:01", "0000.5e00.5301"], &["00:00:5e:00:53", "x"]),
            ("uuid", &[uuid, &uuid.replace('-', "")], &["0f8fad5b", "nonsense"]),
        ];
        for (format, good, bad) in table {
            let field = json!({"type": "string", "format": format});
            for text in good {
                assert!(accepts(&field, &json!(text)), "{format}: {text}");
            }
            for text in bad {
                assert!(!accepts(&field, &json!(text)), "{format}: {text}");
            }
        }
    }
}

//! A definition and an object, which divide the bytes of an input between them.

use std::collections::BTreeSet;
use std::hint::black_box;

use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::definition::keywords::KEYWORDS as TABLE;
use k8s_versioned_admission::formats::Format;
use k8s_versioned_admission::{Definition, NEWEST, WriteRequest};
use serde_json::{Map, Value, json};

use crate::definitions::{object, of_one};
use crate::{BYTES, Case, Work};

/// Texts, of which a format takes the beginning of each for its own.
pub(crate) const TEXTS: [&str; 12] =
    ["1", "a.", "1.", ":", "f:", "1h", "a@", "http://", "a%20", "AAAA", "9-", "\u{fc}"];

/// Patterns that are hard for readers of regular expressions.
pub(crate) const PATTERNS: [&str; 14] = [
    "^(a+)+$",
    "(a|aa)*b",
    "(a{100}){10}",
    "((a{10}){10}){10}",
    "(a*)*(a*)*b",
    "[^a]*b",
    r"\pL{500}",
    "(?i)(ab?c?){50}",
    "a?a?a?a?a?a?a?aaaaaaa",
    "(.*)(.*)(.*)(.*)$",
    r"(\w+\s?)+$",
    "(a|b|c|d|e)*f",
    "(?s).{0,1000}b",
    "(^|a)(a|$)+",
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut add =
        |name: String, of: fn(usize, usize, &str) -> (Value, Value), word: &'static str| {
            let make = move |share| {
                let bytes = BYTES / 16 * share;
                let (schema, spec) = of(bytes, BYTES - bytes, word);
                admit(&schema, &spec)
            };
            cases.push((name, Box::new(make)));
        };
    for (name, of) in KEYWORDS {
        add(format!("keyword {name}"), *of, "");
    }
    for pattern in PATTERNS {
        add(format!("pattern {pattern} once"), one_pattern, pattern);
        add(format!("pattern {pattern} often"), many_patterns, pattern);
        add(format!("pattern {pattern} repeated"), repeated_pattern, pattern);
    }
    for format in Format::names() {
        add(format!("format {format}, one text"), one_format, format);
        add(format!("format {format}, many texts"), many_formats, format);
    }
    cases
}

pub(crate) type Keyword = (&'static str, fn(usize, usize, &str) -> (Value, Value));

/// Each takes the bytes of the schema, those of the value, and a word; the schema is of `spec`, as is the value.
pub(crate) const KEYWORDS: &[Keyword] = &[
    ("enum", |schema, value, _| {
        let words: Vec<String> = (0..schema / 8).map(|at| format!("w{at:04}")).collect();
        (list(&json!({"type": "string", "enum": words})), repeated(&json!("x"), value))
    }),
    ("enum of objects", |schema, value, _| {
        let words: Vec<Value> = (0..schema / 24).map(|at| json!({"aaaa": [at, at, at]})).collect();
        let item =
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "enum": words});
        (list(&item), repeated(&json!({"aaaa": [0, 0, "x"]}), value))
    }),
    ("required", |schema, value, _| {
        let names: Vec<String> = (0..schema / 8).map(|at| format!("r{at:04}")).collect();
        let item = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "required": names});
        (list(&item), repeated(&json!({}), value))
    }),
    ("properties", |schema, value, _| {
        (
            list(&object(&fields(schema / 32, &json!({"type": "string"})))),
            repeated(&json!({"f0": "a"}), value),
        )
    }),
    ("properties with defaults", |schema, value, _| {
        let fields = fields(schema / 48, &json!({"type": "string", "default": "a"}));
        (list(&object(&fields)), repeated(&json!({}), value))
    }),
    ("a large default", |schema, value, _| {
        let item = json!({"type": "string", "default": "d".repeat(schema)});
        (list(&object(&json!({"a": item}))), repeated(&json!({}), value))
    }),
    ("defaults in defaults", |schema, value, _| {
        let inner = (0..20).fold(
            json!({"type": "string", "default": "d".repeat(schema)}),
            |inner, _| json!({"type": "object", "properties": {"a": inner}, "default": {}}),
        );
        (list(&inner), repeated(&json!({}), value))
    }),
    ("unknown fields", |_, value, _| {
        (object(&json!({"a": {"type": "string"}})), fields(value / 10, &json!(1)))
    }),
    ("unknown fields of items", |_, value, _| {
        (list(&object(&json!({}))), repeated(&json!({"a": 1}), value))
    }),
    ("a long unknown name", |_, value, _| {
        let inner = fields(value / 24, &json!(1));
        (
            json!({"type": "object", "additionalProperties": object(&json!({}))}),
            json!({"n".repeat(value / 2): inner}),
        )
    }),
    ("additionalProperties", |_, value, _| {
        let schema = json!({"type": "object", "additionalProperties": {"type": "string"}});
        (schema, fields(value / 10, &json!(1)))
    }),
    ("type", |_, value, _| (list(&json!({"type": "string"})), repeated(&json!(1), value))),
    ("nullable", |_, value, _| {
        (list(&json!({"type": "string", "nullable": true})), repeated(&Value::Null, value))
    }),
    ("int or string", |_, value, _| {
        (list(&json!({"x-kubernetes-int-or-string": true})), repeated(&json!(1.5), value))
    }),
    ("minimum of a long number", |_, value, _| {
        let number: Value = serde_json::from_str(&"9".repeat(300)).unwrap();
        (list(&json!({"type": "number", "maximum": 1})), repeated(&number, value))
    }),
    ("minimum and maximum, exclusive", |schema, value, _| {
        let check = json!({
            "minimum": 1, "maximum": 3, "exclusiveMinimum": true, "exclusiveMaximum": true,
        });
        (list(&all_of("integer", &check, schema)), repeated(&json!(1), value))
    }),
    ("multipleOf", |_, value, _| {
        (list(&json!({"type": "number", "multipleOf": 1e-300})), repeated(&json!(1e300), value))
    }),
    ("maxLength", |schema, value, _| {
        (all_of("string", &json!({"maxLength": 1}), schema), json!("\u{1f600}".repeat(value / 4)))
    }),
    ("minLength", |schema, value, _| {
        (
            all_of("string", &json!({"minLength": 1_000_000}), schema),
            json!("\u{1f600}".repeat(value / 4)),
        )
    }),
    ("maxItems", |schema, value, _| {
        let schema = all_of("array", &json!({"maxItems": 1}), schema);
        (
            with(schema, "items", json!({"type": "integer"})),
            json!((0..value / 7).collect::<Vec<_>>()),
        )
    }),
    ("minItems", |schema, value, _| {
        let schema = all_of("array", &json!({"minItems": 1_000_000}), schema);
        (
            with(schema, "items", json!({"type": "integer"})),
            json!((0..value / 7).collect::<Vec<_>>()),
        )
    }),
    ("minProperties", |schema, value, _| {
        let schema = all_of("object", &json!({"minProperties": 1_000_000}), schema);
        (
            with(schema, "additionalProperties", json!({"type": "integer"})),
            fields(value / 10, &json!(1)),
        )
    }),
    ("an atomic map", |_, value, _| {
        let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        (with(schema, "x-kubernetes-map-type", json!("atomic")), fields(value / 10, &json!(1)))
    }),
    ("maxProperties", |schema, value, _| {
        let schema = all_of("object", &json!({"maxProperties": 1}), schema);
        (
            with(schema, "additionalProperties", json!({"type": "integer"})),
            fields(value / 10, &json!(1)),
        )
    }),
    ("uniqueItems of objects", |_, value, _| {
        let item = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let items: Vec<Value> = (0..value / 24).map(|at| json!({"a": {"b": [at]}})).collect();
        (with(json!({"type": "array", "items": item}), "uniqueItems", json!(true)), items.into())
    }),
    ("uniqueItems of large items", |_, value, _| {
        let item = json!({"type": "array", "items": {"type": "integer"}});
        let items: Vec<Value> = (0..200)
            .map(|at| {
                json!(vec![1; value / 400])
                    .as_array()
                    .map(|items| {
                        let mut items = items.clone();
                        items.push(json!(at));
                        items
                    })
                    .into()
            })
            .collect();
        (with(json!({"type": "array", "items": item}), "uniqueItems", json!(true)), items.into())
    }),
    ("a set", |_, value, _| {
        let items: Vec<Value> = (0..value / 7).map(|at| json!(at)).collect();
        (set(&json!({"type": "integer"})), items.into())
    }),
    ("a set of equals", |_, value, _| {
        (set(&json!({"type": "integer"})), json!(vec![1; value / 2]))
    }),
    ("a list with keys", |_, value, _| {
        let items: Vec<Value> = (0..value / 16).map(|at| json!({"k": at.to_string()})).collect();
        (keyed(1), items.into())
    }),
    ("a list with equal keys", |_, value, _| {
        (keyed(1), Value::Array(vec![json!({"k": "a"}); value / 12]))
    }),
    ("a list with many keys", |schema, value, _| {
        (keyed(schema / 64), Value::Array(vec![json!({}); value / 3]))
    }),
    ("allOf", |schema, value, _| {
        (list(&all_of("integer", &json!({"maximum": 1}), schema)), repeated(&json!(2), value))
    }),
    ("allOf of rules", |schema, value, _| {
        let item = object(&fields(schema / 60, &json!({"type": "string"})));
        let rules = json!({"x-kubernetes-validations": [{"rule": "true"}]});
        let branches = vec![rules; schema / 100];
        (list(&with(item, "allOf", branches.into())), repeated(&json!({}), value))
    }),
    ("anyOf", |schema, value, _| (list(&any("anyOf", schema)), repeated(&json!(2), value))),
    ("oneOf", |schema, value, _| (list(&any("oneOf", schema)), repeated(&json!(2), value))),
    ("anyOf of enums", |schema, value, _| {
        let branches: Vec<Value> =
            (0..schema / 20).map(|at| json!({"enum": [format!("w{at}")]})).collect();
        (json!({"type": "string", "anyOf": branches}), json!("x".repeat(value)))
    }),
    ("alternatives in alternatives", |_, value, _| {
        let inner = (0..10).fold(json!({"minimum": 1_000_000}), |inner, at| {
            let word = ["anyOf", "oneOf", "allOf"][at % 3];
            json!({word: [inner.clone(), inner]})
        });
        (list(&with(inner, "type", json!("integer"))), repeated(&json!(0), value))
    }),
    ("alternatives, ten levels", |_, value, _| {
        let inner = (0..10).fold(
            json!({"minimum": 1_000_000}),
            |inner, _| json!({"oneOf": [inner.clone(), inner]}),
        );
        (list(&with(inner, "type", json!("integer"))), repeated(&json!(0), value))
    }),
    ("not", |_, value, _| {
        let inner = (0..40).fold(json!({"minimum": 1}), |inner, _| json!({"not": inner}));
        (list(&with(inner, "type", json!("integer"))), repeated(&json!(0), value))
    }),
    ("depth", |_, value, _| {
        let schema =
            (0..25).fold(json!({"type": "string"}), |inner, _| object(&json!({"a": inner})));
        let spec = (0..60).fold(json!("a".repeat(value / 2)), |inner, _| json!({"a": inner}));
        (schema, spec)
    }),
    ("preserved fields", |_, value, _| {
        let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let spec = (0..100).fold(fields(value / 12, &json!(1)), |inner, _| json!({"a": inner}));
        (schema, spec)
    }),
    ("embedded objects", |_, value, _| {
        let schema = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
        let inner = json!({"apiVersion": "/", "kind": "!", "metadata": {"name": "!", "labels": {"/": "!"}}});
        (list(&schema), repeated(&inner, value))
    }),
    ("different patterns", |schema, value, _| {
        let patterns: Vec<Value> = (0..schema / 36)
            .map(|at| json!({"pattern": format!("(a{{100}}){{10}}{at}")}))
            .collect();
        (json!({"type": "string", "allOf": patterns}), json!("a".repeat(value)))
    }),
    ("different patterns of fields", |schema, value, _| {
        let field = |at| {
            (
                format!("f{at}"),
                json!({"type": "string", "pattern": format!("(a{{100}}){{10}}{at}")}),
            )
        };
        let fields: Map<String, Value> = (0..schema / 60).map(field).collect();
        let texts =
            fields.keys().map(|name| (name.clone(), json!("a".repeat(value / fields.len()))));
        (object(&fields.clone().into()), texts.collect::<Map<_, _>>().into())
    }),
    ("required members that are there", |schema, value, _| {
        let names: Vec<String> = (0..schema / 8).map(|at| format!("r{at:04}")).collect();
        let members: Map<String, Value> =
            names.iter().map(|name| (name.clone(), json!(1))).collect();
        let one = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let schema = with(one, "allOf", vec![json!({"required": names}); 1].into());
        (schema, with(json!({}), "a", repeated(&Value::from(members), value)))
    }),
    ("a default of many items", |schema, value, _| {
        let item = all_of("integer", &json!({"maximum": 1}), schema / 2);
        let default = repeated(&json!(0), schema / 2);
        (
            object(&json!({"a": with(list(&item), "default", default)})),
            fields(value / 10, &json!(1)),
        )
    }),
    ("defaults with rules", |schema, _, _| {
        let rule = json!([{"rule": "self.all(a, self.all(b, true))"}]);
        let field = |at| {
            let list = with(list(&json!({"type": "integer"})), "maxItems", json!(300));
            let list = with(list, "default", json!(vec![1; 300]));
            (format!("f{at}"), with(list, "x-kubernetes-validations", rule.clone()))
        };
        (object(&(0..schema / 760).map(field).collect::<Map<_, _>>().into()), json!({}))
    }),
    ("rules with different patterns", |schema, value, _| {
        let rule = |at| json!({"rule": format!("self.matches('(a{{100}}){{10}}{at}')")});
        let rules: Vec<Value> = (0..schema / 50).map(rule).collect();
        (
            with(json!({"type": "string"}), "x-kubernetes-validations", rules.into()),
            json!("a".repeat(value)),
        )
    }),
    ("validation rules", |schema, value, _| {
        let rules: Vec<Value> =
            (0..schema / 40).map(|at| json!({"rule": format!("self.size() != {at}")})).collect();
        let list = list(&json!({"type": "integer"}));
        (with(list, "x-kubernetes-validations", rules.into()), repeated(&json!(1), value))
    }),
    ("rules of items", |schema, value, _| {
        let rules: Vec<Value> =
            (0..schema / 40).map(|at| json!({"rule": format!("self != {at}")})).collect();
        let item = json!({"type": "integer", "x-kubernetes-validations": rules});
        (list(&item), repeated(&json!(1_000_000), value))
    }),
    ("rules with large types", |schema, value, _| {
        let rule = format!("[1]{} != []", ".map(a, {a: a})".repeat(30));
        let rules = vec![json!({"rule": rule}); schema / 500];
        (
            with(json!({"type": "string"}), "x-kubernetes-validations", rules.into()),
            json!("a".repeat(value)),
        )
    }),
    ("rules with faults", |schema, value, _| {
        let rule = json!({"rule": format!("{}b", "b || ".repeat(2_000))});
        let rules = vec![rule; schema.div_ceil(10_000)];
        (
            with(json!({"type": "string"}), "x-kubernetes-validations", rules.into()),
            json!("a".repeat(value)),
        )
    }),
    ("rules below nested defaults", |schema, value, _| {
        let field = json!({
            "type": "string", "maxLength": 9, "x-kubernetes-validations": [{"rule": "self != 'b'"}],
        });
        let fields = fields(schema / 120, &field);
        let inner = json!({"type": "object", "default": {}, "properties": fields});
        let outer = (0..40).fold(
            inner,
            |inner, _| json!({"type": "object", "default": {}, "properties": {"a": inner}}),
        );
        (outer, json!({"a": {"f0": "a".repeat(value)}}))
    }),
    ("a message expression", |_, value, _| {
        let rule = json!([{"rule": "false", "messageExpression": "self + self + self"}]);
        (
            list(&json!({"type": "string", "x-kubernetes-validations": rule})),
            repeated(&json!("aaaa"), value),
        )
    }),
];

fn list(item: &Value) -> Value {
    json!({"type": "array", "items": item})
}

fn set(item: &Value) -> Value {
    with(list(item), "x-kubernetes-list-type", json!("set"))
}

fn keyed(keys: usize) -> Value {
    let name = |at: usize| if at == 0 { "k".to_owned() } else { format!("k{at}") };
    let names: Vec<String> = (0..keys.max(1)).map(name).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
    let item = json!({"type": "object", "properties": properties, "required": names});
    let list = with(list(&item), "x-kubernetes-list-type", json!("map"));
    with(list, "x-kubernetes-list-map-keys", json!(names))
}

fn with(mut schema: Value, keyword: &str, value: Value) -> Value {
    schema[keyword] = value;
    schema
}

/// The same check so often that it has these bytes.
fn all_of(of_type: &str, check: &Value, bytes: usize) -> Value {
    let count = bytes / (check.to_string().len() + 1);
    json!({"type": of_type, "allOf": vec![check.clone(); count]})
}

fn any(word: &str, bytes: usize) -> Value {
    let branches: Vec<Value> = (0..bytes / 20).map(|at| json!({"minimum": at + 10})).collect();
    json!({"type": "integer", word: branches})
}

fn fields(count: usize, of: &Value) -> Value {
    (0..count).map(|at| (format!("f{at}"), of.clone())).collect::<Map<_, _>>().into()
}

/// A list of the value with so many bytes.
fn repeated(value: &Value, bytes: usize) -> Value {
    vec![value.clone(); bytes / (value.to_string().len() + 1)].into()
}

fn one_pattern(_: usize, value: usize, pattern: &str) -> (Value, Value) {
    (json!({"type": "string", "pattern": pattern}), json!("a".repeat(value)))
}

fn many_patterns(schema: usize, value: usize, pattern: &str) -> (Value, Value) {
    (all_of("string", &json!({"pattern": pattern}), schema), json!("a".repeat(value)))
}

fn repeated_pattern(schema: usize, value: usize, pattern: &str) -> (Value, Value) {
    let pattern = pattern.repeat(schema / pattern.len());
    (json!({"type": "string", "pattern": pattern}), json!("a".repeat(value)))
}

fn one_format(_: usize, value: usize, format: &str) -> (Value, Value) {
    let items: Vec<String> =
        TEXTS.iter().map(|text| text.repeat(value / 12 / text.len())).collect();
    (list(&json!({"type": "string", "format": format})), json!(items))
}

fn many_formats(schema: usize, value: usize, format: &str) -> (Value, Value) {
    let items: Vec<&str> = TEXTS.iter().copied().cycle().take(value / 8).collect();
    let check = json!({"pattern": "^.*$"});
    let item = with(all_of("string", &check, schema / 64), "format", json!(format));
    (list(&item), json!(items))
}

/// Judges the definition, compiles it, and answers the creation of an object and an update of it.
pub(crate) fn admit(schema: &Value, spec: &Value) -> Work {
    let definition = of_one("Widget", schema);
    let object = |version: &str| {
        json!({
            "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": {"name": "a", "namespace": "b", "uid": "7", "resourceVersion": version}, "spec": spec,
        })
    };
    let (stored, body) = (object("8"), object("8").to_string());
    Box::new(move || {
        black_box(judge(&definition, NEWEST));
        let Ok(compiled) = Definition::compile(&definition) else { return };
        black_box(compiled.admit(&WriteRequest::recreate("v1", body.as_bytes())));
        black_box(compiled.admit(&WriteRequest::update("v1", &stored, body.as_bytes())));
    })
}

/// Keywords that no row has, and why.
const WITHOUT_ROW: &[(&str, &str)] = &[
    ("$ref", REFUSED),
    ("$schema", REFUSED),
    ("id", REFUSED),
    ("definitions", REFUSED),
    ("dependencies", REFUSED),
    ("patternProperties", REFUSED),
    ("additionalItems", REFUSED),
    ("title", NOT_READ),
    ("description", NOT_READ),
    ("example", NOT_READ),
    ("externalDocs", NOT_READ),
    ("*", "it stands for the keywords that servers do not know"),
];

const REFUSED: &str = "a definition with it is refused, so that no object is judged by it";
const NOT_READ: &str = "no object is judged by it";

/// The names of all members of a schema, and of those below it.
fn members(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            names.extend(object.keys().cloned());
            object.values().for_each(|member| members(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| members(item, names)),
        _ => {}
    }
}

#[test]
fn each_keyword_has_a_row_or_a_reason() {
    let mut names = BTreeSet::new();
    for (_, of) in KEYWORDS {
        members(&of(1024, 1024, "").0, &mut names);
    }
    for of in [one_pattern, one_format] {
        members(&of(1024, 1024, "date").0, &mut names);
    }
    for keyword in TABLE {
        let has_reason = WITHOUT_ROW.iter().any(|(name, _)| *name == keyword.name);
        assert_eq!(names.contains(keyword.name), !has_reason, "{}", keyword.name);
    }
}

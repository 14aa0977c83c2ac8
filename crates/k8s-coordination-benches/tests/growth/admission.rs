//! Answers to requests for custom resources, and to definitions.

use std::hint::black_box;

use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, NEWEST, WriteRequest};
use serde_json::{Map, Value, json};

use crate::definitions::{nested, object, of_one, texts};
use crate::row::{Row, Work};

pub(crate) const ROWS: &[Row] = &[
    Row::new("admit, fields", 16, |size| create(&object(&texts("f", size)), &values(size))),
    Row::new("admit, items", 16, |size| {
        create(&list(&json!({"type": "integer"})), &json!({"list": vec![1; size]}))
    }),
    Row::new("admit, findings", 16, |size| {
        create(&list(&json!({"type": "string"})), &json!({"list": vec![1; size]}))
    }),
    Row::new("admit, unknown fields", 64, |size| create(&object(&texts("g", 1)), &values(size))),
    Row::new("admit, duplicate fields", 16, |size| {
        let spec = r#""a": 1, "#.repeat(size);
        let body = format!(
            r#"{{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {{"name": "a"}}, "spec": {{{spec}"a": 1}}}}"#
        );
        admit(&object(&texts("a", 1)), body, None)
    }),
    Row::new("admit, a set", 16, |size| {
        let mut schema = list(&json!({"type": "integer"}));
        schema["properties"]["list"]["x-kubernetes-list-type"] = json!("set");
        create(&schema, &numbers(size))
    }),
    Row::new("admit, unique items", 16, |size| {
        let mut schema = list(&json!({"type": "integer"}));
        schema["properties"]["list"]["uniqueItems"] = json!(true);
        create(&schema, &numbers(size))
    }),
    Row::new("admit, a list with keys", 16, |size| create(&keyed(), &keyed_items(size))),
    Row::new("admit, an update of a list with keys", 16, |size| {
        update(&keyed(), &keyed_items(size))
    }),
    Row::new("admit, an update with findings", 16, |size| {
        update(&list(&json!({"type": "integer", "maximum": -1})), &numbers(size))
    }),
    Row::new("admit, defaults", 16, |size| {
        let item =
            json!({"type": "object", "properties": {"a": {"type": "string", "default": "b"}}});
        create(&list(&item), &json!({"list": vec![json!({}); size]}))
    }),
    Row::new("admit, words", 16, |size| {
        let words: Vec<String> = (0..size).map(|at| format!("w{at}")).collect();
        let item = json!({"type": "string", "enum": words});
        create(&list(&item), &json!({"list": ["other"]}))
    }),
    Row::new("admit, a pattern", 64, |size| {
        let item = json!({"type": "string", "pattern": "^(a|aa)+$"});
        create(&list(&item), &json!({"list": ["a".repeat(size) + "!"]}))
    }),
    Row::new("admit, a long pattern", 16, |size| {
        let item = json!({"type": "string", "pattern": "(ab|cd)".repeat(size)});
        create(&list(&item), &json!({"list": ["ab"]}))
    }),
    Row::new("admit, rules", 4, |size| {
        let rules: Vec<Value> =
            (0..size).map(|at| json!({"rule": format!("size(self.f0) != {at}")})).collect();
        let mut schema = object(&texts("f", 1));
        schema["x-kubernetes-validations"] = rules.into();
        create(&schema, &values(1))
    }),
    Row::new("admit, items with a rule", 16, |size| {
        let item = json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self >= 0"}]});
        create(&list(&item), &numbers(size))
    }),
    Row::new("admit, a rule over items", 16, |size| {
        let mut schema = list(&json!({"type": "integer"}));
        schema["x-kubernetes-validations"] =
            json!([{"rule": "self.list.map(x, x + 1).all(x, x > 0)"}]);
        create(&schema, &numbers(size))
    }),
    Row::new("admit, a rule over a set", 16, |size| {
        let mut schema = list(&json!({"type": "integer"}));
        schema["properties"]["list"]["x-kubernetes-list-type"] = json!("set");
        schema["x-kubernetes-validations"] =
            json!([{"rule": "self.list == self.list && size(self.list + [1]) > 0"}]);
        create(&schema, &numbers(size))
    }),
    Row::new("admit, an update with a rule of items", 16, |size| {
        let rule = json!([{"rule": "self.name == oldSelf.name"}]);
        let mut schema = keyed();
        schema["properties"]["list"]["items"]["x-kubernetes-validations"] = rule;
        update(&schema, &keyed_items(size))
    }),
    Row::new("admit, patterns", 4, |size| {
        let field = |at| {
            (format!("f{at}"), json!({"type": "string", "pattern": format!("^a{{1,9}}b{at}$")}))
        };
        let fields: Map<String, Value> = (0..size).map(field).collect();
        create(&object(&fields.into()), &values(size))
    }),
    Row::new("admit, formats", 16, |size| {
        let texts: Vec<String> = (0..size).map(|at| format!("host{at}.example.com")).collect();
        create(&list(&json!({"type": "string", "format": "hostname"})), &json!({"list": texts}))
    }),
    Row::new("admit, embedded objects", 16, |size| {
        let item = json!({
            "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        });
        let object = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"a": "!"}}});
        create(&list(&item), &json!({"list": vec![object; size]}))
    }),
    Row::new("admit, depth", 1, |size| {
        let value = (0..size).fold(values(1), |inner, _| json!({"inner": inner, "a": "b"}));
        create(&nested(size), &value)
    })
    .doubled(4),
    Row::new("admit, alternatives", 4, |size| {
        let alternatives: Vec<Value> =
            (0..size).map(|at| json!({"required": [format!("f{at}")]})).collect();
        let mut schema = object(&texts("f", size));
        schema["oneOf"] = alternatives.into();
        create(&schema, &values(0))
    }),
    Row::new("admit, labels", 16, |size| {
        metadata("labels", &(0..size).map(|at| (format!("/{at}"), json!("!"))).collect())
    }),
    Row::new("admit, managed fields", 16, |size| {
        let fields: Map<String, Value> =
            (0..size).map(|at| (format!("f:{at}"), json!({}))).collect();
        let entry = json!({"manager": "a", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields});
        let body = json!({
            "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": {"name": "a", "namespace": "b", "managedFields": [entry]}, "spec": {},
        });
        admit(&object(&texts("f", 1)), body.to_string(), None)
    }),
    Row::new("judge a definition, fields", 8, |size| verdict(&object(&texts("f", size)))),
    Row::new("judge a definition, depth", 1, |size| verdict(&nested(size))).doubled(4),
    Row::new("judge a definition, rules", 4, |size| {
        let mut schema = object(&texts("f", 1));
        let rules: Vec<Value> =
            (0..size).map(|at| json!({"rule": format!("self.f0 != '{at}'")})).collect();
        schema["x-kubernetes-validations"] = rules.into();
        verdict(&schema)
    }),
    Row::new("judge a definition, faults", 8, |size| {
        let fields = (0..size).map(|at| (format!("f{at}"), json!({"type": "text"})));
        verdict(&object(&fields.collect::<Map<_, _>>().into()))
    }),
    Row::new("judge a definition, a long rule", 8, |size| {
        let mut schema = object(&texts("f", 1));
        let rule = vec!["self.f0 != 'a'"; size].join(" && ");
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        verdict(&schema)
    }),
];

fn list(item: &Value) -> Value {
    object(&json!({"list": {"type": "array", "maxItems": 100_000, "items": item}}))
}

fn numbers(size: usize) -> Value {
    json!({"list": (0..size).collect::<Vec<_>>()})
}

/// Values for the fields of [`texts`] with the prefix `f`.
fn values(size: usize) -> Value {
    (0..size).map(|at| (format!("f{at}"), json!("a"))).collect::<Map<_, _>>().into()
}

fn keyed() -> Value {
    let item =
        json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
    let mut schema = list(&item);
    schema["properties"]["list"]["x-kubernetes-list-type"] = json!("map");
    schema["properties"]["list"]["x-kubernetes-list-map-keys"] = json!(["name"]);
    schema
}

fn keyed_items(size: usize) -> Value {
    let items: Vec<Value> = (0..size).map(|at| json!({"name": format!("n{at}")})).collect();
    json!({"list": items})
}

fn body(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": "a", "namespace": "b", "uid": "7", "resourceVersion": "8"}, "spec": spec,
    })
}

fn create(schema: &Value, spec: &Value) -> Work {
    let mut body = body(spec);
    body["metadata"] = json!({"name": "a", "namespace": "b"});
    admit(schema, body.to_string(), None)
}

fn update(schema: &Value, spec: &Value) -> Work {
    let stored = body(spec);
    let mut body = body(spec);
    body["spec"]["list"].as_array_mut().unwrap().reverse();
    admit(schema, body.to_string(), Some(stored))
}

fn metadata(part: &str, members: &Map<String, Value>) -> Work {
    let mut body = body(&json!({}));
    body["metadata"] = json!({"name": "a", "namespace": "b", part: members});
    admit(&object(&texts("f", 1)), body.to_string(), None)
}

/// Compiles the definition and answers a request: whatever the answer is, it costs no more than the input.
fn admit(schema: &Value, body: String, stored: Option<Value>) -> Work {
    let definition = of_one("Widget", schema);
    Box::new(move || {
        let compiled = Definition::compile(&definition).unwrap();
        let request = match &stored {
            Some(stored) => WriteRequest::update("v1", stored, body.as_bytes()),
            None => WriteRequest::create("v1", "b", body.as_bytes()),
        };
        black_box(compiled.admit(&request));
    })
}

fn verdict(schema: &Value) -> Work {
    let definition = of_one("Widget", schema);
    Box::new(move || drop(judge(&definition, NEWEST)))
}

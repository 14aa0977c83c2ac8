//! A long name around many parts: whatever names each part by its path writes the name as often.

use std::fs;
use std::hint::black_box;

use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, NEWEST, WriteRequest};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::definitions::{definition, object, of_one, run, versions, write};
use crate::files::{conform, packaged, recording};
use crate::{BYTES, Case, Work};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for command in COMMANDS {
        for (name, schemas) in SCHEMAS {
            cases.push((
                format!("a long name, {command}, {name}"),
                Box::new(move |share| of_definition(command, &schemas(longest(share)))),
            ));
            cases.push((
                format!("a long name, {command}, {name}, accepted"),
                Box::new(move |_| of_definition(command, &schemas(ACCEPTED))),
            ));
        }
        cases.push((
            format!("a long name, {command}, a word in many fields"),
            Box::new(move |share| {
                // Both versions share the bytes of an input.
                let bytes = if command == TWO_VERSIONS { BYTES / 2 } else { BYTES };
                of_definition(command, &a_word(bytes, share))
            }),
        ));
    }
    for (name, schema) in OBJECTS {
        for form in ["JSON", "YAML"] {
            cases.push((
                format!("a long name, validate {form}, {name}"),
                Box::new(move |share| of_object(form, &schema(share), share)),
            ));
        }
    }
    cases.push((
        "a long name, recording".to_owned(),
        Box::new(|share| {
            let parts = json!({"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1", "metadata": {}, "items": [
                {"metadata": {"name": "a"}, "spec": around(share, &json!(1))},
                {"metadata": around(share, &json!({}))},
            ]});
            conform(&recording(&parts.to_string()))
        }),
    ));
    cases
}

/// The longest name that a definition may have at the place of the parts.
const LONGEST: usize = 900;

/// The longest name that a definition may have around as many small fields as fit beside it.
const ACCEPTED: usize = 200;

/// The name of a definition that has all bytes, or as many as a path may have.
const fn longest(share: usize) -> usize {
    if share == 1 { BYTES / 2 } else { LONGEST }
}

/// A name with a share of the bytes around as many small parts as fit beside it.
fn around(share: usize, part: &Value) -> Value {
    around_of("n".repeat(BYTES / 16 * share), part)
}

fn around_of(name: String, part: &Value) -> Value {
    let count = (BYTES - name.len()) / (part.to_string().len() + 9);
    let parts = (0..count).map(|at| (format!("f{at}"), part.clone()));
    json!({ name: parts.collect::<Map<_, _>>() })
}

/// [`around`], with schemas of objects.
fn objects_around(length: usize, part: &Value) -> Value {
    let parts = around_of("n".repeat(length), part);
    let members = parts.as_object().into_iter().flatten();
    object(
        &members.map(|(name, parts)| (name.clone(), object(parts))).collect::<Map<_, _>>().into(),
    )
}

/// The schemas of `spec` with a name of a length, before and after a change.
type Schemas = (&'static str, fn(usize) -> [Value; 2]);

const SCHEMAS: &[Schemas] = &[
    ("fields", |length| {
        ["integer", "string"].map(|word| objects_around(length, &json!({"type": word})))
    }),
    ("faults", |length| {
        ["strin", "tring"].map(|word| objects_around(length, &json!({"type": word})))
    }),
    ("unknown keywords", |length| {
        ["a", "b"].map(|word| objects_around(length, &json!({"type": "string", word: 1})))
    }),
    ("ignored keywords", |length| {
        ["binary", "other"]
            .map(|word| objects_around(length, &json!({"type": "string", "format": word})))
    }),
    ("narrower fields", |length| {
        [1, 2].map(|least| objects_around(length, &json!({"type": "string", "minLength": least})))
    }),
    ("rules", |length| {
        ["self == 1", "self.a"].map(|rule| {
            let rules = json!([{"rule": rule}]);
            objects_around(length, &json!({"type": "string", "x-kubernetes-validations": rules}))
        })
    }),
    ("defaults", |length| {
        [1, 2].map(|default| objects_around(length, &json!({"type": "string", "default": default})))
    }),
    ("words", |length| {
        ["a", "b"].map(|word| objects_around(length, &json!({"type": "string", "enum": [word]})))
    }),
    ("lists", |length| {
        ["atomic", "set"].map(|of_type| {
            let list = json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": of_type});
            objects_around(length, &list)
        })
    }),
    ("objects", |length| {
        ["a", "b"].map(|name| objects_around(length, &object(&json!({name: {"type": "string"}}))))
    }),
];

/// A word with a share of the bytes, beside as many fields as fit.
fn a_word(bytes: usize, share: usize) -> [Value; 2] {
    let word = "w".repeat(bytes / 16 * share);
    let count = (bytes - word.len()) / 30;
    ["a", "b"].map(|name| {
        let fields = (0..count).map(|at| (format!("{name}{at}"), json!({"type": "string"})));
        let mut fields: Map<String, Value> = fields.collect();
        fields.insert("mode".to_owned(), json!({"type": "string", "enum": [word]}));
        object(&fields.into())
    })
}

const TWO_VERSIONS: &str = "two versions";

const COMMANDS: [&str; 6] = ["judge", "show", "generate", TWO_VERSIONS, "diff", "validate"];

fn of_definition(command: &str, [old, new]: &[Value; 2]) -> Work {
    let folder = TempDir::new().unwrap();
    let one = of_one("Widget", old);
    let crds = write(&folder.path().join("old"), std::slice::from_ref(&one));
    let shown = crds.display().to_string();
    match command {
        "judge" => Box::new(move || {
            black_box(judge(&one, NEWEST));
            black_box(Definition::compile(&one).is_ok());
        }),
        "show" => Box::new(move || drop(run(folder.path(), &format!("show {shown}")))),
        "validate" => Box::new(move || drop(run(folder.path(), &format!("validate {shown}")))),
        "diff" => {
            let newer = write(&folder.path().join("new"), &[of_one("Widget", new)]);
            let diff = format!("diff {shown} {}", newer.display());
            Box::new(move || drop(run(folder.path(), &diff)))
        }
        "generate" => Box::new(move || packaged(folder.path(), &crds)),
        _ => {
            // Both versions share the bytes of an input.
            let specs = [old, new].map(halved);
            let two = definition("Widget", &versions(2, |at| specs[at - 1].clone()));
            let crds = write(&folder.path().join("two"), &[two]);
            Box::new(move || packaged(folder.path(), &crds))
        }
    }
}

/// A schema with half of its fields below the long name.
fn halved(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for inner in schema["properties"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(fields) = inner["properties"].as_object_mut() {
            *fields =
                fields.iter().step_by(2).map(|(name, of)| (name.clone(), of.clone())).collect();
        }
    }
    schema
}

/// The schema of a part below the name.
type Schema = (&'static str, fn(usize) -> Value);

const OBJECTS: &[Schema] = &[
    ("values of another type", |_| json!({"type": "string"})),
    ("values out of range", |_| json!({"type": "integer", "minimum": 2})),
    ("values of other words", |_| json!({"type": "integer", "enum": [2]})),
    (
        "rules",
        |_| json!({"type": "integer", "maximum": 9, "x-kubernetes-validations": [{"rule": "self > 1"}]}),
    ),
    ("unknown fields", |_| Value::Null),
];

/// Judges an object by its definition, in the library and by the command.
fn of_object(form: &str, part: &Value, share: usize) -> Work {
    let inner = match part {
        Value::Null => object(&json!({})),
        part => json!({"type": "object", "additionalProperties": part, "maxProperties": 100}),
    };
    let spec = json!({"type": "object", "additionalProperties": inner});
    let definition = of_one("Widget", &spec);
    let value = json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "b"},
        "spec": around(share, &json!(1)),
    });
    let text = match form {
        "JSON" => value.to_string(),
        _ => format!("# YAML\n{value}"),
    };
    let folder = TempDir::new().unwrap();
    let crds = write(&folder.path().join("crds"), std::slice::from_ref(&definition));
    let path = folder.path().join("objects.yaml");
    fs::write(&path, text).unwrap();
    let args = format!("validate --crds {} {}", crds.display(), path.display());
    let body = value.to_string();
    Box::new(move || {
        if let Ok(compiled) = Definition::compile(&definition) {
            black_box(compiled.admit(&WriteRequest::create("v1", "", body.as_bytes())));
        }
        drop(run(folder.path(), &args));
    })
}

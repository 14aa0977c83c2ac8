//! A long name around many parts: whatever names each part by its path writes the name as often.

use std::fs;
use std::hint::black_box;

use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, NEWEST, WriteRequest};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::definitions::{Package, definition, object, of_one, run, versions, write};
use crate::files::{conform, recording};
use crate::{BYTES, Case, Work};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (name, schemas) in SCHEMAS {
        for command in COMMANDS {
            cases.push((
                format!("a long name, {command}, {name}"),
                Box::new(move |share| of_definition(command, &schemas(share))),
            ));
        }
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

/// A name with a share of the bytes around as many small parts as fit beside it.
fn around(share: usize, part: &Value) -> Value {
    around_of("n".repeat(BYTES / 16 * share), part)
}

fn around_of(name: String, part: &Value) -> Value {
    let count = (BYTES - name.len()) / (part.to_string().len() + 9);
    let parts = (0..count).map(|at| (format!("f{at}"), part.clone()));
    json!({ name: parts.collect::<Map<_, _>>() })
}

/// [`around`], with schemas of objects: all bytes are in a name that is refused, or in a name that is not.
fn objects_around(share: usize, part: &Value) -> Value {
    let length = if share == 1 { BYTES / 2 } else { LONGEST };
    let parts = around_of("n".repeat(length), part);
    let members = parts.as_object().into_iter().flatten();
    object(
        &members.map(|(name, parts)| (name.clone(), object(parts))).collect::<Map<_, _>>().into(),
    )
}

/// The schemas of `spec`, before and after a change.
type Schemas = (&'static str, fn(usize) -> [Value; 2]);

const SCHEMAS: &[Schemas] = &[
    ("fields", |share| {
        ["integer", "string"].map(|word| objects_around(share, &json!({"type": word})))
    }),
    ("faults", |share| {
        ["strin", "tring"].map(|word| objects_around(share, &json!({"type": word})))
    }),
    ("unknown keywords", |share| {
        ["a", "b"].map(|word| objects_around(share, &json!({"type": "string", word: 1})))
    }),
    ("ignored keywords", |share| {
        ["binary", "other"]
            .map(|word| objects_around(share, &json!({"type": "string", "format": word})))
    }),
    ("narrower fields", |share| {
        [1, 2].map(|least| objects_around(share, &json!({"type": "string", "minLength": least})))
    }),
    ("rules", |share| {
        ["self == 1", "self.a"].map(|rule| {
            let rules = json!([{"rule": rule}]);
            objects_around(share, &json!({"type": "string", "x-kubernetes-validations": rules}))
        })
    }),
    ("defaults", |share| {
        [1, 2].map(|default| objects_around(share, &json!({"type": "string", "default": default})))
    }),
    ("words", |share| {
        ["a", "b"].map(|word| objects_around(share, &json!({"type": "string", "enum": [word]})))
    }),
    ("lists", |share| {
        ["atomic", "set"].map(|of_type| {
            let list = json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": of_type});
            objects_around(share, &list)
        })
    }),
    ("objects", |share| {
        ["a", "b"].map(|name| objects_around(share, &object(&json!({name: {"type": "string"}}))))
    }),
    ("a word in many fields", |share| {
        let word = "w".repeat(BYTES / 16 * share);
        let count = (BYTES - word.len()) / 30;
        ["a", "b"].map(|name| {
            let fields = (0..count).map(|at| (format!("{name}{at}"), json!({"type": "string"})));
            let mut fields: Map<String, Value> = fields.collect();
            fields.insert("mode".to_owned(), json!({"type": "string", "enum": [word]}));
            object(&fields.into())
        })
    }),
];

const COMMANDS: [&str; 6] = ["judge", "show", "generate", "two versions", "diff", "validate"];

fn of_definition(command: &str, [old, new]: &[Value; 2]) -> Work {
    let folder = TempDir::new().unwrap();
    let one = of_one("Widget", old);
    let crds = write(&folder.path().join("old"), std::slice::from_ref(&one));
    let crds = crds.display().to_string();
    match command {
        "judge" => Box::new(move || {
            black_box(judge(&one, NEWEST));
            black_box(Definition::compile(&one).is_ok());
        }),
        "show" => Box::new(move || drop(run(folder.path(), &format!("show {crds}")))),
        "validate" => Box::new(move || drop(run(folder.path(), &format!("validate {crds}")))),
        "diff" => {
            let newer = write(&folder.path().join("new"), &[of_one("Widget", new)]);
            let diff = format!("diff {crds} {}", newer.display());
            Box::new(move || drop(run(folder.path(), &diff)))
        }
        "generate" => packaged(&one),
        _ => {
            // Both versions share the bytes of an input.
            let specs = [old, new].map(halved);
            packaged(&definition("Widget", &versions(2, |at| specs[at - 1].clone())))
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

/// Makes a package, drafts its rules, and generates the code.
fn packaged(of: &Value) -> Work {
    let of = of.clone();
    Box::new(move || {
        let folder = TempDir::new().unwrap();
        let crds = write(&folder.path().join("crds"), std::slice::from_ref(&of));
        let new = format!("new types --release 1.0.0 --crds {}", crds.display());
        if run(folder.path(), &new).is_err() {
            return;
        }
        let package = Package { folder };
        let rules = package.run("draft").unwrap_or_default();
        let _ = fs::write(package.path().join("specs/conversions.toml"), rules);
        let _ = package.run("generate");
    })
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

//! The commands of `k8s-versioned`.

use std::fs;
use std::path::Path;

use k8s_resource as dra;
use k8s_versioned::conversion::review::Webhook;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::definitions::{
    Package, definition, kinds, nested, object, of_one, run, texts, versions, write,
};
use crate::row::{Row, Work};

pub(crate) const ROWS: &[Row] = &[
    Row::new("k8s-versioned show, fields", 16, |size| {
        show(&[of_one("Widget", &object(&texts("field", size)))])
    }),
    Row::new("k8s-versioned show, kinds", 2, |size| show(&kinds(size, "field"))),
    Row::new("k8s-versioned show, depth", 1, |size| show(&[of_one("Widget", &nested(size))]))
        .doubled(4),
    Row::new("k8s-versioned show, equal objects", 4, |size| show(&[equal_objects(size)])),
    Row::new("k8s-versioned show, objects with long names", 4, |size| show(&[long_names(size)])),
    Row::new("k8s-versioned show, words", 16, |size| show(&[words(size)])),
    Row::new("k8s-versioned show, a long description", 1_000, |size| show(&[described(size)])),
    Row::new("k8s-versioned show, versions", 1, |size| {
        show(&[definition("Widget", &versions(size, |_| object(&texts("field", 10))))])
    }),
    Row::new("k8s-versioned new, kinds", 1, new),
    Row::new("k8s-versioned fetch, kinds", 1, fetch),
    Row::new("k8s-versioned generate, fields", 8, |size| {
        generate(Package::new(&[of_one("Widget", &object(&texts("field", size)))]))
    }),
    Row::new("k8s-versioned generate, kinds", 1, |size| {
        generate(Package::new(&kinds(size, "field")))
    }),
    Row::new("k8s-versioned generate, depth", 1, |size| {
        generate(Package::new(&[of_one("Widget", &nested(size))]))
    })
    .doubled(4),
    Row::new("k8s-versioned generate, equal objects", 2, |size| {
        generate(Package::new(&[equal_objects(size)]))
    }),
    Row::new("k8s-versioned generate, types that hold themselves", 8, circular),
    Row::new("k8s-versioned generate, words", 8, |size| generate(Package::new(&[words(size)]))),
    Row::new("k8s-versioned generate, versions without conversions", 1, |size| {
        let versions = versions(size, |_| object(&texts("field", 10)));
        generate(Package::new(&[definition("Widget", &versions)]))
    }),
    Row::new("k8s-versioned generate, equal versions", 1, |size| {
        let versions = versions(size, |_| object(&texts("field", 10)));
        generate(Package::new(&[definition("Widget", &versions)]).with_rules())
    })
    .doubled(4),
    Row::new("k8s-versioned generate, versions with a field more each", 1, |size| {
        let versions = versions(size, |at| object(&texts("field", at)));
        generate(Package::new(&[definition("Widget", &versions)]).with_rules())
    })
    .doubled(4),
    Row::new("k8s-versioned draft, versions with a field more each", 1, |size| {
        let versions = versions(size, |at| object(&texts("field", at)));
        draft(&[definition("Widget", &versions)])
    })
    .doubled(4),
    Row::new("k8s-versioned generate, fields of two versions", 4, |size| {
        generate(Package::new(&[differing(size)]).with_rules())
    }),
    Row::new("k8s-versioned generate, objects of two versions", 2, |size| {
        generate(Package::new(&[differing_objects(size)]).with_rules())
    }),
    Row::new("k8s-versioned generate, kinds of two versions", 1, |size| {
        generate(Package::new(&differing_kinds(size)).with_rules())
    }),
    Row::new("k8s-versioned generate --check", 8, check),
    Row::new("k8s-versioned generate, folders of the user", 64, beside_folders),
    Row::new("k8s-versioned draft, fields", 4, |size| draft(&[differing(size)])),
    Row::new("k8s-versioned draft, renamed fields", 4, |size| draft(&[renamed(size)])),
    Row::new("k8s-versioned draft, objects", 2, |size| draft(&[differing_objects(size)])),
    Row::new("k8s-versioned draft, kinds", 1, |size| draft(&differing_kinds(size))),
    Row::new("k8s-versioned draft, depth", 1, |size| draft(&[differing_depth(size)])).doubled(4),
    Row::new("k8s-versioned generate, depth of two versions", 1, |size| {
        generate(Package::new(&[differing_depth(size)]).with_rules())
    })
    .doubled(4),
    Row::new("k8s-versioned generate, words of two versions", 4, |size| {
        generate(Package::new(&[differing_words(size)]).with_rules())
    }),
    Row::new("k8s-versioned generate, a rule with words", 8, |size| generate(renamed_words(size))),
    Row::new("k8s-versioned diff, fields", 8, |size| {
        let sides = ["old", "new"].map(|prefix| object(&texts(prefix, size)));
        diff(&sides.map(|spec| vec![of_one("Widget", &spec)]))
    }),
    Row::new("k8s-versioned diff, kinds", 1, |size| {
        diff(&["old", "new"].map(|prefix| kinds(size, prefix)))
    }),
    Row::new("k8s-versioned diff, depth", 1, |size| {
        diff(&["old", "new"].map(|leaf| vec![of_one("Widget", &around(&texts(leaf, 1), size))]))
    })
    .doubled(4),
    Row::new("k8s-versioned diff, versions", 1, |size| {
        diff(&["old", "new"].map(|prefix| {
            vec![definition("Widget", &versions(size, |_| object(&texts(prefix, 10))))]
        }))
    }),
    Row::new("k8s-versioned diff --objects", 8, diff_objects),
    Row::new("k8s-versioned validate, objects", 16, |size| {
        validate(&lines(size, |at| widget(at, &json!({"field0": "a"}))))
    }),
    Row::new("k8s-versioned validate, objects with findings", 16, |size| {
        validate(&lines(size, |at| widget(at, &json!({"field0": at}))))
    }),
    Row::new("k8s-versioned validate, a list in JSON", 16, |size| validate(&list(size))),
    Row::new("k8s-versioned validate, a list in YAML", 16, |size| {
        validate(&format!("# YAML\n{}", list(size)))
    }),
    Row::new("k8s-versioned validate, findings of an object", 16, |size| {
        validate(&widget(0, &json!({"list": vec![1; size]})).to_string())
    }),
    Row::new("k8s-versioned validate, negative zeros", 16, |size| {
        let list = vec!["-0"; size].join(",");
        validate(&widget(0, &json!({"list": []})).to_string().replace("[]", &format!("[{list}]")))
    }),
    Row::new("k8s-versioned show, blanks at the beginning", 16_000, |size| {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("blanks.yaml");
        fs::write(&path, " ".repeat(size)).unwrap();
        let args = format!("show {}", path.display());
        Box::new(move || drop(run(folder.path(), &args)))
    }),
    Row::new("k8s-versioned validate, a list in YAML", 16, |size| {
        validate(&format!("# YAML\n{}", list(size)))
    }),
    Row::new("k8s-versioned validate, findings of an object", 16, |size| {
        validate(&widget(0, &json!({"list": vec![1; size]})).to_string())
    }),
    Row::new("k8s-versioned validate, unknown fields", 16, |size| {
        validate(&widget(0, &texts("unknown", size)).to_string())
    }),
    Row::new("k8s-versioned validate, aliases", 16, |size| {
        let items = "  - *a\n".repeat(size);
        validate(&format!("{HEAD}spec:\n  field0: &a text\n  list:\n{items}"))
    }),
    Row::new("k8s-versioned validate, a block of text", 16, |size| {
        validate(&format!("{HEAD}spec:\n  field0: |\n{}", "    a line\n".repeat(size)))
    }),
    Row::new("k8s-versioned validate, a line of tabs", 16_000, |size| {
        validate(&format!("{HEAD}spec:\n  field0: a\n  {}\n", "\t".repeat(size)))
    }),
    Row::new("k8s-versioned validate, definitions", 1, |size| {
        validate(&lines(size, |at| of_one(&format!("Gadget{at}"), &object(&texts("field", 10)))))
    }),
    Row::new("k8s-versioned check-review", 8, check_review),
];

const HEAD: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: b}\n";

fn show(definitions: &[Value]) -> Work {
    let folder = TempDir::new().unwrap();
    let crds = write(&folder.path().join("crds"), definitions);
    Box::new(move || {
        run(folder.path(), &format!("show {}", crds.display())).unwrap();
    })
}

fn new(size: usize) -> Work {
    let folder = TempDir::new().unwrap();
    let crds = write(&folder.path().join("crds"), &kinds(size, "field"));
    let new = format!("new types --release 1.0.0 --crds {}", crds.display());
    Box::new(move || {
        run(folder.path(), &new).unwrap();
    })
}

fn fetch(size: usize) -> Work {
    let package = Package::new(&kinds(size, "field"));
    let newer = write(&package.folder.path().join("newer"), &kinds(size, "other"));
    Box::new(move || {
        package.run(&format!("fetch --release 1.1.0 --crds {}", newer.display())).unwrap();
    })
}

fn generate(package: Package) -> Work {
    Box::new(move || {
        package.run("generate").unwrap();
    })
}

fn check(size: usize) -> Work {
    let package = Package::new(&[of_one("Widget", &object(&texts("field", size)))]);
    package.run("generate").unwrap();
    Box::new(move || {
        package.run("generate --check").unwrap();
    })
}

/// Generates beside folders with pages of the user.
fn beside_folders(size: usize) -> Work {
    let package = Package::new(&[of_one("Widget", &object(&texts("field", 1)))]);
    for at in 0..size {
        let folder = package.path().join(format!("docs/folder{at}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("page.md"), "A page.").unwrap();
    }
    generate(package)
}

fn draft(definitions: &[Value]) -> Work {
    let package = Package::new(definitions);
    Box::new(move || {
        package.run("draft").unwrap();
    })
}

fn diff(sides: &[Vec<Value>; 2]) -> Work {
    let folder = TempDir::new().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    write(&old, &sides[0]);
    write(&new, &sides[1]);
    Box::new(move || {
        run(folder.path(), &format!("diff {} {}", old.display(), new.display())).unwrap();
    })
}

fn diff_objects(size: usize) -> Work {
    let folder = TempDir::new().unwrap();
    let [old, new, objects] = ["old", "new", "objects"].map(|name| folder.path().join(name));
    write(&old, &[of_one("Widget", &object(&texts("field", 10)))]);
    write(&new, &[of_one("Widget", &object(&texts("field", 5)))]);
    write(&objects, &(0..size).map(|at| widget(at, &texts("unused", 0))).collect::<Vec<_>>());
    let args = format!("diff {} {} --objects {}", old.display(), new.display(), objects.display());
    Box::new(move || {
        run(folder.path(), &args).unwrap();
    })
}

/// An object of the kind that [`validate`] knows.
fn widget(at: usize, spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": format!("a{at}"), "namespace": "b"}, "spec": spec,
    })
}

/// Documents of YAML, each of which is JSON.
fn lines(size: usize, object: impl Fn(usize) -> Value) -> String {
    let documents: Vec<String> = (0..size).map(|at| format!("---\n{}\n", object(at))).collect();
    documents.concat()
}

fn list(size: usize) -> String {
    let items: Vec<Value> = (0..size).map(|at| widget(at, &json!({"field0": at}))).collect();
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

/// Whatever the verdict is, it costs no more than the input.
fn validate(objects: &str) -> Work {
    let folder = TempDir::new().unwrap();
    let mut fields = texts("field", 10);
    fields["list"] = json!({"type": "array", "items": {"type": "string"}});
    let crds = write(&folder.path().join("crds"), &[of_one("Widget", &object(&fields))]);
    let path = folder.path().join("objects.yaml");
    fs::write(&path, objects).unwrap();
    let args = format!("validate --crds {} {}", crds.display(), path.display());
    Box::new(move || drop(run(folder.path(), &args)))
}

fn check_review(size: usize) -> Work {
    let folder = TempDir::new().unwrap();
    let claim = |at| {
        json!({
            "apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim",
            "metadata": {"name": format!("a{at}"), "namespace": "b", "uid": "7"}, "spec": {},
        })
    };
    let objects: Vec<Value> = (0..size).map(claim).collect();
    let request = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {"uid": "9", "desiredAPIVersion": "resource.k8s.io/v1", "objects": objects},
    });
    let answer = Webhook::of::<dra::Kinds>().answer(request.to_string().as_bytes()).unwrap();
    fs::write(folder.path().join("request.json"), request.to_string()).unwrap();
    fs::write(folder.path().join("answer.json"), answer.answer).unwrap();
    let path = |name: &str| Path::display(&folder.path().join(name)).to_string();
    let args = format!("check-review {} {}", path("request.json"), path("answer.json"));
    Box::new(move || {
        run(folder.path(), &args).unwrap();
    })
}

// Definitions that grow in one direction.

fn equal_objects(size: usize) -> Value {
    let inner = object(&texts("field", 5));
    let fields = (0..size).map(|at| (format!("part{at}"), inner.clone()));
    of_one("Widget", &object(&fields.collect::<serde_json::Map<_, _>>().into()))
}

/// Objects whose names are too long for types: these are numbered.
fn long_names(size: usize) -> Value {
    let field = |at| (format!("{}{at:05}", "a".repeat(46)), object(&texts(&format!("f{at}of"), 1)));
    of_one("Widget", &object(&(0..size).map(field).collect::<serde_json::Map<_, _>>().into()))
}

/// Generates from a document with types of which each holds itself and the next.
fn circular(size: usize) -> Work {
    let package = Package::new(&[of_one("Widget", &object(&texts("field", 1)))]);
    let name = |at: usize| format!("com.example.v1.S{at}");
    let reference = |at: usize| json!({"$ref": format!("#/components/schemas/{}", name(at))});
    let schema = |at: usize| {
        let next = if at + 1 < size { reference(at + 1) } else { json!({"type": "string"}) };
        (name(at), object(&json!({"itself": reference(at), "next": next})))
    };
    let schemas: serde_json::Map<_, _> = (0..size).map(schema).collect();
    let document = json!({
        "openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "v1.36"},
        "paths": {}, "components": {"schemas": schemas},
    });
    let specs = package.path().join("specs");
    fs::remove_dir_all(&specs).unwrap();
    fs::create_dir_all(specs.join("v1.36")).unwrap();
    let group = "groups = [\"example.com\"]\ndescriptions = \"none\"\nverbs = false\n";
    fs::write(specs.join("group.toml"), group).unwrap();
    let path = specs.join("v1.36/apis__example.com__v1_openapi.json");
    fs::write(path, document.to_string()).unwrap();
    generate(package)
}

fn words(size: usize) -> Value {
    let words: Vec<String> = (0..size).map(|at| format!("Word{at}")).collect();
    of_one("Widget", &object(&json!({"mode": {"type": "string", "enum": words}})))
}

fn described(size: usize) -> Value {
    let text = "A word of a sentence. ".repeat(size / 20);
    of_one("Widget", &object(&json!({"mode": {"type": "string", "description": text}})))
}

/// Two versions, each with fields that the other lacks.
fn differing(size: usize) -> Value {
    definition("Widget", &versions(2, |at| object(&texts(&format!("in{at}of"), size))))
}

/// Two versions whose fields have like names.
fn renamed(size: usize) -> Value {
    let spec = |version: usize| {
        let ending = ["Seconds", "Duration"][version - 1];
        let field = |at| (format!("step{at}{ending}"), json!({"type": "integer"}));
        object(&(0..size).map(field).collect::<serde_json::Map<_, _>>().into())
    };
    definition("Widget", &versions(2, spec))
}

/// Two versions whose fields differ at the end of a chain of objects.
fn differing_depth(size: usize) -> Value {
    let spec = |version: usize| around(&texts(&format!("in{version}of"), 1), size);
    definition("Widget", &versions(2, spec))
}

/// Objects around properties.
fn around(properties: &Value, depth: usize) -> Value {
    (0..depth).fold(object(properties), |inner, _| object(&json!({"inner": inner})))
}

/// Two versions, each with words that the other lacks.
fn differing_words(size: usize) -> Value {
    definition("Widget", &versions(2, |version| object(&json!({"mode": in_words(version, size)}))))
}

fn in_words(version: usize, size: usize) -> Value {
    let words: Vec<String> = (0..size).map(|at| format!("In{version}Of{at}")).collect();
    json!({"type": "string", "enum": words})
}

/// The package of [`differing_words`] with a rule that pairs them.
fn renamed_words(size: usize) -> Package {
    let package = Package::new(&[differing_words(size)]);
    let words = |version: usize| {
        let words = (0..size).map(|at| format!("\"In{version}Of{at}\""));
        words.collect::<Vec<_>>().join(", ")
    };
    let rules = format!(
        "[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\n\n[[kind.field]]\nrule = \"words\"\n\
         names = {{ v1 = \"spec.mode\", v2 = \"spec.mode\" }}\nwords = {{ v1 = [{}], v2 = [{}] }}\nreason = \"Renamed.\"\n",
        words(1),
        words(2)
    );
    fs::write(package.path().join("specs/conversions.toml"), rules).unwrap();
    package
}

/// Two versions with objects of which one field differs.
fn differing_objects(size: usize) -> Value {
    let spec = |version: usize| {
        let inner = |at| (format!("part{at}"), object(&texts(&format!("in{version}of"), 2)));
        object(&(0..size).map(inner).collect::<serde_json::Map<_, _>>().into())
    };
    definition("Widget", &versions(2, spec))
}

fn differing_kinds(size: usize) -> Vec<Value> {
    let spec = |version| object(&texts(&format!("in{version}of"), 2));
    (0..size).map(|at| definition(&format!("Widget{at}"), &versions(2, spec))).collect()
}

//! Files: YAML, JSON, definitions, rule files, protobuf, annotations, reviews, recordings.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use clap::Parser as _;
use k8s_coordination::v1beta1;
use k8s_coordination_cli::Progress;
use k8s_resource as dra;
use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::protobuf;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::annotations::{KEY, keeping};
use crate::definitions::{Package, definition, object, of_one, run, texts, versions, write};
use crate::{BYTES, Case, Make, Work};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut add = |name: String, make: Make| cases.push((name, make));
    for (name, text) in TEXTS {
        for program in ["validate", "convert", "elect", "k8s-versioned validate", "show"] {
            add(
                format!("{program}, {name}"),
                Box::new(move |share| command(program, &text(share))),
            );
        }
    }
    for (name, text) in RULE_FILES {
        add(format!("rule file, {name}"), Box::new(|share| rule_file(&text(share))));
    }
    for (name, text) in NAMES {
        add(format!("names.toml, {name}"), Box::new(|share| names(&text(share))));
    }
    for (name, body) in MESSAGES {
        add(format!("protobuf, {name}"), Box::new(|share| message(body(share))));
    }
    for (name, annotation) in ANNOTATIONS {
        add(format!("annotation, {name}"), Box::new(|share| annotated(&annotation(share))));
    }
    for (name, objects) in OBJECTS {
        add(format!("review, {name}"), Box::new(|share| reviewed(&objects(share))));
    }
    for (name, of) in JUDGED {
        add(format!("judged object, {name}"), Box::new(|_| judged(of())));
    }
    add("review, embedded objects in objects".to_owned(), Box::new(embedded));
    for (name, recording) in RECORDINGS {
        add(format!("recording, {name}"), Box::new(|share| conform(&recording(share))));
    }
    for (name, of) in DEFINITIONS {
        add(format!("definition, {name}"), Box::new(|share| package(&of(share))));
    }
    cases
}

// Texts of YAML and JSON.

type Text = (&'static str, fn(usize) -> String);

const HEAD: &str =
    "apiVersion: coordination.k8s.io/v1beta1\nkind: LeaseCandidate\nmetadata: {name: a}\n";

/// So often that it has the bytes of an input.
fn filled(part: &str) -> String {
    part.repeat(BYTES / part.len())
}

const TEXTS: &[Text] = &[
    ("aliases of a large anchor", |share| {
        let anchor = "x".repeat(BYTES / 16 * share);
        format!("{HEAD}a: &a {anchor}\nb: [{}*a]\n", "*a,".repeat((BYTES - anchor.len()) / 3))
    }),
    ("aliases of aliases", |_| {
        let mut text = format!("{HEAD}a0: &a0 [x]\n");
        for at in 1..BYTES / 60 {
            let _ = writeln!(text, "a{at}: &a{at} [*a{0},*a{0}]", at - 1);
        }
        text
    }),
    ("many anchors", |_| {
        (0..BYTES / 16).fold(HEAD.to_owned(), |text, at| text + &format!("k{at}: &a{at} x\n"))
    }),
    ("merge keys", |_| {
        let members = (0..500).fold(String::new(), |text, at| text + &format!("m{at}: 1,"));
        format!("{HEAD}a: &a {{{members}}}\nb:\n{}", "- {<<: *a}\n".repeat(20_000))
    }),
    ("sequences in a line", |_| filled("- ")),
    ("complex keys", |_| filled("? ")),
    ("flow sequences", |_| filled("[")),
    ("flow mappings", |_| filled("{a: ")),
    ("flow pairs", |_| format!("[{}]", filled("a: b,"))),
    ("quotes over lines", |_| format!("{HEAD}a: \"{}\"", filled("b\\\n  \n  "))),
    ("escapes", |_| format!("{HEAD}a: \"{}\"", filled("\\U0001F600"))),
    ("a plain text over lines", |_| format!("{HEAD}a: b\n{}", filled("  c\n"))),
    ("a folded text", |_| format!("{HEAD}a: >\n{}", filled("  c\n\n   d\n"))),
    ("a literal text of empty lines", |_| format!("{HEAD}a: |\n{}", filled("\n"))),
    ("a literal text of blanks", |_| format!("{HEAD}a: |\n{}", filled(" \n"))),
    ("indentation that grows", |_| {
        (0..700).fold(HEAD.to_owned(), |text, at| text + &" ".repeat(at) + "a:\n")
    }),
    ("documents", |_| filled("---\n")),
    ("documents with objects", |_| format!("{HEAD}---\n").repeat(BYTES / 90)),
    ("document ends", |_| filled("...\n")),
    ("directives", |_| filled("%TAG !a! b\n") + "---\na\n"),
    ("tags", |_| format!("{HEAD}a: [{}]", filled("!a b,"))),
    ("comments", |_| format!("{HEAD}{}", filled("# a\n"))),
    ("tabs", |_| format!("{HEAD}{}", filled("\t\n"))),
    ("a line of tabs after a text", |_| format!("{HEAD}a: b\n  {}", filled("\t"))),
    ("blanks", |_| filled(" ")),
    ("carriage returns", |_| format!("{HEAD}{}", filled("\r"))),
    ("colons", |_| filled("a:b:")),
    ("members", |_| {
        (0..BYTES / 10).fold(HEAD.to_owned(), |text, at| text + &format!("k{at}: 1\n"))
    }),
    ("equal members", |_| format!("{HEAD}{}", filled("k: 1\n"))),
    ("a long key", |_| format!("{HEAD}{}: 1\n", "k".repeat(BYTES))),
    ("a long key without a value", |_| format!("{HEAD}{}", "k".repeat(BYTES))),
    ("JSON, arrays", |_| filled("[")),
    ("JSON, objects", |_| filled("{\"a\":")),
    ("JSON, equal members", |_| format!("{{{}\"a\":1}}", filled("\"a\":1,"))),
    ("JSON, a long number", |_| format!("{{\"a\":{}}}", "9".repeat(BYTES))),
    ("JSON, a long exponent", |_| format!("{{\"a\":1e{}}}", "9".repeat(BYTES))),
    ("JSON, escapes", |_| format!("{{\"a\":\"{}\"}}", filled("\\ud83d\\ude00"))),
    ("JSON, halves of surrogates", |_| format!("{{\"a\":\"{}\"}}", filled("\\ud83d"))),
    ("JSON, values in a row", |_| filled("{}")),
    ("JSON, a list of nothing", |_| {
        format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{}{{}}]}}", filled("{},"))
    }),
    ("JSON, lists in lists", |_| {
        format!("{}{}", filled("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":["), "]}")
    }),
    ("candidates of one Lease", |_| candidates(|_| "l".to_owned())),
    ("candidates of many Leases", |_| candidates(|at| format!("l{at}"))),
    ("unknown fields", |_| with_metadata("labels", |at| (format!("/{at}"), json!("!")))),
    ("annotations", |_| with_metadata("annotations", |at| (format!("/{at}"), json!("!")))),
    ("a hostile version", |_| {
        let version = format!("1.{}", "9".repeat(BYTES));
        format!(
            "{HEAD}spec: {{leaseName: l, strategy: s, binaryVersion: '{version}', emulationVersion: '{version}'}}\n"
        )
    }),
];

fn candidates(lease: impl Fn(usize) -> String) -> String {
    (0..BYTES / 200).fold(String::new(), |text, at| {
        text + &format!(
            "---\n{}spec: {{leaseName: {}, binaryVersion: 1.33.0, strategy: OldestEmulationVersion, emulationVersion: 1.33.0}}\n",
            HEAD.replace("name: a", &format!("name: a{at}")),
            lease(at)
        )
    })
}

fn with_metadata(part: &str, member: impl Fn(usize) -> (String, Value)) -> String {
    let members: Map<String, Value> = (0..BYTES / 20).map(member).collect();
    json!({
        "apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate", "metadata": {"name": "a", part: members},
    })
    .to_string()
}

/// Whatever the command says, it ends.
fn command(program: &str, text: &str) -> Work {
    let folder = TempDir::new().unwrap();
    let name = if text.starts_with('{') { "objects.json" } else { "objects.yaml" };
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let args = match program {
        "k8s-versioned validate" => {
            let crds = [of_one("Widget", &object(&texts("field", 3)))];
            let crds = write(&folder.path().join("crds"), &crds);
            format!("validate --crds {} {}", crds.display(), path.display())
        }
        "show" => format!("show {}", path.display()),
        _ => return coordination(program, folder, path.to_str().unwrap()),
    };
    Box::new(move || drop(run(folder.path(), &args)))
}

fn coordination(program: &str, folder: TempDir, path: &str) -> Work {
    let args = match program {
        "convert" => "convert --to v1alpha1",
        "elect" => "elect --now 2026-01-02T03:04:05Z",
        other => other,
    };
    let words = ["coordination"].into_iter().chain(args.split(' ')).chain([path]);
    let cli = k8s_coordination_cli::Cli::try_parse_from(words).unwrap();
    Box::new(move || {
        let _ = &folder;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let _ = k8s_coordination_cli::run(&cli, &Progress::hidden(), &mut out, &mut err);
    })
}

// Rule files.

const RULE_FILES: &[Text] = &[
    ("arrays", |_| format!("a = {}", filled("["))),
    ("inline tables", |_| format!("a = {}", filled("{a = "))),
    ("dotted keys", |_| format!("{}a = 1", filled("a."))),
    ("tables", |_| (0..BYTES / 8).fold(String::new(), |text, at| text + &format!("[a{at}]\n"))),
    ("tables in tables", |_| format!("[{}a]", filled("a."))),
    ("tables of arrays", |_| filled("[[a]]\n")),
    ("equal keys", |_| filled("a = 1\n")),
    ("keys", |_| (0..BYTES / 10).fold(String::new(), |text, at| text + &format!("a{at} = 1\n"))),
    ("mistakes", |_| filled("a = \n")),
    ("a text over lines", |_| format!("a = \"\"\"{}", filled("\\\n"))),
    ("kinds", |_| filled("[[kind]]\nkind = \"A\"\nversions = [\"v1\"]\n")),
    ("fields", |_| {
        let field =
            "[[kind.field]]\nrule = \"keep-aside\"\nnames = { v1 = \"spec.a\" }\nreason = \"a\"\n";
        format!("[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\n{}", filled(field))
    }),
    ("fields of long paths", |_| {
        let path = "a.".repeat(BYTES / 4);
        let field = format!(
            "[[kind.field]]\nrule = \"move\"\nnames = {{ v1 = \"{path}b\", v2 = \"{path}c\" }}\nreason = \"a\"\n"
        );
        format!("[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\n{field}")
    }),
    ("words", |_| {
        let words = "\"a\", ".repeat(BYTES / 12);
        format!(
            "[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\n[[kind.field]]\nrule = \"words\"\nnames = {{ v1 = \"spec.field0\", v2 = \"spec.field0\" }}\n\
             words = {{ v1 = [{words}], v2 = [{words}] }}\nreason = \"a\"\n"
        )
    }),
    ("versions", |_| format!("[[kind]]\nkind = \"Widget\"\nversions = [{}]\n", filled("\"v1\", "))),
];

fn two_versions() -> Package {
    Package::new(&[definition("Widget", &versions(2, |_| object(&texts("field", 3))))])
}

fn rule_file(text: &str) -> Work {
    let package = two_versions();
    fs::write(package.path().join("specs/conversions.toml"), text).unwrap();
    Box::new(move || {
        let _ = package.run("generate");
        let _ = package.run("draft");
    })
}

const NAMES: &[Text] = &[
    ("names", |_| {
        (0..BYTES / 30)
            .fold(String::new(), |text, at| text + &format!("\"a.B{at}.c\" = \"D{at}\"\n"))
    }),
    ("tables", |_| {
        (0..BYTES / 30)
            .fold(String::new(), |text, at| text + &format!("[\"a.B{at}\"]\nc = \"D\"\n"))
    }),
    ("a long name", |_| format!("a = \"{}\"\n", "B".repeat(BYTES))),
    ("mistakes", |_| filled("a = 1\n")),
];

fn names(text: &str) -> Work {
    let package = two_versions();
    fs::write(package.path().join("specs/names.toml"), text).unwrap();
    Box::new(move || drop(package.run("generate")))
}

// Bodies of protobuf.

type Message = (&'static str, fn(usize) -> Vec<u8>);

const MESSAGES: &[Message] = &[
    ("empty items", |_| [0x12, 0].repeat(BYTES / 2)),
    ("unknown fields", |_| [0x7a, 0].repeat(BYTES / 2)),
    ("groups", |_| [0x7b].repeat(BYTES)),
    ("long numbers", |_| [0xff].repeat(BYTES)),
    ("messages in messages", |_| {
        let mut body: Vec<u8> = Vec::new();
        while body.len() < BYTES / 2 {
            let length = body.len();
            let mut around = vec![0x0a];
            let mut rest = length;
            while rest > 0x7f {
                around.push(0x80 | u8::try_from(rest & 0x7f).unwrap());
                rest >>= 7;
            }
            around.push(u8::try_from(rest).unwrap());
            around.append(&mut body);
            body = around;
            if length > 1_000 {
                break;
            }
        }
        body
    }),
    ("a merged message", |_| [0x0a, 0x02, 0x0a, 0x00].repeat(BYTES / 4)),
    ("annotations of one name", |_| {
        [0x0a, 0x06, 0x62, 0x04, 0x0a, 0x00, 0x12, 0x00].repeat(BYTES / 8)
    }),
    ("a length beyond the end", |_| [0x12, 0xff, 0xff, 0xff, 0x7f].to_vec()),
];

fn message(body: Vec<u8>) -> Work {
    Box::new(move || {
        let _ = black_box(protobuf::decode_message::<v1beta1::LeaseCandidate>(&body));
        let _ = black_box(protobuf::decode_message::<
            k8s_coordination::List<v1beta1::LeaseCandidate>,
        >(&body));
    })
}

// Annotations that keep values.

type Annotations = (&'static str, fn(usize) -> Value);

const ANNOTATIONS: &[Annotations] = &[
    ("places", |_| {
        kept((0..BYTES / 80).map(|at| {
            (format!("spec.devices.requests[#{at}:00000000].exactly.capacity"), json!({}))
        }))
    }),
    ("places of one item", |_| {
        kept((0..BYTES / 100).map(|at| {
            let item = "spec.devices.requests[#0:00000000]";
            (format!("{item}.firstAvailable[#{at}:00000000].capacity"), json!({}))
        }))
    }),
    ("pointers", |_| {
        kept((0..BYTES / 180).map(|at| (format!("/spec/devices/requests/{at}/name"), json!(1))))
    }),
    ("parts", |_| kept((0..BYTES / 180).map(|at| (format!("spec.controller/f:m{at}"), json!(1))))),
    ("a long pointer", |_| kept([(format!("/{}", "a/".repeat(BYTES / 2)), json!(1))].into_iter())),
    ("a long path", |_| kept([(format!("spec{}", ".a".repeat(BYTES / 2)), json!(1))].into_iter())),
    ("a path of many items", |_| {
        kept([(format!("spec{}", "[0]".repeat(BYTES / 3)), json!(1))].into_iter())
    }),
    ("versions", |_| {
        keeping((0..BYTES / 180).map(|at| (format!("v{at}"), "spec.a".to_owned(), json!(1))))
    }),
    ("a large value", |_| {
        kept([("spec.controller".to_owned(), json!("a".repeat(BYTES)))].into_iter())
    }),
    ("names", |_| (0..BYTES / 70).map(|at| (format!("{KEY}.v{at}"), json!("{}"))).collect()),
    ("deep", |_| text(&filled("{\"a\":"))),
    ("many formats", |_| text(&format!("{{{}\"format\":3}}", filled("\"format\":3,")))),
    ("blanks", |_| text(&filled(" "))),
    ("no JSON", |_| text(&filled("\\"))),
];

fn text(text: &str) -> Value {
    json!({ format!("{KEY}.v1.spec"): text })
}

fn kept(fields: impl Iterator<Item = (String, Value)> + Clone) -> Value {
    let of = |version: &'static str| move |(path, value)| (version.to_owned(), path, value);
    keeping(fields.clone().map(of("v1")).chain(fields.map(of("v1alpha3"))))
}

/// Reviews of ten objects with the annotations, to the version that keeps most and to another.
fn annotated(annotations: &Value) -> Work {
    let object = json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
        "metadata": {"name": "a", "namespace": "b", "uid": "7", "annotations": annotations},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c", "capacity": {"requests": {"memory": "1Gi"}}}}]}},
    });
    reviewed(&vec![object; 10])
}

// Objects in reviews.

type Objects = (&'static str, fn(usize) -> Vec<Value>);

const OBJECTS: &[Objects] = &[
    ("tiny objects", |_| {
        vec![json!({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}); BYTES / 60]
    }),
    ("empty objects", |_| vec![json!({}); BYTES / 3]),
    ("objects without a kind", |_| vec![json!({"apiVersion": "resource.k8s.io/v1"}); BYTES / 40]),
    ("a long kind", |_| {
        vec![json!({"apiVersion": "resource.k8s.io/v1", "kind": "k".repeat(BYTES / 100)}); 100]
    }),
    ("unknown fields", |_| vec![claim(json!({"spec": short_fields(BYTES / 10, &json!(1))}))]),
    ("numbers instead of requests", |_| {
        vec![claim(json!({"spec": {"devices": {"requests": vec![1; BYTES / 2]}}}))]
    }),
    ("empty requests", |_| {
        vec![claim(json!({"spec": {"devices": {"requests": vec![json!({}); BYTES / 3]}}}))]
    }),
    ("requests with a kept value", |_| {
        let request = json!({"exactly": {"capacity": {}}});
        vec![claim(json!({"spec": {"devices": {"requests": vec![request; BYTES / 34]}}}))]
    }),
    ("a request with a long name and many parts", |_| {
        let parts = vec![json!({"capacity": {}}); BYTES / 60];
        let request = json!({"name": "n".repeat(BYTES / 2), "firstAvailable": parts});
        vec![claim(json!({"spec": {"devices": {"requests": [request]}}}))]
    }),
    ("unknown fields below a long name", |_| {
        let capacity = json!({"n".repeat(BYTES / 2): short_fields(BYTES / 20, &json!(1))});
        vec![json!({
            "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"},
            "spec": {"devices": [{"name": "d", "capacity": capacity}]},
        })]
    }),
    ("long names of a status", |_| {
        let data = json!({"n".repeat(BYTES / 2): short_fields(BYTES / 20, &json!(1))});
        vec![claim(
            json!({"status": {"devices": [{"driver": "d", "pool": "p", "device": "d", "data": data}]}}),
        )]
    }),
    ("labels", |_| {
        let mut object = claim(json!({}));
        object["metadata"]["labels"] = short_fields(BYTES / 12, &json!("a"));
        vec![object]
    }),
    ("annotations", |_| {
        let mut object = claim(json!({}));
        object["metadata"]["annotations"] = short_fields(BYTES / 12, &json!("a"));
        vec![object]
    }),
    ("managed fields", |_| {
        let mut object = claim(json!({}));
        object["metadata"]["managedFields"] =
            json!(vec![json!({"fieldsV1": {"f:a": {}}}); BYTES / 26]);
        vec![object]
    }),
];

fn claim(parts: Value) -> Value {
    let mut claim = parts;
    claim["apiVersion"] = json!("resource.k8s.io/v1");
    claim["kind"] = json!("ResourceClaim");
    claim["metadata"] = json!({"name": "a", "namespace": "b", "uid": "7"});
    claim
}

/// Reviews of the objects, of which each may fail.
fn reviewed(objects: &[Value]) -> Work {
    let review = |version: &str| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "request": {"uid": "9", "desiredAPIVersion": format!("resource.k8s.io/{version}"), "objects": objects},
        })
        .to_string()
    };
    let (bodies, webhook) =
        (["v1alpha3", "v1beta1"].map(review), Arc::new(Webhook::of::<dra::Kinds>()));
    Box::new(move || {
        for body in &bodies {
            let _ = black_box(webhook.answer(body.as_bytes()));
        }
    })
}

/// A review of an object with as many objects in each other as JSON may nest, around a large value.
fn embedded(share: usize) -> Work {
    let units = vec![json!({"timeout": "5ms"}); BYTES / 16 * share / 18];
    let inside = |inner: Value| json!({"embedded": [{"template": inner}]});
    let spec = (0..120).fold(json!({"units": units}), |inner, _| inside(inner));
    let object = json!({
        "apiVersion": "rules.example.dev/v1beta1", "kind": "Parcel", "metadata": {"name": "a"}, "spec": spec,
    });
    let request =
        json!({"uid": "9", "desiredAPIVersion": "rules.example.dev/v1", "objects": [object]});
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request,
    });
    let (body, webhook) = (review.to_string(), Webhook::of::<codegen_cases::rules::Kinds>());
    Box::new(move || drop(black_box(webhook.answer(body.as_bytes()))))
}

// Objects that the command judges by a definition.

/// A schema of `spec`, and a value of it.
type Judged = (&'static str, fn() -> [Value; 2]);

const JUDGED: &[Judged] = &[
    ("findings of items", || {
        let item = json!({"type": "object", "required": ["a"]});
        [list_of(&item, ""), json!({"l": vec![json!({}); BYTES / 3]})]
    }),
    ("a sum for each item", || {
        [list_of(&integer(), "self.l.all(x, self.l.sum() >= 0)"), json!({"l": vec![1; BYTES / 2]})]
    }),
    ("a pattern and a text for each item", || {
        let rule = "self.l.all(x, self.s.matches('(a|'+string(x)+')*'+self.s))";
        [list_of(&integer(), rule), json!({"l": vec![0; 20], "s": "x".repeat(BYTES - 100)})]
    }),
    ("items sorted by NaN", || {
        let rule = "self.l.sortBy(x, double(x)).size() > 0";
        [list_of(&json!({"type": "string"}), rule), json!({"l": vec!["NaN"; BYTES / 6]})]
    }),
];

fn integer() -> Value {
    json!({"type": "integer"})
}

/// An object with a list of these items and a text, and a rule about it.
fn list_of(item: &Value, rule: &str) -> Value {
    let list = json!({"type": "array", "items": item});
    let mut schema = object(&json!({"l": list, "s": {"type": "string"}}));
    if !rule.is_empty() {
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
    }
    schema
}

fn judged([schema, spec]: [Value; 2]) -> Work {
    let folder = TempDir::new().unwrap();
    let crds = write(&folder.path().join("crds"), &[of_one("Widget", &schema)]);
    let widget = json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "b"}, "spec": spec,
    });
    let path = folder.path().join("object.json");
    fs::write(&path, widget.to_string()).unwrap();
    let args = format!("validate --crds {} {}", crds.display(), path.display());
    Box::new(move || drop(run(folder.path(), &args)))
}

// Recordings.

const RECORDINGS: &[Text] = &[
    ("deep", |_| filled("{\"a\":")),
    ("a list of empty objects", |_| {
        recording(&format!(
            "{{\"kind\":\"LeaseList\",\"apiVersion\":\"coordination.k8s.io/v1\",\"items\":[{}{{}}]}}",
            filled("{},")
        ))
    }),
    ("a large text", |_| recording(&format!("\"{}\"", "a".repeat(BYTES)))),
    ("causes", |_| {
        let causes = "{\"reason\":\"FieldValueInvalid\",\"message\":\"m\",\"field\":\"spec\"},"
            .repeat(BYTES / 70);
        recording(&format!(
            "{{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":422,\"details\":{{\"causes\":[{causes}{{}}]}}}}"
        ))
    }),
];

pub(crate) fn recording(body: &str) -> String {
    format!(
        "{{\"name\":\"a\",\"request\":{{\"method\":\"GET\",\"path\":\"/apis/coordination.k8s.io/v1/leases\"}},\
         \"response\":{{\"status\":200,\"headers\":{{\"content-type\":\"application/json\"}},\"json\":{body}}}}}"
    )
}

pub(crate) fn conform(text: &str) -> Work {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("v1.35/coordination.k8s.io/v1/a");
    fs::create_dir_all(&to).unwrap();
    fs::write(to.join("001-a.json"), text).unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    coordination("conform --fixtures", folder, &path)
}

// Definitions, of which everything is made.

type Definition = (&'static str, fn(usize) -> Value);

const DEFINITIONS: &[Definition] = &[
    ("fields", |_| {
        of_one("Widget", &object(&short_fields(BYTES / 30, &json!({"type": "string"}))))
    }),
    ("words", |_| {
        let words: Vec<String> = (0..BYTES / 8).map(|at| format!("W{at}")).collect();
        of_one("Widget", &object(&json!({"a": {"type": "string", "enum": words}})))
    }),
    ("equal objects", |_| {
        let inner = object(&json!({"a": {"type": "string"}, "b": {"type": "string"}}));
        of_one("Widget", &object(&short_fields(BYTES / 100, &inner)))
    }),
    ("different objects", |_| {
        let inner = |at| (format!("f{at}"), object(&json!({format!("a{at}"): {"type": "string"}})));
        of_one("Widget", &object(&(0..BYTES / 80).map(inner).collect::<Map<_, _>>().into()))
    }),
    ("a long description", |_| {
        of_one(
            "Widget",
            &object(
                &json!({"a": {"type": "string", "description": "`*_[a](b)<c>\n".repeat(BYTES / 14)}}),
            ),
        )
    }),
    ("a long name", |_| of_one("Widget", &object(&json!({"a".repeat(BYTES): {"type": "string"}})))),
    ("long names of objects", |_| {
        let name = "a".repeat(BYTES / 24);
        let inner = (0..20).fold(object(&json!({"b": {"type": "string"}})), |inner, _| {
            object(&json!({&name: inner}))
        });
        of_one("Widget", &inner)
    }),
    ("a default", |_| {
        of_one("Widget", &object(&json!({"a": {"type": "string", "default": "d".repeat(BYTES)}})))
    }),
    ("versions", |_| definition("Widget", &versions(BYTES / 300, |_| object(&json!({}))))),
    ("two versions of unlike fields", |_| {
        let spec = |at: usize| {
            let field = |of| (format!("in{at}of{of}"), json!({"type": "string"}));
            object(&(0..BYTES / 80).map(field).collect::<Map<_, _>>().into())
        };
        definition("Widget", &versions(2, spec))
    }),
    ("24 versions of unlike fields", |_| {
        let spec = |at: usize| {
            let field = |of| (format!("in{at}of{of}"), json!({"type": "string"}));
            object(&(0..20).map(field).collect::<Map<_, _>>().into())
        };
        definition("Widget", &versions(24, spec))
    }),
];

fn short_fields(count: usize, of: &Value) -> Value {
    (0..count).map(|at| (format!("f{at}"), of.clone())).collect::<Map<_, _>>().into()
}

/// Shows the types, makes a package, drafts rules, and generates the code.
fn package(of: &Value) -> Work {
    let folder = TempDir::new().unwrap();
    let crds = write(&folder.path().join("crds"), std::slice::from_ref(of));
    Box::new(move || {
        let _ = run(folder.path(), &format!("show {}", crds.display()));
        packaged(folder.path(), &crds);
    })
}

/// Makes a package of definitions in a folder, drafts its rules, and generates the code. Definitions may be refused: any other error of
/// `new` would leave nothing to measure.
pub(crate) fn packaged(folder: &Path, crds: &Path) {
    let new = format!("new types --release 1.0.0 --crds {}", crds.display());
    if let Err(error) = run(folder, &new) {
        assert!(error.contains("0000.json"), "{error}");
        return;
    }
    let types = folder.join("types");
    let rules = run(&types, "draft").unwrap_or_default();
    fs::write(types.join("specs/conversions.toml"), rules).unwrap();
    let _ = run(&types, "generate");
}

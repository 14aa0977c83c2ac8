//! Random pairs of schemas with random objects: a server that refuses what was valid breaks writers, and a finding says so.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, NEWEST, ServerAnswer, WriteRequest};
use k8s_versioned_codegen::tools::diff::{Class, DiffFinding, diff};
use k8s_versioned_core::Release;
use k8s_versioned_source::{ReadLimits, documents};
use serde_json::{Map, Value, json};

use crate::diff_table::{definition, specs};

/// The pairs of a plain test run. `DIFF_PAIRS=2000 DIFF_SEED=1000000` is a thorough run with other pairs, and `DIFF_DEFINITIONS=DIR`
/// changes the definitions in the files of a folder, instead of random schemas.
const PAIRS: u64 = 80;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The objects of a pair.
const OBJECTS: usize = 24;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const TEXTS: [&str; 7] = ["", "a", "b", "ab", "abcab", "2026-01-02T03:04:05Z", "10.0.0.1"];

fn pick<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.usize(..all.len())]
}

/// A keyword with a value that fits a type.
fn keyword(rng: &mut Rng, of_type: &str) -> (&'static str, Value) {
    let number = |rng: &mut Rng| json!(rng.u8(0..4));
    match (of_type, rng.u8(0..12)) {
        (_, 0) => ("nullable", json!(true)),
        ("string", 1) => ("maxLength", number(rng)),
        ("string", 2) => ("minLength", number(rng)),
        ("string", 3 | 4) => ("pattern", json!(pick(rng, &["^a", "^[a-c]*$", "b$", "^.?$"]))),
        ("string", 5) => ("format", json!(pick(rng, &["date-time", "ipv4", "color", "byte"]))),
        ("string", 6 | 7) => {
            let words: Vec<&str> = TEXTS.iter().copied().filter(|_| rng.bool()).collect();
            ("enum", json!(if words.is_empty() { vec!["a"] } else { words }))
        }
        ("string", 8) => ("default", json!(pick(rng, &TEXTS))),
        ("string", 9) => {
            ("x-kubernetes-validations", rule(rng, &["self.size() < 3", "self != 'a'"]))
        }
        ("string", 10) => ("anyOf", json!([{"maxLength": 1}, {"pattern": "b"}])),
        ("integer" | "number", 1 | 2) => ("maximum", number(rng)),
        ("integer" | "number", 3) => ("minimum", number(rng)),
        ("integer" | "number", 4) => ("exclusiveMaximum", json!(true)),
        ("integer" | "number", 5) => ("multipleOf", json!(rng.u8(1..5))),
        ("integer", 6) => ("format", json!(pick(rng, &["int32", "int64"]))),
        ("integer" | "number", 7) => ("enum", json!([rng.u8(0..3), rng.u8(3..5)])),
        ("integer" | "number", 8) => ("default", number(rng)),
        ("integer" | "number", 9) => {
            ("x-kubernetes-validations", rule(rng, &["self < 3", "self != 1"]))
        }
        ("integer" | "number", _) => ("not", json!({"minimum": 3})),
        ("array", 1 | 2) => ("maxItems", number(rng)),
        ("array", 3) => ("minItems", number(rng)),
        ("array", 4 | 5) => ("x-kubernetes-list-type", json!(pick(rng, &["set", "atomic", "map"]))),
        ("array", 6) => {
            ("x-kubernetes-validations", rule(rng, &["size(self) < 2", "self.size() > 0"]))
        }
        ("object", 1) => ("maxProperties", number(rng)),
        ("object", 2) => ("minProperties", number(rng)),
        ("object", 3 | 4) => ("required", json!([pick(rng, &NAMES)])),
        ("object", 5) => ("x-kubernetes-preserve-unknown-fields", json!(true)),
        ("object", 6) => ("x-kubernetes-validations", rule(rng, &["has(self.a)", "!has(self.b)"])),
        ("object", 7) => ("anyOf", json!([{"required": ["a"]}, {"required": ["c"]}])),
        ("object", 8) => ("oneOf", json!([{"required": ["a"]}, {"required": ["b"]}])),
        ("object", 9) => ("not", json!({"required": [pick(rng, &NAMES)]})),
        ("object", 10) => ("default", json!({})),
        _ => ("title", json!("a")),
    }
}

fn rule(rng: &mut Rng, rules: &[&str]) -> Value {
    json!([{ "rule": pick(rng, rules) }])
}

/// A structural schema.
fn schema(rng: &mut Rng, depth: u8) -> Value {
    let types = [
        "string", "string", "integer", "number", "boolean", "any", "array", "object", "object",
        "map",
    ];
    let most = if depth == 0 { 6 } else { types.len() };
    let mut schema = match types[rng.usize(..most)] {
        "any" => return json!({"x-kubernetes-int-or-string": true}),
        "array" => {
            let items = schema(rng, depth - 1);
            json!({"type": "array", "items": items})
        }
        "map" => json!({"type": "object", "additionalProperties": schema(rng, depth - 1)}),
        "object" => {
            let names = NAMES.iter().filter(|_| rng.bool()).collect::<Vec<_>>();
            let properties: Map<String, Value> = names
                .into_iter()
                .map(|name| ((*name).to_owned(), schema(rng, depth - 1)))
                .collect();
            json!({"type": "object", "properties": properties})
        }
        plain => json!({ "type": plain }),
    };
    for _ in 0..rng.u8(0..3) {
        decorate(rng, &mut schema);
    }
    schema
}

/// Sets or removes a keyword.
fn decorate(rng: &mut Rng, schema: &mut Value) {
    let of_type = schema["type"].as_str().unwrap_or_default().to_owned();
    let (name, value) = keyword(rng, &of_type);
    let members = schema.as_object_mut().unwrap();
    if members.contains_key(name) && rng.bool() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), value);
    }
    if name == "x-kubernetes-list-type" {
        members.remove("x-kubernetes-list-map-keys");
        if members.get(name).is_some_and(|of_type| of_type == "map") {
            members.insert("x-kubernetes-list-map-keys".to_owned(), json!(["a"]));
            let properties = json!({"a": {"type": "string"}, "b": {"type": "string"}});
            let items = json!({"type": "object", "properties": properties, "required": ["a"]});
            members.insert("items".to_owned(), items);
        }
    }
}

/// Changes a part of a schema.
fn change(rng: &mut Rng, part: &mut Value, depth: u8) {
    let is_map = part.get("additionalProperties").is_some();
    match rng.u8(0..10) {
        0 | 1 => return decorate(rng, part),
        2 if depth > 0 && rng.u8(0..3) == 0 => return *part = schema(rng, depth),
        3 if part["type"] == "integer" => part["type"] = json!("number"),
        4 if part["type"] == "string" => *part = json!({"x-kubernetes-int-or-string": true}),
        5 if part["type"] == "object" && !is_map => {
            let name = pick(rng, &NAMES);
            let field = schema(rng, depth.saturating_sub(1));
            let members = part.as_object_mut().unwrap();
            let properties = members.entry("properties").or_insert_with(|| json!({}));
            let properties = properties.as_object_mut().unwrap();
            if properties.remove(name).is_none() {
                properties.insert(name.to_owned(), field);
            }
        }
        _ => {}
    }
    let inside: Vec<&mut Value> = match part {
        Value::Object(members) => members
            .iter_mut()
            .flat_map(|(keyword, value)| match (keyword.as_str(), value) {
                ("items" | "additionalProperties", value @ Value::Object(_)) => vec![value],
                ("properties", Value::Object(properties)) => properties.values_mut().collect(),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    };
    for inside in inside {
        change(rng, inside, depth.saturating_sub(1));
    }
}

/// A value that a schema may allow.
fn value(rng: &mut Rng, schema: &Value) -> Value {
    if schema["nullable"] == true && rng.u8(0..4) == 0 {
        return Value::Null;
    }
    if let Some(words) = schema["enum"].as_array().filter(|_| rng.u8(0..4) > 0) {
        return words[rng.usize(..words.len())].clone();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "string" => json!(pick(rng, &TEXTS)),
        "integer" => json!(if rng.u8(0..8) == 0 { 1_i64 << 40 } else { rng.i64(-1..6) }),
        "number" => json!(f64::from(rng.i16(-2..12)) / 2.0),
        "boolean" => json!(rng.bool()),
        "array" => (0..rng.u8(0..4)).map(|_| value(rng, &schema["items"])).collect(),
        "object" => {
            let mut members = Map::new();
            let required = schema["required"].as_array();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_required =
                    required.is_some_and(|names| names.iter().any(|known| known == name));
                if rng.u8(0..3) > 0 || is_required && rng.u8(0..20) > 0 {
                    members.insert(name.clone(), value(rng, property));
                }
            }
            for name in NAMES {
                let is_open = schema["x-kubernetes-preserve-unknown-fields"] == true;
                if let Some(values) = schema.get("additionalProperties").filter(|_| rng.bool()) {
                    members.insert(name.to_owned(), value(rng, values));
                } else if is_open && rng.u8(0..4) == 0 && !members.contains_key(name) {
                    members.insert(name.to_owned(), json!(rng.u8(0..3)));
                }
            }
            members.into()
        }
        _ if rng.bool() => json!(pick(rng, &TEXTS)),
        _ => json!(rng.u8(0..5)),
    }
}

fn with_spec(spec: &Value) -> Value {
    let mut definition = definition();
    let versions = definition["spec"]["versions"].as_array_mut().unwrap();
    versions.truncate(1);
    versions[0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = spec.clone();
    definition
}

/// A definition with one version on both sides.
struct Pair {
    sides: [Value; 2],
    /// The schema of the older side.
    schema: Value,
}

impl Pair {
    fn text(&self, pointer: &str) -> &str {
        self.sides[0].pointer(pointer).and_then(Value::as_str).unwrap()
    }

    fn version(&self) -> &str {
        self.text("/spec/versions/0/name")
    }

    /// An object that the older side may allow.
    fn object(&self, rng: &mut Rng) -> Value {
        let mut object = value(rng, &self.schema);
        object["apiVersion"] = format!("{}/{}", self.text("/spec/group"), self.version()).into();
        object["kind"] = self.text("/spec/names/kind").into();
        object["metadata"] = json!({"name": "a"});
        // Servers ignore the status in such requests: it would not be stored.
        if self.sides[0].pointer("/spec/versions/0/subresources/status").is_some() {
            object.as_object_mut().unwrap().remove("status");
        }
        object
    }

    fn create(&self, definition: &Definition, object: &Value) -> ServerAnswer {
        let body = object.to_string();
        definition.admit(&WriteRequest::create(self.version(), self.namespace(), body.as_bytes()))
    }

    /// The update of a stored object that changes nothing.
    fn update(&self, definition: &Definition, object: &Value) -> ServerAnswer {
        let mut stored = object.clone();
        stored["metadata"] = json!({"name": "a", "resourceVersion": "1"});
        if !self.namespace().is_empty() {
            stored["metadata"]["namespace"] = self.namespace().into();
        }
        let body = stored.to_string();
        definition.admit(&WriteRequest::update(self.version(), &stored, body.as_bytes()))
    }

    fn namespace(&self) -> &'static str {
        if self.text("/spec/scope") == "Namespaced" { "default" } else { "" }
    }
}

/// The steps of a path. The items of a list and the values of a map have any name.
fn steps(path: &str) -> Vec<String> {
    let path = path.replace("[]", ".*").replace("{}", ".*").replace('[', ".*[");
    let steps = path.split('.').filter(|step| !step.is_empty());
    steps.map(|step| if step.starts_with('*') { "*".to_owned() } else { step.to_owned() }).collect()
}

/// Returns `true` if one of the paths leads to the other, or beyond it.
fn are_related(one: &str, other: &str) -> bool {
    let (one, other) = (steps(one), steps(other));
    one.iter().zip(&other).all(|(one, other)| one == other || one == "*" || other == "*")
}

/// The changes of a field that change the object around it: the field comes or goes, or its `null` is dropped.
const AROUND: [&str; 4] =
    ["field-lost-nullable", "field-removed", "field-type-changed", "unknown-fields-dropped"];

/// The causes of a refusal that no finding about writers explains.
fn unexplained(answer: &ServerAnswer, findings: &[DiffFinding], kind: &str) -> Vec<String> {
    let breaks = |finding: &&DiffFinding| finding.classes.contains(&Class::BreaksWriters);
    let is_explained = |field: &str| {
        findings.iter().filter(breaks).any(|finding| {
            let path = finding.subject.trim_start_matches(kind).trim_start_matches('.');
            let changes = AROUND.contains(&finding.rule.id) || finding.rule.id.contains("default");
            let around = path.rsplit_once('.').map_or("", |(around, _)| around);
            field == "<nil>" || are_related(if changes { around } else { path }, field)
        })
    };
    let causes = answer.causes.iter().filter(|cause| !is_explained(&cause.field));
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    let is_other = answer.causes.is_empty() && !findings.iter().any(|finding| breaks(&finding));
    if is_other { vec![answer.message.clone()] } else { causes }
}

#[derive(Debug, Default)]
struct Counts {
    pairs: usize,
    /// Pairs without a finding that breaks writers.
    safe: usize,
    valid: usize,
    /// Objects that cannot be created again.
    refused: usize,
    /// Those of them that an update may keep.
    kept: usize,
}

/// Random schemas.
fn random_pair(rng: &mut Rng) -> Option<Pair> {
    let was = schema(rng, 3);
    let mut is = was.clone();
    change(rng, &mut is, 3);
    let sides = [with_spec(&was), with_spec(&is)];
    let schema = sides[0]["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    (was != is).then_some(Pair { sides, schema })
}

/// The schemas in a schema, by their pointers.
fn parts(schema: &Value, pointer: &str, all: &mut Vec<String>) {
    all.push(pointer.to_owned());
    for keyword in ["items", "additionalProperties"] {
        if let Some(inside @ Value::Object(_)) = schema.get(keyword) {
            parts(inside, &format!("{pointer}/{keyword}"), all);
        }
    }
    for (name, inside) in schema["properties"].as_object().into_iter().flatten() {
        let token = name.replace('~', "~0").replace('/', "~1");
        parts(inside, &format!("{pointer}/properties/{token}"), all);
    }
}

/// The newest version of a definition, and the same with some of its schemas changed.
fn changed_pair(rng: &mut Rng, definition: &Value) -> Option<Pair> {
    let mut old = definition.clone();
    let versions = old["spec"]["versions"].as_array_mut()?;
    let mut version = versions.pop()?;
    (version["served"], version["storage"]) = (true.into(), true.into());
    *versions = vec![version];
    old["spec"].as_object_mut()?.remove("conversion");
    let at = "/spec/versions/0/schema/openAPIV3Schema";
    let (schema, mut new, mut all) = (old.pointer(at)?.clone(), old.clone(), Vec::new());
    parts(schema.pointer("/properties/spec")?, "/properties/spec", &mut all);
    for _ in 0..rng.u8(1..4) {
        let part = &all[rng.usize(..all.len())];
        if let Some(part) = new.pointer_mut(&format!("{at}{part}")) {
            decorate(rng, part);
        }
    }
    (old != new).then_some(Pair { sides: [old, new], schema })
}

/// Judges the objects of one pair.
fn check(seed: u64, rng: &mut Rng, pair: &Pair, counts: &mut Counts) {
    let sides = &pair.sides;
    if !sides.iter().all(|side| judge(side, NEWEST).answer.is_accepted()) {
        return;
    }
    let (one, other) = (Release::new(1, 0), Release::new(1, 1));
    let Ok(findings) = diff(&specs(&sides[0], &sides[1]), one.into(), other.into()) else { return };
    counts.pairs += 1;
    let is_safe = !findings.iter().any(|finding| finding.classes.contains(&Class::BreaksWriters));
    counts.safe += usize::from(is_safe);
    let [old, new] = sides.each_ref().map(|side| Definition::compile(side).unwrap());
    let kind = format!("{} {}", pair.version(), pair.text("/spec/names/kind"));
    for _ in 0..OBJECTS {
        let object = pair.object(rng);
        let before = pair.create(&old, &object);
        // As it was sent, and as it is stored.
        for object in [Some(object), before.object.clone()].into_iter().flatten() {
            if !before.is_accepted() || !pair.create(&old, &object).is_accepted() {
                continue;
            }
            counts.valid += 1;
            let answers = [pair.create(&new, &object), pair.update(&new, &object)];
            counts.refused += usize::from(!answers[0].is_accepted());
            counts.kept += usize::from(!answers[0].is_accepted() && answers[1].is_accepted());
            for answer in
                answers.into_iter().filter(|answer| !answer.is_accepted() && answer.is_complete())
            {
                let causes = unexplained(&answer, &findings, &kind);
                let keys: Vec<String> = findings.iter().map(DiffFinding::headline).collect();
                let [was, is] = sides;
                assert!(
                    causes.is_empty(),
                    "seed {seed}\n{was}\n{is}\n{object}\n{causes:#?}\n{keys:#?}"
                );
            }
        }
    }
}

/// The definitions in the files of a folder, in their order.
fn definitions_in(folder: &Path) -> Vec<Value> {
    let mut files = vec![folder.to_owned()];
    let mut definitions = Vec::new();
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let inside = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            files.extend(inside.collect::<BTreeSet<_>>());
            continue;
        }
        let text = fs::read(&path).unwrap();
        let trees = documents(path.display().to_string(), &text, &ReadLimits::MANIFESTS);
        let values = trees.filter_map(Result::ok).map(|tree| tree.root().to_json());
        definitions.extend(values.filter(|value| value["kind"] == "CustomResourceDefinition"));
    }
    definitions
}

#[test]
fn what_was_valid_and_is_refused_is_breaking() {
    let pairs = variable("DIFF_PAIRS").unwrap_or(PAIRS);
    let folder = std::env::var_os("DIFF_DEFINITIONS");
    let definitions = folder.map(|folder| definitions_in(Path::new(&folder)));
    let mut counts = Counts::default();
    let mut seed = variable("DIFF_SEED").unwrap_or(0);
    while counts.pairs < usize::try_from(pairs).unwrap() {
        let rng = &mut Rng::with_seed(seed);
        let pair = match &definitions {
            Some(all) => {
                let chosen = rng.usize(..all.len());
                changed_pair(rng, &all[chosen])
            }
            None => random_pair(rng),
        };
        if let Some(pair) = pair {
            check(seed, rng, &pair, &mut counts);
        }
        seed += 1;
    }
    println!("{counts:?}");
    if definitions.is_some() {
        return;
    }
    // The test says something about many pairs and objects.
    assert!(counts.safe > counts.pairs / 8 && counts.refused > counts.valid / 50, "{counts:?}");
    // An update may keep what it does not change.
    assert!(counts.kept > counts.refused / 2, "{counts:?}");
}

/// What the page says of lists: items of a list of maps are values of their own, other lists are one value.
#[test]
fn an_update_may_keep_what_it_does_not_change() {
    let item = |limit: u8| {
        let name = json!({"type": "string"});
        json!({"type": "object", "required": ["name"],
            "properties": {"name": name, "text": {"type": "string", "maxLength": limit}}})
    };
    let lists = |limit: u8| {
        let plain = json!({"type": "array", "items": item(limit)});
        let mut map = plain.clone();
        map["x-kubernetes-list-type"] = json!("map");
        map["x-kubernetes-list-map-keys"] = json!(["name"]);
        let mut texts = json!({"type": "array", "items": {"type": "string"}});
        if limit < 9 {
            texts["x-kubernetes-list-type"] = json!("set");
        }
        json!({"type": "object", "properties": {"plain": plain, "map": map, "texts": texts}})
    };
    let new = Definition::compile(&with_spec(&lists(3))).unwrap();
    let stored = |spec: &Value| {
        let metadata = json!({"name": "a", "namespace": "default", "resourceVersion": "1"});
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec})
    };
    let list =
        |last: &str| json!([{"name": "a", "text": "long text"}, {"name": "b", "text": last}]);
    for (field, old, updated, is_accepted) in [
        ("map", list("x"), list("y"), true),
        ("map", list("x"), json!([{"name": "a", "text": "long texts"}]), false),
        ("plain", list("x"), list("x"), true),
        ("plain", list("x"), list("y"), false),
        ("texts", json!(["a", "a"]), json!(["a", "a", "b", "b"]), true),
        ("texts", json!(["a", "b"]), json!(["a", "b", "b"]), false),
    ] {
        let (old, updated) = (stored(&json!({field: old})), stored(&json!({field: updated})));
        let answer = new.admit(&WriteRequest::update("v1", &old, updated.to_string().as_bytes()));
        assert_eq!(answer.is_accepted(), is_accepted, "{updated}: {answer:?}");
    }
}

//! Random pairs of schemas with random objects: a server that refuses what was valid breaks writers, and a finding says so.

use fastrand::Rng;
use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Answer, Definition, NEWEST, Request};
use k8s_versioned_codegen::diff::{Class, Finding, diff};
use k8s_versioned_names::Release;
use serde_json::{Map, Value, json};

use crate::diff_table::{definition, specs};

/// The pairs of a plain test run. The variable has more for a thorough run.
const PAIRS: u64 = 150;
const VARIABLE: &str = "DIFF_PAIRS";

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
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if rng.u8(0..3) > 0 {
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

fn create(definition: &Definition, object: &Value) -> Answer {
    definition.admit(&Request::create("v1", "default", object.to_string().as_bytes()))
}

/// The update of a stored object that changes nothing.
fn update(definition: &Definition, object: &Value) -> Answer {
    let mut stored = object.clone();
    stored["metadata"] = json!({"name": "a", "namespace": "default", "resourceVersion": "1"});
    definition.admit(&Request::update("v1", &stored, stored.to_string().as_bytes()))
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

/// The causes of a refusal that no finding about writers explains.
fn unexplained(answer: &Answer, findings: &[Finding]) -> Vec<String> {
    let breaks = |finding: &&Finding| finding.classes.contains(&Class::BreaksWriters);
    let is_explained = |field: &str| {
        findings.iter().filter(breaks).any(|finding| {
            let path = finding.subject.trim_start_matches("v1 Widget").trim_start_matches('.');
            // A field that comes or goes changes the object around it.
            let changes = ["field-removed", "unknown-fields-dropped"].contains(&finding.rule.id)
                || finding.rule.id.contains("default");
            let around = path.rsplit_once('.').map_or("", |(around, _)| around);
            field == "<nil>" || are_related(if changes { around } else { path }, field)
        })
    };
    let causes = answer.causes.iter().filter(|cause| !is_explained(&cause.field));
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    let is_other = answer.causes.is_empty() && !findings.iter().any(|it| breaks(&it));
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

/// Judges the objects of one pair.
fn check(seed: u64, counts: &mut Counts) {
    let rng = &mut Rng::with_seed(seed);
    let was = schema(rng, 3);
    let mut is = was.clone();
    change(rng, &mut is, 3);
    let sides = [with_spec(&was), with_spec(&is)];
    if was == is || !sides.iter().all(|it| judge(it, NEWEST).answer.is_accepted()) {
        return;
    }
    let (one, other) = (Release::new(1, 0), Release::new(1, 1));
    let Ok(findings) = diff(&specs(&sides[0], &sides[1]), one.into(), other.into()) else { return };
    counts.pairs += 1;
    let is_safe = !findings.iter().any(|it| it.classes.contains(&Class::BreaksWriters));
    counts.safe += usize::from(is_safe);
    let [old, new] = sides.map(|side| Definition::compile(&side).unwrap());
    for _ in 0..OBJECTS {
        let head =
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}});
        let mut object = head.clone();
        object["spec"] = value(rng, &was);
        let before = create(&old, &object);
        // As it was sent, and as it is stored.
        for object in [Some(object), before.object.clone()].into_iter().flatten() {
            if !before.is_accepted() || !create(&old, &object).is_accepted() {
                continue;
            }
            counts.valid += 1;
            let answers = [create(&new, &object), update(&new, &object)];
            counts.refused += usize::from(!answers[0].is_accepted());
            counts.kept += usize::from(!answers[0].is_accepted() && answers[1].is_accepted());
            for answer in answers.into_iter().filter(|it| !it.is_accepted() && it.is_complete()) {
                let causes = unexplained(&answer, &findings);
                let keys: Vec<String> = findings.iter().map(Finding::headline).collect();
                assert!(
                    causes.is_empty(),
                    "seed {seed}\n{was}\n{is}\n{object}\n{causes:#?}\n{keys:#?}"
                );
            }
        }
    }
}

#[test]
fn what_was_valid_and_is_refused_is_breaking() {
    let pairs = std::env::var(VARIABLE).map_or(PAIRS, |text| text.parse().unwrap());
    let mut counts = Counts::default();
    let mut seed = 0;
    while counts.pairs < usize::try_from(pairs).unwrap() {
        check(seed, &mut counts);
        seed += 1;
    }
    println!("{counts:?}");
    // The test says something about many pairs and objects.
    assert!(counts.safe > counts.pairs / 8 && counts.refused > counts.valid / 50, "{counts:?}");
    // An update may keep what it does not change.
    assert!(counts.kept > counts.refused / 2, "{counts:?}");
}

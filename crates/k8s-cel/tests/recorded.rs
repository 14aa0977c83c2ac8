//! Rules of definitions, judged as recorded servers judged them.
//!
//! The sample holds definitions of one rule each and their objects, of servers 1.31, 1.34, 1.35 and 1.36. With
//! `ADMISSION_RECORDINGS` set to a folder of recordings, the ignored test judges all of them:
//!
//! ```sh
//! ADMISSION_RECORDINGS=DIR cargo test -p k8s-cel --test recorded -- --ignored --nocapture recordings
//! ```
//!
//! `ADMISSION_DEFINITIONS` names a folder of definitions as JSON, whose rules must all compile.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use k8s_cel::{RuleOutcome, RuleScope, Rules};
use k8s_versioned_core::Release;
use serde_json::{Map, Value, json};

/// A cause: reason, field, message.
type Cause = (String, String, String);

/// A request for an object, and the answer.
struct Exchange {
    name: String,
    object: Value,
    old: Option<Value>,
    status: u64,
    causes: Vec<Cause>,
    /// The object as it was stored.
    stored: Option<Value>,
}

/// The compiled rules of a schema, node by node.
struct Node {
    rules: Rules,
    schema: Value,
    properties: BTreeMap<String, Node>,
    /// Items of a list, or values of a map.
    items: Option<Box<Node>>,
}

impl Node {
    fn compile(schema: &Value, is_root: bool, release: Release) -> Self {
        let scope = RuleScope { release, is_root };
        let rules = Rules::compile_stored(schema, scope);
        if let Err(errors) = Rules::compile(schema, scope) {
            println!("refused: {errors:?}");
        }
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let properties = properties
            .iter()
            .map(|(name, schema)| (name.clone(), Self::compile(schema, false, release)));
        let items = [&schema["items"], &schema["additionalProperties"]]
            .into_iter()
            .find(|items| items.is_object());
        Self {
            rules,
            schema: schema.clone(),
            properties: properties.collect(),
            items: items.map(|items| Box::new(Self::compile(items, false, release))),
        }
    }

    /// Drops nulls and unknown fields, and applies defaults: just enough for the objects of the sample.
    fn prepare(&self, value: &mut Value) {
        let keeps_unknown = self.schema["x-kubernetes-preserve-unknown-fields"] == json!(true);
        match value {
            Value::Object(members) if !self.properties.is_empty() => {
                if !keeps_unknown {
                    members.retain(|name, _| self.properties.contains_key(name));
                }
                for (name, node) in &self.properties {
                    let nullable = node.schema["nullable"] == json!(true);
                    if members.get(name).is_some_and(|value| value.is_null() && !nullable) {
                        members.remove(name);
                    }
                    if let (None, Some(default)) = (members.get(name), node.schema.get("default")) {
                        members.insert(name.clone(), default.clone());
                    }
                    if let Some(member) = members.get_mut(name) {
                        node.prepare(member);
                    }
                }
            }
            Value::Object(members) => {
                if let Some(items) = &self.items {
                    members.retain(|_, value| {
                        !value.is_null() || items.schema["nullable"] == json!(true)
                    });
                    members.values_mut().for_each(|value| items.prepare(value));
                }
            }
            Value::Array(values) => {
                if let Some(items) = &self.items {
                    for value in values {
                        items.prepare(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn judge(
        &self,
        path: &str,
        value: &Value,
        old: Option<&Value>,
        found: &mut Vec<(Cause, bool)>,
    ) {
        for outcome in self.rules.judge(value, old) {
            match outcome {
                RuleOutcome::Violated(violation) => {
                    if violation.can_ratchet && old == Some(value) {
                        continue;
                    }
                    let field = match &violation.field_path {
                        Some(below) if path.is_empty() => below.clone(),
                        Some(below) => format!("{path}.{below}"),
                        None if path.is_empty() => "<nil>".to_owned(),
                        None => path.to_owned(),
                    };
                    found.push(((violation.reason.to_string(), field, violation.message), true));
                }
                RuleOutcome::NotJudged { reason, .. } => {
                    found.push((("not judged".into(), path.into(), reason), false));
                }
            }
        }
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let old = old.and_then(|old| old.get(name));
                    if let Some(node) = self.properties.get(name) {
                        let path =
                            if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                        node.judge(&path, value, old, found);
                    } else if let Some(node) =
                        self.items.as_ref().filter(|_| self.properties.is_empty())
                    {
                        node.judge(&format!("{path}[{name}]"), value, old, found);
                    }
                }
            }
            Value::Array(values) => {
                let Some(node) = &self.items else { return };
                let keys = self.schema["x-kubernetes-list-map-keys"].as_array();
                for (index, value) in values.iter().enumerate() {
                    let same = |old: &&Value| {
                        keys.is_some_and(|keys| {
                            keys.iter().all(|key| {
                                old.get(key.as_str().unwrap()) == value.get(key.as_str().unwrap())
                            })
                        })
                    };
                    let old = old.and_then(Value::as_array).and_then(|old| old.iter().find(same));
                    node.judge(&format!("{path}[{index}]"), value, old, found);
                }
            }
            _ => {}
        }
    }

    /// How the answer differs from the recorded one, as far as rules cause it.
    fn differences(&self, exchange: &Exchange) -> Vec<String> {
        let mut object = exchange.stored.clone().unwrap_or_else(|| exchange.object.clone());
        for meta in ["apiVersion", "kind", "metadata"] {
            let original = object[meta].take();
            if exchange.stored.is_none() {
                object.as_object_mut().unwrap().remove(meta);
            }
            if !original.is_null() {
                object[meta] = original;
            }
        }
        if exchange.stored.is_none() {
            let meta: Vec<(String, Value)> = ["apiVersion", "kind", "metadata"]
                .iter()
                .filter_map(|meta| Some((String::from(*meta), object.get(*meta)?.clone())))
                .collect();
            self.prepare(&mut object);
            object.as_object_mut().unwrap().extend(meta);
        }
        let not_checked = exchange
            .causes
            .iter()
            .any(|(_, _, message)| message.contains("rules were not checked"));
        if not_checked || !matches!(exchange.status, 200 | 201 | 422) {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.judge("", &object, exchange.old.as_ref(), &mut found);
        let causes: BTreeSet<&Cause> = exchange.causes.iter().collect();
        let found: BTreeSet<&Cause> = found.iter().map(|(cause, _)| cause).collect();
        let mut differences: Vec<String> = found
            .difference(&causes)
            .map(|cause| format!("{}: only here: {cause:?}", exchange.name))
            .collect();
        let is_rule = |cause: &Cause| !is_of_schema(&cause.2);
        let missing = causes.difference(&found).filter(|cause| is_rule(cause));
        differences
            .extend(missing.map(|cause| format!("{}: only recorded: {cause:?}", exchange.name)));
        differences
    }
}

/// Returns `true` for the messages that schemas and metadata cause.
fn is_of_schema(message: &str) -> bool {
    let parts = [
        "in body",
        "Unsupported value",
        "Required value",
        "Duplicate value",
        "Too long",
        "Too many",
        "must be empty",
        "RFC 1123",
        "name part",
        "field is immutable",
        "Forbidden",
        "may not be",
        "must not",
        "not found",
        "must be specified",
        "should",
        "does not match",
        "value must be of type",
    ];
    parts.iter().any(|part| message.contains(part)) && !message.contains("rule")
}

fn causes(response: &Value) -> Vec<Cause> {
    let causes = response["details"]["causes"].as_array().cloned().unwrap_or_default();
    let text = |cause: &Value, field: &str| cause[field].as_str().unwrap_or_default().to_owned();
    causes
        .iter()
        .map(|cause| (text(cause, "reason"), text(cause, "field"), text(cause, "message")))
        .collect()
}

/// The sample: a definition a line, with its requests or with the refusal.
fn sample() -> Vec<Value> {
    let bytes = include_bytes!("data/cel.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_sample_is_judged_as_servers_did() {
    let (mut count, mut differences) = (0, Vec::new());
    for case in sample() {
        let release: Release = case["release"].as_str().unwrap().parse().unwrap();
        if let Some(expected) = case["refused"].as_array() {
            let refused = refusals(&case["schema"], release);
            let expected: Vec<String> =
                expected.iter().map(|message| message.as_str().unwrap().to_owned()).collect();
            let same = refused
                .iter()
                .map(|message| without_type_names(message))
                .collect::<Vec<_>>()
                == expected.iter().map(|message| without_type_names(message)).collect::<Vec<_>>();
            if !same {
                differences.push(format!("{release}: {refused:#?} instead of {expected:#?}"));
            }
            count += 1;
            continue;
        }
        let node = Node::compile(&case["schema"], true, release);
        for exchange in case["exchanges"].as_array().unwrap() {
            let exchange = Exchange {
                name: format!("{release} {}", case["kind"]),
                object: exchange["object"].clone(),
                old: exchange.get("old").cloned(),
                status: exchange["status"].as_u64().unwrap(),
                causes: causes(exchange),
                stored: exchange.get("stored").cloned(),
            };
            differences.extend(node.differences(&exchange));
            count += 1;
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {count}:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(count > 700, "{count}");
}

/// The messages with which a definition is refused because of its rules.
fn refusals(schema: &Value, release: Release) -> Vec<String> {
    let mut refused = Vec::new();
    let mut rest = vec![(schema.clone(), true)];
    while let Some((schema, is_root)) = rest.pop() {
        if let Err(errors) = Rules::compile(&schema, RuleScope { release, is_root }) {
            refused.extend(errors.into_iter().map(|error| error.message));
        }
        for children in schema["properties"].as_object().into_iter().flat_map(Map::values) {
            rest.push((children.clone(), false));
        }
        let children = [&schema["items"], &schema["additionalProperties"]].into_iter();
        rest.extend(children.filter(|child| child.is_object()).map(|child| (child.clone(), false)));
    }
    refused
}

/// Servers number the types that they make up.
fn without_type_names(message: &str) -> String {
    let mut parts = message.split("selfType");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("selfType");
        text.push_str(part.trim_start_matches(|character: char| character.is_ascii_digit()));
    }
    text
}

/// Rules with changes of a few characters, on changed objects: whatever they mean, they end. `MUTANTS` sets how many.
#[test]
fn mutants_are_judged_without_panic() {
    let count: usize = std::env::var("MUTANTS").map_or(3000, |count| count.parse().unwrap());
    let mut random = fastrand::Rng::with_seed(57);
    let cases = sample();
    let mut rules = Vec::new();
    for case in &cases {
        let mut found = BTreeSet::new();
        collect_rules(&case["schema"], &mut found);
        rules.extend(found.into_iter().map(|rule| serde_json::from_str::<String>(&rule).unwrap()));
    }
    let mut compiled = 0;
    for _ in 0..count {
        let case = &cases[random.usize(..cases.len())];
        let mut schema = case["schema"]["properties"]["spec"].clone();
        if let Some(field) = schema.pointer("/properties/f") {
            schema = field.clone();
        }
        let rule = mutated(&mut random, &rules);
        schema["x-kubernetes-validations"] =
            json!([{"rule": rule, "messageExpression": "string(self) + 'x'"}]);
        let scope =
            RuleScope { release: Release::new(1, random.u16(31..37)), is_root: random.bool() };
        compiled += usize::from(Rules::compile(&schema, scope).is_ok());
        let node = Rules::compile_stored(&schema, scope);
        let exchanges = case["exchanges"].as_array().cloned().unwrap_or_default();
        for exchange in exchanges.iter().take(3) {
            let mut value = exchange["object"]["spec"]["f"].clone();
            mutate_value(&mut random, &mut value);
            node.judge(&value, Some(&exchange["object"]["spec"]));
            node.judge(&exchange["object"]["spec"]["f"], None);
        }
    }
    // Enough of them are still rules.
    assert!(compiled * 20 > count, "{compiled} of {count}");
}

fn mutated(random: &mut fastrand::Rng, rules: &[String]) -> String {
    const PARTS: [&str; 24] = [
        "self",
        "oldSelf",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ".",
        "?",
        ":",
        ",",
        " && ",
        " || ",
        "!",
        "-",
        "9223372036854775807",
        "'%s'.format([self])",
        ".map(x, ",
        ".all(i, x, ",
        "\u{0}",
        "é",
        "\"",
        " == ",
    ];
    let mut rule: Vec<char> = rules[random.usize(..rules.len())].chars().collect();
    for _ in 0..random.usize(0..3) {
        let at = random.usize(..=rule.len());
        match random.u8(..4) {
            0 => {
                let end = rule.len().min(at + random.usize(..4));
                rule.drain(at..end);
            }
            1 => {
                let other: Vec<char> = rules[random.usize(..rules.len())].chars().collect();
                rule.truncate(at);
                rule.extend(&other[random.usize(..other.len())..]);
            }
            2 => {
                let joined = format!(
                    "({}) || {}",
                    rule.iter().collect::<String>(),
                    rules[random.usize(..rules.len())]
                );
                rule = joined.chars().collect();
            }
            _ => {
                rule.splice(at..at, PARTS[random.usize(..PARTS.len())].chars());
            }
        }
    }
    rule.into_iter().collect()
}

fn mutate_value(random: &mut fastrand::Rng, value: &mut Value) {
    let leaves = [
        json!(null),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!("é"),
        json!([]),
        json!({}),
        json!([null]),
        json!(true),
    ];
    match value {
        Value::Array(items) if !items.is_empty() && random.bool() => {
            let at = random.usize(..items.len());
            mutate_value(random, &mut items[at]);
        }
        Value::Object(members) if !members.is_empty() && random.bool() => {
            let at = random.usize(..members.len());
            mutate_value(random, members.values_mut().nth(at).unwrap());
        }
        Value::String(text) if random.bool() => text.push(random.char('\0'..='\u{ffff}')),
        _ => *value = leaves[random.usize(..leaves.len())].clone(),
    }
}

#[test]
#[ignore = "needs a folder of recordings"]
fn all_recordings_are_judged_as_servers_did() {
    let folder = PathBuf::from(std::env::var("ADMISSION_RECORDINGS").unwrap());
    let (mut count, mut with_rules, mut differences) = (0, 0, Vec::new());
    for recorded in folders(&folder) {
        let name = recorded.file_name().unwrap().to_string_lossy().into_owned();
        let release = name
            .rsplit_once("-1.")
            .map_or(Release::new(1, 36), |(_, minor)| Release::new(1, minor.parse().unwrap()));
        let definitions = definitions(&recorded.join("definitions"));
        let mut nodes = BTreeMap::new();
        for (tightened, group, version, plural, path) in recordings(&recorded.join("recordings")) {
            let definition = &definitions[&(tightened.clone(), format!("{plural}.{group}"))];
            let text = std::fs::read_to_string(&path).unwrap();
            let recording: Value = serde_json::from_str(&text).unwrap();
            let schema = definition["spec"]["versions"]
                .as_array()
                .unwrap()
                .iter()
                .find(|own| own["name"] == json!(&version));
            let schema = schema.unwrap();
            count += 1;
            if !schema.to_string().contains("x-kubernetes-validations") {
                continue;
            }
            with_rules += 1;
            let compile = || Node::compile(&schema["schema"]["openAPIV3Schema"], true, release);
            let node = nodes.entry((tightened, group, version, plural)).or_insert_with(compile);
            let exchange = exchange(&path, &recording, schema);
            differences.extend(
                node.differences(&exchange)
                    .into_iter()
                    .map(|difference| format!("{release} {difference}")),
            );
        }
    }
    println!(
        "{count} exchanges, {with_rules} of kinds with rules, {} differences",
        differences.len()
    );
    println!("{}", differences.join("\n"));
    assert!(differences.is_empty());
}

fn exchange(path: &Path, recording: &Value, version: &Value) -> Exchange {
    let old = recording.get("before").cloned();
    let mut object = recording["request"]["json"].clone();
    let has_status = version["subresources"].get("status").is_some();
    let is_status = path.to_string_lossy().contains("update-status");
    if is_status {
        let status = object["status"].clone();
        object = old.clone().unwrap();
        if status.is_null() {
            object.as_object_mut().unwrap().remove("status");
        } else {
            object["status"] = status;
        }
    } else if has_status {
        object.as_object_mut().unwrap().remove("status");
        if let Some(status) = old.as_ref().and_then(|old| old.get("status")) {
            object["status"] = status.clone();
        }
    }
    let response = &recording["response"];
    let status = response["status"].as_u64().unwrap();
    Exchange {
        name: path.file_name().unwrap().to_string_lossy().into_owned()
            + " "
            + &path.parent().unwrap().file_name().unwrap().to_string_lossy(),
        object,
        old,
        status,
        causes: causes(&response["json"]),
        stored: (status < 300).then(|| response["json"].clone()),
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn definitions(folder: &Path) -> BTreeMap<(String, String), Value> {
    let mut definitions = BTreeMap::new();
    for recorded in folders(folder) {
        for path in folders(&recorded) {
            let definition: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let recorded = recorded.file_name().unwrap().to_string_lossy().into_owned();
            definitions.insert(
                (recorded, definition["metadata"]["name"].as_str().unwrap().to_owned()),
                definition,
            );
        }
    }
    definitions
}

fn recordings(folder: &Path) -> Vec<(String, String, String, String, PathBuf)> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for recorded in folders(folder) {
        for group in folders(&recorded) {
            for version in folders(&group) {
                for plural in folders(&version) {
                    for path in folders(&plural) {
                        found.push((
                            name(&recorded),
                            name(&group),
                            name(&version),
                            name(&plural),
                            path,
                        ));
                    }
                }
            }
        }
    }
    found
}

#[test]
#[ignore = "needs a folder of definitions"]
fn all_definitions_compile() {
    let folder = PathBuf::from(std::env::var("ADMISSION_DEFINITIONS").unwrap());
    let (mut rules, mut refused) = (BTreeSet::new(), Vec::new());
    for path in folders(&folder) {
        let definition: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for version in definition["spec"]["versions"].as_array().unwrap() {
            let schema = &version["schema"]["openAPIV3Schema"];
            collect_rules(schema, &mut rules);
            let messages = refusals(schema, Release::new(1, 36));
            refused.extend(
                messages.into_iter().map(|message| format!("{}: {message}", path.display())),
            );
        }
    }
    println!("{} rules, {} refused\n{}", rules.len(), refused.len(), refused.join("\n"));
    assert!(refused.is_empty());
}

fn collect_rules(schema: &Value, rules: &mut BTreeSet<String>) {
    for rule in schema["x-kubernetes-validations"].as_array().into_iter().flatten() {
        rules.insert(rule["rule"].to_string());
    }
    let children = schema["properties"].as_object().into_iter().flat_map(Map::values);
    for child in children
        .chain([&schema["items"], &schema["additionalProperties"]])
        .filter(|child| child.is_object())
    {
        collect_rules(child, rules);
    }
}

//! Random walks of objects with lists in lists over the versions of their kind. The objects are made from the documents.
//!
//! Two laws: an object that nobody edits comes back equal, and no value vanishes without a finding. Nearly all texts and
//! numbers of an object are different, so that a lost one is seen.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use fastrand::Rng;
use k8s_versioned_conversion::{AnyVersion, ConversionReport, Options};
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

/// The schemas of a folder of documents, and the schema of each `apiVersion` and kind.
pub struct Documents {
    schemas: BTreeMap<String, Value>,
    kinds: BTreeMap<(String, String), String>,
}

impl Documents {
    /// Reads all documents below a folder. A schema has the fields of all releases.
    pub fn load(folder: &Path) -> Self {
        let mut all = Self { schemas: BTreeMap::new(), kinds: BTreeMap::new() };
        for entry in walkdir::WalkDir::new(folder) {
            let entry = entry.unwrap();
            if entry.path().extension().is_some_and(|found| found == "json") {
                let text = std::fs::read(entry.path()).unwrap();
                all.add(&serde_json::from_slice(&text).unwrap());
            }
        }
        all
    }

    /// Reads the file of a CustomResourceDefinition.
    pub fn of_definition(file: &Path) -> Self {
        let definition: Value =
            serde_saphyr::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let spec = &definition["spec"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut all = Self { schemas: BTreeMap::new(), kinds: BTreeMap::new() };
        for version in spec["versions"].as_array().unwrap() {
            let api_version = format!("{}/{}", text(&spec["group"]), text(&version["name"]));
            let schema = version["schema"]["openAPIV3Schema"].clone();
            all.schemas.insert(api_version.clone(), schema);
            let kind = (api_version.clone(), text(&spec["names"]["kind"]));
            all.kinds.insert(kind, api_version);
        }
        all
    }

    fn add(&mut self, document: &Value) {
        let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
        for (name, schema) in schemas.into_iter().flatten() {
            let text = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
            let kinds = schema["x-kubernetes-group-version-kind"].as_array();
            for kind in kinds.into_iter().flatten() {
                let api_version = format!("{}/{}", text(kind, "group"), text(kind, "version"));
                self.kinds.insert((api_version, text(kind, "kind")), name.clone());
            }
            let known = self.schemas.entry(name.clone()).or_insert_with(|| schema.clone());
            if let (Some(known), Some(new)) =
                (known["properties"].as_object_mut(), schema["properties"].as_object())
            {
                known.extend(new.clone());
            }
        }
    }
}

/// Makes and edits objects.
struct Maker<'d> {
    documents: &'d Documents,
    rng: Rng,
    next: u32,
}

impl Maker<'_> {
    fn object(&mut self, api_version: &str, kind: &str) -> Value {
        let name = &self.documents.kinds[&(api_version.to_owned(), kind.to_owned())];
        let mut object = self.named(name, 0);
        object["apiVersion"] = api_version.into();
        object["kind"] = kind.into();
        object["metadata"] = json!({"name": "a", "annotations": {"other": "b"}});
        object
    }

    fn named(&mut self, name: &str, depth: usize) -> Value {
        match name.rsplit('.').next() {
            Some("Quantity") => self.quantity(),
            Some("Time" | "MicroTime") => "2026-01-02T03:04:05Z".into(),
            Some("RawExtension") => json!({"raw": self.marker()}),
            Some("ObjectMeta") => json!({"labels": {"marker": self.marker()}}),
            _ => {
                let schema = &self.documents.schemas[name];
                self.value(schema, depth)
            }
        }
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
        if let Some(name) = reference.and_then(|it| it.strip_prefix("#/components/schemas/")) {
            return self.named(name, depth + 1);
        }
        match schema["type"].as_str() {
            Some("array") => (0..self.count(depth))
                .map(|_| self.value(&schema["items"], depth))
                .collect::<Vec<_>>()
                .into(),
            Some("object") => self.members(schema, depth),
            Some("string") => self.text(),
            Some("boolean") => self.rng.bool().into(),
            Some("integer") => self.number().into(),
            other => panic!("{other:?} in {schema}"),
        }
    }

    fn members(&mut self, schema: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        let values = &schema["additionalProperties"];
        if !values.is_null() {
            for name in ["a.b/c", "d"].iter().take(self.count(depth)) {
                members.insert((*name).to_owned(), self.value(values, depth));
            }
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if !["apiVersion", "kind"].contains(&name.as_str()) && self.rng.u8(..4) > 0 {
                members.insert(name.clone(), self.value(property, depth));
            }
        }
        members.into()
    }

    /// The number of items; few, deep inside.
    fn count(&mut self, depth: usize) -> usize {
        self.rng.usize(..if depth < 5 { 4 } else { 2 })
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn marker(&mut self) -> Value {
        format!("m{}", self.number()).into()
    }

    fn quantity(&mut self) -> Value {
        let suffix = self.rng.choice(["", "", "Mi"]).unwrap_or_default();
        format!("{}{suffix}", self.number()).into()
    }

    /// A text of its own; now and then a number as text, or one of a few texts, so that items have the same name.
    fn text(&mut self) -> Value {
        match self.rng.u8(..8) {
            0 => (*self.rng.choice(&["", "a", "b", "Slow", "Fast", "Gentle"]).unwrap()).into(),
            1 => format!("0{}", self.number()).into(),
            2 | 3 => self.quantity(),
            _ => self.marker(),
        }
    }

    /// Edits a list or a value somewhere in the object: items are moved, doubled, inserted and removed.
    fn edit(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) if !items.is_empty() && self.rng.bool() => match self.rng.u8(..5) {
                0 => self.rng.shuffle(items),
                1 => drop(items.remove(self.rng.usize(..items.len()))),
                2 => items.insert(0, items[self.rng.usize(..items.len())].clone()),
                3 => items.push(items[self.rng.usize(..items.len())].clone()),
                _ => items.reverse(),
            },
            Value::Array(items) => items.iter_mut().for_each(|item| self.edit(item)),
            Value::Object(members) if !members.is_empty() => {
                let chosen = self.rng.usize(..members.len());
                if let Some(value) = members.values_mut().nth(chosen) {
                    match value {
                        // A time stays one.
                        Value::String(text) if !text.contains(':') => *value = self.text(),
                        Value::Number(_) => *value = self.number().into(),
                        other => self.edit(other),
                    }
                }
            }
            _ => {}
        }
    }
}

/// The texts and numbers that occur once in an object when it is made.
fn markers<'a>(value: &'a Value, found: &mut Vec<std::borrow::Cow<'a, str>>) {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match value {
        Value::String(text) => {
            let text = text.trim_start_matches('0');
            let rest = text.strip_prefix('m').or(text.strip_suffix("Mi")).unwrap_or(text);
            if !rest.is_empty() && digits(rest) {
                found.push(text.into());
            }
        }
        // A text that is not a number is 0 where it has to be one.
        Value::Number(number) if number.as_u64() != Some(0) => {
            found.push(number.to_string().into())
        }
        Value::Array(items) => items.iter().for_each(|item| markers(item, found)),
        Value::Object(members) => members.values().for_each(|value| markers(value, found)),
        _ => {}
    }
}

/// The words of a text: a number in it is found whole.
fn words(text: &str) -> HashSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .map(|word| word.trim_start_matches('0'))
        .collect()
}

/// Converts, and checks that nothing vanishes without a finding.
fn step<A: AnyVersion>(source: &Value, to: A::Version, case: &str) -> Value {
    let (target, report) = convert::<A>(source, to);
    let text = format!("{target} {}", serde_json::to_string(&report).unwrap());
    let (all, mut found) = (words(&text), Vec::new());
    markers(&source["spec"], &mut found);
    markers(&source["status"], &mut found);
    for word in found {
        assert!(all.contains(&*word), "{case}: `{word}` vanished:\n{source}\n{target}\n{report}");
    }
    target
}

fn convert<A: AnyVersion>(source: &Value, to: A::Version) -> (Value, ConversionReport) {
    A::convert_value(source, to, &Options::default()).unwrap()
}

fn content(object: &Value) -> [&Value; 2] {
    [&object["spec"], &object["status"]]
}

/// Takes an object of the kind along a walk of 1 to 12 conversions, with edits between them.
pub fn walk<A: AnyVersion>(documents: &Documents, seed: u64) {
    let case = format!("CONVERSION_SEED={seed} of {}", A::KIND);
    let mut make = Maker { documents, rng: Rng::with_seed(seed), next: 10 };
    let mut version = *make.rng.choice(A::VERSIONS).unwrap();
    let mut current = make.object(&format!("{}/{version}", A::GROUP), A::KIND);
    let mut left: Option<(A::Version, Value)> = None;
    for _ in 0..=make.rng.usize(..12) {
        if make.rng.u8(..3) == 0 {
            make.edit(&mut current["spec"]);
            left = None;
        }
        // As the types write it.
        current = convert::<A>(&current, version).0;
        match &left {
            Some((of, before)) if *of == version => {
                let equal = content(&current) == content(before);
                assert!(equal, "{case}: {version} comes back as it left:\n{before}\n{current}");
            }
            Some(_) => {}
            None => left = Some((version, current.clone())),
        }
        let to = *make.rng.choice(A::VERSIONS).unwrap();
        current = step::<A>(&current, to, &case);
        version = to;
    }
}

/// The seeds of the cases: `CONVERSION_CASES` and `CONVERSION_SEED`, as for the other walks. These take longer, so there
/// are few without a number of cases.
pub fn seeds() -> impl Iterator<Item = u64> {
    let config = crate::walk::config();
    let chosen = std::env::var_os("CONVERSION_CASES").is_some();
    let cases = if chosen { u64::from(config.cases) } else { 500 };
    let RngSeed::Fixed(seed) = config.rng_seed else { panic!("no seed") };
    (0..cases).map(move |case| seed.wrapping_add(case))
}

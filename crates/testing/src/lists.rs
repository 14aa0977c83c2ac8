//! Random walks of objects with lists in lists over the versions of their kind. The objects are made from the documents.
//!
//! Three laws: an object that nobody edits comes back equal, live fields win, and no value vanishes without a finding. Nearly all
//! texts and numbers of an object are different, so that a lost one is seen.

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

    /// The schema that a reference names; the schema itself, if it is none. A value of a type with its own text has no more.
    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = reference(schema).filter(|name| is_object(name));
        name.map_or(schema, |name| &self.schemas[name])
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

/// The name of the schema that a reference names.
fn reference(schema: &Value) -> Option<&str> {
    let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    reference.and_then(|it| it.strip_prefix("#/components/schemas/"))
}

/// Returns `true` if the members of values of a schema are its properties.
fn is_object(name: &str) -> bool {
    let special = ["Quantity", "Time", "MicroTime", "RawExtension", "ObjectMeta"];
    !name.rsplit('.').next().is_some_and(|last| special.contains(&last))
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
        if let Some(name) = reference(schema) {
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

    /// Edits the spec or the status of an object.
    fn edit_object(&mut self, object: &mut Value) {
        let kind = ["apiVersion", "kind"].map(|name| object[name].as_str().unwrap().to_owned());
        let [api_version, kind] = kind;
        let documents = self.documents;
        let schema = &documents.schemas[&documents.kinds[&(api_version, kind)]];
        let parts = ["spec", "status"].into_iter();
        let parts: Vec<_> = parts.filter(|part| !schema["properties"][part].is_null()).collect();
        let part = *self.rng.choice(&parts).unwrap();
        let value = &mut object[part];
        self.edit(value, &schema["properties"][part]);
    }

    /// Edits a list or a value somewhere in a value: items are moved, doubled, inserted and removed, and new ones come.
    fn edit(&mut self, value: &mut Value, schema: &'_ Value) {
        let documents = self.documents;
        let schema = documents.resolve(schema);
        match value {
            Value::Array(items) if items.is_empty() || self.rng.bool() => {
                self.edit_items(items, &schema["items"]);
            }
            Value::Array(items) => {
                let chosen = self.rng.usize(..items.len());
                self.edit(&mut items[chosen], &schema["items"]);
            }
            Value::Object(members) => {
                let of_map = Some(&schema["additionalProperties"]).filter(|it| !it.is_null());
                let fields = schema["properties"].as_object().into_iter().flat_map(Map::keys);
                let names: Vec<String> = if of_map.is_some() {
                    members.keys().cloned().collect()
                } else {
                    fields.cloned().collect()
                };
                if let Some(name) = self.rng.choice(&names) {
                    let schema = of_map.unwrap_or(&schema["properties"][name]);
                    self.edit(members.entry(name).or_insert(Value::Null), schema);
                }
            }
            other => *other = self.value(schema, 0),
        }
    }

    fn edit_items(&mut self, items: &mut Vec<Value>, schema: &Value) {
        let count = items.len();
        let at = self.rng.usize(..=count);
        match self.rng.u8(..6) {
            0 if count > 0 => self.rng.shuffle(items),
            1 if count > 0 => drop(items.remove(at % count)),
            2 if count > 0 => items.insert(at, items[self.rng.usize(..count)].clone()),
            3 => items.reverse(),
            _ => items.insert(at, self.value(schema, 0)),
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

/// Converts, and checks that nothing vanishes without a finding, and that live fields win.
fn step<A: AnyVersion>(source: &Value, to: A::Version, case: &str) -> Value {
    let (target, report) = convert::<A>(source, to);
    let mut findings = json!(report);
    // A live value stays where a kept one is discarded: it is in the object, not only in the finding.
    for finding in findings.as_array_mut().unwrap() {
        finding.as_object_mut().unwrap().remove("live");
    }
    let text = format!("{target} {findings}");
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

/// The parts of an object that come back equal. The metadata does so if there was no annotation: what a former edit left in one
/// is discarded on the way.
fn content<'v>(object: &'v Value, before: &Value) -> [&'v Value; 3] {
    let annotations = before["metadata"]["annotations"].as_object();
    let bare = annotations.is_some_and(|all| all.len() == 1);
    let metadata = if bare { &object["metadata"] } else { &Value::Null };
    [&object["spec"], &object["status"], metadata]
}

/// Takes an object of the kind along a walk of 1 to 12 conversions, with edits between them.
pub fn walk<A: AnyVersion>(documents: &Documents, seed: u64) {
    let case = format!("CONVERSION_SEED={seed} of {}", A::KIND);
    let mut make = Maker { documents, rng: Rng::with_seed(seed), next: 10 };
    let mut version = *make.rng.choice(A::VERSIONS).unwrap();
    let mut current = make.object(&format!("{}/{version}", A::GROUP), A::KIND);
    let mut left: Vec<(A::Version, Value)> = Vec::new();
    for _ in 0..=make.rng.usize(..12) {
        if make.rng.u8(..3) == 0 {
            make.edit_object(&mut current);
            left.clear();
        }
        // As the types write it.
        current = convert::<A>(&current, version).0;
        match left.iter().find(|(of, _)| *of == version) {
            Some((_, before)) => {
                let equal = content(&current, before) == content(before, before);
                assert!(equal, "{case}: {version} comes back as it left:\n{before}\n{current}");
            }
            None => left.push((version, current.clone())),
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

//! The time of an answer to a request for a custom resource, beside decoding, beside the crate `jsonschema` used directly, and
//! beside the check of a JSON Schema in the conformance kit.
//!
//! Directly means to decode the body and to ask a compiled validator of the kind's schema `is_valid`. Such a validator drops no
//! unknown fields, fills in no defaults, checks no metadata, and says nothing of what is wrong.
//!
//! The objects come from the recorded requests that create an object of a kind without rules in CEL, and that servers
//! accepted. The check of the kit is the one that `validate` of the command used before: `Documents::validate` and
//! `Documents::unknown_fields` of the conformance kit, with the crate `jsonschema`. The sides run alternately in one process,
//! and each ratio is the median of the rounds. What a side takes beside decoding is its time less the time of decoding in the same
//! round. A run reads and compiles the definitions, too. The argument `answer`, `decode`,
//! `schema`, `direct`, `run-answer` or `run-schema` runs one side and nothing else, for a profiler.

#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use k8s_coordination_benches::ratio::{median, time};
use k8s_versioned_admission::{Definition, WriteRequest};
use k8s_versioned_conformance::Documents;
use serde_json::Value;

const ROUNDS: usize = 301;

/// The rounds of what reads and compiles all definitions.
const LONG_ROUNDS: usize = 31;

struct Object {
    definition: usize,
    version: String,
    body: Vec<u8>,
}

/// A validator of `jsonschema` for each version of a definition.
type Validators = HashMap<String, jsonschema::Validator>;

/// The definitions as texts, and the objects.
struct Input {
    texts: Vec<Vec<u8>>,
    objects: Vec<Object>,
}

impl Input {
    fn definitions(&self) -> Vec<Definition> {
        let compile =
            |text: &Vec<u8>| Definition::compile(&serde_json::from_slice(text).unwrap()).unwrap();
        self.texts.iter().map(compile).collect()
    }

    fn validators(&self) -> Vec<Validators> {
        self.texts.iter().map(|text| validators(&serde_json::from_slice(text).unwrap())).collect()
    }

    fn is_valid(&self, validators: &[Validators]) {
        for object in &self.objects {
            let value = serde_json::from_slice::<Value>(&object.body).unwrap();
            black_box(validators[object.definition][&object.version].is_valid(&value));
        }
    }

    fn documents(&self) -> Documents {
        let files = self.texts.iter().enumerate();
        let files = files.map(|(index, text)| (format!("definitions/{index}.yaml"), text.clone()));
        Documents::parse(&files.collect::<BTreeMap<_, _>>()).unwrap()
    }

    fn decode(&self) {
        for object in &self.objects {
            black_box(serde_json::from_slice::<Value>(&object.body).unwrap());
        }
    }

    fn answer(&self, definitions: &[Definition]) {
        for object in &self.objects {
            let request = WriteRequest::create(&object.version, "default", &object.body);
            black_box(definitions[object.definition].admit(&request));
        }
    }

    fn check(&self, documents: &Documents) {
        for object in &self.objects {
            let value = serde_json::from_slice::<Value>(&object.body).unwrap();
            black_box(documents.unknown_fields(None, "", &value));
            black_box(documents.validate(None, "", &value));
        }
    }
}

fn validators(definition: &Value) -> Validators {
    let versions = definition["spec"]["versions"].as_array().unwrap();
    let validator = |version: &Value| {
        let schema = version.pointer("/schema/openAPIV3Schema")?;
        Some((version["name"].as_str()?.to_owned(), jsonschema::validator_for(schema).ok()?))
    };
    versions.iter().filter_map(validator).collect()
}

fn main() {
    let mut input = load();
    let validators = input.validators();
    // A pattern of Go that `jsonschema` does not compile.
    input.objects.retain(|object| validators[object.definition].contains_key(&object.version));
    let definitions = input.definitions();
    let documents = LazyLock::new(|| input.documents());
    let decode = || input.decode();
    let answer = || input.answer(&definitions);
    let schema = || input.check(&documents);
    let direct = || input.is_valid(&validators);
    let compile = || _ = black_box(input.definitions());
    let compile_direct = || _ = black_box(input.validators());
    let run_answer = || input.answer(&input.definitions());
    let run_schema = || input.check(&input.documents());
    match std::env::args().nth(1).as_deref() {
        Some("decode") => (0..300).for_each(|_| decode()),
        Some("answer") => (0..300).for_each(|_| answer()),
        Some("schema") => (0..300).for_each(|_| schema()),
        Some("direct") => (0..300).for_each(|_| direct()),
        Some("run-answer") => (0..30).for_each(|_| run_answer()),
        Some("run-schema") => (0..30).for_each(|_| run_schema()),
        _ => {
            let bytes: usize = input.objects.iter().map(|object| object.body.len()).sum();
            println!("{} objects without rules, {bytes} bytes", input.objects.len());
            // Before the large heap of the check is there.
            let pairs = (0..ROUNDS).map(|_| time(answer) / time(decode));
            println!("{:45} {:.2}", "answer, to decoding into `Value` (goal: 2)", median(pairs));
            let pairs = (0..ROUNDS).map(|_| time(answer) / time(direct));
            println!("{:45} {:.2}", "answer, to `jsonschema` directly (goal: 1)", median(pairs));
            let pairs = (0..LONG_ROUNDS).map(|_| time(compile) / time(compile_direct));
            println!("{:45} {:.2}", "definitions, to validators of all versions", median(pairs));
            let round = || [time(decode), time(answer), time(schema)];
            let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| round()).collect();
            let row = |name: &str, ratio: fn(&[f64; 3]) -> f64| {
                println!("{name:45} {:.2}", median(rounds.iter().map(ratio)));
            };
            row("decoding, to the check of the kit", |[decode, _, check]| decode / check);
            row("answer, to the check (goal: 0.1)", |[_, answer, check]| answer / check);
            row("the same, each less decoding", |[decode, answer, check]| {
                (answer - decode) / (check - decode)
            });
            let pairs = (0..LONG_ROUNDS).map(|_| time(run_answer) / time(run_schema));
            println!("{:45} {:.2}", "with definitions to read", median(pairs));
        }
    }
}

fn load() -> Input {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../k8s-versioned-admission/fixtures");
    let file = std::fs::File::open(format!("{fixtures}/recordings.json.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let sample: Value = serde_json::from_str(&text).unwrap();
    let (mut texts, mut known) = (Vec::new(), HashMap::new());
    for (name, definition) in sample["definitions"].as_object().unwrap() {
        let text = definition.to_string();
        if !text.contains("x-kubernetes-validations") {
            known.insert(name.as_str(), texts.len());
            texts.push(text.into_bytes());
        }
    }
    let objects = sample["exchanges"].as_array().unwrap().iter().filter_map(|exchange| {
        let recording = &exchange["recording"];
        let is_created = recording["response"]["status"] == 201;
        Some(Object {
            definition: *known.get(exchange["definition"].as_str()?).filter(|_| is_created)?,
            version: exchange["path"].as_str()?.split('/').nth(2)?.to_owned(),
            body: recording["request"].get("json")?.to_string().into_bytes(),
        })
    });
    Input { objects: objects.collect(), texts }
}

//! The time of an answer to a request, beside decoding alone and beside the check of a JSON Schema.
//!
//! The objects are those of the recordings whose kinds have no rules in CEL and that servers accepted. The sides run
//! alternately in one process, and each ratio is the median of the pairs. The last row compiles what it needs, as a run of a
//! command does. The argument `admit`, `decode`, `schema`, `run-admit` or `run-schema` runs one side and nothing else, for a
//! profiler.

#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use std::collections::HashMap;
use std::hint::black_box;
use std::io::Read;
use std::time::Instant;

use flate2::read::GzDecoder;
use jsonschema::Validator;
use k8s_versioned_admission::{Definition, Request};
use serde_json::Value;

const ROUNDS: usize = 31;

struct Object {
    definition: usize,
    version: String,
    body: Vec<u8>,
}

struct Compiled {
    source: Value,
    definition: Definition,
    /// The schema of each version.
    schemas: HashMap<String, Validator>,
}

fn main() {
    let (compiled, objects) = load();
    let decode = || {
        for object in &objects {
            black_box(serde_json::from_slice::<Value>(&object.body).unwrap());
        }
    };
    let admit = || {
        for object in &objects {
            let request = Request::create(&object.version, "default", &object.body);
            black_box(compiled[object.definition].definition.admit(&request));
        }
    };
    let schema = || {
        for object in &objects {
            let value = serde_json::from_slice::<Value>(&object.body).unwrap();
            black_box(compiled[object.definition].schemas[&object.version].is_valid(&value));
        }
    };
    let run_admit = || {
        for (index, kind) in compiled.iter().enumerate() {
            let definition = Definition::compile(&kind.source).unwrap();
            for object in objects.iter().filter(|object| object.definition == index) {
                let request = Request::create(&object.version, "default", &object.body);
                black_box(definition.admit(&request));
            }
        }
    };
    let run_schema = || {
        for (index, kind) in compiled.iter().enumerate() {
            let schemas = validators(&kind.source).unwrap();
            for object in objects.iter().filter(|object| object.definition == index) {
                let value = serde_json::from_slice::<Value>(&object.body).unwrap();
                black_box(schemas[&object.version].is_valid(&value));
            }
        }
    };
    match std::env::args().nth(1).as_deref() {
        Some("decode") => (0..300).for_each(|_| decode()),
        Some("run-admit") => (0..30).for_each(|_| run_admit()),
        Some("run-schema") => (0..30).for_each(|_| run_schema()),
        Some("admit") => (0..300).for_each(|_| admit()),
        Some("schema") => (0..300).for_each(|_| schema()),
        _ => {
            let bytes: usize = objects.iter().map(|object| object.body.len()).sum();
            println!("{} objects without rules, {bytes} bytes", objects.len());
            println!(
                "answer, to decoding into `Value`        {:.2} (goal: 2)",
                ratio(admit, decode)
            );
            println!("`jsonschema` and decoding, to decoding  {:.2}", ratio(schema, decode));
            println!("answer, to `jsonschema` and decoding    {:.2}", ratio(admit, schema));
            println!(
                "a run with compiled definitions, to one with compiled schemas  {:.2} (goal: 0.1)",
                ratio(run_admit, run_schema)
            );
        }
    }
}

/// The median of the ratios of pairs of runs.
fn ratio(side: impl Fn(), other: impl Fn()) -> f64 {
    let time = |side: &dyn Fn()| {
        let start = Instant::now();
        side();
        start.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| time(&side) / time(&other)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

fn load() -> (Vec<Compiled>, Vec<Object>) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/recordings.json.gz");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let sample: Value = serde_json::from_str(&text).unwrap();
    let (mut compiled, mut known) = (Vec::new(), HashMap::new());
    for (name, definition) in sample["definitions"].as_object().unwrap() {
        if !definition.to_string().contains("x-kubernetes-validations") {
            // `jsonschema` refuses patterns such as `^(?i)ab$`.
            if let Some(kind) = compile(definition) {
                known.insert(name.clone(), compiled.len());
                compiled.push(kind);
            }
        }
    }
    let objects = sample["exchanges"].as_array().unwrap().iter().filter_map(|exchange| {
        let status = exchange["recording"]["response"]["status"].as_u64();
        let accepted = status.is_some_and(|status| status < 300);
        let response = &exchange["recording"]["response"]["json"];
        let mut object = response.clone();
        object["metadata"].as_object_mut()?.remove("resourceVersion");
        Some(Object {
            definition: *known.get(exchange["definition"].as_str()?).filter(|_| accepted)?,
            version: exchange["path"].as_str()?.split('/').nth(2)?.to_owned(),
            body: object.to_string().into_bytes(),
        })
    });
    (compiled, objects.collect())
}

fn compile(definition: &Value) -> Option<Compiled> {
    Some(Compiled {
        source: definition.clone(),
        definition: Definition::compile(definition).unwrap(),
        schemas: validators(definition)?,
    })
}

/// The validators of the versions, as the command made them for each run before it asked this package.
fn validators(definition: &Value) -> Option<HashMap<String, Validator>> {
    let schemas = definition["spec"]["versions"].as_array().unwrap().iter().map(|version| {
        let schema = &version["schema"]["openAPIV3Schema"];
        let validator = jsonschema::options().with_draft(jsonschema::Draft::Draft4).build(schema);
        Some((version["name"].as_str()?.to_owned(), validator.ok()?))
    });
    schemas.collect()
}

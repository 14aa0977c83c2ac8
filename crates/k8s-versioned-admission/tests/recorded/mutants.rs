//! Changed objects and definitions: whatever they are, there is an answer, and soon.

use std::time::{Duration, Instant};

use fastrand::Rng;
use k8s_versioned_admission::{Definition, FieldValidation, Request};
use serde_json::{Map, Value, json};

use crate::sample::Sample;

/// Answers requests with changed bodies and stored objects by changed definitions. `MUTANTS` is the number, `MUTANT_SEED`
/// the first seed.
#[test]
fn mutants_are_answered_in_bounded_time() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (count, first) = (number("MUTANTS").unwrap_or(200), number("MUTANT_SEED").unwrap_or(1));
    let sample = Sample::load();
    for seed in first..first + count {
        let start = Instant::now();
        answer_mutant(&sample, seed);
        assert!(start.elapsed() < Duration::from_secs(10), "seed {seed}: {:?}", start.elapsed());
    }
}

fn answer_mutant(sample: &Sample, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let picked = &sample.exchanges[random.usize(..sample.exchanges.len())];
    let mut definition = sample.definitions[&picked.definition].clone();
    if random.bool() {
        change(&mut definition, &mut random);
    }
    let Ok(definition) = Definition::compile_for(&definition, picked.release) else { return };
    let recording = &picked.recording;
    let request = &recording["request"];
    let mut body = match request["text"].as_str() {
        Some(text) => serde_json::from_str(text).unwrap_or_default(),
        None => request["json"].clone(),
    };
    for _ in 0..random.usize(0..4) {
        change(&mut body, &mut random);
    }
    let mut body = body.to_string().into_bytes();
    if random.u8(..4) == 0 && !body.is_empty() {
        let at = random.usize(..body.len());
        body[at] = random.u8(..);
    }
    let mut stored =
        recording.get("before").cloned().unwrap_or_else(|| recording["response"]["json"].clone());
    change(&mut stored, &mut random);
    let version = picked.version();
    let requests = [
        Request::create(version, "default", &body),
        Request::update(version, &stored, &body).from_files(),
        Request::update_status(version, &stored, &body).from_files(),
    ];
    let validations = [FieldValidation::Ignore, FieldValidation::Warn, FieldValidation::Strict];
    for request in requests {
        let answer =
            definition.admit(&request.with_field_validation(random.choice(&validations).unwrap()));
        assert!([200, 201, 400, 404, 409, 422, 500].contains(&answer.status), "seed {seed}");
        assert_eq!(answer.is_accepted(), answer.object.is_some(), "seed {seed}");
        assert!(answer.is_accepted() || !answer.message.is_empty(), "seed {seed}");
    }
}

/// Changes a value at a random place.
fn change(value: &mut Value, random: &mut Rng) {
    let deeper = random.u8(..8) > 0;
    match value {
        Value::Object(members) if deeper && !members.is_empty() => {
            let at = random.usize(..members.len());
            let name = members.keys().nth(at).unwrap().clone();
            match random.u8(..12) {
                0 => _ = members.remove(&name),
                1 => _ = members.insert(name.to_uppercase(), odd(random)),
                _ => change(members.get_mut(&name).unwrap(), random),
            }
        }
        Value::Array(items) if deeper && !items.is_empty() => {
            let at = random.usize(..items.len());
            match random.u8(..8) {
                0 => items.push(items[at].clone()),
                1 => _ = items.remove(at),
                _ => change(&mut items[at], random),
            }
        }
        value => *value = odd(random),
    }
}

fn odd(random: &mut Rng) -> Value {
    match random.u8(..18) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(random.i64(..)),
        3 => json!(random.f64() * 1e300),
        4 => json!(1.0),
        5 => json!(u64::MAX),
        6 => json!(""),
        7 => json!("é\u{0}\u{200b}\"<>&😀".repeat(random.usize(..20))),
        8 => json!([]),
        9 => json!({}),
        10 => json!([null, 1, "a", {"a": [{}]}]),
        11 => {
            json!({"a": {"b": {"c": [1.5, null]}}, "metadata": {"name": 1}, "kind": "X", "apiVersion": "a/b/c"})
        }
        12 => (0..random.usize(1..390)).fold(json!(1), |inner, _| json!([inner])),
        13 => (0..random.usize(1..390)).fold(json!(1), |inner, _| json!({"a": inner})),
        14 => json!(-0.0),
        15 => json!("2026-01-02T03:04:05Z"),
        16 => {
            Value::Object((0..200).map(|at| (format!("k{at}"), json!(at))).collect::<Map<_, _>>())
        }
        _ => json!(vec![json!({"k": "a"}); 300]),
    }
}

//! Changed objects and definitions: whatever they are, there is an answer, and soon.

use std::time::{Duration, Instant};

use allocation_counter::measure;
use fastrand::Rng;
use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, FieldValidation, WriteRequest};
use serde_json::{Map, Value, json};

use crate::sample::Sample;

/// The most memory of an answer. The largest sampled definition and object take less than a tenth of it.
const MOST_BYTES: u64 = 256 << 20;

/// Answers requests with changed bodies and stored objects by changed definitions, and judges the definitions. `MUTANTS` is
/// the number, or `MINUTES` the time; `MUTANT_SEED` is the first seed.
#[test]
fn mutants_are_answered_in_bounded_time_and_memory() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let (count, first) = (number("MUTANTS").unwrap_or(200), number("MUTANT_SEED").unwrap_or(1));
    let end = number("MINUTES").map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let goes_on = |seed: &u64| end.map_or(*seed < first + count, |end| Instant::now() < end);
    let sample = Sample::load();
    let mut rules = Vec::new();
    for definition in sample.definitions.values() {
        visit_rules(&mut definition.clone(), &mut |rule| rules.push(rule.clone()));
    }
    let (mut slowest, mut largest) = ((Duration::ZERO, 0), (0, 0));
    let mut answered = 0;
    for seed in (first..).take_while(goes_on) {
        answered += 1;
        let start = Instant::now();
        let used = measure(|| answer_mutant(&sample, &rules, seed));
        slowest = slowest.max((start.elapsed(), seed));
        largest = largest.max((used.bytes_max, seed));
        assert!(start.elapsed() < Duration::from_secs(10), "seed {seed}: {:?}", start.elapsed());
        assert!(used.bytes_max < MOST_BYTES, "seed {seed}: {} bytes", used.bytes_max);
    }
    println!("{answered} mutants; the slowest {slowest:?}, the largest {largest:?} bytes");
}

fn answer_mutant(sample: &Sample, rules: &[String], seed: u64) {
    let mut random = Rng::with_seed(seed);
    let picked = &sample.exchanges[random.usize(..sample.exchanges.len())];
    let mut definition = sample.definitions[&picked.definition].clone();
    if random.bool() {
        change(&mut definition, &mut random);
    }
    if random.bool() {
        visit_rules(&mut definition, &mut |rule| {
            if random.u8(..3) == 0 {
                change_rule(rule, rules, &mut random);
            }
        });
    }
    let verdict = judge(&definition, picked.release).answer;
    assert_eq!(verdict.is_accepted(), verdict.object.is_some(), "seed {seed}");
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
        WriteRequest::create(version, "default", &body),
        WriteRequest::update(version, &stored, &body).from_files(),
        WriteRequest::update_status(version, &stored, &body).from_files(),
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

/// Visits the rules in CEL, and the patterns.
fn visit_rules(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text)
                        if ["rule", "messageExpression", "pattern"].contains(&name.as_str()) =>
                    {
                        visit(text);
                    }
                    member => visit_rules(member, visit),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit_rules(item, visit)),
        _ => {}
    }
}

/// Parts of rules and of patterns.
const PARTS: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "\\",
    "self",
    "oldSelf",
    "!",
    " && ",
    " || ",
    " ? 1 : ",
    ".all(x, ",
    ".map(x, [x, x])",
    ".matches('(a*)*b')",
    "9223372036854775807",
    "1e999",
    "duration('1h')",
    ".?x[?0]",
    "*{1000}",
    "\u{0}é",
];

/// Changes the text of a rule.
fn change_rule(rule: &mut String, rules: &[String], random: &mut Rng) {
    let boundaries: Vec<_> = rule.char_indices().map(|(at, _)| at).chain([rule.len()]).collect();
    let at = *random.choice(&boundaries).unwrap();
    let other = random.choice(rules).unwrap();
    match random.u8(..7) {
        0 => rule.truncate(at),
        1 => _ = rule.drain(..at),
        2 => rule.insert_str(at, random.choice(&PARTS).unwrap()),
        3 => *rule = format!("{rule} && {other}"),
        4 => rule.insert_str(at, other),
        5 => {
            let depth = random.usize(1..600);
            *rule = format!("{}{rule}{}", "(".repeat(depth), ")".repeat(depth));
        }
        _ => {
            // Each level multiplies the work of the one before.
            let levels = random.usize(1..12);
            let open = (0..levels).map(|level| format!("[1, 2, 3, 4, 5, 6, 7, 8].all(x{level}, "));
            *rule = format!("{}{rule}{}", open.collect::<String>(), ")".repeat(levels));
        }
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

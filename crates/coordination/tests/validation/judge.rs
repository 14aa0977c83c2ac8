//! The judge of bodies, against what servers answered, and against what nobody sends.

use k8s_coordination::Kinds;
use k8s_coordination::k8s_versioned::registry::Body;
use k8s_coordination::k8s_versioned::{KindEntry, MicroTime, Registry};
use k8s_coordination::validation::{Request, Verdict};
use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::Value;

use crate::decode;
use crate::support;

/// A row of the table of times in the docs.
fn rows() -> Vec<[String; 4]> {
    let docs = include_str!("../../../versioned/src/time/micro.rs");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("/// | `"));
    let rows = rows.map(|row| {
        let cells: Vec<_> = row
            .split('|')
            .map(|cell| cell.trim().replace('`', ""))
            .collect();
        cells
            .into_iter()
            .take(4)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    });
    rows.collect()
}

#[test]
fn every_row_about_times_has_its_recordings() {
    let rows = rows();
    assert!(rows.len() > 25);
    let recordings: Vec<Value> = support::recordings()
        .map(|(_, recording)| recording)
        .collect();
    for [text, server, here, name] in rows {
        let found = recordings
            .iter()
            .filter(|recording| recording["name"] == name.as_str());
        let found: Vec<&Value> = found.collect();
        assert!(found.len() >= 2, "{name} in 1.31 and 1.36");
        for recording in found {
            let field = name.split('-').nth(1).unwrap();
            assert_eq!(recording["request"]["json"]["spec"][field], text, "{name}");
            let written = &recording["response"]["json"]["spec"][field];
            let accepted = recording["response"]["status"] == 201;
            assert_eq!(accepted, !server.starts_with("refuses"), "{name}: {server}");
            let read: Result<MicroTime, _> = text.parse();
            assert_eq!(
                MicroTime::parse_as_server(&text).is_ok(),
                accepted,
                "{name}"
            );
            let same = here == "the same";
            assert_eq!(read.is_ok(), accepted || !same, "{name}: {here}");
            if accepted && same {
                assert_eq!(written, &read.unwrap().to_string(), "{name}");
            }
        }
    }
}

/// The request of a recording that creates or replaces an object: its kind, its namespace, what was stored,
/// and its body.
fn request(recording: &Value) -> Option<(&'static KindEntry, &str, Option<&Value>, &Value)> {
    let path = recording["request"]["path"].as_str()?;
    let (before, after) = path.split_once("/namespaces/")?;
    let mut rest = after.split('/');
    let (namespace, plural) = (rest.next()?, rest.next()?);
    let api_version = before.strip_prefix("/apis/")?;
    let kind = if plural == "leases" {
        "Lease"
    } else {
        "LeaseCandidate"
    };
    let body = recording.pointer("/request/json")?;
    matches!(recording["request"]["method"].as_str()?, "POST" | "PUT").then_some(())?;
    let entry = Kinds
        .kinds()
        .iter()
        .find(|entry| entry.reads(api_version, kind))?;
    Some((entry, namespace, recording.get("before"), body))
}

/// What a server accepted, it accepts in our words too. Only years that it writes and does not read stay out.
#[test]
fn what_servers_accept_is_accepted_when_it_is_encoded_again() {
    let mut judged = 0;
    for (path, recording) in support::recordings() {
        let status = recording["response"]["status"].as_u64();
        let Some((kind, namespace, before, body)) = request(&recording) else {
            continue;
        };
        if !matches!(status, Some(200 | 201)) {
            continue;
        }
        let object = kind.receive(body).unwrap().object;
        let again = object.encode().unwrap();
        let far = again.to_string();
        if far.contains("\"10000-") || far.contains("\"-0001-") {
            continue;
        }
        let stored = before.map(|before| kind.decode_value(before).unwrap());
        let request = match &stored {
            Some(stored) => Request::update(kind, &**stored),
            None => Request::create(kind, namespace),
        };
        let name_is_in_the_url = recording["request"]["method"] == "PUT" && before.is_none();
        let verdict = request.judge(&again);
        assert!(
            verdict.is_accepted() || name_is_in_the_url,
            "{}: {verdict:?}",
            path.display()
        );
        assert_eq!(
            verdict.warnings().len(),
            duplicates(&request.judge(body)),
            "{}",
            path.display()
        );
        judged += 1;
    }
    assert!(judged > 700, "{judged}");
}

/// How many warnings are about owners: what is unknown is gone when an object is encoded again.
fn duplicates(verdict: &Verdict) -> usize {
    let warnings = verdict.warnings().iter();
    warnings
        .filter(|warning| warning.path() == "metadata.ownerReferences")
        .count()
}

/// Recordings with a few bytes changed, and random bytes. A million, or from another seed:
/// `DECODE_CASES=1000000 DECODE_SEED=1 cargo test --release -p k8s-coordination --test validation nothing_sent`.
#[test]
fn nothing_sent_panics() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("DECODE_CASES", 5_000), number("DECODE_SEED", 0));
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &{
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&u64::to_le_bytes(seed));
        bytes
    });
    let bodies: Vec<Vec<u8>> = support::recordings()
        .filter_map(|(_, recording)| Some(request(&recording)?.3.to_string().into_bytes()))
        .collect();
    for _ in 0..cases {
        let mut bytes = match random.random_range(0..5) {
            0 => Vec::new(),
            _ => bodies[random.random_range(0..bodies.len())].clone(),
        };
        mutate(&mut bytes, &mut random);
        decode::exercise(&bytes);
    }
}

const PIECES: [&[u8]; 20] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"null",
    b"-0",
    b"1e999",
    b"\\ud800",
    b"\xff",
    b"\"f:a\":{}",
    b"9999-12-31T23:59:59.999999-24:60",
    b"\"kind\":",
    b"true",
    b" ",
    b"[[[[[[[[",
    b"0",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut TestRng) {
    for _ in 0..random.random_range(1..6) {
        let start = random.random_range(0..=bytes.len());
        let end = (start + random.random_range(0..4)).min(bytes.len());
        let piece = PIECES[random.random_range(0..PIECES.len())].to_vec();
        let piece = if random.random_bool(0.2) {
            vec![random.random(); random.random_range(0..4)]
        } else {
            piece
        };
        bytes.splice(start..end, piece);
    }
}

#[test]
fn bodies_of_any_form() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let status = |body: Body<'_>| Request::create(kind, "default").judge(body).status();
    let value = |value: Value| status((&value).into());
    let table = [
        (value(Value::Null), 422),
        (value(serde_json::json!([])), 400),
        (value(serde_json::json!({"spec": []})), 400),
        (
            value(serde_json::json!({"metadata": {"name": "a", "namespace": "other"}})),
            400,
        ),
        (
            value(serde_json::json!({"Kind": "Lease", "metadata": {"name": "a"}})),
            200,
        ),
        (
            value(serde_json::json!({"KIND": "Node", "metadata": {"name": "a"}})),
            400,
        ),
        (
            value(
                serde_json::json!({"apiVersion": "coordination.k8s.io/v1beta1", "metadata": {"name": "a"}}),
            ),
            400,
        ),
        (
            value(
                serde_json::json!({"apiVersion": "coordination.k8s.io/", "metadata": {"name": "a"}}),
            ),
            200,
        ),
        (
            status(Body::Json(
                br#"{"metadata": {"name": "a"}, "spec": {"leaseTransitions": -0}}"#,
            )),
            200,
        ),
        (
            status(Body::Json(
                b"{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"holderIdentity\": \"\xff\"}}",
            )),
            200,
        ),
    ];
    for (index, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {index}");
    }
}

/// All that is wrong, not only the first.
#[test]
fn every_wrong_field_is_told() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let body = r#"{"metadata": {"labels": [], "name": 1}, "spec": {"renewTime": "2026-01-02T03:04:05Z", "leaseTransitions": 1.5}}"#;
    let Verdict::Unreadable { errors } = Request::create(kind, "default").judge(body) else {
        panic!("a server refuses it");
    };
    let mut paths: Vec<_> = errors.iter().map(|error| error.path().to_owned()).collect();
    paths.sort();
    let expected = [
        "metadata.labels",
        "metadata.name",
        "spec.leaseTransitions",
        "spec.renewTime",
    ];
    assert_eq!(paths, expected);
    let told = errors
        .iter()
        .find(|error| error.path() == "spec.renewTime")
        .unwrap()
        .to_string();
    assert!(
        told.contains("write `2026-01-02T03:04:05.000000Z`"),
        "{told}"
    );
}

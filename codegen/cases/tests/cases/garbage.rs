//! Large random documents are refused with short messages. An algorithm that is slower than linear would take too long.

use k8s_versioned_codegen::{Files, Problems};
use testing::specs;

use crate::support::{good, options};

const SIZE: usize = 1 << 19;

#[test]
fn large_garbage_is_refused() {
    let table = [
        ("zero bytes", vec![0; SIZE], "the JSON cannot be read"),
        ("random bytes", random(SIZE), "the text is not UTF-8"),
        ("brackets", nested(SIZE / 2), "values nest more than 128 deep"),
        ("braces", repeat("{\"a\":", SIZE), "the JSON cannot be read"),
        ("a string", quoted(SIZE), "found a string where an object is expected"),
        ("an array", wrap("[", "[],", "[]]", SIZE), "found an array where an object is expected"),
        (
            "duplicate keys",
            wrap("{", "\"a\":0,", "\"a\":0}", SIZE),
            "the key `a` occurs twice in one object",
        ),
        ("unknown keys", keys(SIZE), "a document has no `components`"),
        ("properties in reverse", properties(SIZE), "a document has no `openapi`"),
    ];
    for (name, text, expected) in table {
        let problems = refuse(&text);
        let message = problems.iter().next().unwrap().to_string();
        let shown = problems.to_string().len();
        assert!(message.starts_with(expected), "{name}: {message}");
        assert!(shown < 100_000, "{name}: {shown} bytes of messages");
        let more = problems.iter().any(|problem| problem.id() == "more");
        assert_eq!(more, problems.len() > 100, "{name}");
    }
}

fn refuse(text: &[u8]) -> Problems {
    let mut files: Files = good("one-field");
    files.insert("v1.1/apis__example.dev__v1_openapi.json".to_owned(), text.to_vec());
    specs::add_manifest(&mut files);
    k8s_versioned_codegen::generate(&files, &options("garbage")).unwrap_err()
}

/// Random bytes, always the same.
fn random(size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(0);
    std::iter::repeat_with(|| random.u8(..)).take(size).collect()
}

fn repeat(text: &str, size: usize) -> Vec<u8> {
    text.repeat(size / text.len()).into_bytes()
}

fn wrap(before: &str, text: &str, after: &str, size: usize) -> Vec<u8> {
    [before.as_bytes(), &repeat(text, size), after.as_bytes()].concat()
}

fn nested(depth: usize) -> Vec<u8> {
    [vec![b'['; depth], vec![b']'; depth]].concat()
}

fn quoted(size: usize) -> Vec<u8> {
    wrap("\"", "a", "\"", size)
}

fn keys(size: usize) -> Vec<u8> {
    let members: Vec<String> = (0..size / 12).map(|index| format!("\"k{index}\":0")).collect();
    format!("{{{}}}", members.join(",")).into_bytes()
}

/// A schema with required properties in the reverse order.
fn properties(size: usize) -> Vec<u8> {
    let (mut properties, mut required) = (Vec::new(), Vec::new());
    for name in (100_000..100_000 + size / 32).rev() {
        properties.push(format!("\"{name}\":{{\"type\":\"string\"}}"));
        required.push(format!("\"{name}\""));
    }
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
        properties.join(","),
        required.join(",")
    );
    format!(r#"{{"components":{{"schemas":{{"dev.example.v1.Wide":{schema}}}}}}}"#).into_bytes()
}

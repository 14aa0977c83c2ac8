//! JSON that `serde_json` reads unlike Go: the answers of `kubectl` count.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use k8s_versioned_source::{ReadLimits, documents};
use serde_json::Value;

fn read(text: &str) -> Result<Value, String> {
    let mut trees = documents("a.json", text.as_bytes(), &ReadLimits::OBJECTS);
    let tree = trees.next().unwrap();
    tree.map(|tree| tree.root().to_json()).map_err(|errors| {
        let places = errors.0.iter().map(|error| {
            let written = text.get(error.span.clone()).unwrap();
            format!("{} at {} ({written})", error.cause, error.pointer)
        });
        places.collect::<Vec<_>>().join("; ")
    })
}

#[test]
fn numbers_that_no_float_holds_are_errors() {
    let table = [
        (r#"{"a": [1, 1e400]}"#, "the number 1e400 is out of range at /a/1 (1e400)"),
        (
            r#"{"a": -1e309, "b": 1e999}"#,
            "the number -1e309 is out of range at /a (-1e309); the number 1e999 is out of range at /b (1e999)",
        ),
    ];
    for (text, error) in table {
        assert_eq!(read(text).unwrap_err(), error);
    }
    let nines = "9".repeat(400);
    assert!(read(&format!("[{nines}]")).unwrap_err().starts_with("the number 999"));
    for text in [
        "1e308",
        "-1.7976931348623157e308",
        "1e-400",
        "123456789012345678901234567890",
        "-0",
        "0",
        "123456789",
    ] {
        let value = read(&format!("[{text}]")).unwrap();
        assert!(value[0].is_number(), "{text}: {value}");
    }
}

#[test]
fn half_a_surrogate_pair_is_the_replacement_character() {
    let table = [
        (r#""\ud800""#, "\u{fffd}"),
        (r#""a\udc00b\n""#, "a\u{fffd}b\n"),
        (r#""\ud83d\ude00""#, "\u{1f600}"),
        (r#""\\ud800""#, "\\ud800"),
        (r#""\ud800\u0041""#, "\u{fffd}A"),
    ];
    for (text, string) in table {
        assert_eq!(read(&format!(r#"{{"a": {text}, {text}: 1}}"#)).unwrap()["a"], string, "{text}");
    }
}

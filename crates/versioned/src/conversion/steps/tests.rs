//! Tests of the annotation's text. All else is tested where conversions are generated.

use super::entries::{ANNOTATIONS_LIMIT, Entries, Unread};
use serde_json::json;

#[test]
fn keys_are_sorted() {
    let mut entries = Entries::default();
    entries.insert(("v2", "spec.b"), json!([1, {"b": 1, "a": 2}]), None);
    entries.insert(("v1", "spec.a"), json!(null), Some(json!("x")));
    let text = r#"{"fields":{"v1":{"spec.a":null},"v2":{"spec.b":[1,{"a":2,"b":1}]}},"filled":{"v1":{"spec.a":"x"}},"format":2}"#;
    assert_eq!(entries.write().unwrap(), text);
    assert_eq!(Entries::read(text), Ok(entries));
}

#[test]
fn format_1_is_read() {
    let text = r#"{"fields":{"spec.a":null},"filled":{"spec.a":"x"},"format":1,"version":"v1"}"#;
    let mut entries = Entries::default();
    entries.insert(("v1", "spec.a"), json!(null), Some(json!("x")));
    assert_eq!(Entries::read(text), Ok(entries));
}

/// The text of an annotation whose one value is a list in lists, three levels inside.
fn nested(levels: usize) -> String {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    format!(r#"{{"fields":{{"v1":{{"spec.a":{open}{close}}}}},"format":2}}"#)
}

/// The same depth can be read and written.
#[test]
fn depth_is_limited() {
    let entries = Entries::read(&nested(97)).unwrap();
    assert_eq!(entries.write(), Some(nested(97)));
    let deeper = json!([entries.to_value()["fields"]["v1"]["spec.a"]]);
    let mut entries = Entries::default();
    entries.insert(("v1", "spec.a"), deeper, None);
    assert_eq!(entries.write(), None);
}

#[test]
fn what_is_not_read() {
    let huge = format!(
        r#"{{"fields":{{}},"format":2,"v":"{}"}}"#,
        "v".repeat(ANNOTATIONS_LIMIT)
    );
    let nested = nested(98);
    let malformed = [
        "",
        "null",
        "[]",
        "{",
        r#""text""#,
        "{}",
        r#"{"format":"2"}"#,
        r#"{"format":-1}"#,
        r#"{"format":2.0}"#,
        r#"{"format":1}"#,
        r#"{"format":2}"#,
        r#"{"fields":[],"format":1,"version":"v1"}"#,
        r#"{"fields":{},"format":1,"version":1}"#,
        r#"{"fields":{},"format":1}"#,
        r#"{"fields":{},"format":2,"version":"v1"}"#,
        r#"{"fields":{"spec.a":1},"format":2}"#,
        r#"{"fields":{},"filled":1,"format":2}"#,
        "\u{0}",
        &huge,
        &nested,
    ];
    for text in malformed {
        let unread = Entries::read(text).unwrap_err();
        assert!(
            matches!(&unread, Unread::Malformed(_)),
            "{text}: {unread:?}"
        );
    }
    for text in [r#"{"format":3}"#, r#"{"format":0,"fields":7}"#] {
        let unread = Entries::read(text).unwrap_err();
        assert!(
            matches!(&unread, Unread::Unsupported(_)),
            "{text}: {unread:?}"
        );
    }
}

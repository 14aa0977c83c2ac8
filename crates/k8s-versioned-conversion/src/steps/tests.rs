//! Tests of the annotation's text. The tests of the generated conversions cover the steps.

use super::entries::{ANNOTATIONS_LIMIT, Entries, Unread};
use serde_json::json;

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
fn malformed_and_unsupported_texts_are_not_read() {
    let huge = "v".repeat(ANNOTATIONS_LIMIT);
    let huge = format!(r#"{{"fields":{{"v1":{{"spec.a":"{huge}"}}}},"format":2}}"#);
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
        assert!(matches!(&unread, Unread::Malformed(_)), "{text}: {unread:?}");
    }
    for text in [r#"{"format":3}"#, r#"{"format":0,"fields":7}"#] {
        let unread = Entries::read(text).unwrap_err();
        assert!(matches!(&unread, Unread::Unsupported(_)), "{text}: {unread:?}");
    }
}

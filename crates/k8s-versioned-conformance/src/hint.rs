//! Hints for failures.

use std::borrow::Cow;

use serde_json::Value;

/// A hint for a body that is not equal after decoding and encoding.
pub(crate) fn for_difference(
    place: &str,
    expected: Option<&Value>,
    found: Option<&Value>,
) -> Cow<'static, str> {
    let name = place.rsplit('/').next().unwrap_or_default();
    Cow::Borrowed(match (expected, found) {
        (Some(_), None) => "the type drops it: does it have the field, under exactly this name?",
        (None, Some(_)) if is_item(place) && matches!(name, "apiVersion" | "kind") => {
            "the type adds it: servers write `apiVersion` and `kind` on the list, not on its items"
        }
        (None, Some(found)) if is_empty(found) => {
            "the type adds it: servers leave the field out when it is empty"
        }
        (None, Some(_)) => "the type adds it: is a field renamed, or does it write a default?",
        (Some(Value::String(expected)), Some(Value::String(found)))
            if is_time(expected) && is_time(found) =>
        {
            for_times(expected, found)
        }
        _ => "the type changes the value: does its field have the right type?",
    })
}

fn for_times(expected: &str, found: &str) -> &'static str {
    match (fraction(expected), fraction(found)) {
        (Some(6), digits) if digits != Some(6) => {
            "servers reject a MicroTime that does not have exactly six fractional digits"
        }
        (None, Some(_)) => "a Time has whole seconds: is this field a MicroTime by mistake?",
        _ => "the type changes the time: does it keep the digits, and is it in UTC?",
    }
}

/// Returns `true` if the member belongs to an item of a list of objects.
fn is_item(place: &str) -> bool {
    let mut parts = place.rsplit('/').skip(1);
    let index = parts.next().unwrap_or_default();
    parts.next() == Some("items") && index.parse::<usize>().is_ok()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Returns `true` if a text looks like an RFC 3339 time.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is = |index: usize, byte: u8| bytes.get(index) == Some(&byte);
    is(4, b'-') && is(7, b'-') && is(10, b'T') && is(13, b':') && is(16, b':')
}

/// The number of fractional digits of a time.
fn fraction(time: &str) -> Option<usize> {
    let (_, digits) = time.split_once('.')?;
    Some(digits.bytes().take_while(u8::is_ascii_digit).count())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::for_difference;

    #[test]
    fn each_difference_has_its_hint() {
        let time = json!("2026-01-02T03:04:05.123456Z");
        let table: [(&str, Option<Value>, Option<Value>, &str); 9] = [
            ("/spec/a", Some(json!("x")), None, "drops it"),
            ("/spec/a", None, Some(json!("x")), "renamed"),
            ("/spec/a", None, Some(json!("")), "leave the field out"),
            ("/items/0/kind", None, Some(json!("Widget")), "not on its items"),
            ("/spec/kind", None, Some(json!("Widget")), "renamed"),
            ("/spec/a", Some(json!(1)), Some(json!("1")), "right type"),
            ("/a", Some(time.clone()), Some(json!("2026-01-02T03:04:05.12345Z")), "six"),
            ("/a", Some(json!("2026-01-02T03:04:05Z")), Some(time.clone()), "whole seconds"),
            ("/a", Some(time), Some(json!("2026-01-02T03:04:05.123457Z")), "keep the digits"),
        ];
        for (place, expected, found, words) in table {
            let hint = for_difference(place, expected.as_ref(), found.as_ref());
            assert!(hint.contains(words), "{place}: {hint}");
        }
    }
}

//! Differences of two JSON values, each with a hint. An expected `null` may be absent.

use std::borrow::Cow;

use k8s_versioned::pointer;
use k8s_versioned::quoted::start;
use serde_json::{Map, Value};

use crate::examination::Mismatch;

/// The differences between an expected value and the actual value. A member that is expected as `null` may be
/// absent, but a `null` in place of an absent member is a difference: servers do not write it.
///
/// The pointers of the mismatches begin with the pointer of the place.
pub fn differences(place: &str, expected: &Value, found: &Value) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    compare_values(place, Some(expected), Some(found), &mut mismatches);
    mismatches
}

/// A value as it is shown in reports.
pub(crate) fn show(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".to_owned(), |value| shorten(&value.to_string()))
}

/// The part of a text that is shown in reports.
pub(crate) fn shorten(text: &str) -> String {
    const LIMIT: usize = 200;
    let shown = start(text, LIMIT);
    if shown.len() == text.len() { text.to_owned() } else { format!("{shown}…") }
}

fn compare_values(
    place: &str,
    expected: Option<&Value>,
    found: Option<&Value>,
    mismatches: &mut Vec<Mismatch>,
) {
    match (expected, found) {
        (Some(Value::Object(expected)), Some(Value::Object(found))) => {
            compare_members(place, expected, found, mismatches);
        }
        (Some(Value::Array(expected)), Some(Value::Array(found))) => {
            for index in 0..expected.len().max(found.len()) {
                let place = pointer::child(place, index);
                compare_values(&place, expected.get(index), found.get(index), mismatches);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => {
            let hint = hint(place, expected, found);
            mismatches.push(Mismatch::new(place, show(expected), show(found), hint));
        }
    }
}

fn compare_members(
    place: &str,
    expected: &Map<String, Value>,
    found: &Map<String, Value>,
    mismatches: &mut Vec<Mismatch>,
) {
    let surplus = found.keys().filter(|name| !expected.contains_key(*name));
    for name in expected.keys().chain(surplus) {
        let (expected, found) = (expected.get(name), found.get(name));
        let is_null = |value: &Value| value.is_null();
        let expected =
            expected.filter(|expected| !expected.is_null() || found.is_some_and(is_null));
        if expected != found {
            compare_values(&pointer::child(place, name), expected, found, mismatches);
        }
    }
}

/// A hint for a body that is not equal after decoding and encoding.
fn hint(place: &str, expected: Option<&Value>, found: Option<&Value>) -> Cow<'static, str> {
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
        Value::Null => true,
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

    use super::{differences, hint};

    #[test]
    fn each_difference_has_its_hint() {
        let time = json!("2026-01-02T03:04:05.123456Z");
        let table: [(&str, Option<Value>, Option<Value>, &str); 10] = [
            ("/spec/a", Some(json!("x")), None, "drops it"),
            ("/spec/a", None, Some(json!("x")), "renamed"),
            ("/spec/a", None, Some(json!("")), "leave the field out"),
            ("/spec/a", None, Some(Value::Null), "leave the field out"),
            ("/items/0/kind", None, Some(json!("Widget")), "not on its items"),
            ("/spec/kind", None, Some(json!("Widget")), "renamed"),
            ("/spec/a", Some(json!(1)), Some(json!("1")), "right type"),
            ("/a", Some(time.clone()), Some(json!("2026-01-02T03:04:05.12345Z")), "six"),
            ("/a", Some(json!("2026-01-02T03:04:05Z")), Some(time.clone()), "whole seconds"),
            ("/a", Some(time), Some(json!("2026-01-02T03:04:05.123457Z")), "keep the digits"),
        ];
        for (place, expected, found, words) in table {
            let hint = hint(place, expected.as_ref(), found.as_ref());
            assert!(hint.contains(words), "{place}: {hint}");
        }
    }

    #[test]
    fn a_null_may_be_dropped_but_not_added() {
        let table = [
            (json!({"a": null}), json!({}), None),
            (json!({"a": null}), json!({"a": null}), None),
            (json!({}), json!({"a": null}), Some(("absent", "null"))),
            (json!({"a": 1}), json!({"a": null}), Some(("1", "null"))),
            (json!({"a": null}), json!({"a": 1}), Some(("absent", "1"))),
        ];
        for (expected, found, difference) in table {
            let mismatches = differences("", &expected, &found);
            let shown: Vec<_> =
                mismatches.iter().map(|mismatch| (&*mismatch.expected, &*mismatch.found)).collect();
            assert_eq!(shown, Vec::from_iter(difference), "{expected} {found}");
        }
    }
}

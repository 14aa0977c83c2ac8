//! Differences of two JSON values. `null` counts as absent.

use k8s_versioned::pointer;
use serde_json::{Map, Value};

use crate::hint;
use crate::outcome::Mismatch;

/// The differences between an expected value and the one that was found. `null` counts as absent.
///
/// The pointers of the mismatches begin with the pointer of the place.
pub fn differences(place: &str, expected: &Value, found: &Value) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    compare(place, Some(expected), Some(found), &mut mismatches);
    mismatches
}

/// A value as it is shown in reports.
pub(crate) fn show(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".to_owned(), |value| shorten(&value.to_string()))
}

/// As much of a text as is shown in reports.
pub(crate) fn shorten(text: &str) -> String {
    const LIMIT: usize = 200;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn compare(
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
                compare(&place, expected.get(index), found.get(index), mismatches);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => {
            let hint = hint::for_difference(place, expected, found);
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
    let present = |members: &'_ Map<String, Value>, name: &str| {
        members.get(name).filter(|value| !value.is_null()).cloned()
    };
    let surplus = found.keys().filter(|name| !expected.contains_key(*name));
    for name in expected.keys().chain(surplus) {
        let (expected, found) = (present(expected, name), present(found, name));
        if expected != found {
            let place = pointer::child(place, name);
            compare(&place, expected.as_ref(), found.as_ref(), mismatches);
        }
    }
}

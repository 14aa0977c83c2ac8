//! The places of values that are set aside: JSON pointers with quotes.

use k8s_versioned_core::pointer::unescaped;
use serde_json::{Map, Value};

/// A JSON pointer with quotes around the names of members that look like the numbers of items: a list in one version can be a map in
/// another, where an item is not the member of the same number. Names that begin with a quote are also quoted.
pub(super) fn quoted(pointer: &str, object: &Value) -> String {
    let (mut at, mut place) = (Some(object), String::new());
    for name in pointer.split('/').skip(1) {
        let is_member = at.is_some_and(Value::is_object);
        let quote = if is_member && (is_number(name) || name.starts_with('"')) { "\"" } else { "" };
        place.extend(["/", quote, name, quote]);
        at = at.and_then(|at| match at {
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            other => other.get(&*unescaped(name)),
        });
    }
    place
}

/// The JSON pointer of a place.
pub(super) fn unquoted(place: &str) -> String {
    let names = place.split('/').map(|name| without_quotes(name).unwrap_or(name));
    names.collect::<Vec<_>>().join("/")
}

fn without_quotes(name: &str) -> Option<&str> {
    name.strip_prefix('"')?.strip_suffix('"')
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|sign| sign.is_ascii_digit())
}

/// Puts a value at a [place](quoted). Objects around it are made, as types leave out empty ones.
pub(super) fn put(object: &mut Value, place: &str, value: Value) -> bool {
    let mut at = object;
    for step in place.split('/').skip(1) {
        let name = (!is_number(step)).then(|| unescaped(without_quotes(step).unwrap_or(step)));
        let next = match (at, name) {
            (Value::Array(items), None) => {
                step.parse::<usize>().ok().and_then(|index| items.get_mut(index))
            }
            (Value::Object(members), Some(name)) => {
                Some(members.entry(name).or_insert(Value::Null))
            }
            (made @ Value::Null, Some(name)) => {
                *made = Value::Object(Map::new());
                made.as_object_mut().map(|made| made.entry(name).or_insert(Value::Null))
            }
            _ => None,
        };
        let Some(next) = next else {
            return false;
        };
        at = next;
    }
    *at = value;
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{put, quoted, unquoted};

    #[test]
    fn places_in_objects() {
        let before = json!({"spec": {"list": [{}], "text": "x"}});
        let table = [
            ("/spec/a~1b/c", Some(json!({"spec": {"list": [{}], "text": "x", "a/b": {"c": 1}}}))),
            ("/spec/list/0", Some(json!({"spec": {"list": [1], "text": "x"}}))),
            ("/spec/list/1", None),
            ("/spec/map/0", None),
            ("/spec/\"0\"", Some(json!({"spec": {"list": [{}], "text": "x", "0": 1}}))),
            ("/spec/list/\"0\"", None),
            ("/spec/text/a", None),
        ];
        for (pointer, expected) in table {
            let mut object = before.clone();
            let done = put(&mut object, pointer, json!(1));
            assert_eq!(done.then_some(object), expected, "{pointer}");
        }
    }

    #[test]
    fn members_that_look_like_numbers_have_quotes() {
        let object = json!({"a": [{"0": {"\"": 1, "\"0\"": 2, "~/1": [3]}}]});
        for (pointer, place) in [
            ("/a/0/0/\"", r#"/a/0/"0"/""""#),
            ("/a/0/0/\"0\"", r#"/a/0/"0"/""0"""#),
            ("/a/0/0/~0~11/0", r#"/a/0/"0"/~0~11/0"#),
        ] {
            assert_eq!(quoted(pointer, &object), place);
            assert_eq!(unquoted(place), pointer);
            let mut with = object.clone();
            assert!(put(&mut with, place, json!("x")));
            assert_eq!(with.pointer(pointer), Some(&json!("x")), "{place}");
        }
    }
}

//! The parts of a kept value: the members of its objects, and the items of its lists that have keys, each under a path of its own. So
//! server-side apply owns them one by one, as it owns the members of the field itself.
//!
//! The path of a part is the path of the field, and then a step for each level, after `/`. The steps are those of `fieldsV1` in
//! `metadata.managedFields`: `f:` and the name of a member, `k:` and the keys of an item as JSON, `v:` and the item of a set as JSON.
//! The step `.` has the order of the items of a list.

use std::collections::BTreeMap;

use k8s_versioned_core::pointer::{escaped, unescaped};
use serde_json::{Map, Value};

/// Values by the paths of their fields, or of their parts.
pub(super) type Fields = BTreeMap<String, Value>;

/// The lists inside kept fields whose items server-side apply tells apart, by version and path, with the names of the keys; none for
/// a set. A path has `[]` for each item and each value of a map.
pub type Lists = &'static [(&'static str, &'static str, &'static [&'static str])];

/// The lists inside a value, by the rest of their paths.
pub(super) type Inside = Vec<(&'static str, &'static [&'static str])>;

/// The step to a member.
pub(super) const MEMBER: &str = "/f:";

/// The step to the order of the items of a list.
const ORDER: &str = "/.";

/// The most levels of parts. What is deeper stays whole.
const MOST_LEVELS: usize = 16;

/// The most bytes of a path that has parts: each of them repeats it.
const LONGEST_PATH: usize = 1024;

/// The lists inside a field.
pub(super) fn inside(lists: Lists, version: &str, template: &str) -> Inside {
    let of_version = lists.iter().filter(|(of, ..)| *of == version);
    of_version.filter_map(|(_, path, keys)| Some((path.strip_prefix(template)?, *keys))).collect()
}

/// The path of the field. `path` leads to the field, or to a part of its value.
pub(crate) fn field_of(path: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (at, sign) in path.char_indices() {
        if sign == '/' && !quoted {
            // A value of another type is kept under its JSON pointer.
            return if at == 0 { path } else { path.get(..at).unwrap_or(path) };
        }
        quoted ^= sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
    }
    path
}

/// Returns `true` for a path that a conversion can write.
pub(super) fn is_bounded(path: &str) -> bool {
    let part = path.strip_prefix(field_of(path)).unwrap_or_default();
    part.matches('/').count() <= MOST_LEVELS
}

/// The parts of a field.
pub(super) fn range<'f>(
    fields: &'f Fields,
    path: &str,
) -> impl Iterator<Item = (&'f String, &'f Value)> + use<'f> {
    // `0` follows `/`.
    fields.range(format!("{path}/")..format!("{path}0"))
}

/// Takes the parts of a field.
pub(super) fn take(fields: &mut Fields, path: &str) -> Vec<(String, Value)> {
    let paths: Vec<String> = range(fields, path).map(|(path, _)| path.clone()).collect();
    paths.into_iter().filter_map(|path| fields.remove_entry(&path)).collect()
}

/// Splits a value into its parts.
pub(super) fn split(path: &str, value: Value, lists: &Inside, add: &mut dyn FnMut(String, Value)) {
    split_at(path.to_owned(), value, (lists, MOST_LEVELS), add);
}

fn split_at(
    path: String,
    value: Value,
    (lists, levels): (&Inside, usize),
    add: &mut dyn FnMut(String, Value),
) {
    let Some(left) = levels.checked_sub(1).filter(|_| path.len() <= LONGEST_PATH) else {
        return add(path, value);
    };
    match value {
        Value::Object(members) if !members.is_empty() => {
            add(path.clone(), Map::new().into());
            for (name, value) in members {
                let inner = of_member(lists, &name);
                let path = format!("{path}{MEMBER}{}", escaped(&name));
                split_at(path, value, (&inner, left), add);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let keys = lists.iter().find(|(rest, _)| rest.is_empty()).map(|(_, keys)| *keys);
            let steps = keys.and_then(|keys| steps(&items, keys));
            let (Some(keys), Some(steps)) = (keys, steps) else {
                return add(path, items.into());
            };
            add(path.clone(), Vec::<Value>::new().into());
            let inner = of_items(lists);
            for (step, mut item) in steps.iter().zip(items) {
                if let Value::Object(members) = &mut item {
                    members.retain(|name, _| !keys.contains(&name.as_str()));
                }
                split_at(format!("{path}/{}", escaped(step)), item, (&inner, left), add);
            }
            add(format!("{path}{ORDER}"), steps.into());
        }
        other => add(path, other),
    }
}

/// The lists inside a member, which is a field of an object or a value of a map.
fn of_member(lists: &Inside, name: &str) -> Inside {
    let rest = |rest: &'static str| {
        let field = rest.strip_prefix('.').and_then(|rest| rest.strip_prefix(name));
        let is_whole = |rest: &&str| rest.is_empty() || rest.starts_with(['.', '[']);
        field.filter(is_whole).or_else(|| rest.strip_prefix("[]"))
    };
    lists.iter().filter_map(|(path, keys)| Some((rest(path)?, *keys))).collect()
}

fn of_items(lists: &Inside) -> Inside {
    lists.iter().filter_map(|(path, keys)| Some((path.strip_prefix("[]")?, *keys))).collect()
}

/// The steps to the items of a list; `None` if an item has no keys, or the keys of another.
fn steps(items: &[Value], keys: &[&str]) -> Option<Vec<String>> {
    let step = |item: &Value| {
        if keys.is_empty() {
            return (!item.is_object() && !item.is_array()).then(|| format!("v:{item}"));
        }
        let members = item.as_object()?;
        let key = |name| {
            let value: &Value = members.get(name)?;
            Some((name, value)).filter(|(_, value)| !value.is_object() && !value.is_array())
        };
        let found: BTreeMap<&str, &Value> = keys.iter().copied().map(key).collect::<Option<_>>()?;
        Some(format!("k:{}", serde_json::to_string(&found).ok()?))
    };
    let steps: Vec<String> = items.iter().map(step).collect::<Option<_>>()?;
    let mut sorted: Vec<&String> = steps.iter().collect();
    sorted.sort_unstable();
    let is_twice = sorted.iter().zip(sorted.iter().skip(1)).any(|(one, next)| one == next);
    (!is_twice).then_some(steps)
}

/// The value of a field: `own` is at its path, where an empty object or list can have parts.
pub(super) fn whole(
    own: Option<Value>,
    path: &str,
    parts: impl FnOnce() -> Vec<(String, Value)>,
) -> Option<Value> {
    match &own {
        None => join(path, parts()),
        Some(Value::Object(members)) if members.is_empty() => join(path, parts()).or(own),
        Some(Value::Array(items)) if items.is_empty() => join(path, parts()).or(own),
        Some(_) => own,
    }
}

/// The value whose parts these are; `None` without parts.
fn join(path: &str, parts: Vec<(String, Value)>) -> Option<Value> {
    let mut root = Node::default();
    for (part, value) in parts {
        let steps = part.strip_prefix(path).and_then(|rest| rest.strip_prefix('/'));
        let steps = steps.unwrap_or_default().split('/');
        let node =
            steps.fold(&mut root, |node, step| node.inner.entry(step.to_owned()).or_default());
        node.own = Some(value);
    }
    (!root.inner.is_empty()).then(|| root.into_value())
}

/// A value that is put together.
#[derive(Default)]
struct Node {
    own: Option<Value>,
    inner: BTreeMap<String, Node>,
}

impl Node {
    fn into_value(mut self) -> Value {
        if self.inner.is_empty() {
            return self.own.unwrap_or_default();
        }
        let order = self.inner.remove(".").and_then(|order| order.own);
        let is_list = |(step, _): (&String, _)| step.starts_with("k:") || step.starts_with("v:");
        let is_array = self.own.as_ref().is_some_and(Value::is_array);
        if is_array || order.is_some() || self.inner.iter().any(is_list) {
            return self.into_list(order.as_ref());
        }
        let member = |(step, node): (String, Self)| {
            (unescaped(step.strip_prefix("f:").unwrap_or(&step)).into_owned(), node.into_value())
        };
        Value::Object(self.inner.into_iter().map(member).collect())
    }

    /// The items in their order; those that are not in it follow.
    fn into_list(mut self, order: Option<&Value>) -> Value {
        let steps = order.and_then(Value::as_array).into_iter().flatten();
        let steps = steps.filter_map(Value::as_str).map(escaped);
        let mut items: Vec<Value> = Vec::with_capacity(self.inner.len());
        for step in steps {
            items.extend(self.inner.remove(&*step).map(|node| node.into_item(&step)));
        }
        items.extend(self.inner.into_iter().map(|(step, node)| node.into_item(&step)));
        items.into()
    }

    fn into_item(self, step: &str) -> Value {
        let keys = unescaped(step.get(2..).unwrap_or_default());
        let keys: Value = serde_json::from_str(&keys).unwrap_or_default();
        match (self.into_value(), keys) {
            (Value::Object(members), Value::Object(keys)) => {
                let mut item: Map<String, Value> = keys;
                item.extend(members);
                item.into()
            }
            (value, _) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Fields, Lists, field_of, inside, join, split, take, whole};

    const LISTS: Lists = &[
        ("v1", "spec.ports", &["name"]),
        ("v1", "spec.ports[].holds", &["id", "side"]),
        ("v1", "spec.ports[].flags", &[]),
        ("v1", "spec.crews[].ports", &["name"]),
    ];

    fn parts(field: &str, value: &Value) -> Fields {
        let mut fields = Fields::new();
        split(field, value.clone(), &inside(LISTS, "v1", field), &mut |path, value| {
            fields.insert(path, value);
        });
        fields
    }

    #[test]
    fn a_value_is_split_and_comes_back() {
        let table = [
            ("spec.a", json!(null), json!({"spec.a": null})),
            ("spec.a", json!({}), json!({"spec.a": {}})),
            ("spec.a", json!([{"x": 1}]), json!({"spec.a": [{"x": 1}]})),
            (
                "spec.a",
                json!({"b/~": {"c": 1, "d": []}, "e": {}}),
                json!({
                    "spec.a": {}, "spec.a/f:b~1~0": {}, "spec.a/f:b~1~0/f:c": 1, "spec.a/f:b~1~0/f:d": [],
                    "spec.a/f:e": {},
                }),
            ),
            (
                "spec.ports",
                json!([
                    {"name": "b", "holds": [{"id": 1, "side": "l", "note": "x"}]},
                    {"name": "a", "flags": ["z", "a/"]},
                    {"name": "c"},
                ]),
                json!({
                    "spec.ports": [],
                    r#"spec.ports/k:{"name":"a"}"#: {},
                    r#"spec.ports/k:{"name":"a"}/f:flags"#: [],
                    r#"spec.ports/k:{"name":"b"}"#: {},
                    r#"spec.ports/k:{"name":"b"}/f:holds"#: [],
                    r#"spec.ports/k:{"name":"b"}/f:holds/k:{"id":1,"side":"l"}"#: {},
                    "spec.ports/.": [r#"k:{"name":"b"}"#, r#"k:{"name":"a"}"#, r#"k:{"name":"c"}"#],
                    r#"spec.ports/k:{"name":"a"}/f:flags/."#: [r#"v:"z""#, r#"v:"a/""#],
                    r#"spec.ports/k:{"name":"a"}/f:flags/v:"a~1""#: "a/",
                    r#"spec.ports/k:{"name":"a"}/f:flags/v:"z""#: "z",
                    r#"spec.ports/k:{"name":"b"}/f:holds/."#: [r#"k:{"id":1,"side":"l"}"#],
                    r#"spec.ports/k:{"name":"b"}/f:holds/k:{"id":1,"side":"l"}/f:note"#: "x",
                    r#"spec.ports/k:{"name":"c"}"#: {},
                }),
            ),
            // Items without keys, and with the same.
            ("spec.ports", json!([{"x": 1}]), json!({"spec.ports": [{"x": 1}]})),
            (
                "spec.ports",
                json!([{"name": "a"}, {"name": "a"}]),
                json!({"spec.ports": [{"name": "a"}, {"name": "a"}]}),
            ),
            (
                "spec.crews",
                json!({"x": {"ports": [{"name": 1}]}}),
                json!({
                    "spec.crews": {}, "spec.crews/f:x": {}, "spec.crews/f:x/f:ports": [],
                    "spec.crews/f:x/f:ports/.": [r#"k:{"name":1}"#],
                    r#"spec.crews/f:x/f:ports/k:{"name":1}"#: {},
                }),
            ),
        ];
        for (field, value, expected) in table {
            let mut fields = parts(field, &value);
            assert_eq!(json!(fields), expected);
            assert!(fields.keys().all(|path| field_of(path) == field));
            let own = fields.remove(field);
            let back = whole(own, field, || take(&mut fields, field));
            assert_eq!(back, Some(value));
            assert!(fields.is_empty());
        }
    }

    #[test]
    fn deep_values_stay_whole() {
        let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({"a": inner}));
        let fields = parts("spec.a", &deep(20));
        let (last, value) = fields.last_key_value().unwrap();
        assert_eq!((last, value), (&format!("spec.a{}", "/f:a".repeat(16)), &deep(4)));
        assert!(fields.len() == 17 && super::is_bounded(last));
        assert!(!super::is_bounded(&format!("spec.a{}", "/f:a".repeat(17))));
        let parts = fields.into_iter().skip(1).collect();
        assert_eq!(join("spec.a", parts), Some(deep(20)));
    }

    /// Each part repeats the name of the member that it is in.
    #[test]
    fn values_of_long_names_stay_whole() {
        let members =
            |count: usize| (0..count).map(|at| (format!("m{at}"), json!(at))).collect::<Value>();
        let value = json!({"n".repeat(100_000): members(20_000), "m": members(1)});
        let fields = parts("spec.a", &value);
        assert_eq!(fields.len(), 4, "the value, two members, and a member of the short one");
        let parts = fields.into_iter().skip(1).collect();
        assert_eq!(join("spec.a", parts), Some(value));
    }

    /// A server can take items out of a list.
    #[test]
    fn the_order_can_have_items_that_are_gone() {
        let mut fields = parts("spec.ports", &json!([{"name": "b"}, {"name": "a"}, {"name": "c"}]));
        fields.remove(r#"spec.ports/k:{"name":"a"}"#);
        let all = || take(&mut fields.clone(), "spec.ports");
        assert_eq!(join("spec.ports", all()), Some(json!([{"name": "b"}, {"name": "c"}])));
        fields.remove("spec.ports/.");
        let all = take(&mut fields, "spec.ports");
        assert_eq!(join("spec.ports", all), Some(json!([{"name": "b"}, {"name": "c"}])));
    }

    #[test]
    fn parts_are_told_from_texts_with_slashes() {
        for (path, field) in [
            ("spec.a", "spec.a"),
            ("spec.a/f:b/f:c", "spec.a"),
            (r#"spec["a/b"].c"#, r#"spec["a/b"].c"#),
            (r#"spec["a\"/b"].c/f:d"#, r#"spec["a\"/b"].c"#),
            ("/spec/a", "/spec/a"),
        ] {
            assert_eq!(field_of(path), field);
        }
    }
}

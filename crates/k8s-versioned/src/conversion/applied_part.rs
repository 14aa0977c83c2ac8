//! Parts of objects, which server-side apply has converted.
//!
//! A server takes the fields of the last apply out of an object, has the rest converted into the versions of other managers, and adds
//! the fields back that they own. The rest has the managed fields of the whole object, so a field that an apply owns and that is not
//! there shows that it is a part. `structured-merge-diff` has the algorithm (`prune` in `merge/update.go`).

use serde_json::Value;

use super::{ConversionFinding, ConversionReport};
use crate::field::PathRef;
use crate::{TypeMeta, from_json};

/// Converts an object into a version.
type Convert = dyn Fn(&Value, &str) -> Result<(Value, ConversionReport), String> + Send + Sync;

/// Returns `true` if an object is a part: it has no name, or lacks a field that its own version requires or that an apply owns.
pub(super) fn is_part(convert: &Convert, object: &Value, of: &TypeMeta<'_>) -> bool {
    let own = version(&of.api_version);
    let has_name = object.pointer("/metadata/name").is_some_and(Value::is_string);
    !has_name
        || convert(object, own).is_ok_and(|(_, report)| made_up(&report).next().is_some())
        || managed_fields(object).any(|(of, fields)| {
            if of == own {
                return lacks(Some(object), fields, &[], &PathRef::Root);
            }
            convert(object, of).is_ok_and(|(object, report)| {
                let made_up: Vec<&str> = made_up(&report).collect();
                lacks(Some(&object), fields, &made_up, &PathRef::Root)
            })
        })
}

fn version(api_version: &str) -> &str {
    api_version.rsplit_once('/').map_or(api_version, |(_, version)| version)
}

/// The required fields that a conversion left empty.
fn made_up(report: &ConversionReport) -> impl Iterator<Item = &str> {
    let found = report.iter();
    let found = found.filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
    found.map(|(path, _)| path.as_str())
}

/// The fields that applies own, with the version that they are in.
fn managed_fields(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let entries = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    entries.into_iter().flatten().filter_map(|entry| {
        let is_apply = entry.get("operation").and_then(Value::as_str) == Some("Apply");
        let of = entry.get("apiVersion").and_then(Value::as_str).filter(|_| is_apply)?;
        Some((version(of), entry.get("fieldsV1")?))
    })
}

/// Returns `true` if some of these fields, outside the metadata, are absent or made up.
fn lacks(value: Option<&Value>, fields: &Value, made_up: &[&str], path: &PathRef<'_>) -> bool {
    let Some(value) = value else {
        return true;
    };
    let members = fields.as_object().into_iter().flatten();
    if members.clone().next().is_none() {
        return made_up.contains(&&*path.to_string());
    }
    members.filter(|(step, _)| *step != "f:metadata").any(|(step, inside)| {
        let (kind, name) = step.split_once(':').unwrap_or((step, ""));
        let items = || value.as_array().into_iter().flatten();
        match kind {
            "f" => lacks(value.get(name), inside, made_up, &path.child(name)),
            "k" => {
                let keys = parsed(name);
                let found = items().enumerate().find(|(_, item)| has_keys(item, &keys));
                let index = found.map(|(index, _)| index).unwrap_or_default();
                lacks(found.map(|(_, item)| item), inside, made_up, &path.index(index))
            }
            "v" => {
                let text = parsed(name);
                !items().any(|item| *item == text)
            }
            // The value itself, or the number of an item, which no server writes.
            _ => false,
        }
    })
}

fn parsed(text: &str) -> Value {
    from_json(text.as_bytes()).unwrap_or_default()
}

fn has_keys(item: &Value, keys: &Value) -> bool {
    let mut keys = keys.as_object().into_iter().flatten();
    keys.all(|(name, value)| item.get(name) == Some(value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{PathRef, lacks};

    #[test]
    fn fields_that_an_object_lacks() {
        let object = json!({
            "metadata": {"name": "a"},
            "spec": {"mode": "", "labels": {"a.b/c": 1}, "set": ["x", 2], "ports": [{"port": 1, "p": "TCP"}, {"port": 2, "p": "UDP", "note": null}]},
        });
        let port = |keys: &str, inside| json!({"f:spec": {"f:ports": {keys: inside}}});
        let udp = r#"k:{"p":"UDP","port":2}"#;
        for (fields, expected) in [
            (json!({"f:metadata": {"f:labels": {"f:x": {}}}}), false),
            (json!({"f:spec": {".": {}, "f:mode": {}, "f:labels": {"f:a.b/c": {}}}}), false),
            (json!({"f:spec": {"f:labels": {"f:a": {}}}}), true),
            (json!({"f:status": {"f:x": {}}}), true),
            (json!({"f:spec": {"f:set": {"v:\"x\"": {}, "v:2": {}}}}), false),
            (json!({"f:spec": {"f:set": {"v:\"2\"": {}}}}), true),
            (port(udp, json!({".": {}, "f:port": {}, "f:note": {}})), false),
            (port(udp, json!({"f:weight": {}})), true),
            (port(r#"k:{"p":"UDP","port":1}"#, json!({".": {}})), true),
            (json!({"f:spec": {"f:mode": {"k:{}": {".": {}}}}}), true),
            (json!(null), false),
        ] {
            assert_eq!(lacks(Some(&object), &fields, &[], &PathRef::Root), expected, "{fields}");
        }
        for made_up in ["spec.mode", "spec.ports[1].note"] {
            let fields = json!({"f:spec": {"f:mode": {}, "f:ports": {udp: {"f:note": {}}}}});
            assert!(lacks(Some(&object), &fields, &[made_up], &PathRef::Root), "{made_up}");
            assert!(!lacks(Some(&object), &fields, &["spec.set"], &PathRef::Root));
        }
    }
}

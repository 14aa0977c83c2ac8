//! The fields that a request changes, as managed fields name them.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::FieldSet;
use serde_json::{Map, Value, json};

/// The fields that `new` adds, changes or removes. `old` is `None` where nothing is stored.
pub(super) fn changed<'v>(old: Option<&'v Value>, new: &'v Value) -> FieldSet {
    let mut set = FieldSet::default();
    let empty = Map::new();
    for part in ["metadata", "spec"] {
        let members = |value: &'v Value| value.get(part).and_then(Value::as_object);
        let (old, new) = (old.and_then(members), members(new));
        let (old, new) = (old.unwrap_or(&empty), new.unwrap_or(&empty));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names.into_iter().filter(|name| *name != "managedFields") {
            let path = [format!("f:{part}"), format!("f:{name}")];
            compare(&path, old.get(name), new.get(name), &mut set);
        }
    }
    set
}

/// Compares a field. A map or a list is a field, and so is each of its elements.
fn compare(path: &[String; 2], old: Option<&Value>, new: Option<&Value>, set: &mut FieldSet) {
    let [old, new] = [old, new].map(|value| value.map(|value| items(path, value)));
    if old.is_some() != new.is_some() {
        set.insert(path.iter().cloned());
    }
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    let elements: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for element in elements {
        if old.get(element) != new.get(element) {
            let inside = (!element.is_empty()).then_some(element);
            set.insert(path.iter().chain(inside).cloned());
        }
    }
}

/// The elements of a field. A field without elements is its own element.
fn items<'v>([_, name]: &[String; 2], value: &'v Value) -> BTreeMap<String, &'v Value> {
    match (name.as_str(), value) {
        ("f:labels" | "f:annotations", Value::Object(members)) => {
            members.iter().map(|(key, value)| (format!("f:{key}"), value)).collect()
        }
        ("f:ownerReferences", Value::Array(owners)) => owners
            .iter()
            .map(|owner| (format!("k:{}", json!({ "uid": owner.get("uid") })), owner))
            .collect(),
        ("f:finalizers", Value::Array(finalizers)) => {
            finalizers.iter().map(|finalizer| (format!("v:{finalizer}"), finalizer)).collect()
        }
        _ => BTreeMap::from([(String::new(), value)]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::changed;

    #[test]
    fn each_element_is_a_field() {
        let owner = |uid: &str, name: &str| json!({"uid": uid, "name": name});
        let table = [
            (
                json!({"labels": {"a": "1", "b": "1"}}),
                json!({"labels": {"a": "2", "b": "1"}}),
                r#"{"f:labels":{"f:a":{}}}"#,
            ),
            (
                json!({}),
                json!({"annotations": {"a": "1"}}),
                r#"{"f:annotations":{".":{},"f:a":{}}}"#,
            ),
            (
                json!({"finalizers": ["a", "b"]}),
                json!({"finalizers": ["b", "c"]}),
                r#"{"f:finalizers":{"v:\"a\"":{},"v:\"c\"":{}}}"#,
            ),
            (
                json!({"ownerReferences": [owner("1", "a"), owner("2", "b")]}),
                json!({"ownerReferences": [owner("2", "c"), owner("1", "a")]}),
                r#"{"f:ownerReferences":{"k:{\"uid\":\"2\"}":{}}}"#,
            ),
            (json!({"name": "a"}), json!({"name": "b", "managedFields": [1]}), r#"{"f:name":{}}"#),
        ];
        for (old, new, expected) in table {
            let object = |metadata| json!({"metadata": metadata});
            let found = changed(Some(&object(&old)), &object(&new)).to_fields();
            assert_eq!(found.as_json(), format!(r#"{{"f:metadata":{expected}}}"#));
        }
    }
}

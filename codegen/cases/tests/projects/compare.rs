//! The fields in which two objects differ, empty values aside.

use std::fmt;
use std::sync::LazyLock;

use serde_json::Value;

/// A field in which our object differs from that of the project.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// Its path, without the indexes of lists: `spec.ports[].name`.
    pub(crate) path: String,
    /// Our value.
    pub(crate) ours: Option<Value>,
    /// The value of the project.
    pub(crate) theirs: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
        write!(
            f,
            "{}: {} where the project has {}",
            self.path,
            text(&self.ours),
            text(&self.theirs)
        )
    }
}

/// The fields in which two objects differ. Annotations that keep values of another version do not count.
pub(crate) fn differences(
    ours: &Value,
    theirs: &Value,
    is_kept: fn(&str) -> bool,
) -> Vec<Difference> {
    let of = |object: &Value| {
        let mut object = object.clone();
        if let Some(annotations) =
            object.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut)
        {
            annotations.retain(|key, _| !is_kept(key));
        }
        filled(object)
    };
    let mut found = Vec::new();
    compare("", of(ours).as_ref(), of(theirs).as_ref(), &mut found);
    found
}

/// The value without empty members; `None` if nothing is left.
pub(crate) fn filled(value: Value) -> Option<Value> {
    match value {
        Value::Object(members) => {
            let members =
                members.into_iter().filter_map(|(name, value)| Some((name, filled(value)?)));
            Some(members.collect())
                .filter(|members: &serde_json::Map<_, _>| !members.is_empty())
                .map(Value::Object)
        }
        Value::Array(items) => {
            let items: Vec<Value> =
                items.into_iter().map(|item| filled(item).unwrap_or_default()).collect();
            (!items.is_empty()).then_some(Value::Array(items))
        }
        Value::Number(number) => (number.as_f64() != Some(0.0)).then_some(Value::Number(number)),
        Value::String(text) => (!text.is_empty()).then_some(Value::String(text)),
        Value::Bool(it) => it.then_some(Value::Bool(it)),
        Value::Null => None,
    }
}

/// Compares two values. Members that only one of them has are found one by one, also those of an object that the other lacks.
fn compare(path: &str, ours: Option<&Value>, theirs: Option<&Value>, found: &mut Vec<Difference>) {
    static NONE: LazyLock<Value> = LazyLock::new(|| Value::Object(serde_json::Map::new()));
    match (ours, theirs) {
        (Some(Value::Object(members)), None | Some(Value::Null)) if !members.is_empty() => {
            compare(path, ours, Some(&NONE), found);
        }
        (None | Some(Value::Null), Some(Value::Object(members))) if !members.is_empty() => {
            compare(path, Some(&NONE), theirs, found);
        }
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            for name in names {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&path, a.get(name), b.get(name), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                compare(&format!("{path}[]"), Some(a), Some(b), found);
            }
        }
        (ours, theirs) if ours == theirs => {}
        (ours, theirs) => {
            found.push(Difference {
                path: path.to_owned(),
                ours: ours.cloned(),
                theirs: theirs.cloned(),
            });
        }
    }
}

/// Sorts the list at this pointer by a field of its items.
pub(crate) fn sort(object: &mut Value, list: &str, by: &str) {
    if let Some(items) = object.pointer_mut(list).and_then(Value::as_array_mut) {
        items.sort_by_key(|item| item[by].to_string());
    }
}

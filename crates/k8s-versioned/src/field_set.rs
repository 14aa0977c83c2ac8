//! Sets of fields that a manager owns.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::FieldsV1;
use crate::json::server;

/// A set of fields of an object, read from the format of [`FieldsV1`].
///
/// The path of a field has elements: `f:` and a name, `k:` and the key of an item, `v:` and an item, `i:` and an index.
///
/// ```
/// use k8s_versioned::{FieldSet, FieldsV1};
///
/// let fields = FieldsV1::from_json(r#"{"f:spec": {"f:holderIdentity": {}, "f:renewTime": {}}}"#)?;
/// let mut set = FieldSet::read(&fields)?;
///
/// let mut changed = FieldSet::default();
/// changed.insert(["f:spec", "f:renewTime"]);
/// assert!(set.remove(&changed));
/// assert_eq!(set.to_fields(), FieldsV1::from_json(r#"{"f:spec": {"f:holderIdentity": {}}}"#)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// True if the field itself is in the set.
    member: bool,
    /// The sets of the fields in this field; none of them is empty.
    children: BTreeMap<String, FieldSet>,
}

/// A text that is not a set of fields.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FieldSetError {
    /// A value that should hold fields is not an object.
    #[error("a set of fields is an object, with an object for each field")]
    NotAnObject,
    /// A key is not an element of a path.
    #[error(
        "{key:?} is not an element of a path: expected `f:` and a name, `k:` and a key, `v:` and a value, or `i:` and an index"
    )]
    Element {
        /// The key.
        key: String,
    },
}

impl FieldSet {
    /// Reads a set.
    ///
    /// Elements of unknown types are skipped, as servers skip them. A field deeper than 400 levels counts as the field
    /// at that level.
    ///
    /// # Errors
    ///
    /// Servers cannot read the set either. They then ignore all managers of the object.
    pub fn read(fields: &FieldsV1) -> Result<Self, FieldSetError> {
        let json = server::read(fields.as_json().as_bytes());
        let json = json.map_err(|_| FieldSetError::NotAnObject)?;
        let mut set = Self::read_value(&json.value)?;
        set.member = false;
        Ok(set)
    }

    fn read_value(value: &Value) -> Result<Self, FieldSetError> {
        let mut set = Self::default();
        let members = match value {
            Value::Object(members) => members,
            Value::Null => &Map::new(),
            _ => return Err(FieldSetError::NotAnObject),
        };
        for (key, value) in members {
            if key == "." {
                set.member = true;
            } else if let Some(element) = element(key)? {
                let child = Self::read_value(value)?;
                set.children.insert(element, child);
            }
        }
        // A value without fields names the field itself.
        set.member |= set.children.is_empty();
        Ok(set)
    }

    /// True if no field is in the set.
    pub fn is_empty(&self) -> bool {
        !self.member && self.children.is_empty()
    }

    /// Adds the field with a path.
    pub fn insert<E: Into<String>>(&mut self, path: impl IntoIterator<Item = E>) {
        let mut set = self;
        for element in path {
            set = set.children.entry(element.into()).or_default();
        }
        set.member = true;
    }

    /// Adds the fields of another set.
    pub fn unite(&mut self, other: Self) {
        self.member |= other.member;
        for (element, child) in other.children {
            self.children.entry(element).or_default().unite(child);
        }
    }

    /// Removes the fields of another set. Returns `true` if a field was removed.
    pub fn remove(&mut self, other: &Self) -> bool {
        let mut removed = self.member && other.member;
        self.member &= !other.member;
        self.children.retain(|element, child| {
            if let Some(other) = other.children.get(element) {
                removed |= child.remove(other);
            }
            !child.is_empty()
        });
        removed
    }

    /// The set in the format of managed fields.
    pub fn to_fields(&self) -> FieldsV1 {
        let mut text = String::new();
        self.write(&mut text);
        FieldsV1::from_compact(text)
    }

    /// Writes the set with its keys in order: `.` is less than every element.
    fn write(&self, text: &mut String) {
        text.push('{');
        if self.member && !self.children.is_empty() {
            text.push_str("\".\":{}");
        }
        for (element, child) in &self.children {
            if !text.ends_with('{') {
                text.push(',');
            }
            text.push_str(&Value::from(element.as_str()).to_string());
            text.push(':');
            child.write(text);
        }
        text.push('}');
    }
}

/// The element of a key, in canonical form; `None` if its type is unknown.
fn element(key: &str) -> Result<Option<String>, FieldSetError> {
    let wrong = || FieldSetError::Element { key: key.to_owned() };
    let rest = key.get(2..).filter(|_| key.as_bytes().get(1) == Some(&b':'));
    let rest = rest.ok_or_else(wrong)?;
    let json = || {
        let mut value: Value = serde_json::from_str(rest).map_err(|_| wrong())?;
        // `serde_json` keeps the order of the text if any crate of a build wants that.
        value.sort_all_objects();
        Ok(value)
    };
    Ok(match key.as_bytes().first() {
        Some(b'f') => Some(key.to_owned()),
        Some(b'v') => Some(format!("v:{}", json()?)),
        Some(b'k') => {
            let fields = json()?;
            let key = fields.is_object().then(|| format!("k:{fields}"));
            Some(key.ok_or_else(wrong)?)
        }
        Some(b'i') => {
            let index: i64 = rest.parse().map_err(|_| wrong())?;
            Some(format!("i:{index}"))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::FieldSet;
    use crate::FieldsV1;

    fn read(json: &str) -> Result<FieldSet, String> {
        let fields = FieldsV1::from_json(json).unwrap();
        FieldSet::read(&fields).map_err(|error| error.to_string())
    }

    #[test]
    fn sets_are_read_and_written() {
        // The set as it is written again.
        let table = [
            ("{}", "{}"),
            ("null", "{}"),
            (r#"{"f:a":{},"f:b":null}"#, r#"{"f:a":{},"f:b":{}}"#),
            (r#"{"f:a":{".":{}}}"#, r#"{"f:a":{}}"#),
            (r#"{"f:a":{".":{},"f:b":{}}}"#, r#"{"f:a":{".":{},"f:b":{}}}"#),
            (
                r#"{"k:{ \"b\" : 1, \"a\" : 2 }":{},"v:\"x\"":{},"i:-3":{}}"#,
                r#"{"i:-3":{},"k:{\"a\":2,\"b\":1}":{},"v:\"x\"":{}}"#,
            ),
            (r#"{"x:later":{"nonsense":1},"f:a":{}}"#, r#"{"f:a":{}}"#),
        ];
        for (json, expected) in table {
            assert_eq!(read(json).unwrap().to_fields().as_json(), expected, "{json}");
        }
        assert!(read("{}").unwrap().is_empty());
    }

    #[test]
    fn wrong_sets_are_errors() {
        for json in [
            "[]",
            "1",
            r#"{"nope":{}}"#,
            r#"{"f":{}}"#,
            r#"{"i:x":{}}"#,
            r#"{"k:{":{}}"#,
            r#"{"f:a":[]}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let deep = |depth: usize| r#"{"f:a":"#.repeat(depth) + "{}" + &"}".repeat(depth);
        assert!(!read(&deep(9_000)).unwrap().is_empty());
    }
}

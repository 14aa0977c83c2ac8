//! The place of a field in an object, owned and borrowed.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "conversion")]
use serde_json::Value;

use crate::field_path::segment;
use crate::pointer;

/// The place of a field in an object, written as API servers write it.
///
/// ```
/// use k8s_versioned::field::FieldPath;
///
/// let list = FieldPath::new("spec").child("preferredStrategies");
/// assert_eq!(list.index(1).child("strategy"), "spec.preferredStrategies[1].strategy");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Cow<'static, str>);

impl Serialize for FieldPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for FieldPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|path| Self(path.into()))
    }
}

impl FieldPath {
    /// A field of the object itself.
    pub const fn new(field: &'static str) -> Self {
        Self(Cow::Borrowed(field))
    }

    /// A field of the object at this place.
    #[must_use]
    pub fn child(&self, field: &str) -> Self {
        Self(format!("{self}.{field}").into())
    }

    /// An item of the list at this place, counted from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{self}[{index}]").into())
    }

    /// Whether the path leads to a field of the object, such as `metadata`, or to a field or an item in it.
    pub fn is_in(&self, field: &str) -> bool {
        is_in(&self.0, field)
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of the field in an object.
    #[cfg(feature = "conversion")]
    pub(crate) fn value_in<'v>(&self, object: &'v Value) -> Option<&'v Value> {
        let (mut value, mut rest) = (object, self.as_str());
        while !rest.is_empty() {
            let (step, after) = next_step(rest)?;
            value = match value {
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                other => other.get(&*step)?,
            };
            rest = after;
        }
        Some(value)
    }
}

/// The first name, key or index of a path, and the rest of the path. A key is JSON in brackets, so it can have brackets in it.
#[cfg(feature = "conversion")]
fn next_step(path: &str) -> Option<(Cow<'_, str>, &str)> {
    if let Some(key) = path.strip_prefix('[').filter(|key| key.starts_with('"')) {
        let mut keys = serde_json::Deserializer::from_str(key).into_iter();
        let step = keys.next()?.ok()?;
        let rest = key.get(keys.byte_offset()..)?;
        return Some((Cow::Owned(step), rest.strip_prefix(']')?));
    }
    let (step, rest) = if let Some(index) = path.strip_prefix('[') {
        index.split_once(']')?
    } else {
        let path = path.strip_prefix('.').unwrap_or(path);
        path.split_at(path.find(['.', '[']).unwrap_or(path.len()))
    };
    Some((Cow::Borrowed(step), rest))
}

/// The path of a field inside of the object or list at another path. Both can be empty.
#[doc(hidden)]
pub fn join(path: &str, inside: &str) -> String {
    let apart = path.is_empty() || inside.is_empty() || inside.starts_with('[');
    let dot = if apart { "" } else { "." };
    format!("{path}{dot}{inside}")
}

/// Returns `true` if a path leads to a field, or to a field or an item in it.
pub(crate) fn is_in(path: &str, field: &str) -> bool {
    let rest = path.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl From<&'static str> for FieldPath {
    fn from(path: &'static str) -> Self {
        Self(Cow::Borrowed(path))
    }
}

impl From<Cow<'static, str>> for FieldPath {
    fn from(path: Cow<'static, str>) -> Self {
        Self(path)
    }
}

impl From<String> for FieldPath {
    fn from(path: String) -> Self {
        Self(Cow::Owned(path))
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for FieldPath {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for FieldPath {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for FieldPath {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// The place of a field that costs nothing until it is written: for code that walks through an object. Hot path, row `validate` of the benches.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum PathRef<'a> {
    /// The object itself: the empty path.
    Root,
    /// A field of the object at another place.
    Field(&'a PathRef<'a>, &'a str),
    /// An item of the list at another place, counted from 0.
    Item(&'a PathRef<'a>, usize),
}

impl PathRef<'_> {
    /// A field of the object at this place.
    pub const fn child<'a>(&'a self, field: &'a str) -> PathRef<'a> {
        PathRef::Field(self, field)
    }

    /// An item of the list at this place, counted from 0.
    pub const fn index(&self, index: usize) -> PathRef<'_> {
        PathRef::Item(self, index)
    }

    /// The place as a JSON pointer.
    pub fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Item(of, index) => pointer::child(&of.pointer(), index),
            Self::Field(of, key) => pointer::child(&of.pointer(), key),
        }
    }
}

/// Writes a field path, with keys that are not names as JSON in brackets. `{:#}` writes any key as it is, as servers do.
impl fmt::Display for PathRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Item(of, index) => {
                of.fmt(f)?;
                write!(f, "[{index}]")
            }
            Self::Field(of, key) => {
                of.fmt(f)?;
                // Any text can be a key.
                let key = if f.alternate() { Cow::Borrowed(*key) } else { segment(key) };
                let is_name = f.alternate() || !key.starts_with('[');
                f.write_str(if is_name && !matches!(of, PathRef::Root) { "." } else { "" })?;
                f.write_str(&key)
            }
        }
    }
}

impl From<PathRef<'_>> for FieldPath {
    fn from(path: PathRef<'_>) -> Self {
        path.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{FieldPath, PathRef};

    /// The reader of a path finds the field that the path was written for.
    #[test]
    fn keys_are_json() {
        for key in ["area", "a.b/c", r#"a"]b"#, "a[]\\n", "\u{202e}\u{1}\u{e0001}", ""] {
            let object = json!({"spec": {key: [{"x": 5}]}});
            let spec = PathRef::Root.child("spec");
            let value = spec.child(key);
            let item = value.index(0);
            let path = FieldPath::from(item.child("x"));
            assert_eq!(path.value_in(&object), Some(&json!(5)), "{path}");
        }
    }

    #[test]
    fn the_value_of_a_field() {
        let object =
            json!({"spec": {"sails": {"fore.a": [{"area": 1}, {"area": 2}], "a\"]b": 4}, "7": 3}});
        for (path, expected) in [
            (r#"spec.sails["fore.a"][1].area"#, Some(json!(2))),
            (r#"spec.sails["a\"]b"]"#, Some(json!(4))),
            ("spec.7", Some(json!(3))),
            ("", Some(object.clone())),
            (r#"spec.sails["fore.a"][2].area"#, None),
            (r#"spec.sails["fore.a"].area"#, None),
            ("spec.sails[", None),
            ("spec..sails", None),
        ] {
            let path = FieldPath::from(path);
            assert_eq!(path.value_in(&object), expected.as_ref(), "{path}");
        }
    }
}

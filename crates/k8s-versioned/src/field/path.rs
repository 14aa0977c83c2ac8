//! The place of a field in an object.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of a field in an object, written as API servers write it.
///
/// ```
/// use k8s_versioned::field::FieldPath;
///
/// let list = FieldPath::new("spec").child("preferredStrategies");
/// assert_eq!(list.index(1).child("strategy"), "spec.preferredStrategies[1].strategy");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldPath(Cow<'static, str>);

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

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
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

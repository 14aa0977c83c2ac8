//! A field of an object, as conversions name it.

use std::borrow::Cow;

use crate::Place;
use crate::plan::{ItemPath, RustType};
use crate::rules::paths::FieldPath;
use crate::text::join;

/// The versions that have a field, lowest first, and its path in each.
pub(crate) type Paths = Vec<(String, FieldPath)>;

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldRef {
    /// Its path in JSON, such as `spec.strategy`.
    pub(crate) path: FieldPath,
    /// The names in Rust that lead to it, such as `spec` and `strategy`.
    pub(crate) idents: Vec<String>,
    /// For each of these names, whether it is of an optional value.
    pub(crate) options: Vec<bool>,
    /// The type that the last of these names is a field of.
    pub(crate) parent: ItemPath,
    /// The Rust type, without the `Option` of an optional value.
    pub(crate) rust_type: RustType,
    /// The merge keys of its items.
    pub(crate) keys: Vec<String>,
    /// Whether an optional value is around it, inside the innermost list or map.
    pub(crate) optional: bool,
    /// Whether the object around it always has it, and an empty value is a value: a required field of a custom resource.
    pub(crate) required: bool,
    /// The value that servers fill in where it is absent, as JSON.
    pub(crate) default: Option<String>,
    /// Its place in the documents of the newest release.
    pub(crate) place: Place,
}

impl FieldRef {
    /// Each item of the field, if it is a list or map, perhaps an optional one.
    pub(crate) fn item(&self) -> Option<Self> {
        let (RustType::List(item) | RustType::Map(item)) = self.rust_type.present() else {
            return None;
        };
        Some(Self { path: self.path.clone().items(), rust_type: (**item).clone(), ..self.clone() })
    }

    /// Its own name in JSON.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        self.path.name()
    }

    /// Its own name in Rust.
    pub(crate) fn ident(&self) -> &str {
        self.idents.last().map_or("", String::as_str)
    }

    /// The names of its path as one, such as `spec_strategy`. Never raw: it is for longer names.
    pub(crate) fn joined(&self) -> String {
        join(self.idents.iter().map(|ident| unraw(ident)), "_")
    }
}

/// A name without the prefix of a raw one.
fn unraw(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

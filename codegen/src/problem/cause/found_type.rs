//! The types of a field in the versions of a kind.

use crate::text::join;

/// The type of a field in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundType {
    pub(crate) version: String,
    pub(crate) path: String,
    /// The type in Rust.
    pub(crate) rust_type: String,
    /// The same without the modules of versions: types of one name can be one type.
    pub(crate) of_any_version: String,
    /// Whether the type is a list or a map, perhaps an optional one.
    pub(crate) holds_items: bool,
}

impl FoundType {
    /// The version, and the path if it is another one than `field`.
    pub(crate) fn place(&self, field: &str) -> String {
        if self.path == field {
            self.version.clone()
        } else {
            format!("{} {}", self.version, self.path)
        }
    }
}

/// The types, each with its version, and with its path where that is not `field`.
pub(crate) fn found_types(field: &str, found: &[FoundType]) -> String {
    join(found.iter().map(|found| format!("`{}` in {}", found.rust_type, found.place(field))), ", ")
}

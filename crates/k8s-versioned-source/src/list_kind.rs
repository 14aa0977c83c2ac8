//! Which objects are lists.

use crate::tree::{TreeValue, ValueKind};

/// The kind of the items of a list of this kind. A list has no name: an object with one is of a kind with such a name. A `List` is
/// always one.
pub(crate) fn kind_of_items(kind: &str, is_named: bool) -> Option<&str> {
    kind.strip_suffix("List").filter(|kind| kind.is_empty() || !is_named)
}

impl<'t> TreeValue<'t> {
    /// The kind of the items and the items, if the value is a list. Go writes an empty one as `null`.
    pub(crate) fn list(self) -> Option<(&'t str, Self)> {
        let is_named = self.at(&["metadata", "name"]).and_then(TreeValue::string).is_some();
        let kind = kind_of_items(self.get("kind").and_then(TreeValue::string)?, is_named)?;
        let items = self
            .get("items")
            .filter(|value| matches!(value.kind(), ValueKind::Array | ValueKind::Null))?;
        Some((kind, items))
    }
}

//! Paths of annotations, and of fields in the items of a list.

use crate::field::FieldPath;

const ITEMS: FieldPath = FieldPath::new("items");

/// The path of an annotation.
pub(in crate::conversion) fn annotation(key: &str) -> FieldPath {
    FieldPath::from(format!("metadata.annotations[{key}]"))
}

/// The path, of a field of an item, in the list.
pub(in crate::conversion) fn in_item(index: usize, path: &FieldPath) -> FieldPath {
    ITEMS.index(index).child(path.as_str())
}

/// The index of the item that the field is in, and the path of the field in that item. Nothing if the field
/// is not in an item of a list.
pub(in crate::conversion) fn split_item(path: &FieldPath) -> Option<(usize, FieldPath)> {
    let rest = path.as_str().strip_prefix(ITEMS.as_str())?;
    let (index, field) = rest.strip_prefix('[')?.split_once("].")?;
    Some((index.parse().ok()?, field.to_owned().into()))
}

#[cfg(test)]
mod tests {
    use super::{FieldPath, in_item, split_item};

    #[test]
    fn items_can_be_split_off() {
        let field = FieldPath::new("spec.strategy");
        let path = in_item(12, &field);
        assert_eq!(path, "items[12].spec.strategy");
        assert_eq!(split_item(&path), Some((12, field.clone())));
        assert_eq!(split_item(&field), None);
        assert_eq!(split_item(&FieldPath::new("items[x].spec")), None);
    }
}

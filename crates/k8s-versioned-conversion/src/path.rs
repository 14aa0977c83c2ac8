//! Paths of annotations, and of fields in the items of a list.

use k8s_versioned::field::FieldPath;

const ITEMS: FieldPath = FieldPath::new("items");

/// The path of an annotation.
pub(crate) fn annotation(key: &str) -> FieldPath {
    FieldPath::from(format!("metadata.annotations[{key}]"))
}

/// The path of a field of an object that is at `path`. A field whose name has other characters is in brackets.
pub(crate) fn join(path: &str, field: &str) -> String {
    match (path, field) {
        ("", path) | (path, "") => path.to_owned(),
        (path, field) if field.starts_with('[') => format!("{path}{field}"),
        (path, field) => format!("{path}.{field}"),
    }
}

/// The path of an item of a list.
pub(crate) fn item(index: usize) -> FieldPath {
    ITEMS.index(index)
}

/// The index of the item that the field is in, and the path of the field in that item. `None` if the field is not in an
/// item of a list.
pub(crate) fn split_item(path: &FieldPath) -> Option<(usize, FieldPath)> {
    let rest = path.as_str().strip_prefix(ITEMS.as_str())?;
    let (index, field) = rest.strip_prefix('[')?.split_once(']')?;
    let field = field.strip_prefix('.').unwrap_or(field);
    Some((index.parse().ok()?, field.to_owned().into()))
}

#[cfg(test)]
mod tests {
    use super::{FieldPath, item, join, split_item};

    #[test]
    fn items_can_be_split_off() {
        let table = [
            ("spec.strategy", "items[12].spec.strategy"),
            (r#"["odd ] key"].a"#, r#"items[12]["odd ] key"].a"#),
            ("", "items[12]"),
        ];
        for (field, expected) in table {
            let field = FieldPath::new(field);
            let path = FieldPath::from(join(item(12).as_str(), field.as_str()));
            assert_eq!(path, expected);
            assert_eq!(split_item(&path), Some((12, field.clone())));
            assert_eq!(split_item(&field), None);
        }
        assert_eq!(split_item(&FieldPath::new("items[x].spec")), None);
    }
}

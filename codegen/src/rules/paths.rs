//! Paths of fields: `spec.ports[].weight`, and `spec["example.com/name"]` for a name with other characters.
//!
//! No two fields of an object have one path. Reports of conversions print the same paths.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

pub(crate) use k8s_versioned_core::field_path::segment;

/// The path of a field of an object; the empty path is the object.
///
/// It derefs to its text, in the one form in which it is shown and compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FieldPath(String);

impl FieldPath {
    /// Reads a path as people write it in a rule.
    pub(crate) fn read(text: &str) -> Self {
        Self(canonical(text))
    }

    /// A path that is in its one form already, such as one in a rule.
    pub(crate) fn of(canonical: &str) -> Self {
        Self(canonical.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of the field with this segment, or of what it has at this path.
    pub(crate) fn child(&self, segment: &str) -> Self {
        Self(child(&self.0, segment))
    }

    /// The path of each item of a list or map.
    pub(crate) fn items(mut self) -> Self {
        self.0.push_str(ITEMS);
        self
    }

    /// The path, for an object that is the first item of a list in another version.
    pub(crate) fn first_item(mut self) -> Self {
        let end = self.0.len();
        self.mark_first_item(end);
        self
    }

    /// Marks the object at the first `end` bytes as the first item of a list in another version.
    pub(crate) fn mark_first_item(&mut self, end: usize) {
        self.0.insert_str(end, FIRST_ITEM);
    }

    /// The segments, each with the `[]` that follow it.
    pub(crate) fn segments(&self) -> Vec<&str> {
        segments(&self.0)
    }

    /// The path of the first segments.
    pub(crate) fn first(&self, count: usize) -> Self {
        Self(first(&self.0, count))
    }

    /// The name of the field.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        name(split_last(&self.0).1)
    }

    /// The paths around this one, innermost first: those of objects, and of items before those of their lists.
    pub(crate) fn around(&self) -> Vec<&str> {
        let (mut found, mut path) = (Vec::new(), self.as_str());
        loop {
            while let Some(list) = path.strip_suffix(ITEMS) {
                found.push(list);
                path = list;
            }
            path = split_last(path).0;
            if path.is_empty() {
                return found;
            }
            found.push(path);
        }
    }

    /// The path inside the object at `around` that leads to this field, which is in it.
    pub(crate) fn inside(&self, around: &str) -> Option<&str> {
        inside(&self.0, around)
    }
}

impl Deref for FieldPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for FieldPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq<str> for FieldPath {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl From<FieldPath> for String {
    fn from(path: FieldPath) -> Self {
        path.0
    }
}

/// What follows the path of a list or map, for each item.
const ITEMS: &str = "[]";

/// What follows the path of an object that is the first item of a list in another version.
const FIRST_ITEM: &str = "[-]";

/// The path of a list or map, of whose items this is the path; other paths as they are.
pub(crate) fn without_items(mut path: &str) -> &str {
    // `trim_end_matches` prepares a search in the whole text, although nearly no path ends so.
    while let Some(list) = path.strip_suffix(ITEMS) {
        path = list;
    }
    path
}

/// Returns `true` for the path of the items of a list or map.
pub(crate) fn is_of_items(path: &str) -> bool {
    path.ends_with(ITEMS)
}

/// Returns `true` if a list or map is in the path: a field of its items, or the items.
pub(crate) fn is_in_items(path: &str) -> bool {
    path.contains(ITEMS)
}

/// The path without the marks of objects that are the first items of lists in other versions.
pub(crate) fn without_first_items(path: &str) -> String {
    path.replace(FIRST_ITEM, "")
}

/// The path of the field with this segment in the object at `path`.
pub(crate) fn child(path: &str, segment: &str) -> String {
    if path.is_empty() || segment.starts_with('[') {
        format!("{path}{segment}")
    } else {
        format!("{path}.{segment}")
    }
}

/// The segments of a path, each with the `[]` that follow it.
pub(crate) fn segments(path: &str) -> Vec<&str> {
    let (mut segments, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        let (segment, after) = rest.split_at(end(rest));
        segments.push(segment);
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    segments
}

/// The length of the first segment.
fn end(path: &str) -> usize {
    // Nearly every segment has no quotes. A kind with many fields below a long name has their paths read often.
    let dot = path.find('.').unwrap_or(path.len());
    if path.get(..dot).is_some_and(|plain| !plain.contains('"')) {
        return dot;
    }
    let (mut quoted, mut escaped) = (false, false);
    // All that has a meaning is ASCII.
    let is_end = |(at, byte): (usize, u8)| {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            return false;
        }
        quoted = byte == b'"';
        byte == b'.' || byte == b'[' && at > 0 && path.as_bytes().get(at + 1) == Some(&b'"')
    };
    path.bytes().enumerate().position(is_end).unwrap_or(path.len())
}

/// The first segments of a path.
pub(crate) fn first(path: &str, count: usize) -> String {
    let first = segments(path).into_iter().take(count);
    first.fold(String::new(), |path, segment| child(&path, segment))
}

/// The path of the object around a field, and the field's segment.
pub(crate) fn split_last(path: &str) -> (&str, &str) {
    if !path.contains('"') {
        return path.rsplit_once('.').unwrap_or(("", path));
    }
    let last = segments(path).last().copied().unwrap_or_default();
    let parent = path.strip_suffix(last).unwrap_or_default();
    (parent.strip_suffix('.').unwrap_or(parent), last)
}

/// The path inside the object at `around` that leads to the field at `path`, which is in it.
pub(crate) fn inside<'p>(path: &'p str, around: &str) -> Option<&'p str> {
    if around.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(around)?;
    rest.strip_prefix('.').or_else(|| Some(rest).filter(|rest| rest.starts_with("[\"")))
}

/// Returns `true` for the annotations and the labels of the object, and for a path to one of them.
pub(crate) fn is_in_metadata(path: &str) -> bool {
    ["metadata.annotations", "metadata.labels"]
        .iter()
        .any(|around| path == *around || inside(path, around).is_some())
}

/// The name in a segment, without the `[]` that follow it.
pub(crate) fn name(segment: &str) -> Cow<'_, str> {
    let plain = without_items(segment);
    let quoted = plain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let read = quoted.and_then(|quoted| serde_json::from_str(quoted).ok());
    read.map_or(Cow::Borrowed(plain), Cow::Owned)
}

/// The path in the form in which it is shown, without a dot at its beginning. `*` means the members that a schema keeps and does not name.
pub(crate) fn canonical(path: &str) -> String {
    let path = path.strip_prefix('.').unwrap_or(path);
    let segments = segments(path).into_iter().map(|written| {
        let plain = without_items(written);
        let items = written.strip_prefix(plain).unwrap_or_default();
        if plain == "*" { written.to_owned() } else { segment(&name(plain)).into_owned() + items }
    });
    segments.fold(String::new(), |path, segment| child(&path, &segment))
}

#[cfg(test)]
mod tests {
    use super::{
        FieldPath, canonical, inside, is_in_items, is_of_items, name, segments, split_last,
    };

    #[test]
    fn paths_have_segments() {
        let table: [(&str, &[&str]); 7] = [
            ("", &[]),
            ("spec", &["spec"]),
            ("spec.ports[].weight", &["spec", "ports[]", "weight"]),
            (r#"spec["foo.bar"].x"#, &["spec", r#"["foo.bar"]"#, "x"]),
            (r#"["a\"]."][][].b["c"]"#, &[r#"["a\"]."][][]"#, "b", r#"["c"]"#]),
            ("spec.free.*", &["spec", "free", "*"]),
            (r#"spec["foo"#, &["spec", r#"["foo"#]),
        ];
        for (path, expected) in table {
            assert_eq!(segments(path), expected, "{path}");
            if let Some((last, others)) = expected.split_last() {
                let (parent, found) = split_last(path);
                assert_eq!((segments(parent).as_slice(), found), (others, *last), "{path}");
            }
        }
        assert_eq!(name(r#"["a\".b"][]"#), "a\".b");
    }

    #[test]
    fn each_field_has_one_path() {
        let table = [
            ("spec.foo.bar", "spec.foo.bar"),
            (r#"spec["foo"]["bar"]"#, "spec.foo.bar"),
            (r#"spec["foo.bar"]"#, r#"spec["foo.bar"]"#),
            ("spec.$ref[].*", r#"spec["$ref"][].*"#),
            (".spec.foo", "spec.foo"),
            (r#"spec["*"]"#, r#"spec["*"]"#),
            (r#"spec["a[]b"]"#, r#"spec["a\u005b\u005db"]"#),
        ];
        for (path, expected) in table {
            assert_eq!(canonical(path), expected);
            assert_eq!(canonical(expected), expected);
        }
    }

    #[test]
    fn paths_of_items() {
        let items = FieldPath::read(".spec.$ref").items();
        assert_eq!(items.as_str(), r#"spec["$ref"][]"#);
        assert_eq!(items.name(), "$ref");
        let field = items.child("name");
        assert_eq!(field.as_str(), r#"spec["$ref"][].name"#);
        assert!(is_of_items(&items) && is_in_items(&field) && !is_of_items(&field));
        assert_eq!(field.first(2), items);
        assert_eq!(field.around(), [&*items, r#"spec["$ref"]"#, "spec"]);
        assert_eq!(items.around(), [r#"spec["$ref"]"#, "spec"]);
        assert_eq!(FieldPath::of(r#"spec["a.b"].c"#).around(), [r#"spec["a.b"]"#, "spec"]);
        assert_eq!(super::without_items(&items), r#"spec["$ref"]"#);
        let marked = FieldPath::of("spec").first_item().child("name");
        assert_eq!(marked.as_str(), "spec[-].name");
        assert_eq!(super::without_first_items(&marked), "spec.name");
    }

    #[test]
    fn a_path_inside_another() {
        assert_eq!(inside("spec.a.b", "spec"), Some("a.b"));
        assert_eq!(inside(r#"spec["a.b"]"#, "spec"), Some(r#"["a.b"]"#));
        assert_eq!(inside("specs.a", "spec"), None);
        assert_eq!(inside("spec", ""), Some("spec"));
    }
}

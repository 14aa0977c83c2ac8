//! Paths of fields: `spec.ports[].weight`, and `spec["example.com/name"]` for a name with other characters.
//!
//! No two fields of an object have one path. Reports of conversions print the same paths.

use std::borrow::Cow;

/// The name of a field as a part of a path.
pub(crate) fn segment(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() | (byte == b'_') | (byte == b'-');
    // To look at all bytes at once is faster than to stop at the first of another kind.
    if !name.is_empty() && name.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return Cow::Borrowed(name);
    }
    // `[]` means an item wherever it occurs.
    let quoted = serde_json::Value::from(name).to_string();
    Cow::Owned(format!("[{}]", quoted.replace('[', "\\u005b").replace(']', "\\u005d")))
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
    let plain = segment.trim_end_matches("[]");
    let quoted = plain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let read = quoted.and_then(|quoted| serde_json::from_str(quoted).ok());
    read.map_or(Cow::Borrowed(plain), Cow::Owned)
}

/// The path in the form in which it is shown, without a dot at its beginning. `*` means the members that a schema keeps and does not name.
pub(crate) fn canonical(path: &str) -> String {
    let path = path.strip_prefix('.').unwrap_or(path);
    let segments = segments(path).into_iter().map(|written| {
        let plain = written.trim_end_matches("[]");
        let items = written.strip_prefix(plain).unwrap_or_default();
        if plain == "*" { written.to_owned() } else { segment(&name(plain)).into_owned() + items }
    });
    segments.fold(String::new(), |path, segment| child(&path, &segment))
}

#[cfg(test)]
mod tests {
    use super::{canonical, inside, name, segments, split_last};

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
    fn a_path_inside_another() {
        assert_eq!(inside("spec.a.b", "spec"), Some("a.b"));
        assert_eq!(inside(r#"spec["a.b"]"#, "spec"), Some(r#"["a.b"]"#));
        assert_eq!(inside("specs.a", "spec"), None);
        assert_eq!(inside("spec", ""), Some("spec"));
    }
}

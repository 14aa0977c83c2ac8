//! Paths with names in them.

use std::fmt::Write;

use super::RequestError;
use super::percent::encode;

/// Fills the `{placeholders}` of a template with names. Each is encoded, so that it stays one segment.
pub(super) fn fill(template: &str, names: &[(&str, &str)]) -> Result<String, RequestError> {
    let mut path = String::with_capacity(template.len());
    for (index, segment) in template.split('/').enumerate() {
        if index > 0 {
            path.push('/');
        }
        match placeholder(segment) {
            None => path.push_str(segment),
            Some(placeholder) => {
                let name = names.iter().find(|(name, _)| *name == placeholder);
                let name = name.map_or("", |(_, name)| *name);
                check(placeholder, name)?;
                // Writing to a string cannot fail.
                let _ = write!(path, "{}", encode(name));
            }
        }
    }
    Ok(path)
}

/// The name in a segment of the form `{name}`.
pub(super) fn placeholder(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// `.` and `..` are refused because encoding does not help: clients and proxies remove them from paths, encoded
/// or not. A `/` is refused because some proxies decode `%2F`, and because no name has one.
fn check(placeholder: &str, name: &str) -> Result<(), RequestError> {
    if matches!(name, "" | "." | "..") || name.contains('/') {
        return Err(RequestError::Name {
            of: placeholder.to_owned(),
            found: name.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fill;
    use crate::operation::percent;

    const TEMPLATE: &str = "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}";

    fn path_of(name: &str) -> Option<String> {
        fill(TEMPLATE, &[("namespace", "default"), ("name", name)]).ok()
    }

    #[test]
    fn a_name_stays_one_segment() {
        let table = [
            ("a", Some("a")),
            ("...", Some("...")),
            ("a?watch=true", Some("a%3Fwatch%3Dtrue")),
            ("a#b", Some("a%23b")),
            ("a%2Fb", Some("a%252Fb")),
            ("a b", Some("a%20b")),
            ("ä", Some("%C3%A4")),
            (r"a\b", Some("a%5Cb")),
            ("", None),
            (".", None),
            ("..", None),
            ("a/b", None),
            ("../secrets", None),
            ("/", None),
        ];
        for (name, expected) in table {
            let expected = expected
                .map(|name| format!("/apis/example.com/v1/namespaces/default/widgets/{name}"));
            assert_eq!(path_of(name), expected, "{name:?}");
        }
    }

    #[test]
    fn errors_say_which_name_is_wrong() {
        let error = fill(TEMPLATE, &[("namespace", ".."), ("name", "a")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`..` cannot be a namespace: it must not be empty, `.` or `..`, and must not have a `/`"
        );
        assert!(fill(TEMPLATE, &[("namespace", "default")]).is_err());
    }

    proptest! {
        #[test]
        fn no_name_reaches_another_path(name: String) {
            if let Some(path) = path_of(&name) {
                let last = path.strip_prefix("/apis/example.com/v1/namespaces/default/widgets/");
                prop_assert_eq!(last.and_then(percent::decode), Some(name));
                prop_assert!(!last.unwrap_or("/").contains(['/', '?', '#']));
            } else {
                prop_assert!(["", ".", ".."].contains(&name.as_str()) || name.contains('/'));
            }
        }
    }
}

//! The paths of requests, with names in them.

use std::fmt::Write;

use super::RequestError;
use super::percent::encode;

/// The names in a path below the version of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place<'a> {
    namespace: Option<&'a str>,
    name: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// All objects of a resource.
    pub(super) fn cluster() -> Self {
        Self::default()
    }

    /// The objects of a namespace.
    pub(super) fn namespace(namespace: &'a str) -> Self {
        Self { namespace: Some(namespace), name: None }
    }

    /// One object.
    pub(super) fn object(self, name: &'a str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The path, from the root of the server. Each name is encoded, so that it stays one segment.
    pub(super) fn path(self, root: &str, plural: &str) -> Result<String, RequestError> {
        let mut path = root.to_owned();
        if let Some(namespace) = self.namespace {
            path.push_str("/namespaces/");
            push(&mut path, "namespace", namespace)?;
        }
        // Writing to a string cannot fail.
        let _ = write!(path, "/{plural}");
        if let Some(name) = self.name {
            path.push('/');
            push(&mut path, "name", name)?;
        }
        Ok(path)
    }
}

/// The path of a version of a group; that of the group itself if the version is empty.
pub(super) fn root(group: &str, version: &str) -> String {
    match (group, version) {
        ("", "") => "/api".to_owned(),
        ("", version) => format!("/api/{version}"),
        (group, "") => format!("/apis/{group}"),
        (group, version) => format!("/apis/{group}/{version}"),
    }
}

/// Adds a name as one segment.
///
/// `.` and `..` are refused because clients and proxies remove them from paths, encoded or not. A `/` is refused
/// because some proxies decode `%2F`, and because no name has one.
pub(super) fn push(path: &mut String, of: &'static str, name: &str) -> Result<(), RequestError> {
    if matches!(name, "" | "." | "..") || name.contains('/') {
        let found = name.to_owned();
        return Err(RequestError::Name { of, found });
    }
    let _ = write!(path, "{}", encode(name));
    Ok(())
}

#[cfg(test)]
mod tests {
    use percent_encoding::percent_decode_str;
    use proptest::prelude::*;

    use super::{Place, root};

    fn path_of(name: &str) -> Option<String> {
        let place = Place::namespace("default").object(name);
        place.path("/apis/example.com/v1", "widgets").ok()
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
        let place = Place::namespace("a/\n").object("a");
        let error = place.path("", "widgets").unwrap_err();
        assert_eq!(
            error.to_string(),
            r#""a/\n" cannot be a namespace: it must not be empty, `.` or `..`, and must not have a `/`"#
        );
    }

    #[test]
    fn groups_and_versions_have_paths() {
        let table = [
            ("", "", "/api"),
            ("", "v1", "/api/v1"),
            ("example.com", "", "/apis/example.com"),
            ("example.com", "v1", "/apis/example.com/v1"),
        ];
        for (group, version, expected) in table {
            assert_eq!(root(group, version), expected);
        }
    }

    proptest! {
        #[test]
        fn no_name_reaches_another_path(name: String) {
            if let Some(path) = path_of(&name) {
                let last = path.strip_prefix("/apis/example.com/v1/namespaces/default/widgets/");
                let last = last.unwrap_or("/");
                prop_assert!(!last.contains(['/', '?', '#']));
                prop_assert_eq!(percent_decode_str(last).decode_utf8_lossy(), name);
            } else {
                prop_assert!(["", ".", ".."].contains(&name.as_str()) || name.contains('/'));
            }
        }
    }
}

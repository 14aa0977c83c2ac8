//! The paths of requests to API servers: one type reads and writes them.

use std::borrow::Cow;
use std::fmt::{self, Write};

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, PercentEncode, percent_decode_str, utf8_percent_encode,
};

use crate::Quoted;

/// All but what RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Any text as a segment of a path, or as a name or value of a query (RFC 3986).
pub fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

/// The parts of a request path. The namespace, the names and the rest are not percent-encoded here: parsing decodes
/// them, and writing encodes them.
///
/// ```
/// use k8s_versioned_core::resource_path::ResourcePath;
///
/// let text = "/apis/apps/v1/namespaces/default/deployments/web/scale";
/// let path = ResourcePath::parse(text).ok_or("not a path of an API")?;
/// assert_eq!(path.plural, "deployments");
/// assert_eq!(path.subresource.as_deref(), Some("scale"));
/// assert_eq!(path.to_text()?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourcePath<'a> {
    /// The API group; empty for the core group.
    pub group: &'a str,
    /// The version of the group; empty in requests for the versions of a group.
    pub version: &'a str,
    /// `true` for a deprecated path of watches.
    pub watch: bool,
    /// The namespace of the object; `None` for all namespaces, and for cluster-scoped resources.
    pub namespace: Option<Cow<'a, str>>,
    /// The name of the resource; empty in requests for the resources of a version.
    pub plural: &'a str,
    /// The name of the object.
    pub name: Option<Cow<'a, str>>,
    /// The subresource, such as `status`.
    pub subresource: Option<Cow<'a, str>>,
    /// What follows the subresource, such as the path behind a `proxy`. It may have several segments.
    pub rest: Option<Cow<'a, str>>,
}

/// A name that cannot be a segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathError {
    /// What it names: `name`, `namespace`.
    pub of: &'static str,
    /// The name that cannot be encoded.
    pub found: String,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, found } = self;
        let found = Quoted(found);
        write!(
            f,
            "{found} cannot be a {of}: it must not be empty, `.` or `..`, and must not have a `/`"
        )
    }
}

impl std::error::Error for PathError {}

impl<'a> ResourcePath<'a> {
    /// Reads a path. `None` if no API has such a path. A slash at the end makes no difference.
    pub fn parse(path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (group, version, inside) = match parts.as_slice() {
            ["apis", group, version, inside @ ..] => (*group, *version, inside),
            ["apis", group] => (*group, "", &[][..]),
            ["api", version, inside @ ..] => ("", *version, inside),
            ["api"] => ("", "", &[][..]),
            _ => return None,
        };
        let watched = inside.strip_prefix(&["watch"]);
        let inside = watched.unwrap_or(inside);
        let (namespace, inside) = match inside {
            // The object is the namespace.
            ["namespaces"] | ["namespaces", _] | ["namespaces", _, "status" | "finalize"] => {
                (None, inside)
            }
            ["namespaces", namespace, inside @ ..] => (Some(*namespace), inside),
            inside => (None, inside),
        };
        let part = |index: usize| inside.get(index).copied().map(decode);
        let rest = inside.get(3..).filter(|rest| !rest.is_empty());
        Some(Self {
            group,
            version,
            watch: watched.is_some(),
            namespace: namespace.map(decode),
            plural: inside.first().copied().unwrap_or_default(),
            name: part(1),
            subresource: part(2),
            rest: rest.map(|rest| Cow::Owned(decode(&rest.join("/")).into_owned())),
        })
    }

    /// The path of the version, or of the group if the version is empty.
    pub fn root(&self) -> String {
        match (self.group, self.version) {
            ("", "") => "/api".to_owned(),
            ("", version) => format!("/api/{version}"),
            (group, "") => format!("/apis/{group}"),
            (group, version) => format!("/apis/{group}/{version}"),
        }
    }

    /// Writes the path.
    ///
    /// # Errors
    ///
    /// A name is empty, `.` or `..`, or has a `/`: it would lead to another path.
    pub fn to_text(&self) -> Result<String, PathError> {
        let mut text = self.root();
        if self.watch {
            text.push_str("/watch");
        }
        if let Some(namespace) = &self.namespace {
            text.push_str("/namespaces/");
            push(&mut text, "namespace", namespace)?;
        }
        if !self.plural.is_empty() {
            text.push('/');
            text.push_str(self.plural);
        }
        for (of, part) in [("name", &self.name), ("subresource", &self.subresource)] {
            if let Some(part) = part {
                text.push('/');
                push(&mut text, of, part)?;
            }
        }
        for part in self.rest.iter().flat_map(|rest| rest.split('/')) {
            text.push('/');
            // An empty segment is a slash at the end, or two in a row.
            if !part.is_empty() {
                push(&mut text, "segment of a path", part)?;
            }
        }
        Ok(text)
    }
}

fn decode(part: &str) -> Cow<'_, str> {
    percent_decode_str(part).decode_utf8_lossy()
}

/// Adds a name as one segment.
///
/// `.` and `..` are refused because clients and proxies remove them from paths, encoded or not. A `/` is refused
/// because some proxies decode `%2F`, and because no name has one.
fn push(path: &mut String, of: &'static str, name: &str) -> Result<(), PathError> {
    if matches!(name, "" | "." | "..") || name.contains('/') {
        return Err(PathError { of, found: name.to_owned() });
    }
    // Writing to a string cannot fail.
    let _ = write!(path, "{}", encode(name));
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ResourcePath, encode};

    #[test]
    fn characters_with_a_meaning_in_urls_are_encoded() {
        let table = [
            ("", ""),
            ("lease-1.a_b~", "lease-1.a_b~"),
            ("a/b?c#d%e", "a%2Fb%3Fc%23d%25e"),
            ("a b+c", "a%20b%2Bc"),
            ("k=v,k!=v&x", "k%3Dv%2Ck%21%3Dv%26x"),
            ("ä", "%C3%A4"),
            ("\r\n\0", "%0D%0A%00"),
        ];
        for (text, expected) in table {
            assert_eq!(encode(text).to_string(), expected, "{text:?}");
        }
    }

    /// Group, version, namespace, resource, name, subresource and rest; `watch` for a path of watches.
    #[test]
    fn paths_are_taken_apart_and_written_again() {
        let table = [
            ("/api", "- - - - - - -"),
            ("/api/v1", "- v1 - - - - -"),
            ("/apis/example.com", "example.com - - - - - -"),
            ("/apis/example.com/v1", "example.com v1 - - - - -"),
            ("/apis/example.com/v1/widgets", "example.com v1 - widgets - - -"),
            ("/apis/example.com/v1/widgets/a", "example.com v1 - widgets a - -"),
            ("/apis/example.com/v1/widgets/a/status", "example.com v1 - widgets a status -"),
            (
                "/apis/example.com/v1/namespaces/n/widgets/a/scale",
                "example.com v1 n widgets a scale -",
            ),
            (
                "/apis/example.com/v1/watch/namespaces/n/widgets",
                "example.com v1 n widgets - - - watch",
            ),
            ("/apis/example.com/v1/watch/widgets/a", "example.com v1 - widgets a - - watch"),
            ("/api/v1/namespaces", "- v1 - namespaces - - -"),
            ("/api/v1/namespaces/n", "- v1 - namespaces n - -"),
            ("/api/v1/namespaces/n/status", "- v1 - namespaces n status -"),
            ("/api/v1/namespaces/n/finalize", "- v1 - namespaces n finalize -"),
            ("/api/v1/namespaces/n/pods/p", "- v1 n pods p - -"),
            ("/api/v1/namespaces/n/pods/p/proxy/a/b", "- v1 n pods p proxy a/b"),
            ("/api/v1/namespaces/n/pods/%3D%3Dx%3D%3D", "- v1 n pods ==x== - -"),
        ];
        for (text, expected) in table {
            let path = ResourcePath::parse(text).unwrap();
            let parts = [
                path.group,
                path.version,
                path.namespace.as_deref().unwrap_or_default(),
                path.plural,
                path.name.as_deref().unwrap_or_default(),
                path.subresource.as_deref().unwrap_or_default(),
                path.rest.as_deref().unwrap_or_default(),
            ];
            let parts = parts.map(|part| if part.is_empty() { "-" } else { part });
            let told = parts.join(" ") + if path.watch { " watch" } else { "" };
            assert_eq!(told, expected, "{text}");
            assert_eq!(path.to_text().as_deref(), Ok(text));
            assert_eq!(ResourcePath::parse(&format!("{text}/")), Some(path));
        }
        for text in ["", "/version", "/apis", "/apix/v1/pods"] {
            assert_eq!(ResourcePath::parse(text), None, "{text}");
        }
    }

    fn path_of(name: &str) -> Option<String> {
        let path = ResourcePath::parse("/apis/example.com/v1/namespaces/default/widgets/a")?;
        ResourcePath { name: Some(name.into()), ..path }.to_text().ok()
    }

    #[test]
    fn a_name_stays_one_segment() {
        let table = [
            ("a", Some("a")),
            ("...", Some("...")),
            ("a?watch=true", Some("a%3Fwatch%3Dtrue")),
            ("a#b", Some("a%23b")),
            ("a%2Fb", Some("a%252Fb")),
            (r"a\b", Some("a%5Cb")),
            ("", None),
            (".", None),
            ("..", None),
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
        let path = ResourcePath { namespace: Some("a/\n".into()), ..ResourcePath::default() };
        assert_eq!(
            path.to_text().unwrap_err().to_string(),
            r#""a/\n" cannot be a namespace: it must not be empty, `.` or `..`, and must not have a `/`"#
        );
        let path = ResourcePath { rest: Some("a/../b".into()), ..ResourcePath::default() };
        assert!(path.to_text().is_err());
    }

    proptest! {
        #[test]
        fn no_name_reaches_another_path(name: String) {
            if let Some(text) = path_of(&name) {
                prop_assert!(!text.contains(['?', '#']));
                let path = ResourcePath::parse(&text).unwrap();
                prop_assert_eq!(path.name.as_deref(), Some(&*name));
                prop_assert_eq!(path.plural, "widgets");
            } else {
                prop_assert!(["", ".", ".."].contains(&name.as_str()) || name.contains('/'));
            }
        }

        #[test]
        fn any_text_is_read(text: String) {
            let _ = ResourcePath::parse(&text);
        }
    }
}

//! The operations of resources, for programs that choose among them at run time.
//!
//! They follow from the traits of the resources: nothing is generated for them.

mod any_request;
mod input;
mod resource;

use std::collections::BTreeMap;
use std::fmt;

use k8s_versioned_requests::Request;
use percent_encoding::percent_decode_str;

pub use any_request::AnyRequest;
pub use input::{Input, InputError};

/// Builds the request of an operation.
pub type Build = Box<dyn Fn(&Input<'_>) -> Result<AnyRequest, InputError> + Send + Sync>;

/// One operation, and how its request is built.
#[non_exhaustive]
pub struct Operation {
    /// The HTTP method.
    pub method: &'static str,
    /// The path, with `{placeholders}`.
    pub path: String,
    /// Builds its request.
    pub build: Build,
}

impl Operation {
    fn new(
        method: &'static str,
        path: String,
        build: impl Fn(&Input<'_>) -> Result<AnyRequest, InputError> + Send + Sync + 'static,
    ) -> Self {
        Self { method, path, build: Box::new(build) }
    }

    /// The operation by which servers describe a group.
    pub fn of_group(group: &'static str) -> Self {
        Self::new("GET", format!("/apis/{group}/"), move |input| {
            input.no_parameters()?;
            Ok(Request::api_group(group).into())
        })
    }

    /// The operation by which servers describe a version of a group.
    pub fn of_version(group: &'static str, version: &'static str) -> Self {
        Self::new("GET", format!("/apis/{group}/{version}/"), move |input| {
            input.no_parameters()?;
            Ok(Request::api_resource_list(group, version).into())
        })
    }

    /// The operation of a method and a path, and the names in the path. A slash at the end makes no difference.
    ///
    /// Of several that match, the one with the fewest placeholders.
    pub fn find<'a>(
        operations: &'a [Self],
        method: &str,
        path: &str,
    ) -> Option<(&'a Self, BTreeMap<&'a str, String>)> {
        let matching = operations.iter().filter_map(|operation| {
            let names = match_path(&operation.path, path)?;
            (operation.method == method).then_some((operation, names))
        });
        matching.min_by_key(|(_, names)| names.len())
    }
}

/// `GET /apis/…`
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The names that `path` has in the place of the placeholders; `None` if it is another path. A slash at the end makes
/// no difference.
pub(crate) fn match_path<'a>(template: &'a str, path: &str) -> Option<BTreeMap<&'a str, String>> {
    let mut names = BTreeMap::new();
    let mut found = path.trim_end_matches('/').split('/');
    for expected in template.trim_end_matches('/').split('/') {
        let segment = found.next()?;
        match placeholder(expected) {
            Some(name) => {
                let segment = percent_decode_str(segment).decode_utf8_lossy();
                names.insert(name, segment.into_owned());
            }
            None if expected == segment => {}
            None => return None,
        }
    }
    found.next().is_none().then_some(names)
}

/// The name in a segment of the form `{name}`.
fn placeholder(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

#[cfg(test)]
mod tests {
    use super::match_path;

    #[test]
    fn paths_match_templates() {
        let table = [
            ("/apis/g/v1/", "/apis/g/v1", Some(vec![])),
            ("/apis/g/v1/", "/apis/g/v1/", Some(vec![])),
            ("/apis/g/v1/", "/apis/g/v2/", None),
            ("/a/{name}", "/a/b", Some(vec![("name", "b")])),
            ("/a/{name}", "/a/b%2Fc", Some(vec![("name", "b/c")])),
            ("/a/{name}", "/a", None),
            ("/a/{name}", "/a/b/c", None),
            ("/a/{x}/{y}", "/a/b/c", Some(vec![("x", "b"), ("y", "c")])),
        ];
        for (template, path, expected) in table {
            let found = match_path(template, path);
            let found = found.as_ref().map(|names| {
                let names = names.iter().map(|(name, value)| (*name, value.as_str()));
                names.collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{template} {path}");
        }
    }
}

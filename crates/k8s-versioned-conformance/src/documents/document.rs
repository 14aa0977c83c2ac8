//! One `OpenAPI` document.

#[cfg(feature = "jsonschema")]
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "jsonschema")]
use k8s_versioned::TypeMeta;
use serde_json::{Map, Value};

#[cfg(feature = "jsonschema")]
use super::schemas::{self, Schema};

/// The operations and the schemas of one document.
#[derive(Debug)]
pub(crate) struct Document {
    path: PathBuf,
    /// The operations by path and method.
    paths: Value,
    /// The schemas by `apiVersion` and kind.
    #[cfg(feature = "jsonschema")]
    schemas: BTreeMap<(String, String), Schema>,
}

/// The status codes that are documented for an operation.
#[derive(Debug)]
pub(crate) struct Statuses<'a>(&'a Map<String, Value>);

impl Document {
    /// A document. Messages name the path of its file.
    pub(super) fn new(path: PathBuf, mut document: Value) -> Self {
        Self {
            path,
            paths: document.get_mut("paths").map(Value::take).unwrap_or_default(),
            #[cfg(feature = "jsonschema")]
            schemas: schemas::by_kind(document),
        }
    }

    /// The schema of a body's kind.
    #[cfg(feature = "jsonschema")]
    pub(crate) fn schema_of(&self, body: &Value) -> Option<&Schema> {
        let of = TypeMeta::of(body).ok()?;
        self.schemas.get(&(of.api_version.into_owned(), of.kind.into_owned()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The status codes of the operation that answers a request; `None` if there is no such operation. If two paths
    /// match, the one with fewer placeholders wins, as in `OpenAPI`.
    pub(crate) fn statuses(&self, method: &str, path: &str) -> Option<Statuses<'_>> {
        let method = method.to_ascii_lowercase();
        let matching = self.paths.as_object()?.iter().filter_map(|(template, item)| {
            // Other members than the methods, such as `parameters`, have no responses.
            let responses = item.get(&method)?.get("responses")?.as_object()?;
            Some((placeholders(template, path)?, responses))
        });
        let (_, best) = matching.min_by_key(|(placeholders, _)| *placeholders)?;
        Some(Statuses(best))
    }
}

/// The number of placeholders in `template` if `path` matches it. A slash at the end makes no difference.
fn placeholders(template: &str, path: &str) -> Option<usize> {
    let mut count = 0;
    let mut segments = path.trim_end_matches('/').split('/');
    for expected in template.trim_end_matches('/').split('/') {
        let segment = segments.next()?;
        if expected.starts_with('{') && expected.ends_with('}') {
            count += 1;
        } else if expected != segment {
            return None;
        }
    }
    segments.next().is_none().then_some(count)
}

impl Statuses<'_> {
    /// Returns `true` if a code is documented: itself, its class (`4XX`), or by a `default`.
    pub(crate) fn contains(&self, status: u16) -> bool {
        let class = format!("{}XX", status / 100);
        [status.to_string(), class, "default".to_owned()]
            .iter()
            .any(|name| self.0.contains_key(name))
    }
}

impl fmt::Display for Statuses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<&str> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Document;

    #[test]
    fn requests_find_their_operation_and_its_codes() {
        let document = json!({ "paths": {
            "/v1/{plural}/special": { "get": { "responses": { "202": {} } } },
            "/v1/widgets/{name}": {
                "parameters": [],
                "get": { "responses": { "200": {}, "4XX": {} } },
                "put": { "responses": { "200": {}, "201": {} } },
            },
            "/v1/widgets/special": { "get": { "responses": { "default": {} } } },
        }});
        let document = Document::new("a.json".into(), document);
        // The codes that are documented, and one that is or is not.
        for (method, path, expected, code, contained) in [
            ("GET", "/v1/widgets/a", "200, 4XX", 200, true),
            ("GET", "/v1/widgets/a", "200, 4XX", 201, false),
            ("GET", "/v1/widgets/a", "200, 4XX", 404, true),
            ("GET", "/v1/widgets/a", "200, 4XX", 500, false),
            ("PUT", "/v1/widgets/a", "200, 201", 201, true),
            ("PUT", "/v1/widgets/a", "200, 201", 202, false),
            ("GET", "/v1/widgets/special", "default", 500, true),
            ("GET", "/v1/gadgets/special", "202", 202, true),
            ("POST", "/v1/widgets/a", "-", 200, false),
            ("PARAMETERS", "/v1/widgets/a", "-", 200, false),
        ] {
            let statuses = document.statuses(method, path);
            assert_eq!(
                statuses.as_ref().is_some_and(|status| status.contains(code)),
                contained,
                "{method} {path}"
            );
            let statuses = statuses.map_or_else(|| "-".to_owned(), |status| status.to_string());
            assert_eq!(statuses, expected, "{method} {path}");
        }
    }
}

//! The operations of a document.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

/// The operations of a document and their status codes.
#[derive(Debug)]
pub(super) struct Operations(Vec<Operation>);

#[derive(Debug)]
struct Operation {
    /// In lower case, as in the document.
    method: String,
    path: String,
    statuses: Statuses,
}

/// The status codes that are documented for an operation.
#[derive(Debug)]
pub(crate) struct Statuses(BTreeSet<String>);

impl Operations {
    pub(super) fn of(document: &Value) -> Self {
        let paths = document.get("paths").and_then(Value::as_object);
        let mut operations = Vec::new();
        for (path, item) in paths.into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                // Beside the methods there are members such as `parameters`, which have no responses.
                let Some(responses) = operation.get("responses").and_then(Value::as_object) else {
                    continue;
                };
                operations.push(Operation {
                    method: method.clone(),
                    path: path.clone(),
                    statuses: Statuses(responses.keys().cloned().collect()),
                });
            }
        }
        Self(operations)
    }

    /// The status codes of the operation that answers a request. If two paths match, the one with fewer
    /// placeholders wins, as in `OpenAPI`.
    pub(super) fn find(&self, method: &str, path: &str) -> Option<&Statuses> {
        let method = method.to_ascii_lowercase();
        let of_method = self.0.iter().filter(|operation| operation.method == method);
        let matching = of_method.filter_map(|it| Some((placeholders(&it.path, path)?, it)));
        let (_, best) = matching.min_by_key(|(placeholders, _)| *placeholders)?;
        Some(&best.statuses)
    }
}

/// The number of placeholders in `template` if `path` matches it. A slash at the end makes no difference.
fn placeholders(template: &str, path: &str) -> Option<usize> {
    let mut count = 0;
    let mut found = path.trim_end_matches('/').split('/');
    for expected in template.trim_end_matches('/').split('/') {
        let segment = found.next()?;
        if expected.starts_with('{') && expected.ends_with('}') {
            count += 1;
        } else if expected != segment {
            return None;
        }
    }
    found.next().is_none().then_some(count)
}

impl Statuses {
    /// Returns `true` if a code is documented: itself, its class (`4XX`), or by a `default`.
    pub(crate) fn contains(&self, status: u16) -> bool {
        let class = format!("{}XX", status / 100);
        [status.to_string(), class, "default".to_owned()].iter().any(|name| self.0.contains(name))
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(String::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Operations;

    #[test]
    fn requests_find_their_operation_and_its_codes() {
        let operations = Operations::of(&json!({ "paths": {
            "/v1/{plural}/special": { "get": { "responses": { "202": {} } } },
            "/v1/widgets/{name}": {
                "parameters": [],
                "get": { "responses": { "200": {}, "4XX": {} } },
                "put": { "responses": { "200": {}, "201": {} } },
            },
            "/v1/widgets/special": { "get": { "responses": { "default": {} } } },
        }}));
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
            let found = operations.find(method, path);
            assert_eq!(found.is_some_and(|it| it.contains(code)), contained, "{method} {path}");
            let found = found.map_or_else(|| "-".to_owned(), ToString::to_string);
            assert_eq!(found, expected, "{method} {path}");
        }
    }
}

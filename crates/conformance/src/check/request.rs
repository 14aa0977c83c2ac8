//! Whether requests are built as they were sent.

use std::collections::BTreeMap;

use k8s_versioned::operation::{self, OperationEntry, Raw};
use serde_json::Value;

use super::Check;
use super::rebuild::{Rebuilt, Refused};
use crate::difference::{differences, shorten};
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Recording, Recordings, Request as Recorded, RequestBody};

/// A request that is built from the names, the parameters and the body of a recorded one has the same method,
/// path, query and headers. A patch is the same, too; what becomes of other bodies is for the check `round-trip`.
pub struct Request<'a> {
    operations: &'a [OperationEntry],
}

impl<'a> Request<'a> {
    /// The check with these operations.
    pub fn new(operations: &'a [OperationEntry]) -> Self {
        Self { operations }
    }
}

impl Check for Request<'_> {
    fn name(&self) -> &'static str {
        "request"
    }

    fn about(&self) -> &'static str {
        "a request that is built from the same input has the same method, path, query and headers"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let Some(exchange) = recording.exchange() else {
            return vec![Finding::not_applicable("", "not an exchange")];
        };
        let mismatches = match Rebuilt::of(self.operations, exchange) {
            Ok(rebuilt) => compare(&rebuilt.request(), &exchange.request),
            Err(Refused::NotApplicable(reason)) => {
                return vec![Finding::not_applicable(POINTER, reason)];
            }
            Err(Refused::Mismatch(mismatch)) => vec![mismatch],
        };
        vec![Finding::of_mismatches(POINTER, mismatches)]
    }
}

const POINTER: &str = "/request";

/// The operation was found by its method, so that this is the same.
fn compare(built: &operation::Request<Raw>, recorded: &Recorded) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    let mut same = |part: &str, expected: String, found: String| {
        if expected != found {
            mismatches.push(Mismatch {
                pointer: format!("/request/{part}"),
                expected: shorten(&expected),
                found: shorten(&found),
                advice: "the function of the operation builds another request than was sent".into(),
            });
        }
    };
    // Documents end the paths of discovery in a slash, and servers do not care.
    let path = |path: &str| path.trim_end_matches('/').to_owned();
    same("path", path(&recorded.path), path(built.path()));
    let query: BTreeMap<&str, &str> = built.query().iter().collect();
    same(
        "query",
        format!("{:?}", recorded.query),
        format!("{query:?}"),
    );
    let headers = built.headers();
    let headers: BTreeMap<String, Vec<&str>> = headers
        .map(|(name, value)| (name.as_str().to_owned(), vec![value]))
        .collect();
    same(
        "headers",
        format!("{:?}", recorded.headers),
        format!("{headers:?}"),
    );
    mismatches.extend(compare_patch(built, recorded));
    mismatches
}

fn compare_patch(built: &operation::Request<Raw>, recorded: &Recorded) -> Vec<Mismatch> {
    match (&recorded.body, built.method() == operation::Method::PATCH) {
        (RequestBody::Json(expected), true) => {
            let found: Value = serde_json::from_slice(built.body()).unwrap_or_default();
            differences("/request/json", expected, &found)
        }
        _ => Vec::new(),
    }
}

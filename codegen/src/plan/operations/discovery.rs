//! Discovery: the operations without an action, which describe the group and its versions.

use super::{Struct, Why, compare};
use crate::spec::{Method, Operation};

/// Checks an operation whose path is that of the group followed by `rest`.
pub(super) fn check(rest: &str, operation: &Operation, structs: &[Struct]) -> Result<(), Why> {
    let version = rest.strip_suffix('/').unwrap_or(rest);
    if version.contains('/') || operation.method != Method::Get {
        return Err("without an action, it has to read the group or a version of it");
    }
    let answers = if version.is_empty() { "APIGroup" } else { "APIResourceList" };
    let successes = operation.responses.iter().filter(|(code, _)| **code < 400);
    match successes.collect::<Vec<_>>()[..] {
        [(200, Some(body))] if compare::is_meta(&body.schema, answers, structs) => Ok(()),
        _ => Err(
            "the response 200 describes a group by an `APIGroup`, a version by an `APIResourceList`",
        ),
    }
}

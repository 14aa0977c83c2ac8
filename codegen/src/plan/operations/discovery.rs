//! Discovery: the operations without an action, by which a server describes itself.

use super::{Struct, Why, compare};
use crate::spec::{Method, Operation};

/// Checks an operation whose path goes on with `rest` after that of the group.
pub(super) fn check(rest: &str, operation: &Operation, structs: &[Struct]) -> Result<(), Why> {
    let version = rest.strip_suffix('/').unwrap_or(rest);
    if version.contains('/') || operation.method != Method::Get {
        return Err("without an action, it has to read the group or a version of it");
    }
    let answers = if version.is_empty() { "APIGroup" } else { "APIResourceList" };
    let bodies = operation.responses.iter().filter(|(code, _)| **code < 300);
    let mut schemas = bodies.map(|(_, body)| body.as_ref().map(|body| body.schema.as_str()));
    if schemas.all(|schema| schema.is_some_and(|it| compare::is_meta(it, answers, structs))) {
        Ok(())
    } else {
        Err("a group is described by an `APIGroup`, a version by an `APIResourceList`")
    }
}

//! Discovery: the operations without an action, which describe the group and its versions.

use k8s_versioned_names::path::ResourcePath;

use super::{Struct, Why, compare};
use crate::spec::{Method, Operation};

/// Checks an operation without an action.
pub(super) fn check(
    path: &ResourcePath<'_>,
    operation: &Operation,
    structs: &[Struct],
) -> Result<(), Why> {
    if !path.plural.is_empty() || path.watch || operation.method != Method::Get {
        return Err("without an action, it has to read the group or a version of it");
    }
    let answers = match (path.group, path.version) {
        ("", "") => "APIVersions",
        (_, "") => "APIGroup",
        _ => "APIResourceList",
    };
    let successes = operation.responses.iter().filter(|(code, _)| **code < 400);
    match successes.collect::<Vec<_>>()[..] {
        [(200, Some(body))] if compare::is_meta(&body.schema, answers, structs) => Ok(()),
        _ => Err(
            "the response 200 describes a group by an `APIGroup`, a version by an `APIResourceList`",
        ),
    }
}

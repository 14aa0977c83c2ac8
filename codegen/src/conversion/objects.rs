//! Properties that all versions of a kind must share.

use super::kind::Versions;
use crate::Problems;
use crate::plan::{ObjectRole, Struct};
use crate::problem::Cause;

/// The kind of the lists in all versions. Reports each version whose lists are of another kind.
pub(super) fn list_kind(
    kind: &str,
    versions: &Versions<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let mut kinds = versions.iter().map(|(_, object)| of_version(object));
    let first = kinds.next()??;
    let mut complete = true;
    for (version, object) in versions {
        if of_version(object) != Some(first) {
            let cause = Cause::NotConvertible {
                of: format!("{version} {kind}"),
                why: "its lists are of another kind than in lower versions",
            };
            problems.push(&object.place, cause);
            complete = false;
        }
    }
    complete.then(|| first.to_owned())
}

fn of_version(object: &Struct) -> Option<&str> {
    match &object.object.as_ref()?.role {
        ObjectRole::Resource { list_kind, .. } => Some(list_kind),
        _ => None,
    }
}

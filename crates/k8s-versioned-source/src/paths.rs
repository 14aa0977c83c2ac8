//! The length of the paths in a document.

use k8s_versioned_names::pointer::Pointer;

use crate::error::{Errors, ReadCause};
use crate::found::Found;
use crate::limits::ReadLimits;
use crate::tree::{NodeId, Tree, ValueKind};

/// Refuses a document with a path that is longer than the limit. Whatever names a value by its place costs the length of its path.
///
/// # Errors
/// The first value with such a path.
pub(crate) fn check<'t>(tree: Tree<'t>, limits: &ReadLimits) -> Result<Tree<'t>, Errors> {
    // Nearly every document has short names only.
    if tree.longest_key().saturating_mul(limits.depth) <= limits.path {
        return Ok(tree);
    }
    let mut found = Found::none(0);
    find(&tree, tree.root().id(), None, limits.path, &mut found);
    found.check(tree)
}

/// Adds the first value whose path is longer than what is left of the limit. Its error is of the object around it. Returns `true` if
/// there is one.
fn find(
    tree: &Tree<'_>,
    node: NodeId,
    place: Option<&Pointer<'_>>,
    left: usize,
    found: &mut Found,
) -> bool {
    let is_object = tree.value(node).kind() == ValueKind::Object;
    tree.members_of(node).iter().enumerate().any(|(index, member)| {
        let (key, index): (&str, _) = (&member.key, &index);
        let Some(left) = left.checked_sub(key.len()) else {
            let span = tree.value(member.node).span();
            found.add(tree.file(), span, place, ReadCause::LongPath);
            return true;
        };
        let token: &dyn std::fmt::Display = if is_object { &key } else { index };
        find(tree, member.node, Some(&Pointer { parent: place, token }), left, found)
    })
}

#[cfg(test)]
mod tests {
    use crate::{ReadLimits, documents};

    #[test]
    fn long_paths_are_errors_in_definitions_only() {
        let nested = |length: usize, depth: usize| {
            let name = "n".repeat(length);
            (0..depth).fold("1".to_owned(), |inner, _| format!(r#"{{"{name}": {inner}}}"#))
        };
        let aliased = format!("a: &a {}\nc: {}", nested(250, 3), nested(250, 2).replace('1', "*a"));
        let table = [
            (nested(250, 4), None),
            (nested(250, 5), Some("/n")),
            (nested(5_000, 1), Some("")),
            (format!("[1, {}]", nested(5_000, 1)), Some("/1")),
            (nested(50, 20), None),
            (nested(50, 21), Some("/n")),
            (aliased, Some("/c")),
        ];
        for (text, expected) in table {
            let read = |limits| documents("a.yaml", text.as_bytes(), limits).next().unwrap();
            let found = read(&ReadLimits::MANIFESTS).map(drop).map_err(|errors| {
                let error = errors.0.first().unwrap();
                assert_eq!((error.cause.id(), errors.0.len()), ("long-path", 1));
                error.pointer.get(..2).unwrap_or(&error.pointer).to_owned()
            });
            assert_eq!(found, expected.map_or(Ok(()), |pointer| Err(pointer.to_owned())));
            assert!(read(&ReadLimits::OBJECTS).is_ok());
        }
    }
}

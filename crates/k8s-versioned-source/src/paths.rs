//! The length of the paths in a document.

use std::fmt::Display;

use k8s_versioned_core::pointer::Pointer;

use crate::error::{Errors, ReadCause};
use crate::found::Found;
use crate::limits::ReadLimits;
use crate::tree::{NodeId, Tree, ValueKind};

/// Refuses a document with a path that is longer than the limit, or with fields whose names and the names of the fields around them
/// are. Whatever names a value by its place costs the length of its path, and a long name is in the path of each field below it.
///
/// # Errors
/// The first value that exceeds a limit.
pub(crate) fn check<'t>(tree: Tree<'t>, limits: &ReadLimits) -> Result<Tree<'t>, Errors> {
    if limits.path == usize::MAX {
        return Ok(tree);
    }
    let most = ReadLimits::field_names(tree.bytes());
    let mut search = Search { tree: &tree, most, left: most, found: Found::none(0) };
    search.find(
        tree.root().id(),
        &Around { place: None, left: limits.path, fields: 0, are_fields: false },
    );
    search.found.check(tree)
}

/// The search for the first value that exceeds a limit.
struct Search<'a> {
    tree: &'a Tree<'a>,
    /// The most bytes in the names of all fields and of the fields around them.
    most: usize,
    /// What is left of it.
    left: usize,
    found: Found,
}

/// What is around the members of a value.
struct Around<'p> {
    place: Option<&'p Pointer<'p>>,
    /// The bytes that the path of a member may have.
    left: usize,
    /// The bytes of the names of the fields.
    fields: usize,
    /// Whether the members are fields.
    are_fields: bool,
}

impl Search<'_> {
    /// Adds the first value that exceeds a limit. Its error is of the object around it. Returns `true` if there is one.
    fn find(&mut self, node: NodeId, around: &Around<'_>) -> bool {
        let tree = self.tree;
        let is_object = tree.value(node).kind() == ValueKind::Object;
        tree.members_of(node).iter().enumerate().any(|(index, member)| {
            let (key, index): (&str, _) = (&member.key, &index);
            let Some(left) = around.left.checked_sub(key.len()) else {
                return self.add(node, around, ReadCause::LongPath);
            };
            let mut fields = around.fields;
            if around.are_fields {
                fields += key.len();
                let Some(left) = self.left.checked_sub(fields) else {
                    return self.add(node, around, ReadCause::LongFieldNames { limit: self.most });
                };
                self.left = left;
            }
            let token: &dyn Display = if is_object { &key } else { index };
            let place = Some(&Pointer { parent: around.place, token });
            let are_fields = !around.are_fields && matches!(key, "properties" | "schemas");
            self.find(member.node, &Around { place, left, fields, are_fields })
        })
    }

    fn add(&mut self, node: NodeId, around: &Around<'_>, cause: ReadCause) -> bool {
        let span = self.tree.value(node).span();
        self.found.add(self.tree.file(), span, around.place, cause);
        true
    }
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

    /// A name of 200 bytes around fields of 25 bytes each, at the depth of a definition.
    #[test]
    fn the_names_around_all_fields_are_bounded() {
        let field = |at| format!(r#""f{at:06}": {{"type": "string"}}"#);
        let fields = |count| (0..count).map(field).collect::<Vec<_>>().join(", ");
        let around = |length: usize, fields: &str| {
            let name = "n".repeat(length);
            let inner =
                format!(r#"{{"properties": {{"{name}": {{"properties": {{{fields}}}}}}}}}"#);
            format!(
                r#"{{"schemas": {{"A": {inner}, "B": {{"properties": {{"properties": 1}}}}}}}}"#
            )
        };
        // Eight times the 27 bytes of a field, without its own name.
        let at_most = 8 * 27 - 7;
        let names = ["m", "n"].map(|name| format!("{}: 1", name.repeat(30))).join(", ");
        let again = "*a, ".repeat(2_000);
        let aliased = format!("a: &a {{properties: {{{names}}}}}\nb: [{again}]\n");
        let table = [
            (around(at_most, &fields(2_000)), None),
            (around(2 * at_most, &fields(2_000)), Some("/schemas/A/properties/n")),
            // 64 KiB are for any document.
            (around(900, &fields(70)), None),
            (around(900, &fields(75)), Some("/schemas/A/properties/n")),
            // Only fields count, and the values of aliases count as bytes.
            (around(900, &fields(75)).replace("properties", "property"), None),
            (aliased, None),
        ];
        for (text, expected) in table {
            let read = |limits| documents("a.yaml", text.as_bytes(), limits).next().unwrap();
            let found = read(&ReadLimits::MANIFESTS).map(drop).map_err(|errors| {
                let error = errors.0.first().unwrap();
                assert_eq!((error.cause.id(), errors.0.len()), ("long-field-names", 1));
                error.pointer.clone()
            });
            match expected {
                None => assert_eq!(found, Ok(())),
                Some(start) => assert!(found.is_err_and(|pointer| pointer.starts_with(start))),
            }
            assert!(read(&ReadLimits::OBJECTS).is_ok());
        }
    }
}

//! One side of a pair of structs.

use super::plan::FieldRef;
use super::structs::{field_ref, path_to};
use crate::plan::{Field, ItemPath, RustType, Struct};

/// A struct, and the fields that lead to it.
pub(super) struct Side<'a, 'b> {
    pub(super) of: &'a Struct,
    pub(super) prefix: &'b [&'a Field],
}

impl<'a, 'b> Side<'a, 'b> {
    pub(super) fn new(of: &'a Struct, prefix: &'b [&'a Field]) -> Self {
        Self { of, prefix }
    }

    pub(super) fn field(&self, field: &'a Field) -> FieldRef {
        field_ref(self.of, self.prefix, field)
    }

    pub(super) fn at(&self, path: &str) -> Option<(FieldRef, &'a Field)> {
        let mut fields = self.of.fields.iter().map(|field| (self.field(field), field));
        fields.find(|(found, _)| found.path == path)
    }

    /// The path of the struct itself; empty for the object.
    pub(super) fn path(&self) -> String {
        path_to(self.prefix)
    }

    pub(super) fn inside(&self, field: &'a Field) -> Vec<&'a Field> {
        self.prefix.iter().copied().chain([field]).collect()
    }
}

/// The structs that two types hold in the same way.
pub(super) fn innermost<'t>(
    from: &'t RustType,
    to: &'t RustType,
) -> Option<(&'t ItemPath, &'t ItemPath)> {
    match (from, to) {
        (RustType::Struct(from), RustType::Struct(to)) => Some((from, to)),
        (RustType::Wrapped(one, from), RustType::Wrapped(other, to)) if one == other => {
            Some((from, to))
        }
        (RustType::List(from), RustType::List(to))
        | (RustType::Map(from), RustType::Map(to))
        | (RustType::Option(from), RustType::Option(to)) => innermost(from, to),
        _ => None,
    }
}

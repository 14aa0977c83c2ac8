//! The traits that the fields of a struct allow.

use std::collections::BTreeMap;

use super::graph::{edges, leads_to, numbers};
use super::rust_items::{Field, ItemPath, RustType, Struct, Traits};
use crate::spec::is_shared;

/// Sets the traits of all structs: a struct lacks a trait if one of its fields does, or a struct in a field.
pub(super) fn derive(structs: &mut [Struct]) {
    let numbers = numbers(structs);
    let lacks_eq = lacking(
        structs,
        &numbers,
        |_, field| eq(&field.rust_type, &|_| true),
        |field| held_anywhere(field.rust_type.innermost()),
    );
    let lacks_default = lacking(
        structs,
        &numbers,
        |planned, field| default(field, is_shared(&planned.schema)),
        |field| held_anywhere(&field.rust_type),
    );
    for (planned, (of_eq, of_default)) in
        structs.iter_mut().zip(lacks_eq.iter().zip(&lacks_default))
    {
        planned.traits = Traits { eq: !of_eq, default: !of_default };
        for field in &mut planned.fields {
            let number = held_anywhere(&field.rust_type).and_then(|path| numbers.get(path));
            field.needed |= number.and_then(|number| lacks_default.get(*number)) == Some(&true);
        }
    }
}

/// Whether a struct lacks a trait, because one of its fields does not allow it, or because of a struct in a field: for each struct.
fn lacking(
    structs: &[Struct],
    numbers: &BTreeMap<ItemPath, usize>,
    allows: impl Fn(&Struct, &Field) -> bool,
    of: impl Fn(&Field) -> Option<&ItemPath>,
) -> Vec<bool> {
    let forbids = |planned: &Struct| planned.fields.iter().any(|field| !allows(planned, field));
    let starts = structs.iter().enumerate().filter(|(_, planned)| forbids(planned));
    let edges = edges(structs, numbers, of);
    leads_to(starts.map(|(number, _)| number), &edges)
}

/// Returns `true` if a type has `Eq` and `Hash`; `of` tells it for structs.
pub(super) fn eq(rust_type: &RustType, of: &impl Fn(&ItemPath) -> bool) -> bool {
    match rust_type.innermost() {
        RustType::F64 => false,
        RustType::Struct(path) | RustType::Wrapped(_, path) => of(path),
        _ => true,
    }
}

/// Returns `true` if a field that is not a struct allows `Default`, which must not write an empty required text. Types of meta are
/// exempt.
fn default(field: &Field, meta: bool) -> bool {
    match &field.rust_type {
        RustType::String => meta || !field.needed,
        RustType::OpenEnum(_) => false,
        _ => true,
    }
}

/// The struct of a type, in a `Box` or not.
fn held_anywhere(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(_, path) => Some(path),
        _ => None,
    }
}

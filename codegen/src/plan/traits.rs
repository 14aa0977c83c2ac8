//! The traits that the fields of a struct allow.

use std::collections::BTreeMap;

use super::recursion;
use super::rust_items::{Field, ItemPath, RustType, Struct, Traits};
use crate::Problems;
use crate::spec::is_meta;

/// Sets the traits of all structs: a struct loses the traits that a field lacks, until nothing changes.
pub(super) fn derive(structs: &mut [Struct], problems: &mut Problems) {
    if recursion::break_cycles(structs, problems) {
        return;
    }
    let mut known: BTreeMap<ItemPath, Traits> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for planned in structs.iter_mut() {
            let known_eq = |path: &ItemPath| known.get(path).is_none_or(|traits| traits.eq);
            let traits = Traits {
                eq: planned.fields.iter().all(|field| eq(&field.rust_type, &known_eq)),
                default: planned
                    .fields
                    .iter()
                    .all(|field| default(field, is_meta(&planned.schema), &known)),
            };
            changed |= traits != planned.traits;
            planned.traits = traits;
            known.insert(planned.path.clone(), traits);
        }
    }
    let lacks_default = |path: &ItemPath| known.get(path).is_some_and(|traits| !traits.default);
    for field in structs.iter_mut().flat_map(|planned| &mut planned.fields) {
        field.needed |= match &field.rust_type {
            RustType::Struct(path) | RustType::Wrapped(_, path) => lacks_default(path),
            _ => false,
        };
    }
}

/// Returns `true` if a type has `Eq` and `Hash`; `of` tells it for structs.
pub(super) fn eq(rust_type: &RustType, of: &impl Fn(&ItemPath) -> bool) -> bool {
    match rust_type {
        RustType::F64 => false,
        RustType::Struct(path) | RustType::Wrapped(_, path) => of(path),
        RustType::List(inner) | RustType::Map(inner) | RustType::Option(inner) => eq(inner, of),
        _ => true,
    }
}

/// Returns `true` if a field allows `Default`, which must not write an empty required text. Types of meta are exempt.
fn default(field: &Field, meta: bool, known: &BTreeMap<ItemPath, Traits>) -> bool {
    match &field.rust_type {
        RustType::String => meta || !field.needed,
        RustType::Vocabulary(_) => false,
        RustType::Struct(path) | RustType::Wrapped(_, path) => {
            known.get(path).is_none_or(|traits| traits.default)
        }
        _ => true,
    }
}

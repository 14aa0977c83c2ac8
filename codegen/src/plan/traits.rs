//! The traits that the fields of a struct allow.

use std::collections::BTreeSet;

use litemap::LiteMap;

use super::rust_items::{Field, ItemPath, RustType, Struct, Traits, Wrapper};
use crate::Problems;
use crate::gather::Gather;
use crate::problem::PlanCause;
use crate::spec::{is_shared, shown};

/// Sets the traits of all structs: a struct loses the traits that a field lacks, until nothing changes.
pub(super) fn derive(structs: &mut [Struct], problems: &mut Problems) {
    if break_cycles(structs, problems) {
        return;
    }
    let mut known: LiteMap<ItemPath, Traits> = LiteMap::new();
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
                    .all(|field| default(field, is_shared(&planned.schema), &known)),
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
    match rust_type.innermost() {
        RustType::F64 => false,
        RustType::Struct(path) | RustType::Wrapped(_, path) => of(path),
        _ => true,
    }
}

/// Returns `true` if a field allows `Default`, which must not write an empty required text. Types of meta are exempt.
fn default(field: &Field, meta: bool, known: &LiteMap<ItemPath, Traits>) -> bool {
    match &field.rust_type {
        RustType::String => meta || !field.needed,
        RustType::Vocabulary(_) => false,
        RustType::Struct(path) | RustType::Wrapped(_, path) => {
            known.get(path).is_none_or(|traits| traits.default)
        }
        _ => true,
    }
}

// Structs that would contain themselves: the field is a `Box`.

/// Boxes the fields through which a struct would contain itself. Reports a field that is always there, because no value of such
/// a struct would end, and then returns `true`.
pub(super) fn break_cycles(structs: &mut [Struct], problems: &mut Problems) -> bool {
    let by_path: LiteMap<&ItemPath, &Struct> =
        structs.iter().map(|planned| (&planned.path, planned)).gather();
    let mut boxed: Vec<(ItemPath, String)> = Vec::new();
    let mut endless = false;
    for planned in structs.iter() {
        for field in &planned.fields {
            if !held(&field.rust_type).is_some_and(|path| reaches(path, &planned.path, &by_path)) {
                continue;
            }
            if field.rust_type.is_option() {
                boxed.push((planned.path.clone(), field.wire.clone()));
            } else {
                problems.push(&field.property.place, PlanCause::Endless(shown(&planned.schema)));
                endless = true;
            }
        }
    }
    for planned in structs {
        for field in &mut planned.fields {
            if boxed.contains(&(planned.path.clone(), field.wire.clone()))
                && let RustType::Option(inner) = &mut field.rust_type
            {
                put_in_box(inner);
            }
        }
    }
    endless
}

/// Puts the struct that a type holds in place into a `Box`.
fn put_in_box(of: &mut RustType) {
    match of {
        RustType::Struct(path) => *of = RustType::Wrapped(Wrapper::Box, path.clone()),
        RustType::Wrapped(wrapper @ Wrapper::Embedded, _) => *wrapper = Wrapper::BoxEmbedded,
        RustType::Option(inner) => put_in_box(inner),
        _ => {}
    }
}

/// Returns `true` if the struct at `from` is the one at `to`, or holds it in place.
fn reaches(from: &ItemPath, to: &ItemPath, by_path: &LiteMap<&ItemPath, &Struct>) -> bool {
    let mut seen: BTreeSet<&ItemPath> = BTreeSet::new();
    let mut open: Vec<&ItemPath> = vec![from];
    while let Some(next) = open.pop() {
        if next == to {
            return true;
        }
        if seen.insert(next) {
            let fields = by_path.get(next).into_iter().flat_map(|planned| &planned.fields);
            open.extend(fields.filter_map(|field| held(&field.rust_type)));
        }
    }
    false
}

/// The struct that a field holds in place.
fn held(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(Wrapper::Embedded, path) => Some(path),
        RustType::Option(inner) => held(inner),
        _ => None,
    }
}

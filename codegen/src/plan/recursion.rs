//! Structs that would contain themselves: the field is a `Box`.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_items::{ItemPath, RustType, Struct, Wrapper};
use crate::Problems;
use crate::problem::PlanCause;

/// Boxes the fields through which a struct would contain itself. Reports those that are always there: no value of such a
/// struct would end. Returns `true` if there is one.
pub(super) fn break_cycles(structs: &mut [Struct], problems: &mut Problems) -> bool {
    let by_path: BTreeMap<&ItemPath, &Struct> =
        structs.iter().map(|planned| (&planned.path, planned)).collect();
    let mut boxed: BTreeSet<(ItemPath, String)> = BTreeSet::new();
    let mut endless = false;
    for planned in structs.iter() {
        for field in &planned.fields {
            if !held(&field.rust_type).is_some_and(|path| reaches(path, &planned.path, &by_path)) {
                continue;
            }
            if matches!(field.rust_type, RustType::Option(_)) {
                boxed.insert((planned.path.clone(), field.wire.clone()));
            } else {
                problems.push(&field.of.place, PlanCause::Endless(planned.schema.clone()));
                endless = true;
            }
        }
    }
    for planned in structs {
        for field in &mut planned.fields {
            if let RustType::Option(inner) = &mut field.rust_type
                && let RustType::Struct(path) = &**inner
                && boxed.contains(&(planned.path.clone(), field.wire.clone()))
            {
                **inner = RustType::Wrapped(Wrapper::Box, path.clone());
            }
        }
    }
    endless
}

/// Returns `true` if the struct at `from` is the one at `to`, or holds it in place.
fn reaches(from: &ItemPath, to: &ItemPath, by_path: &BTreeMap<&ItemPath, &Struct>) -> bool {
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

//! Structs that would contain themselves.

use std::collections::BTreeMap;

use super::rust_items::{ItemPath, RustType, Struct};
use crate::Problems;
use crate::problem::PlanCause;

/// Reports every struct that contains itself other than through a list or a map. Returns `true` if there is one.
pub(super) fn report(structs: &[Struct], problems: &mut Problems) -> bool {
    let by_path: BTreeMap<&ItemPath, &Struct> =
        structs.iter().map(|planned| (&planned.path, planned)).collect();
    let endless: Vec<&Struct> =
        structs.iter().filter(|planned| contains_itself(planned, &by_path)).collect();
    for planned in &endless {
        problems.push(&planned.of.place, PlanCause::Endless(planned.schema.clone()));
    }
    !endless.is_empty()
}

fn contains_itself(planned: &Struct, by_path: &BTreeMap<&ItemPath, &Struct>) -> bool {
    let mut seen: Vec<&ItemPath> = Vec::new();
    let mut open: Vec<&Struct> = vec![planned];
    while let Some(next) = open.pop() {
        for path in next.fields.iter().filter_map(|field| held(&field.rust_type)) {
            if *path == planned.path {
                return true;
            }
            if !seen.contains(&path) {
                seen.push(path);
                open.extend(by_path.get(path));
            }
        }
    }
    false
}

/// The struct that a field holds in place.
fn held(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) => Some(path),
        RustType::Option(inner) => held(inner),
        _ => None,
    }
}

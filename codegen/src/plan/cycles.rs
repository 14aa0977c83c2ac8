//! Structs that would contain themselves: the field is a `Box`.

use super::graph::{components, edges, numbers};
use super::rust_items::{Field, ItemPath, RustType, Struct, Wrapper};
use crate::Problems;
use crate::problem::PlanCause;
use crate::spec::shown;

/// Boxes the fields through which a struct would contain itself. Reports a field that is always there, because no value of such
/// a struct would end, and then returns `true`.
pub(super) fn break_up(structs: &mut [Struct], problems: &mut Problems) -> bool {
    let numbers = numbers(structs);
    let cycles = components(&edges(structs, &numbers, |field| held(&field.rust_type)));
    // A field is in a cycle if it leads to a struct of the same cycle.
    let is_in_cycle = |own: usize, field: &Field| {
        let cycle = held(&field.rust_type).and_then(|path| cycles.get(*numbers.get(path)?));
        cycle.is_some_and(|cycle| cycles.get(own) == Some(cycle))
    };
    let of_struct = |(own, planned): (usize, &Struct)| -> Vec<bool> {
        planned.fields.iter().map(|field| is_in_cycle(own, field)).collect()
    };
    let boxed: Vec<_> = structs.iter().enumerate().map(of_struct).collect();
    let mut endless = false;
    for (planned, boxed) in structs.iter_mut().zip(boxed) {
        for (field, _) in planned.fields.iter_mut().zip(boxed).filter(|(_, boxed)| *boxed) {
            if let RustType::Option(inner) = &mut field.rust_type {
                put_in_box(inner);
            } else {
                problems.push(&field.property.place, PlanCause::Endless(shown(&planned.schema)));
                endless = true;
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

/// The struct that a field holds in place.
fn held(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(Wrapper::Embedded, path) => Some(path),
        RustType::Option(inner) => held(inner),
        _ => None,
    }
}

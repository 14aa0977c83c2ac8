//! The traits that the fields of a struct allow.

use std::collections::BTreeMap;

use super::graph::{Edges, components, leads_to};
use super::rust_items::{Field, ItemPath, RustType, Struct, Traits, Wrapper};
use crate::Problems;
use crate::problem::PlanCause;
use crate::spec::{is_shared, shown};

/// Sets the traits of all structs: a struct lacks a trait if one of its fields does, or a struct in a field.
pub(super) fn derive(structs: &mut [Struct], problems: &mut Problems) {
    if break_cycles(structs, problems) {
        return;
    }
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

// Structs that would contain themselves: the field is a `Box`.

/// Boxes the fields through which a struct would contain itself. Reports a field that is always there, because no value of such
/// a struct would end, and then returns `true`.
pub(super) fn break_cycles(structs: &mut [Struct], problems: &mut Problems) -> bool {
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

/// The number of each struct.
fn numbers(structs: &[Struct]) -> BTreeMap<ItemPath, usize> {
    structs.iter().enumerate().map(|(number, planned)| (planned.path.clone(), number)).collect()
}

/// The numbers of the structs in the fields of each struct.
fn edges(
    structs: &[Struct],
    numbers: &BTreeMap<ItemPath, usize>,
    of: impl Fn(&Field) -> Option<&ItemPath>,
) -> Edges {
    let of_struct = |planned: &Struct| {
        let paths = planned.fields.iter().filter_map(&of);
        paths.filter_map(|path| numbers.get(path).copied()).collect()
    };
    structs.iter().map(of_struct).collect()
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

/// The struct of a type, in a `Box` or not.
fn held_anywhere(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(_, path) => Some(path),
        _ => None,
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

//! The names of functions and variables in the generated code.

use proc_macro2::Ident;
use quote::format_ident;

use crate::conversion::{FieldRef, Pattern, StructPair};

/// The name of the function for an object or a part of one.
pub(super) fn function(of: &StructPair) -> Ident {
    format_ident!("{}", of.function)
}

/// The name of the state of an object before its fields move.
pub(super) fn before(index: usize) -> Ident {
    format_ident!("before_{index}")
}

/// The name of the state of a sub-object of `nest` before its fields move.
pub(super) fn before_nested(index: usize) -> Ident {
    format_ident!("before_nested_{index}")
}

/// The name of a value that moves. The names of fields in different parts can look alike: `bell.ropeEnd` and `bellRope.end`.
pub(super) fn moved(index: usize) -> Ident {
    format_ident!("moved_{index}")
}

/// The name of a sub-object whose fields become fields of the target: a name of its own, as the field can be called `source`.
pub(super) fn flat(from: &FieldRef) -> Ident {
    format_ident!("flat_{}", from.joined())
}

/// The variable of the members that patterns make.
pub(super) fn variable(pattern: &Pattern) -> Ident {
    format_ident!("by_pattern_{}", pattern.name)
}

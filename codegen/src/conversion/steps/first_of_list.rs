//! `first-of-list`: a list in one version, its first element in another.

use super::{Applied, Argument, Between, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let call = |function| call(("first_of_list", function), [Argument::Value]);
    match between.types() {
        (RustType::List(item), other) if **item == *other => Some(Applied::keeps(
            call("first"),
            "the first element, empty if there is none",
            "any other list than its first element alone is kept in the annotation",
        )),
        (other, RustType::List(item)) if **item == *other => Some(Applied::restores(
            call("list"),
            "the kept list if it begins with this value; else a list of this value alone, empty if the value is empty",
        )),
        _ => None,
    }
}

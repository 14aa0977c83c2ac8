//! `first-of-list`: a list in one version, its first element in another.

use super::{Applied, Argument, Between, Call, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let call = |function| call(("first_of_list", function), [Argument::Value]);
    let (from, to) = between.types();
    let none = |form: &RustType| if form.is_option() { "absent" } else { "empty" };
    let (first, reported) = match to {
        RustType::Option(_) => (call("first_or_none"), ""),
        _ if between.to.0.required => (first_required(between), ", which is reported,"),
        _ => (call("first"), ""),
    };
    match (from.present(), to.present()) {
        (RustType::List(item), other) if **item == *other => Some(Applied::keeps(
            first,
            format!("the first element, {}{reported} if there is none", none(to)),
            "kept in the annotation, unless the first element alone restores it",
        )),
        (other, RustType::List(item)) if **item == *other => Some(Applied::restores(
            call(if from.is_option() { "list_or_none" } else { "list" }),
            format!(
                "the kept list if it begins with this value; else a list of this value alone, {} if the value is {}",
                none(to),
                none(from)
            ),
        )),
        _ => None,
    }
}

fn first_required(between: &Between<'_, '_>) -> Call {
    let around = Argument::Around(between.rule.paths(|_, _| true));
    call(("first_of_list", "first_required"), [around, Argument::Value])
}

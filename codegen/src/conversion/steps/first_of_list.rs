//! `first-of-list`: a list in one version, its first element in another.

use super::{Applied, Argument, Between, Call, call, with_report};
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::{Structs, required_fields};
use crate::plan::{ItemPath, RustType};

/// The module of the functions.
const MODULE: &str = "first_of_list";

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let call = |function| call((MODULE, function), [Argument::Value]);
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
    let around = Argument::Around(between.rule.paths(&|_, _| true));
    call((MODULE, "first_required"), [around, Argument::Value])
}

/// The structs of a list of objects and of an object, and the step around the conversion of the one into the other; `None` for
/// other types.
pub(in crate::conversion) fn objects<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
    structs: &Structs<'_>,
) -> Option<((&'t ItemPath, &'t ItemPath), Applied)> {
    let (source, target) = (item_or_object(from)?, item_or_object(to)?);
    let around = rule.paths(&|_, _| true).into_iter().map(|(version, path)| {
        let is_list = rule.in_version(&version).is_some_and(|field| !is_object(field));
        (version, path + if is_list { "[]" } else { "[-]" })
    });
    let around = Argument::Around(around.collect());
    let (value, rest) = (Argument::Value, [Argument::ConvertItem, Argument::Rest]);
    let step = |function, arguments: Vec<Argument>| {
        let mut call = call((MODULE, function), arguments);
        call.arguments.extend(rest);
        call
    };
    let applied = match (is_list(from), is_list(to)) {
        (true, false) if to.is_option() => Applied::keeps(
            step("first_object_or_none", vec![around, value]),
            "the first item, an object of the fields below; absent if there is none",
            "the other items are kept in the annotation",
        ),
        (true, false) => {
            let required = structs.get(target).map(required_fields).unwrap_or_default();
            let reported = with_report(&required);
            Applied::keeps(
                step("first_object", vec![around, Argument::Names(required), value]),
                format!(
                    "the first item, an object of the fields below; empty if there is none{reported}"
                ),
                "the other items are kept in the annotation, and that the item was empty",
            )
        }
        (false, true) => {
            let call = if from.is_option() {
                step("list_of_object_or_none", vec![value])
            } else {
                step("list_of_object", vec![around, value])
            };
            Applied::restores(
                call,
                "a list of this object, by the fields below, and of the kept items",
            )
        }
        _ => return None,
    };
    Some(((source, target), applied))
}

/// Returns `true` for a step of [`objects`].
pub(in crate::conversion) fn is_step(applied: &Applied) -> bool {
    applied.call.function.0 == MODULE
}

/// Returns `true` for a field whose object is the first item of a list in other versions.
pub(in crate::conversion) fn is_object(field: &FieldRef) -> bool {
    item_or_object(&field.rust_type).is_some() && !is_list(&field.rust_type)
}

fn is_list(rust_type: &RustType) -> bool {
    matches!(rust_type.present(), RustType::List(_))
}

/// The struct of an object or of the items of a list, each perhaps optional.
fn item_or_object(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type.present() {
        RustType::List(item) => match &**item {
            RustType::Struct(path) => Some(path),
            _ => None,
        },
        RustType::Struct(path) => Some(path),
        _ => None,
    }
}

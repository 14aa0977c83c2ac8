//! `wrap`: a value in one version is a field of an object in another.

use super::{Applied, Argument, Between, Call, call, with_report, words};
use crate::Problems;
use crate::conversion::structs::{required_fields, type_text};
use crate::plan::RustType;
use crate::rules::paths::segment;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let (from, to, in_option) = between.inside()?;
    let Some(name) = &between.rule.stated.field else {
        let why = "`field` names the field of the object that has the value";
        between.rule.report_misfit(why.to_owned(), problems);
        return None;
    };
    let name = &name.value;
    if let Some((field, [_, unwrap], in_option)) = field(between, from, name, (to, in_option)) {
        let call = call(("wrap", unwrap), [Argument::Value, field]);
        return Some(Applied::keeps(
            Call { in_option, ..call },
            format!("its `{name}`"),
            "kept in the annotation, unless this field alone restores it",
        ));
    }
    let Some((field, [wrap, _], in_option)) = field(between, to, name, (from, in_option)) else {
        report_without_field(between, (from, to), name, problems);
        return None;
    };
    let of = between.structs.of_type(to);
    let required = of.map(required_fields).unwrap_or_default();
    let required: Vec<String> =
        required.into_iter().filter(|field| *field != segment(name)).collect();
    let how = format!(
        "the kept object if its `{name}` is this value, else a new object with this `{name}` alone{}",
        with_report(&required)
    );
    let call = call(("wrap", wrap), [Argument::Value, field, Argument::Names(required)]);
    Some(Applied::restores(Call { in_option, ..call }, how))
}

/// Reports an object that does not have the field, or not with the type of the value.
fn report_without_field(
    between: &Between<'_, '_>,
    (from, to): (&RustType, &RustType),
    name: &str,
    problems: &mut Problems,
) {
    for (object, value) in [(from, to), (to, from)] {
        let Some(of) = between.structs.of_type(object) else {
            continue;
        };
        let field = of.fields.iter().find(|field| field.wire == name);
        let of = type_text(object);
        let why = match field.map(|field| type_text(&field.rust_type)) {
            None => format!("`{of}` has no field `{name}`"),
            Some(found) => {
                format!("`{name}` of `{of}` is `{found}`, and the value is `{}`", type_text(value))
            }
        };
        between.rule.report_misfit(why, problems);
    }
}

/// The field of an object that has the value, the functions that wrap it and take it out, and whether they are for the value
/// in an `Option`. In an optional object the field can be absent.
fn field(
    between: &Between<'_, '_>,
    object: &RustType,
    name: &str,
    (value, in_option): (&RustType, bool),
) -> Option<(Argument, [&'static str; 2], bool)> {
    let RustType::Struct(path) = object else {
        return None;
    };
    let field = between.structs.get(path)?.fields.iter().find(|field| field.wire == name)?;
    let (functions, in_option) = match &field.rust_type {
        found if found == value => (["wrap", "unwrap"], in_option),
        found if words::is_text(found) && words::is_text(value) => {
            (["wrap_word", "unwrap_word"], in_option)
        }
        RustType::Option(found) if in_option && **found == *value => {
            (["wrap_optional", "unwrap_optional"], false)
        }
        _ => return None,
    };
    Some((Argument::Field(path.clone(), field.ident.clone()), functions, in_option))
}

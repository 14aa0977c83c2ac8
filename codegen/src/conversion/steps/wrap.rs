//! `wrap`: a value in one version is a field of an object in another.

use super::{Applied, Argument, Between, Call, Effect, call};
use crate::Problems;
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let (from, to) = between.types();
    let Some(name) = &between.rule.stated.field else {
        let why = "`field` names the field of the object that has the value";
        between.rule.does_not_fit(why.to_owned(), problems);
        return None;
    };
    let name = &name.value;
    if let Some(field) = field(between, from, name, to) {
        return Some(Applied {
            call: call_of("unwrap", field),
            how: format!("its `{name}`"),
            loss: "an object that has more is kept in the annotation",
            effect: Effect::Keeps,
        });
    }
    Some(Applied {
        call: call_of("wrap", field(between, to, name, from)?),
        how: format!("the kept object if this is its `{name}`, else an object of it alone"),
        loss: "lossless",
        effect: Effect::Restores,
    })
}

fn call_of(function: &'static str, field: Argument) -> Call {
    call(("wrap", function), vec![Argument::Places, Argument::Value, field, Argument::Context])
}

/// The field of an object that has the value.
fn field(
    between: &Between<'_, '_>,
    object: &RustType,
    name: &str,
    value: &RustType,
) -> Option<Argument> {
    let RustType::Struct(path) = object else {
        return None;
    };
    let mut fields = between.structs.get(path)?.fields.iter();
    let field = fields.find(|field| field.wire == name && field.rust_type == *value)?;
    Some(Argument::Field(path.clone(), field.ident.clone()))
}

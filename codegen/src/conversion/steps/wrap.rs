//! `wrap`: a value in one version is a field of an object in another.

use super::{Applied, Argument, Between, Effect, StepKind, call};
use crate::Problems;
use crate::plan::{Field, RustType};

pub(super) struct Wrap;

impl StepKind for Wrap {
    fn fit(&self, between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
        let (from, to) = between.types();
        let Some(name) = &between.rule.stated.field else {
            let why = "`field` names the field of the object that has the value";
            between.rule.does_not_fit(why.to_owned(), problems);
            return None;
        };
        let (value, how, loss, effect) = if let Some(field) = field(between, from, &name.value, to) {
            let how = format!("its `{}`", name.value);
            let loss = "an object that has more is kept in the annotation";
            (call_of("unwrap", field), how, loss, Effect::Keeps)
        } else {
            let field = field(between, to, &name.value, from)?;
            let name = &name.value;
            let how = format!("the kept object if this is its `{name}`, else an object of it alone");
            (call_of("wrap", field), how, "lossless", Effect::Restores)
        };
        Some(Applied { call: value, how, loss, effect })
    }

    fn is_complete(&self, form: &RustType, _: &[&RustType]) -> bool {
        matches!(form, RustType::Struct(_))
    }
}

fn call_of(function: &'static str, field: &Field) -> super::Call {
    let field = Argument::Field(field.ident.clone());
    call(("wrap", function), vec![Argument::Places, Argument::Value, field, Argument::Context])
}

/// The field of an object that has the value.
fn field<'a>(
    between: &Between<'a, '_>,
    object: &RustType,
    name: &str,
    value: &RustType,
) -> Option<&'a Field> {
    let RustType::Struct(path) = object else {
        return None;
    };
    let fields = &between.structs.get(path)?.fields;
    fields.iter().find(|field| field.wire == name && field.rust_type == *value)
}

//! `wrap`: a value in one version is a field of an object in another.

use serde_json::{Map, Value};

use super::notes::with_report;
use crate::Problems;
use crate::conversion::actions::{Action, ObjectField, Wrap, WrapForm};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Role, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{is_required, named_field, other_type, required_fields};
use crate::plan::{Field, RustType};
use crate::rules::paths::{self, segment};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "wrap",
    meaning: "A value is a field of an object.",
    takes: "`wrap` takes a value and an object that has it in `field`; both are optional or both are required, and the field can \
            be optional in an optional object; with other required fields in the object, or an optional field in a required one, \
            take `pattern`: `{ v1beta1 = { secret = \"$name\" }, v1 = { secretRef = { kind = \"Secret\", name = \"$name\" } } }`",
    keys: &[RuleKey::FIELD],
    example: r#"rule = "wrap"
names = { v1beta1 = "spec.secret", v1 = "spec.secretRef" }
field = "name"
reason = "The name of the secret in v1beta1, a reference in v1.""#,
    remedy: "if the value became a field of the object, add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"wrap\"` \
             that names the field in all versions and the object's field in `field`; `[]` follows the name of a list, for its \
             items; otherwise give each field a `keep-aside` rule of its own",
    mixed: Mixed::Never,
    role: Role::Wrap,
    converts: |types| {
        let is_struct = |found: &&RustType| matches!(found.present(), RustType::Struct(_));
        types.iter().any(is_struct) && !types.iter().any(|found| found.present().is_json())
    },
    step,
    is_complete: |_, (_, field): (&str, &FieldRef)| {
        matches!(field.rust_type.present(), RustType::Struct(_))
    },
    ..RuleKind::NONE
};

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to, in_option) = between.inside()?;
    let name = between.rule.text(RuleKey::FIELD.name)?;
    let defaults = defaults(between, name);
    let others = |object: &RustType| -> Vec<String> {
        let required = between.structs.of_type(object).map(required_fields).unwrap_or_default();
        let has_value =
            |field: &String| *field == segment(name) || defaults.contains_key(&*paths::name(field));
        required.into_iter().filter(|field| !has_value(field)).collect()
    };
    let values =
        if defaults.is_empty() { String::new() } else { Value::from(defaults.clone()).to_string() };
    if let Some((field, form)) = field(between, from, name, (to, in_option)) {
        let unwrap = Wrap::Unwrap { field, form, required: others(from), defaults: values };
        let step = RuleStep::keeps(Action::Wrap(unwrap));
        return Some(step.inside(in_option && form != WrapForm::Optional));
    }
    let Some((field, form)) = field(between, to, name, (from, in_option)) else {
        report_without_field(between, (from, to), name, problems);
        return None;
    };
    let wrap = Wrap::Wrap { field, form, required: others(to), defaults: values };
    let step = RuleStep::restores(Action::Wrap(wrap));
    Some(step.inside(in_option && form != WrapForm::Optional))
}

/// The defaults of the other required fields of the object, if all versions with the object have the same ones: a conversion writes them
/// into a new object.
fn defaults(between: &Between<'_, '_>, name: &str) -> Map<String, Value> {
    let of = |rust_type: &RustType| {
        let object = between.structs.of_type(rust_type.present())?;
        let required =
            object.fields.iter().filter(|field| field.wire != name && is_required(object, field));
        let default = |field: &Field| Some((field.wire.clone(), field.property.default.clone()?));
        Some(required.filter_map(default).collect::<Map<_, _>>())
    };
    let mut objects = between.rule.types().into_iter().filter_map(of);
    let first = objects.next().unwrap_or_default();
    if objects.all(|other| other == first) { first } else { Map::new() }
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
        let fault = match named_field(of, name) {
            Ok(field) => other_type(of, field, value),
            Err(fault) => fault,
        };
        between.rule.report_fault(fault, problems);
    }
}

/// The field of an object that has the value, and the form in which it has it. In an optional object the field can be absent.
fn field(
    between: &Between<'_, '_>,
    object: &RustType,
    name: &str,
    (value, in_option): (&RustType, bool),
) -> Option<(ObjectField, WrapForm)> {
    let RustType::Struct(path) = object else {
        return None;
    };
    let field = between.structs.get(path)?.fields.iter().find(|field| field.wire == name)?;
    let form = match &field.rust_type {
        found if found == value => WrapForm::Plain,
        found if found.is_text() && value.is_text() => WrapForm::Word,
        RustType::Option(found) if in_option && **found == *value => WrapForm::Optional,
        _ => return None,
    };
    let (name, ident) = (field.wire.clone(), field.ident.clone());
    Some((ObjectField { object_type: path.clone(), name, ident }, form))
}

pub(super) fn text(step: &Wrap) -> (String, &'static str) {
    match step {
        Wrap::Unwrap { field, .. } => (
            format!("its `{}`", field.name),
            "kept in an annotation, unless this field alone restores it",
        ),
        Wrap::Wrap { field, required, .. } => {
            let (name, reported) = (&field.name, with_report(required));
            let how = format!(
                "the kept object if its `{name}` is this value, else a new object with this `{name}` alone{reported}"
            );
            (how, "lossless")
        }
    }
}

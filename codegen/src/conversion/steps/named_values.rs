//! `named-values`: a map of values in one version, in another a list of objects with a name and a value.

use crate::Problems;
use crate::conversion::actions::{Action, NamedValues, ObjectField};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{named_field, other_type};
use crate::plan::{ItemPath, RustType};

const VALUE: RuleKey = RuleKey {
    name: "value",
    meaning: "the field of the list's items that has the value; `value` if it is not stated",
    shape: Shape::Text,
    required: false,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "named-values",
    meaning: "A map of values becomes a list of objects with a name and a value.",
    takes: "`named-values` takes a map of texts, numbers or booleans and a list of objects, both optional or both required; `field` \
            is the text of the items that has the key, and `value` their field of the map's type, which can be optional, or any \
            JSON for a text",
    keys: &[RuleKey::FIELD, VALUE],
    example: r#"rule = "named-values"
names = { v1beta1 = "spec.extraArgs", v1 = "spec.extraArgs" }
field = "name"
value = "value"
reason = "A map in v1beta1; v1 can have a name twice.""#,
    step,
    is_complete: |_, (_, field): (&str, &FieldRef)| field.rust_type.is_list(),
    ..RuleKind::NONE
};

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to, in_option) = between.inside()?;
    let step = match (from, to) {
        (RustType::Map(value), RustType::List(item)) => {
            let (name, value) = fields(between, value, item, problems)?;
            RuleStep::restores(Action::NamedValues(NamedValues::List { name, value }))
        }
        (RustType::List(item), RustType::Map(value)) => {
            let (name, value) = fields(between, value, item, problems)?;
            RuleStep::keeps(Action::NamedValues(NamedValues::Map { name, value }))
        }
        _ => return None,
    };
    Some(step.inside(in_option))
}

/// The fields of an item that have the key and the value. Reports fields that are missing or of another type.
fn fields(
    between: &Between<'_, '_>,
    of_map: &RustType,
    item: &RustType,
    problems: &mut Problems,
) -> Option<(ObjectField, ObjectField)> {
    let RustType::Struct(path) = item else {
        return None;
    };
    let rule = between.rule;
    let name = rule.text(RuleKey::FIELD.name)?;
    let name = field(between, path, (name, &RustType::String, false), problems);
    let value = rule.text(VALUE.name).unwrap_or("value");
    let is_text = *of_map == RustType::String;
    let value = field(between, path, (value, of_map, is_text), problems);
    name.zip(value)
}

fn field(
    between: &Between<'_, '_>,
    of: &ItemPath,
    (name, wanted, or_json): (&str, &RustType, bool),
    problems: &mut Problems,
) -> Option<ObjectField> {
    let item = between.structs.get(of)?;
    let fault = match named_field(item, name) {
        Ok(field)
            if field.rust_type.present() == wanted || or_json && field.rust_type.is_json() =>
        {
            let (name, ident) = (field.wire.clone(), field.ident.clone());
            return Some(ObjectField { object_type: of.clone(), name, ident });
        }
        Ok(field) => other_type(item, field, wanted),
        Err(fault) => fault,
    };
    between.rule.report_fault(fault, problems);
    None
}

pub(super) fn text(step: &NamedValues) -> (String, &'static str) {
    let (how, loss) = match step {
        NamedValues::List { .. } => {
            ("the kept list if it has these values, else one in the order of the keys", "lossless")
        }
        NamedValues::Map { .. } => (
            "a map; of several items with one key it has the last",
            "kept in an annotation, unless the map alone restores it",
        ),
    };
    (how.to_owned(), loss)
}

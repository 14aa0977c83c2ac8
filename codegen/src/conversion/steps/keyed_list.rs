//! `keyed-list`: a map of objects in one version, in another a list of objects that have the key in a field.

use crate::Problems;
use crate::conversion::actions::{Action, KeyedList, ObjectField};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Role, Rule, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{Structs, named_field, other_type};
use crate::plan::{ItemPath, RustType};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "keyed-list",
    meaning: "A map becomes a list whose items have the key in a field.",
    takes: "`keyed-list` takes a map of objects and a list of objects, both optional or both required; `field` is a text of the \
            list's items that has the key, which the objects of the map can repeat, and their other fields have rules of their own",
    keys: &[RuleKey::FIELD],
    example: r#"rule = "keyed-list"
names = { v1beta1 = "status.zones", v1 = "status.zones" }
field = "name"
reason = "A map by name in v1beta1, a list in v1.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"keyed-list\"` that names the field in all \
             versions, and in `field` the field of the list's items that has the key of the map",
    role: Role::Keyed,
    converts: |types| types.iter().all(|found| object(found).is_some()),
    objects,
    is_complete: |_, (_, field): (&str, &FieldRef)| field.rust_type.is_list(),
    ..RuleKind::NONE
};

/// The structs of a map and of a list, and the step around the conversion of the one into the other.
fn objects<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<((&'t ItemPath, &'t ItemPath), RuleStep)> {
    let (source, target) = (object(from)?, object(to)?);
    if from.is_option() != to.is_option() {
        return None;
    }
    let mut key = |list: &ItemPath| key_of(rule, list, structs, problems);
    let step = match (from.is_map(), to.is_map()) {
        (true, false) => {
            RuleStep::restores(Action::KeyedList(KeyedList::List { key: key(target)? }))
        }
        (false, true) => RuleStep::keeps(Action::KeyedList(KeyedList::Map { key: key(source)? })),
        _ => return None,
    };
    Some(((source, target), step.inside(from.is_option())))
}

/// The field of an item that has the key. Reports a rule whose field is missing, or is not a text.
fn key_of(
    rule: &Rule<'_>,
    list: &ItemPath,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<ObjectField> {
    let name = rule.text(RuleKey::FIELD.name)?;
    let of = structs.get(list)?;
    let fault = match named_field(of, name) {
        Ok(field) if *field.rust_type.present() == RustType::String => {
            let (name, ident) = (field.wire.clone(), field.ident.clone());
            return Some(ObjectField { object_type: list.clone(), name, ident });
        }
        Ok(field) => other_type(of, field, &RustType::String),
        Err(fault) => fault,
    };
    rule.report_fault(fault, problems);
    None
}

/// The struct of the values of a map, or of the items of a list.
fn object(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type.present() {
        RustType::List(item) | RustType::Map(item) => match &**item {
            RustType::Struct(path) => Some(path),
            _ => None,
        },
        _ => None,
    }
}

/// The steps for a field of the objects of a map that repeats the key.
pub(in crate::conversion) fn repeated() -> [RuleStep; 2] {
    [
        RuleStep::keeps(Action::KeyedList(KeyedList::KeepName)),
        RuleStep::restores(Action::KeyedList(KeyedList::RestoreName)),
    ]
}

pub(super) fn text(step: &KeyedList) -> (String, &'static str) {
    let (how, loss) = match step {
        KeyedList::List { .. } => (
            "a list in the order of the kept list, then of the keys; each item by the fields below",
            "lossless",
        ),
        KeyedList::Map { .. } => (
            "a map by the fields below; of several items with one key it has the last",
            "the order of the list is kept in an annotation, and the items that are not in the map",
        ),
        KeyedList::KeepName => ("the key", "kept in an annotation, unless it is the key"),
        KeyedList::RestoreName => ("the kept name, else the key", "lossless"),
    };
    (how.to_owned(), loss)
}

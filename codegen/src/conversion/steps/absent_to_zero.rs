//! `absent-to-zero`: a value that can be absent in one version, and in another is always present, perhaps empty.

use super::{Applied, Argument, Between, Effect, call};
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::shown;
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    match between.types() {
        (RustType::Option(inner), other) if **inner == *other => {
            Some(fill(between, other, problems))
        }
        (other, RustType::Option(inner)) if **inner == *other => Some(Applied {
            call: call(
                ("absent_to_zero", "restore"),
                vec![Argument::Places, Argument::Value, Argument::Context],
            ),
            how: "absent if it is empty, unless an empty value is kept; absent again if a policy filled it"
                .to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        }),
        _ => None,
    }
}

/// Returns `true` if the rule fits between a value that can be absent and one that is always present. Versions have
/// structs of their own.
pub(super) fn are_alike(inner: &RustType, other: &RustType) -> bool {
    inner == other || matches!((inner, other), (RustType::Struct(_), RustType::Struct(_)))
}

/// The step around the conversion of a struct that can be absent in one of the versions. No policy fills it.
pub(in crate::conversion) fn part(
    rule: &Rule<'_>,
    types: (&RustType, &RustType),
    problems: &mut Problems,
) -> Option<Applied> {
    let is_fill = match types {
        (RustType::Option(inner), other) if are_alike(inner, other) => true,
        (other, RustType::Option(inner)) if are_alike(inner, other) => false,
        _ => return None,
    };
    if rule.stated.fill_from.is_some() {
        rule.does_not_fit("no policy fills an object of another type".to_owned(), problems);
    }
    let arguments = vec![
        Argument::Places,
        Argument::Around(rule.paths(|_| true)),
        Argument::Value,
        Argument::Context,
        Argument::Convert,
    ];
    Some(if is_fill {
        Applied {
            call: call(("absent_to_zero", "fill_part"), arguments),
            how: "an object of the fields below, empty if absent".to_owned(),
            loss: "filled; the annotation tells an empty object from an absent one",
            effect: Effect::Keeps,
        }
    } else {
        Applied {
            call: call(("absent_to_zero", "restore_part"), arguments),
            how: "an object of the fields below; absent if they are empty, unless it was kept otherwise"
                .to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        }
    })
}

fn fill(between: &Between<'_, '_>, value: &RustType, problems: &mut Problems) -> Applied {
    let other = fill_from(between, value, problems);
    let from = other.as_ref().map(|other| format!(" or the value of `{}`", other.path));
    Applied {
        how: format!(
            "empty if absent, unless a policy fills it: with a given value{}",
            from.unwrap_or_default()
        ),
        loss: "filled; the annotation keeps an empty value, and an absent one that a policy fills",
        effect: Effect::Keeps,
        call: call(
            ("absent_to_zero", "fill"),
            vec![
                Argument::Places,
                Argument::Value,
                Argument::Policy(between.rule.policy.clone()),
                Argument::Other(Box::new(other)),
                Argument::Context,
            ],
        ),
    }
}

/// The field whose value a policy can use. It is in the same struct as the field to fill.
fn fill_from(
    between: &Between<'_, '_>,
    value: &RustType,
    problems: &mut Problems,
) -> Option<FieldRef> {
    let (rule, (_, version, side)) = (between.rule, between.from);
    let name = rule.stated.fill_from.as_ref()?;
    let other = side.at(&name.value).map(|(other, _)| other);
    if !other.as_ref().is_some_and(|other| other.rust_type.present() == value) {
        let why = format!(
            "{version} has no `{}` of the type `{}` next to the field to fill",
            name.value,
            shown(value)
        );
        rule.does_not_fit(why, problems);
    }
    other
}

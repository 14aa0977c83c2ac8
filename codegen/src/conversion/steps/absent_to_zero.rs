//! `absent-to-zero`: a value that can be absent in one version, and in another is always present, perhaps empty.

use super::{Applied, Argument, Between, Call, Effect, call, with_report, words};
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::{Structs, innermost, required_fields, type_text};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let by_text = by_text(between.rule);
    let fits = |inner: &RustType, other: &RustType| by_text.is_some() || inner == other;
    let [into_filled, into_optional, _] = functions(by_text.as_ref());
    match between.types() {
        (RustType::Option(inner), other) if fits(inner, other) => {
            Some(fill(into_filled, between, inner, problems))
        }
        (other, RustType::Option(inner)) if fits(inner, other) => Some(Applied::restores(
            call(("absent_to_zero", into_optional), [Argument::Value]),
            "absent if it is empty, unless an empty value is kept; absent again if a policy filled it",
        )),
        _ => None,
    }
}

/// The step into a required time, which has no zero value: an absent one stays absent, and is reported. It needs no rule.
pub(in crate::conversion) fn required(from: (&FieldRef, &str), to: (&FieldRef, &str)) -> Applied {
    let around = [from, to].map(|(field, version)| (version.to_owned(), field.path.clone()));
    let arguments = vec![Argument::Around(around.into()), Argument::Value, Argument::Context];
    Applied {
        how: "the same; an absent one is reported".to_owned(),
        loss: "lossless",
        effect: Effect::Reports,
        call: Call { function: ("absent_to_zero", "required"), arguments, in_option: false },
    }
}

/// The type of the texts, or of the lists of texts, by which values go: the versions have types of their own for the words.
pub(in crate::conversion) fn by_text(rule: &Rule<'_>) -> Option<RustType> {
    let types = rule.found.iter().map(|(_, field)| field.rust_type.present());
    let first = types.clone().next()?;
    if types.clone().all(|found| found == first) {
        return None;
    }
    let is_list = |found: &RustType| matches!(found, RustType::List(item) if words::is_text(item));
    if types.clone().all(is_list) {
        return Some(RustType::List(Box::new(RustType::String)));
    }
    types.clone().all(words::is_text).then_some(RustType::String)
}

/// The functions of the step: into the form that is always present, into the optional one, and into the optional one as
/// texts, by which values go.
fn functions(by_text: Option<&RustType>) -> [&'static str; 3] {
    match by_text {
        None => ["fill", "restore", "restore"],
        Some(RustType::String) => ["fill_text", "restore_text", "restore_as_text"],
        Some(_) => ["fill_text", "restore_texts", "restore_as_texts"],
    }
}

/// The steps for a version that lacks the field: from the required form, which becomes the optional one first, and into it.
pub(super) fn alone(rule: &Rule<'_>, field: &FieldRef) -> [Applied; 2] {
    let [into_filled, kept, optional] = functions(by_text(rule).as_ref());
    let optional = Box::new(call(("absent_to_zero", optional), [Argument::Value]));
    let kept = Box::new(call(("keep_aside", kept), []));
    let keep = [Argument::Inner(optional, true)];
    let policy = Argument::Policy(rule.policy.clone());
    let fill = [Argument::Inner(kept, false), policy, Argument::Other(Box::new(None))];
    let mut filled = Applied {
        loss: "filled",
        ..Applied::restores(
            call(("absent_to_zero", into_filled), fill),
            "the kept value, else empty, unless a policy fills it",
        )
    };
    if let Some(reporting) = filled.reporting().filter(|_| field.required) {
        filled.report_by(reporting, rule.paths(&|_, _| true));
    }
    let loss = "kept in the annotation, unless it is empty";
    [Applied::keeps(call(("keep_aside", "keep"), keep), "has no counterpart", loss), filled]
}

/// Returns `true` if the rule fits between a value that can be absent and one that is always present. Versions have
/// structs and enums of their own.
pub(super) fn are_alike(inner: &RustType, other: &RustType) -> bool {
    let are_structs = innermost(inner, other).is_some();
    inner == other || are_structs || words::are_texts(inner, other)
}

/// The step around the conversion of a struct, or of a list or map of them, that can be absent in one of the versions. No
/// policy fills it.
pub(in crate::conversion) fn part(
    rule: &Rule<'_>,
    types: (&RustType, &RustType),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<Applied> {
    let is_fill = match types {
        (RustType::Option(inner), other) if are_alike(inner, other) => true,
        (other, RustType::Option(inner)) if are_alike(inner, other) => false,
        _ => return None,
    };
    if rule.stated.fill_from.is_some() {
        rule.report_misfit("no policy fills an object of another type".to_owned(), problems);
    }
    // The page shows first how the items of a list or map are converted.
    let (empty, absent) = match types.0.present() {
        RustType::Struct(_) => (
            "an object of the fields below, empty if absent",
            "an object of the fields below; absent if they are empty",
        ),
        _ => ("empty if absent", "absent if it is empty"),
    };
    let around = Argument::Around(rule.paths(&|_, _| true));
    let call = |function, arguments: Vec<Argument>| {
        let mut call = call(("absent_to_zero", function), arguments);
        call.arguments.push(Argument::Convert);
        call
    };
    Some(if is_fill {
        let required = structs.of_type(types.1).map(required_fields).unwrap_or_default();
        let reported = with_report(&required);
        Applied::keeps(
            call("fill_part", vec![around, Argument::Names(required), Argument::Value]),
            format!("{empty}{reported}"),
            "filled; the annotation distinguishes empty from absent",
        )
    } else {
        Applied::restores(
            call("restore_part", vec![around, Argument::Value]),
            format!("{absent}, unless it was kept otherwise"),
        )
    })
}

fn fill(
    function: &'static str,
    between: &Between<'_, '_>,
    value: &RustType,
    problems: &mut Problems,
) -> Applied {
    let other = fill_from(between, value, problems);
    let from = other.as_ref().map(|other| format!(" or the value of `{}`", other.path));
    let from = from.unwrap_or_default();
    let policy = Argument::Policy(between.rule.policy.clone());
    let other = Argument::Other(Box::new(other));
    Applied::keeps(
        call(("absent_to_zero", function), [Argument::Value, policy, other]),
        format!("empty if absent, unless a policy fills it: with a given value{from}"),
        "filled; the annotation records an empty value, and an absent one that a policy filled",
    )
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
            type_text(value)
        );
        rule.report_misfit(why, problems);
    }
    other
}

//! `keep-aside`: a field of one version without a counterpart in another.

use serde_json::Value as Json;

use super::{Applied, Argument, call};
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::{Structs, shown};
use crate::plan::{RustType, code};
use crate::spec::Facts;

/// The step for a field that the target lacks, and the one for a field that the source lacks. A required `field` for which
/// no value is kept is reported.
pub(super) fn alone(field: &FieldRef) -> [Applied; 2] {
    let keep = Applied::keeps(
        call(("keep_aside", "keep"), [Argument::Borrowed]),
        "has no counterpart",
        if field.rust_type.is_option() {
            "kept in the annotation, unless it is absent"
        } else {
            "kept in the annotation, unless it is empty"
        },
    );
    let (function, how) = if field.required {
        ("restore_required", "the kept value, else empty, which is reported")
    } else {
        ("restore", "the kept value, else empty")
    };
    let restore = Applied::restores(call(("keep_aside", function), []), how);
    [keep, Applied { loss: "filled", ..restore }]
}

/// The steps of [`alone`] for a required field that has this value if none is kept.
pub(super) fn filled(
    rule: &Rule<'_>,
    (field, fill): (&FieldRef, &toml::Value),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> [Applied; 2] {
    let fill = serde_json::to_value(fill).unwrap_or_default();
    if let Some(why) = misfit(&fill, field, structs) {
        rule.does_not_fit(why, problems);
    }
    let fill = fill.to_string();
    let how = format!("the kept value, else {}", code(&fill));
    let json = Argument::Json(fill);
    let keep = call(("keep_aside", "keep_unless"), [Argument::Borrowed, json.clone()]);
    let restore = call(("keep_aside", "restore_or"), [json]);
    let loss = "kept in the annotation, unless the conversion back fills in the same value";
    [
        Applied::keeps(keep, "has no counterpart", loss),
        Applied { loss: "filled", ..Applied::restores(restore, how) },
    ]
}

/// The reason why a value cannot fill a field.
fn misfit(fill: &Json, field: &FieldRef, structs: &Structs<'_>) -> Option<String> {
    let path = code(&field.path);
    if !field.required {
        return Some(format!(
            "`fill` is only for required fields that have an empty value; {path} can be absent or has none"
        ));
    }
    let found = structs.field(field)?;
    let is_value = is_of(fill, &field.rust_type);
    if !is_value {
        let of = shown(&field.rust_type);
        return Some(format!("`fill` of {path} must be of type {}: {fill}", code(&of)));
    }
    let items: Vec<&Json> = match fill {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let of_items = || items.into_iter().find_map(|item| broken(item, &found.of.items.facts));
    let broken = broken(fill, &found.of.facts).or_else(of_items)?;
    Some(format!("`fill` of {path} breaks {broken}: {fill}"))
}

/// Returns `true` for values of a type that rules can state: texts, numbers and booleans, and lists and maps of these.
fn is_of(value: &Json, rust_type: &RustType) -> bool {
    match (rust_type, value) {
        (RustType::String | RustType::Vocabulary(_), Json::String(_))
        | (RustType::Bool, Json::Bool(_))
        | (RustType::F64, Json::Number(_)) => true,
        (RustType::I32, Json::Number(number)) => {
            number.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (RustType::I64, Json::Number(number)) => number.is_i64(),
        (RustType::List(item), Json::Array(items)) => items.iter().all(|value| is_of(value, item)),
        (RustType::Map(of), Json::Object(members)) => {
            members.values().all(|value| is_of(value, of))
        }
        _ => false,
    }
}

/// The check of servers that a value breaks. Patterns and rules in CEL are not looked at.
pub(in crate::conversion) fn broken(value: &Json, facts: &Facts) -> Option<String> {
    let breaks = |(keyword, limit): (&&str, &Json)| {
        let length = match value {
            Json::String(text) => Some(text.chars().count()),
            Json::Array(items) => Some(items.len()),
            Json::Object(members) => Some(members.len()),
            _ => None,
        };
        let (number, bound) = (value.as_f64(), limit.as_f64());
        let count = limit.as_u64().and_then(|it| usize::try_from(it).ok());
        let broken = match *keyword {
            "enum" => !limit.as_array()?.contains(value),
            "minimum" => number? < bound?,
            "maximum" => number? > bound?,
            "minLength" | "minItems" | "minProperties" => length? < count?,
            "maxLength" | "maxItems" | "maxProperties" => length? > count?,
            _ => false,
        };
        broken.then(|| code(&format!("{keyword}: {limit}")))
    };
    facts.iter().find_map(breaks)
}

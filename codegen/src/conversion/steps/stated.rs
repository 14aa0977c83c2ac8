//! Values that a rule states or a conversion makes up, and whether servers accept them.

use std::cmp::Ordering;

use k8s_versioned_admission::formats::Format;
use k8s_versioned_admission::regex::Pattern;
use serde_json::{Number, Value as Json};

use crate::conversion::cel_rules::violated;
use crate::conversion::plan::FieldRef;
use crate::conversion::structs::{Structs, type_text};
use crate::plan::{RustType, code};
use crate::problem::RuleFault;
use crate::rules::paths::is_of_items;
use crate::spec::Facts;

/// Checks that the value of a key can be one of a field.
pub(in crate::conversion) fn check_value(
    key: &'static str,
    value: &Json,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Result<(), RuleFault> {
    let stated = || (field.path.to_string(), value.clone());
    if !is_of(value, field.rust_type.present()) {
        let ((path, value), wanted) = (stated(), type_text(field.rust_type.present()));
        return Err(RuleFault::ValueType { key, path, wanted, value });
    }
    match refused(value, field, structs) {
        Some(check) => {
            let (path, value) = stated();
            Err(RuleFault::ValueRefused { key, path, check, value })
        }
        None => Ok(()),
    }
}

/// The server's check that a value of a field, or an item of the value, breaks. CEL rules of the field and of its items count.
pub(in crate::conversion) fn refused(
    value: &Json,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Option<String> {
    let of = &structs.field(field)?.property;
    let judged = |value: &Json, rust_type: &RustType, facts: &Facts| {
        broken(value, facts).or_else(|| violated(value, rust_type, facts))
    };
    if is_of_items(&field.path) {
        return judged(value, &field.rust_type, &of.items.facts);
    }
    let items: Vec<&Json> = match value {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let of_items = || {
        let item = field.item()?.rust_type;
        items.into_iter().find_map(|value| judged(value, &item, &of.items.facts))
    };
    judged(value, &field.rust_type, &of.facts).or_else(of_items)
}

/// The value that a conversion makes up for a type; `None` if the empty value is not valid for the type.
pub(in crate::conversion) fn made_up(rust_type: &RustType) -> Option<Json> {
    Some(match rust_type {
        RustType::String | RustType::OpenEnum(_) => Json::from(""),
        RustType::I32 | RustType::I64 | RustType::F64 => Json::from(0),
        RustType::Bool => Json::from(false),
        RustType::List(_) => Json::Array(Vec::new()),
        RustType::Map(_) => Json::Object(serde_json::Map::new()),
        _ => return None,
    })
}

/// Returns `true` for values of a type that rules can state: texts, numbers and booleans, and lists and maps of these.
fn is_of(value: &Json, rust_type: &RustType) -> bool {
    if rust_type.is_json() {
        return true;
    }
    match (rust_type, value) {
        (RustType::String | RustType::OpenEnum(_), Json::String(_))
        | (RustType::Bool, Json::Bool(_))
        | (RustType::F64, Json::Number(_)) => true,
        (RustType::I32, Json::Number(number)) => {
            number.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (RustType::I64, Json::Number(number)) => number.is_i64(),
        // The format of a time is among its facts; the texts of quantities are not read.
        (RustType::External(path, _), Json::String(_)) => {
            matches!(path.name.as_str(), "Quantity" | "DateTime")
        }
        (RustType::List(item), Json::Array(items)) => items.iter().all(|value| is_of(value, item)),
        (RustType::Map(of), Json::Object(members)) => {
            members.values().all(|value| is_of(value, of))
        }
        _ => false,
    }
}

/// The check of servers that a value breaks, other than rules in CEL. The items of items are not looked at: their facts are not known
/// here.
pub(super) fn broken(value: &Json, facts: &Facts) -> Option<String> {
    let is_exclusive = |keyword| facts.get(keyword) == Some(&Json::Bool(true));
    let breaks = |(keyword, limit): (&&str, &Json)| {
        let length = match value {
            Json::String(text) => Some(text.chars().count()),
            Json::Array(items) => Some(items.len()),
            Json::Object(members) => Some(members.len()),
            _ => None,
        };
        let order = |limit: &Json| compare(value.as_number()?, limit.as_number()?);
        let count = limit.as_u64().and_then(|count| usize::try_from(count).ok());
        let broken = match *keyword {
            "enum" => !limit.as_array()?.contains(value),
            "minimum" => {
                is_outside(order(limit)?, Ordering::Less, is_exclusive("exclusiveMinimum"))
            }
            "maximum" => {
                is_outside(order(limit)?, Ordering::Greater, is_exclusive("exclusiveMaximum"))
            }
            "multipleOf" => !is_multiple(value.as_number()?, limit.as_number()?),
            "format" => !Format::named(limit.as_str()?)?.check(value.as_str()?),
            "pattern" => !Pattern::compile(limit.as_str()?).ok()?.is_match(value.as_str()?),
            "minLength" | "minItems" | "minProperties" => length? < count?,
            "maxLength" | "maxItems" | "maxProperties" => length? > count?,
            _ => false,
        };
        broken.then(|| code(&format!("{keyword}: {limit}")))
    };
    facts.iter().find_map(breaks)
}

/// The order of a number and a limit, which servers read as a float. Integers that a float cannot hold are compared exactly.
fn compare(number: &Number, limit: &Number) -> Option<Ordering> {
    let limit = limit.as_f64()?;
    match number.as_i64().zip(whole(limit)) {
        Some((number, limit)) => Some(number.cmp(&limit)),
        None => number.as_f64()?.partial_cmp(&limit),
    }
}

fn is_outside(order: Ordering, outside: Ordering, is_exclusive: bool) -> bool {
    order == outside || is_exclusive && order == Ordering::Equal
}

/// Returns `true` if a number is a multiple of a factor, as servers count: nearly, for floats.
fn is_multiple(number: &Number, factor: &Number) -> bool {
    let Some((number_float, factor)) = number.as_f64().zip(factor.as_f64()) else { return true };
    if let Some((number, factor)) = number.as_i64().zip(whole(factor)) {
        return number.checked_rem(factor).is_none_or(|rest| rest == 0);
    }
    let quotient = number_float / factor;
    (quotient - quotient.round()).abs() <= quotient.abs() * 1e-9
}

/// A float that is an integer.
fn whole(float: f64) -> Option<i64> {
    // The nearest float to the largest integer is larger.
    let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
    #[allow(clippy::cast_possible_truncation, reason = "it is an integer in the range")]
    (float.fract() == 0.0 && range.contains(&float)).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::broken;
    use crate::spec::Facts;

    #[test]
    fn values_break_what_servers_check() {
        let table = [
            // The limit is the float 9007199254740992, and a float cannot hold the value.
            ("maximum", json!(9_007_199_254_740_992_i64), json!(9_007_199_254_740_993_i64), true),
            ("maximum", json!(9_007_199_254_740_992_i64), json!(9_007_199_254_740_992_i64), false),
            ("minimum", json!(1.5), json!(1), true),
            ("minimum", json!(1.5), json!(2), false),
            ("multipleOf", json!(5), json!(7), true),
            ("multipleOf", json!(5), json!(10), false),
            ("multipleOf", json!(0.1), json!(0.3), false),
            ("multipleOf", json!(0.1), json!(0.35), true),
            ("format", json!("date"), json!("tomorrow"), true),
            ("format", json!("date"), json!("2026-01-02"), false),
            ("format", json!("invented"), json!("a"), false),
        ];
        for (keyword, limit, value, expected) in table {
            let facts: Facts = [(keyword, limit.clone())].into_iter().collect();
            let is_broken = broken(&value, &facts).is_some();
            assert_eq!(is_broken, expected, "{keyword}: {limit}, {value}");
        }
        let exclusive: Facts =
            [("maximum", json!(3)), ("exclusiveMaximum", Json::Bool(true))].into_iter().collect();
        assert_eq!(broken(&json!(3), &exclusive), Some("`maximum: 3`".to_owned()));
        assert_eq!(broken(&json!(2), &exclusive), None);
    }
}

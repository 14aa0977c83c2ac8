//! Values that a rule states or a conversion makes up, and whether servers accept them.

use k8s_versioned_admission::regex::Pattern;
use serde_json::Value as Json;

use crate::conversion::plan::FieldRef;
use crate::conversion::structs::{Structs, type_text};
use crate::plan::{RustType, code};
use crate::spec::Facts;

/// Says why the value of a key cannot be one of a field.
pub(in crate::conversion) fn check_value(
    key: &str,
    value: &Json,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Result<(), String> {
    let path = code(&field.path);
    if !is_of(value, field.rust_type.present()) {
        let of = type_text(field.rust_type.present());
        return Err(format!("`{key}` of {path} must be of type {}: {value}", code(&of)));
    }
    match refused(value, field, structs) {
        Some(broken) => Err(format!("`{key}` of {path} breaks {broken}: {value}")),
        None => Ok(()),
    }
}

/// The check of servers that a value of a field breaks, or an item of it.
pub(in crate::conversion) fn refused(
    value: &Json,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Option<String> {
    let of = &structs.field(field)?.property;
    if field.path.ends_with("[]") {
        return broken(value, &of.items.facts);
    }
    let items: Vec<&Json> = match value {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let of_items = || items.into_iter().find_map(|item| broken(item, &of.items.facts));
    broken(value, &of.facts).or_else(of_items)
}

/// The value that a conversion makes up for a type; `None` if the empty value is not valid for the type.
pub(in crate::conversion) fn made_up(rust_type: &RustType) -> Option<Json> {
    Some(match rust_type {
        RustType::String | RustType::Vocabulary(_) => Json::from(""),
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
        (RustType::String | RustType::Vocabulary(_), Json::String(_))
        | (RustType::Bool, Json::Bool(_))
        | (RustType::F64, Json::Number(_)) => true,
        (RustType::I32, Json::Number(number)) => {
            number.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (RustType::I64, Json::Number(number)) => number.is_i64(),
        // The generator does not read the texts of these.
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

/// The check of servers that a value breaks. Rules in CEL are not looked at.
pub(super) fn broken(value: &Json, facts: &Facts) -> Option<String> {
    let is_exclusive = |keyword| facts.get(keyword) == Some(&Json::Bool(true));
    let breaks = |(keyword, limit): (&&str, &Json)| {
        let length = match value {
            Json::String(text) => Some(text.chars().count()),
            Json::Array(items) => Some(items.len()),
            Json::Object(members) => Some(members.len()),
            _ => None,
        };
        let (number, bound) = (value.as_f64(), limit.as_f64());
        let count = limit.as_u64().and_then(|number| usize::try_from(number).ok());
        let broken = match *keyword {
            "enum" => !limit.as_array()?.contains(value),
            "minimum" => number? < bound? || is_exclusive("exclusiveMinimum") && number? <= bound?,
            "maximum" => number? > bound? || is_exclusive("exclusiveMaximum") && number? >= bound?,
            "pattern" => !Pattern::compile(limit.as_str()?).ok()?.is_match(value.as_str()?),
            "minLength" | "minItems" | "minProperties" => length? < count?,
            "maxLength" | "maxItems" | "maxProperties" => length? > count?,
            _ => false,
        };
        broken.then(|| code(&format!("{keyword}: {limit}")))
    };
    facts.iter().find_map(breaks)
}

//! Fields of objects, values of maps and items of lists.

use super::budget::Meter;
use super::program::Field;
use super::value::{Evaluated, Fault, Value};

/// `value.field`.
pub(super) fn select<'v>(
    value: &Value<'v>,
    field: &'v Field,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let find = |own: &Value<'v>| find_field(own, field, meter);
    qualify(value, &Value::borrowed(&field.name), field.optional, find, meter)
}

/// `value[key]`.
pub(super) fn index<'v>(
    value: &Value<'v>,
    key: &Value<'v>,
    optional: bool,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    qualify(value, key, optional, |own| find(own, key, meter), meter)
}

/// A member of a value. After the first optional, a missing member is an empty optional.
fn qualify<'v>(
    value: &Value<'v>,
    key: &Value<'v>,
    optional: bool,
    find: impl Fn(&Value<'v>) -> Evaluated<Option<Value<'v>>>,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    // Servers count no step to a member of an empty optional, nor to a missing member.
    let nothing = || meter.refund(1).map(|()| Value::Optional(None));
    let (value, optional) = match value {
        Value::Optional(None) => return nothing(),
        Value::Optional(Some(value)) => (&**value, true),
        value => (value, optional),
    };
    match find(value)? {
        Some(member) if optional => Ok(Value::some(member)),
        Some(member) => Ok(member),
        None if optional => nothing(),
        None if matches!(value, Value::List(_)) => {
            Err(Fault::error(format!("index out of bounds: {}", shown(key))))
        }
        None => Err(Fault::error(format!("no such key: {}", shown(key)))),
    }
}

/// A field of a value, if there is one.
pub(super) fn find_field<'v>(
    value: &Value<'v>,
    field: &'v Field,
    meter: &Meter,
) -> Evaluated<Option<Value<'v>>> {
    find(value, &Value::borrowed(&field.name), meter)
}

/// A field of an object, a value of a map, or an item of a list, if there is one.
fn find<'v>(value: &Value<'v>, key: &Value<'v>, meter: &Meter) -> Evaluated<Option<Value<'v>>> {
    let Value::List(list) = value else { return value.find(key, meter) };
    let unsupported = || Fault::error(format!("unsupported index value {} in list", shown(key)));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "compared with the original"
    )]
    let position = match key {
        Value::Int(position) => *position,
        Value::Uint(position) => i64::try_from(*position).map_err(|_| unsupported())?,
        Value::Double(position) => {
            let whole = *position as i64;
            if whole as f64 == *position { whole } else { return Err(unsupported()) }
        }
        other => {
            return Err(Fault::error(format!(
                "unsupported index type '{}' in list",
                other.type_name()
            )));
        }
    };
    usize::try_from(position).ok().and_then(|position| list.get(position, meter)).transpose()
}

/// A value as Go prints it in errors.
pub(super) fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Double(value) => crate::values::text::go_float(*value),
        other => other.type_name().to_owned(),
    }
}

//! The cost of a call, as servers count it when a rule is evaluated (`interpreter.CostTracker` of cel-go).

use super::function::Cost;
use super::{NEW_LIST, PER_CHARACTER, PER_PATTERN_CHARACTER, scaled};
use crate::eval::Meter;
use crate::eval::value::{Evaluated, Value};
use crate::functions::named;

/// The characters, bytes, items or entries of a value; 1 for a value that has none.
fn size(value: Option<&Value<'_>>, meter: &Meter) -> Evaluated<u64> {
    Ok(match value {
        Some(Value::Text(text)) => {
            meter.read(text.len())?;
            text.chars().count() as u64
        }
        // The bytes of an address, and of the prefix of a network.
        Some(Value::Ip(address)) => {
            if address.is_ipv4() {
                4
            } else {
                16
            }
        }
        Some(Value::Cidr(network)) => u64::from(network.prefix_bytes()),
        Some(value) => value.size().map_or(1, |size| size as u64),
        None => 1,
    })
}

/// The cost of a call without its arguments.
pub(crate) fn cost(
    cost: Cost,
    arguments: &[Value<'_>],
    result: &Value<'_>,
    meter: &Meter,
) -> Evaluated<u64> {
    let size_of = |at: usize| size(arguments.get(at), meter);
    let read = |size: u64| scaled(size, PER_CHARACTER);
    Ok(match cost {
        Cost::Unit | Cost::AddLists => 1,
        Cost::Authorize => super::function::AUTHORIZATION,
        Cost::Read
        | Cost::Parse
        | Cost::ParseUrl
        | Cost::Affix
        | Cost::TextOfBytes
        | Cost::BytesOfText
        | Cost::Quote
        | Cost::Format => read(size_of(0)?),
        Cost::ParseTwice | Cost::Replace | Cost::Split => scaled(size_of(0)?, 2.0 * PER_CHARACTER),
        Cost::Join => scaled(size(Some(result), meter)?, 2.0 * PER_CHARACTER),
        Cost::Traverse => arguments.first().map_or(Ok(1), |own| traverse(own, meter))?,
        Cost::Find | Cost::Match => search(size_of(0)?, size_of(1)?),
        Cost::Validate => {
            let Some(Value::Format(format)) = arguments.first() else { return Ok(1) };
            search(size_of(1)?, named::pattern_length(format))
        }
        Cost::Contain => read(size_of(0)?).saturating_mul(read(size_of(1)?)),
        Cost::Compare => compare(arguments, meter)?,
        Cost::Equal => equal(arguments, meter)?,
        Cost::Contained => size_of(1)?,
        Cost::AddTexts => read(size_of(0)?.saturating_add(size_of(1)?)),
        Cost::Sets(times) => {
            let pairs = size_of(0)?.saturating_mul(size_of(1)?);
            pairs.saturating_mul(u64::from(times)).saturating_add(1)
        }
        Cost::ContainIp => {
            let own = size_of(0)?;
            read(2 * own) + parsed(arguments, meter)?
        }
        Cost::ContainCidr => {
            let own = size_of(0)?;
            read(2 * own) + read(own) + 1 + parsed(arguments, meter)?
        }
        Cost::Slice | Cost::Range | Cost::Reverse => new_list(1.0, size(Some(result), meter)?),
        Cost::Flatten => size_of(0)?.saturating_mul(depth(arguments)).saturating_add(1 + NEW_LIST),
        Cost::Distinct | Cost::Sort => pairs(arguments.first(), meter)?,
    })
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "servers compute with floats; the cast saturates"
)]
fn new_list(factor: f64, size: u64) -> u64 {
    ((size as f64 * factor) as u64).saturating_add(1 + NEW_LIST)
}

/// The cost of comparing all items of a list with each other.
pub(crate) fn pairs(list: Option<&Value<'_>>, meter: &Meter) -> Evaluated<u64> {
    let Some(Value::List(list)) = list else { return Ok(1) };
    let size = list.len() as u64;
    let of_texts =
        matches!(list.get(0, meter).transpose()?, Some(Value::Text(_) | Value::Bytes(_)));
    let factor = if of_texts { 2.0 + PER_CHARACTER } else { 2.0 };
    Ok(new_list(factor, size.saturating_mul(size)))
}

fn search(text: u64, pattern: u64) -> u64 {
    let text = scaled(text.saturating_add(1), PER_CHARACTER);
    text.saturating_mul(scaled(pattern, PER_PATTERN_CHARACTER))
}

/// How deep `flatten` goes.
fn depth(arguments: &[Value<'_>]) -> u64 {
    match arguments.get(1) {
        Some(Value::Int(depth)) => u64::try_from(*depth).unwrap_or_default(),
        _ => 1,
    }
}

/// The cost of `==`. Values of a library cost one unit.
fn equal(arguments: &[Value<'_>], meter: &Meter) -> Evaluated<u64> {
    match arguments.first() {
        Some(
            Value::Quantity(_)
            | Value::Ip(_)
            | Value::Cidr(_)
            | Value::Format(_)
            | Value::Url(_)
            | Value::Semver(_),
        ) => Ok(1),
        _ => compare(arguments, meter),
    }
}

fn compare(arguments: &[Value<'_>], meter: &Meter) -> Evaluated<u64> {
    let [a, b] = arguments else { return Ok(1) };
    let scalar = |value: &Value<'_>| {
        matches!(
            value,
            Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Bool(_) | Value::Null
        )
    };
    // A scalar has the size 1, and no empty value is equal to it.
    if scalar(a) && scalar(b) {
        return Ok(1);
    }
    // A unit covers ten characters, so short texts need no count.
    if let (Value::Text(a), Value::Text(b)) = (a, b)
        && a.len().min(b.len()) <= 10
    {
        return Ok(u64::from(!a.is_empty() && !b.is_empty()));
    }
    Ok(scaled(size(Some(a), meter)?.min(size(Some(b), meter)?), PER_CHARACTER))
}

/// What the second argument of a function on networks costs, if it is a text.
fn parsed(arguments: &[Value<'_>], meter: &Meter) -> Evaluated<u64> {
    match arguments.get(1) {
        Some(text @ Value::Text(_)) => Ok(scaled(size(Some(text), meter)?, PER_CHARACTER)),
        _ => Ok(0),
    }
}

/// The cost of visiting a value with all its parts. Each text counts in whole units.
fn traverse(value: &Value<'_>, meter: &Meter) -> Evaluated<u64> {
    meter.work(1)?;
    Ok(match value {
        Value::Text(text) => text.len() as u64 / 10,
        Value::Bytes(bytes) => bytes.len() as u64 / 10,
        Value::List(list) => {
            let mut total = 0_u64;
            for item in list.iter(meter) {
                total = total.saturating_add(traverse(&item?, meter)?);
            }
            total
        }
        Value::Map(map) => {
            let mut total = 0_u64;
            for (key, value) in &map.entries {
                let entry = traverse(key, meter)?.saturating_add(traverse(value, meter)?);
                total = total.saturating_add(entry);
            }
            total
        }
        Value::Data(data) => {
            let mut total = 0_u64;
            for key in data.keys() {
                let own = value.find(&key, meter)?.unwrap_or(Value::Null);
                let entry = traverse(&key, meter)?.saturating_add(traverse(&own, meter)?);
                total = total.saturating_add(entry);
            }
            total
        }
        _ => 1,
    })
}

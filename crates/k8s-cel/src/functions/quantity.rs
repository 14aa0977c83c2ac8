//! Quantities in rules.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::values::quantity::{Quantity, Refusal, parse};

fn fault(refusal: Refusal) -> Fault {
    match refusal {
        Refusal::Invalid(message) => Fault::error(message),
        Refusal::TooLarge => Fault::not_judged("a quantity with more than 38 digits"),
    }
}

/// `quantity(text)`.
pub(crate) fn to_quantity<'v>(text: &str) -> Evaluated<Value<'v>> {
    parse(text).map(|quantity| Value::Quantity(Rc::new(quantity))).map_err(fault)
}

/// `isQuantity(text)`: true for quantities that do not fit here.
pub(crate) fn is_quantity(text: &str) -> bool {
    !matches!(parse(text), Err(Refusal::Invalid(_)))
}

fn own(value: &Value<'_>) -> Evaluated<Quantity> {
    match value {
        Value::Quantity(quantity) => Ok(**quantity),
        _ => Err(Fault::no_overload()),
    }
}

fn pair(arguments: &[Value<'_>]) -> Evaluated<(Quantity, Quantity)> {
    match arguments {
        [Value::Quantity(a), Value::Quantity(b)] => Ok((**a, **b)),
        _ => Err(Fault::no_overload()),
    }
}

/// `isGreaterThan(other)` and `isLessThan(other)`.
pub(super) fn compare<'v>(
    arguments: &[Value<'v>],
    holds: fn(Ordering) -> bool,
) -> Evaluated<Value<'v>> {
    let (own, other) = pair(arguments)?;
    Ok(Value::Bool(holds(own.amount.cmp(&other.amount))))
}

/// `compareTo(other)`.
pub(super) fn order<'v>(arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
    let (own, other) = pair(arguments)?;
    Ok(Value::Int(own.amount.cmp(&other.amount) as i64))
}

/// `sign(quantity)`.
pub(super) fn sign<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Int(own(value)?.amount.cmp(&0) as i64))
}

/// `isInteger()`.
pub(super) fn is_integer<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Bool(own(value)?.integer().is_some()))
}

/// `asInteger()`.
pub(super) fn integer<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    let integer = own(value)?.integer();
    integer.map(Value::Int).ok_or_else(|| Fault::error("cannot convert value to integer"))
}

/// `asApproximateFloat()`.
pub(super) fn approximate<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Double(own(value)?.approximate()))
}

/// `add(other)` and `sub(other)`.
pub(super) fn sum<'v>(arguments: &[Value<'v>], subtracts: bool) -> Evaluated<Value<'v>> {
    let (own, other) = match arguments {
        [Value::Quantity(a), Value::Quantity(b)] => (**a, **b),
        [Value::Quantity(a), Value::Int(b)] => (**a, Quantity::of(*b)),
        _ => return Err(Fault::no_overload()),
    };
    let other = if subtracts { other.negated() } else { other };
    let sum = own.plus(other).map(|sum| Value::Quantity(Rc::new(sum)));
    sum.ok_or_else(|| fault(Refusal::TooLarge))
}

//! The arguments of functions, by the types that their rows declare.

use std::net::IpAddr;

use super::Context;
use super::operators::{Arithmetic, Comparison};
use crate::eval::value::{Evaluated, Fault, List, Value};
use crate::values::instant::Time;
use crate::values::network::Cidr;
use crate::values::url::Url;

pub(super) fn instant(arguments: &[Value<'_>]) -> Evaluated<Time> {
    match arguments.first() {
        Some(Value::Timestamp(time)) => Ok(*time),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn duration(arguments: &[Value<'_>]) -> Evaluated<i64> {
    match arguments.first() {
        Some(Value::Duration(nanoseconds)) => Ok(*nanoseconds),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn address<'a>(arguments: &'a [Value<'_>]) -> Evaluated<&'a Url> {
    match arguments.first() {
        Some(Value::Url(url)) => Ok(url),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn ip(arguments: &[Value<'_>]) -> Evaluated<IpAddr> {
    match arguments.first() {
        Some(Value::Ip(address)) => Ok(*address),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn first<'a, 'v>(arguments: &'a [Value<'v>]) -> Evaluated<&'a Value<'v>> {
    arguments.first().ok_or_else(Fault::no_overload)
}

pub(super) fn second<'a, 'v>(arguments: &'a [Value<'v>]) -> Evaluated<&'a Value<'v>> {
    arguments.get(1).ok_or_else(Fault::no_overload)
}

pub(super) fn text<'a>(arguments: &'a [Value<'_>], at: usize) -> Evaluated<&'a str> {
    match arguments.get(at) {
        Some(Value::Text(text)) => Ok(text),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn int(arguments: &[Value<'_>], at: usize) -> Evaluated<i64> {
    match arguments.get(at) {
        Some(Value::Int(value)) => Ok(*value),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn flag(arguments: &[Value<'_>], at: usize) -> Evaluated<bool> {
    match arguments.get(at) {
        Some(Value::Bool(value)) => Ok(*value),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn list<'a, 'v>(arguments: &'a [Value<'v>], at: usize) -> Evaluated<&'a List<'v>> {
    match arguments.get(at) {
        Some(Value::List(list)) => Ok(list),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn network(arguments: &[Value<'_>], at: usize) -> Evaluated<Cidr> {
    match arguments.get(at) {
        Some(Value::Cidr(network)) => Ok(*network),
        _ => Err(Fault::no_overload()),
    }
}

/// What `join()` puts between texts.
pub(super) const fn empty() -> &'static str {
    ""
}

/// A function that the planner replaces by a step of its own.
pub(super) fn planned<'v>(_: &Context<'_>, _: &[Value<'v>]) -> Evaluated<Value<'v>> {
    Err(Fault::no_overload())
}

/// A question to a cluster: there is none here.
pub(super) fn not_asked<'v>(_: &Context<'_>, _: &[Value<'v>]) -> Evaluated<Value<'v>> {
    Err(Fault::not_judged("the authorizer of a cluster is not asked here"))
}

pub(super) fn compare<'v>(
    operator: Comparison,
    context: &Context<'_>,
    arguments: &[Value<'v>],
) -> Evaluated<Value<'v>> {
    operator.holds(first(arguments)?, second(arguments)?, context.meter).map(Value::Bool)
}

pub(super) fn compute<'v>(
    operator: Arithmetic,
    context: &Context<'_>,
    arguments: &[Value<'v>],
) -> Evaluated<Value<'v>> {
    operator.apply(first(arguments)?, second(arguments)?, context.meter)
}

/// `size(value)`.
pub(super) fn size<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    let size = value.size().and_then(|size| i64::try_from(size).ok());
    size.map(Value::Int).ok_or_else(|| Fault::error("no such overload: size"))
}

/// `optional.ofNonZeroValue(value)`.
pub(super) fn optional_of<'v>(value: &Value<'v>) -> Value<'v> {
    if value.is_zero() { Value::Optional(None) } else { Value::some(value.clone()) }
}

pub(super) fn has_value<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Optional(value) => Ok(Value::Bool(value.is_some())),
        _ => Err(Fault::no_overload()),
    }
}

pub(super) fn value_of<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Optional(Some(value)) => Ok((**value).clone()),
        Value::Optional(None) => Err(Fault::error("optional.none() dereference")),
        _ => Err(Fault::no_overload()),
    }
}

//! Operators of one and two operands.

use std::cmp::Ordering;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::functions::time;

pub(crate) const INT_OVERFLOW: &str = "integer overflow";
pub(crate) const UINT_OVERFLOW: &str = "unsigned integer overflow";

fn or_overflow<T>(value: Option<T>, message: &str) -> Evaluated<T> {
    value.ok_or_else(|| Fault::error(message))
}

/// The server's words for an operator that the left operand does not have.
fn unsupported<'v>(function: &str, left: &Value<'v>) -> Evaluated<Value<'v>> {
    match left {
        Value::Text(_) | Value::Timestamp(_) | Value::Duration(_) => Err(Fault::no_overload()),
        _ => Err(Fault::Error(format!("no such overload: {function}"))),
    }
}

/// Applies a binary operator. Returns `None` if the operator is not known.
pub(crate) fn binary<'v>(
    function: &str,
    a: &Value<'v>,
    b: &Value<'v>,
) -> Option<Evaluated<Value<'v>>> {
    Some(match function {
        "_==_" => a.equals(b).map(Value::Bool),
        // What cannot be compared is different, too.
        "_!=_" => match a.equals(b) {
            Err(Fault::NotJudged(reason)) => Err(Fault::NotJudged(reason)),
            equal => Ok(Value::Bool(equal != Ok(true))),
        },
        "@in" => a.is_in(b).map(Value::Bool),
        "_<_" => ordered(function, a, b, Ordering::is_lt),
        "_<=_" => ordered(function, a, b, Ordering::is_le),
        "_>_" => ordered(function, a, b, Ordering::is_gt),
        "_>=_" => ordered(function, a, b, Ordering::is_ge),
        "_+_" | "_-_" | "_*_" | "_/_" | "_%_" => arithmetic(function, a, b),
        _ => return None,
    })
}

fn ordered<'v>(
    function: &str,
    a: &Value<'v>,
    b: &Value<'v>,
    holds: fn(Ordering) -> bool,
) -> Evaluated<Value<'v>> {
    if !a.is_ordered() {
        return unsupported(function, a);
    }
    a.compare(b).map(|order| Value::Bool(holds(order)))
}

/// Applies `+`, `-`, `*`, `/` or `%`.
pub(crate) fn arithmetic<'v>(function: &str, a: &Value<'v>, b: &Value<'v>) -> Evaluated<Value<'v>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(function, *a, *b).map(Value::Int),
        (Value::Uint(a), Value::Uint(b)) => uint(function, *a, *b).map(Value::Uint),
        (Value::Double(left), Value::Double(right)) => match function {
            "_+_" => Ok(Value::Double(left + right)),
            "_-_" => Ok(Value::Double(left - right)),
            "_*_" => Ok(Value::Double(left * right)),
            "_/_" => Ok(Value::Double(left / right)),
            _ => unsupported(function, a),
        },
        _ => match (function, a, b) {
            ("_+_", Value::Text(a), Value::Text(b)) => Ok(Value::text(format!("{}{}", &**a, &**b))),
            ("_+_", Value::Bytes(a), Value::Bytes(b)) => {
                Ok(Value::Bytes([&**a, &**b].concat().into()))
            }
            ("_+_", Value::List(a), Value::List(b)) => a.concat(b).map(Value::List),
            ("_+_", Value::Timestamp(time), Value::Duration(by))
            | ("_+_", Value::Duration(by), Value::Timestamp(time)) => time::add(*time, *by),
            ("_-_", Value::Timestamp(time), Value::Duration(by)) => {
                time::add(*time, or_overflow(by.checked_neg(), "timestamp overflow")?)
            }
            ("_-_", Value::Timestamp(a), Value::Timestamp(b)) => time::difference(*a, *b),
            ("_+_", Value::Duration(a), Value::Duration(b)) => {
                or_overflow(a.checked_add(*b), INT_OVERFLOW).map(Value::Duration)
            }
            ("_-_", Value::Duration(a), Value::Duration(b)) => {
                or_overflow(a.checked_sub(*b), INT_OVERFLOW).map(Value::Duration)
            }
            _ if supports(function, a) => Err(Fault::no_overload()),
            _ => unsupported(function, a),
        },
    }
}

const fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

/// Returns `true` if the operator exists for the left operand, with another right one.
fn supports(function: &str, left: &Value<'_>) -> bool {
    match function {
        "_+_" => {
            is_number(left)
                || matches!(
                    left,
                    Value::Text(_)
                        | Value::Bytes(_)
                        | Value::List(_)
                        | Value::Timestamp(_)
                        | Value::Duration(_)
                )
        }
        "_-_" => is_number(left) || matches!(left, Value::Timestamp(_) | Value::Duration(_)),
        "_%_" => matches!(left, Value::Int(_) | Value::Uint(_)),
        _ => is_number(left),
    }
}

fn int(function: &str, a: i64, b: i64) -> Evaluated<i64> {
    match function {
        "_+_" => or_overflow(a.checked_add(b), INT_OVERFLOW),
        "_-_" => or_overflow(a.checked_sub(b), INT_OVERFLOW),
        "_*_" => or_overflow(a.checked_mul(b), INT_OVERFLOW),
        "_/_" if b == 0 => Err(Fault::error("division by zero")),
        "_/_" => or_overflow(a.checked_div(b), INT_OVERFLOW),
        "_%_" if b == 0 => Err(Fault::error("modulus by zero")),
        "_%_" => or_overflow(a.checked_rem(b), INT_OVERFLOW),
        _ => Err(Fault::no_overload()),
    }
}

fn uint(function: &str, a: u64, b: u64) -> Evaluated<u64> {
    match function {
        "_+_" => or_overflow(a.checked_add(b), UINT_OVERFLOW),
        "_-_" => or_overflow(a.checked_sub(b), UINT_OVERFLOW),
        "_*_" => or_overflow(a.checked_mul(b), UINT_OVERFLOW),
        "_/_" => or_overflow(a.checked_div(b), "division by zero"),
        "_%_" => or_overflow(a.checked_rem(b), "modulus by zero"),
        _ => Err(Fault::no_overload()),
    }
}

/// Applies `!` or `-`.
pub(crate) fn unary<'v>(function: &str, operand: &Value<'v>) -> Evaluated<Value<'v>> {
    match (function, operand) {
        ("!_", Value::Bool(value)) => Ok(Value::Bool(!value)),
        ("!_", _) => Err(Fault::no_overload()),
        ("-_", Value::Int(value)) => or_overflow(value.checked_neg(), INT_OVERFLOW).map(Value::Int),
        ("-_", Value::Double(value)) => Ok(Value::Double(-value)),
        _ => unsupported(function, operand),
    }
}

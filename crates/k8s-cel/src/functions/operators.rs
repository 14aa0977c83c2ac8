//! Operators of one and two operands.

use std::cmp::Ordering;

use crate::eval::Meter;
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

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    In,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// The operator of a function, if it is one.
    pub(crate) fn named(function: &str) -> Option<Self> {
        Some(match function {
            "_==_" => Self::Equal,
            "_!=_" => Self::NotEqual,
            "@in" => Self::In,
            "_<_" => Self::Less,
            "_<=_" => Self::LessOrEqual,
            "_>_" => Self::Greater,
            "_>=_" => Self::GreaterOrEqual,
            "_+_" => Self::Add,
            "_-_" => Self::Subtract,
            "_*_" => Self::Multiply,
            "_/_" => Self::Divide,
            "_%_" => Self::Remainder,
            _ => return None,
        })
    }

    const fn function(self) -> &'static str {
        match self {
            Self::Equal => "_==_",
            Self::NotEqual => "_!=_",
            Self::In => "@in",
            Self::Less => "_<_",
            Self::LessOrEqual => "_<=_",
            Self::Greater => "_>_",
            Self::GreaterOrEqual => "_>=_",
            Self::Add => "_+_",
            Self::Subtract => "_-_",
            Self::Multiply => "_*_",
            Self::Divide => "_/_",
            Self::Remainder => "_%_",
        }
    }

    pub(crate) fn apply<'v>(
        self,
        a: &Value<'v>,
        b: &Value<'v>,
        meter: &Meter,
    ) -> Evaluated<Value<'v>> {
        match self {
            Self::Equal => a.equals(b, meter).map(Value::Bool),
            // What cannot be compared is different, too.
            Self::NotEqual => match a.equals(b, meter) {
                Err(fault) if fault.is_final() => Err(fault),
                equal => Ok(Value::Bool(equal != Ok(true))),
            },
            Self::In => a.is_in(b, meter).map(Value::Bool),
            Self::Less => self.ordered(a, b, Ordering::is_lt, meter),
            Self::LessOrEqual => self.ordered(a, b, Ordering::is_le, meter),
            Self::Greater => self.ordered(a, b, Ordering::is_gt, meter),
            Self::GreaterOrEqual => self.ordered(a, b, Ordering::is_ge, meter),
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder => {
                self.arithmetic(a, b, meter)
            }
        }
    }

    fn ordered<'v>(
        self,
        a: &Value<'v>,
        b: &Value<'v>,
        holds: fn(Ordering) -> bool,
        meter: &Meter,
    ) -> Evaluated<Value<'v>> {
        if !a.is_ordered() {
            return unsupported(self.function(), a);
        }
        if let (Value::Text(a), Value::Text(b)) = (a, b) {
            meter.read(a.len().min(b.len()))?;
        }
        a.compare(b).map(|order| Value::Bool(holds(order)))
    }

    /// Applies `+`, `-`, `*`, `/` or `%`.
    pub(crate) fn arithmetic<'v>(
        self,
        a: &Value<'v>,
        b: &Value<'v>,
        meter: &Meter,
    ) -> Evaluated<Value<'v>> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => self.int(*a, *b).map(Value::Int),
            (Value::Uint(a), Value::Uint(b)) => self.uint(*a, *b).map(Value::Uint),
            (Value::Double(left), Value::Double(right)) => match self {
                Self::Add => Ok(Value::Double(left + right)),
                Self::Subtract => Ok(Value::Double(left - right)),
                Self::Multiply => Ok(Value::Double(left * right)),
                Self::Divide => Ok(Value::Double(left / right)),
                _ => unsupported(self.function(), a),
            },
            _ => match (self, a, b) {
                (Self::Add, Value::Text(a), Value::Text(b)) => {
                    meter.read(a.len() + b.len())?;
                    Ok(Value::text(format!("{}{}", &**a, &**b)))
                }
                (Self::Add, Value::Bytes(a), Value::Bytes(b)) => {
                    meter.read(a.len() + b.len())?;
                    Ok(Value::Bytes([&**a, &**b].concat().into()))
                }
                (Self::Add, Value::List(a), Value::List(b)) => a.concat(b, meter).map(Value::List),
                (Self::Add, Value::Timestamp(time), Value::Duration(by))
                | (Self::Add, Value::Duration(by), Value::Timestamp(time)) => time::add(*time, *by),
                (Self::Subtract, Value::Timestamp(time), Value::Duration(by)) => {
                    time::add(*time, or_overflow(by.checked_neg(), "timestamp overflow")?)
                }
                (Self::Subtract, Value::Timestamp(a), Value::Timestamp(b)) => {
                    time::difference(*a, *b)
                }
                (Self::Add, Value::Duration(a), Value::Duration(b)) => {
                    or_overflow(a.checked_add(*b), INT_OVERFLOW).map(Value::Duration)
                }
                (Self::Subtract, Value::Duration(a), Value::Duration(b)) => {
                    or_overflow(a.checked_sub(*b), INT_OVERFLOW).map(Value::Duration)
                }
                _ if self.supports(a) => Err(Fault::no_overload()),
                _ => unsupported(self.function(), a),
            },
        }
    }

    /// Returns `true` if the operator exists for the left operand, with another right one.
    const fn supports(self, left: &Value<'_>) -> bool {
        match self {
            Self::Add => {
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
            Self::Subtract => {
                is_number(left) || matches!(left, Value::Timestamp(_) | Value::Duration(_))
            }
            Self::Remainder => matches!(left, Value::Int(_) | Value::Uint(_)),
            _ => is_number(left),
        }
    }

    fn int(self, a: i64, b: i64) -> Evaluated<i64> {
        match self {
            Self::Add => or_overflow(a.checked_add(b), INT_OVERFLOW),
            Self::Subtract => or_overflow(a.checked_sub(b), INT_OVERFLOW),
            Self::Multiply => or_overflow(a.checked_mul(b), INT_OVERFLOW),
            Self::Divide if b == 0 => Err(Fault::error("division by zero")),
            Self::Divide => or_overflow(a.checked_div(b), INT_OVERFLOW),
            Self::Remainder if b == 0 => Err(Fault::error("modulus by zero")),
            Self::Remainder => or_overflow(a.checked_rem(b), INT_OVERFLOW),
            _ => Err(Fault::no_overload()),
        }
    }

    fn uint(self, a: u64, b: u64) -> Evaluated<u64> {
        match self {
            Self::Add => or_overflow(a.checked_add(b), UINT_OVERFLOW),
            Self::Subtract => or_overflow(a.checked_sub(b), UINT_OVERFLOW),
            Self::Multiply => or_overflow(a.checked_mul(b), UINT_OVERFLOW),
            Self::Divide => or_overflow(a.checked_div(b), "division by zero"),
            Self::Remainder => or_overflow(a.checked_rem(b), "modulus by zero"),
            _ => Err(Fault::no_overload()),
        }
    }
}

const fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

/// `!value`.
pub(crate) fn not<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Bool(value) => Ok(Value::Bool(!value)),
        _ => Err(Fault::no_overload()),
    }
}

/// `-value`.
pub(crate) fn negate<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Int(value) => or_overflow(value.checked_neg(), INT_OVERFLOW).map(Value::Int),
        Value::Double(value) => Ok(Value::Double(-value)),
        _ => unsupported("-_", value),
    }
}

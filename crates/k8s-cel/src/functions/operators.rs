//! Operators of one and two operands.

use std::cmp::Ordering;

use crate::eval::Meter;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::functions::time;

pub(crate) const INT_OVERFLOW: &str = "integer overflow";
pub(crate) const UINT_OVERFLOW: &str = "unsigned integer overflow";

fn or_overflow<T>(value: Option<T>, message: &'static str) -> Evaluated<T> {
    value.ok_or_else(|| Fault::error(message))
}

/// The server's words for an operator that the left operand does not have.
fn unsupported(function: &str, left: &Value<'_>) -> Fault {
    match left {
        Value::Text(_) | Value::Timestamp(_) | Value::Duration(_) => Fault::no_overload(),
        _ => Fault::error(format!("no such overload: {function}")),
    }
}

/// An operator of two operands whose result is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    In,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
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
        }
    }

    #[inline]
    pub(crate) fn holds<'v>(self, a: &Value<'v>, b: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
        match self {
            Self::Equal => a.equals(b, meter),
            // Values that cannot be compared are different.
            Self::NotEqual => match a.equals(b, meter) {
                Err(fault) if fault.is_final() => Err(fault),
                equal => Ok(equal != Ok(true)),
            },
            Self::In => a.is_in(b, meter),
            _ => self.ordered(a, b, meter).map(|order| self.admits(order)),
        }
    }

    /// Returns `true` if the operator holds for values in this order.
    #[inline]
    pub(crate) const fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
            // `in` compares no order.
            Self::In => false,
        }
    }

    fn ordered<'v>(self, a: &Value<'v>, b: &Value<'v>, meter: &Meter) -> Evaluated<Ordering> {
        if !a.is_ordered() {
            return Err(unsupported(self.function(), a));
        }
        meter.read(a.bytes().min(b.bytes()))?;
        a.compare(b)
    }
}

/// An operator that computes a value from two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    /// The operator of a function, if it is one.
    pub(crate) fn named(function: &str) -> Option<Self> {
        Some(match function {
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
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => self.of_ints(*a, *b).map(Value::Int),
            (Value::Uint(a), Value::Uint(b)) => self.uint(*a, *b).map(Value::Uint),
            (Value::Double(left), Value::Double(right)) => match self {
                Self::Add => Ok(Value::Double(left + right)),
                Self::Subtract => Ok(Value::Double(left - right)),
                Self::Multiply => Ok(Value::Double(left * right)),
                Self::Divide => Ok(Value::Double(left / right)),
                Self::Remainder => Err(unsupported(self.function(), a)),
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
                _ => Err(unsupported(self.function(), a)),
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

    #[inline]
    pub(crate) fn of_ints(self, a: i64, b: i64) -> Evaluated<i64> {
        match self {
            Self::Add => or_overflow(a.checked_add(b), INT_OVERFLOW),
            Self::Subtract => or_overflow(a.checked_sub(b), INT_OVERFLOW),
            Self::Multiply => or_overflow(a.checked_mul(b), INT_OVERFLOW),
            Self::Divide if b == 0 => Err(Fault::error("division by zero")),
            Self::Divide => or_overflow(a.checked_div(b), INT_OVERFLOW),
            Self::Remainder if b == 0 => Err(Fault::error("modulus by zero")),
            Self::Remainder => or_overflow(a.checked_rem(b), INT_OVERFLOW),
        }
    }

    fn uint(self, a: u64, b: u64) -> Evaluated<u64> {
        match self {
            Self::Add => or_overflow(a.checked_add(b), UINT_OVERFLOW),
            Self::Subtract => or_overflow(a.checked_sub(b), UINT_OVERFLOW),
            Self::Multiply => or_overflow(a.checked_mul(b), UINT_OVERFLOW),
            Self::Divide => or_overflow(a.checked_div(b), "division by zero"),
            Self::Remainder => or_overflow(a.checked_rem(b), "modulus by zero"),
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
        _ => Err(unsupported("-_", value)),
    }
}

//! The rules for numbers, with Go's arithmetic.

use serde_json::Value;

use super::fault::{Fault, ValuePlace};
use super::findings::Sink;
use super::go_number::{GoNumber, whole};
use super::tree::{Type, Types};
use crate::answer::{Reason, Shown};
use crate::go;
use k8s_cel::Fact;
use k8s_cel::formats::NumberFormat;

/// Returns `true` if a float counts as an integer: it is one, or nearly one.
#[allow(clippy::float_cmp, reason = "as servers do")]
pub(super) fn is_integer(float: f64) -> bool {
    if !float.is_finite() || float.abs() > k8s_versioned_core::json::LARGEST_EXACT {
        return false;
    }
    let whole = float.trunc();
    whole == float || (float > 0.0 && (float - whole) / (float + whole) < 1e-9)
}

/// Checks a number.
pub(super) fn check<S: Sink>(place: &ValuePlace<'_>, value: &Value, sink: &mut S) {
    let Value::Number(number) = value else {
        return;
    };
    let read = GoNumber::new(number);
    in_range(place, read, "Checked", sink);
    let Some(limits) = place.schema.constraints.as_deref().map(|constraints| &constraints.number)
    else {
        return;
    };
    if let Some(factor) = limits.multiple_of {
        let exact = in_range(place, GoNumber::Float(factor), "MultipleOf", sink);
        multiple(place, read, factor, exact, value, sink);
    }
    if let Some(least) = limits.minimum {
        let exact = in_range(place, GoNumber::Float(least), "Minimum boundary", sink);
        let bound = Bound { limit: least, exclusive: limits.exclusive_minimum, exact, sign: 1 };
        bound.check(place, read, value, sink);
    }
    if let Some(most) = limits.maximum {
        let exact = in_range(place, GoNumber::Float(most), "Maximum boundary", sink);
        let bound = Bound { limit: most, exclusive: limits.exclusive_maximum, exact, sign: -1 };
        bound.check(place, read, value, sink);
    }
}

/// Compares a number with the range of the type and format. Returns `true` if it is inside.
fn in_range<S: Sink>(
    place: &ValuePlace<'_>,
    number: GoNumber,
    subject: &str,
    sink: &mut S,
) -> bool {
    // Servers compare numbers only with schemas of one type, so an int-or-string has no range.
    let Types::One(of_type) = place.schema.types else { return true };
    if !place.facts.hold(Fact::NumberFormats) {
        return true;
    }
    let format = place.format().map_or("", |format| format.name.as_str());
    let range = match (of_type, format) {
        (Type::Integer, "int32") => NumberFormat::Int32,
        (Type::Integer, _) => NumberFormat::Int64,
        (Type::Number, "float") => NumberFormat::Float,
        _ => return true,
    };
    let inside = match number {
        GoNumber::Integer(integer) => range.holds_integer(integer),
        GoNumber::Float(float) => range.holds_float(float),
    };
    if !inside {
        sink.add(|| {
            let name = of_type.name();
            let kind = match format {
                "" => format!("{name} (default format)"),
                format => format!("{name} with format {format}"),
            };
            Fault::plain(
                place,
                format!("{subject} value must be of type {kind} in {:#}", place.path),
            )
        });
    }
    inside
}

fn multiple<S: Sink>(
    place: &ValuePlace<'_>,
    number: GoNumber,
    factor: f64,
    exact: bool,
    value: &Value,
    sink: &mut S,
) {
    let whole = whole(factor);
    let (broken, shown) = match number {
        // The server divides by zero and answers 500; no definition has such a factor on purpose.
        GoNumber::Integer(_) if exact && whole == 0 => (false, String::new()),
        GoNumber::Integer(integer) if exact => {
            (integer.wrapping_rem(whole) != 0, whole.to_string())
        }
        number => {
            let float = number.float();
            let times = if factor < 1.0 { 1.0 / factor * float } else { float / factor };
            (!is_integer(times), go::float(factor))
        }
    };
    if factor < 0.0 {
        sink.add(|| {
            let shown = if matches!(number, GoNumber::Integer(_)) {
                whole.to_string()
            } else {
                go::float(factor)
            };
            let message = format!(
                "factor MultipleOf declared for {:#} must be positive: {shown}",
                place.path
            );
            Fault::shown(place, Reason::Invalid, Shown::Value(&Value::from(factor)), message)
        });
    } else if broken {
        sink.add(|| {
            let message = format!("{:#} in body should be a multiple of {shown}", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
        });
    }
}

/// A minimum (`sign` 1) or a maximum (`sign` -1).
struct Bound {
    limit: f64,
    exclusive: bool,
    /// Whether integers are compared as integers.
    exact: bool,
    sign: i8,
}

impl Bound {
    fn check<S: Sink>(
        &self,
        place: &ValuePlace<'_>,
        number: GoNumber,
        value: &Value,
        sink: &mut S,
    ) {
        let whole = whole(self.limit);
        let (order, shown): (_, &dyn Fn() -> String) = match number {
            GoNumber::Integer(integer) if self.exact => {
                (integer.partial_cmp(&whole), &|| whole.to_string())
            }
            number => (number.float().partial_cmp(&self.limit), &|| go::float(self.limit)),
        };
        let order = order.map(|order| if self.sign < 0 { order.reverse() } else { order });
        let broken = order.is_some_and(|order| order.is_lt() || (self.exclusive && order.is_eq()));
        if broken {
            sink.add(|| {
                let rule = match (self.sign < 0, self.exclusive) {
                    (false, false) => "greater than or equal to",
                    (false, true) => "greater than",
                    (true, false) => "less than or equal to",
                    (true, true) => "less than",
                };
                let message = format!("{:#} in body should be {rule} {}", place.path, shown());
                Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn limits_beyond_all_integers_are_the_least() {
        for (limit, expected) in
            [(2.7, 2), (-2.7, -2), (1.8e19, i64::MIN), (-1.8e19, i64::MIN), (f64::NAN, i64::MIN)]
        {
            assert_eq!(whole(limit), expected);
        }
    }
}

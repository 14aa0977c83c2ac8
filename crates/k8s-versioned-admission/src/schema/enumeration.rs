//! The values of an `enum`, and whether a value is one of them.

use std::collections::HashSet;

use serde_json::Value;

use super::go_number::{GoNumber, character, whole};
use crate::meter::Meter;
use crate::work;

/// The values of an `enum`.
#[derive(Debug, Default)]
pub(crate) struct Enumeration {
    pub(crate) values: Vec<Value>,
    /// Many values, by their types.
    many: Option<Many>,
}

/// The values of a long `enum`. The time of a lookup does not grow with their number.
#[derive(Debug, Default)]
struct Many {
    texts: HashSet<String>,
    integers: HashSet<i64>,
    /// The bits of floats.
    floats: HashSet<u64>,
    /// All other values.
    others: HashSet<Value>,
}

/// The most values that are compared one by one, which is faster for few. Hot path, row `answer` of the benches.
const FEW: usize = 16;

impl Enumeration {
    pub(crate) fn new(values: &[Value]) -> Self {
        let many = (values.len() > FEW).then(|| Many::new(values));
        Self { values: values.to_vec(), many }
    }

    /// Returns `true` if a value counts as one of these.
    pub(super) fn contains(&self, value: &Value, meter: &Meter) -> bool {
        meter.spend(self.values.len().min(FEW));
        meter.read_value(value);
        match &self.many {
            Some(many) => many.contains(value),
            None => self.values.iter().any(|listed| {
                work::step();
                is_listed(value, listed)
            }),
        }
    }
}

impl Many {
    fn new(values: &[Value]) -> Self {
        let mut many = Self::default();
        for value in values {
            match value {
                Value::String(text) => _ = many.texts.insert(text.clone()),
                Value::Number(number) => match GoNumber::new(number) {
                    GoNumber::Integer(integer) => _ = many.integers.insert(integer),
                    GoNumber::Float(float) => _ = many.floats.insert(bits(float)),
                },
                other => _ = many.others.insert(other.clone()),
            }
        }
        many
    }

    /// Returns `true` if a value counts as one of these. As in Go's conversions, a float can be a listed integer, and an integer a
    /// listed float or a listed character.
    #[allow(clippy::cast_precision_loss, reason = "as servers do")]
    fn contains(&self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::String(text) => self.texts.contains(text),
            Value::Number(number) => match GoNumber::new(number) {
                GoNumber::Integer(integer) => {
                    self.integers.contains(&integer)
                        || self.floats.contains(&bits(integer as f64))
                        || self.texts.contains(character(integer).encode_utf8(&mut [0; 4]))
                }
                GoNumber::Float(float) => {
                    self.floats.contains(&bits(float)) || self.integers.contains(&whole(float))
                }
            },
            other => self.others.contains(other),
        }
    }
}

/// The bits of a float. Both zeros are equal.
fn bits(float: f64) -> u64 {
    (float + 0.0).to_bits()
}

/// Returns `true` if Go's conversion makes the listed value of a value: an integer of a float, and a character of an
/// integer.
#[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "as servers do")]
fn is_listed(value: &Value, listed: &Value) -> bool {
    match (value, listed) {
        (Value::Number(value), Value::Number(listed)) => {
            match (GoNumber::new(value), GoNumber::new(listed)) {
                (GoNumber::Integer(value), GoNumber::Integer(listed)) => value == listed,
                (GoNumber::Integer(value), GoNumber::Float(listed)) => value as f64 == listed,
                (GoNumber::Float(value), GoNumber::Integer(listed)) => whole(value) == listed,
                (GoNumber::Float(value), GoNumber::Float(listed)) => value == listed,
            }
        }
        (Value::Number(value), Value::String(listed)) => match GoNumber::new(value) {
            GoNumber::Integer(code) => listed.chars().eq([character(code)]),
            GoNumber::Float(_) => false,
        },
        (Value::Null, _) => false,
        (value, listed) => value == listed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Enumeration, Many, Meter};

    /// A long enumeration has the same values as a short one.
    #[test]
    fn long_and_short_enumerations_are_the_same() {
        let values = json!([
            null, true, false, 0, -0.0, 1, 1.0, 1.5, -1, 97, 1e300, -1e300, 9_223_372_036_854_775_807_i64, 9.3e18, "",
            "a", "b", "ab", "\u{fffd}", [], [0], [-0.0], [0.0], {}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1.0},
        ]);
        let values = values.as_array().unwrap();
        for listed in values {
            let short = Enumeration::new(std::slice::from_ref(listed));
            let many = Many::new(std::slice::from_ref(listed));
            for value in values {
                let (many, meter) = (many.contains(value), Meter::default());
                assert_eq!(many, short.contains(value, &meter), "{value} in {listed}");
            }
        }
        let all = Enumeration::new(values);
        let expected: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        let meter = Meter::default();
        assert!(
            all.many.is_some() && expected.into_iter().all(|value| all.contains(value, &meter))
        );
    }
}

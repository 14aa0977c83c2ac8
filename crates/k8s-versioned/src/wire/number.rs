//! Numbers with a fraction.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Writes a number as servers do: without a fraction if it is whole.
///
/// Numbers beyond 64 bits, and fractions, have the digits of servers; only the exponent looks different (from `1e20` on, where servers write digits up to `1e21`).
///
/// # Errors
///
/// Those of the serializer.
pub fn number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Each of these numbers is written without an exponent, and without a loss.
    let text = format!("{number}");
    match text.parse::<i64>() {
        Ok(whole) if text != "-0" => serializer.serialize_i64(whole),
        _ => serializer.serialize_f64(*number),
    }
}

/// Writes an optional number as servers do: without a fraction if it is whole.
///
/// # Errors
///
/// Those of the serializer.
pub fn number_option<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// Writes the numbers in lists, maps and options as servers do: without a fraction if they are whole.
///
/// # Errors
///
/// Those of the serializer.
pub fn numbers<T: Numbers, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

/// A number with a fraction, or a list, map or option of such numbers.
pub trait Numbers {
    /// Writes it as servers do.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl Numbers for f64 {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(self, serializer)
    }
}

impl<T: Numbers> Numbers for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.write(serializer),
            None => serializer.serialize_none(),
        }
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(AsServers))
    }
}

impl<T: Numbers> Numbers for BTreeMap<String, T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(key, value)| (key, AsServers(value))))
    }
}

struct AsServers<'a, T>(&'a T);

impl<T: Numbers> Serialize for AsServers<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Serialize;

    #[derive(Serialize)]
    struct Numbers {
        #[serde(serialize_with = "super::number")]
        one: f64,
        #[serde(serialize_with = "super::number_option")]
        other: Option<f64>,
    }

    fn written(one: f64) -> String {
        let text = serde_json::to_string(&Numbers { one, other: Some(one) }).unwrap();
        let (one, other) = text.split_once(',').unwrap();
        assert_eq!(one.replace("{\"one\"", "\"other\""), other.trim_end_matches('}'));
        one.trim_start_matches("{\"one\":").to_owned()
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        let table = [
            (0.0, "0"),
            (-0.0, "-0.0"),
            (1.0, "1"),
            (-7.0, "-7"),
            (0.5, "0.5"),
            (100_000_000_000_000.0, "100000000000000"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (1e-7, "1e-7"),
            (1e20, "1e+20"),
            (f64::NAN, "null"),
        ];
        for (number, expected) in table {
            assert_eq!(written(number), expected);
        }
        let none = Numbers { one: 1.0, other: None };
        assert_eq!(serde_json::to_string(&none).unwrap(), r#"{"one":1,"other":null}"#);
    }

    proptest! {
        #[test]
        fn numbers_survive(number in any::<f64>()) {
            prop_assert_eq!(written(number).parse::<f64>().ok(), Some(number).filter(|number| number.is_finite()));
        }
    }
}

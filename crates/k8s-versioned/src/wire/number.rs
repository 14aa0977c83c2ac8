//! Numbers with a fraction.

use serde::Serializer;

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

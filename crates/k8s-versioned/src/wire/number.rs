//! Numbers with a fraction.

use serde::{Serialize, Serializer, ser};
use serde_json::Value;

use crate::values::AnyFormat;

/// A number with a fraction, or a list, map or option of such numbers, as servers write them: without a fraction if they
/// are whole.
///
/// Numbers beyond 64 bits, and fractions, have the digits of servers; only the exponent looks different (from `1e20` on,
/// where servers write digits up to `1e21`).
#[derive(Clone, Copy, Debug)]
pub struct AsServers<'a, T>(pub &'a T);

impl<T: Serialize> Serialize for AsServers<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(self.0).map_err(ser::Error::custom)?;
        make_whole(&mut value);
        AnyFormat(&value).serialize(serializer)
    }
}

/// Replaces each whole number of 64 bits, which then has neither a fraction nor an exponent. Nothing is lost.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let text = number.as_f64().map(|number| number.to_string());
            let whole = text.filter(|text| text != "-0").and_then(|text| text.parse::<i64>().ok());
            if let Some(whole) = whole {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::AsServers;

    fn written(number: f64) -> String {
        let text = serde_json::to_string(&AsServers(&number)).unwrap();
        let inside = serde_json::to_string(&AsServers(&vec![Some(number), None])).unwrap();
        assert_eq!(inside, format!("[{text},null]"));
        text
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
    }

    proptest! {
        #[test]
        fn numbers_survive(number in any::<f64>()) {
            prop_assert_eq!(written(number).parse::<f64>().ok(), Some(number).filter(|number| number.is_finite()));
        }
    }
}

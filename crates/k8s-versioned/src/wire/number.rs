//! Numbers with a fraction.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Numbers as servers write them: without a fraction if they are whole.
///
/// Numbers beyond 64 bits, and fractions, have the digits of servers; only the exponent looks different (from `1e20` on,
/// where servers write digits up to `1e21`).
#[derive(Clone, Copy, Debug)]
pub struct AsServers<'a, T>(pub &'a T);

/// A number with a fraction, or a list, map or option of such numbers.
pub trait Numbers {
    /// Writes it as servers do.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl Numbers for f64 {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Each whole number of 64 bits is written without an exponent, and without a loss.
        let text = format!("{self}");
        match text.parse::<i64>() {
            Ok(whole) if text != "-0" => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(*self),
        }
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

impl<T: Numbers> Numbers for &T {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).write(serializer)
    }
}

impl<T: Numbers> Serialize for AsServers<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
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

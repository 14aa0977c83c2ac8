//! JSON as API servers read it: as types ([`Checked`]) and as values (`server`).

mod checked;
mod number;
mod read;
pub mod server;

pub use checked::{BodyPosition, Checked, LocatedError, Noted};
pub use k8s_versioned_core::json::{StrictValue, depth};
pub(crate) use number::{is_minus_zero, visit_number};
pub use read::{from_json, located, located_by, read};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::from_json;
    use super::server::{self, Target};
    use crate::StrictValue;

    proptest! {
        /// Whatever features of `serde_json` a build has.
        #[test]
        fn doubles_come_out_as_they_went_in(bits in any::<u64>(), is_fraction in any::<bool>()) {
            #[allow(clippy::cast_precision_loss, reason = "it has 53 bits")]
            let fraction = (bits >> 11) as f64 / 9_007_199_254_740_992.0;
            let double = if is_fraction { fraction } else { f64::from_bits(bits) };
            prop_assume!(double.is_finite());
            let written = serde_json::to_string(&double).unwrap();
            let text = written.as_bytes();
            prop_assert_eq!(from_json::<f64>(text).unwrap().to_bits(), double.to_bits());
            let strict = from_json::<StrictValue>(text).unwrap().into_inner();
            let mut values = vec![from_json::<Value>(text).unwrap(), strict];
            for target in [Target::Type, Target::Maps] {
                values.push(server::read(text, target).unwrap().value);
            }
            for value in values {
                prop_assert_eq!(value.as_f64(), Some(double), "{}", &written);
                let typed: f64 = serde_json::from_value(value.clone()).unwrap();
                prop_assert_eq!(typed.to_bits(), double.to_bits());
                prop_assert_eq!(serde_json::to_string(&value).unwrap().parse(), Ok(double));
            }
        }
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(from_json::<StrictValue>(nested(400).as_bytes()).is_ok());
        for depth in [401, 1_000_000] {
            let error = from_json::<StrictValue>(nested(depth).as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), "lists and objects nest deeper than 400 levels");
        }
        // Brackets in strings, and siblings, are not levels.
        let wide = format!("[{}]", vec![r#""[\"[""#; 500].join(",[],"));
        assert!(from_json::<Value>(wide.as_bytes()).is_ok());
        assert!(from_json::<Value>(b"[] x").is_err());
    }
}

//! Numbers come out as they went in.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use k8s_versioned_source::{ReadLimits, documents, json_contents};
use proptest::prelude::*;
use serde_json::Value;

/// Each double, most of them with 16 or 17 digits.
fn doubles() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |double| double.is_finite())
}

/// Doubles between 0 and 1, which people write most.
fn fractions() -> impl Strategy<Value = f64> {
    (0_u64..1 << 53).prop_map(|numerator| {
        #[allow(clippy::cast_precision_loss, reason = "it has 53 bits")]
        let numerator = numerator as f64;
        numerator / 9_007_199_254_740_992.0
    })
}

/// The numbers of a document with the members `a` and `b`, read with and without places.
fn read(name: &str, text: &str) -> Vec<Value> {
    let mut trees = documents(name, text.as_bytes(), &ReadLimits::OBJECTS);
    let mut all = vec![trees.next().unwrap().unwrap().root().to_json()];
    if text.starts_with('{') {
        let mut contents = json_contents(name, text, &ReadLimits::OBJECTS, 10);
        all.push(contents.next().unwrap().unwrap().take_json());
    }
    all.iter().flat_map(|value| [value["a"].clone(), value["b"].clone()]).collect()
}

proptest! {
    #[test]
    fn doubles_come_out_as_they_went_in(double in prop_oneof![doubles(), fractions()]) {
        let texts = [format!("{double:?}"), format!("{double:e}"), format!("{double:.17e}")];
        for written in texts {
            for (name, text) in [
                ("a.json", format!("{{\"a\": {written}, \"b\":{written}}}")),
                ("a.yaml", format!("a: {written}\nb: !!float {written}\n")),
            ] {
                for number in read(name, &text) {
                    prop_assert_eq!(number.as_f64().map(f64::to_bits), Some((double + 0.0).to_bits()), "{}", text);
                }
            }
        }
    }
}

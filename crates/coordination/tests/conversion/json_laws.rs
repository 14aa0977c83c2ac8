//! The JSON level on random candidates: it does what the types do, and understands or refuses whatever comes.

use k8s_coordination::conversion::{convert_slice, convert_value};
use proptest::prelude::*;
use serde_json::json;

use crate::random::{candidate, config};
use crate::support::*;

/// A change of a text at a place.
fn change() -> impl Strategy<Value = (prop::sample::Index, String)> {
    (any::<prop::sample::Index>(), "[]\\[{}\",:0-9a-z]{0,3}")
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn json_converts_as_the_types_do(x in candidate(), z in candidate(), to in prop::sample::select(Version::ALL)) {
        let options = Options::default();
        let (mut items, mut told) = (Vec::new(), Vec::new());
        for object in [Any::from(x), Any::from(up(&z).0)] {
            let value = serde_json::to_value(&object).unwrap();
            let (expected, expected_report) = object.convert_to(to);
            let (found, report) = convert_value::<Any>(&value, to, &options).unwrap();
            prop_assert_eq!(&found, &serde_json::to_value(&expected).unwrap());
            prop_assert_eq!(&report, &expected_report);
            items.push((value, found));
            told.push(report);
        }
        let (values, expected): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        let list = json!({"apiVersion": "v1", "kind": "List", "metadata": {}, "items": values});
        let (found, report) = convert_value::<Any>(&list, to, &options).unwrap();
        prop_assert_eq!(&found["items"], &json!(expected));
        prop_assert_eq!(vec![report.item(0), report.item(1)], told);
    }

    #[test]
    fn any_text_is_converted_or_refused(
        x in candidate(),
        changes in prop::collection::vec(change(), 0..4),
        bytes in any::<Vec<u8>>(),
    ) {
        let mut text = serde_json::to_string(&x).unwrap();
        for (place, change) in changes {
            let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
            let (from, to) = (*place.get(&ends), text.len().min(place.get(&ends) + change.len()));
            if text.is_char_boundary(to) {
                text.replace_range(from..to, &change);
            }
        }
        for text in [text.as_bytes(), &bytes] {
            match convert_slice::<Any>(text, Version::V1beta1, &Options::default()) {
                Ok((converted, _)) => prop_assert!(serde_json::from_slice::<Any>(&converted).is_ok()),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

//! Numbers come out as they went in: of typed decoding, of conversions of types and of JSON, of reviews, and from the annotation.

use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::conversion::{AnyVersion, Options};
use k8s_versioned::from_json;
use proptest::prelude::*;
use serde_json::Value;

use crate::emitted::custom::v1::Widget;
use crate::emitted::custom_versions::conversion::{AnyBoat, BoatVersion};
use crate::emitted::custom_versions::v1beta1::Boat;

/// Any double, and half of the time one between 0 and 1, which people write most.
fn doubles() -> impl Strategy<Value = f64> {
    #[allow(clippy::cast_precision_loss, reason = "it has 53 bits")]
    let fraction = |bits: u64| (bits >> 11) as f64 / 9_007_199_254_740_992.0;
    let any_double = any::<u64>().prop_map(f64::from_bits);
    let all = prop_oneof![any_double, any::<u64>().prop_map(fraction)];
    all.prop_filter("a number", |double| double.is_finite())
}

/// A boat with this number in a field that is text in another version, in free JSON, and in a map.
fn boat(version: &str, number: &str) -> String {
    format!(
        r#"{{"apiVersion": "example.dev/{version}", "kind": "Boat", "metadata": {{"name": "a"}}, "spec": {{
            "mode": "sail", "oars": 1, "hull": "oak", "bunks": ["port"], "pilot": "p", "draft": {number},
            "hold": {{"cargo": "tea", "weight": {number}, "all": [{number}]}}, "sails": {{"main": {{"area": {number}}}}}}}}}"#
    )
}

fn review(version: &str, object: &str) -> Value {
    let request = format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "request": {{"uid": "u", "desiredAPIVersion": "example.dev/{version}", "objects": [{object}]}}}}"#
    );
    let webhook = Webhook::new().with_kind::<AnyBoat>(Options::default()).lossy();
    let reviewed = webhook.answer(request.as_bytes()).unwrap();
    assert_eq!(reviewed.failure, None);
    let mut answer: Value = from_json(&reviewed.answer).unwrap();
    answer["response"]["convertedObjects"][0].take()
}

/// The numbers of a boat of `v1beta1`.
fn numbers(boat: &Value) -> Vec<Option<f64>> {
    let spec = &boat["spec"];
    let (hold, area) = (&spec["hold"], &spec["sails"]["main"]["area"]);
    [&spec["draft"], &hold["weight"], &hold["all"][0], area].map(Value::as_f64).to_vec()
}

proptest! {
    #[test]
    fn doubles_come_out_as_they_went_in(double in doubles()) {
        let written = serde_json::to_string(&double).unwrap();
        let widget = format!(
            r#"{{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": {{"name": "a"}},
                "spec": {{"name": "", "parts": [], "since": "2026-01-02T03:04:05Z", "ratios": [{written}]}}}}"#
        );
        let widget: Widget = from_json(widget.as_bytes()).unwrap();
        let encoded = serde_json::to_value(&widget).unwrap();
        prop_assert_eq!(encoded["spec"]["ratios"][0].as_f64(), Some(double));

        let expected = vec![Some(double); 4];
        let text = boat("v1beta1", &written);
        let typed: Boat = from_json(text.as_bytes()).unwrap();
        prop_assert_eq!(numbers(&serde_json::to_value(&typed).unwrap()), expected.clone());
        let value: Value = from_json(text.as_bytes()).unwrap();
        for (version, target) in [("v1", BoatVersion::V1), ("v1alpha1", BoatVersion::V1alpha1)] {
            let there = AnyBoat::convert_value(&value, target, &Options::default()).unwrap().0;
            let back = AnyBoat::convert_value(&there, BoatVersion::V1beta1, &Options::default()).unwrap().0;
            prop_assert_eq!(numbers(&back), expected.clone(), "{}", back);
            let there = review(version, &text);
            let back = review("v1beta1", &there.to_string());
            prop_assert_eq!(numbers(&back), expected.clone(), "{}", back);
        }
    }
}

//! Words of enums that are one in several versions, and words that a version lacks.

use super::{drafted, kind_of};

/// Words of a renamed field are the same but for case and signs; a version that lacks some shows another one.
#[test]
fn words_of_renamed_fields() {
    let words = |name: &str, words: &str| format!("{name}: {{type: string, enum: [{words}]}}");
    let text = drafted(&kind_of(&[
        ("v1beta1", &words("deliveryMode", "at-most-once, exactly-once")),
        ("v1", &words("delivery", "AtMostOnce, ExactlyOnce")),
    ]));
    assert!(text.contains(r#"words = { v1 = ["AtMostOnce", "ExactlyOnce"], v1beta1 = ["at-most-once", "exactly-once"] }"#), "{text}");
    assert!(
        text.contains(r#"names = { v1beta1 = "spec.deliveryMode", v1 = "spec.delivery" }"#),
        "{text}"
    );
}

/// The words of a field in an object that the versions have in different places: below a new object, and under another name.
#[test]
fn words_of_fields_in_objects_that_move() {
    let words = |words: &str| format!("mode: {{type: string, enum: [{words}]}}");
    let [old, new] = ["at-most-once, WhenIdle", "AtMostOnce, WhenEmptyOrIdle"].map(words);
    let object = |name: &str, inside: &str| {
        format!("{name}: {{type: object, properties: {{keel: {{type: string}}, {inside}}}}}")
    };
    for (before, after, names) in [
        (
            format!("keel: {{type: string}}\n{old}"),
            object("options", &new),
            r#"names = { v1beta1 = "spec.mode", v1 = "spec.options.mode" }"#,
        ),
        (
            object("hull", &old),
            object("hullOptions", &new),
            r#"names = { v1beta1 = "spec.hull.mode", v1 = "spec.hullOptions.mode" }"#,
        ),
    ] {
        let text = drafted(&kind_of(&[("v1beta1", &before), ("v1", &after)]));
        let words = r#"words = { v1 = ["AtMostOnce", "WhenEmptyOrIdle"], v1beta1 = ["at-most-once", "WhenIdle"] }"#;
        assert!(text.contains(&format!("{names}\n{words}")), "{text}");
        assert!(!text.contains("# to state"), "{text}");
    }
}

/// A word that a version does not know becomes its only word that others lack, its default or its only word, which a person has to confirm. Without these the draft asks.
#[test]
fn words_that_a_version_does_not_know() {
    let words = |words: &str| format!("policy: {{type: string, enum: {words}}}");
    for (old, new, expected) in [
        ("[Borrow, Preempt, Try]", "[Preempt, Try]", "# fallback = { v1 = \"…\" }"),
        ("[Preempt, Try]", "[Borrow, Preempt, Try]", "# fallback = { v1beta1 = \"…\" }"),
        ("[Borrow, Preempt]", "[Preempt]", "fallback = { v1 = \"Preempt\" }"),
        ("[Borrow, Preempt, Try]", "[Preempt, Try], default: Try", "fallback = { v1 = \"Try\" }"),
        (r#"["2.3", "", "-"]"#, r#"["2.3", "-"]"#, "# fallback = { v1 = \"…\" }"),
        (r#"["2.3"]"#, r#"["2.3", "2.4"]"#, "fallback = { v1beta1 = \"2.3\" }"),
        (
            "[Borrow, Try], default: Try",
            "[Preempt, Try], default: Try",
            r#"fallback = { v1 = "Preempt", v1beta1 = "Borrow" }"#,
        ),
        (
            "[Borrow, Preempt, Try], default: Try",
            "[Stop, Try], default: Try",
            "fallback = { v1 = \"Stop\" }",
        ),
        (
            "[Borrow, Preempt, Try], default: Borrow",
            "[Stop, Try], default: Try",
            r#"fallback = { v1 = "Stop", v1beta1 = "Borrow" }"#,
        ),
    ] {
        let text = drafted(&kind_of(&[("v1beta1", &words(old)), ("v1", &words(new))]));
        assert!(text.lines().any(|line| line == expected), "{text}");
        assert!(text.contains("# to state: `fallback`: "), "{text}");
    }
}

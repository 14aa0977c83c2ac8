//! Properties of the rules for names and versions.

use std::cmp::Ordering;

use k8s_versioned::SemanticVersion;
use k8s_versioned::syntax::{self, SyntaxViolation};
use proptest::prelude::*;

fn fine(violations: &[SyntaxViolation]) -> bool {
    violations.is_empty()
}

/// Text that is often nearly a name.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-a-cA-B0-1_./% é]{0,8}",
        "[a-z]{60,70}",
        "[a-z.]{250,256}(/[a-zA-Z]{0,66})?",
    ]
}

/// Text that is often nearly a version.
fn version() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ v]?[0-9.]{1,8}",
        "v?0?[0-9]{1,3}(\\.[0-9]{1,2}){0,3}([-+][-a-z0-9.]{0,6}){0,2}",
        "[0-9]{1,21}\\.0\\.0-[0-9]{1,21}",
    ]
}

fn strict() -> impl Strategy<Value = SemanticVersion> {
    let identifier = "(0|[1-9][0-9]{0,3}|[0-9]{0,2}[-a-zA-Z][-a-z0-9]{0,2})";
    let suffix = format!("(-{identifier}(\\.{identifier}){{0,2}})?(\\+[-a-z0-9]{{1,3}})?");
    let version = format!("[0-2]\\.[0-2]\\.[0-2]{suffix}");
    proptest::string::string_regex(&version)
        .expect("a pattern")
        .prop_map(|text| text.parse().expect("a strict version"))
}

proptest! {
    #[test]
    fn rules_never_panic(text in text()) {
        for rule in [
            syntax::dns1123_label,
            syntax::dns1123_subdomain,
            syntax::dns1123_subdomain_prefix,
            syntax::qualified_name,
            syntax::annotation_key,
            syntax::label_value,
            syntax::config_map_key,
            syntax::path_segment,
            syntax::path_segment_prefix,
        ] {
            let _: Vec<String> = rule(&text).iter().map(ToString::to_string).collect();
        }
        let _ = syntax::first_unprintable(&text);
    }

    #[test]
    fn wider_rules_accept_more(text in text()) {
        if fine(&syntax::dns1123_label(&text)) {
            prop_assert!(fine(&syntax::dns1123_subdomain(&text)));
        }
        if fine(&syntax::dns1123_subdomain(&text)) {
            prop_assert!(fine(&syntax::dns1123_subdomain_prefix(&text)));
            prop_assert!(fine(&syntax::config_map_key(&text)));
        }
        if fine(&syntax::config_map_key(&text)) {
            prop_assert!(fine(&syntax::path_segment(&text)));
        }
        if fine(&syntax::qualified_name(&text)) {
            prop_assert!(fine(&syntax::annotation_key(&text)));
        }
        if fine(&syntax::qualified_name(&text)) && !text.contains('/') {
            prop_assert!(fine(&syntax::label_value(&text)));
        }
    }

    /// The patterns in Kubernetes' messages make valid names.
    #[test]
    fn patterns_are_accepted(
        label in "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
        subdomain in "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
        name in "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
        key in "[-_a-zA-Z0-9]+[-._a-zA-Z0-9]*",
    ) {
        prop_assume!(label.len() <= 63 && subdomain.len() <= 253 && name.len() <= 63 && key.len() <= 253);
        prop_assert!(fine(&syntax::dns1123_label(&label)));
        prop_assert!(fine(&syntax::dns1123_subdomain(&subdomain)));
        prop_assert!(fine(&syntax::label_value(&name)));
        let qualified = format!("{subdomain}/{name}");
        prop_assert!(fine(&syntax::qualified_name(&qualified)));
        prop_assert!(fine(&syntax::config_map_key(&key)));
    }

    #[test]
    fn versions_are_read_back(text in version()) {
        let tolerant = SemanticVersion::parse_tolerant(&text);
        if let Ok(version) = &tolerant {
            prop_assert_eq!(version.to_string().parse(), Ok(version.clone()));
        }
        if let Ok(version) = text.parse::<SemanticVersion>() {
            prop_assert_eq!(version.to_string(), text);
            prop_assert_eq!(Ok(version), tolerant);
        }
    }

    #[test]
    fn versions_are_ordered(a in strict(), b in strict(), c in strict()) {
        prop_assert_eq!(a.cmp_precedence(&b), b.cmp_precedence(&a).reverse());
        if a.cmp_precedence(&b) != Ordering::Greater && b.cmp_precedence(&c) != Ordering::Greater {
            prop_assert_ne!(a.cmp_precedence(&c), Ordering::Greater);
        }
        if a == b {
            prop_assert_eq!(a.cmp_precedence(&b), Ordering::Equal);
        }
    }
}

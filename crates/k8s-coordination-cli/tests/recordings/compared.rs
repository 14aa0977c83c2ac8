//! The answers of servers of two releases in the same cases.

use std::collections::BTreeSet;

use k8s_versioned_conformance::{RecordedSide, compare};

use crate::recorded::{RECORDINGS, root};

#[test]
fn servers_of_two_releases() {
    for (old, new) in [("v1.32", "v1.33"), ("v1.35", "v1.36"), ("v1.31/v1alpha1", "v1.36/v1beta1")]
    {
        let side = |text: &str| text.parse::<RecordedSide>().unwrap();
        let findings = compare(&RECORDINGS, &side(old), &side(new));
        let text: String = findings.iter().map(ToString::to_string).collect();
        let text = text.replace(&format!("{}/", root().display()), "");
        insta::assert_snapshot!(format!("{old} {new}").replace(['/', ' '], "_"), text);
        let keys: BTreeSet<_> = findings
            .iter()
            .map(|finding| (&finding.id, &finding.file, &finding.at, &finding.message))
            .collect();
        assert_eq!(keys.len(), findings.len());
        assert_eq!(compare(&RECORDINGS, &side(old), &side(old)), []);
    }
    let none = compare(&RECORDINGS, &"v1.36".parse().unwrap(), &"v1.99".parse().unwrap());
    assert_eq!(none[0].to_string(), "warning[not-recorded]: v1.99: nothing is recorded\n");
}

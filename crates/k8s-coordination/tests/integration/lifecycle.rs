//! The newest version that each release serves.

use k8s_coordination::prelude::Kind;
use k8s_coordination::{KindEntry, Registry, Release};
use k8s_coordination::{Kinds, v1};

#[test]
fn the_newest_version_of_each_release() {
    let group = v1::Lease::GROUP;
    let newest = |kind: &str, minor: u16| {
        Kinds.newest_served_in(group, kind, Release::new(1, minor)).map(KindEntry::version)
    };
    let expected = [
        (30, None),
        (31, Some("v1alpha1")),
        (32, Some("v1alpha2")),
        (33, Some("v1beta1")),
        (36, Some("v1beta1")),
        (38, Some("v1beta1")),
        (39, None),
    ];
    for (minor, version) in expected {
        assert_eq!(newest("LeaseCandidate", minor), version, "1.{minor}");
        assert_eq!(newest("Lease", minor), Some("v1"), "1.{minor}");
    }
    assert_eq!(newest("Nothing", 36), None);
}

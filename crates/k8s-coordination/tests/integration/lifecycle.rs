//! The newest version that each release serves.

use k8s_coordination::prelude::Kind;
use k8s_coordination::{KindEntry, Kinds, Registry, Release, Version, v1};

#[test]
fn the_newest_version_of_each_release() {
    let group = v1::Lease::GROUP;
    let newest = |kind: &str, minor: u16| {
        let served = |entry: &&KindEntry| entry.is_served_in(Release::new(1, minor));
        let of_kind = |entry: &&KindEntry| entry.group() == group && entry.kind() == kind;
        let versions = Kinds.kinds().iter().filter(of_kind).filter(served).map(KindEntry::version);
        versions.max_by_key(|version| version.parse::<Version>().ok())
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

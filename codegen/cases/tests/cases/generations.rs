//! A release of Kubernetes breaks no program: one program that uses everything once compiles and runs with the code
//! generated from releases until 1.35, with the package of this repository, and with an invented release after it.

mod until_1_35 {
    use crate::emitted::{until_1_35 as api, until_1_35_meta as meta};

    include!("generations/program.rs");
}

mod current {
    use k8s_coordination as api;
    use k8s_versioned::meta::v1 as meta;

    include!("generations/program.rs");
}

mod invented {
    use crate::emitted::{invented as api, invented_meta as meta};

    include!("generations/program.rs");
}

/// The generations differ, or the program would prove nothing.
#[test]
fn each_generation_adds_something() {
    use crate::emitted::{invented, invented_meta};
    use k8s_versioned::meta::v1 as current_meta;
    use k8s_versioned::requests::Verbs;
    use k8s_versioned::subresource::Status;
    use k8s_versioned::{Kind, Lifecycle, Registry, Release};

    let _since_1_36 = current_meta::ListMeta::default().shard_info;
    let _ = invented_meta::ListMeta::default().shard_info;
    let spec = invented::v1::LeaseSpec::default().with_pace(1);
    assert_eq!(spec.pace, Some(1));
    let word = invented::CoordinatedLeaseStrategy::NewestFirst;
    assert_eq!(word.as_str(), "NewestFirst");
    let request = invented::v1::Lease::get_subresource::<Status>("ns", "a");
    assert!(request.unwrap().target().ends_with("/leases/a/status"));
    let candidate = invented::v1::LeaseCandidate::API_VERSION;
    let lifecycle = |kinds: &dyn Registry| {
        let found = kinds.find(candidate, "LeaseCandidate");
        found.map(k8s_versioned::KindEntry::lifecycle)
    };
    // The version is older than the kind in it.
    let invented = Lifecycle::introduced(Release::new(1, 37));
    assert_eq!(lifecycle(&invented::Kinds), Some(Some(invented)));
    assert_eq!(lifecycle(&k8s_coordination::Kinds), None);
}

//! The conformance kit on the kinds of two packages: paths of the core group, kinds of the cluster, subresources.

use core_types::v1::{Namespace, Pod};
use groups::apps::v1::Deployment;
use groups::rbac::v1::{ClusterRole, RoleBinding};
use k8s_versioned::Registry;
use k8s_versioned::subresource::{Eviction, Finalize, Scale, Status};
use k8s_versioned_conformance::operation::Operations;
use k8s_versioned_conformance::{Documents, Recordings, Suite, check};

#[test]
fn recordings_pass() {
    let operations = [
        Operations::of_resource::<Pod>(),
        Operations::of_subresource::<Pod, Status>(),
        Operations::of_subresource::<Pod, Eviction>(),
        Operations::of_resource::<Namespace>(),
        Operations::of_subresource::<Namespace, Finalize>(),
        Operations::of_resource::<Deployment>(),
        Operations::of_subresource::<Deployment, Scale>(),
        Operations::of_resource::<ClusterRole>(),
        Operations::of_resource::<RoleBinding>(),
    ];
    let kinds = [core_types::Kinds.kinds(), groups::Kinds.kinds()].concat();
    let kinds = kinds.as_slice();
    let documents = Documents::load("specs").unwrap();
    let recordings = Recordings::load("tests/recordings").unwrap();
    let report = Suite::general(&kinds, &documents)
        .with(check::request(&operations, &kinds))
        .with(check::answer(&operations, &kinds))
        .run(&recordings);
    assert!(report.is_success() && report.recordings == 16, "{report}");
    println!("{report}");
}

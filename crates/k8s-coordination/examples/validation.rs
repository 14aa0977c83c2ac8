//! Finds the errors for which a server would reject an object, before it is sent.
//!
//! `cargo run -p k8s-coordination --example validation`

use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
use k8s_coordination::validation::{Prepare, Validate};

fn main() {
    for binary_version in ["v1.36.0", "1.36.0"] {
        let spec = LeaseCandidateSpec::new("scheduler", binary_version, "OldestEmulationVersion")
            .with_emulation_version("1.36.0");
        let candidate =
            LeaseCandidate::new(spec).with_metadata(ObjectMeta::default().with_name("node-1"));
        match candidate.to_created_in("kube-system").validate() {
            Ok(()) => println!("{binary_version}: accepted"),
            Err(errors) => println!("{binary_version}: rejected\n{errors}"),
        }
    }
}

//! Reads and writes objects of several API versions in one program.
//!
//! `cargo run -p k8s-coordination --example types`

use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::{v1, v1alpha1, v1beta1};

fn main() -> Result<(), serde_json::Error> {
    // What a server of 1.31 returns.
    let old = r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
        "metadata": {"name": "node-1", "namespace": "kube-system"},
        "spec": {"leaseName": "scheduler", "preferredStrategies": ["OldestEmulationVersion"]}}"#;
    let old: v1alpha1::LeaseCandidate = serde_json::from_str(old)?;
    println!("{:?} prefers {:?}", old.metadata.name, old.spec.preferred_strategies);

    // For a server of 1.33 and later: the arguments of the constructor are the required fields.
    let spec = v1beta1::LeaseCandidateSpec::new("scheduler", "1.36.0", "OldestEmulationVersion");
    let new = v1beta1::LeaseCandidate::new(spec.with_emulation_version("1.35.0"))
        .with_metadata(ObjectMeta::default().with_name("node-1").with_namespace("kube-system"));
    println!("{}", serde_json::to_string_pretty(&new)?);

    let spec =
        v1::LeaseSpec::default().with_holder_identity("node-1").with_lease_duration_seconds(15);
    let lease = v1::Lease::default().with_spec(spec);
    println!("{}", serde_json::to_string_pretty(&lease)?);
    Ok(())
}

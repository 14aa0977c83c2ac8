//! Reads candidates of any version, and works with them as one type.
//!
//! `cargo run -p k8s-coordination --example any_version`

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion as _};

const CANDIDATES: [&str; 2] = [
    r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
        "spec": {"leaseName": "scheduler", "preferredStrategies": ["OldestEmulationVersion"]}}"#,
    r#"{"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "spec": {"leaseName": "scheduler", "binaryVersion": "1.36.0", "strategy": "OldestEmulationVersion"}}"#,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in CANDIDATES {
        let candidate: AnyLeaseCandidate = serde_json::from_str(text)?;
        let (version, lease) = (candidate.version(), candidate.lease_name());
        println!("{version}: {lease}, {:?}", candidate.binary_version());
    }
    Ok(())
}

//! Converts a candidate into a newer version and back, and prints the fields that the newer version cannot hold.
//!
//! `cargo run -p k8s-coordination --example conversion`

use k8s_coordination::conversion::{Absent, ConvertObject, LeaseCandidatePolicies, Options};
use k8s_coordination::{v1alpha1, v1beta1};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strategies = ["OldestEmulationVersion", "example.com/by-load"];
    let spec =
        v1alpha1::LeaseCandidateSpec::new("scheduler", strategies).with_emulation_version("1.31.0");
    let old = v1alpha1::LeaseCandidate::new(spec);

    // A policy fills in a field that the newer version requires and the older one left out.
    let policies = LeaseCandidatePolicies::default().with_binary_version(Absent::UseOther);
    let (new, report): (v1beta1::LeaseCandidate, _) =
        (&old).convert_with(&Options::new(policies))?;
    println!("{}", serde_json::to_string_pretty(&new)?);
    println!("{report}");

    let (back, _): (v1alpha1::LeaseCandidate, _) = new.convert();
    assert_eq!(back, old, "nothing is lost on the way");
    Ok(())
}

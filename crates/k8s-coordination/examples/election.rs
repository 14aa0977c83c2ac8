//! Says who is elected, and why, without a server.
//!
//! `cargo run -p k8s-coordination --example election`

use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let now = "2026-01-02T03:04:05Z".parse()?;
    let candidate = |name: &str, version: &str| {
        let spec = LeaseCandidateSpec::new("scheduler", "1.36.0", "OldestEmulationVersion")
            .with_emulation_version(version)
            .with_renew_time(now);
        LeaseCandidate::new(spec)
            .with_metadata(ObjectMeta::default().with_name(name).with_namespace("kube-system"))
    };
    let (new, old) = (candidate("new", "1.36.0"), candidate("old", "1.35.0"));
    let election = Election::new("kube-system", "scheduler", [&new, &old], now);
    print!("{}", election.outcome());
    Ok(())
}

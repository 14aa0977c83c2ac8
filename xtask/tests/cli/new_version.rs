//! A new version of a kind reaches all packages by documents and rules alone.
//!
//! A copy of the packages gets the invented release (`crates/testing/src/specs/invented.rs`), which serves `LeaseCandidate` in
//! `v1`. The packages compile, and the elector's simulation, an election and a conversion run with the version.

use std::path::Path;
use std::process::Command;

use crate::checklist;
use crate::workspace::Workspace;
use testing::specs::invented;

/// The choice of the version that a server in the simulation serves.
const ANY_VERSION: &str =
    "LeaseCandidateVersion::ALL[rng.usize(..LeaseCandidateVersion::ALL.len())]";

#[test]
#[ignore = "compiles the packages again: `.ci/run --all` runs it"]
fn a_new_version_reaches_all_packages() {
    let workspace = Workspace::packages();
    let release = checklist::import_invented(&workspace);
    for (_, change) in invented::STEPS {
        checklist::edit(&workspace, change, release);
    }
    workspace.succeed(&["regenerate"]);
    let program = include_str!("new_version/program.rs");
    workspace.write("crates/k8s-coordination/tests/new_version.rs", program);
    let schedules = "crates/k8s-lease-elector/tests/elector/simulation/schedule/mod.rs";
    workspace.edit(schedules, ANY_VERSION, "LeaseCandidateVersion::NEWEST");
    // The packages share what they depend on with this one.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    for arguments in [
        "test --package k8s-coordination --test new_version",
        "test --package k8s-lease-elector --test elector simulation::runs",
        "check --package k8s-coordination-kube --features client,lead --package k8s-coordination-cli",
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(workspace.path("")).args(arguments.split_whitespace());
        let output = cargo.arg("--locked").env("CARGO_TARGET_DIR", target).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {arguments}: {errors}");
        let ran = String::from_utf8_lossy(&output.stdout);
        assert!(
            arguments.starts_with("check") || ran.contains("1 passed") || ran.contains("2 passed"),
            "{ran}"
        );
    }
}

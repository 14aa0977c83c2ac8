//! `cargo xtask diff`. What it finds is a matter of the generator, and tested there.

use crate::workspace::{NEWEST, Workspace};

/// The command fails by `--fail-on` and the accepted findings.
#[test]
fn it_fails_when_it_is_told_to() {
    let workspace = Workspace::small();
    let accept = |findings: &[&str]| {
        let entries = findings
            .iter()
            .map(|finding| format!("[[accepted]]\nfinding = \"{finding}\"\nreason = \"Tried.\"\n"));
        workspace.write("accepted.toml", entries.collect::<String>());
    };
    let fails =
        |options: &[&str]| workspace.call(&[&["diff", "v1.2", NEWEST], options].concat()).is_err();
    assert!(!fails(&[]));
    assert!(!fails(&["--fail-on", "compatible,no-effect"]));
    assert!(fails(&["--fail-on", "breaking"]));
    let fail = ["--fail-on", "breaking", "--accepted", "accepted.toml"];
    accept(&["version-removed v1alpha1"]);
    assert!(!fails(&fail));
    accept(&["version-removed v1alpha1", "nobody"]);
    assert!(fails(&fail));
}

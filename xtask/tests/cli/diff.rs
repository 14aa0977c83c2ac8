//! `cargo xtask diff`. What it finds is a matter of the generator, and tested there.

use insta::assert_snapshot;

use crate::workspace::Workspace;

/// The exit code follows `--fail-on` and the accepted findings.
#[test]
fn it_fails_when_it_is_told_to() {
    let workspace = Workspace::copy();
    let spec = "finding = \"field-became-required v1beta1 LeaseCandidate.spec\"";
    let accept = |findings: &[&str]| {
        let entries = findings
            .iter()
            .map(|finding| format!("[[accepted]]\n{finding}\nreason = \"Tried.\"\n"));
        workspace.write("accepted.toml", entries.collect::<String>());
    };
    let fail = ["--fail-on", "breaking", "--accepted", "accepted.toml"];
    let code = |options: &[&str]| {
        let diff = ["diff", "v1.35/v1beta1", "v1.36/v1beta1"];
        workspace.run(&[&diff, options].concat()).code
    };
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--fail-on", "apply,readers"]), Some(0));
    assert_eq!(code(&["--fail-on", "breaking"]), Some(1));
    accept(&[spec]);
    assert_eq!(code(&fail), Some(0));
    accept(&[spec, "finding = \"nobody\""]);
    assert_eq!(code(&fail), Some(1));
}

#[test]
fn bad_input() {
    let workspace = Workspace::copy();
    workspace.write("accepted.toml", "[[accepted]]\nfinding = 1\n");
    let accepted = ["--accepted", "accepted.toml"];
    let cases: [(&str, &[&str], i32); 5] = [
        ("no_release", &["v1.30", "v1.36"], 1),
        ("not_served", &["v1.36/v1alpha1", "v1.36"], 1),
        ("not_a_release", &["v1", "v1.36"], 2),
        ("not_a_class", &["v1.35", "v1.36", "--fail-on", "all"], 2),
        (
            "accepted",
            &[&["v1.35", "v1.36"], &accepted[..]].concat(),
            1,
        ),
    ];
    for (name, args, code) in cases {
        assert_snapshot!(name, workspace.fail(&[&["diff"], args].concat(), code));
    }
}

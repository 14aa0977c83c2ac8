//! `docs/conformance.md` is what the command says, and what the second implementation gets.

use std::fs;
use std::process::Command;

use crate::{recorded, second};

const HEAD: &str = "\
# Conformance

<!-- Written by `UPDATE_DOCS=1 cargo test -p k8s-coordination-cli page`; do not edit. -->

What the types make of everything that was recorded from API servers. The first part is what
`cargo coordination conform --format markdown` prints; the recordings are in [fixtures](../fixtures/README.md).

";

#[test]
fn page_is_up_to_date() {
    let command = Command::new(env!("CARGO_BIN_EXE_coordination"))
        .args(["conform", "--format", "markdown"])
        .current_dir(recorded::root())
        .output()
        .unwrap();
    let report = String::from_utf8(command.stdout).unwrap();
    let page = format!("{HEAD}{report}\n{}", second::section());
    let path = recorded::root().join("docs/conformance.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/conformance.md is not up to date: `UPDATE_DOCS=1 cargo test -p k8s-coordination-cli page` \
         writes it; review the difference"
    );
}

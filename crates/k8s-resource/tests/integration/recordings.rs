//! All checks on the recordings of this package; `docs/reference/resource/conformance.md` is the report.

use std::path::{Path, PathBuf};

use k8s_resource::Kinds;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::operation::Operations;
use k8s_versioned_conformance::{Documents, Recordings, Suite, SuiteReport, check};
use testing::page;

const HEAD: &str = "\
# Conformance

<!-- Written by `UPDATE_DOCS=1 cargo test -p k8s-resource recordings`; do not edit. -->

The results of all checks on the recordings of `resource.k8s.io` in `crates/k8s-resource/fixtures`. The check `convert`
converts each object from each of the three recorded versions into the two others, and compares the result with the object
that the server shows there: six directions.

";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(recordings: &Recordings) -> SuiteReport {
    let documents = Documents::load(root().join("crates/k8s-resource/specs")).unwrap();
    let (operations, convertible) = (Operations::all::<Kinds>(), Convertible::all::<Kinds>());
    let suite = Suite::general(&Kinds, &documents)
        .with(check::request(&operations, &Kinds))
        .with(check::answer(&operations, &Kinds))
        .with(check::convert(&Kinds, &convertible));
    suite.run(recordings)
}

/// `RECORDINGS` names a folder with recordings of another server.
#[test]
fn recordings_of_another_server() {
    if let Some(folder) = std::env::var_os("RECORDINGS") {
        let report = run(&Recordings::load(folder).unwrap());
        assert!(report.is_success(), "{report}");
        println!("{report:#}");
    }
}

#[test]
fn all_checks_pass_and_the_page_is_up_to_date() {
    let recordings = Recordings::load(root().join("crates/k8s-resource/fixtures")).unwrap();
    let report = run(&recordings);
    assert!(report.is_success(), "{report}");
    let report = report.markdown().replace(&format!("{}/", root().display()), "");
    let page = format!("{HEAD}{report}");
    page::check(&root().join("docs/reference/resource/conformance.md"), &page);
}

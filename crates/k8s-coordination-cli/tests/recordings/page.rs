//! All checks pass, and `docs/reference/coordination/conformance.md` is the report.

use k8s_coordination_cli::conformance::{operations, suite};
use k8s_versioned_conformance::KnownFailures;
use k8s_versioned_conformance::recordings::KNOWN_FAILURES_FILE;
use testing::page;

use crate::k8s_openapi_types;
use crate::recorded::{DOCUMENTS, RECORDINGS, root};

const HEAD: &str = "\
# Conformance

<!-- Written by `UPDATE_DOCS=1 cargo test -p k8s-coordination-cli --test recordings page`; do not edit. -->

The results of all checks on all recordings of API servers. `cargo coordination conform --format markdown` prints the
first part; the recordings are in [fixtures](../../../fixtures/README.md).

";

#[test]
fn all_checks_pass_and_the_page_is_up_to_date() {
    let known = KnownFailures::load(root().join("fixtures").join(KNOWN_FAILURES_FILE)).unwrap();
    let operations = operations();
    let suite = suite(&DOCUMENTS, &operations).with_known_failures(known);
    // Each takes seconds.
    let (report, second) = std::thread::scope(|scope| {
        let second = scope.spawn(k8s_openapi_types::section);
        (suite.run(&RECORDINGS), second.join().unwrap())
    });
    assert!(report.is_success(), "{report}");
    let report = report.markdown();
    let report = report.replace(&format!("{}/", root().display()), "");
    let page = format!("{HEAD}{report}\n{second}");
    page::check(&root().join("docs/reference/coordination/conformance.md"), &page);
}

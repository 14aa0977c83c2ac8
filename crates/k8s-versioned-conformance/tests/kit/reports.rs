//! The formats of reports.

use k8s_versioned_conformance::{Documents, KnownFailures, Recordings, Suite, SuiteReport};

use crate::folder::{DOCUMENTS, GOOD, SET, edited, put};
use crate::widget::KINDS;

/// A report that has every section.
fn report() -> (SuiteReport, String) {
    let folder = edited("002-get.json", r#""size": 2,"#, r#""size": 2, "note": "`a` | b","#);
    put(&folder, &format!("{SET}/006-bad.json"), b"{");
    let noted = GOOD.replace("\"get\"", "\"get-noted\"");
    let noted = noted.replace(r#""size": 2"#, r#""note": "n", "size": 2"#);
    put(&folder, &format!("{SET}/007-get-noted.json"), noted.as_bytes());
    let documents = Documents::load(DOCUMENTS).unwrap();
    let known = "
        [[failure]]
        check = \"yaml\"
        set = \"widgets\"
        name = \"get-yaml\"
        reason = \"The twin was edited.\"

        [[failure]]
        check = \"round-trip\"
        set = \"widgets\"
        name = \"get-noted\"
        reason = \"Notes are not kept.\"

        [[failure]]
        check = \"schema\"
        release = \"v1.36\"
        set = \"widgets\"
        name = \"get\"
        reason = \"Not any more.\"";
    let report = Suite::general(&KINDS, &documents)
        .with_known_failures(KnownFailures::parse(known).unwrap())
        .run(&Recordings::load(folder.path()).unwrap());
    (report, folder.path().display().to_string())
}

/// The report with `recordings` instead of the temporary folder.
fn shown(text: &str, folder: &str) -> String {
    text.replace(folder, "recordings")
}

#[test]
fn text() {
    let (report, folder) = report();
    insta::assert_snapshot!(shown(&report.to_string(), &folder));
}

#[test]
fn colours_change_nothing_else() {
    let (report, _) = report();
    let coloured = format!("{report:#}");
    assert!(coloured.contains("\u{1b}[1m\u{1b}[31merror"), "{coloured}");
    let plain = anstream::adapter::strip_str(&coloured).to_string();
    assert_eq!(plain, report.to_string());
}

#[test]
fn markdown() {
    let (report, folder) = report();
    insta::assert_snapshot!(shown(&report.markdown(), &folder));
}

#[test]
fn json() {
    let (report, folder) = report();
    let json = serde_json::to_string_pretty(&report).unwrap();
    insta::assert_snapshot!(shown(&json, &folder));
}

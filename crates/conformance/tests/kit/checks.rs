//! Each check passes where it should, and fails where it should.

use k8s_versioned::KindEntry;
use k8s_versioned_conformance::{Check, Documents, Finding, Recording, Recordings, Report, Suite};
use tempfile::TempDir;

use crate::folder::{DOCUMENTS, WIDGETS, edited, edited_documents};
use crate::widget::{GROWING_KINDS, KINDS, STRICT_KINDS};

fn run(kinds: &'static [KindEntry], recordings: &str, documents: &str) -> Report {
    let documents = Documents::load(documents).unwrap();
    Suite::general(&kinds, &documents).run(&Recordings::load(recordings).unwrap())
}

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().unwrap()
}

/// The checks that fail, each as often as it does.
fn failed(report: &Report) -> Vec<&'static str> {
    report.failures().iter().map(|failure| failure.check).collect()
}

/// The only check that fails, where, and what the report advises.
fn failure(report: &Report) -> (&'static str, String, String) {
    let failures = report.failures();
    let [first, ..] = failures else {
        panic!("nothing failed:\n{report}");
    };
    let only = failed(report).iter().all(|check| *check == first.check);
    assert!(only, "{report}");
    let file = first.file.file_name().unwrap().to_string_lossy();
    let place = format!("{file} {}", first.mismatch.pointer);
    (first.check, place, first.mismatch.advice.to_string())
}

#[test]
fn good_types_pass() {
    let report = run(KINDS, WIDGETS, DOCUMENTS);
    assert!(report.is_success(), "{report}");
    let totals = report.matrix().checks().iter().map(|check| {
        let total = report.matrix().total(check);
        format!("{check} {} ({})", total.passed, total.not_applicable)
    });
    let totals: Vec<String> = totals.collect();
    let expected = "decode 9 (1), round-trip 8 (2), schema 4 (3), response 5 (1), yaml 1 (5)";
    assert_eq!(totals.join(", "), expected);
}

#[test]
fn a_strict_type_fails_to_decode() {
    let report = run(STRICT_KINDS, WIDGETS, DOCUMENTS);
    let decode = failed(&report).iter().filter(|check| **check == "decode").count();
    assert_eq!(decode, 6, "{report}");
    let first = &report.failures()[0].mismatch.found;
    assert!(first.contains("unknown field `resourceVersion`"), "{first}");
}

#[test]
fn a_request_may_only_fail_where_the_server_failed() {
    let bad_size = edited("001-create.json", r#""size": 2,"#, r#""size": "2","#);
    let report = run(KINDS, path(&bad_size), DOCUMENTS);
    assert_eq!(failed(&report), ["decode", "round-trip"], "{report}");
    let mut failures = report.failures().iter();
    assert!(failures.all(|failure| failure.mismatch.pointer == "/request/json"));
    let advice = &report.failures()[0].mismatch.advice;
    assert!(advice.contains("stricter than the server"), "{advice}");
}

#[test]
fn what_a_client_sends_changes_at_most_once() {
    let report = run(GROWING_KINDS, WIDGETS, DOCUMENTS);
    let request = report
        .failures()
        .iter()
        .find(|failure| failure.mismatch.pointer == "/request/json/spec/size")
        .unwrap();
    assert_eq!(request.check, "round-trip");
    assert_eq!((&*request.mismatch.expected, &*request.mismatch.found), ("3", "4"));
}

#[test]
fn null_equals_absent_and_nothing_else_does() {
    let null = edited("002-get.json", r#""size": 2,"#, r#""size": 2, "note": null,"#);
    assert!(run(KINDS, path(&null), DOCUMENTS).is_success());

    let empty = edited("002-get.json", r#""size": 2,"#, r#""size": 2, "note": "","#);
    let report = run(KINDS, path(&empty), DOCUMENTS);
    assert_eq!(failed(&report), ["round-trip"], "{report}");
}

#[test]
fn a_document_that_disagrees_fails_the_schema() {
    let documents = edited_documents(r#""type": "integer""#, r#""type": "string""#);
    let (check, place, advice) = failure(&run(KINDS, WIDGETS, path(&documents)));
    assert_eq!(check, "schema");
    assert_eq!(place, "001-create.json /response/json/spec/size");
    assert!(advice.contains("`com.example.v1.Widget`"), "{advice}");
}

#[test]
fn a_time_that_is_none_fails_the_schema() {
    // The type reads metadata as it is; only the schema knows better.
    let documents = edited_documents(
        r#""metadata": {
            "type": "object""#,
        r#""metadata": {
            "properties": {"name": {"type": "string", "format": "date-time"}},
            "type": "object""#,
    );
    let (check, place, _) = failure(&run(KINDS, WIDGETS, path(&documents)));
    assert_eq!(check, "schema");
    assert_eq!(place, "001-create.json /response/json/metadata/name");
}

#[test]
fn a_schema_that_cannot_be_used_is_no_panic() {
    let documents = edited_documents("v1.WidgetSpec\"\n", "v1.Missing\"\n");
    let (check, place, _) = failure(&run(KINDS, WIDGETS, path(&documents)));
    assert_eq!((check, &*place), ("schema", "001-create.json /response/json"));
}

#[test]
fn an_undocumented_status_needs_a_status() {
    let documents = edited_documents(r#""201""#, r#""202""#);
    let (check, place, advice) = failure(&run(KINDS, WIDGETS, path(&documents)));
    assert_eq!((check, &*place), ("response", "001-create.json /response/status"));
    assert!(advice.contains("POST /apis/example.com/v1/widgets"), "{advice}");
}

#[test]
fn a_status_must_decode() {
    let no_code = edited("005-create-size-not-a-number.json", r#""code": 400"#, r#""code": "400""#);
    let report = run(KINDS, path(&no_code), DOCUMENTS);
    assert_eq!(failed(&report), ["decode", "round-trip", "response"], "{report}");
}

#[test]
fn yaml_that_says_something_else_fails() {
    for (from, to, place) in [
        ("size: 2", "size: 3", "/response/text/spec/size"),
        ("size: 2", "size: two", "/response/text"),
        ("spec:", "spec: [", "/response/text"),
    ] {
        let yaml = edited("003-get-yaml.json", from, to);
        let (check, found, advice) = failure(&run(KINDS, path(&yaml), DOCUMENTS));
        assert_eq!(check, "yaml");
        assert_eq!(found, format!("003-get-yaml.json {place}"));
        assert!(to != "size: two" || advice.contains("002-get.json"), "{advice}");
    }
}

#[test]
fn without_documents_the_checks_that_need_them_do_not_apply() {
    let documents = Documents::default();
    let report = Suite::general(&KINDS, &documents).run(&Recordings::load(WIDGETS).unwrap());
    assert!(report.is_success(), "{report}");
    assert_eq!(report.matrix().total("schema").passed, 0);
    let reasons: Vec<&str> = report.not_applicable().map(|entry| entry.reason).collect();
    assert!(reasons.contains(&"no document of v1.36 for it"), "{reasons:?}");
}

struct Silent;

impl Check for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    fn about(&self) -> &'static str {
        "nobody knows"
    }

    fn check(&self, _: &Recording, _: &Recordings) -> Vec<Finding> {
        Vec::new()
    }
}

#[test]
fn a_check_that_says_nothing_has_failed() {
    let report = Suite::new().with(Silent).run(&Recordings::load(WIDGETS).unwrap());
    assert_eq!(report.matrix().total("silent").failed, report.recordings());
    let (_, _, advice) = failure(&report);
    assert_eq!(advice, "the check must say why it does not apply");
}

#[test]
fn only_some_checks_run_when_only_some_are_wanted() {
    let documents = Documents::default();
    let suite = Suite::general(&KINDS, &documents).only(&["yaml", "decode"]).unwrap();
    assert_eq!(suite.names().collect::<Vec<_>>(), ["decode", "yaml"]);
    let Err(error) = suite.only(&["schema"]) else {
        panic!("the check is not there any more");
    };
    assert_eq!(error.to_string(), "no check is called `schema`; there are decode, yaml");
}

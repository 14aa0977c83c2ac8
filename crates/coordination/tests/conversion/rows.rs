//! The decision tables, row by row.

use crate::support::*;

const LIST: &str = "spec.preferredStrategies";

/// `list` goes up as `first` with `kept`, the report says `told`, and it comes back.
fn goes_up(list: &[&str], first: &str, kept: Option<&[&str]>, told: &[&str]) {
    let source = x(list, Some("1.31.0"));
    let (target, report) = up(&source);
    let (text, without) = split(&target);
    assert_eq!(text, kept.map(kept_list));
    assert_eq!(without, z(first, "1.31.0", None));
    assert_eq!(findings(&report), told);
    assert_eq!(down(&target).0, source, "comes back unchanged");
}

/// A candidate with `live` and the annotation `kept` goes down as `list`, without the annotation.
fn goes_down(live: &str, kept: Option<&str>, list: &[&str], told: &[&str]) {
    let source = z(live, "1.31.0", kept);
    let (target, report) = down(&source);
    assert_eq!(target, x(list, Some("1.31.0")));
    assert_eq!(findings(&report), told);
    let (again, _) = up(&target);
    assert_eq!(again.spec, source.spec, "the spec comes back unchanged");
}

fn told(finding: &str) -> String {
    format!("{LIST} {finding}")
}

fn annotation(finding: &str) -> String {
    format!("metadata.annotations[{K}] {finding}")
}

const STRATEGY_REQUIRED: &str = "spec.strategy invalidInTarget";

#[test]
fn row_01_no_strategy_up() {
    goes_up(&[], "", None, &[STRATEGY_REQUIRED]);
}

#[test]
fn row_02_one_strategy_up() {
    goes_up(&[A], A, None, &[]);
}

#[test]
fn row_03_several_strategies_up() {
    goes_up(&[A, B], A, Some(&[A, B]), &[&told("preserved")]);
}

#[test]
fn row_04_the_same_strategy_twice_up() {
    goes_up(&[A, A], A, Some(&[A, A]), &[&told("preserved")]);
}

#[test]
fn row_05_an_empty_strategy_first_up() {
    let told = [&*told("preserved"), STRATEGY_REQUIRED];
    goes_up(&[""], "", Some(&[""]), &told);
    goes_up(&["", A], "", Some(&["", A]), &told);
}

#[test]
fn row_06_a_custom_strategy_without_binary_version_up() {
    let source = x(&[B], None);
    let (target, report) = up(&source);
    assert_eq!(target, z(B, "", None));
    assert_eq!(findings(&report), ["spec.binaryVersion invalidInTarget"]);
    assert_eq!(down(&target).0, source);
}

#[test]
fn row_07_any_other_string_up() {
    for odd in [
        "oldestemulationversion",
        " ",
        "/",
        "a/b/c",
        "é\n\u{0}",
        "\u{10ffff}",
    ] {
        goes_up(&[odd], odd, None, &[]);
        goes_up(&[odd, odd], odd, Some(&[odd, odd]), &[&told("preserved")]);
    }
}

#[test]
fn row_08_a_strategy_down() {
    goes_down(A, None, &[A], &[]);
}

#[test]
fn row_09_no_strategy_down() {
    goes_down("", None, &[], &[]);
}

#[test]
fn row_10_a_kept_list_comes_back() {
    let kept = kept_list(&[A, B]);
    goes_down(A, Some(&kept), &[A, B], &[&told("restored")]);
    let source = z(A, "1.31.0", Some(&kept));
    assert_eq!(
        up(&down(&source).0).0,
        source,
        "up again writes the same bytes"
    );
}

#[test]
fn row_11_an_edited_strategy_makes_the_kept_list_stale() {
    goes_down(C, Some(&kept_list(&[A, B])), &[C], &[&told("stale")]);
    let (_, report) = down(&z(C, "1.31.0", Some(&kept_list(&[A, B]))));
    assert!(
        report.to_string().contains(B),
        "what was discarded: {report}"
    );
}

#[test]
fn row_12_a_cleared_strategy_makes_the_kept_list_stale() {
    goes_down("", Some(&kept_list(&[A, B])), &[], &[&told("stale")]);
}

#[test]
fn row_13_edited_and_back_cannot_be_told_apart() {
    let (mut target, _) = up(&x(&[A, B], Some("1.31.0")));
    target.spec.strategy = C.into();
    target.spec.strategy = A.into();
    assert_eq!(strategies(&down(&target).0), [A, B]);
}

#[test]
fn row_14_an_unreadable_annotation() {
    let huge = kept_list(&[A, &"b".repeat(300_000)]);
    let malformed = ["", "{", "[]", "null", "\u{0}", r#"{"format":"1"}"#, &huge];
    for text in malformed {
        goes_down(A, Some(text), &[A], &[&annotation("malformed")]);
    }
    let other_version = kept_list(&[A, B]).replace("v1alpha1", "v1alpha9");
    for text in [r#"{"format":2,"lists":[]}"#, &other_version] {
        goes_down(A, Some(text), &[A], &[&annotation("unsupported")]);
        let source = z(A, "1.31.0", Some(text));
        let strict: Result<(X, Report), _> = source.convert_strict();
        let Finding::Unsupported { text: found, .. } =
            &strict.unwrap_err().reasons().entries()[0].finding.clone()
        else {
            panic!("unsupported");
        };
        assert_eq!(found, text, "the raw text is told");
    }
    for value in ["null", "5", "[1]", "[null]", r#""text""#, "{}"] {
        let text = kept(&format!(r#""{LIST}":{value}"#), "");
        goes_down(A, Some(&text), &[A], &[&told("malformed")]);
    }
    let text = kept(r#""spec.other":1"#, "");
    goes_down(A, Some(&text), &[A], &[&annotation("unsupported")]);
}

#[test]
fn row_15_a_deleted_annotation_is_a_loss_that_cannot_be_seen() {
    let (mut target, _) = up(&x(&[A, B], Some("1.31.0")));
    target.metadata.annotations.remove(K);
    let (back, report) = down(&target);
    assert_eq!(strategies(&back), [A]);
    assert!(report.is_empty());
}

#[test]
fn row_16_a_redundant_annotation() {
    goes_down(A, Some(&kept_list(&[A])), &[A], &[&told("redundant")]);
    goes_down("", Some(&kept_list(&[])), &[], &[&told("redundant")]);
    goes_down(A, Some(&kept_list(&[])), &[A], &[&told("redundant")]);
}

#[test]
fn row_17_the_annotation_has_no_business_on_v1alpha1() {
    for text in ["anything", &kept_list(&[A, C])] {
        for (list, kept) in [(&[A, B][..], Some(kept_list(&[A, B]))), (&[A], None)] {
            let mut source = x(list, Some("1.31.0"));
            source
                .metadata
                .annotations
                .insert(K.to_owned(), text.to_owned());
            let (target, report) = up(&source);
            assert_eq!(split(&target).0, kept);
            assert_eq!(findings(&report)[0], annotation("reservedKeyDiscarded"));
            assert_eq!(strategies(&down(&target).0), list);
        }
    }
}

//! A few telling candidates, both ways, with their reports.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::support::*;

/// The candidate and its report.
fn shown(candidate: &impl serde::Serialize, report: &ConversionReport) -> String {
    let mut text = serde_json::to_string_pretty(candidate).unwrap();
    for entry in report {
        let _ = write!(text, "\n-- {entry}");
    }
    text
}

fn up_and_down(source: &X) -> String {
    let (target, report) = up(source);
    let (back, back_report) = down(&target);
    [
        shown(source, &ConversionReport::new()),
        shown(&target, &report),
        shown(&back, &back_report),
    ]
    .join("\n\n")
}

#[test]
fn one_strategy() {
    assert_snapshot!(up_and_down(&x(&[A], Some("1.31.0"))));
}

#[test]
fn several_strategies() {
    assert_snapshot!(up_and_down(&x(&[A, B, A], Some("1.31.0"))));
}

#[test]
fn nothing_that_later_versions_require() {
    assert_snapshot!(up_and_down(&x(&[], None)));
}

#[test]
fn filled_from_the_emulation_version() {
    let mut source = x(&[B], None);
    source.spec.emulation_version = Some("1.30.0".to_owned());
    let options = Options::new(Policies {
        binary_version: Absent::UseOther,
    });
    let (target, report): (Y, _) = source.convert_with(&options).unwrap();
    let (back, back_report): (X, _) = (&target).convert();
    let text = [shown(&target, &report), shown(&back, &back_report)].join("\n\n");
    assert_snapshot!(text);
}

#[test]
fn edited_meanwhile() {
    let (mut target, _) = up(&x(&[A, B], Some("")));
    target.spec.strategy = C.into();
    let (back, report) = down(&target);
    assert_snapshot!(
        [
            shown(&target, &ConversionReport::new()),
            shown(&back, &report)
        ]
        .join("\n\n")
    );
}

#[test]
fn a_broken_annotation() {
    let (back, report) = down(&z(A, "1.33.0", Some("{\"fields\":\u{1b}[31m")));
    assert_snapshot!(shown(&back, &report));
}

//! Findings as GitHub's workflow commands, which show them beside the lines of a document.

use std::fmt::Write as _;

use strum::VariantArray;

use super::{Report, classes};
use crate::diff::{Class, Finding};
use crate::{Files, Place};

/// An annotation for each finding: an error if it makes the comparison fail, a warning if it breaks
/// something, a notice otherwise. Findings without effect are left out.
pub(super) fn write(report: &Report, specs: &Files) -> String {
    let mut text = String::new();
    for class in Class::VARIANTS.iter().filter(|class| **class != Class::NoEffect) {
        for finding in report.of_class(*class) {
            let level = level(report, finding);
            let place = finding.place.as_ref();
            let place = place.map(|place| in_file(place, specs)).unwrap_or_default();
            let title = property(&format!("{}: {}", finding.rule.id, finding.headline()));
            let said = message(&format!("{}: {}", classes(finding), finding.rule.reason));
            let _ = writeln!(text, "::{level} {place}title={title}::{said}");
        }
    }
    for key in report.unused() {
        let said =
            message(&format!("`{key}` is accepted, but no finding has this key: remove the entry"));
        let _ = writeln!(text, "::error title=accepted findings::{said}");
    }
    text
}

fn level(report: &Report, finding: &Finding) -> &'static str {
    if report.fails(finding) {
        "error"
    } else if finding.classes.iter().any(|class| class.breaks()) {
        "warning"
    } else {
        "notice"
    }
}

fn in_file(place: &Place, specs: &Files) -> String {
    let start = place.span.as_ref().map_or(0, |span| span.start);
    let before = specs.get(&*place.file).and_then(|text| text.get(..start));
    let lines = before.map_or(0, |before| before.split(|byte| *byte == b'\n').count());
    let line = lines.max(1);
    format!("file={},line={line},", property(&format!("specs/{}", place.file)))
}

/// Text as the part after `::` holds it.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text as a property holds it.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

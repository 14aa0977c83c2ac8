//! Findings for continuous integration, as a `JUnit` report in XML.

use std::fmt::Write as _;

use super::{Report, classes};

/// A test case for each finding, which fails if the finding makes the comparison fail.
pub(super) fn write(report: &Report) -> String {
    let unused = report.unused();
    let tests = report.findings.len() + unused.len();
    let failing = report.findings.iter().filter(|finding| report.fails(finding));
    let failures = failing.count() + unused.len();
    let mut cases = String::new();
    for finding in &report.findings {
        let (id, headline) = (finding.rule.id, finding.headline());
        let said = format!("{}: {}", classes(finding), finding.rule.reason);
        write_case(&mut cases, id, &headline, &said, report.fails(finding));
    }
    for key in unused {
        let said = "The key is accepted, but no finding has it: remove the entry.";
        write_case(&mut cases, "accepted", &key, said, true);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"{} to {}\" tests=\"{tests}\" failures=\"{failures}\">\n{cases}</testsuite>\n",
        report.old, report.new
    )
}

fn write_case(text: &mut String, class: &str, name: &str, said: &str, fails: bool) {
    let (name, said) = (escape(name), escape(said));
    let (tag, attribute) = if fails {
        ("failure", format!(" message=\"{said}\""))
    } else {
        ("system-out", String::new())
    };
    let _ = writeln!(
        text,
        "  <testcase classname=\"{class}\" name=\"{name}\">\n    <{tag}{attribute}>{said}</{tag}>\n  </testcase>"
    );
}

/// Text as XML holds it in attributes and elements.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! Findings for a pull request or a page.

use std::fmt::Write as _;

use strum::VariantArray;

use super::{Report, classes};
use crate::diff::{Class, Finding, Tree};

/// A table of the findings for each class, the gravest first, and the details folded below.
pub(super) fn write(report: &Report) -> String {
    let mut text =
        format!("## {} \u{2192} {}\n\n{}.\n", report.old, report.new, capital(&report.count()));
    for &class in Class::VARIANTS {
        let findings: Vec<&Finding> = report.of_class(class).collect();
        if !findings.is_empty() {
            write_class(&mut text, report, class, &findings);
        }
    }
    for key in report.unused() {
        let _ = writeln!(
            text,
            "\n**`{key}` is accepted, but no finding has this key: remove the entry.**"
        );
    }
    text
}

fn write_class(text: &mut String, report: &Report, class: Class, findings: &[&Finding]) {
    let _ =
        writeln!(text, "\n### {}\n\n| change | reason |\n|---|---|", capital(&class.to_string()));
    for finding in findings {
        let mut why = finding.rule.reason.to_owned();
        if finding.classes.len() > 1 {
            let _ = write!(why, " ({})", capital(&classes(finding)));
        }
        if let Some(reason) = report.accepted.reason(finding) {
            let _ = write!(why, " Accepted: {reason}");
        }
        let _ = writeln!(
            text,
            "| `{}` {} | {} |",
            finding.rule.id,
            cell(&finding.headline()),
            cell(&why)
        );
    }
    if class != Class::NoEffect {
        for finding in findings {
            write_details(text, report, finding);
        }
    }
}

fn write_details(text: &mut String, report: &Report, finding: &Finding) {
    if finding.reaches.is_empty() {
        return;
    }
    let key = cell(&finding.key());
    let _ = writeln!(text, "\n<details><summary>{key}</summary>\n\nReaches:\n");
    write_tree(text, &finding.reaches, 0);
    if let Some(witness) = &finding.witness {
        let object = serde_json::to_string_pretty(&witness.object).unwrap_or_default();
        let _ = writeln!(
            text,
            "\nBy the documents, {}: {}, {}: {}.\n\n```json\n{object}\n```",
            report.old, witness.old, report.new, witness.new
        );
    }
    let _ = writeln!(text, "\n</details>");
}

fn write_tree(text: &mut String, trees: &[Tree], depth: usize) {
    for tree in trees {
        let _ = writeln!(text, "{}- `{}`", "  ".repeat(depth), tree.text);
        write_tree(text, &tree.children, depth + 1);
    }
}

/// Text for the cell of a table: it neither ends the cell nor begins a tag.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

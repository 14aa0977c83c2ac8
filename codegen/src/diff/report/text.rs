//! Findings for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use strum::VariantArray;

use super::{Report, classes};
use crate::diff::{Class, Finding, Tree};

/// The number of lines that are shown about the reach of a finding.
const SHOWN: usize = 12;

/// The gravest findings first, each with its reason, its reach, and an object that shows it.
pub(super) fn write(report: &Report) -> String {
    let mut text = format!("{} \u{2192} {}: {}\n", report.old, report.new, report.count());
    for &class in Class::VARIANTS {
        if class == Class::NoEffect {
            write_without_effect(&mut text, report);
        } else {
            for finding in report.of_class(class) {
                write_finding(&mut text, report, finding);
            }
        }
    }
    for key in report.unused() {
        let _ = writeln!(
            text,
            "\nerror: `{key}` is accepted, but no finding has this key: remove the entry"
        );
    }
    text
}

/// Writes the findings without effect: one line for each rule and each finding.
fn write_without_effect(text: &mut String, report: &Report) {
    let mut by_rule: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in report.of_class(Class::NoEffect) {
        by_rule.entry(finding.rule.id).or_default().push(finding);
    }
    for (id, findings) in by_rule {
        let reason = findings.first().map_or("", |finding| finding.rule.reason);
        let _ = writeln!(text, "\n{id}, {}: {reason}", Class::NoEffect);
        for finding in findings {
            let _ = writeln!(text, "  {}", finding.headline());
        }
    }
}

/// Writes a finding. Writing to a string cannot fail.
fn write_finding(text: &mut String, report: &Report, finding: &Finding) {
    let _ = writeln!(text, "\n{}: {}", finding.rule.id, finding.headline());
    let _ = writeln!(text, "  {}: {}", classes(finding), finding.rule.reason);
    if let Some(reason) = report.accepted.reason(finding) {
        let _ = writeln!(text, "  accepted: {reason}");
    } else if report.fails(finding) {
        let _ = writeln!(text, "  not accepted");
    }
    write_reaches(text, &finding.reaches);
    if let Some(witness) = &finding.witness {
        let _ = writeln!(
            text,
            "  by the documents, {}: {}, {}: {}\n    {}",
            report.old, witness.old, report.new, witness.new, witness.object
        );
    }
}

fn write_reaches(text: &mut String, trees: &[Tree]) {
    if trees.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    for tree in trees {
        lines.push(format!("    {}", tree.text));
        draw(&mut lines, &tree.children, "    ");
    }
    let hidden = lines.len().saturating_sub(SHOWN);
    if hidden > 1 {
        lines.truncate(SHOWN);
        lines.push(format!("    \u{2026} and {hidden} more lines"));
    }
    let _ = writeln!(text, "  reaches:\n{}", lines.join("\n"));
}

fn draw(lines: &mut Vec<String>, trees: &[Tree], before: &str) {
    for (index, tree) in trees.iter().enumerate() {
        let last = index + 1 == trees.len();
        let (branch, below) =
            if last { ("\u{2514}\u{2500} ", "   ") } else { ("\u{251c}\u{2500} ", "\u{2502}  ") };
        lines.push(format!("{before}{branch}{}", tree.text));
        draw(lines, &tree.children, &format!("{before}{below}"));
    }
}

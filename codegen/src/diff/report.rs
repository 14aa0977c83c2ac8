//! Reports of the differences: text for a terminal, JSON for programs, Markdown for a pull request.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use k8s_versioned_names::quoted::OneLine;
use serde::Serialize;
use strum::{EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::{Class, Finding, Selection, Tree};
use crate::text::{capital, cell, join, shorten};

/// The number of lines that are shown about the reach of a finding.
const SHOWN: usize = 12;

/// The content of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The older side of the comparison.
    pub old: Selection,
    /// The newer side of the comparison.
    pub new: Selection,
    /// The differences of the documents.
    pub findings: Vec<Finding>,
}

/// The form of a report. The docs of each are the help of the command.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, EnumMessage, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For programs.
    Json,
}

impl Comparison {
    /// The report in a form.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            // Writing cannot fail: every key is a string.
            Format::Json => serde_json::to_string_pretty(self).unwrap_or_default() + "\n",
        }
    }

    /// The findings whose gravest class this is.
    fn of_class(&self, class: Class) -> impl Iterator<Item = &Finding> {
        let of_class = move |finding: &&Finding| finding.classes.first() == Some(&class);
        self.findings.iter().filter(of_class)
    }

    /// The number of findings of each class, in words.
    fn count(&self) -> String {
        let counts = Class::VARIANTS.iter().map(|class| (class, self.of_class(*class).count()));
        let counts = counts.filter(|(_, count)| *count > 0);
        let counts = join(counts.map(|(class, count)| format!("{count} {class}")), ", ");
        if counts.is_empty() { "no differences".to_owned() } else { counts }
    }

    /// The gravest findings first, each with its reason, its reach, and an object that shows it.
    fn text(&self) -> String {
        let mut text = format!("{} \u{2192} {}: {}\n", self.old, self.new, self.count());
        let mut said = Said::default();
        for &class in Class::VARIANTS.iter().filter(|class| **class != Class::NoEffect) {
            for finding in self.of_class(class) {
                self.write_finding(&mut text, finding, said.before(finding));
            }
        }
        let mut by_rule: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in self.of_class(Class::NoEffect) {
            by_rule.entry(finding.rule.id).or_default().push(finding);
        }
        for (id, findings) in by_rule {
            let reason = findings.first().map_or("", |finding| finding.rule.reason);
            let _ = writeln!(text, "\n{id}, {}: {reason}", Class::NoEffect);
            let mut lines: Vec<String> =
                findings.iter().map(|finding| format!("  {}\n", finding.headline())).collect();
            shorten(&mut lines, SHOWN, |hidden| format!("  \u{2026} and {hidden} more\n"));
            text += &lines.concat();
        }
        text
    }

    /// Writes a finding. It reaches the same as another one if there is one `before`.
    fn write_finding(&self, text: &mut String, finding: &Finding, before: Option<&Finding>) {
        let _ = writeln!(text, "\n{}: {}", finding.rule.id, finding.headline());
        let _ = writeln!(text, "  {}: {}", classes(finding), finding.rule.reason);
        let mut lines = Vec::new();
        for tree in &finding.reaches {
            lines.push(format!("    {}", OneLine(&tree.text)));
            draw(&mut lines, &tree.children, "    ");
        }
        shorten(&mut lines, SHOWN, |hidden| format!("    \u{2026} and {hidden} more lines"));
        if let Some(before) = before {
            let _ = writeln!(text, "  reaches: as {}", before.key());
        } else if !lines.is_empty() {
            let _ = writeln!(text, "  reaches:\n{}", lines.join("\n"));
        }
        if let Some(witness) = &finding.witness {
            let _ = writeln!(
                text,
                "  by the documents, {}: {}, {}: {}\n    {}",
                self.old, witness.old, self.new, witness.new, witness.object
            );
        }
    }

    /// A table of the findings for each class, the gravest first, and the details folded below.
    fn markdown(&self) -> String {
        let mut text =
            format!("## {} \u{2192} {}\n\n{}.\n", self.old, self.new, capital(&self.count()));
        let mut said = Said::default();
        for &class in Class::VARIANTS {
            let findings: Vec<&Finding> = self.of_class(class).collect();
            if findings.is_empty() {
                continue;
            }
            let title = capital(&class.to_string());
            let _ = writeln!(text, "\n### {title}\n\n| change | reason |\n|---|---|");
            for finding in &findings {
                let mut why = finding.rule.reason.to_owned();
                if finding.classes.len() > 1 {
                    let _ = write!(why, " ({})", capital(&classes(finding)));
                }
                let (id, headline) = (finding.rule.id, cell(&finding.headline()));
                let _ = writeln!(text, "| `{id}` {headline} | {} |", cell(&why));
            }
            if class != Class::NoEffect {
                for finding in findings {
                    self.write_details(&mut text, finding, said.before(finding));
                }
            }
        }
        text
    }

    fn write_details(&self, text: &mut String, finding: &Finding, before: Option<&Finding>) {
        if finding.reaches.is_empty() {
            return;
        }
        let key = cell(&finding.key());
        let _ = writeln!(text, "\n<details><summary>{key}</summary>\n");
        if let Some(before) = before {
            let _ = writeln!(text, "Reaches: as {}", cell(&before.key()));
        } else {
            text.push_str("Reaches:\n\n");
            write_tree(text, &finding.reaches, 0);
        }
        if let Some(witness) = &finding.witness {
            let object = serde_json::to_string_pretty(&witness.object).unwrap_or_default();
            let _ = writeln!(
                text,
                "\nBy the documents, {}: {}, {}: {}.\n\n```json\n{object}\n```",
                self.old, witness.old, self.new, witness.new
            );
        }
        let _ = writeln!(text, "\n</details>");
    }
}

/// What the findings so far reach, each with its first finding. The fields of a type differ in their names alone.
#[derive(Default)]
struct Said<'a>(BTreeMap<Vec<String>, &'a Finding>);

impl<'a> Said<'a> {
    /// The finding that reaches the same, if it was before this one.
    fn before(&mut self, finding: &'a Finding) -> Option<&'a Finding> {
        let mut lines = Vec::new();
        draw(&mut lines, &finding.reaches, "");
        if let Some(field) = &finding.field {
            let end = format!(".{field}");
            for line in &mut lines {
                let rest = line.strip_suffix(&end).map_or(line.len(), str::len);
                line.truncate(rest);
            }
        }
        if lines.is_empty() {
            return None;
        }
        let first = *self.0.entry(lines).or_insert(finding);
        (!std::ptr::eq(first, finding)).then_some(first)
    }
}

/// The classes of a finding in words.
fn classes(finding: &Finding) -> String {
    let (breaks, others): (Vec<&Class>, Vec<&Class>) =
        finding.classes.iter().partition(|class| class.breaks());
    let parties = breaks.iter().map(|class| {
        let name = class.to_string();
        name.trim_start_matches("breaking for ").to_owned()
    });
    let parties = join(parties, ", ");
    if parties.is_empty() { join(others, ", ") } else { format!("breaking for {parties}") }
}

fn draw(lines: &mut Vec<String>, trees: &[Tree], before: &str) {
    for (index, tree) in trees.iter().enumerate() {
        let last = index + 1 == trees.len();
        let (branch, below) =
            if last { ("\u{2514}\u{2500} ", "   ") } else { ("\u{251c}\u{2500} ", "\u{2502}  ") };
        lines.push(format!("{before}{branch}{}", OneLine(&tree.text)));
        draw(lines, &tree.children, &format!("{before}{below}"));
    }
}

fn write_tree(text: &mut String, trees: &[Tree], depth: usize) {
    for tree in trees {
        let _ = writeln!(text, "{}- `{}`", "  ".repeat(depth), OneLine(&tree.text));
        write_tree(text, &tree.children, depth + 1);
    }
}

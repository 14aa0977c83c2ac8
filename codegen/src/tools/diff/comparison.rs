//! Reports of the differences: text for a terminal, JSON for programs, Markdown for a pull request.

use std::fmt::{self, Write as _};

use k8s_versioned_core::quoted::OneLine;
use litemap::LiteMap;
use serde::Serialize;

use super::finding::Shown;
use super::{Class, DiffFinding};
use crate::plan::code;
use crate::text::{capital, cell, join, shorten};

/// The number of lines that are shown about the reach of a finding, and about changes without effect.
const SHOWN: usize = 12;

/// The most characters of a report in Markdown. GitHub takes 65,536, and a pull request has other texts.
pub const LIMIT: usize = 60_000;

/// The content of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The older side of the comparison, as the user names it: `v1.35`, `v1.36/v1beta1`, or a path.
    pub old: String,
    /// The newer side of the comparison.
    pub new: String,
    /// The differences of the documents.
    pub findings: Vec<DiffFinding>,
    /// The verdicts of the new side on stored objects, if there are objects to judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<StoredObjects>,
}

/// The verdicts of servers of the new side on stored objects.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StoredObjects {
    /// The number of objects that were judged.
    pub judged: usize,
    /// The number of objects that the older side does not take either, for the same causes.
    pub affected_before: usize,
    /// The other objects that a server does not take as they are.
    pub affected: Vec<StoredObject>,
}

/// An object that a server of the new side does not take as it is.
#[derive(Clone, Debug, Serialize)]
pub struct StoredObject {
    /// The file.
    pub file: String,
    /// The line on which the object begins, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The kind, the namespace and the name.
    pub object: String,
    /// What the server does with it.
    pub effect: StoredEffect,
    /// The causes, or the fields.
    pub causes: Vec<String>,
}

impl StoredObject {
    /// The object, the effect and the causes, as a phrase.
    pub fn verdict(&self) -> String {
        self.verdict_in(str::to_owned)
    }

    /// As [`verdict`](Self::verdict), with the texts of files as `shown` writes them.
    fn verdict_in(&self, shown: Shown) -> String {
        let Self { object, effect, causes, .. } = self;
        let object = shown(object);
        let causes = join(causes.iter().map(|cause| shown(cause)), "; ");
        if causes.is_empty() {
            format!("{object}: {effect}")
        } else {
            format!("{object}: {effect}: {causes}")
        }
    }
}

/// What a server does with a stored object, the gravest first. It displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredEffect {
    /// The definition does not serve the version of the object.
    NotServed,
    /// An update that changes nothing is refused.
    Refused,
    /// The object cannot be created again, and updates that change these fields are refused.
    RefusedIfChanged,
    /// The server drops fields.
    Dropped,
}

impl fmt::Display for StoredEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotServed => "its version is not served",
            Self::Refused => "an update that changes nothing is refused",
            Self::RefusedIfChanged => {
                "it cannot be created again, and updates that change these fields are refused"
            }
            Self::Dropped => "fields are dropped",
        })
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffFormat {
    /// Text for a terminal.
    Text,
    /// Markdown for a pull request.
    Markdown,
    /// JSON for programs.
    Json,
}

/// The findings of a rule with the same effects.
struct Group<'a> {
    classes: &'a [Class],
    reason: &'static str,
    items: Vec<Item<'a>>,
}

/// Findings that reach the same.
struct Item<'a> {
    findings: Vec<&'a DiffFinding>,
    reaches: Vec<String>,
}

impl Comparison {
    /// The report in a form. Markdown has at most [`LIMIT`] characters.
    pub fn write(&self, format: DiffFormat) -> String {
        self.write_within(format, LIMIT)
    }

    /// The report in a form. Markdown has at most `limit` characters.
    pub fn write_within(&self, format: DiffFormat, limit: usize) -> String {
        match format {
            DiffFormat::Text => self.text(),
            DiffFormat::Markdown => self.markdown(limit),
            // Writing cannot fail: every key is a string.
            DiffFormat::Json => serde_json::to_string_pretty(self).unwrap_or_default() + "\n",
        }
    }

    /// The two sides.
    fn title(&self) -> String {
        OneLine(&format!("{} \u{2192} {}", self.old, self.new)).to_string()
    }

    /// The number of findings of each gravest class, in words.
    fn count(&self) -> String {
        let count = |class: &Class| {
            self.findings.iter().filter(|finding| finding.classes.first() == Some(class)).count()
        };
        let counts = Class::ALL.iter().map(|class| (class, count(class)));
        let counts = counts.filter(|(_, count)| *count > 0);
        let counts = join(counts.map(|(class, count)| format!("{count} {class}")), ", ");
        if counts.is_empty() { "no differences".to_owned() } else { counts }
    }

    /// The findings in groups, the gravest first; of one class those without other effects. `shown` writes texts of documents.
    fn groups(&self, shown: Shown) -> Vec<Group<'_>> {
        type ByReach<'a> = LiteMap<&'a [String], Vec<&'a DiffFinding>>;
        let mut groups: LiteMap<(&[Class], &str), ByReach<'_>> = LiteMap::new();
        for finding in &self.findings {
            let has_effect = finding.classes.first() != Some(&Class::NoEffect);
            let is_operation = finding.reaches.first() == Some(&finding.subject);
            let reaches = if has_effect && !is_operation { &finding.reaches[..] } else { &[] };
            let group = groups.entry((&finding.classes, finding.rule.id)).or_default();
            group.entry(reaches).or_default().push(finding);
        }
        let mut known: LiteMap<&[String], &DiffFinding> = LiteMap::new();
        let mut all = Vec::new();
        for ((classes, _), by_reach) in groups {
            let mut group = Group { classes, reason: "", items: Vec::new() };
            for (reaches, findings) in by_reach {
                let Some(first) = findings.first().copied() else { continue };
                let known: &DiffFinding = known.entry(reaches).or_insert(first);
                let is_known = !std::ptr::eq(known, first) && reaches.len() > 1;
                let same = || vec![format!("the same as {}", known.key_in(shown))];
                let reaches = if is_known { same() } else { reach_lines(reaches, shown) };
                group.reason = first.rule.reason;
                group.items.push(Item { findings, reaches });
            }
            all.push(group);
        }
        all
    }

    /// The findings, the gravest first, each with its reason and the fields that it reaches.
    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.title(), self.count());
        for line in self.objects.iter().flat_map(|objects| objects.lines(str::to_owned)) {
            let _ = writeln!(text, "{line}");
        }
        for group in self.groups(str::to_owned) {
            let _ = writeln!(text, "\n{}: {}", group.effects(), group.reason);
            for item in &group.items {
                let headline =
                    |finding: &DiffFinding| format!("{}: {}", finding.rule.id, finding.headline());
                for (headline, _) in group.headlines(item, headline) {
                    let _ = writeln!(text, "  {headline}");
                }
                for (index, line) in item.reaches.iter().enumerate() {
                    let word = if index == 0 { "in" } else { "  " };
                    let _ = writeln!(text, "    {word} {line}");
                }
            }
        }
        text
    }

    /// A summary, and a list for each class, the gravest first, in at most `limit` characters. What does not fit is cut, and counted
    /// in the summary.
    fn markdown(&self, limit: usize) -> String {
        /// The room for the note about the cut.
        const NOTE: usize = 200;
        let head = format!("## {}\n\n{}.\n", cell(&self.title()), capital(&self.count()));
        let mut left = limit.saturating_sub(head.chars().count() + NOTE);
        let (mut body, mut cut) = (String::new(), 0);
        for line in self.markdown_lines() {
            let length = line.text.chars().count() + 1;
            if cut == 0 && length <= left {
                left -= length;
                body += &line.text;
                body.push('\n');
            } else {
                // Nothing is shown after the first cut: the next lines belong to parts that are not shown.
                left = 0;
                cut += line.findings;
            }
        }
        let all =
            self.findings.len() + self.objects.as_ref().map_or(0, |object| object.affected.len());
        let note = match cut {
            0 => String::new(),
            cut => format!(
                "\n**{cut} of {all} are not shown:** the report has at most {limit} characters. The command `diff` without \
                 `--format markdown` shows all.\n"
            ),
        };
        head + &note + &body
    }

    fn markdown_lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(objects) = &self.objects {
            let mut all = objects.lines(code).into_iter();
            lines.push(Line::new("\n### Stored objects\n"));
            lines.extend(all.next().map(|line| Line::new(capital(&line) + ".\n")));
            lines.extend(all.map(|line| Line { text: format!("- {}", line.trim()), findings: 1 }));
        }
        let mut class = None;
        for group in self.groups(code) {
            if class.replace(group.class()) != Some(group.class()) {
                let title = capital(&group.class().to_string());
                lines.push(Line::new(format!("\n### {title}")));
            }
            let others = if group.classes.len() > 1 {
                format!(" ({})", capital(&group.effects()))
            } else {
                String::new()
            };
            lines.push(Line::new(format!("\n{}{others}\n", cell(group.reason))));
            for item in &group.items {
                let headline = |finding: &DiffFinding| {
                    format!("`{}` {}", finding.rule.id, finding.headline_in(code))
                };
                let headlines = group.headlines(item, headline);
                let text = |(text, findings)| Line { text: format!("- {text}"), findings };
                lines.extend(headlines.into_iter().map(text));
                if !item.reaches.is_empty() {
                    lines.push(Line::new(format!("  - in {}", join(&item.reaches, ", "))));
                }
            }
        }
        lines
    }
}

/// A line of Markdown, and the number of findings that it shows.
struct Line {
    text: String,
    findings: usize,
}

impl Line {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), findings: 0 }
    }
}

impl Group<'_> {
    /// The gravest class.
    fn class(&self) -> Class {
        self.classes.first().copied().unwrap_or(Class::NoEffect)
    }

    /// The changes, each with the number of findings that it is; of many without effect the first.
    fn headlines(
        &self,
        item: &Item<'_>,
        line: impl Fn(&DiffFinding) -> String,
    ) -> Vec<(String, usize)> {
        let mut lines: Vec<String> = item.findings.iter().map(|finding| line(finding)).collect();
        if self.class() == Class::NoEffect {
            shorten(&mut lines, SHOWN, |hidden| format!("\u{2026} and {hidden} more"));
        }
        let last = lines.len().saturating_sub(1);
        let hidden = item.findings.len() - last;
        let count = |(index, line)| (line, if index == last { hidden } else { 1 });
        lines.into_iter().enumerate().map(count).collect()
    }

    fn effects(&self) -> String {
        Class::phrase(self.classes)
    }
}

/// What changes reach; of many lines the first.
fn reach_lines(reaches: &[String], shown: Shown) -> Vec<String> {
    let mut lines: Vec<String> =
        reaches.iter().map(|line| OneLine(&shown(line)).to_string()).collect();
    shorten(&mut lines, SHOWN, |hidden| format!("\u{2026} and {hidden} more"));
    lines
}

impl StoredObjects {
    /// A line with the numbers, and one for each object. `shown` writes texts of files.
    fn lines(&self, shown: Shown) -> Vec<String> {
        let Self { judged, affected_before, affected } = self;
        let before = match affected_before {
            0 => String::new(),
            before => format!("; {before} more by both sides"),
        };
        let mut lines =
            vec![format!("stored objects: {} of {judged} are affected{before}", affected.len())];
        lines.extend(affected.iter().map(|affected| {
            let line = affected.line.map_or_else(String::new, |line| format!(":{line}"));
            let (file, verdict) = (shown(&affected.file), affected.verdict_in(shown));
            format!("  {}{line}: {}", OneLine(&file), OneLine(&verdict))
        }));
        lines
    }
}

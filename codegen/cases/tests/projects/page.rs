//! `docs/reference/project-conversions.md`: the figures of all kinds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use testing::specs::projects;

use crate::differences::{KNOWN, What};
use crate::facts;
use crate::figures::{Figures, figures};
use crate::judge::{Counts, Verdict};

const HEAD: &str = include_str!("page.md");

/// What all lines showed, as the last run with `UPDATE_DOCS=1` wrote it.
#[derive(Default, Deserialize, Serialize)]
struct Measured {
    #[serde(default)]
    kind: BTreeMap<String, BTreeMap<String, Counts>>,
}

fn measured_file() -> PathBuf {
    projects::folder("measured.toml")
}

/// Writes what all lines showed.
pub(crate) fn keep(verdicts: &[Verdict]) {
    let kind =
        verdicts.iter().map(|verdict| (verdict.name.clone(), verdict.counts.clone())).collect();
    fs::write(measured_file(), toml::to_string(&Measured { kind }).unwrap()).unwrap();
}

/// The page.
pub(crate) fn page() -> String {
    let measured = fs::read_to_string(measured_file()).unwrap_or_default();
    let measured: Measured = toml::from_str(&measured).unwrap();
    let figures: Vec<_> =
        projects::ALL.iter().map(|project| (*project, figures(project))).collect();
    let mut text = HEAD.to_owned();
    rules(&figures, &mut text);
    results(&measured, &mut text);
    changed_over(&measured, &mut text);
    differences(&mut text);
    text
}

fn rules(figures: &[(&str, Figures)], text: &mut String) {
    *text += "\n## Rules\n\n\
        | project | kind | fields that differ | lines of Go | lines of rules | rules | found by a draft |\n\
        |---|---|---|---|---|---|---|\n";
    let (mut rules, mut drafted) = (0, 0);
    for (project, of) in figures {
        let (mut go, mut lines) = (0, of.shared + of.functions);
        for (kind, own) in &of.kinds {
            let (fields, of_kind) = facts::of(project, kind);
            let shown = of_kind.map_or_else(String::new, |lines| lines.to_string());
            let share = format!("{} ({} %)", own.drafted, percent(own.drafted, own.rules));
            let _ = writeln!(
                text,
                "| {project} | {kind} | {fields} | {shown} | {} | {} | {share} |",
                own.lines, own.rules
            );
            (rules, drafted) = (rules + own.rules, drafted + own.drafted);
            (go, lines) = (go + of_kind.unwrap_or_default(), lines + own.lines);
        }
        let share =
            if go == 0 { String::new() } else { format!(", {} % of Go", percent(lines, go)) };
        let go = if go == 0 { String::new() } else { go.to_string() };
        let shared = format!(
            "{lines}: with {} shared, and {} of {} functions{share}",
            of.shared, of.functions, of.calls
        );
        let _ = writeln!(text, "| **{project}** | all | | {go} | {shared} | | |");
    }
    let _ =
        writeln!(text, "\nDrafts find {drafted} of {rules} rules ({} %).", percent(drafted, rules));
}

fn results(measured: &Measured, text: &mut String) {
    *text += "\n## Objects\n\n\
        | kind | direction | objects | refused | equal | equal but for the differences below | equal after a round trip | after a round trip in Go |\n\
        |---|---|---|---|---|---|---|---|\n";
    let mut all = Counts::default();
    for (kind, directions) in &measured.kind {
        for (direction, counts) in directions {
            let _ = writeln!(text, "| {kind} | {direction} | {} |", counts.row());
            all.add(counts);
        }
    }
    let _ = writeln!(text, "| **all** | | {} |", all.row());
}

fn changed_over(measured: &Measured, text: &mut String) {
    *text += "\n## Objects that the old webhook stored\n\n\
        | kind | in annotations of | objects | the original again | in Go |\n|---|---|---|---|---|\n";
    let mut all = Counts::default();
    for (kind, directions) in &measured.kind {
        for (direction, counts) in directions.iter().filter(|(_, it)| it.with_annotations > 0) {
            let version = direction.split(' ').next().unwrap_or_default();
            let _ = writeln!(text, "| {kind} | {version} | {} |", counts.changed_over_row());
            all.add(counts);
        }
    }
    let _ = writeln!(text, "| **all** | | {} |", all.changed_over_row());
}

fn differences(text: &mut String) {
    *text += "\n## Differences\n\n| kind | from | field | here | in Go | why |\n|---|---|---|---|---|---|\n";
    for known in KNOWN {
        let (here, there) = match known.what {
            What::OnlyOurs => ("a value", "none"),
            What::OnlyTheirs => ("none", "a value"),
            What::Unequal => ("a value", "another one"),
        };
        let _ = writeln!(
            text,
            "| {} | {} | `{}` | {here} | {there} | {}: {} |",
            known.kind,
            known.from,
            known.path,
            known.why.text(),
            known.note
        );
    }
}

fn percent(part: usize, of: usize) -> usize {
    (part * 100 + of / 2).checked_div(of).unwrap_or_default()
}

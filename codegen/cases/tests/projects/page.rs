//! `docs/reference/project-conversions.md`: the figures of all kinds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use testing::specs::projects;

use crate::differences::{KNOWN, What};
use crate::facts;
use crate::figures::{Figures, Lines, OfKind, Others, Share, figures, percent};
use crate::judge::{Counts, Verdict};

pub(crate) const HEAD: &str = include_str!("page.md");

/// What all lines showed, as the last run with `UPDATE_DOCS=1` wrote it.
#[derive(Default, Deserialize, Serialize)]
struct Measured {
    #[serde(default)]
    kind: BTreeMap<String, BTreeMap<String, Counts>>,
}

/// A file beside this one: a change in the folder of the projects would compile them again.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name)
}

fn measured_file() -> PathBuf {
    file("measured.toml")
}

/// Writes what all lines showed.
pub(crate) fn keep(verdicts: &[Verdict]) {
    let kind =
        verdicts.iter().map(|verdict| (verdict.name.clone(), verdict.counts.clone())).collect();
    fs::write(measured_file(), toml::to_string(&Measured { kind }).unwrap()).unwrap();
}

/// The figures of all projects.
pub(crate) fn all_figures() -> Vec<(&'static str, Figures)> {
    projects::ALL.into_iter().map(|project| (project, figures(project))).collect()
}

/// The page.
pub(crate) fn page(figures: &[(&str, Figures)]) -> String {
    let measured = fs::read_to_string(measured_file()).unwrap_or_default();
    let measured: Measured = toml::from_str(&measured).unwrap();
    let mut text = HEAD.to_owned();
    rules(figures, &mut text);
    over_a_quarter(&mut text);
    drafts(figures, &mut text);
    corpus(&mut text);
    results(&measured, &mut text);
    changed_over(&measured, &mut text);
    differences(&mut text);
    text
}

fn rules(figures: &[(&str, Figures)], text: &mut String) {
    *text += "\n## Rules\n\n\
        | project | kind | fields that differ | rules | lines of rules | at a width of 100 | lines of Go | of Go |\n\
        |---|---|---|---|---|---|---|---|\n";
    for (project, of) in figures {
        for (kind, own) in &of.kinds {
            let (fields, go) = facts::of(project, kind);
            let _ = writeln!(
                text,
                "| {project} | {kind} | {fields} | {} | {:.0} | {:.0} | {} |",
                own.rules.all,
                own.lines.count,
                own.lines.narrow,
                of_go(own.lines.count, go)
            );
        }
        let Lines { count, narrow } = of.lines;
        let _ = writeln!(
            text,
            "| **{project}** | all: {} lines are shared, {} of {} functions | | | {count} | {narrow} | {} |",
            of.shared.count,
            of.functions,
            of.calls,
            of_go(f64::from(count + of.functions), of.go(project))
        );
    }
}

/// The cells with the lines of Go, and the percentage of other lines.
fn of_go(lines: f64, go: Option<u32>) -> String {
    go.map_or_else(|| "|".to_owned(), |go| format!("{go} | {:.0} %", lines * 100.0 / f64::from(go)))
}

fn over_a_quarter(text: &mut String) {
    *text += "\nTwo kinds have more than a quarter of the lines of their Go code:\n\n| kind | why |\n|---|---|\n";
    for (kind, why) in facts::OVER_A_QUARTER {
        let _ = writeln!(text, "| {kind} | {why} |");
    }
}

fn drafts(figures: &[(&str, Figures)], text: &mut String) {
    *text += "\n## Drafts\n\n\
        | project | kind | found, of all rules | found, of the rules that need thought | others: guesses | others: kept aside |\n\
        |---|---|---|---|---|---|\n";
    let (mut all, mut thought) = (Share::default(), Share::default());
    for (project, kind, own) in kinds(figures) {
        let Others { guesses, kept, .. } = &own.others;
        let _ = writeln!(
            text,
            "| {project} | {kind} | {} | {} | {guesses} | {kept} |",
            own.rules, own.thought
        );
        all.add(own.rules);
        thought.add(own.thought);
    }
    let _ = writeln!(
        text,
        "\nDrafts find {all} of the rules, and {thought} of those that need thought."
    );
}

/// The kinds of all projects, with their figures.
fn kinds<'f>(
    figures: &'f [(&str, Figures)],
) -> impl Iterator<Item = (&'f str, &'f str, &'f OfKind)> {
    figures.iter().flat_map(|(project, of)| {
        of.kinds.iter().map(move |(kind, own)| (*project, kind.as_str(), own))
    })
}

/// Fails if the rules of a project take more than a quarter of its lines of Go, if a kind does so without a stated reason, or if a stated
/// reason is no longer needed. Also fails if a draft has a wrong rule that is not marked as a guess, or if drafts find less than 60 %.
pub(crate) fn check(figures: &[(&str, Figures)]) {
    for (project, of) in figures {
        if let Some(go) = of.go(project) {
            assert!(
                (of.lines.count + of.functions) * 4 <= go,
                "{project}: rules take over a quarter of {go} lines"
            );
        }
    }
    let is_over = |(project, kind, own): &(&str, &str, &OfKind)| {
        facts::of(project, kind).1.is_some_and(|go| own.lines.count * 4.0 > f64::from(go))
    };
    let over: BTreeSet<&str> = kinds(figures).filter(is_over).map(|(_, kind, _)| kind).collect();
    let known: BTreeSet<&str> = facts::OVER_A_QUARTER.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(over, known, "kinds whose rules take over a quarter of the lines of Go");
    let (mut all, mut thought) = (Share::default(), Share::default());
    for (project, kind, own) in kinds(figures) {
        let unmarked = &own.others.unmarked;
        assert!(
            unmarked.is_empty(),
            "{project} {kind}: wrong in the draft, and no guess: {unmarked:?}"
        );
        all.add(own.rules);
        thought.add(own.thought);
    }
    for share in [all, thought] {
        assert!(share.drafted * 100 >= share.all * 60, "drafts find {share}");
    }
}

/// What `counterparts` of the tests of the generator found in definitions of public projects.
#[derive(Deserialize)]
struct Corpus {
    kinds: usize,
    rules: usize,
    kept: usize,
    fields: usize,
    kept_fields: usize,
}

fn corpus(text: &mut String) {
    let found = fs::read_to_string(file("corpus.toml")).unwrap();
    let Corpus { kinds, rules, kept, fields, kept_fields } = toml::from_str(&found).unwrap();
    let _ = writeln!(
        text,
        "\nOf {kinds} kinds with several versions in the definitions of public projects, drafts have {rules} rules, and {kept} of them\n\
        ({} %) are `keep-aside`. {fields} fields have a possible counterpart: the next version lacks the field, and has a new one of the same\n\
        type, in the same object or in a new object inside it. Drafts keep {kept_fields} of these aside ({} %).\n\
        Not every possible counterpart is one. `CRDS=DIR cargo test -p k8s-versioned-codegen --test integration counterparts -- --ignored`\n\
        counts them in a folder.",
        percent(kept, rules),
        percent(kept_fields, fields),
    );
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

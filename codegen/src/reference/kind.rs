//! The page of one kind in one version.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_versioned_names::Release;

use super::{Input, RecordedCase};
use crate::diff::{Class, DiffError, diff};
use crate::input::manifest;
use crate::model::{Model, Resource, facts};
use crate::plan::WITHOUT_NUMBER;
use crate::spec::{Operation, Type, ValueType};
use crate::text::{cell, join};
use crate::{Problems, conversion, rules};

/// The page's path in the folder.
pub(super) fn name(resource: &Resource) -> String {
    format!("{}/{}.md", resource.kind.version, resource.kind.kind)
}

/// The page; `None` if the kind has no type.
pub(super) fn page(input: &Input<'_>, resource: &Resource) -> Option<String> {
    let kind = &resource.kind;
    let (name, found) = input.plans.model.object(kind)?;
    let mut text = format!("# {}, {}/{}\n", kind.kind, kind.group, kind.version);
    let _ = write!(text, "\n{}\n", description(input, name, None));
    let planned = input.plans.items.structs().find(|planned| planned.schema == name);
    if let Some(lifecycle) = planned.and_then(|planned| planned.lifecycle) {
        let _ = write!(text, "\nThe kind is {lifecycle} ([picture](../README.md)).\n");
    }
    let recorded = Recorded::of(input, resource);
    if let Some(example) = recorded.example() {
        let _ = write!(text, "\n## Example\n\n{example}");
    }
    text += "\n## Fields\n";
    write_fields(&mut text, input, &recorded, &mut vec![name], found, "");
    recorded.write_accepted(&mut text);
    write_operations(&mut text, &input.plans.model, resource);
    write_conversions(&mut text, input, resource);
    Some(text)
}

/// The length from which on a page describes no more types: a type can have many others, each by many paths.
const LONG: usize = 1 << 20;

/// Writes the fields of a type, and the fields of the group's types below them. The fields of shared types are left out.
/// `types` are the type and the types around it: the fields of a type inside of itself are not written again.
fn write_fields<'a>(
    text: &mut String,
    input: &'a Input<'_>,
    recorded: &Recorded<'_>,
    types: &mut Vec<&'a str>,
    found: &'a Type,
    prefix: &str,
) {
    let all = &input.plans.model.releases;
    let type_name = types.last().copied().unwrap_or_default();
    for (name, property) in found.properties() {
        let path = format!("{prefix}{name}");
        let _ = write!(text, "\n### `{path}`\n\n{}.\n", facts(found, property, all));
        let said = description(input, type_name, Some(name));
        if !said.is_empty() {
            let _ = write!(text, "\n{said}\n");
        }
        if is_without_number(input, type_name, name) {
            let _ = write!(text, "\n{WITHOUT_NUMBER}\n");
        }
        recorded.write_refused(text, &path);
        if let ValueType::Reference(inner) = &property.value
            && is_own(input, inner)
            && let Some(below) = input.plans.model.types.get(inner)
        {
            if text.len() > LONG {
                text.push_str("\nIts fields are not listed: the page is too long.\n");
            } else if !types.contains(&inner.as_str()) {
                types.push(inner);
                write_fields(text, input, recorded, types, below, &format!("{path}."));
                types.pop();
            }
        }
    }
}

/// Returns `true` if the number of a field in protobuf is not known.
fn is_without_number(input: &Input<'_>, type_name: &str, field: &str) -> bool {
    let rules = input.plans.rules.protobuf.as_ref();
    let rule = rules.and_then(|rules| rules.presence.get(type_name));
    rule.is_some_and(|rule| rule.without_number.iter().any(|name| name.get_ref() == field))
}

fn is_own(input: &Input<'_>, type_name: &str) -> bool {
    let mut modules = input.plans.rules.group.modules.iter();
    let module = modules.find(|module| module.apply(type_name).is_some());
    module.is_some_and(|module| module.shared.is_none())
}

/// The project's own description of a type or of one of its fields; empty if there is none.
fn description(input: &Input<'_>, type_name: &str, field: Option<&str>) -> String {
    let modules = &input.plans.rules.group.modules;
    let found = modules.iter().find_map(|module| module.apply(type_name));
    let found = found.and_then(|(module, name)| {
        let of_type = input.plans.rules.description(&module, &name)?;
        let text = match field {
            None => &of_type.description,
            Some(field) => of_type.fields.get(field)?,
        };
        Some(text.trim().to_owned())
    });
    found.unwrap_or_default()
}

fn write_operations(text: &mut String, model: &Model, resource: &Resource) {
    let of_kind = model
        .operations
        .values()
        .filter(|operation| operation.kind.as_ref() == Some(&resource.kind));
    let mut rows: Vec<String> = of_kind
        .map(|operation| {
            let Operation { method, path, releases, .. } = operation;
            let query = join(operation.query().map(|(name, _)| format!("`{name}`")), ", ");
            format!("| {method} | `{path}` | {query} | {} |\n", releases.shown(&model.releases))
        })
        .collect();
    rows.sort();
    text.push_str("\n## Operations\n\n| method | path | query | served |\n|---|---|---|---|\n");
    text.push_str(&rows.concat());
}

fn write_conversions(text: &mut String, input: &Input<'_>, resource: &Resource) {
    let mut kinds = input.plans.conversions.iter();
    let of = (&resource.kind.group, &resource.kind.kind);
    let Some(kind) = kinds.find(|kind| (&kind.group, &kind.kind) == of) else {
        return;
    };
    let from = kind.pairs.iter();
    let from = from.filter(|pair| pair.from == resource.kind.version);
    text.push_str("\n## In other versions\n\n[Explanation](../../conversions.md).\n");
    for pair in from {
        let _ = write!(text, "\n### As {}\n\n{}", pair.to, conversion::table(kind, pair));
    }
}

/// The answers of the newest recorded server to requests that create objects of the kind.
struct Recorded<'a> {
    release: Option<Release>,
    accepted: Vec<&'a RecordedCase>,
    /// The cases that were refused, by field and reason.
    refused: BTreeMap<(String, String), Vec<&'a RecordedCase>>,
}

impl<'a> Recorded<'a> {
    fn of(input: &Input<'a>, resource: &Resource) -> Self {
        let set = format!("{}-validation", resource.plural);
        let cases = input.recordings.iter();
        let cases = cases.filter(|case| {
            let kind = &resource.kind;
            (&case.group, &case.set) == (&kind.group, &set) && case.version == kind.version
        });
        let release = cases.clone().map(|case| case.release).max();
        let mut recorded = Self { release, accepted: Vec::new(), refused: BTreeMap::new() };
        for case in cases.filter(|case| Some(case.release) == release) {
            if case.accepted {
                recorded.accepted.push(case);
            }
            for cause in &case.causes {
                recorded.refused.entry(cause.clone()).or_default().push(case);
            }
        }
        for cases in recorded.refused.values_mut() {
            cases.dedup_by_key(|case| &case.path);
        }
        recorded
    }

    /// The smallest object that a server accepted.
    fn example(&self) -> Option<String> {
        let bodies = self.accepted.iter().filter_map(|case| {
            let json = case.sent.as_ref()?;
            Some((serde_json::to_string_pretty(json).ok()?, *case))
        });
        let (body, case) = bodies.min_by_key(|(body, _)| body.len())?;
        let link = link(case);
        Some(format!(
            "The smallest object that a server accepted: {link}.\n\n```json\n{body}\n```\n"
        ))
    }

    fn write_refused(&self, text: &mut String, path: &str) {
        let of_field = |field: &str| {
            let rest = field.strip_prefix(path);
            // The field itself or an item; other fields have their own entries.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        let found = self.refused.iter().filter(|((field, _), _)| of_field(field));
        for ((_, reason), cases) in found {
            let links = join(cases.iter().map(|case| link(case)), ", ");
            let _ = write!(text, "\nServers reject ({reason}): {links}.\n");
        }
    }

    fn write_accepted(&self, text: &mut String) {
        let (Some(release), false) = (self.release, self.accepted.is_empty()) else {
            return;
        };
        let links = join(self.accepted.iter().map(|case| link(case)), ", ");
        let _ = write!(text, "\n## Accepted by servers\n\nRecorded with {release}: {links}.\n");
    }
}

fn link(case: &RecordedCase) -> String {
    format!("[{}](../../../fixtures/{})", case.name, case.path)
}

// The page of the releases: the versions that each release serves, and its changes.

pub(super) fn releases_page(input: &Input<'_>) -> Result<String, Problems> {
    let model = &input.plans.model;
    let mut text = format!(
        "# {}\n\n![Releases and the versions that they serve](releases.svg)\n\n## Kinds\n\n",
        model.title()
    );
    for resource in &model.resources {
        let (page, found) = (name(resource), &resource.kind);
        let _ = writeln!(text, "- [{} in {}]({page})", found.kind, found.version);
    }
    write_sources(&mut text, input)?;
    write_not_recorded(&mut text, input)?;
    text += "\n## Changes of each release\n\nThe command `diff` has the details: the fields and the operations \
             that each change reaches.\n";
    let releases = model.releases.iter();
    for (old, new) in releases.clone().zip(releases.skip(1)) {
        let findings = diff(input.specs, old.into(), new.into()).map_err(problems)?;
        let shown = findings.iter();
        let shown: Vec<_> =
            shown.filter(|finding| finding.classes.as_slice() != [Class::NoEffect]).collect();
        let _ = write!(text, "\n### {new:#}\n\n");
        if shown.is_empty() {
            text += "None.\n";
        } else {
            text += "| change | item | effect |\n|---|---|---|\n";
        }
        for finding in shown {
            let (headline, classes) = (cell(&finding.headline()), join(&finding.classes, ", "));
            let _ = writeln!(text, "| `{}` | {headline} | {classes} |", finding.rule.id);
        }
    }
    Ok(text)
}

/// Writes the releases whose documents are not upstream's.
fn write_sources(text: &mut String, input: &Input<'_>) -> Result<(), Problems> {
    let documents = manifest::read(input.specs)?.documents;
    let of = documents.iter().filter_map(|entry| Some((entry.release, entry.source.remark()?)));
    for (release, remark) in of.collect::<BTreeSet<_>>() {
        let _ = write!(text, "\nThe documents of {release:#} {remark}.\n");
    }
    Ok(())
}

/// Writes the releases without recordings, each with the reason if one is stated.
fn write_not_recorded(text: &mut String, input: &Input<'_>) -> Result<(), Problems> {
    let reasons = rules::read_not_recorded(input.specs)?;
    let recorded = |release| input.recordings.iter().any(|it| it.release == release);
    let releases = input.plans.model.releases.iter();
    for release in releases.filter(|release| !recorded(*release)) {
        let reason = reasons.get(&release).map_or(".".to_owned(), |reason| format!(": {reason}"));
        let _ = write!(text, "\nNo server of {release:#} is recorded{reason}\n");
    }
    Ok(())
}

/// The problems of an error. The releases are from the manifest, so the other errors cannot occur.
fn problems(error: DiffError) -> Problems {
    match error {
        DiffError::Problems(problems) => problems,
        DiffError::NoRelease(..) | DiffError::NotServed(..) => Problems::new(),
    }
}

//! The page of the releases: the versions that each release serves, and its changes.

use std::fmt::Write as _;

use super::input::{Input, PICTURE};
use super::kind;
use crate::gather::Gather;
use crate::input::manifest;
use crate::spec::Releases;
use crate::text::{cell, join};
use crate::tools::diff::{Class, DiffError, diff};
use crate::{Problems, rules};

pub(super) fn page(input: &Input<'_>) -> Result<String, Problems> {
    let model = &input.plans.model;
    let mut text = format!("# {}\n\n", model.title());
    if input.has_releases() {
        let _ = write!(text, "![Releases and the versions that they serve]({PICTURE})\n\n");
    }
    text += "## Kinds\n\n";
    for resource in &model.resources {
        let (path, kind) = (kind::path(input, resource), &resource.kind);
        let version = if input.has_one_group() { kind.version.clone() } else { kind.api_version() };
        let _ = writeln!(text, "- [{} in {version}]({path})", kind.kind);
    }
    if !input.has_releases() {
        return Ok(text);
    }
    write_sources(&mut text, input)?;
    write_not_recorded(&mut text, input)?;
    text += "\n## Changes of each release\n\nThe command `diff` has the details: the fields and the operations \
             that each change reaches.\n";
    let releases = model.releases.iter();
    for (old, new) in releases.clone().zip(releases.skip(1)) {
        let findings = diff(input.specs, old.into(), new.into()).map_err(problems)?;
        let has_effect = |classes: &[Class]| classes != [Class::NoEffect];
        let changes = findings.iter().filter(|finding| has_effect(&finding.classes));
        let changes: Vec<_> = changes.collect();
        let _ = write!(text, "\n### {new:#}\n\n");
        if changes.is_empty() {
            text += "None.\n";
        } else {
            text += "| change | item | effect |\n|---|---|---|\n";
        }
        for finding in changes {
            let (headline, classes) = (cell(&finding.headline()), join(&finding.classes, ", "));
            let _ = writeln!(text, "| `{}` | {headline} | {classes} |", finding.rule.id);
        }
    }
    Ok(text)
}

/// Writes the releases whose documents are not upstream's.
fn write_sources(text: &mut String, input: &Input<'_>) -> Result<(), Problems> {
    let documents = manifest::read(input.specs)?.documents;
    let remarks =
        documents.iter().filter_map(|entry| Some((entry.release, entry.source.remark()?)));
    let mut remarks = remarks.sorted_by_key(|remark| *remark);
    remarks.dedup();
    for (release, remark) in remarks {
        let _ = write!(text, "\nThe documents of {release:#} {remark}.\n");
    }
    Ok(())
}

/// Writes the releases without recordings: a sentence for all releases with the same reason.
fn write_not_recorded(text: &mut String, input: &Input<'_>) -> Result<(), Problems> {
    let reasons = rules::read_not_recorded(input.specs)?;
    // A package without recordings and without a reason has no text about recordings.
    if reasons.is_empty() && input.recordings.is_empty() {
        return Ok(());
    }
    let recorded = |release| input.recordings.iter().any(|recording| recording.release == release);
    let mut by_reason: Vec<(Option<&String>, Releases)> = Vec::new();
    for release in input.plans.model.releases.iter().filter(|release| !recorded(*release)) {
        let reason = reasons.get(&release);
        match by_reason.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, releases)) => releases.insert(release),
            None => by_reason.push((reason, release.into())),
        }
    }
    for (reason, releases) in by_reason {
        let reason = reason.map_or(".".to_owned(), |reason| format!(": {reason}"));
        let _ = write!(text, "\nServers of {releases} are not recorded{reason}\n");
    }
    Ok(())
}

/// The problems of an error. The releases are from the manifest, so the other errors cannot occur.
fn problems(error: DiffError) -> Problems {
    match error {
        DiffError::Problems(problems) => problems,
        DiffError::NoRelease(..) | DiffError::NotServed(..) | DiffError::NotDefined(..) => {
            Problems::new()
        }
    }
}

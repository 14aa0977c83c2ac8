//! The page of the releases: the versions that each release serves, and its changes.

use std::fmt::Write as _;

use super::{Sources, kind};
use crate::diff::{Class, DiffError, diff};
use crate::text::join;
use crate::{Problems, rules};

pub(super) fn page(sources: &Sources<'_>) -> Result<String, Problems> {
    let model = &sources.plans.model;
    let mut text = format!(
        "# {}\n\n![Releases and the versions that they serve](releases.svg)\n\n## Kinds\n\n",
        model.title()
    );
    for resource in &model.resources {
        let (page, found) = (kind::name(resource), &resource.kind);
        let _ = writeln!(text, "- [{} in {}]({page})", found.kind, found.version);
    }
    write_not_recorded(&mut text, sources)?;
    text += "\n## Changes of each release\n\n`cargo xtask diff` has the details: the operations that each change \
             reaches, and examples.\n";
    let releases = model.releases.iter();
    for (old, new) in releases.clone().zip(releases.skip(1)) {
        let findings = diff(sources.specs, (*old).into(), (*new).into()).map_err(problems)?;
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
            let (headline, classes) = (finding.headline(), join(&finding.classes, ", "));
            let headline = headline.replace('|', "\\|");
            let _ = writeln!(text, "| `{}` | {headline} | {classes} |", finding.rule.id);
        }
    }
    Ok(text)
}

/// Writes the releases without recordings, each with the reason.
fn write_not_recorded(text: &mut String, sources: &Sources<'_>) -> Result<(), Problems> {
    let reasons = rules::read_not_recorded(sources.specs)?;
    let recorded = |release| sources.recordings.iter().any(|it| it.release == release);
    let releases = sources.plans.model.releases.iter().copied();
    for release in releases.filter(|release| !recorded(*release)) {
        let reason = reasons.get(&release).map_or("no reason is stated", |it| it.as_str());
        let _ = write!(text, "\nNo server of {release:#} is recorded: {reason}\n");
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

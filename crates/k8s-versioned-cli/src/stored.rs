//! Stored objects, as servers with the definitions of the newer side of a comparison would take them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use k8s_versioned_admission::FieldValidation;
use k8s_versioned_codegen::diff::Selection;
use k8s_versioned_codegen::diff::report::{StoredEffect, StoredObject, StoredObjects};
use k8s_versioned_codegen::input::{self, crd};
use k8s_versioned_names::findings::{Finding, Severity};
use k8s_versioned_source::{Limits, documents};
use serde_json::Value;

use crate::admit::{Sending, Servers, text_at};
use crate::specs::Specs;
use crate::{Error, fetch};

/// Judges the objects in files, as far as the definitions of one of the sides have their kinds.
///
/// # Errors
/// A file cannot be read, or a definition lacks a part that requests need.
pub(crate) fn judge(
    specs: &Specs,
    sides: [Selection; 2],
    paths: &[PathBuf],
) -> Result<StoredObjects, Error> {
    let [old, new] = sides;
    let mut kinds = BTreeSet::new();
    for side in sides {
        let definitions = crd::of_release(&specs.files, side.release);
        let definitions = definitions.map_err(|problems| specs.refused(problems))?;
        kinds.extend(definitions.into_iter().map(|it| (it.group, it.kind)));
    }
    // A kind that the release lacks is not served: the definitions of other releases do not count.
    let mut files = specs.files.clone();
    let folder = format!("{}/", new.release);
    files.retain(|path, _| {
        !crd::is_manifest(path) || path.starts_with(&folder) || !path.contains('/')
    });
    let group = input::read_group(&specs.files).map_err(|problems| specs.refused(problems))?;
    let servers = Servers::read(&files, group.product.is_some(), &[new.release])?;
    let mut objects = StoredObjects::default();
    for (file, bytes) in fetch::read_paths(paths)? {
        for tree in documents(file.as_str(), &bytes, &Limits::MANIFESTS) {
            let mut tree = tree.map_err(|errors| Error::refused(errors.into(), Vec::new()))?;
            for found in tree.objects() {
                let value = tree.value(found.node);
                let object = value.to_json();
                let (group, version) =
                    text_at(&object, "/apiVersion").split_once('/').unwrap_or_default();
                let kind = (group.to_owned(), text_at(&object, "/kind").to_owned());
                if !kinds.contains(&kind) {
                    continue;
                }
                objects.judged += 1;
                let is_old = old.version.is_some_and(|old| old.to_string() == version);
                let converted = new.version.filter(|_| is_old);
                let (effect, causes) = match effect(
                    &servers,
                    object.clone(),
                    converted.map(|version| format!("{group}/{version}")),
                ) {
                    Some(effect) => effect,
                    None => continue,
                };
                let line = tree.position(value.span().start).line;
                let name =
                    [text_at(&object, "/metadata/namespace"), text_at(&object, "/metadata/name")];
                let name = name.join("/");
                objects.affected.push(StoredObject {
                    place: format!("{file}:{line}"),
                    object: format!("{} {}", kind.1, name.trim_start_matches('/')),
                    effect,
                    causes,
                });
            }
        }
    }
    Ok(objects)
}

/// What a server does with an object that it does not take as it is, and why. An object in the old one of two versions gets the other,
/// as servers without a webhook convert it.
fn effect(
    servers: &Servers,
    mut object: Value,
    api_version: Option<String>,
) -> Option<(StoredEffect, Vec<String>)> {
    let sending = Sending { field_validation: FieldValidation::Warn, is_status: false };
    if let (Some(members), Some(version)) = (object.as_object_mut(), api_version) {
        members.insert("apiVersion".to_owned(), version.into());
    }
    let Some(updated) = servers.judge(sending, "", &object, Some(&object)) else {
        let version = text_at(&object, "/apiVersion").to_owned();
        return Some((StoredEffect::NotServed, vec![version]));
    };
    let mut new = object.clone();
    if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
        // A server refuses to create an object with the version of a stored one.
        metadata.remove("resourceVersion");
    }
    let created = servers.judge(sending, "", &new, None)?;
    let all = [
        (StoredEffect::Refused, texts(&updated.findings, Severity::Error)),
        (StoredEffect::RefusedIfChanged, texts(&created.findings, Severity::Error)),
        (StoredEffect::Dropped, dropped(&created.findings)),
    ];
    all.into_iter().find(|(_, causes)| !causes.is_empty())
}

fn texts(findings: &[Finding], severity: Severity) -> Vec<String> {
    let of_severity = findings.iter().filter(|finding| finding.severity == severity);
    let text = |finding: &Finding| match finding.path.as_str() {
        "" => finding.message.to_string(),
        path => format!("{path}: {}", finding.message),
    };
    of_severity.map(text).collect()
}

/// The fields that a server drops.
fn dropped(findings: &[Finding]) -> Vec<String> {
    let unknown = findings.iter().filter(|finding| finding.id == "unknown-field");
    unknown.map(|finding| finding.path.clone()).collect()
}

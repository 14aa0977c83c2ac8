//! The rules for definitions, in the order of servers.

use k8s_versioned_core::Release;
use serde_json::Map;

use super::judged::Judged;
use super::part::Part;
use super::ratcheted_rules::Ratchet;
use super::update::Stored;
use super::versions::Versions;
use super::{check_defaults, conversion, names, openapi};
use crate::answer::{Causes, RefusalCause};
use crate::facts::Facts;
use crate::metadata;
use crate::path::Path;
use crate::url::parse_request;
/// The annotation that groups of the Kubernetes community need.
pub(super) const APPROVAL: &str = "api-approved.kubernetes.io";

/// Where people read what the annotation is for.
const MORE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// Checks a definition; that of an update also against the stored one.
pub(super) fn check_definition(
    definition: Part<'_>,
    metadata: &metadata::Metadata,
    stored: Option<&Stored>,
    judged: &mut Judged,
) {
    let empty = Map::new();
    let spec = definition.part("spec").unwrap_or(Part(&empty));
    let versions = Versions::read(spec);
    match stored {
        Some(stored) => stored.check_metadata(metadata, judged),
        None => check_metadata(metadata, spec, judged),
    }
    check_spec(spec, &versions, judged);
    if let Some(stored) = stored {
        stored.check_immutable(spec, &mut judged.causes);
    }
    let noted = stored.map_or_else(Vec::new, Stored::stored_versions);
    let status = Path::Root.field("status");
    versions.check_stored(noted, &status.field("storedVersions"), judged);
    check_approval(metadata, stored.map(Stored::metadata), spec.text("group"), judged);
    let preserved = stored.is_some_and(Stored::preserves_unknown_fields);
    if spec.is("preserveUnknownFields") && !preserved {
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        let spec = Path::Root.field("spec");
        judged.causes.push(RefusalCause::invalid_value(
            spec.field("preserveUnknownFields"),
            &true.into(),
            detail,
        ));
    }
}

/// The rules that an update may break, because the stored definition breaks them.
pub(super) fn broken_before(stored: &Stored, release: Release) -> Ratchet {
    let mut judged = Judged::new(release);
    if let Some(definition) = stored.part() {
        check_definition(definition, stored.metadata(), None, &mut judged);
    }
    let versions = stored.spec().into_iter().flat_map(|spec| spec.parts("versions"));
    let schema = |version: Part<'_>| {
        let schema = version.part("schema")?.get("openAPIV3Schema")?;
        Some((version.text("name").to_owned(), schema.clone()))
    };
    Ratchet::after(judged.ratchet, versions.filter_map(schema))
}

fn check_metadata(metadata: &metadata::Metadata, spec: Part<'_>, judged: &mut Judged) {
    let path = Path::Root.field("metadata");
    let (names, scope) = (metadata::Names::Subdomain, metadata::Scope::Cluster);
    let before = judged.causes.len();
    let mut causes = Causes::new(Facts::at(judged.release));
    metadata::check(metadata, names, scope, &path, &mut causes);
    judged.causes.append(&mut causes.all);
    let name = metadata::text(metadata, "name");
    let plural = spec.part("names").map(|names| names.text("plural")).unwrap_or_default();
    if !name.is_empty() && name != format!("{plural}.{}", spec.text("group")) {
        let field = path.field("name").to_string();
        let own =
            |cause: &RefusalCause| cause.field == field || cause.field == "metadata.generateName";
        let after = judged.causes.iter().skip(before).take_while(|cause| own(cause)).count();
        let cause =
            RefusalCause::invalid(field, name, "must be spec.names.plural+\".\"+spec.group");
        judged.causes.insert(before + after, cause);
    }
}

fn check_spec(spec: Part<'_>, versions: &Versions<'_>, judged: &mut Judged) {
    let path = Path::Root.field("spec");
    let versions_path = path.field("versions");
    names::check_group(spec.text("group"), &path.field("group"), &mut judged.causes);
    check_scope(spec.text("scope"), &path.field("scope"), &mut judged.causes);
    versions.check_presence(&versions_path, &mut judged.causes);
    let preserves = spec.is("preserveUnknownFields");
    if preserves && has_default(spec) {
        let detail = "must be false in order to use defaults in the schema";
        let field = path.field("preserveUnknownFields");
        judged.causes.push(RefusalCause::invalid_value(field, &true.into(), detail));
    }
    versions.check(&versions_path, judged);
    versions.check_storage(&versions_path, &mut judged.causes);
    if let Some(first) = spec.parts("versions").next() {
        // The server also keeps the first name as a field of its own.
        let name = first.text("name");
        if !name.is_empty() {
            names::check_label(name, &path.field("version"), &mut judged.causes);
        }
    }
    let completed = names::completed(spec.part("names"));
    names::check_names(Part(&completed), &path.field("names"), &mut judged.causes);
    versions.check_shared(&path, judged);
    if let Some(conversion) = spec.part("conversion") {
        let path = path.field("conversion");
        let strategy = conversion.text("strategy");
        if preserves && strategy != "None" {
            let detail = "must be None if spec.preserveUnknownFields is true";
            judged.causes.push(RefusalCause::invalid(path.field("strategy"), strategy, detail));
        }
        conversion::check(conversion, &path, judged);
    }
}

fn check_scope(scope: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    match scope {
        "" => causes.push(RefusalCause::required(path, "")),
        "Cluster" | "Namespaced" => {}
        other => causes.push(openapi::not_supported(path, other, &["Cluster", "Namespaced"])),
    }
}

/// Returns `true` if a schema has a default.
fn has_default(spec: Part<'_>) -> bool {
    let schemas = spec
        .parts("versions")
        .filter_map(|version| version.part("schema")?.part("openAPIV3Schema"));
    schemas.into_iter().any(check_defaults::has_default)
}

/// The approval of a group of the Kubernetes community.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Approval {
    Missing,
    Invalid,
    /// The address of the approval.
    Given,
    /// The reason why there is no approval.
    Waived,
}

impl Approval {
    /// The annotation and its value.
    fn read(metadata: &metadata::Metadata) -> (&str, Self) {
        let annotations = metadata.get("annotations");
        let text = annotations.and_then(|annotations| annotations.get(APPROVAL)?.as_str());
        let text = text.unwrap_or_default();
        let is_url =
            parse_request(text).is_ok_and(|url| !url.scheme.is_empty() && !url.host.is_empty());
        let approval = match text {
            "" => Self::Missing,
            _ if text.starts_with("unapproved") => Self::Waived,
            _ if is_url => Self::Given,
            _ => Self::Invalid,
        };
        (text, approval)
    }
}

/// Groups of the Kubernetes community need an annotation. An update may keep a wrong one.
fn check_approval(
    metadata: &metadata::Metadata,
    stored: Option<&metadata::Metadata>,
    group: &str,
    judged: &mut Judged,
) {
    let protects = |domain: &str| {
        group == domain || group.strip_suffix(domain).is_some_and(|before| before.ends_with('.'))
    };
    let (text, approval) = Approval::read(metadata);
    let is_same = stored.is_some_and(|stored| Approval::read(stored).1 == approval);
    if is_same || !(protects("k8s.io") || protects("kubernetes.io")) {
        return;
    }
    let path = Path::Root.field("metadata");
    let annotations = path.field("annotations");
    let path = annotations.key(APPROVAL);
    let needs = format!("protected groups must have approval annotation \"{APPROVAL}\"");
    judged.causes.extend(match approval {
        Approval::Missing => Some(RefusalCause::required(path, &format!("{needs}, {MORE}"))),
        Approval::Invalid => {
            let form = "with either a URL or a reason starting with \"unapproved\"";
            Some(RefusalCause::invalid(path, text, format!("{needs} {form}, {MORE}")))
        }
        Approval::Given | Approval::Waived => None,
    });
}

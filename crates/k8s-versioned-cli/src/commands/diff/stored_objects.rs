//! Stored objects, as servers with the definitions of the newer side of a comparison would take them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use k8s_versioned_admission::FieldValidation;
use k8s_versioned_codegen::crd::PackageDefinition;
use k8s_versioned_codegen::tools::diff::comparison::{StoredEffect, StoredObject, StoredObjects};
use k8s_versioned_core::findings::{Finding, Severity, count};
use k8s_versioned_core::syntax::group_version;
use k8s_versioned_core::{Release, Short, Version};
use k8s_versioned_terminal::InputPlace;
use serde_json::Value;

use crate::Error;
use crate::commands::validate::servers::{FromCluster, Sending, Servers, text_at};
use crate::input::{files, for_each_document};

/// The kind, the namespace and the name.
fn title(object: &Value) -> String {
    let [kind, namespace, name] =
        ["/kind", "/metadata/namespace", "/metadata/name"].map(|pointer| text_at(object, pointer));
    if namespace.is_empty() {
        format!("{kind} {name}")
    } else {
        format!("{kind} {namespace}/{name}")
    }
}

/// The group and the version of an object.
fn api_version(object: &Value) -> (&str, &str) {
    group_version(text_at(object, "/apiVersion")).unwrap_or_default()
}

/// The definitions of a side.
pub(crate) struct Definitions {
    pub(crate) all: Vec<PackageDefinition>,
    /// The release of the definitions.
    pub(crate) release: Release,
    /// Whether it is the release of a product, which no server has.
    pub(crate) of_product: bool,
}

impl Definitions {
    fn servers(self) -> Servers {
        let all = self.all.into_iter().map(|definition| (Some(self.release), definition));
        Servers::compile(all.collect(), self.of_product, &[self.release])
    }
}

/// Judges stored objects as the servers of the newer side would, and those of the older side did.
pub(crate) struct UpgradeJudge {
    older: Servers,
    newer: Servers,
    /// The kinds of both sides, with their groups.
    kinds: BTreeSet<(String, String)>,
    /// The two versions of the API that are compared, the older first.
    versions: Option<(Version, Version)>,
}

impl UpgradeJudge {
    /// The judge with the definitions of both sides. A kind that only the older side has is not served.
    pub(crate) fn new(
        older: Definitions,
        newer: Definitions,
        versions: Option<(Version, Version)>,
    ) -> Self {
        let all = older.all.iter().chain(&newer.all);
        let kinds =
            all.map(|definition| (definition.group.clone(), definition.kind.clone())).collect();
        Self { older: older.servers(), newer: newer.servers(), kinds, versions }
    }

    /// Judges the objects in files, as far as the definitions of one of the sides have their kinds.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn objects(
        &self,
        paths: &[PathBuf],
        say: &dyn Fn(&str),
    ) -> Result<StoredObjects, Error> {
        let mut objects = StoredObjects::default();
        for file in files(paths)?.files {
            for_each_document(&file, |place, stored| {
                for (items, object) in stored {
                    self.add(&place.object(&items, &object), &object, &mut objects);
                    if objects.judged.is_multiple_of(1_000) {
                        say(&count(objects.judged, "object"));
                    }
                }
                Ok(())
            })?;
        }
        Ok(objects)
    }

    /// Counts an object, and adds what a server makes of it.
    fn add(&self, place: &InputPlace<'_>, object: &Value, objects: &mut StoredObjects) {
        if !self.knows(object) {
            return;
        }
        objects.judged += 1;
        let found = effect(&self.newer, &self.converted(object));
        if found.is_some() && effect(&self.older, object) == found {
            objects.affected_before += 1;
        } else if let Some((effect, causes)) = found {
            let line = place.position("").map(|position| position.line);
            let (file, object) = (place.file().to_owned(), title(object));
            objects.affected.push(StoredObject { file, line, object, effect, causes });
        }
    }

    fn knows(&self, object: &Value) -> bool {
        let (group, _) = api_version(object);
        self.kinds.contains(&(group.to_owned(), text_at(object, "/kind").to_owned()))
    }

    /// An object in the older one of two versions gets the newer one, as servers without a webhook convert it.
    fn converted(&self, object: &Value) -> Value {
        let mut object = object.clone();
        let (group, version) = api_version(&object);
        if let Some((old, new)) = self.versions
            && old.to_string() == version
        {
            let converted = format!("{group}/{new}");
            if let Some(members) = object.as_object_mut() {
                members.insert("apiVersion".to_owned(), converted.into());
            }
        }
        object
    }
}

/// What a server does with an object that it does not take as it is, and why.
fn effect(servers: &Servers, object: &Value) -> Option<(StoredEffect, Vec<String>)> {
    let sending = Sending {
        field_validation: &FieldValidation::Warn,
        is_status: false,
        from_cluster: FromCluster::Never,
    };
    let Some(updated) = servers.judge(sending, "", object, Some(object)) else {
        return Some((StoredEffect::NotServed, vec![text_at(object, "/apiVersion").to_owned()]));
    };
    let mut new = object.clone();
    if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
        // A server refuses to create an object with the version of a stored one.
        metadata.remove("resourceVersion");
    }
    let created = servers.judge(sending, "", &new, None)?;
    let all = [
        (StoredEffect::Refused, errors(&updated.findings)),
        (StoredEffect::RefusedIfChanged, errors(&created.findings)),
        (StoredEffect::Dropped, dropped(&created.findings)),
    ];
    all.into_iter().find(|(_, causes)| !causes.is_empty())
}

fn errors(findings: &[Finding]) -> Vec<String> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let text = |finding: &Finding| match finding.path.as_str() {
        "" => finding.message.clone(),
        path => format!("{}: {}", Short(path), finding.message),
    };
    errors.map(text).collect()
}

/// The fields that a server drops.
fn dropped(findings: &[Finding]) -> Vec<String> {
    let unknown = findings.iter().filter(|finding| finding.id == "unknown-field");
    unknown.map(|finding| Short(&finding.path).to_string()).collect()
}

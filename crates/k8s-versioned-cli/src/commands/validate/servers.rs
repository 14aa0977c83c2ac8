//! The answers of servers for custom resources: the definitions of a package, and the findings for an object.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use k8s_versioned_admission::definition::{self, Advice, judge_update};
use k8s_versioned_admission::{
    Definition, FieldValidation, NEWEST, OLDEST, RefusalCause, ServerAnswer, ServerWarning,
    WriteRequest, is_from_server,
};
use k8s_versioned_codegen::crd::PackageDefinition;
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_core::nearest::nearest_field;
use k8s_versioned_core::quoted::{Quoted, alternatives};
use k8s_versioned_core::syntax::group_version;
use serde_json::Value;

use crate::text::finding_kinds::{
    ADVICE, DUPLICATE_FIELD, LATER_DEFINITION, NO_CONVERSION, NOT_JUDGED, SET_OF_OBJECTS,
    TOO_LARGE_TO_APPLY, UNKNOWN_FIELD, UNKNOWN_KIND, WARNING,
};

/// The kind of definitions.
pub(crate) const DEFINITION: &str = "CustomResourceDefinition";

/// The only version of [`DEFINITION`] that servers have.
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// The definitions of a package, as servers of one or more releases serve them.
#[derive(Debug, Default)]
pub(crate) struct Servers {
    /// The servers of each group and kind, in the order of the arguments.
    kinds: BTreeMap<(String, String), Vec<Server>>,
}

/// A definition on a server.
#[derive(Debug)]
struct Server {
    release: Release,
    /// Why there is no definition, if the server refuses it. Nothing is known about its objects then.
    definition: Result<Definition, Refused>,
    /// The definition as it is written.
    source: Value,
}

/// Why the objects of a definition are not judged.
#[derive(Clone, Debug)]
enum Refused {
    /// A server refuses the definition, for this reason.
    Because(String),
    /// The definition is judged itself, and says it.
    InInput,
}

impl Refused {
    fn finding(&self, file: &str) -> Finding {
        let (severity, message) = match self {
            Self::Because(reason) => (
                Severity::Error,
                format!("not judged: servers reject the definition of this kind: {reason}"),
            ),
            Self::InInput => {
                (Severity::Note, "not judged: servers reject the definition of its kind".to_owned())
            }
        };
        Finding::new(severity, NOT_JUDGED.id, file, message)
    }
}

/// How objects are sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    pub(crate) field_validation: &'static FieldValidation,
    /// Whether they go to the subresource `status`.
    pub(crate) is_status: bool,
    /// Which objects are not sent, but judged unchanged.
    pub(crate) from_cluster: FromCluster,
}

/// The objects that are judged as a server has stored them: with their status, and with the metadata that servers set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FromCluster {
    /// Those with a `resourceVersion` and a `uid`, unless `--old` has another state of them.
    #[default]
    Auto,
    /// All.
    Always,
    /// None: each is created, or updates an object of `--old`.
    Never,
}

impl FromCluster {
    fn includes(self, object: &Value, stored: Option<&Value>) -> bool {
        match self {
            Self::Auto => is_from_server(object) && stored.is_none_or(|stored| stored == object),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// The verdict of servers on an object.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) findings: Vec<Finding>,
    /// The object as the server of the last release stores it.
    pub(crate) stored: Option<Value>,
}

impl Servers {
    /// Compiles the definitions of a folder `specs`, for the servers of these releases, or for the newest that is known.
    ///
    /// A release selects the definitions in its folder of the package. In a package of Kubernetes it is also the release of the
    /// server; the releases of a `product` are not servers. Without such a folder, the newest definitions count.
    ///
    /// A definition that lacks a part that requests need hinders no other: its objects are not judged.
    pub(crate) fn compile(
        definitions: Vec<(Option<Release>, PackageDefinition)>,
        of_product: bool,
        releases: &[Release],
    ) -> Self {
        let definitions = by_kind(definitions);
        let folders: BTreeSet<Release> =
            definitions.values().flat_map(BTreeMap::keys).copied().flatten().collect();
        let asked: Vec<Option<Release>> = match releases {
            [] => vec![None],
            some => some.iter().copied().map(Some).collect(),
        };
        let mut kinds = BTreeMap::new();
        for (kind, by_release) in definitions {
            let mut servers = Vec::new();
            for asked in &asked {
                let newest = || by_release.last_key_value().map(|(_, source)| source);
                let Some(source) = by_release.get(asked).or_else(newest) else { continue };
                // No server has the form of other products' releases.
                let is_of_product = |release: &Release| {
                    release.form() != NEWEST.form() || of_product && folders.contains(release)
                };
                let server = asked.filter(|release| !is_of_product(release)).unwrap_or(NEWEST);
                let release = asked.unwrap_or(server);
                let definition = Definition::compile_for(source, server);
                let definition = definition.map_err(|error| Refused::Because(error.to_string()));
                servers.push(Server { release, definition, source: source.clone() });
            }
            kinds.insert(kind, servers);
        }
        Self { kinds }
    }

    /// Lets a definition of the input answer for its kind, and not one of the package or one before it in the input. A release that
    /// is not one of servers stands for the newest.
    pub(crate) fn add(&mut self, definition: &Value, releases: &[Release]) {
        let is_served = text_at(definition, "/apiVersion") == API_VERSION;
        if !is_served && self.kinds.contains_key(&kind_of(definition)) {
            return;
        }
        let servers = server_releases(releases).into_iter().map(|release| {
            let compiled = Definition::compile_for(definition, release);
            let compiled = compiled.ok().filter(|_| is_served).ok_or(Refused::InInput);
            Server { release, definition: compiled, source: definition.clone() }
        });
        self.kinds.insert(kind_of(definition), servers.collect());
    }

    /// A warning about a definition of the input, if another one after it judges the objects of its kind.
    pub(crate) fn later_definition(&self, file: &str, definition: &Value) -> Option<Finding> {
        let judging = self.kinds.get(&kind_of(definition))?.first()?;
        let message =
            "another definition of this kind, further on in the input, judges the objects";
        let finding = Finding::new(Severity::Warning, LATER_DEFINITION.id, file, message);
        let is_served = text_at(definition, "/apiVersion") == API_VERSION;
        (is_served && judging.source != *definition).then(|| at(finding, "spec.names.kind"))
    }

    /// Returns `true` if servers of this release can answer for one of the definitions.
    pub(crate) fn answer_at(&self, release: Release) -> bool {
        // The versions of products are not releases of servers.
        let is_of_server = release.form() == NEWEST.form() && (OLDEST..=NEWEST).contains(&release);
        is_of_server && !self.kinds.is_empty()
    }

    /// Returns `true` if the package has no definitions.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The verdict of the servers on an object; `None` if no definition serves its version. With a stored object it is an update.
    pub(crate) fn judge(
        &self,
        sending: Sending,
        file: &str,
        object: &Value,
        stored: Option<&Value>,
    ) -> Option<Judged> {
        let (group, version) = group_version(text_at(object, "/apiVersion"))?;
        let kind = (group.to_owned(), text_at(object, "/kind").to_owned());
        let answer = |server: &Server| {
            let judged = match &server.definition {
                Err(refused) => Judged { findings: vec![refused.finding(file)], stored: None },
                Ok(definition) if definition.versions().any(|name| name == version) => {
                    server.answer(definition, sending, version, file, object, stored)
                }
                Ok(_) => Judged { findings: vec![server.not_served(version, file)?], stored: None },
            };
            Some((server.release, judged))
        };
        let answered: Vec<_> = self.kinds.get(&kind)?.iter().filter_map(answer).collect();
        if answered.is_empty() { None } else { Some(merge(answered)) }
    }
}

/// The group and the kind that a definition defines.
pub(crate) fn kind_of(definition: &Value) -> (String, String) {
    let text = |pointer| text_at(definition, pointer).to_owned();
    (text("/spec/group"), text("/spec/names/kind"))
}

/// The servers that are asked: of these releases, as far as their servers are known, or of the newest.
pub(crate) fn server_releases(releases: &[Release]) -> Vec<Release> {
    let is_known =
        |release: &Release| release.form() == NEWEST.form() && (OLDEST..=NEWEST).contains(release);
    let known: Vec<Release> = releases.iter().copied().filter(is_known).collect();
    if known.is_empty() { vec![NEWEST] } else { known }
}

/// The verdict of the servers on the creation of a definition, or on its update if they have one of this name.
pub(crate) fn judge_definition(
    sending: Sending,
    releases: &[Release],
    file: &str,
    definition: &Value,
    stored: Option<&Value>,
) -> Judged {
    let api_version = text_at(definition, "/apiVersion");
    if api_version != API_VERSION {
        return Judged { findings: vec![not_of_v1(api_version, file)], stored: None };
    }
    let answers = server_releases(releases).into_iter().map(|release| {
        let verdict = match stored {
            Some(stored) => judge_update(definition, stored, release),
            None => definition::judge(definition, release),
        };
        let mut findings = findings(sending, file, &verdict.answer);
        findings.extend(verdict.advice.iter().map(|advice| {
            let (kind, field) = match advice {
                Advice::NoConversion { .. } => (NO_CONVERSION, "spec.conversion"),
                Advice::SetOfObjects { .. } => (SET_OF_OBJECTS, "spec.versions"),
                Advice::TooLargeToApply { .. } => (TOO_LARGE_TO_APPLY, ""),
                _ => (ADVICE, ""),
            };
            at(Finding::new(Severity::Warning, kind.id, file, advice.to_string()), field)
        }));
        (release, Judged { findings, stored: verdict.answer.object })
    });
    merge(answers.collect())
}

/// The finding for a definition in a version that no server has.
fn not_of_v1(api_version: &str, file: &str) -> Finding {
    let (message, hint) = if api_version == "apiextensions.k8s.io/v1beta1" {
        (
            format!("servers since 1.22 have no definitions in {api_version}"),
            "write it in `apiextensions.k8s.io/v1`, with a schema in each version; `--crds` reads both",
        )
    } else {
        (
            format!("no server has definitions in {}", Quoted(api_version)),
            "there are `apiextensions.k8s.io/v1` and, until 1.21, `v1beta1`",
        )
    };
    let finding = Finding::new(Severity::Error, UNKNOWN_KIND.id, file, message);
    at(finding.with_hint(hint), "apiVersion")
}

/// Definitions by group and kind, and by the release of their folder.
type ByKind = BTreeMap<(String, String), BTreeMap<Option<Release>, Value>>;

fn by_kind(definitions: Vec<(Option<Release>, PackageDefinition)>) -> ByKind {
    let mut by_kind = ByKind::new();
    for (release, definition) in definitions {
        let kind = (definition.group, definition.kind);
        by_kind.entry(kind).or_default().insert(release, definition.value);
    }
    by_kind
}

impl Server {
    fn answer(
        &self,
        definition: &Definition,
        sending: Sending,
        version: &str,
        file: &str,
        object: &Value,
        stored: Option<&Value>,
    ) -> Judged {
        let body = object.to_string();
        let namespace =
            Some(text_at(object, "/metadata/namespace")).filter(|text| !text.is_empty());
        let old = match stored {
            Some(stored) => Cow::Borrowed(stored),
            // The object is stored without its status.
            None if sending.is_status => Cow::Owned(without_status(object)),
            None => Cow::Owned(Value::Null),
        };
        let is_from_cluster = sending.from_cluster.includes(object, stored);
        let request = match (sending.is_status, stored) {
            (false, _) if is_from_cluster => WriteRequest::recreate(version, body.as_bytes()),
            (true, _) => WriteRequest::update_status(version, &old, body.as_bytes()),
            (false, Some(_)) => WriteRequest::update(version, &old, body.as_bytes()),
            (false, None) => {
                WriteRequest::create(version, namespace.unwrap_or("default"), body.as_bytes())
            }
        };
        // Strict servers reject what others warn of, and check no further. Here the later causes are also findings.
        let decoding = match sending.field_validation {
            FieldValidation::Strict => &FieldValidation::Warn,
            other => other,
        };
        let request = request.with_field_validation(decoding).from_files();
        let mut answer = definition.admit(&request);
        let kept = answer.object.take();
        let mut findings = self.findings(sending, version, file, &answer);
        findings.extend(other_version(file, object, stored));
        Judged { findings, stored: kept }
    }

    fn findings(
        &self,
        sending: Sending,
        version: &str,
        file: &str,
        answer: &ServerAnswer,
    ) -> Vec<Finding> {
        let mut findings = findings(sending, file, answer);
        for finding in findings.iter_mut().filter(|finding| finding.id == UNKNOWN_FIELD.id) {
            finding.hint = match finding.path.as_str() {
                "$patch" => Some("a patch is not an object: `kubectl kustomize` applies it".into()),
                path => {
                    self.near(version, path).map(|near| format!("did you mean `{near}`?").into())
                }
            };
        }
        findings
    }

    /// The finding for an object of a version that the definition has and does not serve.
    fn not_served(&self, version: &str, file: &str) -> Option<Finding> {
        let versions = self.source.pointer("/spec/versions")?.as_array()?;
        versions.iter().find(|known| text_at(known, "/name") == version)?;
        let served = |known: &&Value| known.get("served") == Some(&true.into());
        let served = versions.iter().filter(served).map(|known| text_at(known, "/name"));
        let served: Vec<&str> = served.collect();
        let message = format!("the definition has {} with `served: false`", Quoted(version));
        let finding = Finding::new(Severity::Error, UNKNOWN_KIND.id, file, message);
        let finding = at(finding, "apiVersion");
        if served.is_empty() {
            return Some(finding);
        }
        Some(finding.with_hint(format!("it serves {}", alternatives(&served))))
    }

    /// The field that is nearest by name to an unknown one.
    fn near(&self, version: &str, path: &str) -> Option<String> {
        let versions = self.source.pointer("/spec/versions")?.as_array()?;
        let version = versions.iter().find(|known| text_at(known, "/name") == version)?;
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        if parent == "metadata" {
            return nearest_field(name, METADATA.into_iter()).map(str::to_owned);
        }
        let mut schema = version.pointer("/schema/openAPIV3Schema")?;
        for step in parent.split('.').filter(|step| !step.is_empty()) {
            let (field, indexes) = step.split_once('[').unwrap_or((step, ""));
            let of_map = || schema.get("additionalProperties");
            schema =
                schema.get("properties").and_then(|schema| schema.get(field)).or_else(of_map)?;
            for _ in indexes.matches(']') {
                schema = schema.get("items").or_else(|| schema.get("additionalProperties"))?;
            }
        }
        let known = schema.get("properties")?.as_object()?.keys().map(String::as_str);
        nearest_field(name, known).map(str::to_owned)
    }
}

/// An answer as findings.
fn findings(sending: Sending, file: &str, answer: &ServerAnswer) -> Vec<Finding> {
    let strict = *sending.field_validation == FieldValidation::Strict;
    let refusal = (!answer.is_accepted() && answer.causes.is_empty()).then(|| {
        let reason = if answer.reason.is_empty() { "InternalError" } else { answer.reason };
        let finding = Finding::new(Severity::Error, kebab(reason), file, answer.message.clone());
        at(finding, answer.undecodable.as_deref().unwrap_or_default())
    });
    let causes = answer.causes.iter().map(|RefusalCause { reason, field, message, .. }| {
        let id = kebab(reason.as_str());
        at(Finding::new(Severity::Error, id, file, message.clone()), field)
    });
    let warnings = answer.whole_warnings.iter().map(|warning| {
        let text = warning.to_string();
        let (kind, path) = match warning {
            ServerWarning::UnknownField(path) => (UNKNOWN_FIELD, path),
            ServerWarning::DuplicateField(path) => (DUPLICATE_FIELD, path),
            ServerWarning::Other { field, .. } => {
                let text = text.strip_prefix(&format!("{field}: ")).unwrap_or(&text);
                return at(Finding::new(Severity::Warning, WARNING.id, file, text), field);
            }
            _ => return Finding::new(Severity::Warning, WARNING.id, file, text),
        };
        let severity = if strict { Severity::Error } else { Severity::Warning };
        at(Finding::new(severity, kind.id, file, text), path)
    });
    let not_judged = answer.not_judged.iter().map(|not_judged| {
        let message = format!("not judged: {}", not_judged.rule);
        at(Finding::new(Severity::Note, NOT_JUDGED.id, file, message), &not_judged.field)
    });
    refusal.into_iter().chain(causes).chain(warnings).chain(not_judged).collect()
}

/// The fields of metadata that people write.
const METADATA: [&str; 7] =
    ["annotations", "finalizers", "generateName", "labels", "name", "namespace", "ownerReferences"];

/// Sets the field of a finding.
fn at(mut finding: Finding, path: &str) -> Finding {
    if path != "<nil>" {
        path.clone_into(&mut finding.path);
    }
    finding
}

/// The identifier of a [refusal](crate::text::finding_kinds::REFUSALS) from a reason: `field-value-invalid` from `FieldValueInvalid`.
pub(crate) fn kebab(reason: &str) -> String {
    let mut id = String::new();
    for (index, letter) in reason.char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            id.push('-');
        }
        id.push(letter.to_ascii_lowercase());
    }
    id
}

fn without_status(object: &Value) -> Value {
    let mut object = object.clone();
    object.as_object_mut().map(|members| members.remove("status"));
    object
}

/// A note if the stored object is of another version: servers convert it first.
fn other_version(file: &str, object: &Value, stored: Option<&Value>) -> Option<Finding> {
    let [new, old] = [object, stored?].map(|value| text_at(value, "/apiVersion"));
    let message = format!("not judged: the conversion of the stored object from {old}");
    (new != old).then(|| Finding::new(Severity::Note, NOT_JUDGED.id, file, message))
}

/// The findings of all releases in their order, each once, and with its releases if there are several.
fn merge(answered: Vec<(Release, Judged)>) -> Judged {
    let several = answered.len() > 1;
    let mut all: Vec<(Finding, Vec<String>)> = Vec::new();
    let mut places: BTreeMap<Finding, usize> = BTreeMap::new();
    let mut stored = None;
    for (release, judged) in answered {
        let release = release.to_string();
        for finding in judged.findings {
            let place = *places.entry(finding.clone()).or_insert(all.len());
            match all.get_mut(place) {
                Some((_, releases)) if releases.last() == Some(&release) => {}
                Some((_, releases)) => releases.push(release.clone()),
                None => all.push((finding, vec![release.clone()])),
            }
        }
        stored = judged.stored;
    }
    let findings = all.into_iter().map(|(mut finding, releases)| {
        if several {
            finding.message = format!("{} ({})", finding.message, releases.join(", "));
        }
        finding
    });
    Judged { findings: findings.collect(), stored }
}

/// The objects of a server by group, kind, namespace and name. Kinds without namespaces also have one here, which has no effect.
pub(crate) fn identity(object: &Value) -> [&str; 4] {
    let (group, _) = group_version(text_at(object, "/apiVersion")).unwrap_or_default();
    let namespace = match text_at(object, "/metadata/namespace") {
        "" => "default",
        namespace => namespace,
    };
    [group, text_at(object, "/kind"), namespace, text_at(object, "/metadata/name")]
}

pub(crate) fn text_at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

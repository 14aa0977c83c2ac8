//! The hand-written rule files under `specs/`, which state what the documents cannot.
//!
//! Every rule knows its place, so that a problem of a rule shows its line.

mod conversions;
mod descriptions;
mod group;
mod names;
mod protobuf;
mod toml_file;
mod vocabularies;

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::{Release, Version};
use serde::Deserialize;
use toml_file::optional;

use crate::crd::{self, Manifest};
use crate::problem::{Place, RuleCause};
use crate::{Files, Problems};

pub use conversions::{Correspondence, KindRule, LosslessRule, StepName};
pub use descriptions::{Descriptions, Text, TypeDescription};
pub use group::{DescribedBy, Feature, GroupRules, ModuleRule, read as read_group};
pub use names::Names;
pub use protobuf::{NUMBERS, PresenceRule, ProtobufRules};
pub(crate) use protobuf::{read as read_protobuf, write_numbers};
pub use toml_file::{Placed, RuleFile, parse_toml};
pub use vocabularies::{Vocabulary, Word};

/// All rules of a group.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The groups, their modules, and the choices for them.
    pub group: GroupRules,
    /// The lifecycles of kinds, as far as the documents do not show them.
    pub lifecycle: Vec<LifecycleRule>,
    /// Schemas that hand-written types replace.
    pub intrinsics: Vec<Intrinsic>,
    /// String fields with known words.
    pub vocabularies: Vec<Vocabulary>,
    /// Exceptions for single fields.
    pub fields: Vec<FieldRule>,
    /// Kinds whose objects are converted between versions.
    pub conversions: Vec<KindRule>,
    /// Rustdoc, by Rust module (`meta::v1`).
    pub descriptions: BTreeMap<String, Descriptions>,
    /// The field numbers of protobuf, and the presence of fields; `None` without code for protobuf.
    pub protobuf: Option<ProtobufRules>,
    /// The parts of the documents that Rust does not have.
    pub left_out: LeftOut,
    /// The names of objects that have none in the documents.
    pub names: Names,
    /// The definitions of custom resources that the package has.
    pub definitions: Vec<Manifest>,
}

impl Rules {
    /// The description of a type, from the file of its module or of the module that is like it.
    pub fn description(&self, module: &str, name: &str) -> Option<&TypeDescription> {
        let own = self.descriptions.get(module)?;
        let like = || self.descriptions.get(own.like.as_ref()?.get_ref())?.types.get(name);
        own.types.get(name).or_else(like)
    }
}

/// Reads `not-recorded.toml` alone: the releases without recordings, each with the reason.
///
/// # Errors
/// All problems of the file.
pub fn read_not_recorded(specs: &Files) -> Result<BTreeMap<Release, String>, Problems> {
    toml_file::optional(specs, "not-recorded.toml")
}

/// Reads all rule files, and adds the rules that hold for every group. A project's own rule about the same thing replaces
/// one of these.
///
/// # Errors
/// All problems of their texts. The plan checks that the rules match something.
pub fn read(specs: &Files) -> Result<Rules, Problems> {
    let mut rules = read_layer(specs)?;
    let base = read_layer(&base())?;
    let shipped = base.intrinsics.into_iter().map(|rule| Intrinsic { shipped: true, ..rule });
    add(&mut rules.intrinsics, shipped, |rule| rule.schema.value.clone());
    let shipped = base.vocabularies.into_iter().map(|rule| Vocabulary { shipped: true, ..rule });
    add(&mut rules.vocabularies, shipped, |rule| rule.name.value.clone());
    let shipped = base.fields.into_iter().map(|rule| FieldRule { shipped: true, ..rule });
    add(&mut rules.fields, shipped, |rule| rule.field.value.clone());
    let (own, base_left_out) = (&mut rules.left_out, base.left_out);
    let shipped = |rule: Named| Named { shipped: true, ..rule };
    let name = |rule: &Named| rule.name.value.clone();
    add(&mut own.fields, base_left_out.fields.into_iter().map(shipped), name);
    add(&mut own.parameters, base_left_out.parameters.into_iter().map(shipped), name);
    for (module, shipped) in base.descriptions {
        rules.descriptions.entry(module).or_default().add_shipped(shipped);
    }
    Ok(rules)
}

/// Adds the shipped rules that are about other things than the own ones.
fn add<T>(own: &mut Vec<T>, shipped: impl Iterator<Item = T>, name: impl Fn(&T) -> String) {
    let known: BTreeSet<String> = own.iter().map(&name).collect();
    own.extend(shipped.filter(|rule| !known.contains(&name(rule))));
}

/// Reads the rule files of one layer.
fn read_layer(specs: &Files) -> Result<Rules, Problems> {
    let mut problems = Problems::new();
    let group = keep(group::read(specs), &mut problems).unwrap_or_default();
    let lifecycle = keep(read_lifecycles(specs), &mut problems).unwrap_or_default();
    let intrinsics = keep(read_intrinsics(specs), &mut problems).unwrap_or_default();
    let vocabularies = keep(vocabularies::read(specs), &mut problems).unwrap_or_default();
    let fields = keep(read_fields(specs), &mut problems).unwrap_or_default();
    let conversions = keep(conversions::read(specs), &mut problems).unwrap_or_default();
    let descriptions = descriptions::read(specs, &mut problems);
    let left_out = keep(read_left_out(specs), &mut problems).unwrap_or_default();
    let protobuf = keep(protobuf::read(specs), &mut problems).flatten();
    let names = keep(names::read(specs), &mut problems).unwrap_or_default();
    let prose = group.descriptions == DescribedBy::Documents;
    let definitions = keep(crd::carried(specs, prose), &mut problems).unwrap_or_default();
    problems.or(Rules {
        group,
        lifecycle,
        intrinsics,
        vocabularies,
        fields,
        conversions,
        descriptions,
        protobuf,
        left_out,
        names,
        definitions,
    })
}

/// The value, or its problems moved to `problems`.
fn keep<T>(result: Result<T, Problems>, problems: &mut Problems) -> Option<T> {
    result.map_err(|found| problems.append(found)).ok()
}

// The rules that hold for every group. They are part of the generator, and need not match anything in a project.

/// The files of the folder `codegen/base`, by their names as in a `specs/` folder.
fn base() -> Files {
    let files = [
        ("descriptions/meta.v1.toml", include_str!("../../base/descriptions/meta.v1.toml")),
        ("fields.toml", include_str!("../../base/fields.toml")),
        ("group.toml", include_str!("../../base/group.toml")),
        ("intrinsics.toml", include_str!("../../base/intrinsics.toml")),
        ("left-out.toml", include_str!("../../base/left-out.toml")),
        ("vocabularies.toml", include_str!("../../base/vocabularies.toml")),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect()
}

// `intrinsics.toml`: schemas that hand-written types replace.

/// A schema that a hand-written type replaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intrinsic {
    /// The full name of the schema.
    pub schema: Placed<Self>,
    /// The Rust path of the type; none for a schema that is only the body of a request or response.
    #[serde(rename = "type")]
    pub rust_type: Option<Placed<Self>>,
    /// `true` if the type has a default, which a required field needs.
    #[serde(default)]
    pub default: bool,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

impl RuleFile for Intrinsic {
    const PATH: &'static str = "intrinsics.toml";
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntrinsicsFile {
    #[serde(default)]
    intrinsic: Vec<Intrinsic>,
}

fn read_intrinsics(specs: &Files) -> Result<Vec<Intrinsic>, Problems> {
    let file: IntrinsicsFile = optional(specs, Intrinsic::PATH)?;
    let mut problems = Problems::new();
    let paths = file.intrinsic.iter().filter_map(|intrinsic| intrinsic.rust_type.as_ref());
    for path in paths.filter(|path| !is_path(&path.value)) {
        problems.push(&path.place, RuleCause::NotAPath(path.value.clone()));
    }
    problems.or(file.intrinsic)
}

/// Returns `true` if this is the path of a type in another crate.
fn is_path(text: &str) -> bool {
    text.contains("::") && text.split("::").all(|part| syn::parse_str::<syn::Ident>(part).is_ok())
}

// `fields.toml`: facts about single fields that the documents do not state.

/// An exception for one field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldRule {
    /// The full name of the field.
    pub field: Placed<Self>,
    /// The behaviour of servers when the value is empty or zero.
    pub empty: Empty,
    /// The evidence for the rule.
    pub reason: Placed<Self>,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

impl RuleFile for FieldRule {
    const PATH: &'static str = "fields.toml";
}

/// The behaviour of servers with an empty or zero value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
    /// They leave it out, although the documents require it or state it as the default.
    Omitted,
    /// They distinguish it from an absent one, or write it although texts like it are left out.
    Kept,
    /// They write `null`.
    Null,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldsFile {
    #[serde(default)]
    field: Vec<FieldRule>,
}

fn read_fields(specs: &Files) -> Result<Vec<FieldRule>, Problems> {
    let file: FieldsFile = optional(specs, FieldRule::PATH)?;
    let mut problems = Problems::new();
    file.field.iter().for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(file.field)
}

// `left-out.toml`: fields and parameters that the documents have and Rust does not, each with the reason.

/// The fields and parameters that are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Fields that a server-side apply cannot set, by their full names.
    #[serde(default, rename = "field")]
    pub fields: Vec<Named>,
    /// Parameters that programs cannot give.
    #[serde(default, rename = "parameter")]
    pub parameters: Vec<Named>,
}

impl RuleFile for LeftOut {
    const PATH: &'static str = "left-out.toml";
}

/// A field or parameter that is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name.
    pub name: Placed<LeftOut>,
    /// The evidence for the rule.
    pub reason: Placed<LeftOut>,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

fn read_left_out(specs: &Files) -> Result<LeftOut, Problems> {
    let left_out: LeftOut = optional(specs, LeftOut::PATH)?;
    let mut problems = Problems::new();
    let rules = left_out.fields.iter().chain(&left_out.parameters);
    rules.for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(left_out)
}

// `lifecycle.toml`: the releases in the life of a kind that the documents do not show.

/// What the documents cannot say about the lifecycle of a kind in one version.
#[derive(Clone, Debug)]
pub struct LifecycleRule {
    /// The place of the rule.
    pub place: Place,
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: Version,
    /// The release that introduced it, if all documents have it.
    pub introduced: Option<Release>,
    /// The first release that warns of its use. No document shows it.
    pub deprecated: Option<Release>,
    /// The announced release that removes it.
    pub removed: Option<Release>,
}

impl LifecycleRule {
    /// The version and the kind, as findings and messages name them.
    pub fn subject(&self) -> String {
        format!("{} {}", self.version, self.kind)
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LifecycleFile {
    #[serde(default)]
    kind: Vec<LifecycleEntry>,
}

impl RuleFile for LifecycleFile {
    const PATH: &'static str = "lifecycle.toml";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LifecycleEntry {
    kind: Placed<LifecycleFile>,
    version: Version,
    introduced: Option<Release>,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

/// Reads `lifecycle.toml` alone. The plan compares the rules with the documents.
///
/// # Errors
/// All problems of the file.
pub fn read_lifecycles(specs: &Files) -> Result<Vec<LifecycleRule>, Problems> {
    let file: LifecycleFile = optional(specs, LifecycleFile::PATH)?;
    let mut problems = Problems::new();
    let mut rules: Vec<LifecycleRule> = Vec::new();
    for LifecycleEntry { kind, version, introduced, deprecated, removed } in file.kind {
        let (place, kind) = (kind.place, kind.value);
        let rule = LifecycleRule { place, kind, version, introduced, deprecated, removed };
        if rules.iter().any(|other| other.subject() == rule.subject()) {
            problems.push(&rule.place, RuleCause::Twice(rule.subject()));
        } else {
            rules.push(rule);
        }
    }
    problems.or(rules)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Files;

    #[test]
    fn without_files_there_are_the_rules_of_every_group() {
        let rules = read(&Files::new()).unwrap();
        assert!(rules.group.groups.is_empty() && rules.group.verbs);
        assert!(rules.fields.iter().all(|rule| rule.shipped));
        assert!(rules.description("meta::v1", "ObjectMeta").is_some());
    }

    #[test]
    fn an_own_rule_replaces_a_shipped_one() {
        let field = "io.k8s.api.core.v1.LocalObjectReference.name";
        let text = format!("[[field]]\nfield = {field:?}\nempty = \"kept\"\nreason = \"Seen.\"\n");
        let specs = Files::from([("fields.toml".to_owned(), text.into_bytes())]);
        let rules = read(&specs).unwrap();
        let about: Vec<bool> = rules
            .fields
            .iter()
            .filter(|rule| rule.field.value == field)
            .map(|rule| rule.shipped)
            .collect();
        assert_eq!(about, [false]);
    }
}

//! The hand-written rule files under `specs/`, which state what the documents cannot.
//!
//! Every rule knows its place, so that a problem of a rule shows its line.

mod conversions;
mod descriptions;
mod fields;
mod intrinsics;
mod left_out;
mod lifecycle;
mod names;
mod open_enums;
pub(crate) mod paths;
mod protobuf;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use k8s_versioned_core::Release;
use k8s_versioned_core::nearest::nearest;

use crate::input::toml_file::{self, Layers, RuleFile as _};
use crate::input::{self, GroupRules, base};
use crate::problem::{Place, RuleCause};
use crate::text::has_extension;
use crate::{Files, Problems};

pub(crate) use conversions::read_text as read_conversions;
pub(crate) use conversions::{AdoptRule, Correspondence, KindRule, LosslessRule};
pub(crate) use descriptions::{Descriptions, TypeDescription};
pub(crate) use fields::{Empty, FieldRule};
pub(crate) use intrinsics::Intrinsic;
pub(crate) use left_out::{LeftOut, Named};
pub use lifecycle::LifecycleRule;
pub(crate) use lifecycle::read as read_lifecycles;
pub(crate) use names::NameKind;
pub(crate) use names::Names;
pub(crate) use open_enums::OpenEnumRule;
pub(crate) use protobuf::{FieldNumber, NUMBERS, PRESENCE, PresenceRule, ProtobufRules};
pub(crate) use protobuf::{
    MOST_EMBEDDED, Presence, read as read_protobuf, write_numbers, write_presence,
};

/// All rules of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The groups, their modules, and the choices for them.
    pub(crate) group: GroupRules,
    /// The lifecycles of kinds, as far as the documents do not show them.
    pub(crate) lifecycle: Layers<LifecycleRule>,
    /// Schemas that hand-written types replace.
    pub(crate) intrinsics: Layers<Intrinsic>,
    /// String fields with known words.
    pub(crate) open_enums: Layers<OpenEnumRule>,
    /// Exceptions for single fields.
    pub(crate) fields: Layers<FieldRule>,
    /// Kinds whose objects are converted between versions.
    pub(crate) conversions: Vec<KindRule>,
    /// Rustdoc, by Rust module (`meta::v1`).
    pub(crate) descriptions: BTreeMap<String, Descriptions>,
    /// The field numbers of protobuf, and the presence of fields; `None` without code for protobuf.
    pub(crate) protobuf: Option<ProtobufRules>,
    /// The parts of the documents that Rust does not have.
    pub(crate) left_out: LeftOut,
    /// The names of types that have none in the documents.
    pub(crate) names: Names,
}

impl Rules {
    /// The description of a type, from the file of its module or of the module that is like it.
    pub(crate) fn description(&self, module: &str, name: &str) -> Option<&TypeDescription> {
        let own = self.descriptions.get(module)?;
        let like = || self.descriptions.get(own.like.as_ref()?.get_ref())?.find(name);
        own.find(name).or_else(like)
    }
}

/// Reads only `not-recorded.toml`: the releases without recordings, each with the reason.
///
/// # Errors
/// All problems of the file.
pub fn read_not_recorded(specs: &Files) -> Result<BTreeMap<Release, String>, Problems> {
    toml_file::optional(specs, "not-recorded.toml")
}

/// What the rules of a project, and those that hold for every group, say about the lifecycles of kinds; each names its group.
///
/// # Errors
/// All problems of the rule files.
pub fn lifecycles(specs: &Files) -> Result<Vec<LifecycleRule>, Problems> {
    let Rules { lifecycle, .. } = read(specs, input::read_group(specs))?;
    Ok(lifecycle.iter().cloned().collect())
}

/// Reads all rule files other than `group.toml`, and adds the rules that hold for every group. A project's own rule about the same thing
/// replaces one of these.
///
/// # Errors
/// All problems of their texts, and those of `group.toml`. The plan checks that the rules match something.
pub(crate) fn read(specs: &Files, group: Result<GroupRules, Problems>) -> Result<Rules, Problems> {
    let mut problems = Problems::new();
    let group = problems.keep(group).unwrap_or_default();
    let rules = problems.keep(read_layer(specs));
    problems.or(())?;
    let mut rules = rules.unwrap_or_default();
    rules.group = group;
    let mut problems = Problems::new();
    lifecycle::name_groups(&mut rules.lifecycle.own, rules.group.group(), &mut problems);
    problems.or(())?;
    let base = BASE.clone()?;
    rules.intrinsics.add_built_in(base.intrinsics, |rule| rule.schema.value.clone());
    rules.open_enums.add_built_in(base.open_enums, |rule| rule.name.value.clone());
    rules.fields.add_built_in(base.fields, |rule| rule.field.value.clone());
    rules.lifecycle.add_built_in(base.lifecycle, |rule| (rule.group.clone(), rule.subject()));
    let named = |rule: &Named| rule.name.value.clone();
    rules.left_out.fields.add_built_in(base.left_out.fields, named);
    rules.left_out.parameters.add_built_in(base.left_out.parameters, named);
    for (module, built_in) in base.descriptions {
        rules.descriptions.entry(module).or_default().add_built_in(built_in);
    }
    Ok(rules)
}

/// Only the rules for the types of definitions. The other rules that hold for every group are about built-in kinds: to read them took half of
/// the time of `show`.
///
/// # Errors
/// Mistakes of the generator's own rules.
pub(crate) fn of_definitions(group: GroupRules) -> Result<Rules, Problems> {
    let mut specs = base();
    specs.retain(|path, _| path == Intrinsic::PATH);
    let mut rules = Rules { group, ..Rules::default() };
    rules.intrinsics.add_built_in(intrinsics::read(&specs)?, |rule| rule.schema.value.clone());
    Ok(rules)
}

/// The files of TOML in a `specs/` folder, except the descriptions.
const FILES: [&str; 12] = [
    "conversions.toml",
    "field-numbers.toml",
    "fields.toml",
    "group.toml",
    "intrinsics.toml",
    "left-out.toml",
    "lifecycle.toml",
    "manifest.toml",
    "names.toml",
    "not-recorded.toml",
    "protobuf.toml",
    "open-enums.toml",
];

/// Reports each file of TOML that is not a rule file: its name is probably wrong.
fn check_names(specs: &Files, problems: &mut Problems) {
    let is_rule = |path: &str| FILES.contains(&path) || path.starts_with(descriptions::FOLDER);
    for path in specs.keys().filter(|path| has_extension(path, &["toml"]) && !is_rule(path)) {
        let near = nearest(path, FILES.into_iter()).map(str::to_owned);
        problems.push(&Place::file(path.as_str()), RuleCause::NotARuleFile { near });
    }
}

/// The rules that hold for every group. They are a part of the program, and read once.
static BASE: LazyLock<Result<Rules, Problems>> = LazyLock::new(|| read_layer(&base()));

/// Reads the rule files of one layer.
fn read_layer(specs: &Files) -> Result<Rules, Problems> {
    let mut problems = Problems::new();
    check_names(specs, &mut problems);
    let rules = Rules {
        lifecycle: problems.keep(lifecycle::read(specs)).unwrap_or_default().into(),
        intrinsics: problems.keep(intrinsics::read(specs)).unwrap_or_default(),
        open_enums: problems.keep(open_enums::read(specs)).unwrap_or_default(),
        fields: problems.keep(fields::read(specs)).unwrap_or_default(),
        conversions: problems.keep(conversions::read(specs)).unwrap_or_default(),
        descriptions: descriptions::read(specs, &mut problems),
        protobuf: problems.keep(protobuf::read(specs)).flatten(),
        left_out: problems.keep(left_out::read(specs)).unwrap_or_default(),
        names: problems.keep(names::read(specs)).unwrap_or_default(),
        ..Rules::default()
    };
    problems.or(rules)
}

#[cfg(test)]
mod tests {
    use super::{FieldRule, GroupRules, LifecycleRule, lifecycles, read};
    use crate::Files;
    use crate::input::read_group;

    #[test]
    fn without_files_there_are_the_rules_of_every_group() {
        let rules = read(&Files::new(), read_group(&Files::new())).unwrap();
        assert!(rules.group.groups.is_empty() && !rules.group.types_only);
        assert!(rules.fields.own.is_empty() && !rules.fields.built_in.is_empty());
        assert!(rules.description("meta::v1", "ObjectMeta").is_some());
    }

    #[test]
    fn built_in_lifecycles_name_their_group() {
        let rules = read(&Files::new(), read_group(&Files::new())).unwrap();
        assert!(rules.lifecycle.own.is_empty());
        assert!(rules.lifecycle.iter().all(|rule| rule.group.is_some()));
        assert!(rules.lifecycle.iter().any(|rule| rule.removed.is_some()));
    }

    /// A rule without a group is about the group of the package.
    #[test]
    fn a_lifecycle_of_the_group_of_the_package() {
        let specs = |rules: &str| {
            let group = ("group.toml".to_owned(), b"groups = [\"coordination.k8s.io\"]".to_vec());
            Files::from([group, ("lifecycle.toml".to_owned(), rules.into())])
        };
        let base = read(&Files::new(), Ok(GroupRules::default())).unwrap().lifecycle.built_in;
        let known = base.iter().find(|rule| rule.group.as_deref() == Some("coordination.k8s.io"));
        let (kind, version) = (known.unwrap().kind(), known.unwrap().version);
        let rule =
            format!("[[kind]]\nkind = {kind:?}\nversion = \"{version}\"\nremoved = \"v9.9\"\n");
        let all = lifecycles(&specs(&rule)).unwrap();
        let is_of = |rule: &&LifecycleRule| {
            rule.group.as_deref() == Some("coordination.k8s.io")
                && rule.kind() == kind
                && rule.version == version
        };
        assert_eq!(all.iter().filter(is_of).count(), 1);
        let twice = format!("{rule}\n{rule}group = \"coordination.k8s.io\"\n");
        let problems = lifecycles(&specs(&twice)).unwrap_err();
        assert!(problems.to_string().contains("another rule"), "{problems}");
    }

    #[test]
    fn an_own_rule_replaces_a_built_in_one() {
        let field = "io.k8s.api.core.v1.LocalObjectReference.name";
        let text = format!("[[field]]\nfield = {field:?}\nempty = \"kept\"\nreason = \"Seen.\"\n");
        let specs = Files::from([("fields.toml".to_owned(), text.into_bytes())]);
        let rules = read(&specs, Ok(GroupRules::default())).unwrap();
        let is_about = |rule: &&FieldRule| rule.field.value == field;
        assert_eq!(rules.fields.own.iter().filter(is_about).count(), 1);
        assert_eq!(rules.fields.built_in.iter().filter(is_about).count(), 0);
    }
}

//! `group.toml`: the groups, the Rust modules that their schemas go into, and the choices for their code.

use std::collections::BTreeSet;

use k8s_versioned_core::{Release, ReleaseForm, Version};
use serde::Deserialize;

use super::base::base;
use super::toml_file::{Layers, Placed, RuleFile, optional};
use crate::gather::Gather;
use crate::problem::{Place, PlanCause, RuleCause};
use crate::{Files, Problems, ident};

const VERSION: &str = "{version}";

/// The groups and their modules.
#[derive(Clone, Debug, Default)]
pub struct GroupRules {
    /// The names of the groups; empty if the package has all groups of the documents.
    pub groups: BTreeSet<String>,
    /// Whether the package has only types, and no verbs.
    pub(crate) types_only: bool,
    /// The source of the rustdoc.
    pub(crate) descriptions: DescribedBy,
    /// The parts of the package that are features.
    pub(crate) features: BTreeSet<Feature>,
    /// The product that the releases belong to; `None` for Kubernetes.
    pub product: Option<String>,
    /// Whether the package has the versions of definitions that are not served; `None` if the file does not state it.
    pub(crate) unserved: Option<bool>,
    /// The versions of kinds that the package does not have.
    pub(crate) leave_out: Vec<LeaveOut>,
    /// The modules of schemas.
    pub(crate) modules: Layers<ModuleRule>,
}

/// A version of a kind that the package leaves out, although a document or definition has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaveOut {
    /// The place of the line.
    pub(crate) place: Place,
    /// The kind.
    pub(crate) kind: String,
    /// The name of the version.
    pub(crate) version: String,
}

/// The source of the rustdoc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DescribedBy {
    /// Only the rules. Every item needs one.
    Rules,
    /// The rules, and for all other items the documents.
    #[default]
    Documents,
    /// Only the rules. Other items have no description.
    None,
}

/// A part of a package that programs can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Feature {
    /// The types of server-side apply.
    Apply,
    /// The registry of all kinds.
    Registry,
    /// Each group, if there are several.
    Groups,
}

impl GroupRules {
    /// Returns `true` if the descriptions of documents become rustdoc.
    pub fn keeps_descriptions(&self) -> bool {
        self.descriptions == DescribedBy::Documents
    }

    /// The only group, or the core group: the group of the kinds that `conversions.toml` names.
    pub(crate) fn group(&self) -> &str {
        self.groups.first().filter(|_| self.groups.len() == 1).map_or("", String::as_str)
    }

    /// Returns `true` if a crate that all groups share has the type of this schema.
    pub(crate) fn is_shared(&self, schema: &str) -> bool {
        self.modules.iter().any(|rule| rule.shared.is_some() && rule.apply(schema).is_some())
    }

    /// The product that the releases belong to.
    pub(crate) fn product(&self) -> &str {
        self.product.as_deref().unwrap_or("Kubernetes")
    }

    /// A release with its product: `Kubernetes 1.36`. Editions that are not minor releases are not of Kubernetes.
    pub(crate) fn named(&self, release: Release) -> String {
        match (&self.product, release.form()) {
            (None, ReleaseForm::Version | ReleaseForm::Date) => release.to_string(),
            _ => format!("{} {release:#}", self.product()),
        }
    }
}

/// The rule that places schemas whose names have a common prefix into modules.
#[derive(Clone, Debug)]
pub(crate) struct ModuleRule {
    /// The place of the rule.
    pub(crate) place: Place,
    /// The names up to the version, with the dot.
    pub(crate) prefix: String,
    /// The Rust path up to the version, with the colons; may be empty.
    pub(crate) module: String,
    /// The crate that has the types, if all groups share them. Such types have `Default` even where fields are
    /// required: mostly servers make them, as parts of other types.
    pub(crate) shared: Option<String>,
}

impl ModuleRule {
    /// The schemas of the rule, as the file names them.
    pub(crate) fn schemas(&self) -> String {
        format!("{}{VERSION}", self.prefix)
    }

    /// Returns `true` if the rule places types into this module.
    pub(crate) fn has_module(&self, module: &str) -> bool {
        let version = module.strip_prefix(&self.module);
        version.is_some_and(|version| !version.is_empty() && !version.contains("::"))
    }

    /// The module and the Rust name of the schema `name`, if the rule places it.
    pub(crate) fn apply(&self, name: &str) -> Option<(String, String)> {
        let (version, type_name) = name.strip_prefix(&self.prefix)?.split_once('.')?;
        // Any word can be a version, so `io.example.{version}` would match the schemas of `io.example.more.v1`.
        let parsed = version.parse::<Version>().ok()?;
        if !parsed.is_numbered() && type_name.contains('.') {
            return None;
        }
        Some((format!("{}{}", self.module, ident::version_module(version)), type_name.to_owned()))
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    group: Option<Placed<File>>,
    #[serde(default)]
    groups: Vec<Placed<File>>,
    verbs: Option<bool>,
    product: Option<String>,
    #[serde(default)]
    descriptions: DescribedBy,
    features: Option<BTreeSet<Feature>>,
    unserved: Option<bool>,
    #[serde(default)]
    leave_out: Vec<LeaveOutEntry>,
    #[serde(default)]
    module: Vec<ModuleEntry>,
}

impl RuleFile for File {
    const PATH: &'static str = "group.toml";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaveOutEntry {
    kind: Placed<File>,
    version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModuleEntry {
    schemas: Placed<File>,
    module: Placed<File>,
    #[serde(rename = "crate")]
    shared: Option<Placed<File>>,
}

/// Reads only `group.toml`, and adds the modules that hold for every group.
///
/// # Errors
/// All problems of the file.
pub fn read(specs: &Files) -> Result<GroupRules, Problems> {
    let mut problems = Problems::new();
    let File { group, groups, verbs, product, descriptions, features, unserved, leave_out, module } =
        optional(specs, File::PATH)?;
    let mut names = BTreeSet::new();
    for name in group.into_iter().chain(groups) {
        if !names.insert(name.value.clone()) {
            name.report_twice(&mut problems);
        }
    }
    let built_in: File = optional(&base(), File::PATH)?;
    let [mut modules, built_in] = [module, built_in.module].map(|entries| -> Layers<ModuleRule> {
        let modules = entries.into_iter().filter_map(|entry| read_module(entry, &mut problems));
        modules.collect::<Vec<_>>().into()
    });
    modules.add_built_in(built_in, |rule| rule.prefix.clone());
    let all = || [Feature::Apply, Feature::Registry, Feature::Groups].into_iter().gather();
    let features = features.unwrap_or_else(all);
    let leave_out = read_leave_out(leave_out, &mut problems);
    problems.or(GroupRules {
        groups: names,
        types_only: verbs == Some(false),
        descriptions,
        features,
        product,
        unserved,
        leave_out,
        modules,
    })
}

fn read_leave_out(entries: Vec<LeaveOutEntry>, problems: &mut Problems) -> Vec<LeaveOut> {
    let mut rules: Vec<LeaveOut> = Vec::new();
    for LeaveOutEntry { kind, version } in entries {
        if rules.iter().any(|rule| rule.kind == kind.value && rule.version == version) {
            kind.report_twice(problems);
            continue;
        }
        rules.push(LeaveOut { place: kind.place, kind: kind.value, version });
    }
    rules
}

fn read_module(entry: ModuleEntry, problems: &mut Problems) -> Option<ModuleRule> {
    let mut prefix = |text: &Placed<File>| {
        let prefix = text.value.strip_suffix(VERSION);
        if prefix.is_none() {
            problems.push(&text.place, RuleCause::NoVersionInModule(text.value.clone()));
        }
        prefix.map(str::to_owned)
    };
    let (schemas, module) = (prefix(&entry.schemas), prefix(&entry.module));
    if let Some(shared) = &entry.shared
        && syn::parse_str::<syn::Ident>(&shared.value).is_err()
    {
        problems.push(&shared.place, PlanCause::NotAnIdentifier(shared.value.clone()));
    }
    Some(ModuleRule {
        place: entry.schemas.place,
        shared: entry.shared.map(|shared| shared.value),
        prefix: schemas?,
        module: module?,
    })
}

#[cfg(test)]
mod tests {
    use super::ModuleRule;
    use crate::Place;

    #[test]
    fn a_version_is_not_any_word() {
        let rule = ModuleRule {
            place: Place::file("group.toml"),
            prefix: "io.cert-manager.".to_owned(),
            module: String::new(),
            shared: None,
        };
        let table = [
            ("io.cert-manager.v1.Issuer", Some(("v1", "Issuer"))),
            ("io.cert-manager.acme.v1.Order", None),
            ("io.cert-manager.a-b.Issuer", Some(("a_b", "Issuer"))),
            ("io.cert-manager.V1.Issuer", None),
            ("io.cert-manager.v1", None),
            ("io.other.v1.Issuer", None),
        ];
        for (schema, expected) in table {
            let expected = expected.map(|(module, name)| (module.to_owned(), name.to_owned()));
            assert_eq!(rule.apply(schema), expected, "{schema}");
        }
    }
}

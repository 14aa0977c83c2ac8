//! `group.toml`: the group, and the Rust modules that its schemas go into.

use serde::Deserialize;

use super::toml_file::{Placed, RuleFile, parse_toml};
use crate::problem::{Place, PlanCause, RuleCause};
use crate::{Files, Problems};

const VERSION: &str = "{version}";

/// The group and its modules.
#[derive(Clone, Debug, Default)]
pub struct GroupRules {
    /// The group's name.
    pub group: String,
    /// `true` if the resources have verbs; types alone need none.
    pub verbs: bool,
    /// The modules of schemas.
    pub modules: Vec<ModuleRule>,
}

/// The rule that places schemas whose names have a common prefix into modules.
#[derive(Clone, Debug)]
pub struct ModuleRule {
    /// The place of the rule.
    pub place: Place,
    /// The names up to the version, with the dot.
    pub prefix: String,
    /// The Rust path up to the version, with the colons; may be empty.
    pub module: String,
    /// The crate that has the types, if all groups share them. Such types have `Default` even where fields are
    /// required: mostly servers make them, as parts of other types.
    pub shared: Option<String>,
}

impl ModuleRule {
    /// The schemas of the rule, as the file names them.
    pub fn schemas(&self) -> String {
        format!("{}{VERSION}", self.prefix)
    }

    /// Tells if the rule places types into this module.
    pub fn has_module(&self, module: &str) -> bool {
        let version = module.strip_prefix(&self.module);
        version.is_some_and(|version| !version.is_empty() && !version.contains("::"))
    }

    /// The module and the Rust name of the schema `name`, if the rule places it.
    pub fn apply(&self, name: &str) -> Option<(String, String)> {
        let (version, type_name) = name.strip_prefix(&self.prefix)?.split_once('.')?;
        Some((format!("{}{version}", self.module), type_name.to_owned()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Placed<File>,
    #[serde(default)]
    verbs: bool,
    #[serde(default)]
    module: Vec<Entry>,
}

impl RuleFile for File {
    const PATH: &'static str = "group.toml";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    schemas: Placed<File>,
    module: Placed<File>,
    #[serde(rename = "crate")]
    shared: Option<Placed<File>>,
}

/// Reads `group.toml` alone.
///
/// # Errors
/// All problems of the file.
pub fn read(specs: &Files) -> Result<GroupRules, Problems> {
    let mut problems = Problems::new();
    let Some(bytes) = specs.get(File::PATH) else {
        problems.push(&Place::file(File::PATH), RuleCause::NoGroup);
        return problems.or(GroupRules::default());
    };
    let File { group, verbs, module } = parse_toml(File::PATH, bytes)?;
    if group.value.is_empty() {
        problems.push(&group.place, RuleCause::NoGroup);
    }
    let modules = module.into_iter().filter_map(|entry| read_module(entry, &mut problems));
    let modules = modules.collect();
    problems.or(GroupRules { group: group.value, verbs, modules })
}

fn read_module(entry: Entry, problems: &mut Problems) -> Option<ModuleRule> {
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

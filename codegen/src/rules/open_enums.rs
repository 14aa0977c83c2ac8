//! `open-enums.toml`: string fields with known words, open for others.

use serde::Deserialize;

use crate::input::toml_file::{self, Layers, RuleFile, optional};
use crate::problem::{RuleCause, Undescribed};
use crate::{Files, Problems};

type Placed = toml_file::Placed<OpenEnumRule>;

/// A set of words that some fields or parameters use.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenEnumRule {
    /// The name of the Rust type.
    pub(crate) name: Placed,
    /// The module that has it; the root of the group's modules if it is absent.
    pub(crate) module: Option<Placed>,
    /// The rustdoc of the enum.
    pub(crate) description: Placed,
    /// The full names of the fields.
    #[serde(default)]
    pub(crate) fields: Vec<Placed>,
    /// The names of the parameters of operations.
    #[serde(default)]
    pub(crate) parameters: Vec<Placed>,
    /// The words that the enum has as variants.
    pub(crate) words: Vec<Word>,
}

impl RuleFile for OpenEnumRule {
    const PATH: &'static str = "open-enums.toml";
}

/// A known word.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Word {
    /// The word in JSON.
    pub(crate) word: Placed,
    /// The rustdoc of its variant.
    pub(crate) description: Placed,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "open-enum")]
    open_enum: Layers<OpenEnumRule>,
}

pub(super) fn read(specs: &Files) -> Result<Layers<OpenEnumRule>, Problems> {
    let file: File = optional(specs, OpenEnumRule::PATH)?;
    let mut problems = Problems::new();
    for open_enum in file.open_enum.iter() {
        let words = open_enum.words.iter().map(|word| (&word.word, &word.description));
        for (name, description) in words.chain([(&open_enum.name, &open_enum.description)]) {
            if description.value.trim().is_empty() {
                let cause = RuleCause::NoDescription(Undescribed::EnumWord(name.value.clone()));
                problems.push(&description.place, cause);
            }
        }
    }
    problems.or(file.open_enum)
}

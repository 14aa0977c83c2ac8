//! `descriptions/operations.toml`: the rustdoc of the functions that build requests and of their parameters.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::toml_file::{Text, parse_toml, place};
use crate::problem::Place;
use crate::{Files, Problems};

pub(super) const FILE: &str = "descriptions/operations.toml";

/// What a group says of its operations. Without the file there are none in Rust.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationRules {
    /// The rustdoc of the module of the parameters.
    pub module: Text,
    /// The functions by name.
    #[serde(default)]
    pub functions: BTreeMap<Text, FunctionRule>,
    /// The structs that hold parameters, by name.
    #[serde(default)]
    pub structs: BTreeMap<Text, ParametersRule>,
    /// The rustdoc of the parameters, by name.
    #[serde(default)]
    pub parameters: BTreeMap<Text, String>,
}

/// What is said of the functions of one name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionRule {
    /// The rustdoc; `{kind}` stands for the kind.
    pub description: String,
    /// What to use instead, if the function is deprecated.
    pub deprecated: Option<String>,
}

/// A struct that holds the parameters of some operations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParametersRule {
    /// The actions whose operations have these parameters; `discovery` for those without.
    pub actions: Vec<Text>,
    /// The rustdoc.
    pub description: String,
}

impl OperationRules {
    /// The place of a text of this file.
    pub fn place(text: &Text) -> Place {
        place(FILE, text)
    }

    /// The place of the file.
    pub fn file() -> Place {
        Place::file(FILE)
    }
}

pub(super) fn read(specs: &Files) -> Result<Option<OperationRules>, Problems> {
    let file = specs.get(FILE).map(|bytes| parse_toml(FILE, bytes));
    file.transpose()
}

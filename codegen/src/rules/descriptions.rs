//! `descriptions/<module>.toml`: the rustdoc of the generated items.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::toml_file::parse_toml;
use crate::problem::Place;
use crate::{Files, Problems};

const FOLDER: &str = "descriptions/";

/// A string and the bytes of the file that it stands in.
pub type Text = toml::Spanned<String>;

/// The descriptions of one Rust module.
#[derive(Clone, Debug)]
pub struct Descriptions {
    /// The file.
    pub file: Place,
    /// The rustdoc of the module itself.
    pub module: String,
    /// The types by their Rust names.
    pub types: BTreeMap<Text, TypeDescription>,
}

/// The descriptions of a type and its fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeDescription {
    /// The type's rustdoc.
    pub description: String,
    /// The rustdoc of its fields, by their names in JSON.
    #[serde(default)]
    pub fields: BTreeMap<Text, String>,
}

impl Descriptions {
    /// The place of a text of this file.
    pub fn place(&self, text: &Text) -> Place {
        Place { span: Some(text.span()), ..self.file.clone() }
    }
}

/// Reads the description files; what is wrong with one does not keep the others from being read.
pub(super) fn read(specs: &Files, problems: &mut Problems) -> BTreeMap<String, Descriptions> {
    let mut all = BTreeMap::new();
    for (path, bytes) in specs {
        let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".toml"));
        let Some(name) = name else { continue };
        match read_file(path, bytes) {
            Ok(descriptions) => drop(all.insert(name.replace('.', "::"), descriptions)),
            Err(found) => problems.append(found),
        }
    }
    all
}

/// All tables of the file are types, but for the one of the module itself.
fn read_file(path: &str, bytes: &[u8]) -> Result<Descriptions, Problems> {
    let mut types: BTreeMap<Text, TypeDescription> = parse_toml(path, bytes)?;
    let module = types.remove("module").map(|module| module.description);
    Ok(Descriptions { file: Place::file(path), module: module.unwrap_or_default(), types })
}

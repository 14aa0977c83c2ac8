//! `descriptions/<module>.toml`: the rustdoc of the generated items.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::input::toml_file::parse_toml;
use crate::problem::{NoEffect, Place, RuleCause};
use crate::{Files, Problems};

pub(super) const FOLDER: &str = "descriptions/";

/// The descriptions of one Rust module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descriptions {
    /// The file; none if all descriptions are part of the generator.
    pub(crate) file: Option<Place>,
    /// The rustdoc of the module itself.
    pub(crate) module: String,
    /// The module with equal types. Its file describes the types that this file does not.
    pub(crate) like: Option<Spanned<String>>,
    /// The types by their Rust names.
    pub(crate) types: BTreeMap<Spanned<String>, TypeDescription>,
    /// The types that the generator describes: they need not match anything.
    built_in: BTreeMap<Spanned<String>, TypeDescription>,
}

/// The descriptions of a type and its fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypeDescription {
    /// The type's rustdoc.
    pub(crate) description: String,
    /// Only in the table `[module]`: the module with equal types.
    like: Option<Spanned<String>>,
    /// The rustdoc of its fields, by their names in JSON.
    #[serde(default)]
    pub(crate) fields: BTreeMap<Spanned<String>, String>,
}

impl Descriptions {
    /// Adds the generator's descriptions.
    pub(super) fn add_built_in(&mut self, base: Self) {
        if self.module.is_empty() {
            self.module = base.module;
        }
        self.built_in = base.types;
    }

    /// The description of a type.
    pub(super) fn find(&self, name: &str) -> Option<&TypeDescription> {
        self.types.get(name).or_else(|| self.built_in.get(name))
    }

    /// The place of a text of this file.
    pub(crate) fn place(&self, text: &Spanned<String>) -> Place {
        let file = self.file.clone().unwrap_or_else(|| Place::file(""));
        Place { span: Some(text.span()), ..file }
    }
}

/// Reads all description files, even if one has problems.
pub(super) fn read(specs: &Files, problems: &mut Problems) -> BTreeMap<String, Descriptions> {
    let mut all = BTreeMap::new();
    for (path, bytes) in specs {
        let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".toml"));
        let Some(name) = name else { continue };
        let descriptions = problems.keep(read_file(path, bytes));
        all.extend(descriptions.map(|descriptions| (name.replace('.', "::"), descriptions)));
    }
    all
}

/// Reads one file. Its tables are types, except for `[module]`.
fn read_file(path: &str, bytes: &[u8]) -> Result<Descriptions, Problems> {
    let mut types: BTreeMap<Spanned<String>, TypeDescription> = parse_toml(path, bytes)?;
    let module = types.remove("module");
    let descriptions = Descriptions {
        file: Some(Place::file(path)),
        like: module.as_ref().and_then(|module| module.like.clone()),
        module: module.map(|module| module.description).unwrap_or_default(),
        types,
        built_in: BTreeMap::new(),
    };
    let mut problems = Problems::new();
    for like in descriptions.types.values().filter_map(|described| described.like.as_ref()) {
        let cause = RuleCause::WithoutEffect("like".to_owned(), NoEffect::LikeOfType);
        problems.push(&descriptions.place(like), cause);
    }
    problems.or(descriptions)
}

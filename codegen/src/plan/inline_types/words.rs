//! Names of the vocabularies of custom resources.

use std::collections::{BTreeMap, BTreeSet};

use super::super::names::{is_name, snake_case};
use super::super::rust_items::{ItemPath, Vocabulary};
use crate::rules::Names;

/// The most letters of a name.
const LONGEST: usize = 40;

/// The names of the types without a name in the documents.
#[derive(Default)]
pub(in crate::plan) struct TypeNames {
    /// All names that were chosen.
    pub(in crate::plan) chosen: Names,
    /// The modules of versions, each with the beginning of the names of its schemas.
    pub(super) versions: BTreeMap<String, String>,
    /// The modules with the names of the files of their types.
    pub(super) taken: BTreeSet<(String, String)>,
    /// The names of earlier generations, by the beginning of the names of the schemas and the field.
    pub(super) stored: BTreeMap<String, String>,
}

impl TypeNames {
    /// A vocabulary of the field `wire` of the type at `of` with a name that no other type has. Without such a name there
    /// is none: the field is a text. Vocabularies of other modules keep their names.
    pub(in crate::plan) fn name_words(
        &mut self,
        mut vocabulary: Vocabulary,
        of: &ItemPath,
        wire: &str,
    ) -> Option<Vocabulary> {
        let mut versions = self.versions.iter();
        let found = versions.find_map(|(module, prefix)| {
            let inner = of.module.strip_prefix(module.as_str())?;
            let inner = if inner.is_empty() { "" } else { inner.strip_prefix("::")? };
            Some((prefix.clone(), inner.to_owned()))
        });
        let Some((prefix, inner)) = found else {
            return Some(vocabulary);
        };
        let inside = |name: &str| match inner.as_str() {
            "" => name.to_owned(),
            inner => format!("{inner}::{name}"),
        };
        let field = inside(&format!("{}.{wire}", of.name));
        let stored = self.stored.get(&format!("{prefix}.{field}"));
        let stored = stored.and_then(|name| name.rsplit("::").next()).map(str::to_owned);
        let name = &vocabulary.path.name;
        let mut proposed = [name.clone(), format!("{name}Word")].into_iter();
        let name = stored.or_else(|| proposed.find(|name| self.is_free(&of.module, name)))?;
        self.taken.insert((of.module.clone(), snake_case(&name)));
        self.chosen.add(&prefix, &inside(&name), &[format!("{prefix}.{field}")]);
        vocabulary.path.name = name;
        Some(vocabulary)
    }

    fn is_free(&self, module: &str, name: &str) -> bool {
        let file = (module.to_owned(), snake_case(name));
        name.len() <= LONGEST && is_name(name) && !self.taken.contains(&file)
    }
}

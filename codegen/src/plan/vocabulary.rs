//! Vocabularies: words to variants.

use std::collections::BTreeMap;

use super::items::{ItemPath, Origin, Variant, Vocabulary};
use super::names;
use super::placement::Placements;
use crate::Problems;
use crate::problem::Cause;
use crate::rules::{self, Rules};

/// The path of the type of a vocabulary: at the root, as all API versions share it.
pub(super) fn path(vocabulary: &rules::Vocabulary) -> ItemPath {
    ItemPath {
        origin: Origin::Generated,
        module: String::new(),
        name: vocabulary.name.clone(),
    }
}

pub(super) fn plan(
    rules: &Rules,
    placements: &Placements,
    problems: &mut Problems,
) -> Vec<Vocabulary> {
    let roots: Vec<&str> = placements
        .all_generated()
        .filter_map(|(_, path)| path.module.split("::").next())
        .collect();
    let mut files: BTreeMap<String, &str> = BTreeMap::new();
    for vocabulary in &rules.vocabularies {
        names::check_type_name(&vocabulary.name, &vocabulary.place, problems);
        let file = names::snake_case(&vocabulary.name);
        let module = roots.iter().copied().find(|module| *module == file);
        if let Some(first) = files.insert(file.clone(), &vocabulary.name).or(module) {
            let (first, second) = (first.to_owned(), vocabulary.name.clone());
            problems.push(
                vocabulary.place.clone(),
                Cause::NameClash {
                    first,
                    second,
                    rust: file,
                },
            );
        }
    }
    rules
        .vocabularies
        .iter()
        .map(|vocabulary| plan_one(vocabulary, problems))
        .collect()
}

fn plan_one(vocabulary: &rules::Vocabulary, problems: &mut Problems) -> Vocabulary {
    let mut variants: Vec<Variant> = Vec::new();
    for word in &vocabulary.words {
        let Some(ident) = names::variant_ident(&word.word).filter(|ident| ident != "Other") else {
            problems.push(
                word.place.clone(),
                Cause::NotAnIdentifier(word.word.clone()),
            );
            continue;
        };
        if let Some(first) = variants.iter().find(|variant| variant.ident == ident) {
            let (first, second) = (first.word.clone(), word.word.clone());
            problems.push(
                word.place.clone(),
                Cause::NameClash {
                    first,
                    second,
                    rust: ident,
                },
            );
            continue;
        }
        variants.push(Variant {
            ident,
            word: word.word.clone(),
            docs: word.description.clone(),
        });
    }
    Vocabulary {
        path: path(vocabulary),
        summary: super::docs::summary(&vocabulary.description),
        docs: vocabulary.description.clone(),
        variants,
    }
}

//! Vocabularies: words to variants.

use std::collections::BTreeMap;

use super::names;
use super::placement::Placements;
use super::rust_items::{ItemPath, Origin, Variant, Vocabulary};
use crate::Problems;
use crate::model::Model;
use crate::problem::{Place, PlanCause};
use crate::rules::{self, ModuleRule, Placed, Rules};

/// The path of the type of a vocabulary: at the root, as all API versions share it, unless a module is named.
pub(super) fn path(vocabulary: &rules::Vocabulary, modules: &[ModuleRule]) -> ItemPath {
    let module = vocabulary.module.as_ref().map(|module| &module.value);
    let rule = module.and_then(|module| modules.iter().find(|rule| rule.has_module(module)));
    let shared = rule.and_then(|rule| rule.shared.clone());
    ItemPath {
        origin: shared.map_or(Origin::Generated, Origin::Shared),
        module: module.cloned().unwrap_or_default(),
        name: vocabulary.name.value.clone(),
    }
}

pub(super) fn plan(
    model: &Model,
    rules: &Rules,
    placements: &Placements,
    problems: &mut Problems,
) -> Vec<Vocabulary> {
    check_clashes(model, rules, placements, problems);
    check_names(&rules.vocabularies, problems);
    for module in rules.vocabularies.iter().filter_map(|it| it.module.as_ref()) {
        if !placements.all_generated().any(|(_, path)| path.module == module.value) {
            module.matches_nothing(problems);
        }
    }
    rules
        .vocabularies
        .iter()
        .map(|vocabulary| plan_one(vocabulary, &rules.modules, problems))
        .collect()
}

/// Reports types of a module whose files would have the same name, and types at the root that have the name of a module.
fn check_clashes(model: &Model, rules: &Rules, placements: &Placements, problems: &mut Problems) {
    let mut files: BTreeMap<(Origin, String, String), String> = BTreeMap::new();
    for (_, path) in placements.all_generated() {
        let folder = path.module.split("::").next().unwrap_or_default().to_owned();
        files.insert((Origin::Generated, String::new(), folder.clone()), folder);
    }
    let mut claim = |path: ItemPath, name: &str, place: &Place| {
        let rust = names::snake_case(&path.name);
        let file = (path.origin, path.module, rust.clone());
        if let Some(first) = files.insert(file, name.to_owned()) {
            let second = name.to_owned();
            problems.push(place, PlanCause::NameClash { first, second, rust });
        }
    };
    for (schema, path) in placements.all_generated() {
        if let Some(found) = model.types.get(schema) {
            claim(path.clone(), schema, &found.place);
        }
    }
    for vocabulary in &rules.vocabularies {
        let Placed { value: name, place, .. } = &vocabulary.name;
        claim(path(vocabulary, &rules.modules), name, place);
    }
}

/// Reports vocabularies with a name that Rust cannot have, or with that of the registry.
fn check_names(vocabularies: &[rules::Vocabulary], problems: &mut Problems) {
    for vocabulary in vocabularies {
        let Placed { value: name, place, .. } = &vocabulary.name;
        names::check_type_name(name, place, problems);
        if vocabulary.module.is_none() && name == names::REGISTRY {
            problems.push(place, PlanCause::ReservedName(name.clone()));
        }
    }
}

fn plan_one(
    vocabulary: &rules::Vocabulary,
    modules: &[ModuleRule],
    problems: &mut Problems,
) -> Vocabulary {
    let mut variants: Vec<Variant> = Vec::new();
    for word in &vocabulary.words {
        let Placed { value: text, place, .. } = &word.word;
        let Some(ident) = names::variant_ident(text).filter(|ident| ident != "Other") else {
            problems.push(place, PlanCause::NotAnIdentifier(text.clone()));
            continue;
        };
        if let Some(first) = variants.iter().find(|variant| variant.ident == ident) {
            let (first, second) = (first.word.clone(), text.clone());
            problems.push(place, PlanCause::NameClash { first, second, rust: ident });
            continue;
        }
        let docs = word.description.value.clone();
        variants.push(Variant { ident, word: text.clone(), docs });
    }
    Vocabulary {
        path: path(vocabulary, modules),
        summary: super::docs::summary(&vocabulary.description.value),
        docs: vocabulary.description.value.clone(),
        variants,
    }
}

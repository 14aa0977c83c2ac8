//! Vocabularies: words to variants.

use heck::ToUpperCamelCase;
use litemap::LiteMap;

use super::names;
use super::planner::Planner;
use super::rust_items::{ItemPath, Package, Variant, Vocabulary};
use super::rustdoc_text::{code, summary};
use super::words::words;
use crate::Problems;
use crate::ident;
use crate::ident::OTHER;
use crate::input::ModuleRule;
use crate::input::toml_file::{Layers, Placed};
use crate::problem::{Place, PlanCause};
use crate::rules::{Rules, VocabularyRule};
use crate::spec::{Property, shown};
use crate::text::join;

/// The path of the type of a vocabulary: at the root, as all API versions share it, unless a module is named.
pub(super) fn path(vocabulary: &VocabularyRule, modules: &Layers<ModuleRule>) -> ItemPath {
    let module = vocabulary.module.as_ref().map(|module| &module.value);
    let rule = module.and_then(|module| modules.iter().find(|rule| rule.has_module(module)));
    let shared = rule.and_then(|rule| rule.shared.clone());
    let package = shared.map_or(Package::Generated, Package::Shared);
    ItemPath::new(package, module.cloned().unwrap_or_default(), &vocabulary.name.value)
}

/// The paths of the vocabularies of the rules, by the full names of fields.
pub(super) fn by_field(rules: &Rules) -> LiteMap<&str, ItemPath> {
    let mut paths = LiteMap::new();
    for words in rules.vocabularies.iter().rev() {
        let path = path(words, &rules.group.modules);
        for field in &words.fields {
            paths.insert(field.value.as_str(), path.clone());
        }
    }
    paths
}

/// The open enum of the words that the documents state for a field; `None` if no stated word can have a name.
/// Each field has a type of its own: the words of one can change in a release without the words of another.
pub(super) fn plan(
    of: &ItemPath,
    wire: &str,
    property: &Property,
    variants: Vec<Variant>,
) -> Option<Vocabulary> {
    if variants.is_empty() {
        return None;
    }
    let name = format!("{}{}", of.name, names::ascii(wire).to_upper_camel_case());
    ident::is_name(&name).then(|| {
        let summary = format!("The known words of {}.", code(&format!("{}.{wire}", of.name)));
        let path = ItemPath { name, ..of.clone() };
        let place = property.place.clone();
        let docs = summary.clone() + &unnamed(property, &variants);
        Vocabulary { path, place, summary, docs, variants }
    })
}

/// The text in the docs about words without a variant.
fn unnamed(property: &Property, variants: &[Variant]) -> String {
    let is_unnamed =
        |word: &&str| !word.is_empty() && variants.iter().all(|variant| variant.word != **word);
    let unnamed = join(words(property).filter(is_unnamed).map(code), ", ");
    if unnamed.is_empty() { unnamed } else { format!("\n\nWords without a variant: {unnamed}.") }
}

impl Planner<'_> {
    /// Plans the vocabularies of the rules. `stated` are the vocabularies of the documents.
    pub(super) fn plan_vocabularies(&mut self, stated: Vec<Vocabulary>) -> Vec<Vocabulary> {
        self.check_clashes(&stated);
        let (rules, problems) = (self.rules, &mut self.problems);
        check_names(&rules.vocabularies, problems);
        let own = rules.vocabularies.own.iter();
        for module in own.filter_map(|vocabulary| vocabulary.module.as_ref()) {
            if !self.placements.all_generated().any(|(_, path)| path.module == module.value) {
                module.report_without_match(problems);
            }
        }
        let plan = |vocabulary| plan_one(vocabulary, &rules.group.modules, problems);
        rules.vocabularies.iter().map(plan).chain(stated).collect()
    }

    /// Reports types of a module whose files would have the same name, types at the root that have the name of a module, and
    /// modules with the name of another one at the root.
    fn check_clashes(&mut self, stated: &[Vocabulary]) {
        let Self { model, rules, placements, problems, .. } = self;
        let mut files: LiteMap<(Package, String, String), String> = LiteMap::new();
        for (schema, path) in placements.all_generated() {
            let rust = path.folder().to_owned();
            let file = (Package::Generated, String::new(), rust.clone());
            let is_new = files.insert(file, rust.clone()).is_none();
            let ty = model.types.get(schema).filter(|_| path.package == Package::Generated);
            if let Some(ty) = ty.filter(|_| is_new && ident::is_of_the_root(&rust)) {
                let (first, second) = (format!("mod {rust}"), schema.to_owned());
                problems.push(&ty.place, PlanCause::NameClash { first, second, rust });
            }
        }
        let mut claim = |path: ItemPath, name: &str, place: &Place| {
            let rust = ident::snake_case(&path.name);
            let file = (path.package, path.module, rust.clone());
            let second = shown(name);
            if let Some(first) = files.insert(file, second.clone()) {
                problems.push(place, PlanCause::NameClash { first, second, rust });
            }
        };
        for (schema, path) in placements.all_generated() {
            if let Some(ty) = model.types.get(schema) {
                claim(path.clone(), schema, &ty.place);
            }
        }
        for vocabulary in rules.vocabularies.iter() {
            let Placed { value: name, place, .. } = &vocabulary.name;
            claim(path(vocabulary, &rules.group.modules), name, place);
        }
        for vocabulary in stated {
            claim(vocabulary.path.clone(), &vocabulary.path.name, &vocabulary.place);
        }
    }
}

/// Reports vocabularies with a name that Rust cannot have, or with the name of the registry.
fn check_names(vocabularies: &Layers<VocabularyRule>, problems: &mut Problems) {
    for vocabulary in vocabularies.iter() {
        let Placed { value: name, place, .. } = &vocabulary.name;
        names::check_type_name(name, place, problems);
        if vocabulary.module.is_none() && name == names::REGISTRY {
            problems.push(place, PlanCause::ReservedName(name.clone()));
        }
    }
}

fn plan_one(
    vocabulary: &VocabularyRule,
    modules: &Layers<ModuleRule>,
    problems: &mut Problems,
) -> Vocabulary {
    let mut variants: Vec<Variant> = Vec::new();
    for word in &vocabulary.words {
        let Placed { value: text, place, .. } = &word.word;
        let Some(ident) = names::variant_ident(text).filter(|ident| ident != OTHER) else {
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
        place: vocabulary.name.place.clone(),
        summary: summary(&vocabulary.description.value),
        docs: vocabulary.description.value.clone(),
        variants,
    }
}

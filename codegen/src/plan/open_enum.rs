//! Open enums: words to variants.

use heck::ToUpperCamelCase;
use litemap::LiteMap;

use super::names;
use super::planner::Planner;
use super::rust_items::{ItemPath, OpenEnum, Package, Variant};
use super::rustdoc_text::summary;
use super::words::words;
use crate::Problems;
use crate::ident;
use crate::ident::OTHER;
use crate::input::ModuleRule;
use crate::input::toml_file::{Layers, Placed};
use crate::problem::{Place, PlanCause};
use crate::rules::{OpenEnumRule, Rules};
use crate::spec::{Property, shown};
use crate::text::{code, join};

/// The path of the type of an open enum: at the root, as all API versions share it, unless a module is named.
pub(super) fn path(open_enum: &OpenEnumRule, modules: &Layers<ModuleRule>) -> ItemPath {
    let module = open_enum.module.as_ref().map(|module| &module.value);
    let rule = module.and_then(|module| modules.iter().find(|rule| rule.has_module(module)));
    let shared = rule.and_then(|rule| rule.shared.clone());
    let package = shared.map_or(Package::Generated, Package::Shared);
    ItemPath::new(package, module.cloned().unwrap_or_default(), &open_enum.name.value)
}

/// The paths of the open enums of the rules, by the full names of fields.
pub(super) fn by_field(rules: &Rules) -> LiteMap<&str, ItemPath> {
    let mut paths = LiteMap::new();
    for words in rules.open_enums.iter().rev() {
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
) -> Option<OpenEnum> {
    if variants.is_empty() {
        return None;
    }
    let name = format!("{}{}", of.name, names::ascii(wire).to_upper_camel_case());
    ident::is_name(&name).then(|| {
        let summary = format!("The known words of {}.", code(&format!("{}.{wire}", of.name)));
        let path = ItemPath { name, ..of.clone() };
        let place = property.place.clone();
        let docs = summary.clone() + &unnamed(property, &variants);
        OpenEnum { path, place, summary, docs, variants }
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
    /// Plans the open enums of the rules. `stated` are the open enums of the documents.
    pub(super) fn plan_open_enums(&mut self, stated: Vec<OpenEnum>) -> Vec<OpenEnum> {
        self.check_clashes(&stated);
        let (rules, problems) = (self.rules, &mut self.problems);
        check_names(&rules.open_enums, problems);
        let own = rules.open_enums.own.iter();
        for module in own.filter_map(|open_enum| open_enum.module.as_ref()) {
            if !self.placements.all_generated().any(|(_, path)| path.module == module.value) {
                module.report_without_match(problems);
            }
        }
        let plan = |open_enum| plan_one(open_enum, &rules.group.modules, problems);
        rules.open_enums.iter().map(plan).chain(stated).collect()
    }

    /// Reports types of a module whose files would have the same name, types at the root that have the name of a module, and
    /// modules with the name of another one at the root.
    fn check_clashes(&mut self, stated: &[OpenEnum]) {
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
        for open_enum in rules.open_enums.iter() {
            let Placed { value: name, place, .. } = &open_enum.name;
            claim(path(open_enum, &rules.group.modules), name, place);
        }
        for open_enum in stated {
            claim(open_enum.path.clone(), &open_enum.path.name, &open_enum.place);
        }
    }
}

/// Reports open enums with a name that Rust cannot have, or with the name of the registry.
fn check_names(open_enums: &Layers<OpenEnumRule>, problems: &mut Problems) {
    for open_enum in open_enums.iter() {
        let Placed { value: name, place, .. } = &open_enum.name;
        names::check_type_name(name, place, problems);
        if open_enum.module.is_none() && name == names::REGISTRY {
            problems.push(place, PlanCause::ReservedName(name.clone()));
        }
    }
}

fn plan_one(
    open_enum: &OpenEnumRule,
    modules: &Layers<ModuleRule>,
    problems: &mut Problems,
) -> OpenEnum {
    let mut variants: Vec<Variant> = Vec::new();
    for word in &open_enum.words {
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
    OpenEnum {
        path: path(open_enum, modules),
        place: open_enum.name.place.clone(),
        summary: summary(&open_enum.description.value),
        docs: open_enum.description.value.clone(),
        variants,
    }
}

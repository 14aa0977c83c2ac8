//! Operations: functions that build requests, and the types that they take.

mod apply;
mod functions;
mod items;
mod parameters;
mod target;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub use items::{DeletionAnswer, DeletionOptions, Form, Function, Operation, Operations, Owner};

pub(super) use apply::path_of as apply_path;

use super::{ItemPath, Struct, names};
use crate::Problems;
use crate::model::{self, Model};
use crate::problem::{Cause, Place};
use crate::rules::{ModuleRule, OperationRules, Rules, Text, Vocabulary};
use crate::spec::Action;

/// Plans the operations of a group that describes them; another has none in Rust. `structs` are its types.
pub(super) fn plan(
    model: &Model,
    rules: &Rules,
    structs: &[Struct],
    problems: &mut Problems,
) -> Option<Operations> {
    let mut used_vocabularies = BTreeSet::new();
    let operations = rules.operations.as_ref().map(|described| {
        let mut planner = Planner {
            model,
            rules: described,
            vocabularies: &rules.vocabularies,
            modules: &rules.modules,
            structs,
            used_functions: BTreeSet::new(),
            used_parameters: BTreeSet::new(),
            used_vocabularies: BTreeSet::new(),
            problems,
        };
        let operations = planner.plan(rules);
        used_vocabularies.append(&mut planner.used_vocabularies);
        operations
    });
    let parameters = rules
        .vocabularies
        .iter()
        .flat_map(|vocabulary| &vocabulary.parameters);
    for (place, name) in parameters.filter(|(_, name)| !used_vocabularies.contains(name)) {
        problems.push(place.clone(), Cause::RuleMatchesNothing(name.clone()));
    }
    operations
}

struct Planner<'a> {
    model: &'a Model,
    rules: &'a OperationRules,
    vocabularies: &'a [Vocabulary],
    modules: &'a [ModuleRule],
    structs: &'a [Struct],
    used_functions: BTreeSet<String>,
    used_parameters: BTreeSet<String>,
    used_vocabularies: BTreeSet<String>,
    problems: &'a mut Problems,
}

impl Planner<'_> {
    fn plan(&mut self, rules: &Rules) -> Operations {
        let parameters = self.parameter_structs();
        let mut found: Vec<_> = self.model.operations.iter().collect();
        found.sort_by_key(|(_, operation)| order(operation));
        let operations = found.into_iter();
        let operations = operations.filter_map(|(id, found)| self.operation(id, found));
        let operations: Vec<Operation> = operations.collect();
        let apply = apply::plan(self.structs, &operations, &rules.left_out, self.problems);
        let docs = self.described(self.rules.module.get_ref(), &self.rules.module);
        self.report_unused();
        let planned = Operations {
            docs,
            parameters,
            operations,
            apply,
        };
        self.check_clashes(&planned);
        planned
    }

    /// The description, which must say something.
    fn described(&mut self, description: &str, of: &Text) -> String {
        let description = description.trim();
        if description.is_empty() {
            let cause = Cause::NoDescription(format!("`{}`", of.get_ref()));
            self.problems.push(OperationRules::place(of), cause);
        }
        description.to_owned()
    }

    /// The description of a parameter.
    fn parameter_description(&mut self, name: &str, place: &Place) -> String {
        self.used_parameters.insert(name.to_owned());
        let mut rules = self.rules.parameters.iter();
        if let Some((text, description)) = rules.find(|(text, _)| text.get_ref() == name) {
            return self.described(description, text);
        }
        self.missing(format!("the parameter `{name}`"), place)
    }

    /// The description of a function.
    fn function_description(&mut self, name: &str, found: &model::Operation) -> String {
        self.used_functions.insert(name.to_owned());
        let mut rules = self.rules.functions.iter();
        if let Some((text, rule)) = rules.find(|(text, _)| text.get_ref() == name) {
            return self.described(&rule.description, text);
        }
        self.missing(format!("the function `{name}`"), &found.place)
    }

    fn missing(&mut self, what: String, place: &Place) -> String {
        self.problems
            .push(place.clone(), Cause::NoDescription(what));
        String::new()
    }

    /// Reports the descriptions that describe nothing.
    fn report_unused(&mut self) {
        let functions = self.rules.functions.keys();
        let functions = functions.filter(|text| !self.used_functions.contains(text.get_ref()));
        let parameters = self.rules.parameters.keys();
        let parameters = parameters.filter(|text| !self.used_parameters.contains(text.get_ref()));
        for text in functions.chain(parameters) {
            let cause = Cause::RuleMatchesNothing(text.get_ref().clone());
            self.problems.push(OperationRules::place(text), cause);
        }
    }

    /// Two functions of a type, and two files, must differ in their names.
    fn check_clashes(&mut self, planned: &Operations) {
        let mut functions: BTreeMap<(&Owner, &str), &str> = BTreeMap::new();
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for planned in self.structs {
            files.insert(file(&planned.path), planned.path.name.clone());
        }
        let modules = self.structs.iter().map(|planned| &planned.path.module);
        files.extend(modules.map(|module| (root(module).to_owned(), module.clone())));
        for operation in &planned.operations {
            for function in operation.form.functions() {
                let name = function.name.as_str();
                let first = functions.insert((&operation.owner, name), &operation.id);
                if let Some(first) = first {
                    self.clash(first, &operation.id, name);
                }
            }
        }
        let owners: BTreeSet<&Owner> = planned.operations.iter().map(|it| &it.owner).collect();
        let mut made: Vec<ItemPath> = owners.into_iter().map(Owner::file).collect();
        made.extend(
            planned
                .parameters
                .iter()
                .chain(&planned.apply)
                .map(|it| it.path.clone()),
        );
        for path in made {
            let file = file(&path);
            if let Some(first) = files.insert(file.clone(), path.name.clone()) {
                self.clash(&first, &path.name, &file);
            }
        }
        if let Some(first) = files.get(parameters::MODULE) {
            self.clash(first, "the structs for parameters", parameters::MODULE);
        }
    }

    fn clash(&mut self, first: &str, second: &str, rust: &str) {
        let cause = Cause::NameClash {
            first: first.to_owned(),
            second: second.to_owned(),
            rust: rust.to_owned(),
        };
        self.problems.push(OperationRules::file(), cause);
    }
}

impl Owner {
    /// The path that stands for the file of its functions.
    pub fn file(&self) -> ItemPath {
        let (module, name) = match self {
            Self::Type(path) => (path.module.as_str(), format!("{}Operations", path.name)),
            Self::Module(module) => (module.as_str(), "Operations".to_owned()),
        };
        ItemPath {
            origin: super::Origin::Generated,
            module: module.to_owned(),
            name,
        }
    }
}

/// From what is used most to what is deprecated, and from the narrow to the wide.
fn order(operation: &model::Operation) -> impl Ord + use<> {
    const ORDER: [Action; 9] = [
        Action::Get,
        Action::List,
        Action::Post,
        Action::Put,
        Action::Patch,
        Action::Delete,
        Action::DeleteCollection,
        Action::Watch,
        Action::WatchList,
    ];
    let kind = operation.kind.as_ref();
    let kind = kind.map(|kind| (kind.version.clone(), kind.kind.clone()));
    let rank = ORDER
        .iter()
        .position(|action| Some(*action) == operation.action);
    let narrow = Reverse(operation.path.split('/').count());
    (kind, rank, narrow, operation.path.clone())
}

/// What is unique for the file of an item.
fn file(path: &ItemPath) -> String {
    let stem = names::snake_case(&path.name);
    if path.module.is_empty() {
        stem
    } else {
        format!("{}::{stem}", path.module)
    }
}

/// The first part of a module's path.
fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

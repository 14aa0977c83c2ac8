//! Structs for the parameters of operations.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::Release;

use super::Planner;
use crate::model::{Operation, Releases};
use crate::plan::{
    Field, ItemPath, Origin, Presence, RustType, Stated, StatedOfType, Struct, Traits, docs, names,
    vocabulary,
};
use crate::problem::{Cause, Place};
use crate::rules::{OperationRules, ParametersRule, Text};
use crate::spec::{Location, Merge, ParameterType};

/// The module of the structs.
pub(super) const MODULE: &str = "parameters";

/// What a parameter is, over all operations that one struct is for.
struct Found {
    place: Place,
    schema: ParameterType,
    releases: Releases,
}

impl Planner<'_> {
    /// The path of the struct for the parameters of an operation; nothing if it has none.
    pub(super) fn parameters_of(&mut self, operation: &Operation) -> Option<ItemPath> {
        query(operation).next()?;
        let action = action(operation);
        let found = self
            .rules
            .structs
            .iter()
            .find(|(_, rule)| covers(rule, &action));
        let Some((name, _)) = found else {
            let what = format!("the struct for the parameters of `{action}`");
            self.problems
                .push(operation.place.clone(), Cause::NoDescription(what));
            return None;
        };
        Some(path(name))
    }

    /// The structs of the rules.
    pub(super) fn parameter_structs(&mut self) -> Vec<Struct> {
        let rules = self.rules;
        let structs = rules.structs.iter();
        let structs = structs.filter_map(|(name, rule)| self.parameter_struct(name, rule));
        structs.collect()
    }

    fn parameter_struct(&mut self, name: &Text, rule: &ParametersRule) -> Option<Struct> {
        names::check_type_name(name.get_ref(), &OperationRules::place(name), self.problems);
        let operations: Vec<&Operation> = self
            .model
            .operations
            .values()
            .filter(|operation| {
                covers(rule, &action(operation)) && query(operation).next().is_some()
            })
            .collect();
        self.check_actions(rule, &operations);
        operations.first()?;
        self.check_equal(name, &operations);
        let releases = served(&operations);
        let fields = united(&operations).into_iter();
        let fields = fields.filter_map(|(name, found)| self.parameter_field(name, &found));
        let fields: Vec<Field> = fields.collect();
        names::check_clashes(&fields, self.problems);
        let description = self.described(&rule.description, name);
        Some(Struct {
            path: path(name),
            schema: name.get_ref().clone(),
            place: OperationRules::place(name),
            docs: description,
            stated: StatedOfType {
                summary: String::new(),
                required: Vec::new(),
                merge: Merge::default(),
                kinds: Vec::new(),
            },
            fields,
            traits: Traits::default(),
            releases,
            object: None,
        })
    }

    fn parameter_field(&mut self, wire: &str, found: &Found) -> Option<Field> {
        let description = self.parameter_description(wire, &found.place);
        let Some(ident) = names::field_ident(wire) else {
            let cause = Cause::NotAnIdentifier(wire.to_owned());
            self.problems.push(found.place.clone(), cause);
            return None;
        };
        Some(Field {
            ident,
            wire: wire.to_owned(),
            rust_type: RustType::Option(Box::new(self.parameter_type(wire, found.schema))),
            presence: Presence::Optional,
            needed: false,
            rank: 0,
            docs: docs::of_parameter(&description, &found.releases, self.model),
            stated: Stated {
                summary: docs::summary(&description),
                default: None,
                item_default: None,
                merge: Merge::default(),
            },
            place: found.place.clone(),
        })
    }

    fn parameter_type(&mut self, name: &str, schema: ParameterType) -> RustType {
        match schema {
            ParameterType::Boolean => RustType::Bool,
            ParameterType::Integer => RustType::I64,
            ParameterType::String => {
                let is_it = |parameter: &(Place, String)| parameter.1 == name;
                let found = self
                    .vocabularies
                    .iter()
                    .find(|vocabulary| vocabulary.parameters.iter().any(is_it));
                self.used_vocabularies
                    .extend(found.map(|_| name.to_owned()));
                found.map_or(RustType::String, |found| {
                    RustType::Vocabulary(vocabulary::path(found, self.modules))
                })
            }
        }
    }

    /// Reports the operations whose parameters are not those of the others in the same release.
    fn check_equal(&mut self, name: &Text, operations: &[&Operation]) {
        for release in self.model.releases.iter().copied() {
            let mut served = operations
                .iter()
                .filter(|operation| operation.releases.contains(release));
            let Some(first) = served.next() else {
                continue;
            };
            if let Some(other) = served.find(|other| known(first, release) != known(other, release))
            {
                let cause = Cause::ParametersDiffer {
                    first: title(first),
                    second: title(other),
                    rust: name.get_ref().clone(),
                };
                self.problems.push(other.place.clone(), cause);
                return;
            }
        }
    }

    /// Reports the actions that no operation with parameters has.
    fn check_actions(&mut self, rule: &ParametersRule, operations: &[&Operation]) {
        let actions: BTreeSet<String> = operations
            .iter()
            .map(|operation| action(operation))
            .collect();
        for unused in rule
            .actions
            .iter()
            .filter(|text| !actions.contains(text.get_ref()))
        {
            let cause = Cause::RuleMatchesNothing(unused.get_ref().clone());
            self.problems.push(OperationRules::place(unused), cause);
        }
    }
}

fn path(name: &Text) -> ItemPath {
    ItemPath {
        origin: Origin::Generated,
        module: MODULE.to_owned(),
        name: name.get_ref().clone(),
    }
}

fn covers(rule: &ParametersRule, action: &str) -> bool {
    rule.actions.iter().any(|text| text.get_ref() == action)
}

/// What the rules call the action of an operation.
fn action(operation: &Operation) -> String {
    let action = operation.action.map(|action| action.to_string());
    action.unwrap_or_else(|| "discovery".to_owned())
}

/// The parameters in the query.
fn query(operation: &Operation) -> impl Iterator<Item = (&str, &crate::model::Parameter)> {
    let parameters = operation.parameters.iter();
    parameters
        .filter(|((location, _), _)| *location == Location::Query)
        .map(|((_, name), parameter)| (name.as_str(), parameter))
}

/// What must be the same for operations with one struct.
fn known(operation: &Operation, release: Release) -> BTreeMap<&str, ParameterType> {
    query(operation)
        .filter(|(_, parameter)| parameter.releases.contains(release))
        .map(|(name, parameter)| (name, parameter.schema))
        .collect()
}

/// The releases that serve any of the operations.
fn served(operations: &[&Operation]) -> Releases {
    let mut releases = Releases::default();
    let all = operations
        .iter()
        .flat_map(|operation| operation.releases.iter());
    all.for_each(|release| releases.insert(release));
    releases
}

/// What people call an operation.
fn title(operation: &Operation) -> String {
    format!("{} {}", operation.method.name(), operation.path)
}

/// The parameters of all operations.
fn united<'a>(operations: &[&'a Operation]) -> BTreeMap<&'a str, Found> {
    let mut united: BTreeMap<&str, Found> = BTreeMap::new();
    for operation in operations {
        for (name, parameter) in query(operation) {
            let found = united.entry(name).or_insert_with(|| Found {
                place: operation.place.clone(),
                schema: parameter.schema,
                releases: Releases::default(),
            });
            parameter
                .releases
                .iter()
                .for_each(|release| found.releases.insert(release));
        }
    }
    united
}

//! Operations: the verbs of the resources.
//!
//! `k8s_versioned_core::verb` defines the verbs. Every operation of the documents is compared with its verb: an operation
//! that is not a verb, and each difference, is a problem.

mod apply;
mod compare;
mod matching;
mod served;

use apply::ApplyPaths;
pub(crate) use apply::apply_module;
use k8s_versioned_core::verb::{KnownSubresource, Verb};
use litemap::LiteMap;
use matching::{Index, Matched, match_verb};
pub(crate) use served::Served;

use super::{ItemPath, Struct};
use crate::Problems;
use crate::gather::Gather;
use crate::input::toml_file::Layers;
use crate::model::Model;
use crate::problem::PlanCause;
use crate::rules::{Named, OpenEnumRule, Rules};
use crate::spec;

/// The operations of a group, and the types that only they use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operations {
    /// The verbs of each resource, by the path of its type.
    pub(crate) served: LiteMap<ItemPath, Served>,
    /// The structs that a server-side apply takes.
    pub(crate) apply: Vec<Struct>,
    /// The path of the apply type of each struct that has one.
    pub(crate) apply_paths: ApplyPaths,
}

impl Operations {
    /// The types of the objects of subresources, each with the resource that has it.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (&ItemPath, &ItemPath)> {
        self.served.iter().flat_map(|(of, served)| {
            let bodies = served.subresources.iter();
            bodies.filter_map(move |(_, body)| Some((of, body.as_ref()?)))
        })
    }

    /// Adds what servers do with each resource to the docs of its type.
    pub(super) fn document(&self, structs: &mut [Struct]) {
        for planned in structs {
            if let Some(served) = self.served.get(&planned.path) {
                planned.docs = format!("{}\n\n{}", planned.docs, served.docs);
            }
        }
    }
}

/// Plans the operations of a group, if its rules ask for them. `structs` are its types.
pub(super) fn plan(
    model: &Model,
    rules: &Rules,
    structs: &[Struct],
    problems: &mut Problems,
) -> Operations {
    check_open_enums(&rules.open_enums, problems);
    if rules.group.types_only {
        return Operations::default();
    }
    check_left_out(&rules.left_out.parameters, model, problems);
    let index = Index::new(structs);
    let mut matched: LiteMap<&ItemPath, Vec<Matched<'_>>> = LiteMap::new();
    for (id, operation) in &model.operations {
        match match_verb(&index, operation) {
            Ok(Some(matched_operation)) => {
                let left_out = &rules.left_out.parameters;
                if !operation.of_verb {
                    compare::compare(id, &matched_operation, &index, left_out, problems);
                }
                let path = &matched_operation.resource.path;
                matched.entry(path).or_default().push(matched_operation);
            }
            Ok(None) => {}
            Err(fault) => {
                let id = id.clone();
                problems.push(&operation.place, PlanCause::NoVerb { id, fault });
            }
        }
    }
    let served = matched.into_iter().map(|(path, matched)| {
        let served = served::plan(&rules.group, &matched, problems);
        (path.clone(), served)
    });
    let served: LiteMap<ItemPath, Served> = served.gather();
    let left_out = &rules.left_out.fields;
    let (apply, apply_paths) = apply::plan(structs, &served, left_out, problems);
    Operations { served, apply, apply_paths }
}

/// Reports rules that leave out a parameter that the documents lack, or that a verb has.
fn check_left_out(left_out: &Layers<Named>, model: &Model, problems: &mut Problems) {
    let stated = |name: &str| {
        let mut parameters = model.operations.values().flat_map(spec::Operation::query);
        parameters.any(|(stated, _)| stated == name)
    };
    for name in left_out.own.iter().map(|rule| &rule.name) {
        if is_known(&name.value) || !stated(&name.value) {
            name.report_without_match(problems);
        }
    }
}

/// Returns `true` if a verb has a parameter.
fn is_known(name: &str) -> bool {
    let verbs =
        KnownSubresource::ALL.iter().flat_map(|known| known.verbs).chain(&Verb::OF_RESOURCES);
    verbs.flat_map(Verb::parameters).any(|parameter| parameter.name == name)
}

/// Reports open enums of parameters that no verb has.
fn check_open_enums(open_enums: &Layers<OpenEnumRule>, problems: &mut Problems) {
    let parameters = open_enums.iter().flat_map(|open_enum| &open_enum.parameters);
    for parameter in parameters.filter(|parameter| !is_known(&parameter.value)) {
        parameter.report_without_match(problems);
    }
}

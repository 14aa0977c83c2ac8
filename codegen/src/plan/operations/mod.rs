//! Operations: the verbs of the resources.
//!
//! `k8s_versioned::verb` defines the verbs. Every operation of the documents is compared with its verb: an operation
//! that is no verb, and each difference, is a problem.

mod apply;
mod compare;
mod discovery;
mod served;

use std::collections::BTreeMap;

use k8s_versioned_names::verb::Verb;

pub(super) use apply::path_of as apply_path;
pub use served::Served;

use super::{ItemPath, ObjectRole, Struct};
use crate::Problems;
use crate::model::{Model, Scope, Target};
use crate::problem::PlanCause;
use crate::rules::{Named, Rules, Vocabulary};
use crate::spec::{self, Action};

/// The operations of a group, and the types that only they use.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// The verbs of each resource, by the path of its type.
    pub served: BTreeMap<ItemPath, Served>,
    /// The structs that a server-side apply takes.
    pub apply: Vec<Struct>,
}

/// Plans the operations of a group whose rules ask for them. `structs` are its types.
pub(super) fn plan(
    model: &Model,
    rules: &Rules,
    structs: &[Struct],
    problems: &mut Problems,
) -> Option<Operations> {
    check_vocabularies(&rules.vocabularies, problems);
    if !rules.group.verbs {
        return None;
    }
    check_left_out(&rules.left_out.parameters, model, problems);
    let mut found: BTreeMap<&ItemPath, Vec<Found<'_>>> = BTreeMap::new();
    for (id, operation) in &model.operations {
        match find(structs, operation) {
            Ok(Some(found_here)) => {
                let left_out = &rules.left_out.parameters;
                compare::compare(id, &found_here, structs, left_out, problems);
                let path = &found_here.resource.path;
                found.entry(path).or_default().push(found_here);
            }
            Ok(None) => {}
            Err(why) => {
                let id = id.clone();
                problems.push(&operation.place, PlanCause::NoVerb { id, why });
            }
        }
    }
    let served =
        found.into_iter().map(|(path, found)| (path.clone(), served::plan(&found, problems)));
    let served: BTreeMap<ItemPath, Served> = served.collect();
    let apply = apply::plan(structs, &served, &rules.left_out.fields, problems);
    Some(Operations { served, apply })
}

/// An operation of the documents and its verb.
struct Found<'a> {
    operation: &'a spec::Operation,
    verb: &'static Verb,
    resource: &'a Struct,
    /// `true` if the path is a deprecated one for watches.
    deprecated: bool,
    /// `true` if it selects objects of all namespaces.
    all_namespaces: bool,
}

impl Found<'_> {
    /// Tells if the objects of the resource are in namespaces.
    fn is_namespaced(&self) -> bool {
        let object = self.resource.object.as_ref();
        let role = object.map(|object| &object.role);
        matches!(role, Some(ObjectRole::Resource { scope: Scope::Namespaced, .. }))
    }
}

/// The reason why an operation is no verb.
type Why = &'static str;

/// The verb of an operation; `None` for discovery.
fn find<'a>(
    structs: &'a [Struct],
    operation: &'a spec::Operation,
) -> Result<Option<Found<'a>>, Why> {
    let (group, rest) = spec::split_path(&operation.path).unwrap_or(("", "/"));
    let Some(action) = operation.action else {
        return discovery::check(rest, operation, structs).map(|()| None);
    };
    let (version, rest) = rest.split_once('/').unwrap_or_default();
    let target = Target::parse(rest).ok_or("its path is not that of a resource")?;
    let (resource, scope) = resource(structs, (group, version), target.plural)
        .ok_or("no kind can be read by name under its path")?;
    if scope == Scope::Cluster && target.namespaced {
        return Err("its path has a namespace, and the path of the object has none");
    }
    let deprecated = matches!(action, Action::Watch | Action::WatchList);
    if deprecated != target.watch {
        return Err("its path does not fit its action");
    }
    let all_namespaces = scope == Scope::Namespaced && !target.namespaced;
    let collection = matches!(action, Action::List | Action::WatchList);
    if all_namespaces && !collection {
        return Err("only lists and watches are for all namespaces");
    }
    Ok(Some(Found {
        operation,
        verb: verb(action, target.subresource)?,
        resource,
        deprecated,
        all_namespaces,
    }))
}

/// The verb of an action.
fn verb(action: Action, subresource: Option<&str>) -> Result<&'static Verb, Why> {
    match (action, subresource) {
        (Action::Get, None) => Ok(&Verb::GET),
        (Action::List | Action::Watch | Action::WatchList, None) => Ok(&Verb::LIST),
        (Action::Post, None) => Ok(&Verb::CREATE),
        (Action::Put, None) => Ok(&Verb::REPLACE),
        (Action::Patch, None) => Ok(&Verb::PATCH),
        (Action::Delete, None) => Ok(&Verb::DELETE),
        (Action::DeleteCollection, None) => Ok(&Verb::DELETE_COLLECTION),
        (Action::Get, Some("status")) => Ok(&Verb::GET_STATUS),
        (Action::Put, Some("status")) => Ok(&Verb::REPLACE_STATUS),
        (Action::Patch, Some("status")) => Ok(&Verb::PATCH_STATUS),
        (_, Some(_)) => Err("the only subresource that is known is `status`: get, put and patch"),
    }
}

/// The type of a resource and its scope.
fn resource<'a>(
    structs: &'a [Struct],
    (group, version): (&str, &str),
    plural: &str,
) -> Option<(&'a Struct, Scope)> {
    structs.iter().find_map(|planned| {
        let object = planned.object.as_ref()?;
        match &object.role {
            ObjectRole::Resource { plural: its, scope, .. }
                if object.of.group == group && object.of.version == version && its == plural =>
            {
                Some((planned, *scope))
            }
            _ => None,
        }
    })
}

/// Reports rules that leave out a parameter that the documents lack, or that a verb has.
fn check_left_out(left_out: &[Named], model: &Model, problems: &mut Problems) {
    let stated = |name: &str| {
        let mut parameters = model.operations.values().flat_map(spec::Operation::query);
        parameters.any(|(stated, _)| stated == name)
    };
    for rule in left_out
        .iter()
        .filter(|rule| !rule.shipped)
        .filter(|rule| is_known(&rule.name.value) || !stated(&rule.name.value))
    {
        rule.name.matches_nothing(problems);
    }
}

/// Tells if a verb has a parameter.
fn is_known(name: &str) -> bool {
    let mut parameters = Verb::ALL.iter().flat_map(|verb| verb.parameters);
    parameters.any(|parameter| parameter.name == name)
}

/// Reports vocabularies of parameters that no verb has.
fn check_vocabularies(vocabularies: &[Vocabulary], problems: &mut Problems) {
    let parameters = vocabularies.iter().flat_map(|it| &it.parameters);
    for parameter in parameters.filter(|it| !is_known(&it.value)) {
        parameter.matches_nothing(problems);
    }
}

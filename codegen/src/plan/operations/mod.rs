//! Operations: the verbs of the resources.
//!
//! `k8s_versioned_names::verb` defines the verbs. Every operation of the documents is compared with its verb: an operation
//! that is not a verb, and each difference, is a problem.

mod apply;
mod compare;
mod discovery;
mod served;

use std::borrow::Cow;
use std::collections::BTreeMap;

use k8s_versioned_names::path::ResourcePath;
use k8s_versioned_names::verb::{Subresource, Verb};

use apply::ApplyPaths;
pub use served::Served;

use super::{ItemPath, ObjectRole, Struct};
use crate::Problems;
use crate::model::{Model, Scope};
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
    /// The path of the apply type of each struct that has one.
    pub apply_paths: ApplyPaths,
}

impl Operations {
    /// The types of the objects of subresources, each with the resource that has it.
    pub fn bodies(&self) -> impl Iterator<Item = (&ItemPath, &ItemPath)> {
        self.served.iter().flat_map(|(of, served)| {
            let bodies = served.subresources.iter();
            bodies.filter_map(move |(_, body)| Some((of, body.as_ref()?)))
        })
    }
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
    let served = found.into_iter().map(|(path, found)| {
        let served = served::plan(&rules.group, &found, problems);
        (path.clone(), served)
    });
    let served: BTreeMap<ItemPath, Served> = served.collect();
    let (apply, apply_paths) = apply::plan(structs, &served, &rules.left_out.fields, problems);
    Some(Operations { served, apply, apply_paths })
}

/// An operation of the documents and its verb.
struct Found<'a> {
    operation: &'a spec::Operation,
    verb: Verb,
    resource: &'a Struct,
    /// The subresource in the path.
    subresource: Option<&'static Subresource>,
    /// The type of the objects that it sends and answers with: the type of the resource or of the subresource. `None` for
    /// text.
    object: Option<&'a Struct>,
    /// `true` if the path is a deprecated one for watches.
    deprecated: bool,
    /// `true` if it selects objects of all namespaces.
    all_namespaces: bool,
}

impl Found<'_> {
    /// Returns `true` if the objects of the resource are in namespaces.
    fn is_namespaced(&self) -> bool {
        let object = self.resource.object.as_ref();
        let role = object.map(|object| &object.role);
        matches!(role, Some(ObjectRole::Resource { scope: Scope::Namespaced, .. }))
    }
}

/// The reason why an operation is not a verb.
type Why = &'static str;

/// The verb of an operation; `None` for discovery.
fn find<'a>(
    structs: &'a [Struct],
    operation: &'a spec::Operation,
) -> Result<Option<Found<'a>>, Why> {
    let path = ResourcePath::parse(&operation.path);
    let path = path.ok_or("its path is not that of a resource")?;
    let Some(action) = operation.action else {
        return discovery::check(&path, operation, structs).map(|()| None);
    };
    check_placeholders(&path)?;
    let (resource, scope) = resource(structs, (path.group, path.version), path.plural)
        .ok_or("no kind can be read by name or created under its path")?;
    if scope == Scope::Cluster && path.namespace.is_some() {
        return Err("its path has a namespace, and the path of the object has none");
    }
    let deprecated = matches!(action, Action::Watch | Action::WatchList);
    if deprecated != path.watch {
        return Err("its path does not fit its action");
    }
    let all_namespaces = scope == Scope::Namespaced && path.namespace.is_none();
    let collection = matches!(action, Action::List | Action::WatchList);
    if all_namespaces && !collection {
        return Err("only lists and watches are for all namespaces");
    }
    let subresource = path.subresource.as_deref().map(|name| Subresource::find(name).ok_or(name));
    let subresource = subresource.transpose().map_err(|_| "its subresource is not known")?;
    let verb = verb(operation, action, subresource)?;
    if path.rest.is_some() && verb.name != Verb::PROXY.name {
        return Err("only the path of a `proxy` goes on after the subresource");
    }
    if !deprecated && verb.named != path.name.is_some() {
        return Err("its path does not fit its action");
    }
    let object = match subresource {
        None => Some(resource),
        Some(_) => object(operation, structs),
    };
    Ok(Some(Found { operation, verb, resource, subresource, object, deprecated, all_namespaces }))
}

/// Checks that the names in a path are the placeholders that Kubernetes has.
fn check_placeholders(path: &ResourcePath<'_>) -> Result<(), Why> {
    let is = |part: &Option<Cow<'_, str>>, name| part.as_deref().is_none_or(|part| part == name);
    let known = is(&path.namespace, "{namespace}") && is(&path.name, "{name}");
    if known && is(&path.rest, "{path}") {
        Ok(())
    } else {
        Err("its path is not that of a resource")
    }
}

/// The type of the object that an operation answers with or takes.
fn object<'a>(operation: &spec::Operation, structs: &'a [Struct]) -> Option<&'a Struct> {
    let answer = operation.responses.get(&200).and_then(Option::as_ref);
    let body = answer.or_else(|| operation.body.as_ref().map(|(body, _)| body))?;
    structs.iter().find(|planned| planned.schema == body.schema && planned.object.is_some())
}

/// The verb of an action, as the documents of custom resources or of other resources state it.
fn verb(
    operation: &spec::Operation,
    action: Action,
    subresource: Option<&'static Subresource>,
) -> Result<Verb, Why> {
    let (name, of_action) = match action {
        Action::Watch | Action::WatchList => ("list", "list".to_owned()),
        other => ("", other.to_string()),
    };
    let verbs = subresource.map_or(&Verb::OF_RESOURCES[..], |it| it.verbs);
    let found = verbs.iter().find(|verb| verb.action == of_action || verb.name == name);
    let found = *found.ok_or("the resource or the subresource has no such verb")?;
    Ok(if operation.custom { found.of_custom_resources() } else { found })
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

/// Returns `true` if a verb has a parameter.
fn is_known(name: &str) -> bool {
    let verbs = Subresource::ALL.iter().flat_map(|it| it.verbs).chain(&Verb::OF_RESOURCES);
    verbs.flat_map(Verb::parameters).any(|parameter| parameter.name == name)
}

/// Reports vocabularies of parameters that no verb has.
fn check_vocabularies(vocabularies: &[Vocabulary], problems: &mut Problems) {
    let parameters = vocabularies.iter().flat_map(|it| &it.parameters);
    for parameter in parameters.filter(|it| !is_known(&it.value)) {
        parameter.matches_nothing(problems);
    }
}

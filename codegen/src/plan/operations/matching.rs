//! The verb of each operation of the documents.

use std::borrow::Cow;

use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_core::verb::{KnownSubresource, Verb};
use litemap::LiteMap;

use crate::gather::Gather;
use crate::model::Scope;
use crate::plan::{Object, ObjectRole, Struct};
use crate::problem::VerbFault;
use crate::spec::{self, Action, Operation};

/// The structs by what operations name.
pub(super) struct Index<'a> {
    pub(super) schemas: LiteMap<&'a str, &'a Struct>,
    /// The resources, by group, version and plural name.
    pub(super) resources: LiteMap<[&'a str; 3], (&'a Struct, Scope)>,
}

impl<'a> Index<'a> {
    pub(super) fn new(structs: &'a [Struct]) -> Self {
        let schemas = structs.iter().map(|planned| (planned.schema.as_str(), planned)).gather();
        let mut resources = LiteMap::new();
        for planned in structs {
            if let Some(Object {
                gvk: of, role: ObjectRole::Resource { plural, scope, .. }, ..
            }) = &planned.object
            {
                let key = [&*of.group, &*of.version, &**plural];
                resources.entry(key).or_insert((planned, *scope));
            }
        }
        Self { schemas, resources }
    }

    /// Returns `true` if a schema is the type of this name in `meta::v1`.
    pub(super) fn is_meta(&self, schema: &str, name: &str) -> bool {
        self.schemas.get(schema).is_some_and(|matched| matched.path.is_meta(name))
    }
}

/// An operation of the documents and its verb.
pub(super) struct Matched<'a> {
    pub(super) operation: &'a spec::Operation,
    pub(super) verb: Verb,
    pub(super) resource: &'a Struct,
    /// The subresource in the path.
    pub(super) subresource: Option<&'static KnownSubresource>,
    /// The type of the objects that it sends and answers with: the type of the resource or of the subresource. `None` for
    /// text.
    pub(super) object: Option<&'a Struct>,
    /// Whether the path is a deprecated one for watches.
    pub(super) deprecated: bool,
    /// Whether it selects objects of all namespaces.
    pub(super) all_namespaces: bool,
}

impl Matched<'_> {
    /// Returns `true` if the objects of the resource are in namespaces.
    pub(super) fn is_namespaced(&self) -> bool {
        let role = self.resource.object.as_ref().map(|object| &object.role);
        matches!(role, Some(ObjectRole::Resource { scope: Scope::Namespaced, .. }))
    }
}

/// The verb of an operation; `None` for discovery.
pub(super) fn match_verb<'a>(
    index: &Index<'a>,
    operation: &'a spec::Operation,
) -> Result<Option<Matched<'a>>, VerbFault> {
    let path = ResourcePath::parse(&operation.path);
    let path = path.ok_or(VerbFault::NoPath)?;
    let Some(action) = operation.action else {
        return check_discovery(&path, operation, index).map(|()| None);
    };
    check_placeholders(&path)?;
    let (resource, scope) =
        *index.resources.get(&[path.group, path.version, path.plural]).ok_or(VerbFault::NoKind)?;
    if scope == Scope::Cluster && path.namespace.is_some() {
        return Err(VerbFault::InNamespace);
    }
    let deprecated = matches!(action, Action::Watch | Action::WatchList);
    if deprecated != path.watch {
        return Err(VerbFault::OtherAction);
    }
    let all_namespaces = scope == Scope::Namespaced && path.namespace.is_none();
    let collection = matches!(action, Action::List | Action::WatchList);
    if all_namespaces && !collection {
        return Err(VerbFault::AllNamespaces);
    }
    let subresource =
        path.subresource.as_deref().map(|name| KnownSubresource::find(name).ok_or(name));
    let subresource = subresource.transpose().map_err(|_| VerbFault::NoSuchSubresource)?;
    let verb = verb(operation, action, subresource)?;
    if path.rest.is_some() && verb.name != Verb::PROXY.name {
        return Err(VerbFault::LongPath);
    }
    if !deprecated && verb.named != path.name.is_some() {
        return Err(VerbFault::OtherAction);
    }
    let object = match subresource {
        None => Some(resource),
        Some(_) => object(operation, index),
    };
    Ok(Some(Matched { operation, verb, resource, subresource, object, deprecated, all_namespaces }))
}

/// Checks that the names in a path are the placeholders that Kubernetes has.
fn check_placeholders(path: &ResourcePath<'_>) -> Result<(), VerbFault> {
    let is = |part: &Option<Cow<'_, str>>, name| part.as_deref().is_none_or(|part| part == name);
    let known = is(&path.namespace, "{namespace}") && is(&path.name, "{name}");
    if known && is(&path.rest, "{path}") { Ok(()) } else { Err(VerbFault::NoPath) }
}

/// The type of the object that an operation answers with or takes.
fn object<'a>(operation: &spec::Operation, index: &Index<'a>) -> Option<&'a Struct> {
    let answer = operation.responses.get(&200).and_then(Option::as_ref);
    let body = answer.or_else(|| operation.body.as_ref().map(|(body, _)| body))?;
    index.schemas.get(&*body.schema).copied().filter(|planned| planned.object.is_some())
}

/// The verb of an action, as the documents of custom resources or of other resources state it.
fn verb(
    operation: &spec::Operation,
    action: Action,
    subresource: Option<&'static KnownSubresource>,
) -> Result<Verb, VerbFault> {
    let (name, of_action) = match action {
        Action::Watch | Action::WatchList => ("list", "list".to_owned()),
        other => ("", other.name().to_owned()),
    };
    let verbs = subresource.map_or(&Verb::OF_RESOURCES[..], |subresource| subresource.verbs);
    let matched = verbs.iter().find(|verb| verb.action == of_action || verb.name == name);
    let matched = *matched.ok_or(VerbFault::NoSuchVerb)?;
    Ok(if operation.custom { matched.of_custom_resources() } else { matched })
}

/// Checks an operation without an action.
fn check_discovery(
    path: &ResourcePath<'_>,
    operation: &Operation,
    index: &Index<'_>,
) -> Result<(), VerbFault> {
    if !path.plural.is_empty() || path.watch || operation.method != "GET" {
        return Err(VerbFault::NoDiscovery);
    }
    let answers = match (path.group, path.version) {
        ("", "") => "APIVersions",
        (_, "") => "APIGroup",
        _ => "APIResourceList",
    };
    let successes = operation.responses.iter().filter(|(code, _)| **code < 400);
    match successes.collect::<Vec<_>>()[..] {
        [(200, Some(body))] if index.is_meta(&body.schema, answers) => Ok(()),
        _ => Err(VerbFault::OtherResponse),
    }
}

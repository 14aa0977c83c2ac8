//! Operations: the verbs of the resources.
//!
//! `k8s_versioned_names::verb` defines the verbs. Every operation of the documents is compared with its verb: an operation
//! that is not a verb, and each difference, is a problem.

mod apply;
mod compare;

use std::borrow::Cow;
use std::fmt::Write;

use apply::ApplyPaths;
pub(crate) use apply::apply_module;
use k8s_versioned_names::path::ResourcePath;
use k8s_versioned_names::verb::{Subresource, Verb};
use litemap::LiteMap;

use super::{ItemPath, Object, ObjectRole, Struct, code};
use crate::Problems;
use crate::gather::Gather;
use crate::input::GroupRules;
use crate::input::toml_file::Layers;
use crate::model::{Model, Scope};
use crate::problem::PlanCause;
use crate::rules::{Named, Rules, VocabularyRule};
use crate::spec::{self, Action, Operation};
use crate::text::join;

/// The operations of a group, and the types that only they use.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// The verbs of each resource, by the path of its type.
    pub served: LiteMap<ItemPath, Served>,
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

/// Plans the operations of a group, if its rules ask for them. `structs` are its types.
pub(super) fn plan(
    model: &Model,
    rules: &Rules,
    structs: &[Struct],
    problems: &mut Problems,
) -> Operations {
    check_vocabularies(&rules.vocabularies, problems);
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
            Err(reason) => {
                let id = id.clone();
                problems.push(&operation.place, PlanCause::NoVerb { id, why: reason });
            }
        }
    }
    let served = matched.into_iter().map(|(path, matched)| {
        let served = plan_served(&rules.group, &matched, problems);
        (path.clone(), served)
    });
    let served: LiteMap<ItemPath, Served> = served.gather();
    let left_out = &rules.left_out.fields;
    let (apply, apply_paths) = apply::plan(structs, &served, left_out, problems);
    Operations { served, apply, apply_paths }
}

/// The structs by what operations name.
struct Index<'a> {
    schemas: LiteMap<&'a str, &'a Struct>,
    /// The resources, by group, version and plural name.
    resources: LiteMap<[&'a str; 3], (&'a Struct, Scope)>,
}

impl<'a> Index<'a> {
    fn new(structs: &'a [Struct]) -> Self {
        let schemas = structs.iter().map(|planned| (planned.schema.as_str(), planned)).gather();
        let mut resources = LiteMap::new();
        for planned in structs {
            if let Some(Object { of, role: ObjectRole::Resource { plural, scope, .. }, .. }) =
                &planned.object
            {
                let key = [&*of.group, &*of.version, &**plural];
                resources.entry(key).or_insert((planned, *scope));
            }
        }
        Self { schemas, resources }
    }

    /// Returns `true` if a schema is the type of this name in `meta::v1`.
    fn is_meta(&self, schema: &str, name: &str) -> bool {
        self.schemas.get(schema).is_some_and(|matched| matched.path.is_meta(name))
    }
}

/// An operation of the documents and its verb.
struct Matched<'a> {
    operation: &'a spec::Operation,
    verb: Verb,
    resource: &'a Struct,
    /// The subresource in the path.
    subresource: Option<&'static Subresource>,
    /// The type of the objects that it sends and answers with: the type of the resource or of the subresource. `None` for
    /// text.
    object: Option<&'a Struct>,
    /// Whether the path is a deprecated one for watches.
    deprecated: bool,
    /// Whether it selects objects of all namespaces.
    all_namespaces: bool,
}

impl Matched<'_> {
    /// Returns `true` if the objects of the resource are in namespaces.
    fn is_namespaced(&self) -> bool {
        let role = self.resource.object.as_ref().map(|object| &object.role);
        matches!(role, Some(ObjectRole::Resource { scope: Scope::Namespaced, .. }))
    }
}

/// The reason why an operation is not a verb.
type Reason = &'static str;

/// The verb of an operation; `None` for discovery.
fn match_verb<'a>(
    index: &Index<'a>,
    operation: &'a spec::Operation,
) -> Result<Option<Matched<'a>>, Reason> {
    let path = ResourcePath::parse(&operation.path);
    let path = path.ok_or("its path is not the path of a resource")?;
    let Some(action) = operation.action else {
        return check_discovery(&path, operation, index).map(|()| None);
    };
    check_placeholders(&path)?;
    let (resource, scope) = *index
        .resources
        .get(&[path.group, path.version, path.plural])
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
        Some(_) => object(operation, index),
    };
    Ok(Some(Matched { operation, verb, resource, subresource, object, deprecated, all_namespaces }))
}

/// Checks that the names in a path are the placeholders that Kubernetes has.
fn check_placeholders(path: &ResourcePath<'_>) -> Result<(), Reason> {
    let is = |part: &Option<Cow<'_, str>>, name| part.as_deref().is_none_or(|part| part == name);
    let known = is(&path.namespace, "{namespace}") && is(&path.name, "{name}");
    if known && is(&path.rest, "{path}") {
        Ok(())
    } else {
        Err("its path is not the path of a resource")
    }
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
    subresource: Option<&'static Subresource>,
) -> Result<Verb, Reason> {
    let (name, of_action) = match action {
        Action::Watch | Action::WatchList => ("list", "list".to_owned()),
        other => ("", other.name().to_owned()),
    };
    let verbs = subresource.map_or(&Verb::OF_RESOURCES[..], |it| it.verbs);
    let matched = verbs.iter().find(|verb| verb.action == of_action || verb.name == name);
    let matched = *matched.ok_or("the resource or the subresource has no such verb")?;
    Ok(if operation.custom { matched.of_custom_resources() } else { matched })
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
    let verbs = Subresource::ALL.iter().flat_map(|it| it.verbs).chain(&Verb::OF_RESOURCES);
    verbs.flat_map(Verb::parameters).any(|parameter| parameter.name == name)
}

/// Reports vocabularies of parameters that no verb has.
fn check_vocabularies(vocabularies: &Layers<VocabularyRule>, problems: &mut Problems) {
    let parameters = vocabularies.iter().flat_map(|it| &it.parameters);
    for parameter in parameters.filter(|it| !is_known(&it.value)) {
        parameter.report_without_match(problems);
    }
}

// The verbs of one resource.

/// The verbs of one resource.
#[derive(Clone, Debug, Default)]
pub struct Served {
    /// The verbs of [`Verb::OF_RESOURCES`] that servers have for it.
    pub verbs: Vec<Verb>,
    /// Its subresources, each with the type of its objects; `None` if it has none.
    pub subresources: Vec<(&'static Subresource, Option<ItemPath>)>,
    /// Whether its documents describe custom resources.
    pub custom: bool,
    /// The section `Requests` of the resource's rustdoc.
    pub docs: String,
}

impl Served {
    /// Returns `true` if the objects can be changed with a patch, which includes server-side apply.
    pub fn takes_patches(&self) -> bool {
        self.verbs.contains(&Verb::PATCH)
    }
}

/// Plans the verbs of a resource from all its operations.
fn plan_served(group: &GroupRules, matched: &[Matched<'_>], problems: &mut Problems) -> Served {
    let subresources: LiteMap<&str, Vec<&Matched<'_>>> =
        matched.iter().fold(LiteMap::new(), |mut groups, matched| {
            if let Some(subresource) = matched.subresource {
                groups.entry(subresource.name).or_default().push(matched);
            }
            groups
        });
    check_lists(matched, problems);
    let subresources = subresources.values().filter_map(|matched| subresource(matched, problems));
    let has = |verb: &Verb| {
        let mut whole = matched.iter().filter(|matched| matched.subresource.is_none());
        whole.any(|matched| matched.verb.name == verb.name)
    };
    Served {
        subresources: subresources.collect(),
        verbs: Verb::OF_RESOURCES.into_iter().filter(has).collect(),
        custom: matched.iter().any(|matched| matched.operation.custom),
        docs: docs(group, matched),
    }
}

/// A subresource with the type of its objects. It has all of its verbs, all of one type.
fn subresource(
    matched: &[&Matched<'_>],
    problems: &mut Problems,
) -> Option<(&'static Subresource, Option<ItemPath>)> {
    let first = matched.first()?;
    let known = first.subresource?;
    for verb in known.verbs {
        if !matched.iter().any(|matched| matched.verb.name == verb.name) {
            report(first, format!("`{}` of `{}`", verb.name, known.name), problems);
        }
    }
    let object = first.object.map(|object| &object.path);
    for other in matched.iter().filter(|other| other.object.map(|it| &it.path) != object) {
        let what = format!("the objects of `{}` have several types", known.name);
        let (id, verb) = (other.operation.path.clone(), other.verb.name);
        problems.push(&other.operation.place, PlanCause::UnlikeVerb { id, verb, what });
    }
    Some((known, object.cloned()))
}

/// Reports a list of one namespace without one of all namespaces, or the other way round.
fn check_lists(matched: &[Matched<'_>], problems: &mut Problems) {
    let Some(first) = matched.first() else {
        return;
    };
    let lists = || matched.iter().filter(|it| it.verb.name == Verb::LIST.name && !it.deprecated);
    let of_namespace = lists().any(|matched| !matched.all_namespaces);
    let of_all = lists().any(|matched| matched.all_namespaces);
    if first.is_namespaced() && of_namespace != of_all {
        let missing = if of_all { "list" } else { "list_all_namespaces" };
        report(first, format!("`{missing}`"), problems);
    }
}

fn report(matched: &Matched<'_>, what: String, problems: &mut Problems) {
    let resource = matched.resource.path.name.clone();
    problems.push(&matched.operation.place, PlanCause::VerbMissing { resource, what });
}

/// A table of the requests, without the deprecated ones.
fn docs(group: &GroupRules, matched: &[Matched<'_>]) -> String {
    let mut rows: Vec<(Option<usize>, usize, bool, String)> = Vec::new();
    // A connection can be opened by several methods, and its function builds one request.
    let is_shown = |it: &&Matched<'_>| !it.deprecated && it.operation.method == it.verb.method;
    for matched in matched.iter().filter(is_shown) {
        let subresource = matched.subresource.and_then(|subresource| {
            Subresource::ALL.iter().position(|it| it.name == subresource.name)
        });
        let verb = Verb::OF_RESOURCES.iter().position(|verb| verb.name == matched.verb.name);
        rows.push((
            subresource,
            verb.unwrap_or_default(),
            matched.all_namespaces,
            row(group, matched),
        ));
    }
    rows.sort();
    let mut text = String::from("# Requests\n\n| function | request | success |\n|---|---|---|\n");
    for (.., row) in rows {
        text.push_str(&row);
    }
    text.trim_end().to_owned()
}

fn row(group: &GroupRules, matched: &Matched<'_>) -> String {
    let operation = matched.operation;
    let all = if matched.all_namespaces { "_all_namespaces" } else { "" };
    let name = match (matched.subresource, matched.verb.name) {
        (Some(of), name @ ("get" | "create" | "replace" | "patch")) => {
            format!("`{name}_subresource::<{}>`", of.rust_name)
        }
        (_, "list") => format!("`list{all}`, `watch{all}`"),
        (_, "patch") => "`patch`, `apply`".to_owned(),
        (_, name) => format!("`{name}`"),
    };
    let codes = operation.responses.keys().filter(|code| **code < 400);
    let codes = join(codes, ", ");
    let request = code(&format!("{} {}", operation.method, operation.path));
    let mut row = format!("| {name} | {request} | {codes}");
    let first = operation.releases.first();
    if let Some(since) = first.filter(|_| first != matched.resource.of.releases.first()) {
        // Writing to a string cannot fail.
        let _ = write!(row, "; since {}", group.named(since));
    }
    row + " |\n"
}

// Discovery: the operations without an action, which describe the group and its versions.

/// Checks an operation without an action.
fn check_discovery(
    path: &ResourcePath<'_>,
    operation: &Operation,
    index: &Index<'_>,
) -> Result<(), Reason> {
    if !path.plural.is_empty() || path.watch || operation.method != "GET" {
        return Err("without an action, it has to read the group or a version of it");
    }
    let answers = match (path.group, path.version) {
        ("", "") => "APIVersions",
        (_, "") => "APIGroup",
        _ => "APIResourceList",
    };
    let successes = operation.responses.iter().filter(|(code, _)| **code < 400);
    match successes.collect::<Vec<_>>()[..] {
        [(200, Some(body))] if index.is_meta(&body.schema, answers) => Ok(()),
        _ => Err(
            "the response 200 describes a group by an `APIGroup`, a version by an `APIResourceList`",
        ),
    }
}

//! The kinds of bodies.

use std::borrow::Cow;

use k8s_versioned::path::ResourcePath;
use k8s_versioned::{GroupVersion, KindEntry, Registry, TypeMeta, from_json};
use serde_json::{Value, json};

use crate::outcome::Inapplicable;
use k8s_versioned_recordings::{Body, Exchange, Recording, Scenario, Subject, SubjectKind};

/// The kind of a body in a recording, or the reason why the registry does not know it.
///
/// The path of a request names the kind of its body. Every other body names its kind itself; an object of a scenario
/// may leave it out, and then is of the one resource of the scenario's API version.
///
/// # Errors
///
/// The body is a patch, does not name its kind, or is of a kind that is not registered.
pub fn kind_of<'r>(
    registry: &'r dyn Registry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    match (subject.kind, recording.exchange(), recording.scenario()) {
        (SubjectKind::Request, Some(exchange), _) => of_request(registry, exchange, subject),
        (SubjectKind::Scenario, _, Some(scenario)) => of_member(registry, scenario, subject),
        _ => of_body(registry, subject),
    }
}

/// Takes the kind of a body from the path, as servers do. A body of another kind then fails to decode, as on the
/// server.
fn of_request<'r>(
    registry: &'r dyn Registry,
    exchange: &Exchange,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    match exchange.request.method.as_str() {
        "PATCH" => Err("the body of a PATCH is a change, not an object".into()),
        "DELETE" => registry
            .find("v1", "DeleteOptions")
            .ok_or_else(|| not_registered(&TypeMeta::new("v1", "DeleteOptions"))),
        _ => of_path(registry, exchange).map_or_else(|| of_body(registry, subject), Ok),
    }
}

fn of_path<'r>(registry: &'r dyn Registry, exchange: &Exchange) -> Option<&'r KindEntry> {
    // A subresource can be of any kind.
    let path = ResourcePath::parse(&exchange.request.path).filter(|it| it.subresource.is_none())?;
    let group_version = group_version_of(&path)?;
    registry
        .kinds()
        .iter()
        .find(|entry| entry.plural() == Some(path.plural) && entry.group_version() == group_version)
}

/// An object of a scenario names its kind, or is of the one resource of the scenario's API version.
fn of_member<'r>(
    registry: &'r dyn Registry,
    scenario: &Scenario,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    let named = matches!(subject.body, Body::Json(body) if body.get("kind").is_some());
    if named {
        return of_body(registry, subject);
    }
    let api_version = scenario.api_version.as_deref().unwrap_or_default();
    let mut resources = registry
        .kinds()
        .iter()
        .filter(|entry| entry.plural().is_some() && entry.api_version() == api_version);
    match (resources.next(), resources.next()) {
        (Some(entry), None) => Ok(entry),
        (None, _) => Err(format!("no resource of {api_version} is registered").into()),
        (Some(_), Some(_)) => {
            Err(format!("no kind, and {api_version} has several resources").into())
        }
    }
}

fn of_body<'r>(
    registry: &'r dyn Registry,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    match subject.body {
        Body::Json(body) => {
            let of = TypeMeta::of(body).map_err(|_| "the body has no apiVersion or no kind")?;
            registry.find(&of.api_version, &of.kind).ok_or_else(|| not_registered(&of))
        }
        Body::Text(_) => Err("a textual body that is not JSON".into()),
        Body::Binary(_) => Err("a binary body".into()),
    }
}

/// The group and the version of a path; `None` in a request for the versions of a group.
pub(crate) fn group_version_of<'a>(path: &ResourcePath<'a>) -> Option<GroupVersion<'a>> {
    let (group, version) = (path.group, path.version);
    (!version.is_empty()).then_some(GroupVersion { group, version })
}

/// The API version of the request's path or of the scenario. If they name none, as a request for the list of versions,
/// that of the folder.
pub(crate) fn group_version(recording: &Recording) -> GroupVersion<'_> {
    let named = match (recording.exchange(), recording.scenario()) {
        (Some(exchange), _) => {
            ResourcePath::parse(&exchange.request.path).and_then(|path| group_version_of(&path))
        }
        (None, scenario) => {
            scenario.and_then(|scenario| GroupVersion::parse(scenario.api_version.as_deref()?).ok())
        }
    };
    let path = &recording.path;
    named.unwrap_or(GroupVersion { group: &path.group, version: &path.version })
}

fn not_registered(of: &TypeMeta<'_>) -> Inapplicable {
    format!("not registered: {} {}", of.api_version, of.kind).into()
}

/// The kind of a body, as [`kind_of`], unless its type refuses the text on purpose.
///
/// # Errors
///
/// As [`kind_of`], or the type refuses the text on purpose although servers read it.
pub fn readable_kind_of<'r>(
    registry: &'r dyn Registry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    let entry = kind_of(registry, recording, subject)?;
    refused_on_purpose(entry, subject).map_or(Ok(entry), |reason| Err(reason.into()))
}

/// The reason why types refuse a text on purpose that servers read; `None` if they should read it, too.
pub(crate) fn refused_on_purpose(entry: &KindEntry, subject: &Subject<'_>) -> Option<&'static str> {
    let Body::Text(text) = subject.body else {
        return None;
    };
    let received = entry.receive(text).ok()?;
    if text.trim() == "null" {
        Some("`null` for an object: an error here, an empty object for servers")
    } else if !received.duplicates.is_empty() {
        Some("a duplicate field: an error here, a warning of servers")
    } else {
        let unicode = from_json::<Value>(text.as_bytes()).is_ok();
        (!unicode).then_some("half of a surrogate pair: an error here, U+FFFD for servers")
    }
}

/// The JSON value of a body. An object of a scenario gets the `apiVersion` and `kind` that it may leave out. `None` if
/// the body is not JSON.
pub(crate) fn value<'a>(entry: &KindEntry, subject: &Subject<'a>) -> Option<Cow<'a, Value>> {
    match (subject.kind, subject.body) {
        (SubjectKind::Scenario, Body::Json(body)) => Some(Cow::Owned(named(entry, body))),
        (_, Body::Json(body)) => Some(Cow::Borrowed(body)),
        (_, Body::Text(text)) => from_json(text.as_bytes()).ok().map(Cow::Owned),
        (_, Body::Binary(_)) => None,
    }
}

fn named(entry: &KindEntry, body: &Value) -> Value {
    let mut named = json!({ "apiVersion": entry.api_version(), "kind": entry.kind() });
    if let (Some(named), Some(body)) = (named.as_object_mut(), body.as_object()) {
        named.extend(body.clone());
    }
    named
}

//! The kinds of bodies.

use std::borrow::Cow;
use std::collections::BTreeSet;

use k8s_versioned::meta::v1::ObjectMeta;
use k8s_versioned::protobuf::{CONTENT_TYPE, Codec, Envelope, ProtobufCause, WatchEvent};
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned::{GroupVersion, KindEntry, Registry, TypeMeta, frame, from_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::examination::Inapplicable;
use crate::recordings::{
    Exchange, RecordedBody, Recording, Recordings, Scenario, Subject, SubjectBody, SubjectKind,
};

/// The bodies of a recording, with those in the events of a watch in protobuf.
pub fn subjects(recording: &Recording) -> Vec<Subject<'_>> {
    let mut subjects = recording.subjects();
    let watched = subjects.iter().position(|subject| watch(recording, subject).is_some());
    if let Some(index) = watched
        && let Some(Subject { pointer, body: SubjectBody::Binary(bytes), .. }) = subjects.get(index)
        && let Ok(events) = events(pointer, bytes)
    {
        subjects.splice(index..=index, events);
    }
    subjects
}

/// The reason why the events of a watch in protobuf cannot be read; `None` for every other body.
pub(crate) fn unreadable_watch(recording: &Recording, subject: &Subject<'_>) -> Option<String> {
    events(&subject.pointer, watch(recording, subject)?).err()
}

/// The bytes of a response that is a watch in protobuf, as its header says.
fn watch<'a>(recording: &Recording, subject: &Subject<'a>) -> Option<&'a [u8]> {
    let headers = &recording.exchange()?.response.headers;
    let media_type = headers.get("content-type")?.first()?;
    let is_watch = media_type.starts_with(CONTENT_TYPE) && media_type.ends_with(";stream=watch");
    match (subject.kind, subject.body) {
        (SubjectKind::Response, SubjectBody::Binary(bytes)) if is_watch => Some(bytes),
        _ => None,
    }
}

/// The objects of the events of a watch, or the reason why the bytes are not events.
fn events<'a>(pointer: &str, mut bytes: &'a [u8]) -> Result<Vec<Subject<'a>>, String> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let index = events.len();
        let cut_off = || format!("event {index} is cut off");
        let (frame, rest) = frame::split(bytes).ok_or_else(cut_off)?;
        let WatchEvent { event_type: kind, object, .. } =
            WatchEvent::read(frame).map_err(|error| format!("event {index}: {error}"))?;
        events.push(Subject {
            pointer: format!("{pointer}/{index}/object"),
            kind: SubjectKind::Event { kind },
            body: SubjectBody::Binary(object),
        });
        bytes = rest;
    }
    Ok(events)
}

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
    let path =
        ResourcePath::parse(&exchange.request.path).filter(|path| path.subresource.is_none())?;
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
    let named = matches!(subject.body, SubjectBody::Json(body) if body.get("kind").is_some());
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
    let of = named_by(subject)?;
    registry.find(&of.api_version, &of.kind).ok_or_else(|| not_registered(&of))
}

/// The kind that a body names itself.
fn named_by<'a>(subject: &Subject<'a>) -> Result<TypeMeta<'a>, Inapplicable> {
    match subject.body {
        SubjectBody::Json(body) => {
            TypeMeta::of(body).map_err(|_| "the body has no apiVersion or no kind".into())
        }
        SubjectBody::Text(_) => Err("a textual body that is not JSON".into()),
        SubjectBody::Binary(body) => {
            let Envelope { api_version, kind, .. } = Envelope::read(body).map_err(|_| BINARY)?;
            Ok(TypeMeta::new(api_version, kind))
        }
    }
}

/// The kinds that the recordings name and the registry lacks, if it reads none of their objects, and it lacks a kind or
/// reads no body at all; otherwise `None`. Messages such as a `Status` are of no API: every registry may have them.
pub(crate) fn missing(
    registry: &dyn Registry,
    recordings: &Recordings,
) -> Option<BTreeSet<String>> {
    const MESSAGES: [&str; 2] = ["DeleteOptions", "Status"];
    // A server behind the API server can state an `apiVersion` of its own in them.
    const DISCOVERY: [&str; 2] = ["APIGroup", "APIResourceList"];
    let is_message = |of: &TypeMeta<'_>| {
        let kind = of.kind.as_ref();
        of.api_version == "v1" && MESSAGES.contains(&kind)
            || of.group() == Some("") && DISCOVERY.contains(&kind)
    };
    let (mut missing, mut reads_any) = (BTreeSet::new(), false);
    for recording in recordings {
        for subject in subjects(recording) {
            let binary = matches!(subject.body, SubjectBody::Binary(_));
            let reads = kind_of(registry, recording, &subject)
                .is_ok_and(|entry| !binary || codec(entry, recording, &subject).is_ok());
            let object = named_by(&subject).ok().filter(|of| !is_message(of));
            match object {
                Some(of) if registry.find(&of.api_version, &of.kind).is_none() => {
                    missing.insert(format!("{} {}", of.api_version, of.kind));
                }
                Some(_) if reads => return None,
                // A body without a kind shows only that a kind is registered for its path.
                _ => reads_any |= reads,
            }
        }
    }
    (!reads_any || !missing.is_empty()).then_some(missing)
}

/// The reason why a check does not apply to bytes of an unknown form.
pub(crate) const BINARY: &str = "a binary body that is not protobuf";

/// The functions that read a body as protobuf. The header of a request says that its body is protobuf.
pub(crate) fn codec<'e>(
    entry: &'e KindEntry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Result<&'e Codec, Inapplicable> {
    let request = recording.exchange().map(|exchange| &exchange.request);
    let request = request.filter(|_| subject.kind == SubjectKind::Request);
    if request.is_some_and(|request| request.media_type() != Some(CONTENT_TYPE)) {
        return Err(BINARY.into());
    }
    entry.protobuf().ok_or("no protobuf of the kind is registered".into())
}

/// The functions that read a body in protobuf, of the kind that its envelope names.
pub(crate) fn codec_of<'r>(registry: &'r dyn Registry, body: &[u8]) -> Option<&'r Codec> {
    let Envelope { api_version, kind, .. } = Envelope::read(body).ok()?;
    registry.find(api_version, kind)?.protobuf()
}

/// The JSON of a body that a server sent, also of one in protobuf.
pub fn json_of<'a>(
    registry: &dyn Registry,
    body: Option<&'a RecordedBody>,
) -> Option<Cow<'a, Value>> {
    match body? {
        RecordedBody::Json(json) => Some(Cow::Borrowed(json)),
        RecordedBody::Binary(body) => {
            let object = codec_of(registry, body)?.decode(body).ok()?;
            object.encode().ok().map(Cow::Owned)
        }
        RecordedBody::Text(_) | RecordedBody::Events(_) => None,
    }
}

/// The group and the version of a path; `None` in a request for the versions of a group.
pub(crate) fn group_version_of<'a>(path: &ResourcePath<'a>) -> Option<GroupVersion<'a>> {
    let (group, version) = (path.group, path.version);
    (!version.is_empty()).then_some(GroupVersion { group, version })
}

/// The API version of the request's path or of the scenario. If they name none, as a request for the list of versions,
/// the API version of the folder.
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

/// The kind of a body, as [`kind_of`], unless its type refuses the body on purpose.
///
/// # Errors
///
/// As [`kind_of`], or the type refuses the body on purpose although servers read it.
pub fn readable_kind_of<'r>(
    registry: &'r dyn Registry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Result<&'r KindEntry, Inapplicable> {
    let entry = kind_of(registry, recording, subject)?;
    refused_on_purpose(entry, subject).map_or(Ok(entry), |reason| Err(reason.into()))
}

/// The entry that reads a body: the one of its kind. A bookmark has only its metadata, so the fields that its kind requires
/// are not asked for.
///
/// # Errors
///
/// As [`readable_kind_of`].
pub(crate) fn entry_of(
    registry: &dyn Registry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Result<KindEntry, Inapplicable> {
    let entry = *readable_kind_of(registry, recording, subject)?;
    Ok(match (subject.kind, subject.body) {
        (SubjectKind::Event { kind: "BOOKMARK" }, SubjectBody::Json(_)) => {
            KindEntry::of::<Bookmark>(entry.group(), entry.version(), entry.kind())
        }
        _ => entry,
    })
}

/// The object of a bookmark. Only its metadata is checked.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Bookmark {
    metadata: ObjectMeta,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The reason why no type can hold the first body of a recording that comes from there, although the server read it.
pub fn refused(
    registry: &dyn Registry,
    recording: &Recording,
    from: SubjectKind<'_>,
) -> Option<&'static str> {
    let subjects = recording.subjects();
    let subject = subjects.iter().find(|subject| subject.kind == from)?;
    refused_on_purpose(kind_of(registry, recording, subject).ok()?, subject)
}

/// The reason why types refuse a body on purpose that servers read; `None` if they should read it.
fn refused_on_purpose(entry: &KindEntry, subject: &Subject<'_>) -> Option<&'static str> {
    let text = match subject.body {
        SubjectBody::Text(text) => text,
        SubjectBody::Json(Value::Null) => "null",
        SubjectBody::Json(_) => return None,
        SubjectBody::Binary(body) => {
            let error = entry.protobuf()?.decode(body).err()?;
            let reason = "a string that is not UTF-8: an error here, copied unchecked by servers";
            return (*error.cause() == ProtobufCause::NotUtf8).then_some(reason);
        }
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

/// The JSON value of a body, also of one in protobuf. An object of a scenario gets the `apiVersion` and `kind` that it
/// may leave out. `None` if the body cannot be read.
pub fn value<'a>(entry: &KindEntry, subject: &Subject<'a>) -> Option<Cow<'a, Value>> {
    match (subject.kind, subject.body) {
        (SubjectKind::Scenario, SubjectBody::Json(body)) => Some(Cow::Owned(named(entry, body))),
        (_, SubjectBody::Json(body)) => Some(Cow::Borrowed(body)),
        (_, SubjectBody::Text(text)) => from_json(text.as_bytes()).ok().map(Cow::Owned),
        (_, SubjectBody::Binary(body)) => {
            entry.protobuf()?.decode(body).ok()?.encode().ok().map(Cow::Owned)
        }
    }
}

fn named(entry: &KindEntry, body: &Value) -> Value {
    let mut named = json!({ "apiVersion": entry.api_version(), "kind": entry.kind() });
    if let (Some(named), Some(body)) = (named.as_object_mut(), body.as_object()) {
        named.extend(body.clone());
    }
    named
}

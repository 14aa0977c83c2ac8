//! Paths and their operations.

use std::collections::BTreeSet;

use k8s_versioned_core::Release;
use k8s_versioned_core::text::number;
use k8s_versioned_source::TreeValue;
use litemap::LiteMap;

use super::cursor::{Cursor, Keywords};
use super::schema::read_bare_reference;
use super::words::{one_of, read_kind, word};
use crate::gather::Gather;
use crate::problem::DocumentCause;
use crate::spec::{
    Action, Body, Location, MEDIA_TYPES, Operation, PARAMETER_TYPES, Parameter, ParameterKey,
};

/// The methods in use, as members of a path and in HTTP.
const METHODS: [(&str, &str); 7] = [
    ("delete", "DELETE"),
    ("get", "GET"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
    ("patch", "PATCH"),
    ("post", "POST"),
    ("put", "PUT"),
];

/// Reads the operations of one path, each with its id.
pub(super) fn read_path(
    path: &str,
    item: &Cursor<'_>,
    release: Release,
) -> Vec<(String, Operation)> {
    let Some(mut keywords) = item.keywords("a path") else {
        return Vec::new();
    };
    let shared = read_parameters(&mut keywords, release);
    let mut operations = Vec::new();
    for (name, method) in METHODS {
        if let Some(cursor) = keywords.take(name) {
            operations.extend(read_operation(method, path, &shared, &cursor, release));
        }
    }
    keywords.finish();
    operations
}

fn read_operation(
    method: &'static str,
    path: &str,
    shared: &[(ParameterKey, Parameter)],
    cursor: &Cursor<'_>,
    release: Release,
) -> Option<(String, Operation)> {
    let mut keywords = cursor.keywords("an operation")?;
    let id = keywords.require_text("operationId");
    if let Some(tags) = keywords.take("tags") {
        tags.strings();
    }
    let action = one_of("action", keywords.take("x-kubernetes-action"), Action::ALL, Action::name);
    let kind = keywords.take("x-kubernetes-group-version-kind").and_then(|kind| read_kind(&kind));
    let own = read_parameters(&mut keywords, release);
    let body = keywords.take("requestBody").and_then(|body| read_request_body(&body, release));
    let responses = keywords.require("responses").map(|value| read_responses(&value, release));
    keywords.finish();
    let parameters = shared.iter().cloned().chain(own);
    let operation = Operation {
        place: cursor.place(),
        releases: release.into(),
        method,
        path: path.to_owned(),
        action,
        kind,
        parameters: distinct_parameters(path, parameters, cursor),
        body,
        responses: responses.unwrap_or_default(),
        custom: false,
        of_verb: false,
    };
    Some((id?, operation))
}

fn read_parameters(
    keywords: &mut Keywords<'_>,
    release: Release,
) -> Vec<(ParameterKey, Parameter)> {
    let parameters = keywords.take("parameters");
    let items = parameters.iter().filter_map(Cursor::items).flatten();
    items.filter_map(|item| read_parameter(&item, release)).collect()
}

fn read_parameter(cursor: &Cursor<'_>, release: Release) -> Option<(ParameterKey, Parameter)> {
    let mut keywords = cursor.keywords("a parameter")?;
    let name = keywords.require_text("name");
    let location = keywords.require("in");
    let required = keywords.flag("required");
    let schema = keywords.require("schema");
    keywords.finish();
    let location = one_of("place of a parameter", location, Location::ALL, Location::name)?;
    if required != (location == Location::Path) {
        cursor.report(DocumentCause::RequiredParameter { required });
    }
    let schema = read_parameter_type(&schema?)?;
    let parameter = Parameter { place: cursor.place(), releases: release.into(), schema };
    Some(((location, name?), parameter))
}

/// Reads the type of a parameter. Each has `uniqueItems`, which has no effect on a scalar.
fn read_parameter_type(cursor: &Cursor<'_>) -> Option<&'static str> {
    let mut keywords = cursor.keywords("the schema of a parameter")?;
    let name = keywords.require("type");
    keywords.flag("uniqueItems");
    keywords.finish();
    word("type of a parameter", &name?, &PARAMETER_TYPES)
}

/// Checks that each placeholder has a parameter, each path parameter a placeholder, and that none occurs twice.
fn distinct_parameters(
    path: &str,
    parameters: impl Iterator<Item = (ParameterKey, Parameter)>,
    operation: &Cursor<'_>,
) -> LiteMap<ParameterKey, Parameter> {
    let placeholders: BTreeSet<&str> = path.split('/').filter_map(placeholder).gather();
    let mut distinct = LiteMap::new();
    for (key, stated) in parameters {
        let (location, name) = &key;
        if distinct.contains_key(&key) {
            operation.report_at(&stated.place, DocumentCause::DuplicateParameter(name.clone()));
        } else if *location == Location::Path && !placeholders.contains(name.as_str()) {
            let (parameter, path) = (name.clone(), path.to_owned());
            operation.report_at(&stated.place, DocumentCause::NoPlaceholder { parameter, path });
        }
        distinct.entry(key).or_insert(stated);
    }
    for name in placeholders {
        if !distinct.contains_key(&(Location::Path, name.to_owned())) {
            let (placeholder, path) = (name.to_owned(), path.to_owned());
            operation.report(DocumentCause::NoPathParameter { placeholder, path });
        }
    }
    distinct
}

/// The name in a segment of the form `{name}`. A segment with other braces is returned whole: no parameter has such a
/// name.
fn placeholder(segment: &str) -> Option<&str> {
    let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    name.filter(|name| !name.contains(['{', '}']))
        .or_else(|| segment.contains(['{', '}']).then_some(segment))
}

fn read_request_body(cursor: &Cursor<'_>, release: Release) -> Option<(Body, bool)> {
    let mut keywords = cursor.keywords("a request body")?;
    let required = keywords.flag("required");
    let content = keywords.require("content");
    keywords.finish();
    Some((read_content(&content?, release)?, required))
}

fn read_responses(cursor: &Cursor<'_>, release: Release) -> LiteMap<u16, Option<Body>> {
    let mut responses = LiteMap::new();
    let mut members = cursor.members().map(Iterator::peekable);
    if members.as_mut().is_some_and(|members| members.peek().is_none()) {
        cursor.report(DocumentCause::NoResponses);
    }
    for (code, response) in members.into_iter().flatten() {
        let status = number::<u16>(code).filter(|status| (100..600).contains(status));
        let Some(status) = status else {
            response.report(DocumentCause::unknown(
                "status code",
                code,
                &["100", "\u{2026}", "599"],
            ));
            continue;
        };
        let Some(mut keywords) = response.keywords("a response") else {
            continue;
        };
        let content = keywords.take("content");
        keywords.finish();
        responses.insert(status, content.and_then(|content| read_content(&content, release)));
    }
    responses
}

/// All media types of a body must have one schema.
fn read_content(cursor: &Cursor<'_>, release: Release) -> Option<Body> {
    let mut body: Option<Body> = None;
    for (name, content) in cursor.members()? {
        let Some(media_type) = MEDIA_TYPES.into_iter().find(|known| *known == name) else {
            content.report(DocumentCause::unknown("media type", name, &MEDIA_TYPES));
            continue;
        };
        let Some(schema) = read_body_schema(&content) else {
            continue;
        };
        let body = body
            .get_or_insert_with(|| Body { schema: schema.clone(), media_types: LiteMap::new() });
        if body.schema == schema {
            body.media_types.insert(media_type, release.into());
        } else {
            content.report(DocumentCause::TwoBodies { first: body.schema.clone(), second: schema });
        }
    }
    body
}

fn read_body_schema(cursor: &Cursor<'_>) -> Option<String> {
    let mut keywords = cursor.keywords("the content of a body")?;
    let schema = keywords.require("schema");
    keywords.finish();
    let schema = schema?;
    if is_text(&schema) {
        return Some(String::new());
    }
    read_bare_reference(&schema, "the schema of a body")
}

/// Returns `true` for `{"type": "string"}`: what a log or the other end of a connection sends.
fn is_text(schema: &Cursor<'_>) -> bool {
    let mut members = schema.value().members().into_iter().flatten();
    let is =
        |(key, value): (&str, TreeValue<'_>)| key == "type" && value.string() == Some("string");
    members.next().is_some_and(is) && members.next().is_none()
}

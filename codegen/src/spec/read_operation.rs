//! Paths and their operations.

use std::collections::{BTreeMap, BTreeSet};

use super::read_schema::{one_of, read_bare_reference, read_kind};
use super::{Action, Body, Location, MediaType, Method, Operation, Parameter, ParameterType};
use crate::Problems;
use crate::json::{Cursor, Fields, Value};
use crate::problem::Cause;

const OPERATION: &str = "an operation";
const PARAMETER: &str = "a parameter";

/// Reads the operations of one path.
pub(super) fn read_path(path: &str, item: &Cursor<'_>, problems: &mut Problems) -> Vec<Operation> {
    let Some(mut fields) = item.fields(problems) else {
        return Vec::new();
    };
    let shared = fields.take("parameters").map(|parameters| read_parameters(&parameters, problems));
    let shared = shared.unwrap_or_default();
    let mut operations = Vec::new();
    for (name, method) in Method::ALL {
        if let Some(cursor) = fields.take(name) {
            operations.extend(read_operation(path, method, &shared, &cursor, problems));
        }
    }
    fields.finish("a path", problems);
    operations
}

fn read_operation(
    path: &str,
    method: Method,
    shared: &[Parameter],
    cursor: &Cursor<'_>,
    problems: &mut Problems,
) -> Option<Operation> {
    let mut fields = cursor.fields(problems)?;
    let id = fields.require("operationId", OPERATION, problems).and_then(|id| id.string(problems));
    if let Some(tags) = fields.take("tags") {
        tags.strings(problems);
    }
    let action = fields.take("x-kubernetes-action");
    let kind = fields.take("x-kubernetes-group-version-kind");
    let own = fields.take("parameters").map(|parameters| read_parameters(&parameters, problems));
    let body = fields.take("requestBody").and_then(|body| read_request_body(&body, problems));
    let responses = read_responses(&mut fields, problems);
    fields.finish(OPERATION, problems);
    let mut parameters = shared.to_vec();
    parameters.extend(own.unwrap_or_default());
    check_parameters(path, &parameters, cursor, problems);
    Some(Operation {
        place: cursor.place(),
        id: id?.to_owned(),
        method,
        path: path.to_owned(),
        action: action.and_then(|action| one_of("action", &action, &Action::ALL, problems)),
        kind: kind.and_then(|kind| read_kind(&kind, problems)),
        parameters,
        body,
        responses,
    })
}

fn read_parameters(cursor: &Cursor<'_>, problems: &mut Problems) -> Vec<Parameter> {
    let items = cursor.items(problems).unwrap_or_default();
    items.iter().filter_map(|item| read_parameter(item, problems)).collect()
}

fn read_parameter(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Parameter> {
    let mut fields = cursor.fields(problems)?;
    let name = fields.require("name", PARAMETER, problems).and_then(|name| name.string(problems));
    let location = fields.require("in", PARAMETER, problems);
    let required =
        fields.take("required").and_then(|required| required.bool(problems)).unwrap_or(false);
    let schema = fields.require("schema", PARAMETER, problems);
    fields.finish(PARAMETER, problems);
    let locations = [("path", Location::Path), ("query", Location::Query)];
    let location = location
        .and_then(|cursor| one_of("place of a parameter", &cursor, &locations, problems))?;
    if required != (location == Location::Path) {
        cursor.report(Cause::RequiredParameter { required }, problems);
    }
    let schema = schema.and_then(|schema| read_parameter_type(&schema, problems))?;
    Some(Parameter { place: cursor.place(), name: name?.to_owned(), location, schema })
}

/// `uniqueItems` stands on every parameter and means nothing on a scalar.
fn read_parameter_type(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<ParameterType> {
    const SCHEMA: &str = "the schema of a parameter";
    let mut fields = cursor.fields(problems)?;
    let name = fields.require("type", SCHEMA, problems);
    if let Some(unique) = fields.take("uniqueItems") {
        unique.bool(problems);
    }
    fields.finish(SCHEMA, problems);
    let types = [
        ("boolean", ParameterType::Boolean),
        ("integer", ParameterType::Integer),
        ("string", ParameterType::String),
    ];
    one_of("type of a parameter", &name?, &types, problems)
}

/// Each placeholder has its parameter, each path parameter its placeholder, and no two are the same.
fn check_parameters(
    path: &str,
    parameters: &[Parameter],
    operation: &Cursor<'_>,
    problems: &mut Problems,
) {
    let placeholders: BTreeSet<&str> = path.split('/').filter_map(placeholder).collect();
    let mut seen = BTreeSet::new();
    for parameter in parameters {
        let name = parameter.name.as_str();
        if !seen.insert((parameter.location, name)) {
            problems.push(parameter.place.clone(), Cause::DuplicateParameter(name.to_owned()));
        } else if parameter.location == Location::Path && !placeholders.contains(name) {
            let cause = Cause::NoPlaceholder { parameter: name.to_owned(), path: path.to_owned() };
            problems.push(parameter.place.clone(), cause);
        }
    }
    for name in placeholders.into_iter().filter(|name| !seen.contains(&(Location::Path, *name))) {
        let cause = Cause::NoPathParameter { placeholder: name.to_owned(), path: path.to_owned() };
        operation.report(cause, problems);
    }
}

/// The name in a segment of the form `{name}`. Of a segment with other braces, all of it: no parameter has such
/// a name.
fn placeholder(segment: &str) -> Option<&str> {
    let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    name.filter(|name| !name.contains(['{', '}']))
        .or_else(|| segment.contains(['{', '}']).then_some(segment))
}

fn read_request_body(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<(Body, bool)> {
    const BODY: &str = "a request body";
    let mut fields = cursor.fields(problems)?;
    let required =
        fields.take("required").and_then(|required| required.bool(problems)).unwrap_or(false);
    let content = fields.require("content", BODY, problems);
    fields.finish(BODY, problems);
    Some((read_content(&content?, problems)?, required))
}

fn read_responses(fields: &mut Fields<'_>, problems: &mut Problems) -> BTreeMap<u16, Option<Body>> {
    let mut responses = BTreeMap::new();
    let Some(cursor) = fields.require("responses", OPERATION, problems) else {
        return responses;
    };
    let members = cursor.members(problems).unwrap_or_default();
    if members.is_empty() && matches!(cursor.value(), Value::Object(_)) {
        cursor.report(Cause::NoResponses, problems);
    }
    for (code, response) in members {
        let status = code.parse::<u16>().ok().filter(|status| (100..600).contains(status));
        let Some(status) = status else {
            let understood = ["100", "\u{2026}", "599"];
            response.report(Cause::unknown("status code", code.to_owned(), understood), problems);
            continue;
        };
        let Some(mut fields) = response.fields(problems) else {
            continue;
        };
        let content = fields.take("content");
        fields.finish("a response", problems);
        responses.insert(status, content.and_then(|content| read_content(&content, problems)));
    }
    responses
}

/// All media types of a body must have one schema.
fn read_content(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Body> {
    let mut body: Option<Body> = None;
    for (name, content) in cursor.members(problems)? {
        let media_type = MediaType::ALL.iter().find(|(known, _)| *known == name).map(|(_, m)| *m);
        let Some(media_type) = media_type else {
            let understood = MediaType::ALL.map(|(name, _)| name);
            content.report(Cause::unknown("media type", name.to_owned(), understood), problems);
            continue;
        };
        let Some(schema) = read_body_schema(&content, problems) else {
            continue;
        };
        match &mut body {
            None => {
                body = Some(Body { schema, media_types: BTreeSet::from([media_type]) });
            }
            Some(body) if body.schema == schema => {
                body.media_types.insert(media_type);
            }
            Some(body) => {
                let cause = Cause::TwoBodies { first: body.schema.clone(), second: schema };
                content.report(cause, problems);
            }
        }
    }
    body
}

fn read_body_schema(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<String> {
    const CONTENT: &str = "the content of a body";
    let mut fields = cursor.fields(problems)?;
    let schema = fields.require("schema", CONTENT, problems);
    fields.finish(CONTENT, problems);
    read_bare_reference(&schema?, "the schema of a body", problems)
}

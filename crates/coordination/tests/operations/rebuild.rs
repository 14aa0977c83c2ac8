//! Every recorded request, built again by way of the typed functions, and its response, decoded.
//!
//! How many fell under which rule is checked in, so that a rule cannot quietly stop applying.

use std::collections::BTreeMap;

use k8s_coordination::k8s_versioned::Registry;
use k8s_coordination::k8s_versioned::operation::{
    Accept, AnyRequest, ApiError, Input, InputError, OperationEntry, Query, Raw, Request,
    ResponseError, http,
};
use k8s_coordination::{Kinds, OPERATIONS};
use serde_json::Value;

use crate::errors::answers;
use crate::support;

const EXPECTED: &str = "\
request: built again 2923
request: no such media type (415) 10
request: no such operation (405) 10
request: not what the operation takes (400) 68
response: APIGroup (200) 10
response: APIResourceList (200) 10
response: Lease (200) 144
response: Lease (201) 150
response: LeaseCandidate (200) 415
response: LeaseCandidate (201) 445
response: LeaseCandidateList (200) 190
response: LeaseList (200) 42
response: Status (200) 36
response: WatchEvent (200) 94
response: as it came (Metadata) 10
response: as it came (Protobuf) 26
response: as it came (Table) 26
response: as it came (Yaml) 10
response: refused (400: bad request) 108
response: refused (401: unauthorized) 20
response: refused (403: forbidden) 10
response: refused (404: not found) 46
response: refused (409: already exists) 20
response: refused (409: conflict) 88
response: refused (410: expired) 23
response: refused (422: invalid) 966
response: refused (500) 18
response: refused (504: timeout) 16
";

#[test]
fn recorded_requests_are_built_again() {
    let mut counts = BTreeMap::new();
    for (path, recording) in support::recordings() {
        if recording.get("request").is_none() {
            continue;
        }
        let rule =
            exchange(&recording).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for rule in rule {
            *counts.entry(rule).or_insert(0) += 1;
        }
    }
    let lines = counts
        .iter()
        .map(|(rule, count)| format!("{rule} {count}\n"));
    let text = lines.collect::<Vec<_>>().concat();
    println!("{text}");
    assert_eq!(text, EXPECTED);
}

/// The rules that a request and its response fell under, or what is wrong with one of them.
fn exchange(recording: &Value) -> Result<Vec<String>, String> {
    let (request, response) = (&recording["request"], &recording["response"]);
    let status = response["status"].as_u64().unwrap();
    let text = |name: &str| request[name].as_str().unwrap();
    let Some((entry, names)) = OperationEntry::find(OPERATIONS, text("method"), text("path"))
    else {
        assert_eq!(status, 405);
        return Ok(vec!["request: no such operation (405)".to_owned()]);
    };
    let headers = &request["headers"];
    let body = body(request);
    let input = Input {
        names,
        query: query(&request["query"]),
        content_type: headers.get("content-type").and_then(Value::as_str),
        body: body.as_bytes(),
    };
    let any = match (entry.build)(&input) {
        Ok(any) => any,
        Err(error) => return refused(&error, status).map(|rule| vec![rule]),
    };
    let accept = headers["accept"].as_str().unwrap();
    let accept = Accept::parse(accept).ok_or_else(|| format!("no form {accept}"))?;
    let built = any.request().clone().accept(accept);
    compare(&built, request, &input)?;
    compare_body(&built, &input)?;
    let answered = answer(&any, &built, accept, entry, response)?;
    Ok(vec!["request: built again".to_owned(), answered])
}

/// Deliberate misuse, which the server refused, too.
fn refused(error: &InputError, status: u64) -> Result<String, String> {
    match (error, status) {
        (InputError::ContentType(_), 415) => Ok("request: no such media type (415)".to_owned()),
        (InputError::Body(_), 400) => Ok("request: not what the operation takes (400)".to_owned()),
        _ => Err(format!("{status}: {error}")),
    }
}

/// The body of a request or a response.
fn body(message: &Value) -> String {
    match message.get("json") {
        Some(json) => json.to_string(),
        None => message
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}

fn query(query: &Value) -> Query {
    let query = query.as_object().into_iter().flatten();
    query
        .map(|(name, value)| (name, value.as_str().unwrap()))
        .collect()
}

/// Method, path, query and headers.
fn compare(built: &Request<Raw>, request: &Value, input: &Input<'_>) -> Result<(), String> {
    let http = built.to_http().map_err(|error| error.to_string())?;
    let found = (http.method().as_str(), http.uri().path());
    let expected = (
        request["method"].as_str().unwrap(),
        request["path"].as_str().unwrap(),
    );
    // Documents write the paths of discovery with a slash at the end; the recorder left it out in one.
    let slash =
        |(method, path): (&str, &str)| (method.to_owned(), path.trim_end_matches('/').to_owned());
    if slash(found) != slash(expected) {
        return Err(format!("found {found:?}, expected {expected:?}"));
    }
    let sorted = |query: &Query| {
        query
            .iter()
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
            .collect::<BTreeMap<_, _>>()
    };
    let found =
        Query::parse(http.uri().query().unwrap_or_default()).map_err(|error| error.to_string())?;
    if sorted(&found) != sorted(&input.query) {
        return Err(format!("found {found}, expected {}", input.query));
    }
    let headers = http.headers().iter();
    let found: BTreeMap<&str, &str> = headers
        .map(|(n, v)| (n.as_str(), v.to_str().unwrap()))
        .collect();
    let expected = request["headers"].as_object().unwrap().iter();
    let expected: BTreeMap<&str, &str> = expected
        .map(|(n, v)| (n.as_str(), v.as_str().unwrap()))
        .collect();
    if found == expected {
        Ok(())
    } else {
        Err(format!("found {found:?}, expected {expected:?}"))
    }
}

/// Bodies go through types, which leave out what they do not know: each must be what its kind makes of it. A patch
/// must be what it was.
fn compare_body(built: &Request<Raw>, input: &Input<'_>) -> Result<(), String> {
    if input.body.is_empty() {
        return built.body().is_empty().then_some(()).ok_or("a body".into());
    }
    let value = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap();
    let (found, mut expected) = (value(built.body()), value(input.body));
    if built.method() != http::Method::PATCH {
        let text = |name: &str| found[name].as_str().unwrap_or_default();
        let kind = Kinds.find(text("apiVersion"), text("kind")).unwrap();
        expected = kind.decode_value(&expected).unwrap().encode().unwrap();
    }
    if found == expected {
        Ok(())
    } else {
        Err(format!("found {found}, expected {expected}"))
    }
}

/// The rule that a response fell under.
fn answer(
    any: &AnyRequest,
    built: &Request<Raw>,
    accept: Accept,
    entry: &OperationEntry,
    response: &Value,
) -> Result<String, String> {
    let http = http_response(response);
    let status = http.status();
    let warnings = http.headers().get_all("warning").iter().count();
    let decoded = match any.decode(&http) {
        _ if accept != Accept::Json && status.is_success() => {
            let raw = built.decode(&http).map_err(|error| error.to_string())?;
            if raw.body.bytes != *http.body() || raw.warnings.len() != warnings {
                return Err("not as it came".to_owned());
            }
            return Ok(format!("response: as it came ({accept:?})"));
        }
        Ok(decoded) => decoded,
        Err(ResponseError::Api(error)) if error.warnings().len() == warnings => {
            return refusal(&error, status, &response["json"]);
        }
        Err(error) => return Err(error.to_string()),
    };
    if !entry.responses.contains(&status.as_u16()) || decoded.success.code() != status {
        return Err(format!("{status} is not documented"));
    }
    if decoded.warnings.len() != warnings {
        return Err(format!("{:?}", decoded.warnings));
    }
    let kind = response
        .pointer("/json/kind")
        .map_or("WatchEvent", |kind| kind.as_str().unwrap());
    if decoded.body == kind {
        Ok(format!("response: {kind} ({})", status.as_u16()))
    } else {
        Err(format!("found {}, expected {kind}", decoded.body))
    }
}

/// The rule that a refusal fell under: the status code, and what programs learn of it.
fn refusal(error: &ApiError, status: http::StatusCode, body: &Value) -> Result<String, String> {
    let message = error.failure().map(|failure| failure.message.as_str());
    let same = error.code() == status
        && error.reason() == body["reason"].as_str().unwrap_or_default()
        && message == body["message"].as_str();
    if !same {
        return Err(error.to_string());
    }
    let answers = answers(error);
    let separator = if answers.is_empty() { "" } else { ": " };
    let code = status.as_u16();
    Ok(format!("response: refused ({code}{separator}{answers})"))
}

fn http_response(response: &Value) -> http::Response<Vec<u8>> {
    let mut http = http::Response::builder()
        .status(u16::try_from(response["status"].as_u64().unwrap()).unwrap());
    for (name, value) in response["headers"].as_object().unwrap() {
        let values = value
            .as_array()
            .map_or_else(|| vec![value], |values| values.iter().collect());
        for value in values {
            http = http.header(name, value.as_str().unwrap());
        }
    }
    let body = match response.get("events").and_then(Value::as_array) {
        Some(events) => {
            let lines = events.iter().map(|event| format!("{event}\n"));
            lines.collect::<Vec<_>>().concat()
        }
        None => body(response),
    };
    http.body(body.into_bytes()).unwrap()
}

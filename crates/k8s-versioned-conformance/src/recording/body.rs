//! The bodies in a recording.

use k8s_versioned::pointer;
use serde_json::Value;

use super::{Exchange, RequestBody, ResponseBody, Scenario};

/// A body in a recording, which checks examine.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject<'a> {
    /// The place in the recording: a JSON pointer.
    pub pointer: String,
    /// The origin of the body.
    pub kind: SubjectKind<'a>,
    /// The body.
    pub body: Body<'a>,
}

/// The origin of a body in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubjectKind<'a> {
    /// A client sent it.
    Request,
    /// A server sent it.
    Response,
    /// A server sent it in an event of a watch.
    Event {
        /// The type of the event, such as `ADDED`.
        kind: &'a str,
    },
    /// A server had stored it before the request.
    Stored,
    /// It is an object of a scenario. It may leave out its `apiVersion` and `kind`.
    Scenario,
}

/// The form of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Body<'a> {
    /// JSON.
    Json(&'a Value),
    /// Text that may or may not be valid in its format.
    Text(&'a str),
    /// Something binary, in base64.
    Base64(&'a str),
}

impl<'a> Subject<'a> {
    fn new(pointer: impl Into<String>, kind: SubjectKind<'a>, body: Body<'a>) -> Self {
        Self { pointer: pointer.into(), kind, body }
    }
}

pub(super) fn of_exchange(exchange: &Exchange) -> Vec<Subject<'_>> {
    let mut subjects = Vec::new();
    if let Some(before) = &exchange.before {
        let body = Body::Json(before);
        subjects.push(Subject::new("/before", SubjectKind::Stored, body));
    }
    let request = |name, body| Subject::new(name, SubjectKind::Request, body);
    match &exchange.request.body {
        RequestBody::None => {}
        RequestBody::Json(json) => subjects.push(request("/request/json", Body::Json(json))),
        RequestBody::Text(text) => subjects.push(request("/request/text", Body::Text(text))),
    }
    let response = |name, body| Subject::new(name, SubjectKind::Response, body);
    match &exchange.response.body {
        ResponseBody::None => {}
        ResponseBody::Json(json) => subjects.push(response("/response/json", Body::Json(json))),
        ResponseBody::Text(text) => subjects.push(response("/response/text", Body::Text(text))),
        ResponseBody::Base64(text) => {
            subjects.push(response("/response/base64", Body::Base64(text)));
        }
        ResponseBody::Events(events) => {
            subjects.extend(events.iter().enumerate().map(|(index, event)| {
                let kind = SubjectKind::Event { kind: &event.kind };
                let pointer = format!("/response/events/{index}/object");
                Subject::new(pointer, kind, Body::Json(&event.object))
            }));
        }
    }
    subjects
}

pub(super) fn of_scenario(scenario: &Scenario) -> Vec<Subject<'_>> {
    let subject =
        |pointer, object| Subject::new(pointer, SubjectKind::Scenario, Body::Json(object));
    let mut subjects = Vec::new();
    for (name, member) in &scenario.members {
        let place = pointer::child("", name);
        match member {
            Value::Object(_) => subjects.push(subject(place, member)),
            Value::Array(items) => {
                let objects = items.iter().enumerate().filter(|(_, item)| item.is_object());
                subjects.extend(
                    objects.map(|(index, item)| subject(pointer::child(&place, index), item)),
                );
            }
            _ => {}
        }
    }
    subjects
}

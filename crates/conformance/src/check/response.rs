//! The check of status codes.

use k8s_versioned::{DecodeError, Registry};
use serde_json::Value;

use super::Check;
use crate::difference::show;
use crate::documents::{Document, Documents};
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Exchange, Recording, Recordings, ResponseBody};

/// The status code is documented for the operation, or the body is a `Status` and decodes as such.
pub struct Response<'a> {
    registry: &'a dyn Registry,
    documents: &'a Documents,
}

impl<'a> Response<'a> {
    /// The check with these types and documents.
    pub fn new(registry: &'a dyn Registry, documents: &'a Documents) -> Self {
        Self { registry, documents }
    }

    fn examine(&self, document: &Document, exchange: &Exchange) -> Finding {
        let (request, response) = (&exchange.request, &exchange.response);
        let documented = document.statuses(&request.method, &request.path);
        if documented.is_some_and(|statuses| statuses.contains(response.status)) {
            return Finding::passed(POINTER);
        }
        let advice = match self.read_status(&response.body) {
            Status::Decodes => return Finding::passed(POINTER),
            Status::NotRegistered => {
                return Finding::not_applicable(POINTER, "not registered: v1 Status");
            }
            Status::Broken(error) => format!("the body is a `Status`, but: {error}"),
            Status::None => {
                let (method, path) = (&request.method, &request.path);
                format!("see {method} {path} in {}", document.path().display())
            }
        };
        let documented = documented
            .map_or_else(|| "none, as there is no such operation".to_owned(), ToString::to_string);
        let mismatch = Mismatch {
            pointer: "/response/status".to_owned(),
            expected: format!("a documented status ({documented}), or a `Status` as the body"),
            found: format!("{}, {}", response.status, shown(&response.body)),
            advice: advice.into(),
        };
        Finding::of_mismatches(POINTER, vec![mismatch])
    }

    fn read_status(&self, body: &ResponseBody) -> Status {
        let ResponseBody::Json(body) = body else {
            return Status::None;
        };
        let member = |name| body.get(name).and_then(Value::as_str);
        if (member("apiVersion"), member("kind")) != (Some("v1"), Some("Status")) {
            return Status::None;
        }
        match self.registry.find("v1", "Status") {
            None => Status::NotRegistered,
            Some(entry) => match entry.decode_value(body) {
                Ok(_) => Status::Decodes,
                Err(error) => Status::Broken(error),
            },
        }
    }
}

/// A body that may be a `Status`.
enum Status {
    Decodes,
    Broken(DecodeError),
    /// It says so, but the registry has no such kind.
    NotRegistered,
    None,
}

impl Check for Response<'_> {
    fn name(&self) -> &'static str {
        "response"
    }

    fn about(&self) -> &'static str {
        "the status code is documented for the operation, or the body is a Status"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let Some(exchange) = recording.exchange() else {
            return vec![Finding::not_applicable("", "not an exchange")];
        };
        vec![match self.documents.of(recording) {
            Ok(document) => self.examine(document, exchange),
            Err(reason) => Finding::not_applicable(POINTER, reason),
        }]
    }
}

const POINTER: &str = "/response";

fn shown(body: &ResponseBody) -> String {
    match body {
        ResponseBody::None => "no body".to_owned(),
        ResponseBody::Json(body) => show(Some(body)),
        ResponseBody::Text(_) => "a textual body".to_owned(),
        ResponseBody::Base64(_) => "a binary body".to_owned(),
        ResponseBody::Events(_) => "events".to_owned(),
    }
}

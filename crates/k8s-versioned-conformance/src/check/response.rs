//! The check of status codes.

use k8s_versioned::{Registry, TypeMeta};

use super::Check;
use crate::differences::show;
use crate::documents::{Document, Documents};
use crate::examination::{Examined, Mismatch};
use crate::kinds;
use crate::recordings::{Exchange, RecordedBody};

/// The status code is documented for the operation, or the body is a `Status` and decodes as such.
pub fn response<'a>(registry: &'a dyn Registry, documents: &'a Documents) -> Check<'a> {
    let rule = "the status code is documented for the operation, or the body is a Status";
    Check::of_exchanges("response", rule, |recording, exchange| {
        examine(registry, documents.for_recording(recording)?, exchange)
    })
}

fn examine(registry: &dyn Registry, document: &Document, exchange: &Exchange) -> Examined {
    let (request, response) = (&exchange.request, &exchange.response);
    let documented = document.statuses(&request.method, &request.path);
    if documented.as_ref().is_some_and(|statuses| statuses.contains(response.status)) {
        return Ok(Vec::new());
    }
    let body = kinds::json_of(registry, response.body.as_ref());
    let status = body.filter(|body| TypeMeta::of(body) == Ok(TypeMeta::new("v1", "Status")));
    let hint = if let Some(status) = status {
        let Some(entry) = registry.find("v1", "Status") else {
            return Err("not registered: v1 Status".into());
        };
        match entry.decode_value(&status) {
            Ok(_) => return Ok(Vec::new()),
            Err(error) => format!("the body is a `Status`, but: {error}"),
        }
    } else {
        let (method, path) = (&request.method, &request.path);
        format!("see {method} {path} in {}", document.path().display())
    };
    let documented = documented.map_or_else(
        || "none, as there is no such operation".to_owned(),
        |documented| documented.to_string(),
    );
    let expected = format!("a documented status ({documented}), or a `Status` as the body");
    let found = format!("{}, {}", response.status, describe_body(response.body.as_ref()));
    Ok(vec![Mismatch::new("/response/status", expected, found, hint)])
}

fn describe_body(body: Option<&RecordedBody>) -> String {
    match body {
        None => "no body".to_owned(),
        Some(RecordedBody::Json(body)) => show(Some(body)),
        Some(RecordedBody::Text(_)) => "a textual body".to_owned(),
        Some(RecordedBody::Binary(_)) => "a binary body".to_owned(),
        Some(RecordedBody::Events(_)) => "events".to_owned(),
    }
}

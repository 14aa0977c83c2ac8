//! The text of a file as a recording.

use std::collections::BTreeMap;

use k8s_versioned::{StrictValue, from_json};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Content, Exchange, Place, RecordedRequest, RecordedResponse, Recording, RejectReason, Scenario,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a recording: an object")]
struct File {
    name: String,
    api_version: Option<String>,
    before: Option<Value>,
    request: Option<RecordedRequest>,
    response: Option<RecordedResponse>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// Reads a recording that was found at a place.
pub(super) fn parse(place: Place, text: &str) -> Result<Recording, RejectReason> {
    // serde keeps the last of two members with one name, so they are refused first.
    from_json::<StrictValue>(text.as_bytes()).map_err(RejectReason::Syntax)?;
    let file: File = from_json(text.as_bytes()).map_err(RejectReason::Syntax)?;
    let name = file.name.clone();
    let content = content(file)?;
    Ok(Recording { place, name, content })
}

fn content(file: File) -> Result<Content, RejectReason> {
    match (file.request, file.response) {
        (Some(request), Some(response)) => {
            let surplus = file.rest.into_keys().next();
            match surplus.or(file.api_version.map(|_| "apiVersion".to_owned())) {
                Some(member) => Err(RejectReason::Surplus { member }),
                None => Ok(Content::Exchange(Exchange { before: file.before, request, response })),
            }
        }
        (None, None) => scenario(file.api_version, file.before, file.rest),
        (Some(_), None) => Err(RejectReason::Half { missing: "response" }),
        (None, Some(_)) => Err(RejectReason::Half { missing: "request" }),
    }
}

fn scenario(
    api_version: Option<String>,
    before: Option<Value>,
    mut members: BTreeMap<String, Value>,
) -> Result<Content, RejectReason> {
    if members.is_empty() {
        return Err(RejectReason::Nothing);
    }
    members.extend(before.map(|before| ("before".to_owned(), before)));
    Ok(Content::Scenario(Scenario { api_version, members }))
}

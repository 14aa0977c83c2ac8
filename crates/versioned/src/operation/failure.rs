//! What a `Status` says of a failure.

use std::time::Duration;

use http::StatusCode;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::answer::TypeName;
use crate::wire;

/// What a `Status` says of a failure: the fields that programs decide by.
///
/// The generated `Status` types have all fields; [`ApiError::status`](super::ApiError::status) decodes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Failure {
    /// What happened, for people.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub message: String,
    /// What happened, in one word, such as `NotFound`; empty where the server has none for it.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub reason: String,
    /// The HTTP status code, if one is stated.
    #[serde(deserialize_with = "status_code")]
    pub code: Option<StatusCode>,
    /// What the request was about, and what is wrong with it.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub details: FailureDetails,
    /// Only the token that continues an expired list is read.
    #[serde(deserialize_with = "wire::null_is_zero")]
    metadata: Metadata,
}

/// What a failed request was about, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FailureDetails {
    /// The name of the object; empty if it is about none.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub name: String,
    /// The group of the object.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub group: String,
    /// The kind of the object, or the name of its resource.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub kind: String,
    /// The `uid` of the object.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub uid: String,
    /// Everything that is wrong, one by one.
    #[serde(deserialize_with = "wire::list")]
    pub causes: Vec<FailureCause>,
    /// How long to wait before the next attempt, if that is stated.
    #[serde(rename = "retryAfterSeconds", deserialize_with = "seconds")]
    pub retry_after: Option<Duration>,
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default)]
pub struct FailureCause {
    /// What is wrong, in one word, such as `FieldValueRequired`.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub reason: String,
    /// What is wrong, for people.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub message: String,
    /// The field that it is about, such as `spec.leaseName`; empty if it is about none.
    #[serde(deserialize_with = "wire::null_is_zero")]
    pub field: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default)]
struct Metadata {
    #[serde(deserialize_with = "wire::null_is_zero")]
    r#continue: String,
}

/// What is no status code counts as absent: the rest of the `Status` should not be lost for it.
fn status_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<StatusCode>, D::Error> {
    let code = Value::deserialize(deserializer)?.as_u64();
    let code = code.and_then(|code| u16::try_from(code).ok());
    Ok(code.and_then(|code| StatusCode::from_u16(code).ok()))
}

/// Go writes 0 for absent, and so counts anything else that is no number of seconds.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let seconds = Value::deserialize(deserializer)?.as_u64();
    Ok(seconds
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs))
}

impl Failure {
    /// Decodes the body of a failed request; nothing if it is not a `Status`.
    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        // Derived code reads arrays as structs, too.
        if !body.trim_ascii_start().starts_with(b"{") {
            return None;
        }
        // The kind comes first, so that nothing is made of what is no `Status`.
        let TypeName { kind } = serde_json::from_slice(body).ok()?;
        let is_status = kind.as_deref() == Some("Status");
        is_status.then(|| serde_json::from_slice(body).ok())?
    }

    /// The token with which an expired list can be continued, if the server offers one.
    pub fn continue_token(&self) -> Option<&str> {
        Some(self.metadata.r#continue.as_str()).filter(|token| !token.is_empty())
    }
}

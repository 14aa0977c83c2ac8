//! Requests that a server refused.

use std::fmt;
use std::time::Duration;

use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, StatusCode};
use k8s_versioned_core::Version;

use super::content::{TypeName, is_page, is_undecoded};
use super::{Warning, warning};
use crate::json;
use crate::meta::v1::{Status, StatusCause, StatusDetails};
use crate::quoted::{OneLine, Quoted, start, write_rest};

/// The response to a request that a server, or a proxy in front of it, refused.
///
/// The functions that begin with `is_` look at the reason of the server's `Status`, and without one at the HTTP status
/// code.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiError {
    code: StatusCode,
    status: Option<Status>,
    body: Vec<u8>,
    /// Whether the body may be a `Status` in a form that is not decoded.
    undecoded: bool,
    retry_after: Option<Duration>,
    warnings: Vec<Warning>,
    /// What the request was for.
    asked: Option<Asked>,
}

/// The group and version that a request was for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) api_version: String,
    /// Whether a `CustomResourceDefinition` serves it.
    pub(crate) custom: bool,
}

impl Asked {
    /// What to do if a server does not serve it.
    fn hint(&self) -> String {
        let Self { api_version, custom } = self;
        let (_, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        if *custom {
            let hint =
                "its CustomResourceDefinition is not installed, or does not serve this version";
            hint.to_owned()
        } else if version.parse().is_ok_and(Version::is_stable) {
            format!(
                "every API server whose release has `{api_version}` serves it by default: look at its release, and whether \
                 it is an API server"
            )
        } else {
            format!(
                "if its release has it, `--runtime-config={api_version}=true` on the API server switches it on"
            )
        }
    }
}

/// Returns `true` for the group of a custom resource. Groups of Kubernetes are one word or end in `.k8s.io`.
pub(crate) fn is_custom(group: &str) -> bool {
    group.contains('.') && !group.ends_with(".k8s.io")
}

impl ApiError {
    pub(super) fn new(
        code: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        asked: Option<Asked>,
    ) -> Self {
        let header = |name: HeaderName| headers.get(name)?.to_str().ok();
        let read = Self::of_event(body);
        Self {
            code,
            undecoded: read.status.is_none() && header(CONTENT_TYPE).is_some_and(is_undecoded),
            retry_after: header(RETRY_AFTER)
                .and_then(|seconds| seconds.trim().parse().ok())
                .map(Duration::from_secs),
            warnings: warning::all(headers),
            asked,
            ..read
        }
    }

    /// The error of a watch: a `Status` where an object is expected.
    pub(super) fn of_event(body: &[u8]) -> Self {
        let status = decode(body);
        let code = status.as_ref().and_then(|status| status.code);
        let code = code.and_then(|code| StatusCode::from_u16(code.try_into().ok()?).ok());
        Self {
            code: code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            status,
            body: body.to_vec(),
            undecoded: false,
            retry_after: None,
            warnings: Vec::new(),
            asked: None,
        }
    }

    /// The HTTP status code.
    pub fn code(&self) -> StatusCode {
        self.code
    }

    /// The server's `Status`; `None` if the body is not one, as from a proxy.
    pub fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }

    /// The bytes of the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The warnings that came with the answer.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The reason in one word, such as `NotFound`; empty if the server gives none.
    pub fn reason(&self) -> &str {
        let reason = self.status.as_ref().and_then(|status| status.reason.as_deref());
        reason.unwrap_or_default()
    }

    /// The message for people; empty if the server gives none.
    pub fn message(&self) -> &str {
        let message = self.status.as_ref().and_then(|status| status.message.as_deref());
        message.unwrap_or_default()
    }

    fn details(&self) -> Option<&StatusDetails> {
        self.status.as_ref()?.details.as_ref()
    }

    /// The errors in the request, one by one.
    pub fn causes(&self) -> &[StatusCause] {
        self.details().map_or(&[], |details| &details.causes)
    }

    /// The token with which an expired list can be continued, if the server offers one.
    pub fn continue_token(&self) -> Option<&str> {
        self.status.as_ref()?.metadata.continue_token()
    }

    /// The time to wait before the next attempt, from the header `Retry-After` or the `Status`.
    ///
    /// `None` if there is neither, and for a `Retry-After` with an HTTP date: API servers send seconds.
    pub fn retry_after(&self) -> Option<Duration> {
        let stated = || {
            let seconds = self.details()?.retry_after_seconds?.try_into().ok()?;
            Some(Duration::from_secs(seconds)).filter(|waits| !waits.is_zero())
        };
        self.retry_after.or_else(stated)
    }

    /// The server cannot read the request: its body, or a parameter (400).
    pub fn is_bad_request(&self) -> bool {
        self.is("BadRequest", StatusCode::BAD_REQUEST)
    }

    /// The request has no credentials that the server accepts (401).
    pub fn is_unauthorized(&self) -> bool {
        self.is("Unauthorized", StatusCode::UNAUTHORIZED)
    }

    /// The caller may not do this (403).
    pub fn is_forbidden(&self) -> bool {
        self.is("Forbidden", StatusCode::FORBIDDEN)
    }

    /// The server does not read the media type of the body (415), or has no media type that the request accepts (406).
    /// It may have no protobuf for the resource: then the same request in JSON succeeds.
    pub fn is_unsupported(&self) -> bool {
        [StatusCode::UNSUPPORTED_MEDIA_TYPE, StatusCode::NOT_ACCEPTABLE].contains(&self.code)
    }

    /// The object or the API does not exist (404): see [`is_not_served`](Self::is_not_served).
    pub fn is_not_found(&self) -> bool {
        self.is("NotFound", StatusCode::NOT_FOUND)
    }

    /// The server does not serve this API: its release does not have it, or it is switched off (404).
    ///
    /// A server that serves the API sends a `Status` with the name of the missing object or namespace. For a version of
    /// a group that it serves in other versions only, it sends a `Status` without a name; for a group that it does not
    /// know, plain text. In YAML and the binary forms these look alike here: the result is `false`.
    ///
    /// Servers check permissions before paths: a caller without permission for the API gets 403, and the result is `false`.
    pub fn is_not_served(&self) -> bool {
        let name = self.details().and_then(|details| details.name.as_deref());
        let nothing_named = name.is_none_or(str::is_empty) && !self.has_unread_status();
        self.is_not_found() && nothing_named
    }

    /// The object already exists (409).
    pub fn is_already_exists(&self) -> bool {
        self.reason() == "AlreadyExists"
    }

    /// The object has changed, others own the fields, or a precondition does not hold (409).
    ///
    /// In YAML and the binary forms a conflict looks like an object that exists already, and the result is `false`: a
    /// program that tries again after a conflict would try forever after the other.
    pub fn is_conflict(&self) -> bool {
        self.is("Conflict", StatusCode::CONFLICT) && !self.has_unread_status()
    }

    /// The server no longer has the requested state (410): list again, then watch from there.
    pub fn is_expired(&self) -> bool {
        self.reason() == "Expired" || self.is("Gone", StatusCode::GONE)
    }

    /// The object breaks a rule (422): see [`causes`](Self::causes).
    pub fn is_invalid(&self) -> bool {
        self.is("Invalid", StatusCode::UNPROCESSABLE_ENTITY)
    }

    /// The server is overloaded (429): see [`retry_after`](Self::retry_after).
    pub fn is_too_many_requests(&self) -> bool {
        self.is("TooManyRequests", StatusCode::TOO_MANY_REQUESTS)
    }

    /// The server could not answer in time (504, or 500 with the reason `ServerTimeout`).
    pub fn is_timeout(&self) -> bool {
        self.reason() == "ServerTimeout" || self.is("Timeout", StatusCode::GATEWAY_TIMEOUT)
    }

    /// What the caller can do about missing or wrong credentials (401, 403), a missing RBAC permission (403), an API
    /// that is not served (404), an overloaded server (429), or the page (HTML) of something that is not an API server.
    pub fn hint(&self) -> Option<String> {
        let hint = if self.status.is_none() && is_page(&self.body) {
            OTHER_SERVER
        } else if self.is_unauthorized() {
            "the credentials are missing, wrong or expired: log in again, or check the service account"
        } else if self.is_too_many_requests() {
            "the server has too much to do: try again later, and less often"
        } else if self.is_not_served() {
            return Some(self.asked.as_ref().map_or(OTHER_SERVER.to_owned(), Asked::hint));
        } else {
            return self.hint_about_permissions().filter(|_| self.is_forbidden());
        };
        Some(hint.to_owned())
    }

    /// The words are those of RBAC. Admission also refuses with 403, and no role helps then.
    fn hint_about_permissions(&self) -> Option<String> {
        let (user, action) = self.message().split_once(" cannot ")?;
        if user.ends_with("User \"system:anonymous\"") {
            let hint = "the request has no credentials: check the user of the context";
            return Some(hint.to_owned());
        }
        if let Some((verb, path)) = action.split_once(" path \"") {
            let (verb, path) = (Quoted(verb), Quoted(path.trim_end_matches('"')));
            return Some(format!(
                "let a ClusterRole that is bound to this user allow the verb {verb} for the path {path}, as `system:discovery` does"
            ));
        }
        let (verb, rest) = action.split_once(" resource \"")?;
        let (resource, _) = rest.split_once('"')?;
        let (verb, resource) = (Quoted(verb), Quoted(resource));
        Some(format!("let a Role that is bound to this user allow the verb {verb} for {resource}"))
    }

    /// Returns `true` if the body may be a `Status` that was not decoded.
    fn has_unread_status(&self) -> bool {
        self.status.is_none() && self.undecoded
    }

    fn is(&self, reason: &str, code: StatusCode) -> bool {
        match self.reason() {
            "" | "Unknown" => self.code == code,
            found => found == reason,
        }
    }
}

impl std::error::Error for ApiError {}

/// The body as text.
impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiError")
            .field("code", &self.code)
            .field("status", &self.status)
            .field("body", &String::from_utf8_lossy(&self.body))
            .field("retry_after", &self.retry_after)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// The hint for answers that no API server gives.
pub(crate) const OTHER_SERVER: &str = "is this an API server? Check `server` in the kubeconfig, and the proxy or the login page before it";

/// Decodes the body of a failed request; `None` if it is not a `Status`.
fn decode(body: &[u8]) -> Option<Status> {
    #[cfg(feature = "protobuf")]
    if crate::protobuf::Envelope::begins(body) {
        return crate::protobuf::decode(body).ok();
    }
    // Reads the kind first: every field of a `Status` is optional, so any object would decode.
    let name: TypeName = json::read(body).ok()?;
    name.is_status().then(|| json::read(body).ok())?
}

/// The number of characters that are shown of a text that is not a `Status`.
const SHOWN: usize = 200;

/// Writes the first line of a body that is not a `Status`, such as the text of a proxy.
fn write_first_line(body: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = std::str::from_utf8(body).unwrap_or_default();
    let Some(line) = text.trim().lines().next() else {
        return Ok(());
    };
    let start = start(line, SHOWN);
    write!(f, ": {}", OneLine(start))?;
    write_rest(f, start, line)
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        match self.message() {
            "" => {}
            message => write!(f, ": {}", OneLine(message))?,
        }
        if self.status.is_none() && !self.undecoded {
            write_first_line(&self.body, f)?;
        }
        match &self.asked {
            Some(Asked { api_version, .. }) if self.is_not_served() => {
                write!(f, ": the server does not serve `{api_version}`")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::TypeMeta;
    use crate::resource_path::ResourcePath;
    use crate::verb::Verb;
    use http::StatusCode;

    use crate::requests::{Parts, Query};
    use crate::requests::{RawBody, ResponseError};

    /// The message and the hint.
    fn not_served(group: &str, version: &'static str, custom: bool) -> (String, String) {
        let parts = Parts {
            about: TypeMeta {
                api_version: format!("{group}/{version}").into(),
                kind: "Route".into(),
            },
            custom,
            verb: &Verb::LIST,
            path: ResourcePath { group, ..ResourcePath::default() },
            query: Query::default(),
            body: None,
        };
        let request = parts.build::<RawBody>().unwrap();
        let mut response = http::Response::new("404 page not found");
        *response.status_mut() = StatusCode::NOT_FOUND;
        let error: ResponseError = request.decode(&response).unwrap_err();
        (error.to_string(), error.hint().unwrap())
    }

    /// Some custom resources have a group that looks like one of Kubernetes: their types say it.
    #[test]
    fn the_type_says_that_a_resource_is_custom() {
        for (group, version, custom, expected) in [
            ("gateway.networking.k8s.io", "v1", true, "CustomResourceDefinition"),
            ("networking.k8s.io", "v1beta1", false, "--runtime-config"),
            // Stable versions are on.
            ("networking.k8s.io", "v1", false, "by default"),
            ("acme.example.org", "v1", false, "CustomResourceDefinition"),
        ] {
            let (message, hint) = not_served(group, version, custom);
            let named = format!(": the server does not serve `{group}/{version}`");
            assert!(message.ends_with(&named), "{message}");
            assert!(hint.contains(expected), "{hint}");
        }
    }
}

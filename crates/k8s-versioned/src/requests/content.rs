//! What a body is, before it is decoded: its media type, and the kind that it names.

use serde::Deserialize;

use crate::Kind;
use crate::meta::v1::Status;

/// The `apiVersion` and the `kind` of an object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(crate) struct TypeName {
    api_version: Option<String>,
    kind: Option<String>,
}

impl TypeName {
    /// Returns `false` if it names another kind.
    #[cfg(feature = "protobuf")]
    pub(crate) fn may_be(&self, api_version: &str, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|known| known == kind)
            && self.api_version.as_deref().is_none_or(|known| known == api_version)
    }

    /// Returns `true` for `Status`, but not for a custom kind of this name.
    pub(crate) fn is_status(&self) -> bool {
        self.kind.as_deref() == Some(Status::KIND)
            && self
                .api_version
                .as_deref()
                .is_none_or(|api_version| api_version == Status::API_VERSION)
    }
}

/// Returns `true` for HTML, which no API server sends.
pub(crate) fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

pub(crate) const JSON: &str = "application/json";

/// The forms of Kubernetes that are never decoded.
const UNDECODED: [&str; 3] =
    ["application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor"];

/// Returns `true` if a body is in a form of Kubernetes that is never decoded.
pub(crate) fn is_undecoded(content_type: &str) -> bool {
    let found = media_type(content_type);
    UNDECODED.iter().any(|form| form.eq_ignore_ascii_case(found))
}

/// The media type without its parameters.
pub(crate) fn media_type(content_type: &str) -> &str {
    let (media_type, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    media_type.trim()
}

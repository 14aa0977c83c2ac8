//! The media types of answers.

pub(super) const JSON: &str = "application/json";

/// The forms of Kubernetes that are never decoded.
const UNDECODED: [&str; 3] =
    ["application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor"];

/// True if a body is in a form of Kubernetes that is never decoded.
pub(super) fn is_undecoded(content_type: &str) -> bool {
    let found = media_type(content_type);
    UNDECODED.iter().any(|form| form.eq_ignore_ascii_case(found))
}

/// The media type without its parameters.
pub(super) fn media_type(content_type: &str) -> &str {
    let (media_type, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    media_type.trim()
}

//! The media types of bodies.

use std::fmt;

/// A media type that the documents use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaType {
    /// `*/*`: whatever the server can decode.
    Any,
    /// JSON.
    Json,
    /// A stream of JSON watch events.
    JsonWatch,
    /// YAML.
    Yaml,
    /// Protocol buffers.
    Protobuf,
    /// A stream of watch events as protocol buffers.
    ProtobufWatch,
    /// CBOR.
    Cbor,
    /// A sequence of CBOR items.
    CborSequence,
    /// A JSON patch (RFC 6902).
    JsonPatch,
    /// A merge patch (RFC 7386).
    MergePatch,
    /// A strategic merge patch.
    StrategicMergePatch,
    /// An apply configuration as YAML.
    ApplyYaml,
    /// An apply configuration as CBOR.
    ApplyCbor,
}

impl MediaType {
    /// All that are understood, by name.
    pub const ALL: [(&'static str, Self); 13] = [
        ("*/*", Self::Any),
        ("application/apply-patch+cbor", Self::ApplyCbor),
        ("application/apply-patch+yaml", Self::ApplyYaml),
        ("application/cbor", Self::Cbor),
        ("application/cbor-seq", Self::CborSequence),
        ("application/json", Self::Json),
        ("application/json-patch+json", Self::JsonPatch),
        ("application/json;stream=watch", Self::JsonWatch),
        ("application/merge-patch+json", Self::MergePatch),
        ("application/strategic-merge-patch+json", Self::StrategicMergePatch),
        ("application/vnd.kubernetes.protobuf", Self::Protobuf),
        ("application/vnd.kubernetes.protobuf;stream=watch", Self::ProtobufWatch),
        ("application/yaml", Self::Yaml),
    ];
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL
            .iter()
            .find(|(_, media_type)| media_type == self)
            .map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

//! The forms in which an answer can be wanted.

use std::fmt;

use super::{Answer, BodyError};

/// The form in which an answer is wanted: what the header `Accept` says.
///
/// An answer in another form than JSON is not decoded: it is [`Raw`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Accept {
    /// JSON.
    #[default]
    Json,
    /// YAML.
    Yaml,
    /// Kubernetes' protocol buffers.
    Protobuf,
    /// CBOR, from servers that have it switched on.
    Cbor,
    /// Rows and columns, as `kubectl get` shows them, in JSON.
    Table,
    /// The metadata of one object (`PartialObjectMetadata`), in JSON.
    PartialObjectMetadata,
    /// The metadata of each object of a list (`PartialObjectMetadataList`), in JSON.
    PartialObjectMetadataList,
}

impl Accept {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Json,
        Self::Yaml,
        Self::Protobuf,
        Self::Cbor,
        Self::Table,
        Self::PartialObjectMetadata,
        Self::PartialObjectMetadataList,
    ];

    /// The value of the header.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
            Self::Cbor => "application/cbor",
            Self::Table => "application/json;as=Table;v=v1;g=meta.k8s.io",
            Self::PartialObjectMetadata => {
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
            }
            Self::PartialObjectMetadataList => {
                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
            }
        }
    }

    /// The form that a header asks for, if it is one of these.
    pub fn parse(header: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|accept| accept.as_str() == header)
    }
}

/// True if a body is in a form of Kubernetes that is never decoded.
pub(super) fn is_undecoded(content_type: &str) -> bool {
    let found = media_type(content_type);
    let undecoded = [Accept::Yaml, Accept::Protobuf, Accept::Cbor];
    undecoded.iter().any(|form| form.as_str().eq_ignore_ascii_case(found))
}

/// The media type without its parameters.
pub(super) fn media_type(content_type: &str) -> &str {
    let (media_type, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    media_type.trim()
}

/// A body as it came.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Raw {
    /// The header `Content-Type`.
    pub content_type: Option<String>,
    /// The body.
    pub bytes: Vec<u8>,
}

/// The body as text: most are, and for people the numbers of bytes are none.
impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw")
            .field("content_type", &self.content_type)
            .field("bytes", &String::from_utf8_lossy(&self.bytes))
            .finish()
    }
}

impl Answer for Raw {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        Ok(Self { content_type: content_type.map(str::to_owned), bytes: body.to_vec() })
    }

    fn kind(&self) -> &'static str {
        ""
    }
}

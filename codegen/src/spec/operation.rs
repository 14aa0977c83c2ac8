//! Operations: of one document, or merged over all releases.

use std::collections::BTreeMap;

use strum::{Display, EnumString, VariantNames};

use super::{GroupVersionKind, Releases};
use crate::Place;

/// One operation: a method on a path.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The place in the documents of the newest release.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: String,
    /// `x-kubernetes-action`; discovery has none.
    pub action: Option<Action>,
    /// The kind that it works on; discovery has none.
    pub kind: Option<GroupVersionKind>,
    /// The parameters of the path and of the operation itself.
    pub parameters: BTreeMap<ParameterKey, Parameter>,
    /// The body of the request, and whether it must be there.
    pub body: Option<(Body, bool)>,
    /// The bodies of the responses by status code; none where the documents state no content.
    pub responses: BTreeMap<u16, Option<Body>>,
    /// `true` for a document of custom resources, which states their verbs in other words.
    pub custom: bool,
}

impl Operation {
    /// The parameters in the query, by name.
    pub fn query(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        let query = self.parameters.iter();
        let query = query.filter(|((location, _), _)| *location == Location::Query);
        query.map(|((_, name), parameter)| (name.as_str(), parameter))
    }
}

/// The methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display)]
#[strum(serialize_all = "UPPERCASE")]
#[allow(missing_docs, reason = "HTTP says what they are")]
pub enum Method {
    Delete,
    Get,
    Head,
    Options,
    Patch,
    Post,
    Put,
}

/// The action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Action {
    /// Connects to something behind the server.
    Connect,
    /// Deletes one object.
    Delete,
    /// Deletes all objects that are selected.
    DeleteCollection,
    /// Reads one object.
    Get,
    /// Reads all objects that are selected.
    List,
    /// Changes one object.
    Patch,
    /// Creates one object.
    Post,
    /// Replaces one object.
    Put,
    /// Watches one object, on a deprecated path.
    Watch,
    /// Watches all objects that are selected, on a deprecated path.
    WatchList,
}

/// The place and the name of a parameter.
pub type ParameterKey = (Location, String);

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The place in the documents of the newest release.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// The type of the values that it takes.
    pub schema: ParameterType,
}

/// The part of a request that holds a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ParameterType {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Text.
    String,
}

/// A body: one schema in one or more forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The full name of its schema; empty for text, which has none.
    pub schema: String,
    /// The media types that it can have, and the releases that take or give them.
    pub media_types: BTreeMap<MediaType, Releases>,
}

/// A media type that the documents use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumString, VariantNames)]
pub enum MediaType {
    /// Any type that the server can decode.
    #[strum(serialize = "*/*")]
    Any,
    /// An apply configuration as CBOR.
    #[strum(serialize = "application/apply-patch+cbor")]
    ApplyCbor,
    /// An apply configuration as YAML.
    #[strum(serialize = "application/apply-patch+yaml")]
    ApplyYaml,
    /// CBOR.
    #[strum(serialize = "application/cbor")]
    Cbor,
    /// A sequence of CBOR items.
    #[strum(serialize = "application/cbor-seq")]
    CborSequence,
    /// JSON.
    #[strum(serialize = "application/json")]
    Json,
    /// A JSON patch (RFC 6902).
    #[strum(serialize = "application/json-patch+json")]
    JsonPatch,
    /// A stream of JSON watch events.
    #[strum(serialize = "application/json;stream=watch")]
    JsonWatch,
    /// A merge patch (RFC 7386).
    #[strum(serialize = "application/merge-patch+json")]
    MergePatch,
    /// A strategic merge patch.
    #[strum(serialize = "application/strategic-merge-patch+json")]
    StrategicMergePatch,
    /// Protocol buffers.
    #[strum(serialize = "application/vnd.kubernetes.protobuf")]
    Protobuf,
    /// A stream of watch events as protocol buffers.
    #[strum(serialize = "application/vnd.kubernetes.protobuf;stream=watch")]
    ProtobufWatch,
    /// YAML.
    #[strum(serialize = "application/yaml")]
    Yaml,
    /// Text.
    #[strum(serialize = "text/plain")]
    Text,
}

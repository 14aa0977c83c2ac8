//! Operations: of one document, or merged over all releases.

use k8s_versioned_core::verb;
use litemap::LiteMap;

use super::{GroupVersionKind, Releases};
use crate::Place;

/// One operation: a method on a path.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The place in the documents of the newest release.
    pub(crate) place: Place,
    /// The releases that have it.
    pub(crate) releases: Releases,
    /// The HTTP method, such as `GET`.
    pub(crate) method: &'static str,
    /// The path, with `{name}` for its parameters.
    pub(crate) path: String,
    /// `x-kubernetes-action`; discovery has none.
    pub(crate) action: Option<Action>,
    /// The kind that it works on; discovery has none.
    pub(crate) kind: Option<GroupVersionKind>,
    /// The parameters of the path and of the operation itself.
    pub(crate) parameters: LiteMap<ParameterKey, Parameter>,
    /// The body of the request, and whether it must be there.
    pub(crate) body: Option<(Body, bool)>,
    /// The bodies of the responses by status code; none where the documents state no content.
    pub(crate) responses: LiteMap<u16, Option<Body>>,
    /// `true` for a document of custom resources, which states their verbs in other words.
    pub(crate) custom: bool,
    /// `true` if the operation was made of its verb, as for a definition: there is nothing to compare.
    pub(crate) of_verb: bool,
}

impl Operation {
    /// The parameters in the query, by name.
    pub(crate) fn query(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        let query = self.parameters.iter();
        let query = query.filter(|((location, _), _)| *location == Location::Query);
        query.map(|((_, name), parameter)| (name.as_str(), parameter))
    }
}

/// The action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
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

impl Action {
    /// All actions.
    pub(crate) const ALL: [Self; 10] = [
        Self::Connect,
        Self::Delete,
        Self::DeleteCollection,
        Self::Get,
        Self::List,
        Self::Patch,
        Self::Post,
        Self::Put,
        Self::Watch,
        Self::WatchList,
    ];

    /// The word of documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::Get => "get",
            Self::List => "list",
            Self::Patch => "patch",
            Self::Post => "post",
            Self::Put => "put",
            Self::Watch => "watch",
            Self::WatchList => "watchlist",
        }
    }

    /// The action with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// The place and the name of a parameter.
pub(crate) type ParameterKey = (Location, String);

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// The place in the documents of the newest release.
    pub(crate) place: Place,
    /// The releases that have it.
    pub(crate) releases: Releases,
    /// The type of the values that it takes: a JSON type.
    pub(crate) schema: &'static str,
}

/// The part of a request that holds a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    /// The path.
    Path,
    /// The query.
    Query,
}

impl Location {
    /// All parts.
    pub(crate) const ALL: [Self; 2] = [Self::Path, Self::Query];

    /// The word of documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
        }
    }
}

/// The types that parameters have.
pub(crate) const PARAMETER_TYPES: [&str; 3] = ["boolean", "integer", "string"];

/// The type of a parameter of a verb, as documents write it.
pub(crate) fn parameter_type(of_verb: verb::ParameterType) -> &'static str {
    match of_verb {
        verb::ParameterType::Boolean => "boolean",
        verb::ParameterType::Integer => "integer",
        _ => "string",
    }
}

/// A body: one schema in one or more forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    /// The full name of its schema; empty for text, which has none.
    pub(crate) schema: String,
    /// The media types that it can have, and the releases that take or give them.
    pub(crate) media_types: LiteMap<&'static str, Releases>,
}

/// The media types that documents use.
pub(crate) const MEDIA_TYPES: [&str; 14] = [
    "*/*",
    "application/apply-patch+cbor",
    "application/apply-patch+yaml",
    "application/cbor",
    "application/cbor-seq",
    "application/json",
    "application/json-patch+json",
    "application/json;stream=watch",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf;stream=watch",
    "application/yaml",
    "text/plain",
];

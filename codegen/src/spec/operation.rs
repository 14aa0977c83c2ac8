//! Operations as the documents state them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{GroupVersionKind, MediaType};
use crate::Place;

/// One operation: a method on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Where it stands.
    pub place: Place,
    /// `operationId`
    pub id: String,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: String,
    /// `x-kubernetes-action`; discovery has none.
    pub action: Option<Action>,
    /// The kind that it works on; discovery has none.
    pub kind: Option<GroupVersionKind>,
    /// The parameters of the path and of the operation itself.
    pub parameters: Vec<Parameter>,
    /// The body of the request, and whether it must be there.
    pub body: Option<(Body, bool)>,
    /// The bodies of the responses by status code; none where the document states no content.
    pub responses: BTreeMap<u16, Option<Body>>,
}

/// The methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// `DELETE`
    Delete,
    /// `GET`
    Get,
    /// `PATCH`
    Patch,
    /// `POST`
    Post,
    /// `PUT`
    Put,
}

impl Method {
    /// All that are understood, as the documents name them.
    pub const ALL: [(&'static str, Self); 5] = [
        ("delete", Self::Delete),
        ("get", Self::Get),
        ("patch", Self::Patch),
        ("post", Self::Post),
        ("put", Self::Put),
    ];

    /// The name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delete => "DELETE",
            Self::Get => "GET",
            Self::Patch => "PATCH",
            Self::Post => "POST",
            Self::Put => "PUT",
        }
    }
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
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
    /// All that are understood, by name.
    pub const ALL: [(&'static str, Self); 9] = [
        ("delete", Self::Delete),
        ("deletecollection", Self::DeleteCollection),
        ("get", Self::Get),
        ("list", Self::List),
        ("patch", Self::Patch),
        ("post", Self::Post),
        ("put", Self::Put),
        ("watch", Self::Watch),
        ("watchlist", Self::WatchList),
    ];
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            Self::ALL.iter().find(|(_, action)| action == self).map_or("", |(name, _)| name),
        )
    }
}

/// A parameter of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it stands.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// Where it is sent.
    pub location: Location,
    /// What it can be.
    pub schema: ParameterType,
}

/// Where a parameter is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The full name of its schema.
    pub schema: String,
    /// The media types that it can have.
    pub media_types: BTreeSet<MediaType>,
}

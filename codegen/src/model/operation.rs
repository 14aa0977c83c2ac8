//! Operations, over all releases.

use std::collections::BTreeMap;

use super::Releases;
use crate::Place;
use crate::spec::{Action, GroupVersionKind, Location, MediaType, Method, ParameterType};

/// A method on a path, over all releases.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Where the newest release states it.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: String,
    /// What it does; discovery has no action.
    pub action: Option<Action>,
    /// The kind that it works on; discovery has none.
    pub kind: Option<GroupVersionKind>,
    /// The parameters by place and name.
    pub parameters: BTreeMap<(Location, String), Parameter>,
    /// The body of the request, and whether it must be there.
    pub body: Option<(Body, bool)>,
    /// The responses by status code; no body where the documents state none.
    pub responses: BTreeMap<u16, Option<Body>>,
}

/// A parameter, over all releases.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The releases that have it.
    pub releases: Releases,
    /// What it can be.
    pub schema: ParameterType,
}

/// A body, over all releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The full name of its schema.
    pub schema: String,
    /// The media types and the releases that take or give them.
    pub media_types: MediaTypes,
}

/// Media types and the releases that know them.
pub type MediaTypes = BTreeMap<MediaType, Releases>;

//! What a type says about the kind of object it is.

use std::fmt;

/// A type whose values carry `apiVersion` and `kind`.
///
/// The two are constants here, not fields: a value of the type cannot carry a wrong one.
pub trait Kind: Sized + 'static {
    /// The API group; empty for the core group.
    const GROUP: &'static str;
    /// The version of the group.
    const VERSION: &'static str;
    /// The name of the kind.
    const KIND: &'static str;
    /// The `apiVersion` that is written: group and version.
    const API_VERSION: &'static str;
    /// The `apiVersion`s that are accepted on reading.
    ///
    /// Most kinds have one. A kind that every group serves, such as `DeleteOptions`, has more.
    const ACCEPTED_API_VERSIONS: &'static [&'static str] = &[Self::API_VERSION];
}

/// An object that has a name and a URL of its own.
pub trait Resource: Kind {
    /// The name of the resource in URLs: the plural, in lower case.
    const PLURAL: &'static str;
    /// Whether objects live in a namespace.
    const SCOPE: Scope;
    /// The type of the object's metadata.
    type Metadata;
    /// The kind that holds many of these objects.
    type List: List<Item = Self>;

    /// The object's metadata.
    fn metadata(&self) -> &Self::Metadata;

    /// The object's metadata, to change.
    fn metadata_mut(&mut self) -> &mut Self::Metadata;
}

/// The answer to a list request: many objects of one resource.
pub trait List: Kind {
    /// The objects that it holds.
    type Item: Resource<List = Self>;
    /// The type of the list's own metadata.
    type Metadata;

    /// The list's own metadata.
    fn metadata(&self) -> &Self::Metadata;

    /// The list's own metadata, to change.
    fn metadata_mut(&mut self) -> &mut Self::Metadata;

    /// The objects.
    fn items(&self) -> &[Self::Item];

    /// The objects, to change.
    fn items_mut(&mut self) -> &mut Vec<Self::Item>;

    /// The objects, without the list around them.
    fn into_items(self) -> Vec<Self::Item>;
}

/// Where the objects of a resource live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In a namespace.
    Namespaced,
    /// In the cluster, outside all namespaces.
    Cluster,
}

impl fmt::Display for Scope {
    /// Writes the scope as custom resource definitions name it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Namespaced => "Namespaced",
            Self::Cluster => "Cluster",
        })
    }
}

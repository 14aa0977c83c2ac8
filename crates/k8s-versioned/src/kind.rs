//! The traits of kinds and resources.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Lifecycle;
use crate::meta::v1::ObjectMeta;
use crate::verb::Verb;
use crate::wire::Fields;

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
    /// The accepted `apiVersion`s, separated by spaces.
    ///
    /// Most kinds have one. A kind that every group serves, such as `DeleteOptions`, has more.
    const ACCEPTED_API_VERSIONS: &'static str = Self::API_VERSION;
    /// The releases that serve the kind; `None` if no limit is known.
    const LIFECYCLE: Option<Lifecycle> = None;

    /// The token that gets the next page of a list; `None` for other kinds.
    #[doc(hidden)]
    fn continue_token(&self) -> Option<&str> {
        None
    }
}

/// An object with a name and a URL. (`kube::Resource` is another trait: it describes kinds for the client.)
///
/// Every such object can be cloned, compared, printed, written and read, so that generic code needs no other bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource: no document of the API has a path of it",
    note = "the generator implements `Resource` for kinds with paths and metadata"
)]
pub trait Resource:
    Kind + Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Fields + Send + Sync
{
    /// The scope: [`Namespaced`](crate::Namespaced) or [`ClusterScoped`](crate::ClusterScoped).
    type Scope: Scope;
    /// The name of the resource in URLs: the plural, in lower case.
    const PLURAL: &'static str;
    /// The kind of a [`List`](crate::List) of these objects.
    const LIST_KIND: &'static str;
    /// The verbs that servers have for the resource. The default is the verbs of most resources.
    #[doc(hidden)]
    const VERBS: &'static [Verb] = &Verb::OF_RESOURCES;

    /// Returns `true` if the items of a list carry `apiVersion` and `kind`: servers write both for custom resources.
    #[doc(hidden)]
    const TYPED_ITEMS: bool = false;

    /// The same kind with every field optional: it holds the fields that a server-side apply sets.
    ///
    /// It is `Self` if all fields of the kind are optional, and if servers take no patches.
    type Apply: Kind + Serialize + Send + Sync;

    /// The object's metadata.
    fn metadata(&self) -> &ObjectMeta;

    /// The object's metadata, to change.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;

    /// Sets the namespace.
    #[must_use]
    fn within(mut self, namespace: impl Into<String>) -> Self {
        self.metadata_mut().namespace = Some(namespace.into());
        self
    }
}

/// A resource whose objects have a `spec`: the desired state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `spec` with a type of its own",
    note = "the generator implements `HasSpec` for the resources whose schema has one"
)]
pub trait HasSpec: Resource {
    /// The type of the spec.
    type Spec: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// An object from its metadata and its spec.
    fn from_parts(metadata: ObjectMeta, spec: Self::Spec) -> Self;

    /// An object with this name and spec.
    fn named(name: impl Into<String>, spec: Self::Spec) -> Self {
        Self::from_parts(ObjectMeta::default().with_name(name), spec)
    }

    /// Returns the desired state.
    fn spec(&self) -> &Self::Spec;

    /// The spec, to change.
    fn spec_mut(&mut self) -> &mut Self::Spec;
}

/// A custom resource with the manifest that defines it.
///
/// A package of custom resources implements it for its kinds, so that programs can install their definitions.
#[diagnostic::on_unimplemented(
    message = "the package of `{Self}` has no `CustomResourceDefinition` of it",
    note = "the generator implements `CustomResource` for the definitions in `specs`"
)]
pub trait CustomResource: Resource {
    /// The `CustomResourceDefinition` as JSON.
    const DEFINITION: &'static str;
}

// The scopes of resources.

/// The scope of a resource: [`Namespaced`] or [`ClusterScoped`].
pub trait Scope: sealed::Sealed + 'static {
    /// What a request states in addition to the name of an object: a namespace, or `()`.
    type Namespace<'a>: Copy;

    /// Whether the objects live in namespaces.
    #[doc(hidden)]
    const IS_NAMESPACED: bool;

    /// The namespace as a part of a path.
    #[doc(hidden)]
    fn namespace(namespace: Self::Namespace<'_>) -> Option<&str>;
}

/// The scope of resources whose objects live in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespaced {}

/// The scope of resources whose objects live outside all namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClusterScoped {}

impl Scope for Namespaced {
    type Namespace<'a> = &'a str;
    const IS_NAMESPACED: bool = true;

    fn namespace(namespace: Self::Namespace<'_>) -> Option<&str> {
        Some(namespace)
    }
}

impl Scope for ClusterScoped {
    type Namespace<'a> = ();
    const IS_NAMESPACED: bool = false;

    fn namespace((): Self::Namespace<'_>) -> Option<&str> {
        None
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Namespaced {}
    impl Sealed for super::ClusterScoped {}
}

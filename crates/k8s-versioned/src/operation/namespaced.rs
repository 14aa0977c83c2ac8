//! Resources whose objects live in namespaces.

use super::place::Place;
use super::{Deletion, ListParameters, Patch, Request, RequestError, Watch, WriteParameters};
use crate::meta::v1::DeleteOptions;
use crate::{List, Resource};

/// A resource whose objects live in namespaces, with a function for each verb that builds the request.
///
/// Parameters are `()` where there are none, and go by value or by reference. The docs of a resource list the verbs
/// that it has, with paths and status codes; a call of another verb does not compile. All functions fail if the request
/// cannot be built: see [`RequestError`].
#[allow(clippy::missing_errors_doc, reason = "the docs of the trait have it")]
pub trait Namespaced: Resource {
    /// Reads an object.
    fn get(namespace: &str, name: &str) -> Result<Request<Self>, RequestError> {
        Place::namespace(namespace).object(name).get()
    }

    /// Lists the objects of a namespace.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    fn list(
        namespace: &str,
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<List<Self>>, RequestError> {
        Place::namespace(namespace).list(&parameters.into())
    }

    /// Lists the objects of all namespaces.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    fn list_all_namespaces(
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<List<Self>>, RequestError> {
        Place::cluster().list(&parameters.into())
    }

    /// Watches the objects of a namespace for changes after `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with
    /// the `fieldSelector` `metadata.name=<name>`.
    fn watch(
        namespace: &str,
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<Watch<Self>>, RequestError> {
        Place::namespace(namespace).watch(&parameters.into())
    }

    /// Watches the objects of all namespaces for changes after `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with
    /// the `fieldSelector` `metadata.name=<name>`.
    fn watch_all_namespaces(
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<Watch<Self>>, RequestError> {
        Place::cluster().watch(&parameters.into())
    }

    /// Creates an object.
    ///
    /// Its `metadata.namespace` is that of the path, or absent. Without a `metadata.name` the server makes a name from
    /// `metadata.generateName`.
    fn create(
        namespace: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::namespace(namespace).create(object, &parameters.into())
    }

    /// Replaces an object. Servers create objects of some kinds if there is none.
    ///
    /// Leave `metadata.resourceVersion` as it was read: the server answers 409 if the object has changed since.
    fn replace(
        namespace: &str,
        name: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::namespace(namespace).object(name).replace(object, &parameters.into())
    }

    /// Changes an object with a patch.
    fn patch(
        namespace: &str,
        name: &str,
        patch: &Patch,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::namespace(namespace).object(name).patch(patch, &parameters.into())
    }

    /// Applies an object: creates it, or sets the fields that `object` holds and removes those that the same
    /// `fieldManager` applied before and leaves out now.
    ///
    /// The server answers 409 if other managers own one of the fields with another value. `force` takes the fields
    /// over.
    fn apply(
        namespace: &str,
        name: &str,
        object: &Self::Apply,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::namespace(namespace).object(name).apply(object, &parameters.into())
    }

    /// Deletes an object.
    ///
    /// An object with finalizers stays until they are removed. The options go into the query, and into a body if there
    /// are preconditions, which no query can hold.
    fn delete(
        namespace: &str,
        name: &str,
        options: impl Into<DeleteOptions>,
    ) -> Result<Request<Deletion<Self>>, RequestError> {
        Place::namespace(namespace).object(name).delete(&options.into())
    }

    /// Deletes the objects of a namespace that `selection` selects; with `()`, all of them.
    fn delete_collection(
        namespace: &str,
        selection: impl Into<ListParameters>,
        options: impl Into<DeleteOptions>,
    ) -> Result<Request<Deletion<List<Self>>>, RequestError> {
        Place::namespace(namespace).delete_collection(&selection.into(), &options.into())
    }
}

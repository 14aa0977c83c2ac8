//! Resources whose objects live outside all namespaces.

use super::place::Place;
use super::{Deletion, ListParameters, Patch, Request, RequestError, Watch, WriteParameters};
use crate::meta::v1::DeleteOptions;
use crate::{List, Resource};

/// A resource whose objects live outside all namespaces, with a function for each verb that builds the request.
///
/// The functions are those of [`Namespaced`](crate::Namespaced), without a namespace. All fail if the request cannot
/// be built: see [`RequestError`].
#[allow(clippy::missing_errors_doc, reason = "the docs of the trait have it")]
pub trait ClusterScoped: Resource {
    /// Reads an object.
    fn get(name: &str) -> Result<Request<Self>, RequestError> {
        Place::cluster().object(name).get()
    }

    /// Lists the objects.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    fn list(parameters: impl Into<ListParameters>) -> Result<Request<List<Self>>, RequestError> {
        Place::cluster().list(&parameters.into())
    }

    /// Watches the objects for changes after `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with
    /// the `fieldSelector` `metadata.name=<name>`.
    fn watch(parameters: impl Into<ListParameters>) -> Result<Request<Watch<Self>>, RequestError> {
        Place::cluster().watch(&parameters.into())
    }

    /// Creates an object.
    ///
    /// Without a `metadata.name` the server makes a name from `metadata.generateName`.
    fn create(
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::cluster().create(object, &parameters.into())
    }

    /// Replaces an object. Servers create objects of some kinds if there is none.
    ///
    /// Leave `metadata.resourceVersion` as it was read: the server answers 409 if the object has changed since.
    fn replace(
        name: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::cluster().object(name).replace(object, &parameters.into())
    }

    /// Changes an object with a patch.
    fn patch(
        name: &str,
        patch: &Patch,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::cluster().object(name).patch(patch, &parameters.into())
    }

    /// Applies an object: creates it, or sets the fields that `object` holds and removes those that the same
    /// `fieldManager` applied before and leaves out now.
    ///
    /// The server answers 409 if other managers own one of the fields with another value. `force` takes the fields
    /// over.
    fn apply(
        name: &str,
        object: &Self::Apply,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError> {
        Place::cluster().object(name).apply(object, &parameters.into())
    }

    /// Deletes an object.
    ///
    /// An object with finalizers stays until they are removed. The options go into the query, and into a body if there
    /// are preconditions, which no query can hold.
    fn delete(
        name: &str,
        options: impl Into<DeleteOptions>,
    ) -> Result<Request<Deletion<Self>>, RequestError> {
        Place::cluster().object(name).delete(&options.into())
    }

    /// Deletes the objects that `selection` selects; with `()`, all of them.
    fn delete_collection(
        selection: impl Into<ListParameters>,
        options: impl Into<DeleteOptions>,
    ) -> Result<Request<Deletion<List<Self>>>, RequestError> {
        Place::cluster().delete_collection(&selection.into(), &options.into())
    }
}

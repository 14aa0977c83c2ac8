//! The verbs of resources whose objects live in namespaces.

use super::place::Place;
use super::{
    DeleteParameters, Deletion, GetParameters, ListParameters, Patch, PatchParameters, Request,
    RequestError, Watch, WriteParameters,
};
use crate::verb::{self, Namespaced, Serves};
use crate::{HasApply, List};

/// The verbs of resources whose objects live in namespaces: functions that build requests.
///
/// Each takes its parameters as `()` where there are none, by reference or by value. A resource has the verbs that its
/// documents state: see [`Serves`].
pub trait NamespacedVerbs: Namespaced {
    /// Reads an object.
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn get(
        namespace: &str,
        name: &str,
        parameters: impl Into<GetParameters>,
    ) -> Result<Request<Self>, RequestError>
    where
        Self: Serves<verb::Get>,
    {
        Place::namespace(namespace)
            .object(name)
            .get(&parameters.into())
    }

    /// Lists the objects of a namespace.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn list(
        namespace: &str,
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<List<Self>>, RequestError>
    where
        Self: Serves<verb::List>,
    {
        Place::namespace(namespace).list(&parameters.into())
    }

    /// Lists the objects of all namespaces.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn list_all_namespaces(
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<List<Self>>, RequestError>
    where
        Self: Serves<verb::List>,
    {
        Place::cluster().list(&parameters.into())
    }

    /// Watches the objects of a namespace for changes after `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with the
    /// `fieldSelector` `metadata.name=<name>`.
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn watch(
        namespace: &str,
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<Watch<Self>>, RequestError>
    where
        Self: Serves<verb::Watch>,
    {
        Place::namespace(namespace).watch(&parameters.into())
    }

    /// Watches the objects of all namespaces for changes after `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with the
    /// `fieldSelector` `metadata.name=<name>`.
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn watch_all_namespaces(
        parameters: impl Into<ListParameters>,
    ) -> Result<Request<Watch<Self>>, RequestError>
    where
        Self: Serves<verb::Watch>,
    {
        Place::cluster().watch(&parameters.into())
    }

    /// Creates an object.
    ///
    /// Its `metadata.namespace` is that of the path, or absent. Without a `metadata.name` the server makes a name from
    /// `metadata.generateName`.
    ///
    /// Success is 200, 201 or 202.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn create(
        namespace: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError>
    where
        Self: Serves<verb::Create>,
    {
        Place::namespace(namespace).create(object, &parameters.into())
    }

    /// Replaces an object. Some kinds are created if there is none.
    ///
    /// Leave `metadata.resourceVersion` as it was read: the server answers 409 if the object has changed since.
    ///
    /// Success is 200 or 201.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn replace(
        namespace: &str,
        name: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Result<Request<Self>, RequestError>
    where
        Self: Serves<verb::Replace>,
    {
        Place::namespace(namespace)
            .object(name)
            .replace(object, &parameters.into())
    }

    /// Changes an object with a patch.
    ///
    /// Success is 200 or 201.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn patch(
        namespace: &str,
        name: &str,
        patch: &Patch,
        parameters: impl Into<PatchParameters>,
    ) -> Result<Request<Self>, RequestError>
    where
        Self: Serves<verb::Patch>,
    {
        Place::namespace(namespace)
            .object(name)
            .patch(patch, &parameters.into())
    }

    /// Applies an object: creates it, or sets the fields that `object` holds and removes those that the same
    /// `fieldManager` applied before and left out now.
    ///
    /// If others own one of the fields with another value, the server answers 409. `force` takes the fields over.
    ///
    /// Success is 200 or 201.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn apply(
        namespace: &str,
        name: &str,
        object: &Self::Apply,
        parameters: impl Into<PatchParameters>,
    ) -> Result<Request<Self>, RequestError>
    where
        Self: Serves<verb::Patch> + HasApply,
    {
        Place::namespace(namespace)
            .object(name)
            .apply(object, &parameters.into())
    }

    /// Deletes an object.
    ///
    /// An object with finalizers stays until they are removed.
    ///
    /// Success is 200 or 202.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn delete(
        namespace: &str,
        name: &str,
        parameters: impl Into<DeleteParameters>,
    ) -> Result<Request<Deletion<Self>>, RequestError>
    where
        Self: Serves<verb::Delete>,
    {
        Place::namespace(namespace)
            .object(name)
            .delete(&parameters.into())
    }

    /// Deletes the objects of a namespace that `selection` selects; with `()`, all of them.
    ///
    /// Success is 200.
    ///
    /// # Errors
    ///
    /// The request cannot be built: see [`RequestError`].
    fn delete_collection(
        namespace: &str,
        selection: impl Into<ListParameters>,
        parameters: impl Into<DeleteParameters>,
    ) -> Result<Request<Deletion<List<Self>>>, RequestError>
    where
        Self: Serves<verb::DeleteCollection>,
    {
        Place::namespace(namespace).delete_collection(&selection.into(), &parameters.into())
    }
}

impl<R: Namespaced> NamespacedVerbs for R {}

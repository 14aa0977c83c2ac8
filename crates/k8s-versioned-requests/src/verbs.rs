//! The functions that build the requests of a resource, one for each verb.

use k8s_versioned::meta::v1::DeleteOptions;
use k8s_versioned::verb::Verb;
use k8s_versioned::{List, Namespaced, Resource, Scope};
use serde::Serialize;

use super::parameters::DeletionQuery;
use super::place::Place;
use super::refusal;
use super::{
    Answer, Deletion, ListParameters, Patch, Request, RequestError, Watch, WriteParameters,
};

/// What a function takes beside the name of an object: a namespace, or `()` for a cluster-scoped resource.
pub type Namespace<'a, R> = <<R as Resource>::Scope as Scope>::Namespace<'a>;

type Built<A> = Result<Request<A>, RequestError>;

/// The functions that build the requests of a resource, one for each verb. Every [`Resource`] has them.
///
/// Parameters are `()` where there are none, and go by value or by reference. The docs of a resource list the verbs
/// that it has, with paths and status codes; a call of another verb does not compile. All functions fail if the request
/// cannot be built: see [`RequestError`].
#[allow(clippy::missing_errors_doc, reason = "the docs of the trait have it")]
pub trait Verbs: Resource {
    /// Reads an object.
    fn get(namespace: Namespace<'_, Self>, name: &str) -> Built<Self> {
        const { served::<Self>(&Verb::GET) };
        request::<Self, _>(&Verb::GET, place::<Self>(namespace).object(name), &())
    }

    /// Lists the objects of a namespace, or all objects of a cluster-scoped resource.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    fn list(
        namespace: Namespace<'_, Self>,
        parameters: impl Into<ListParameters>,
    ) -> Built<List<Self>> {
        list(place::<Self>(namespace), &parameters.into())
    }

    /// Lists the objects of all namespaces.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](super::Pages).
    fn list_all_namespaces(parameters: impl Into<ListParameters>) -> Built<List<Self>>
    where
        Self: Resource<Scope = Namespaced>,
    {
        list(Place::cluster(), &parameters.into())
    }

    /// Watches the objects of a namespace, or all objects of a cluster-scoped resource, for changes after
    /// `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with
    /// the `fieldSelector` `metadata.name=<name>`.
    fn watch(
        namespace: Namespace<'_, Self>,
        parameters: impl Into<ListParameters>,
    ) -> Built<Watch<Self>> {
        watch(place::<Self>(namespace), &parameters.into())
    }

    /// Watches the objects of all namespaces, as [`watch`](Self::watch) does those of one.
    fn watch_all_namespaces(parameters: impl Into<ListParameters>) -> Built<Watch<Self>>
    where
        Self: Resource<Scope = Namespaced>,
    {
        watch(Place::cluster(), &parameters.into())
    }

    /// Creates an object.
    ///
    /// Its `metadata.namespace` is that of the path, or absent. Without a `metadata.name` the server makes a name from
    /// `metadata.generateName`.
    fn create(
        namespace: Namespace<'_, Self>,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self> {
        const { served::<Self>(&Verb::CREATE) };
        let (place, parameters) = (place::<Self>(namespace), parameters.into());
        parameters.check_no_force()?;
        request::<Self, _>(&Verb::CREATE, place, &parameters)?.with_json(object)
    }

    /// Replaces an object. Servers create objects of some kinds if there is none.
    ///
    /// Leave `metadata.resourceVersion` as it was read: the server answers 409 if the object has changed since.
    fn replace(
        namespace: Namespace<'_, Self>,
        name: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self> {
        const { served::<Self>(&Verb::REPLACE) };
        let (place, parameters) = (place::<Self>(namespace).object(name), parameters.into());
        parameters.check_no_force()?;
        request::<Self, _>(&Verb::REPLACE, place, &parameters)?.with_json(object)
    }

    /// Changes an object with a patch.
    fn patch(
        namespace: Namespace<'_, Self>,
        name: &str,
        patch: &Patch,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self> {
        const { served::<Self>(&Verb::PATCH) };
        let (place, parameters) = (place::<Self>(namespace).object(name), parameters.into());
        patch.check(&parameters)?;
        let request = request::<Self, _>(&Verb::PATCH, place, &parameters)?;
        request.with_body(patch.content_type(), patch)
    }

    /// Applies an object: creates it, or sets the fields that `object` holds and removes those that the same
    /// `fieldManager` applied before and leaves out now.
    ///
    /// The server answers 409 if other managers own one of the fields with another value. `force` takes the fields
    /// over.
    fn apply(
        namespace: Namespace<'_, Self>,
        name: &str,
        object: &Self::Apply,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self> {
        Self::patch(namespace, name, &Patch::apply(object)?, parameters)
    }

    /// Deletes an object.
    ///
    /// An object with finalizers stays until they are removed. The options go into the query, and into a body if there
    /// are preconditions, which no query can hold.
    fn delete(
        namespace: Namespace<'_, Self>,
        name: &str,
        options: impl Into<DeleteOptions>,
    ) -> Built<Deletion<Self>> {
        const { served::<Self>(&Verb::DELETE) };
        let (place, options) = (place::<Self>(namespace).object(name), options.into());
        refusal::of_deletion(None, &options)?;
        with_options(request::<Self, _>(&Verb::DELETE, place, &())?, &options)
    }

    /// Deletes the objects that `selection` selects in a namespace, or of a cluster-scoped resource; with `()`, all of
    /// them.
    fn delete_collection(
        namespace: Namespace<'_, Self>,
        selection: impl Into<ListParameters>,
        options: impl Into<DeleteOptions>,
    ) -> Built<Deletion<List<Self>>> {
        const { served::<Self>(&Verb::DELETE_COLLECTION) };
        let (selection, options) = (selection.into(), options.into());
        refusal::of_deletion(Some(&selection), &options)?;
        let place = place::<Self>(namespace);
        with_options(request::<Self, _>(&Verb::DELETE_COLLECTION, place, &selection)?, &options)
    }
}

impl<R: Resource> Verbs for R {}

fn place<R: Resource>(namespace: Namespace<'_, R>) -> Place<'_> {
    R::Scope::namespace(namespace).map_or_else(Place::cluster, Place::namespace)
}

fn request<R: Resource, A: Answer>(
    verb: &Verb,
    place: Place<'_>,
    parameters: &impl Serialize,
) -> Built<A> {
    Request::of::<R>(verb, place, parameters)
}

fn list<R: Resource>(place: Place<'_>, parameters: &ListParameters) -> Built<List<R>> {
    const { served::<R>(&Verb::LIST) };
    refusal::of_list(parameters)?;
    request::<R, _>(&Verb::LIST, place, parameters)
}

fn watch<R: Resource>(place: Place<'_>, parameters: &ListParameters) -> Built<Watch<R>> {
    const { served::<R>(&Verb::LIST) };
    refusal::of_watch(parameters)?;
    let request = request::<R, _>(&Verb::LIST, place, parameters)?;
    Ok(request.with_parameter("watch", "true"))
}

/// Stops the compiler where servers do not have a verb for a resource.
const fn served<R: Resource>(verb: &Verb) {
    assert!(verb.is_among(R::VERBS), "servers do not have this verb for this resource");
}

fn with_options<A: Answer>(request: Request<A>, options: &DeleteOptions) -> Built<A> {
    match DeletionQuery::of(options) {
        Some(query) => request.with_parameters(&query),
        None => request.with_json(options),
    }
}

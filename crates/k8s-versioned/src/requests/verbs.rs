//! The functions that build the requests of a resource, one for each verb.

use serde::Serialize;

use super::request::Parts;
use super::{
    Answer, ApiError, Deletion, ExecParameters, ListParameters, LogParameters, Patch, RawBody,
    Request, RequestError, Response, ResponseError, Upgrade, Watch, WriteParameters,
};
use crate::field::{FieldError, FieldErrors};
use crate::meta::v1::{DeleteOptions, ObjectMeta};
use crate::subresource::{Attach, Exec, Log, PortForward, Proxy};
use crate::verb::Verb;
use crate::{
    HasSubresource, List, Namespaced, Quoted, Resource, Scope, Serves, Subresource, verbs,
};

/// The namespace argument of a function: a namespace, or `()` for a cluster-scoped resource.
pub type Namespace<'a, R> = <<R as Resource>::Scope as Scope>::Namespace<'a>;

type Built<A> = Result<Request<A>, RequestError>;

/// The content of a subresource.
type Body<R, S> = <R as HasSubresource<S>>::Body;

/// The functions that build the requests of a resource, one for each verb. Every [`Resource`] has the functions
/// of the verbs that servers [have for it](Serves).
///
/// Parameters are `()` where there are none, and go by value or by reference. The docs of a resource have a table of its
/// requests, with paths and status codes. All functions fail if the request cannot be built: see [`RequestError`].
#[allow(clippy::missing_errors_doc, reason = "the docs of the trait have it")]
pub trait Verbs: Resource {
    /// Reads an object.
    fn get(namespace: Namespace<'_, Self>, name: &str) -> Built<Self>
    where
        Self: Serves<verbs::Get>,
    {
        object::<Self>(&Verb::GET, namespace, name).build()
    }

    /// Lists the objects of a namespace, or all objects of a cluster-scoped resource.
    ///
    /// With a `limit` the list comes in pages: see [`Pages`](crate::requests::Pages).
    fn list(
        namespace: Namespace<'_, Self>,
        parameters: impl Into<ListParameters>,
    ) -> Built<List<Self>>
    where
        Self: Serves<verbs::List>,
    {
        objects::<Self>(&Verb::LIST, namespace).with(&parameters.into())?.build()
    }

    /// Lists the objects of all namespaces; [`list`](Self::list) lists one namespace.
    fn list_all_namespaces(parameters: impl Into<ListParameters>) -> Built<List<Self>>
    where
        Self: Resource<Scope = Namespaced> + Serves<verbs::List>,
    {
        Parts::of::<Self>(&Verb::LIST, None).with(&parameters.into())?.build()
    }

    /// Watches the objects of a namespace, or all objects of a cluster-scoped resource, for changes after
    /// `resourceVersion`.
    ///
    /// Without a `resourceVersion` the watch begins with the objects that exist. To watch one object, select it with
    /// the `fieldSelector` `metadata.name=<name>`.
    fn watch(
        namespace: Namespace<'_, Self>,
        parameters: impl Into<ListParameters>,
    ) -> Built<Watch<Self>>
    where
        Self: Serves<verbs::List>,
    {
        objects::<Self>(&Verb::LIST, namespace).with(&parameters.into())?.watching().build()
    }

    /// Watches the objects of all namespaces; [`watch`](Self::watch) watches one namespace.
    fn watch_all_namespaces(parameters: impl Into<ListParameters>) -> Built<Watch<Self>>
    where
        Self: Resource<Scope = Namespaced> + Serves<verbs::List>,
    {
        Parts::of::<Self>(&Verb::LIST, None).with(&parameters.into())?.watching().build()
    }

    /// Creates an object. The answer to a kind that servers do not store, such as a review, is the object with the
    /// result in its `status`. Servers answer a `Binding` of core with a `Status`, which the documents do not state:
    /// create the [subresource](crate::subresource::Binding) of a pod instead.
    ///
    /// Its `metadata.namespace` is the namespace of the path, or absent. Without a `metadata.name` the server makes a name from
    /// `metadata.generateName`.
    fn create(
        namespace: Namespace<'_, Self>,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self>
    where
        Self: Serves<verbs::Create>,
    {
        let parts = objects::<Self>(&Verb::CREATE, namespace);
        check_names(&parts, object.metadata())?;
        parts.with(&parameters.into())?.json(object)?.build()
    }

    /// Replaces an object. Servers create objects of some kinds if there is none.
    ///
    /// Its `metadata.name` is the name of the path, and its `metadata.namespace` the namespace of the path, or absent. Leave
    /// `metadata.resourceVersion` as it was read: the server answers 409 if the object has changed since.
    fn replace(
        namespace: Namespace<'_, Self>,
        name: &str,
        object: &Self,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self>
    where
        Self: Serves<verbs::Replace>,
    {
        let parts = self::object::<Self>(&Verb::REPLACE, namespace, name);
        check_names(&parts, object.metadata())?;
        parts.with(&parameters.into())?.json(object)?.build()
    }

    /// Changes an object with a patch.
    fn patch(
        namespace: Namespace<'_, Self>,
        name: &str,
        patch: &Patch,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Self>
    where
        Self: Serves<verbs::Patch>,
    {
        patch.check_taken_by::<Self>()?;
        object::<Self>(&Verb::PATCH, namespace, name)
            .with(&parameters.into())?
            .patch(patch)?
            .build()
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
    ) -> Built<Self>
    where
        Self: Serves<verbs::Patch>,
    {
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
    ) -> Built<Deletion<Self>>
    where
        Self: Serves<verbs::Delete>,
    {
        object::<Self>(&Verb::DELETE, namespace, name).options(&options.into())?.build()
    }

    /// Deletes the objects that `selection` selects in a namespace, or of a cluster-scoped resource; with `()`, all of
    /// them.
    fn delete_collection(
        namespace: Namespace<'_, Self>,
        selection: impl Into<ListParameters>,
        options: impl Into<DeleteOptions>,
    ) -> Built<Deletion<List<Self>>>
    where
        Self: Serves<verbs::DeleteCollection>,
    {
        let parts = objects::<Self>(&Verb::DELETE_COLLECTION, namespace);
        parts.with(&selection.into())?.options(&options.into())?.build()
    }

    /// Reads a subresource, such as [`Status`](crate::subresource::Status).
    fn get_subresource<S>(namespace: Namespace<'_, Self>, name: &str) -> Built<Body<Self, S>>
    where
        Self: HasSubresource<S, Body: Answer>,
        S: Subresource + Serves<verbs::Get>,
    {
        object::<Self>(&Verb::GET, namespace, name).subresource::<S>().build()
    }

    /// Creates a subresource, such as a [`Token`](crate::subresource::Token). The answer is the object with the
    /// result, or a `Status` for an order, such as an [`Eviction`](crate::subresource::Eviction).
    fn create_subresource<S>(
        namespace: Namespace<'_, Self>,
        name: &str,
        object: &Body<Self, S>,
        parameters: impl Into<WriteParameters>,
    ) -> Built<S::Created<Body<Self, S>>>
    where
        Self: HasSubresource<S, Body: Serialize>,
        S: Subresource<Created<Body<Self, S>>: Answer> + Serves<verbs::Create>,
    {
        let parts = self::object::<Self>(&Verb::CREATE, namespace, name).subresource::<S>();
        parts.with(&parameters.into())?.json(object)?.build()
    }

    /// Replaces a subresource. No other part of the object changes.
    fn replace_subresource<S>(
        namespace: Namespace<'_, Self>,
        name: &str,
        object: &Body<Self, S>,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Body<Self, S>>
    where
        Self: HasSubresource<S, Body: Serialize + Answer>,
        S: Subresource + Serves<verbs::Replace>,
    {
        let parts = self::object::<Self>(&Verb::REPLACE, namespace, name).subresource::<S>();
        parts.with(&parameters.into())?.json(object)?.build()
    }

    /// Changes a subresource with a patch, which can be an [apply](Patch::apply). No other part of the object changes.
    fn patch_subresource<S>(
        namespace: Namespace<'_, Self>,
        name: &str,
        patch: &Patch,
        parameters: impl Into<WriteParameters>,
    ) -> Built<Body<Self, S>>
    where
        Self: HasSubresource<S, Body: Answer>,
        S: Subresource + Serves<verbs::Patch>,
    {
        patch.check_taken_by::<Self>()?;
        let parts = object::<Self>(&Verb::PATCH, namespace, name).subresource::<S>();
        parts.with(&parameters.into())?.patch(patch)?.build()
    }

    /// Reads the log of a container, as text.
    ///
    /// With `follow` the body has no end: read its bytes as they come, without [`decode`](Request::decode).
    fn log(
        namespace: Namespace<'_, Self>,
        name: &str,
        parameters: impl Into<LogParameters>,
    ) -> Built<RawBody>
    where
        Self: HasSubresource<Log>,
    {
        let parts = object::<Self>(&Verb::LOG, namespace, name).subresource::<Log>();
        Ok(parts.with(&parameters.into())?.build::<RawBody>()?.accept("*/*"))
    }

    /// Runs a program in a container. See [`Upgrade`] for how to send the request.
    fn exec(
        namespace: Namespace<'_, Self>,
        name: &str,
        parameters: impl Into<ExecParameters>,
    ) -> Built<Upgrade>
    where
        Self: HasSubresource<Exec>,
    {
        let parts = object::<Self>(&Verb::EXEC, namespace, name).subresource::<Exec>();
        parts.with(&parameters.into())?.build()
    }

    /// Connects to the running program of a container. See [`Upgrade`] for how to send the request.
    fn attach(
        namespace: Namespace<'_, Self>,
        name: &str,
        parameters: impl Into<ExecParameters>,
    ) -> Built<Upgrade>
    where
        Self: HasSubresource<Attach>,
    {
        let parts = object::<Self>(&Verb::ATTACH, namespace, name).subresource::<Attach>();
        parts.with(&parameters.into())?.build()
    }

    /// Connects to ports. See [`Upgrade`] for how to send the request.
    fn port_forward(namespace: Namespace<'_, Self>, name: &str, ports: &[u16]) -> Built<Upgrade>
    where
        Self: HasSubresource<PortForward>,
    {
        let parts = object::<Self>(&Verb::PORT_FORWARD, namespace, name);
        let mut parts = parts.subresource::<PortForward>();
        for port in ports {
            parts.query.push("ports", port.to_string());
        }
        parts.build()
    }

    /// A request to an HTTP server behind the API server, at `path`, which may have a query. The name can have a scheme
    /// and a port: `https:web:8443`.
    ///
    /// `request` has the method, the headers and the body. Each segment of `path` is encoded, and `.` and `..` are
    /// refused: the request reaches no other path of the API server.
    fn proxy<B>(
        namespace: Namespace<'_, Self>,
        name: &str,
        path: &str,
        request: http::Request<B>,
    ) -> Result<http::Request<B>, RequestError>
    where
        Self: HasSubresource<Proxy>,
    {
        object::<Self>(&Verb::PROXY, namespace, name).subresource::<Proxy>().proxy(path, request)
    }
}

impl<R: Resource> Verbs for R {}

/// The objects of a namespace, or of a cluster-scoped resource.
fn objects<'a, R: Resource>(verb: &'static Verb, namespace: Namespace<'a, R>) -> Parts<'a> {
    Parts::of::<R>(verb, R::Scope::namespace(namespace))
}

/// One object.
fn object<'a, R: Resource>(
    verb: &'static Verb,
    namespace: Namespace<'a, R>,
    name: &str,
) -> Parts<'a> {
    let mut parts = objects::<R>(verb, namespace);
    parts.path.name = Some(name.to_owned().into());
    parts
}

/// Checks the name and the namespace of an object against those of the path, as servers do.
fn check_names(parts: &Parts<'_>, object: &ObjectMeta) -> Result<(), RequestError> {
    let (name, namespace) = (parts.path.name.as_deref(), parts.path.namespace.as_deref());
    let own = object.namespace.as_deref().filter(|own| !own.is_empty());
    let names = [
        ("metadata.name", name, Some(object.name.as_deref().unwrap_or_default())),
        ("metadata.namespace", namespace, own),
    ];
    let errors = names.into_iter().filter_map(|(field, asked, own)| {
        let asked = asked.filter(|asked| own.is_some_and(|own| own != *asked))?;
        let own = own.map(Quoted)?;
        let reason = format!("{own} in a request for {}", Quoted(asked));
        Some(FieldError::forbidden(field, reason))
    });
    FieldErrors::check(errors).map_err(RequestError::Refused)
}

// Lists that come in pages.

/// A paginated list: builds the requests and takes the responses.
///
/// Start it with a list request that has a `limit`. While [`request`](Self::request) gives a request, send it and
/// hand the response to [`receive`](Self::receive).
///
/// All pages show the state that the first one showed. Servers keep that state for some minutes; after that they answer
/// that it [is expired](ResponseError::is_expired), and the caller chooses: [`restart`](Self::restart) begins again;
/// [`continue_inconsistently`](Self::continue_inconsistently) gets the rest in its newest state.
#[derive(Clone, Debug)]
pub struct Pages<P> {
    first: Request<P>,
    /// `None` after the last page.
    next: Option<Request<P>>,
    /// The token for the rest in its newest state, if the server has offered one.
    newest: Option<String>,
    consistent: bool,
}

impl<P: Answer> Pages<P> {
    /// The pages of a list, from the request for the first one.
    pub fn new(first: Request<P>) -> Self {
        let next = Some(first.clone());
        Self { first, next, newest: None, consistent: true }
    }

    /// The request to send next; `None` after the last page.
    pub fn request(&self) -> Option<&Request<P>> {
        self.next.as_ref()
    }

    /// Takes the response to [`request`](Self::request).
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read. The request stays the next one. Where the error
    /// [is expired](ResponseError::is_expired), it will be refused again.
    pub fn receive<B: AsRef<[u8]>>(
        &mut self,
        response: &http::Response<B>,
    ) -> Result<Response<P>, ResponseError> {
        let received = self.first.decode(response);
        match &received {
            Ok(page) => {
                self.next = page.body.continue_token().map(|token| self.request_from(token));
            }
            Err(error) if error.is_expired() => {
                let token = error.api().and_then(ApiError::continue_token);
                self.newest = token.map(str::to_owned);
            }
            Err(_) => {}
        }
        received
    }

    /// Starts again with the first page, in the newest state. Discard the pages so far.
    ///
    /// The request has no `resourceVersion`: the first request's may be the state that expired.
    pub fn restart(&mut self) {
        let mut request = self.first_in_any_state();
        request.query_mut().remove("continue");
        self.next = Some(request);
        self.newest = None;
        self.consistent = true;
    }

    /// Continues with the remaining items in their newest state. So an object that changed since the first page may
    /// appear in either state, twice, or not at all.
    ///
    /// Returns `false`, without a change, if the server has offered no token for that.
    pub fn continue_inconsistently(&mut self) -> bool {
        let Some(token) = self.newest.take() else {
            return false;
        };
        self.next = Some(self.request_from(&token));
        self.consistent = false;
        true
    }

    /// Returns `true` if all pages so far show the same state.
    pub fn is_consistent(&self) -> bool {
        self.consistent
    }

    /// The token contains the state, and servers reject parameters for the state beside it.
    fn request_from(&self, token: &str) -> Request<P> {
        self.first_in_any_state().with_parameter("continue", token)
    }

    fn first_in_any_state(&self) -> Request<P> {
        let mut request = self.first.clone();
        let query = request.query_mut();
        query.remove("resourceVersion");
        query.remove("resourceVersionMatch");
        request
    }
}

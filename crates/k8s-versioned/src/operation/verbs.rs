//! The requests of each verb, for objects with and without a namespace.

use serde::Serialize;

use super::parameters::DeletionQuery;
use super::place::Place;
use super::refusal;
use super::{Deletion, ListParameters, Patch, Request, RequestError, Watch, WriteParameters};
use crate::meta::v1::DeleteOptions;
use crate::verb::Verb;
use crate::{List, Resource};

type Built<A> = Result<Request<A>, RequestError>;

impl Place<'_> {
    fn request<R: Resource, A>(self, verb: &Verb, parameters: &impl Serialize) -> Built<A> {
        Request::of::<R>(verb, self, parameters)
    }

    pub(super) fn get<R: Resource>(self) -> Built<R> {
        const { served::<R>(&Verb::GET) };
        self.request::<R, _>(&Verb::GET, &())
    }

    pub(super) fn list<R: Resource>(self, parameters: &ListParameters) -> Built<List<R>> {
        const { served::<R>(&Verb::LIST) };
        refusal::of_list(parameters)?;
        self.request::<R, _>(&Verb::LIST, parameters)
    }

    pub(super) fn watch<R: Resource>(self, parameters: &ListParameters) -> Built<Watch<R>> {
        const { served::<R>(&Verb::LIST) };
        refusal::of_watch(parameters)?;
        let request = self.request::<R, _>(&Verb::LIST, parameters)?;
        Ok(request.with_parameter("watch", "true"))
    }

    pub(super) fn create<R: Resource>(self, object: &R, parameters: &WriteParameters) -> Built<R> {
        const { served::<R>(&Verb::CREATE) };
        parameters.check_no_force()?;
        self.request::<R, _>(&Verb::CREATE, parameters)?.with_json(object)
    }

    pub(super) fn replace<R: Resource>(self, object: &R, parameters: &WriteParameters) -> Built<R> {
        const { served::<R>(&Verb::REPLACE) };
        parameters.check_no_force()?;
        self.request::<R, _>(&Verb::REPLACE, parameters)?.with_json(object)
    }

    pub(super) fn patch<R: Resource>(
        self,
        patch: &Patch,
        parameters: &WriteParameters,
    ) -> Built<R> {
        const { served::<R>(&Verb::PATCH) };
        patch.check(parameters)?;
        self.request::<R, _>(&Verb::PATCH, parameters)?.with_body(patch.content_type(), patch)
    }

    pub(super) fn apply<R: Resource>(
        self,
        object: &R::Apply,
        parameters: &WriteParameters,
    ) -> Built<R> {
        self.patch(&Patch::apply(object)?, parameters)
    }

    pub(super) fn delete<R: Resource>(self, options: &DeleteOptions) -> Built<Deletion<R>> {
        const { served::<R>(&Verb::DELETE) };
        refusal::of_deletion(None, options)?;
        with_options(self.request::<R, _>(&Verb::DELETE, &())?, options)
    }

    pub(super) fn delete_collection<R: Resource>(
        self,
        selection: &ListParameters,
        options: &DeleteOptions,
    ) -> Built<Deletion<List<R>>> {
        const { served::<R>(&Verb::DELETE_COLLECTION) };
        refusal::of_deletion(Some(selection), options)?;
        with_options(self.request::<R, _>(&Verb::DELETE_COLLECTION, selection)?, options)
    }
}

/// Stops the compiler where servers do not have a verb for a resource.
const fn served<R: Resource>(verb: &Verb) {
    assert!(verb.is_among(R::VERBS), "servers do not have this verb for this resource");
}

fn with_options<A>(request: Request<A>, options: &DeleteOptions) -> Built<A> {
    match DeletionQuery::of(options) {
        Some(query) => request.with_parameters(&query),
        None => request.with_json(options),
    }
}

//! What requests of each verb are made of, wherever the objects live.

use serde::Serialize;

use super::place::Place;
use super::{
    DeleteParameters, Deletion, GetParameters, ListParameters, Patch, PatchParameters, Request,
    RequestError, Watch, WriteParameters,
};
use crate::meta::v1::DeleteOptions;
use crate::verb::table::Verb;
use crate::{HasApply, List, Resource};

type Built<A> = Result<Request<A>, RequestError>;

impl Place<'_> {
    fn request<R: Resource, A>(self, verb: &Verb, parameters: &impl Serialize) -> Built<A> {
        Request::of::<R>(verb, self, parameters)
    }

    pub(super) fn get<R: Resource>(self, parameters: &GetParameters) -> Built<R> {
        self.request::<R, _>(&Verb::GET, parameters)
    }

    pub(super) fn list<R: Resource>(self, parameters: &ListParameters) -> Built<List<R>> {
        RequestError::check(parameters.refused_for_list())?;
        self.request::<R, _>(&Verb::LIST, parameters)
    }

    pub(super) fn watch<R: Resource>(self, parameters: &ListParameters) -> Built<Watch<R>> {
        RequestError::check(parameters.refused_for_watch())?;
        let request = self.request::<R, _>(&Verb::LIST, parameters)?;
        Ok(request.with_parameter("watch", "true"))
    }

    pub(super) fn create<R: Resource>(self, object: &R, parameters: &WriteParameters) -> Built<R> {
        self.request::<R, _>(&Verb::CREATE, parameters)?.with_json(object)
    }

    pub(super) fn replace<R: Resource>(self, object: &R, parameters: &WriteParameters) -> Built<R> {
        self.request::<R, _>(&Verb::REPLACE, parameters)?.with_json(object)
    }

    pub(super) fn patch<R: Resource>(
        self,
        patch: &Patch,
        parameters: &PatchParameters,
    ) -> Built<R> {
        patch.check(parameters)?;
        self.request::<R, _>(&Verb::PATCH, parameters)?.with_body(patch.content_type(), patch)
    }

    pub(super) fn apply<R: HasApply>(
        self,
        object: &R::Apply,
        parameters: &PatchParameters,
    ) -> Built<R> {
        self.patch(&Patch::apply(object)?, parameters)
    }

    pub(super) fn delete<R: Resource>(self, parameters: &DeleteParameters) -> Built<Deletion<R>> {
        RequestError::check(parameters.refused())?;
        let (query, options) = parameters.split();
        let request = self.request::<R, _>(&Verb::DELETE, &query)?;
        with_options(request, options.as_ref())
    }

    pub(super) fn delete_collection<R: Resource>(
        self,
        selection: &ListParameters,
        parameters: &DeleteParameters,
    ) -> Built<Deletion<List<R>>> {
        let mut refused = selection.refused_for_deletion();
        refused.extend(parameters.refused());
        RequestError::check(refused)?;
        let (query, options) = parameters.split();
        let request = self.request::<R, _>(&Verb::DELETE_COLLECTION, selection)?;
        with_options(request.with_parameters(&query)?, options.as_ref())
    }
}

fn with_options<A>(request: Request<A>, options: Option<&DeleteOptions>) -> Built<A> {
    match options {
        None => Ok(request),
        Some(options) => request.with_json(options),
    }
}

impl DeleteParameters {
    /// What goes into the query, and what goes into a body. Servers that get a body ignore what the query says of the
    /// same, so that all of it goes into the body if there are preconditions, which no query can hold.
    fn split(&self) -> (Self, Option<DeleteOptions>) {
        let Some(preconditions) = &self.preconditions else {
            return (self.clone(), None);
        };
        let mut options = DeleteOptions::default().with_preconditions(preconditions.clone());
        options.dry_run.extend(self.dry_run.clone());
        options.grace_period_seconds = self.grace_period_seconds;
        options.ignore_store_read_error_with_cluster_breaking_potential =
            self.ignore_store_read_error_with_cluster_breaking_potential;
        options.orphan_dependents = self.orphan_dependents;
        options.propagation_policy.clone_from(&self.propagation_policy);
        let query = Self { pretty: self.pretty.clone(), ..Self::default() };
        (query, Some(options))
    }
}

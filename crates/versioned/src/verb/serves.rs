//! Which verbs the resources have.

use crate::Resource;

#[cfg(feature = "operation")]
pub use crate::operation::{cluster_scoped::ClusterScoped, namespaced::Namespaced};

/// A resource whose objects live in namespaces. The feature `operation` adds functions that build requests.
#[cfg(not(feature = "operation"))]
pub trait Namespaced: Resource {}

/// A resource whose objects live outside all namespaces. The feature `operation` adds functions that build requests.
#[cfg(not(feature = "operation"))]
pub trait ClusterScoped: Resource {}

/// A resource for which servers have the verb `V`, a type of this module.
///
/// ```
/// use k8s_versioned::verb::{self, Namespaced, Serves};
///
/// /// A resource that a program can list and watch.
/// trait Observable: Namespaced + Serves<verb::List> + Serves<verb::Watch> {}
/// impl<R: Namespaced + Serves<verb::List> + Serves<verb::Watch>> Observable for R {}
/// ```
#[diagnostic::on_unimplemented(
    message = "servers do not have the verb `{V}` for `{Self}`",
    label = "not a verb of this resource"
)]
pub trait Serves<V>: Resource {}

/// A resource with all verbs, as most have.
pub trait ServesAll:
    Serves<Get>
    + Serves<List>
    + Serves<Watch>
    + Serves<Create>
    + Serves<Replace>
    + Serves<Patch>
    + Serves<Delete>
    + Serves<DeleteCollection>
{
}

impl<R> ServesAll for R where
    R: Serves<Get>
        + Serves<List>
        + Serves<Watch>
        + Serves<Create>
        + Serves<Replace>
        + Serves<Patch>
        + Serves<Delete>
        + Serves<DeleteCollection>
{
}

/// Reads an object by name.
#[derive(Clone, Copy, Debug)]
pub enum Get {}

/// Lists objects.
#[derive(Clone, Copy, Debug)]
pub enum List {}

/// Watches objects for changes.
#[derive(Clone, Copy, Debug)]
pub enum Watch {}

/// Creates an object.
#[derive(Clone, Copy, Debug)]
pub enum Create {}

/// Replaces an object; servers call the verb `update`.
#[derive(Clone, Copy, Debug)]
pub enum Replace {}

/// Changes an object with a patch.
#[derive(Clone, Copy, Debug)]
pub enum Patch {}

/// Deletes an object.
#[derive(Clone, Copy, Debug)]
pub enum Delete {}

/// Deletes the objects that are selected.
#[derive(Clone, Copy, Debug)]
pub enum DeleteCollection {}

/// Reads, replaces and changes the status of an object under a path of its own.
#[derive(Clone, Copy, Debug)]
pub enum Status {}

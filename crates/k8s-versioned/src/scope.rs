//! The scopes of resources.

#[cfg(feature = "operation")]
pub use crate::operation::{cluster_scoped::ClusterScoped, namespaced::Namespaced};

/// A resource whose objects live in namespaces. The feature `operation` adds functions that build requests.
#[cfg(not(feature = "operation"))]
pub trait Namespaced: crate::Resource {}

/// A resource whose objects live outside all namespaces. The feature `operation` adds functions that build requests.
#[cfg(not(feature = "operation"))]
pub trait ClusterScoped: crate::Resource {}

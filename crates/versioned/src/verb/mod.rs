//! The verbs that resources have.
//!
//! [`Namespaced`] and [`ClusterScoped`] have a function for each verb, which builds the request. [`Serves`] says
//! which verbs a resource has.

#[cfg(feature = "types")]
mod serves;
#[doc(hidden)]
pub mod table;

#[cfg(feature = "types")]
pub use serves::{
    ClusterScoped, Create, Delete, DeleteCollection, Get, List, Namespaced, Patch, Replace, Serves,
    ServesAll, Status, Watch,
};

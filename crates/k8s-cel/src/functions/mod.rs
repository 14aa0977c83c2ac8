//! The functions of CEL and of Kubernetes' libraries: the table of them is in `library`.

mod arguments;
mod context;
pub(crate) mod convert;
pub(crate) mod format;
pub(crate) mod library;
pub(crate) mod lists;
pub(crate) mod named;
pub(crate) mod network;
pub(crate) mod operators;
mod overload;
pub(crate) mod quantity;
mod search;
pub(crate) mod semver;
pub(crate) mod strings;
pub(crate) mod time;
mod url;
#[cfg(test)]
pub(crate) mod worst;

pub(crate) use context::{Context, Native};

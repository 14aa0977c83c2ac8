//! What the packages of `k8s-versioned` share, without types of an API: [`Release`], [`Version`], [`Lifecycle`], the table of the verbs
//! ([`verb`]), request paths ([`resource_path`]), JSON pointers ([`mod@pointer`]), and the syntax of names, keys and values ([`syntax`]).
//! With the feature `findings`, the module `findings`: what checks and commands find, as text and as JSON.
//!
//! The crate contains no generated code.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod field_path;
#[cfg(feature = "findings")]
pub mod findings;
#[doc(hidden)]
pub mod frame;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod metrics;
#[cfg(feature = "nearest")]
#[doc(hidden)]
pub mod nearest;
mod parameters;
#[doc(hidden)]
pub mod path_room;
pub mod pointer;
mod printable;
#[doc(hidden)]
pub mod quoted;
mod release;
pub mod resource_path;
pub mod syntax;
#[doc(hidden)]
pub mod text;
pub mod verb;
mod version;

pub use release::{Lifecycle, Release, ReleaseForm};
pub use text::ParseError;
pub use version::Version;

#[doc(hidden)]
pub use quoted::{Quoted, Short};

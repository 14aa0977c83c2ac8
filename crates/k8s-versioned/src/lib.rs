//! The foundation of Rust types for the objects of any Kubernetes API group.
//!
//! - **Names.** [`Kind`] has the group, version and kind of a type; [`Resource`] has the name of its resource; a [`List`]
//!   holds objects. [`TypeMeta`], [`Version`] and [`Release`] are names as values.
//! - **Choice at run time.** A [`Registry`] finds a kind by name and decodes its objects.
//! - **Hand-written types.** Times: [`MicroTime`], [`Time`] and [`DateTime`]; [`Duration`], [`Quantity`], [`IntOrString`],
//!   [`Bytes`], any [`Json`], [`Embedded`] objects, [`FieldsV1`] and [`RawExtension`].
//! - **Validation.** [`field`] has the errors of an object's fields.
//!
//! | feature | items | by default |
//! |---|---|---|
//! | `conversion` | the module `conversion`: objects in any version, and conversion webhooks | no |
//! | `protobuf` | the module `protobuf`: objects as protobuf | no |
//! | `requests` | the module `requests`: requests to API servers as plain data, and their responses | no |
//! | `schemars` | JSON Schemas of the types | no |
//!
//! Most implementations of the traits are generated. A hand-written kind needs little:
//!
//! ```
//! use k8s_versioned::{Kind, TypeMeta};
//!
//! struct Beat;
//!
//! impl Kind for Beat {
//!     const GROUP: &'static str = "example.com";
//!     const VERSION: &'static str = "v1";
//!     const KIND: &'static str = "Beat";
//!     const API_VERSION: &'static str = "example.com/v1";
//! }
//!
//! assert_eq!(TypeMeta::of_kind::<Beat>().to_string(), "`Beat` of `example.com/v1`");
//! ```
//!
//! Modules and macros that are not in these docs, such as `wire`, are for generated code and for the crates of this
//! project. They are not part of the public API.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code names this crate like any other crate.
extern crate self as k8s_versioned;

#[cfg(feature = "conversion")]
pub mod conversion;
pub mod field;
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "as long as the documents are")]
mod generated;
mod group_version;
#[doc(hidden)]
pub mod json;
mod kind;
mod list;
mod open_enum;
#[cfg(feature = "protobuf")]
pub mod protobuf;
mod registry;
#[cfg(feature = "requests")]
pub mod requests;
#[cfg(feature = "schemars")]
#[doc(hidden)]
pub mod schema;
mod serves;
mod type_meta;
mod values;
#[doc(hidden)]
pub mod wire;

#[cfg(feature = "nearest")]
#[doc(hidden)]
pub use k8s_versioned_core::nearest;
pub use k8s_versioned_core::{Lifecycle, ParseError, Release, Version};
#[doc(hidden)]
pub use k8s_versioned_core::{
    Quoted, Short, field_path, frame, pointer, quoted, resource_path, syntax, text, verb,
};

pub use {
    generated::meta,
    json::{LocatedError, from_json},
    kind::{ClusterScoped, CustomResource, HasSpec, Kind, Namespaced, Resource, Scope},
    list::List,
    open_enum::Other,
    registry::{DecodeError, DecodedObject, KindEntry, Registry, ResourceVisitor, Resources},
    serves::{HasSubresource, Serves, ServesAll, Subresource, subresource, verbs},
    type_meta::{DocumentPart, TypeMeta, TypeMetaError, for_each_object},
    values::{
        Amount, Bytes, DateTime, Duration, Embedded, FieldsV1, IntOrString, Json, MicroTime,
        Quantity, QuantityFormat, RawExtension, Time,
    },
};

#[doc(hidden)]
pub use {
    group_version::GroupVersion,
    json::StrictValue,
    registry::{Body, Received},
    values::{
        QuantityParts, QuantityUnit, SemanticVersion, duration_nanoseconds, split_digits,
        without_leading_zeros,
    },
};

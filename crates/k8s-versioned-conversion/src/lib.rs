//! Conversion between the versions of a kind.
//!
//! The conversions are generated from rules, and composed of `steps`. They keep to four principles:
//!
//! - **Live fields win.** A kept value counts only for a field that the live version lacks or does not hold completely,
//!   and only while it agrees with the live field.
//! - **Conversion is total.** A typed object always converts, with any text in its annotations. The findings go into a
//!   [`ConversionReport`]; [`Options::strict`] makes an error of losses.
//! - **Whole objects convert** ([`ConvertObject`]): the report names every value that is lost. Parts of objects have no
//!   annotation: they convert with `TryFrom`, which refuses to lose anything, or [`ConvertPart`], which reports the
//!   losses.
//! - **Kept values are few.** They name their version and field, have a limit, pass through any number of conversions,
//!   and leave the annotation where a version can hold them.
//!
//! [`AnyVersion`] is for programs that learn the version at run time. It also converts JSON. [`review`] answers the
//! requests of API servers to conversion webhooks.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod annotation;
mod any;
mod any_version;
mod context;
mod convert;
mod error;
mod finding;
#[doc(hidden)]
pub mod items;
mod json;
mod options;
mod path;
mod report;
pub mod review;
#[doc(hidden)]
pub mod steps;
mod stream;
mod whole;

#[doc(hidden)]
pub use annotation::ANNOTATIONS_LIMIT;
#[cfg(feature = "protobuf")]
pub use any::{AnyMessage, MessageVisitor};
pub use any::{
    AnyVersion, ConvertibleVisitor, Convertibles, ListOrFirst, VersionOf, VersionVisitor,
};
#[doc(hidden)]
pub use convert::LosslessFrom;
pub use convert::{ConvertObject, ConvertPart};
pub use error::ConversionError;
pub use finding::{Finding, Severity};
pub use json::JsonError;
#[doc(hidden)]
pub use k8s_versioned;
pub use options::{Absent, Options};
pub use report::ConversionReport;
#[doc(no_inline)]
pub use serde_json::Value;

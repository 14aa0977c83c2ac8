//! Conversion between the versions of a kind.
//!
//! The conversions are generated from rules and composed of `steps`. They follow four principles:
//!
//! - **Live fields win.** A kept value counts only for a field that the live version lacks or does not hold completely,
//!   and only while it agrees with the live field.
//! - **Conversion is total.** A typed object always converts, whatever its annotations contain. The findings go into a
//!   [`ConversionReport`]; [`Options::strict`] turns losses into an error.
//! - **Whole objects convert** ([`ConvertObject`]): the report names every value that is lost. Parts of objects have no
//!   annotation: they convert with `TryFrom`, which refuses to lose anything, or [`ConvertPart`], which reports the
//!   losses.
//! - **Kept values are bounded.** They name their version and field, are limited in size, survive any number of
//!   conversions, and leave the annotation when a version can hold them.
//!
//! [`AnyVersion`] is for objects whose version is known only at run time. It also converts JSON; code over all kinds
//! or versions needs the traits in [`generic`]. [`review`] answers the requests of API servers to conversion webhooks.

mod admission_review;
mod adopt;
mod annotation;
mod any_version;
mod applied_part;
mod check_answer;
mod context;
mod conversion_report;
mod convert;
mod decode;
pub mod generic;
mod implement;
mod item_names;
#[doc(hidden)]
pub mod items;
mod json;
mod json_annotations;
mod metadata_texts;
mod mistyped;
mod mistyped_kept;
mod mistyped_place;
pub mod review;
#[doc(hidden)]
pub mod steps;
mod stream;
mod taken;

pub use any_version::{AnyVersion, ListOrFirst};
pub use conversion_report::{ConversionFinding, ConversionReport};
pub use convert::{Absent, ConversionError, ConvertObject, ConvertPart, ConvertTo, Options};
pub use decode::JsonError;
pub use k8s_versioned_core::findings::Severity;

#[doc(hidden)]
pub use annotation::ANNOTATIONS_LIMIT;
#[doc(hidden)]
pub use convert::LosslessFrom;
#[doc(no_inline)]
pub use serde_json::Value;

//! Conversion between the versions of a kind.
//!
//! The conversions themselves are generated from rules, and composed of `steps`. They keep to four
//! principles:
//!
//! - **Live fields win.** What was kept aside only supplies what the live version cannot say, and only while
//!   it agrees with the live field.
//! - **Conversion is total.** A typed object always converts, whatever its annotations hold. What there is
//!   to tell goes into a [`ConversionReport`]; [`Options::strict`] makes an error of it.
//! - **Whole objects convert** ([`ConvertObject`]): nothing is lost, or the report says so. Parts of objects
//!   have no annotation: they convert with `TryFrom`, which refuses to lose anything, or [`ConvertPart`], which
//!   says what it lost.
//! - **What is kept is sparse**, describes itself, has a limit, is carried along over any number of conversions,
//!   and is taken out again where a version can hold it.
//!
//! [`AnyVersion`] is for programs that learn the version at run time. It also converts JSON.

mod any;
mod any_version;
mod convert;
mod error;
mod finding;
mod json;
mod options;
mod path;
mod report;
#[doc(hidden)]
pub mod steps;

pub use any::AnyVersion;
#[doc(hidden)]
pub use convert::LosslessFrom;
pub use convert::{ConvertObject, ConvertPart};
pub use error::ConversionError;
pub use finding::{Finding, Severity};
pub use json::{AnyList, JsonError};
pub use options::{Absent, Options};
pub use report::ConversionReport;
#[doc(no_inline)]
pub use serde_json::Value;
#[doc(hidden)]
pub use steps::ANNOTATIONS_LIMIT;

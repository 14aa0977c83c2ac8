//! Conversion between the versions of a kind.
//!
//! The conversions themselves are generated from rules, and composed of [`steps`]. They keep to four
//! principles:
//!
//! - **Live fields win.** What was kept aside only supplies what the live version cannot say, and only while
//!   it agrees with the live field.
//! - **Conversion is total.** A typed object always converts, whatever its annotations hold. What there is
//!   to tell goes into a [`Report`]; [`Options::strict`] makes an error of it.
//! - **Whole objects convert** ([`Convert`]): they have annotations to keep things in. Parts of objects have
//!   `From` where nothing can be lost, else `TryFrom` and [`ConvertLossy`].
//! - **What is kept is sparse**, describes itself, has a limit, and is taken out again on the way back.
//!
//! [`AnyVersion`] is for programs that learn the version at run time; [`convert_slice`] and
//! [`convert_value`] work on JSON.

mod any;
mod convert;
mod error;
mod finding;
mod json;
mod options;
mod path;
mod report;
pub mod steps;

pub use any::AnyVersion;
pub use convert::{Convert, ConvertLossy};
pub use error::{ConversionError, UnknownVersion};
pub use finding::{Finding, Severity};
pub use json::{AnyList, JsonError, convert_slice, convert_value};
pub use options::{Absent, Options};
pub use report::{Entry, Report};
#[doc(no_inline)]
pub use serde_json::Value;
pub use steps::ANNOTATIONS_LIMIT;

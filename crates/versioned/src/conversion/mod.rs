//! Conversion between the versions of a kind.
//!
//! The conversions themselves are generated from rules, and composed of the functions in here. They keep
//! to four principles:
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

pub mod absent_to_zero;
mod any;
mod aside;
mod convert;
mod envelope;
mod error;
mod finding;
pub mod first_of_list;
mod json;
mod kept;
pub mod only_here;
mod options;
mod path;
mod report;
mod short;
#[cfg(test)]
mod testing;

pub use any::AnyVersion;
pub use aside::{Aside, discard};
pub use convert::{Convert, ConvertLossy, items, lossless};
pub use envelope::ANNOTATIONS_LIMIT;
pub use error::{ConversionError, UnknownVersion};
pub use finding::{Finding, Severity};
pub use json::{AnyList, JsonError, convert_slice, convert_value, decode};
pub use kept::Kept;
pub use options::{Absent, Options};
pub use report::{Entry, Report};
#[doc(no_inline)]
pub use serde_json::Value;

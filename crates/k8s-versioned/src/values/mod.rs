//! Hand-written types of values that many kinds have.

#[macro_use]
mod kept_text;
mod amount;
mod bytes;
mod date_time;
mod duration;
mod embedded;
mod fields_v1;
mod int_or_string;
mod json;
mod quantity;
mod raw_extension;
mod semantic_version;
pub(crate) mod time;
mod time_text;

pub use amount::{Amount, QuantityFormat, QuantityParts, QuantityUnit, split_digits};
pub use bytes::Bytes;
pub use date_time::DateTime;
pub use duration::{Duration, duration_nanoseconds};
pub use embedded::Embedded;
pub use fields_v1::FieldsV1;
pub use int_or_string::IntOrString;
pub(crate) use json::AnyFormat;
pub use json::Json;
pub use quantity::Quantity;
pub use raw_extension::RawExtension;
pub use semantic_version::{SemanticVersion, without_leading_zeros};
pub use time::{MicroTime, Time};

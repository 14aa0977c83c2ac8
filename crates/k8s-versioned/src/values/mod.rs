//! Hand-written types of values that many kinds have.

#[macro_use]
mod kept_text;
mod bytes;
mod date_time;
mod duration;
mod embedded;
mod int_or_string;
mod json;
mod quantity;

pub use bytes::Bytes;
pub use date_time::DateTime;
pub use duration::{Duration, duration_nanoseconds};
pub use embedded::Embedded;
pub use int_or_string::IntOrString;
pub(crate) use json::AnyFormat;
pub use json::Json;
pub use quantity::{Amount, Quantity, QuantityFormat, QuantityParts, QuantityUnit, split_digits};

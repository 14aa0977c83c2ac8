//! The form of objects on the wire. Derived and generated serde code calls this.
//!
//! Encoding follows API servers. An object starts with `apiVersion` and `kind`; the items of a
//! list have neither. Decoding is as lenient as servers: an absent or `null` field has
//! its zero value, and `apiVersion` and `kind` are checked only if they are present.
//!
//! ```
//! use k8s_versioned::wire;
//! use serde::Deserialize;
//!
//! #[derive(Debug, Deserialize, PartialEq)]
//! struct Spec {
//!     #[serde(default = "wire::zero", deserialize_with = "wire::null_is_zero")]
//!     name: String,
//!     #[serde(default, deserialize_with = "wire::list")]
//!     finalizers: Vec<String>,
//! }
//!
//! let spec: Spec = serde_json::from_str(r#"{"name": null, "finalizers": ["a", null]}"#)?;
//! let expected = Spec {
//!     name: String::new(),
//!     finalizers: vec!["a".to_owned(), String::new()],
//! };
//! assert_eq!(spec, expected);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod collection;
mod constant;
mod number;
mod without_type_meta;
mod word;
mod zero;

pub use collection::{list, list_or_null, map, map_or_null};
#[doc(hidden)]
pub use serde;

pub(crate) use constant::is_among;
pub use constant::{ApiVersion, KindName};
pub use number::{number, number_option};
pub use without_type_meta::items;
pub(crate) use without_type_meta::untyped;
#[doc(hidden)]
pub use word::word;
pub use zero::{ZeroValue, is_zero, null_is_zero, zero};

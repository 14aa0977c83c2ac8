//! What Rust types of Kubernetes API objects stand on, whatever their API group.
//!
//! - **Names.** [`Kind`] says what a type is called, [`Resource`] how objects are reached, [`List`]
//!   holds many of them. [`GroupVersion`], [`GroupVersionKind`], [`Version`] and [`Release`] are
//!   the names as values.
//! - **The wire.** [`wire`] holds the rules by which objects are read and written.
//! - **Choice at run time.** A [`Registry`] finds a kind by name and decodes its objects.
//! - **Types without a schema of their own.** [`MicroTime`], [`Time`], [`FieldsV1`] and
//!   [`RawExtension`].
//! - **Operations.** [`operation`] holds requests as plain data, and decodes responses.
//! - **Rules.** [`field`] says what is wrong with an object, [`names`] and [`semantic_version`] hold the
//!   rules for its parts.
//!
//! | feature | what it brings | by default |
//! |---|---|---|
//! | none | [`Release`], [`Version`], [`Lifecycle`] and the table of the verbs ([`verb`]) | yes |
//! | `types` | what types need: kinds, times, [`meta`], rules | yes |
//! | `conversion` | [`conversion`] between the versions of a kind | yes |
//! | `operation` | [`operation`]: requests and responses as plain data | yes |
//! | `schemars` | JSON Schemas of the types | no |
//!
//! Most implementations are generated. By hand, a kind looks like this:
//!
//! ```
//! use k8s_versioned::{Kind, MicroTime, wire};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
//! #[serde(rename_all = "camelCase", expecting = "an object of kind `Beat`")]
//! struct Beat {
//!     // These two hold nothing: they write the constants, and check what is read.
//!     #[serde(default)]
//!     api_version: wire::ApiVersion<Self>,
//!     #[serde(default)]
//!     kind: wire::KindName<Self>,
//!     #[serde(default = "wire::zero", deserialize_with = "wire::null_is_zero")]
//!     sender: String,
//!     #[serde(default, skip_serializing_if = "Option::is_none")]
//!     time: Option<MicroTime>,
//! }
//!
//! impl Kind for Beat {
//!     const GROUP: &'static str = "example.com";
//!     const VERSION: &'static str = "v1";
//!     const KIND: &'static str = "Beat";
//!     const API_VERSION: &'static str = "example.com/v1";
//! }
//!
//! let beat = Beat {
//!     sender: "node-1".to_owned(),
//!     time: Some("2026-01-02T03:04:05Z".parse()?),
//!     ..Beat::default()
//! };
//! let json = serde_json::to_string(&beat)?;
//! assert_eq!(
//!     json,
//!     r#"{"apiVersion":"example.com/v1","kind":"Beat","sender":"node-1","time":"2026-01-02T03:04:05.000000Z"}"#
//! );
//! assert_eq!(serde_json::from_str::<Beat>(&json)?, beat);
//!
//! let error = serde_json::from_str::<Beat>(r#"{"kind": "Pulse"}"#).unwrap_err();
//! assert!(error.to_string().starts_with("invalid value: string \"Pulse\", expected kind `Beat`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Generated code names this crate like any other crate.
#[cfg(feature = "types")]
extern crate self as k8s_versioned;

#[cfg(feature = "conversion")]
pub mod conversion;
#[cfg(feature = "types")]
pub mod field;
#[cfg(feature = "types")]
mod field_set;
#[cfg(feature = "types")]
mod fields_v1;
#[doc(hidden)]
#[path = "conversion/steps/descriptions.rs"]
pub mod step_descriptions;
#[cfg(feature = "types")]
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "as long as the documents are")]
mod generated;
#[cfg(feature = "types")]
mod group_version;
#[cfg(feature = "types")]
mod json;
#[cfg(feature = "types")]
mod kind;
mod lifecycle;
#[cfg(feature = "types")]
mod list;
pub mod names;
#[cfg(feature = "types")]
mod open_enum;
#[cfg(feature = "operation")]
pub mod operation;
#[cfg(feature = "types")]
mod quoted;
#[cfg(feature = "types")]
mod raw_extension;
#[cfg(feature = "types")]
pub mod registry;
mod release;
#[cfg(feature = "schemars")]
pub mod schema;
#[cfg(feature = "types")]
pub mod semantic_version;
mod text;
#[cfg(feature = "types")]
mod time;
pub mod verb;
mod version;
#[cfg(feature = "types")]
pub mod wire;

#[cfg(feature = "types")]
pub use field_set::{FieldSet, FieldSetError};
#[cfg(feature = "types")]
pub use fields_v1::FieldsV1;
#[cfg(feature = "types")]
pub use generated::meta;
#[cfg(feature = "types")]
pub use group_version::{GroupVersion, GroupVersionKind, ParseApiVersionError};
#[cfg(feature = "types")]
pub use json::{Slim, StrictValue, from_json};
#[cfg(feature = "types")]
pub use kind::{HasApply, HasSpec, Kind, Resource, Scope};
pub use lifecycle::Lifecycle;
#[cfg(feature = "types")]
pub use list::List;
#[cfg(feature = "types")]
pub use quoted::{Quoted, Short};
#[cfg(feature = "types")]
pub use raw_extension::RawExtension;
#[cfg(feature = "types")]
pub use registry::{DecodeError, KindEntry, Object, Registry, Role};
pub use release::{ParseReleaseError, Release};
#[cfg(feature = "types")]
pub use time::{MicroTime, Time, TimeError};
pub use version::{ParseVersionError, Stability, Version};

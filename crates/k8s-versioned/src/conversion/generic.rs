//! Traits for code over all kinds, or over all versions of a kind. Programs that convert objects do not need them.

#[cfg(feature = "protobuf")]
pub use super::any_version::{AnyMessage, MessageVisitor};
pub use super::any_version::{
    ConvertibleVisitor, Convertibles, FromAny, VersionOf, VersionVisitor,
};

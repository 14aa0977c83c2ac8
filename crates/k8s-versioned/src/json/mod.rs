//! JSON as API servers read it, as types and as values, and values without duplicate keys.

mod deep;
pub(crate) mod server;
mod slim;
pub(crate) mod tracked;
pub(crate) mod typed;

pub use deep::from_json;
pub use k8s_versioned_names::json::StrictValue;
#[cfg(feature = "conversion")]
pub(crate) use k8s_versioned_names::json::depth;
pub use slim::Slim;

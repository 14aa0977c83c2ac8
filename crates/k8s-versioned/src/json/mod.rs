//! JSON as API servers read it, as types and as values, and values without duplicate keys.

mod deep;
pub(crate) mod server;
mod slim;
pub(crate) mod tracked;
pub(crate) mod typed;

pub use deep::from_json;
pub use k8s_versioned_names::json::{StrictValue, depth};
pub use slim::Slim;
pub use tracked::{Noted, Path, Place, Tracked};
pub use typed::{Typed, read};

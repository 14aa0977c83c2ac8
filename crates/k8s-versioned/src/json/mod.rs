//! JSON as API servers read it, as types and as values, and values without duplicate keys.

mod deep;
pub(crate) mod server;
mod slim;
mod strict;
pub(crate) mod tracked;
#[allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "hidden: for the crates of this project"
)]
pub mod typed;

#[cfg(feature = "conversion")]
pub(crate) use deep::depth;
pub use deep::from_json;
pub use slim::Slim;
pub use strict::StrictValue;

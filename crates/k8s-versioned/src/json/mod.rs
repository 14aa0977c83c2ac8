//! JSON as API servers read it, as types and as values, and values without duplicate keys.

mod deep;
pub(crate) mod server;
mod slim;
mod strict;
pub(crate) mod tracked;
pub(crate) mod typed;

pub use deep::{depth, from_json};
pub use slim::Slim;
pub use strict::StrictValue;
pub use tracked::{Noted, Path, Place, Tracked};
pub use typed::Typed;

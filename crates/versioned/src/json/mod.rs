//! JSON text without white space, its canonical form (keys sorted, none twice), and JSON values without a key
//! that occurs twice.

mod compact;
mod deep;
mod reader;
pub(crate) mod server;
mod slim;
mod sorted;
mod strict;
pub(crate) mod string;
pub(crate) mod tracked;
mod transcode;
pub(crate) mod typed;

pub(crate) use compact::compact;
#[cfg(feature = "conversion")]
pub(crate) use deep::depth;
pub use deep::from_json;
pub use slim::Slim;
pub(crate) use sorted::canonical;
pub use strict::StrictValue;
pub(crate) use transcode::transcode;

//! JSON text in one canonical form (keys sorted, none twice, no white space), and JSON values without a key
//! that occurs twice.

mod canonical;
mod deep;
mod reader;
pub(crate) mod server;
mod sorted;
mod strict;
pub(crate) mod string;
pub(crate) mod tracked;
mod transcode;
pub(crate) mod typed;

pub(crate) use canonical::canonical;

pub(crate) use deep::depth;
pub use deep::from_json;
pub use strict::StrictValue;
pub(crate) use transcode::Transcode;

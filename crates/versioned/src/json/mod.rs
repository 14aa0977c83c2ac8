//! JSON text in one canonical form: keys sorted, none twice, no white space.

mod canonical;
mod reader;
mod string;
mod transcode;

pub(crate) use canonical::canonical;
pub(crate) use transcode::Transcode;

//! Values and texts as Go reads and writes them. Not a part of the API: other packages of this project use it.

pub mod go;
pub(crate) mod instant;
pub(crate) mod ip;
pub mod lenient_duration;
pub(crate) mod network;
pub(crate) mod quantity;
pub(crate) mod text;
pub mod time;
pub mod url;

pub use crate::formats::BASE64;

//! The generator with small documents: the model, the generated text, the behaviour of the types, and the messages
//! about bad documents.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod bad;
mod behaviour;
mod conversions;
mod custom;
mod definitions;
mod garbage;
mod generations;
mod good;
mod nested;
mod protobuf;
mod review;
mod shapes;
mod support;
mod vectors;
mod verbs;
mod walks;

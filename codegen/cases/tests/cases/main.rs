//! The generator with small documents: the model, the generated text, the behaviour of the types, and the messages
//! about bad documents.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod adopted;
mod bad;
mod behaviour;
mod combinations;
mod conversions;
mod custom;
mod definitions;
mod garbage;
mod generations;
mod good;
mod in_metadata;
mod nested;
mod numbers;
mod owners;
mod patterns;
mod projects;
mod protobuf;
mod review;
mod shapes;
mod support;
mod vectors;
mod verbs;
mod walks;

#[cfg(not(clippy))]
#[path = "../../src/any_form.rs"]
mod any_form;

#[cfg(not(clippy))]
#[path = "../../src/pace.rs"]
mod pace;

#[cfg(not(clippy))]
#[path = "../../src/speed.rs"]
mod speed;

/// The modules that the build script generates. Here they become code only where a test calls them, which takes half of the time
/// of a library of them. Clippy checks them as a library.
#[cfg(not(clippy))]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "no test uses all")]
mod emitted {
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
}
#[cfg(clippy)]
use codegen_cases::emitted;

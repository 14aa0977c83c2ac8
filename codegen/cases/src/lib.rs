//! The small documents of the generator's tests, and what it makes of them, compiled.
//!
//! Each folder of `good/` is a `specs/` folder in miniature about one concern. The build script generates
//! from all of them, so that whatever the generator emits now is a module here and must compile, documented
//! and without warnings. `tests/` shows the texts and tries the types.

#![allow(clippy::module_inception, reason = "a case can be called as a module of its own")]

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

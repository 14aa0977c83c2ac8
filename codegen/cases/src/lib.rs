//! The small documents of the generator's tests, and the code that it generates from them.
//!
//! Each folder of `good/` is a small `specs/` folder for one concern. The build script generates a module of this
//! crate from each, so all generated code must compile without warnings. `tests/` shows the texts and tests the
//! types.

#![allow(
    missing_docs,
    clippy::large_enum_variant,
    reason = "cases without descriptions, and built-in kinds"
)]
#![allow(
    clippy::doc_markdown,
    clippy::unicode_not_nfc,
    reason = "a case has hostile names and descriptions"
)]
#![allow(clippy::too_many_lines, reason = "a case has as many fields as there are rules")]
#![allow(clippy::module_inception, reason = "a case can have the name of one of its modules")]

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

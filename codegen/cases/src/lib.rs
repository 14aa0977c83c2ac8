//! The code that the generator makes of the small documents of its tests.
//!
//! Each folder of `good/` is a small `specs/` folder for one concern. The build script generates a module from each. A
//! build of this library has only the modules that other packages use in their tests: `tests/` includes all, shows their
//! texts and tests their types, and compiles only the code that it calls. Clippy and rustdoc see all modules here, as in a
//! package for programs, so all generated code must be without warnings.

#![allow(missing_docs, reason = "cases without descriptions")]
#![allow(
    clippy::doc_markdown,
    clippy::unicode_not_nfc,
    reason = "a case has hostile names and descriptions"
)]
#![allow(
    clippy::similar_names,
    clippy::too_many_lines,
    reason = "a case has as many fields as there are rules, and fields with names such as `b20`"
)]

#[cfg(any(clippy, doc))]
mod any_form;
#[cfg_attr(not(any(clippy, doc)), allow(dead_code, reason = "for versions of other cases"))]
mod pace;
#[cfg(any(clippy, doc))]
mod speed;

pub use emitted::*;

/// The generated modules.
pub mod emitted {
    #[cfg(any(clippy, doc))]
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
    #[cfg(not(any(clippy, doc)))]
    include!(concat!(env!("OUT_DIR"), "/custom.rs"));
    #[cfg(not(any(clippy, doc)))]
    include!(concat!(env!("OUT_DIR"), "/operations.rs"));
    #[cfg(not(any(clippy, doc)))]
    include!(concat!(env!("OUT_DIR"), "/rules.rs"));
}

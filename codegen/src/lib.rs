//! From the OpenAPI v3 documents of a Kubernetes API group to Rust source text.
//!
//! The crate is a pure function: files in, files or problems out. It names no API group: what it knows about one group comes from the
//! documents and rule files of the group. Only [`Builder`], which build scripts call, reads and writes files.
//!
//! The stages in order, one module each; a stage uses only those above it:
//!
//! | module | from | to |
//! |---|---|---|
//! | [`json`] | text | JSON values that know their place |
//! | [`spec`] | JSON values | typed documents, a closed world |
//! | [`rules`] | TOML text | what the documents cannot say |
//! | [`model`] | documents of all releases | one model of the group |
//! | [`plan`] | model and rules | Rust items: names, types, derives, docs |
//! | [`conversion`] | Rust items and rules | the conversion of each field to another version |
//! | [`emit`] | Rust items | Rust text, one file per type |
//!
//! Three modules are not stages: [`reference`](mod@reference) writes pages about the API, [`import`] makes the vendored
//! documents from upstream's, and [`diff`] finds the changes between two releases.

pub mod conversion;
pub mod crd;
pub mod diff;
pub mod emit;
pub mod import;
mod import_proto;
pub mod json;
pub mod manifest;
pub mod model;
pub mod plan;
pub mod problem;
pub mod reference;
pub mod rules;
pub mod spec;

mod builder;
mod generate;
mod text;

pub use builder::{BuildError, Builder, is_spec};
pub use generate::{Features, Generated, Options, PAGES, Plans, Summary, generate};
pub use problem::{Place, Problem, Problems};

/// Files by their path, which is relative to their folder and has `/` between the parts.
pub type Files = std::collections::BTreeMap<String, Vec<u8>>;

//! From the OpenAPI v3 documents of a Kubernetes API group to Rust source text.
//!
//! The crate is a pure function: files in, files or problems out. It names no API group and touches no
//! file system; what it knows about one group comes from that group's documents and rule files.
//!
//! The way of the data, one module per stage, each knowing only those above it:
//!
//! | module | from | to |
//! |---|---|---|
//! | [`json`] | text | JSON values that know their place |
//! | [`spec`] | JSON values | typed documents, a closed world |
//! | [`rules`] | TOML text | what the documents cannot say |
//! | [`model`] | documents of all releases | one model of the group |
//! | [`plan`] | model and rules | Rust items: names, types, derives, docs |
//! | [`conversion`] | Rust items and rules | what becomes of each field in another version |
//! | [`emit`] | Rust items | Rust text, one file per type |
//!
//! Three modules stand apart: [`reference`](mod@reference) writes pages about the API, [`import`] makes the vendored documents from upstream's, and [`diff`] tells what
//! changed between two releases.

pub mod conversion;
pub mod diff;
pub mod emit;
pub mod import;
pub mod json;
pub mod manifest;
pub mod model;
pub mod plan;
pub mod problem;
pub mod recordings;
pub mod reference;
pub mod rules;
pub mod spec;

mod generate;
mod text;

pub use generate::{Generated, Options, PAGES, Plans, Summary, generate};
pub use problem::{Place, Problem, Problems};

/// Files by their path, relative to the folder that they belong to, with `/` between the parts.
pub type Files = std::collections::BTreeMap<String, Vec<u8>>;

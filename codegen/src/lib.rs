//! Generates Rust source text from the OpenAPI v3 documents of Kubernetes API groups.
//!
//! The crate is a pure function: files in, files or [`Problems`] out. Only [`Builder`], the entry point for build scripts
//! and tools, reads and writes files. The crate names no API group: facts about a group come from its documents and rule
//! files.
//!
//! The stages are in modules without public docs, because they change with the generator. A stage uses only the stages
//! above it:
//!
//! | module | from | to |
//! |---|---|---|
//! | `input` | text of documents and definitions | typed documents (`spec`), a closed world |
//! | `rules` | TOML text | what the documents cannot say |
//! | `model` | documents of all releases | one model of the group |
//! | `plan` | model and rules | Rust items: names, types, derives, docs |
//! | `conversion` | Rust items and rules | the conversion of each field to another version |
//! | `emit` | Rust items | Rust text, one file per type |
//!
//! `project` runs the stages as far as the plans, for `generate` and for the tools.
//! Beside the stages are `tools`, which use them: `import` turns upstream's documents into vendored ones, `diff` finds the changes
//! between two releases, `draft` writes rules for conversions, `reference` writes pages about the API, and `overview` shows the types of
//! definitions.

#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod emit;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod problem;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub mod tools;

mod builder;
mod files;
mod gather;
mod generate;
mod ident;
mod project;
mod text;
mod threads;

pub use builder::{BuildError, Builder};
pub use files::Files;
pub use generate::{Features, Generated, Summary};
pub use problem::{Cause, KindVersion, Place, Problem, Problems};

#[doc(hidden)]
pub use builder::is_spec;
#[doc(hidden)]
pub use emit::EmitOptions;
#[doc(hidden)]
pub use generate::{About, PAGES, generate};
#[doc(hidden)]
pub use ident::is_name;
#[doc(hidden)]
pub use project::Plans;
#[doc(hidden)]
pub use threads::on_this_thread;

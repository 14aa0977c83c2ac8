//! Generates Rust source text from the OpenAPI v3 documents of Kubernetes API groups.
//!
//! The crate is a pure function: files in, files or [`Problems`] out. Only [`Builder`], the entry point for build scripts
//! and tools, reads and writes files. The crate names no API group: facts about a group come from its documents and rule
//! files.
//!
//! A stage is a private module. It uses only the stages above it:
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
//! `project` runs the stages as far as the model or the plans, for `generate` and for the tools.
//! Beside the stages are `tools`, which use them: `import` turns upstream's documents into vendored ones, `diff` finds the changes
//! between two releases, `draft` writes rules for conversions, `reference` writes pages about the API, and
//! `overview` shows the types of definitions.
//!
//! What this file exports is all that other packages see. The items without public docs are for the command `k8s-versioned` and for the
//! tests of this workspace; they change with the generator.

mod builder;
mod conversion;
mod emit;
mod features;
mod files;
mod gather;
mod generate;
mod ident;
mod input;
mod model;
mod plan;
mod problem;
mod project;
mod rules;
mod spec;
mod text;
mod threads;
#[doc(hidden)]
pub mod tools;

#[cfg(test)]
#[allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::match_wild_err_arm,
    reason = "files of tests are named in small letters"
)]
mod mutation;

pub use builder::{BuildError, Builder};
pub use features::Features;
pub use files::Files;
pub use generate::{Generated, Summary};
pub use problem::{KindVersion, Place, Problem, Problems};

#[doc(hidden)]
pub use builder::is_spec;
#[doc(hidden)]
pub use conversion::{RuleKind, Unseen, rules_schema};
#[doc(hidden)]
pub use emit::EmitOptions;
#[doc(hidden)]
pub use generate::{About, PAGES, generate};
#[doc(hidden)]
pub use ident::is_name;
#[doc(hidden)]
pub use input::{Published, crd, manifest, read_group, releases};
#[doc(hidden)]
pub use problem::Explanation;
#[doc(hidden)]
pub use project::{Plans, outline};
#[doc(hidden)]
pub use rules::{LifecycleRule, lifecycles, read_not_recorded};
#[doc(hidden)]
pub use spec::GroupVersionKind;
#[doc(hidden)]
pub use threads::on_this_thread;

//! The whole way, from the files under `specs/` to the files under `generated/`.

use crate::{Files, Problems, emit, manifest, model, plan, rules, spec};

/// What a caller can choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The Rust path at which the generated modules can be reached, for example `crate`.
    pub root: String,
    /// The command that the header of each file names.
    pub command: String,
}

/// What a generation yields.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The generated files, relative to the folder that they fill.
    pub files: Files,
    /// Figures to show a person.
    pub summary: Summary,
}

/// How much was read and made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Releases of Kubernetes.
    pub releases: usize,
    /// OpenAPI documents.
    pub documents: usize,
    /// Versions of the group's API.
    pub versions: usize,
    /// Rust types that stand for schemas.
    pub types: usize,
    /// Fields of these types.
    pub fields: usize,
    /// Operations in the model.
    pub operations: usize,
}

/// Generates the Rust files of a group from the files of its `specs/` folder.
///
/// # Errors
/// Every problem that was found, in a stable order. Problems of one stage keep the later ones from
/// running, so that one cause gives one message.
pub fn generate(specs: &Files, options: &Options) -> Result<Generated, Problems> {
    let manifest = manifest::verify(specs)?;
    let rules = rules::read(specs)?;
    let documents = spec::read_all(specs, &manifest)?;
    let model = model::merge(&rules.group, &documents)?;
    let plan = plan::plan(&model, &rules)?;
    let files = emit::emit(&plan, options)?;
    let summary = Summary {
        releases: model.releases.len(),
        documents: documents.len(),
        versions: model.versions.len(),
        types: plan.type_count(),
        fields: plan.field_count(),
        operations: model.operations.len(),
    };
    Ok(Generated { files, summary })
}

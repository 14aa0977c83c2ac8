//! The parameters for changes of an object.

use serde::{Deserialize, Serialize};

use k8s_versioned::meta::v1::{DryRun, FieldValidation};

/// The parameters for creating, replacing, patching and applying an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct WriteParameters {
    /// The stages that run without storing the change; `All` is the only word.
    ///
    /// Default: absent, and the change is stored.
    pub dry_run: Option<DryRun>,
    /// The name that the server records as the owner of the fields that the request sets.
    ///
    /// At most 128 printable characters. An apply requires it. Default: the header `User-Agent` up to the first `/`.
    pub field_manager: Option<String>,
    /// The treatment of unknown and duplicate fields in the body.
    ///
    /// Default: `Warn`.
    pub field_validation: Option<FieldValidation>,
    /// True if an apply takes over fields that other managers own.
    ///
    /// Only an apply can have it: other requests with it are not built. Default: `false`, and the server answers a
    /// conflict with 409.
    pub force: Option<bool>,
}

impl WriteParameters {
    setters! {
        with_dry_run = dry_run: DryRun, "dryRun";
        with_field_manager = field_manager: String, "fieldManager";
        with_field_validation = field_validation: FieldValidation, "fieldValidation";
        with_force = force: bool, "force";
    }
}

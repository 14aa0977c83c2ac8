//! The input of the pages.

use k8s_versioned_core::Release;
use serde_json::Value;

use crate::input::crd::NO_RELEASE;
use crate::{Files, Plans};

/// The picture of the releases.
pub(super) const PICTURE: &str = "releases.svg";

/// A recorded answer to a request, as far as the pages show it.
#[derive(Clone, Debug)]
pub struct RecordedCase {
    /// The relative link to the file from the folder of a version's pages.
    pub link: String,
    /// The release of the server.
    pub release: Release,
    /// The API group.
    pub group: String,
    /// The folder of the API version.
    pub version: String,
    /// The set that the case belongs to.
    pub set: String,
    /// The name of the case.
    pub name: String,
    /// The body of the request, if it is JSON.
    pub sent: Option<Value>,
    /// Whether the server accepted the request.
    pub accepted: bool,
    /// The field and the reason of each cause of a refusal.
    pub causes: Vec<(String, String)>,
}

/// The input of the pages.
pub(super) struct Input<'a> {
    pub(super) specs: &'a Files,
    pub(super) plans: Plans,
    pub(super) recordings: &'a [RecordedCase],
}

impl Input<'_> {
    /// Returns `true` if the documents name their releases. A single edition of definitions need not.
    pub(super) fn has_releases(&self) -> bool {
        !self.plans.model.releases.contains(NO_RELEASE)
    }

    pub(super) fn has_one_group(&self) -> bool {
        self.plans.model.groups.len() == 1
    }
}

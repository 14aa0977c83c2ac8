//! How to delete.

use serde::{Deserialize, Serialize};

use crate::meta::v1::{DryRun, Preconditions, PropagationPolicy};

/// How to delete.
///
/// The request carries them in the query, and in a body of `DeleteOptions` if there are preconditions, which no query
/// can hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct DeleteParameters {
    /// Which stages of the request run without storing anything; `All` is the only word.
    ///
    /// Default: absent, and the change is stored.
    pub dry_run: Option<DryRun>,
    /// After how many seconds the object is deleted; 0 deletes it at once.
    ///
    /// Default: that of the kind, which for most kinds is 0.
    pub grace_period_seconds: Option<i64>,
    /// Whether to delete an object that the server cannot read from its store.
    ///
    /// Dangerous: finalizers and preconditions are then ignored, which can break whatever relies on them. Needs the feature
    /// gate `AllowUnsafeMalformedObjectDeletion`. Default: `false`.
    ///
    /// Since Kubernetes 1.32.
    pub ignore_store_read_error_with_cluster_breaking_potential: Option<bool>,
    /// Whether to keep the objects that name the deleted one as their owner.
    ///
    /// Deprecated: use `propagationPolicy`. Servers refuse both together. Default: absent, and `propagationPolicy` decides.
    pub orphan_dependents: Option<bool>,
    /// What must be true of the stored object for it to be deleted.
    ///
    /// If it is not, the server answers 409 and deletes nothing. Default: absent, and nothing must.
    #[serde(skip)]
    pub preconditions: Option<Preconditions>,
    /// `true` indents JSON for people.
    ///
    /// Default: `false`, unless the header `User-Agent` is that of a browser, `curl` or `wget`.
    pub pretty: Option<String>,
    /// What becomes of the objects that name the deleted one as their owner.
    ///
    /// Servers refuse it together with `orphanDependents`. Default: the kind and the finalizers of the object decide.
    pub propagation_policy: Option<PropagationPolicy>,
}

impl DeleteParameters {
    /// Sets `dryRun`.
    #[must_use]
    pub fn with_dry_run(mut self, dry_run: impl Into<DryRun>) -> Self {
        self.dry_run = Some(dry_run.into());
        self
    }

    /// Sets `gracePeriodSeconds`.
    #[must_use]
    pub fn with_grace_period_seconds(mut self, grace_period_seconds: i64) -> Self {
        self.grace_period_seconds = Some(grace_period_seconds);
        self
    }

    /// Sets `ignoreStoreReadErrorWithClusterBreakingPotential`.
    #[must_use]
    pub fn with_ignore_store_read_error_with_cluster_breaking_potential(
        mut self,
        ignore_store_read_error_with_cluster_breaking_potential: bool,
    ) -> Self {
        self.ignore_store_read_error_with_cluster_breaking_potential =
            Some(ignore_store_read_error_with_cluster_breaking_potential);
        self
    }

    /// Sets `orphanDependents`.
    #[must_use]
    pub fn with_orphan_dependents(mut self, orphan_dependents: bool) -> Self {
        self.orphan_dependents = Some(orphan_dependents);
        self
    }

    /// Sets `preconditions`.
    #[must_use]
    pub fn with_preconditions(mut self, preconditions: Preconditions) -> Self {
        self.preconditions = Some(preconditions);
        self
    }

    /// Sets `pretty`.
    #[must_use]
    pub fn with_pretty(mut self, pretty: impl Into<String>) -> Self {
        self.pretty = Some(pretty.into());
        self
    }

    /// Sets `propagationPolicy`.
    #[must_use]
    pub fn with_propagation_policy(
        mut self,
        propagation_policy: impl Into<PropagationPolicy>,
    ) -> Self {
        self.propagation_policy = Some(propagation_policy.into());
        self
    }
}

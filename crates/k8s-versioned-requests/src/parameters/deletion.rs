//! The options of a deletion in a query.

use serde::Serialize;

use k8s_versioned::meta::v1::{DeleteOptions, DryRun, PropagationPolicy};

/// The options of a deletion that a query can hold.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeletionQuery<'a> {
    dry_run: Option<&'a DryRun>,
    grace_period_seconds: Option<i64>,
    ignore_store_read_error_with_cluster_breaking_potential: Option<bool>,
    orphan_dependents: Option<bool>,
    propagation_policy: Option<&'a PropagationPolicy>,
}

impl<'a> DeletionQuery<'a> {
    /// The options as a query; `None` if they need a body. Servers that get a body ignore the options in the query, so
    /// all options go into a body if there are preconditions.
    pub(crate) fn of(options: &'a DeleteOptions) -> Option<Self> {
        if options.preconditions.is_some() || options.dry_run.len() > 1 {
            return None;
        }
        Some(Self {
            dry_run: options.dry_run.first(),
            grace_period_seconds: options.grace_period_seconds,
            ignore_store_read_error_with_cluster_breaking_potential: options
                .ignore_store_read_error_with_cluster_breaking_potential,
            orphan_dependents: options.orphan_dependents,
            propagation_policy: options.propagation_policy.as_ref(),
        })
    }
}

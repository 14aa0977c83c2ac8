//! Servers whose feature gate `CoordinatedLeaderElection` is off: the default in every release.

use crate::v1::Lease;

/// Returns the `Lease` that a server checks when its feature gate is off.
///
/// On creation (`stored` is `None`) it drops `strategy` and `preferredHolder` silently. On an update it
/// drops each of them that the stored object does not have.
///
/// ```
/// use k8s_coordination::v1::{Lease, LeaseSpec};
/// use k8s_coordination::validation::with_gate_off;
///
/// let lease = Lease::default().with_spec(LeaseSpec::default().with_strategy("no such strategy"));
/// assert_eq!(with_gate_off(lease, None), Lease::default());
/// ```
#[must_use]
pub fn with_gate_off(mut lease: Lease, stored: Option<&Lease>) -> Lease {
    if stored.is_none_or(|stored| stored.spec.strategy.is_none()) {
        lease.spec.strategy = None;
    }
    if stored.is_none_or(|stored| stored.spec.preferred_holder.is_none()) {
        lease.spec.preferred_holder = None;
    }
    lease
}

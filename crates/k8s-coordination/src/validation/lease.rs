//! `Lease`.

use k8s_versioned::field::{FieldError, FieldErrors};

use super::metadata;
use super::{SPEC, Validate};
use crate::v1::{Lease, LeaseSpec};

impl Validate for Lease {
    fn validate(&self) -> Result<(), FieldErrors> {
        let mut errors = Vec::new();
        metadata::check(&self.metadata, metadata::SUBDOMAIN, &mut errors);
        check_spec(&self.spec, &mut errors);
        metadata::check_path(&self.metadata, &mut errors);
        FieldErrors::check(errors)
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let mut errors = Vec::new();
        metadata::check_update(&self.metadata, &old.metadata, &mut errors);
        check_spec(&self.spec, &mut errors);
        FieldErrors::check(errors)
    }
}

/// Checks the spec of a `Lease` that an elector writes, and the name of a `Lease` that it creates.
#[cfg(feature = "election")]
pub(crate) fn check_written(lease: &Lease, is_new: bool) -> Result<(), FieldErrors> {
    let mut errors = Vec::new();
    if is_new {
        metadata::check_name(&lease.metadata, metadata::SUBDOMAIN, &mut errors);
    }
    check_spec(&lease.spec, &mut errors);
    FieldErrors::check(errors)
}

fn check_spec(spec: &LeaseSpec, errors: &mut Vec<FieldError>) {
    if let Some(seconds) = spec.lease_duration_seconds.filter(|&seconds| seconds <= 0) {
        let path = SPEC.child("leaseDurationSeconds");
        let message = "write a number of seconds greater than 0, or leave the field out";
        errors.push(FieldError::invalid(path, seconds, message));
    }
    if let Some(count) = spec.lease_transitions.filter(|&count| count < 0) {
        let path = SPEC.child("leaseTransitions");
        let message = "write 0 or more, or leave the field out";
        errors.push(FieldError::invalid(path, count, message));
    }
    if let Some(strategy) = &spec.strategy {
        metadata::check_strategy(strategy, SPEC.child("strategy"), errors);
    }
    let preferred = spec.preferred_holder.as_deref().unwrap_or_default();
    let coordinated = spec.strategy.as_ref().is_some_and(|strategy| !strategy.is_empty());
    if !preferred.is_empty() && !coordinated {
        let message = "write a `strategy` as well, or leave `preferredHolder` out";
        errors.push(FieldError::forbidden(SPEC.child("preferredHolder"), message));
    }
}

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

//! Conversions to and from the types of `k8s-openapi`, for the versions that it has.
//!
//! An absent `spec` of a `Lease` becomes an empty one. Servers read both in the same way.

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_openapi::api::coordination as openapi;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;

use crate::field_error::{FieldError, time};
use crate::{v1, v1alpha2, v1beta1};

const ACQUIRE_TIME: &str = "spec.acquireTime";
const PING_TIME: &str = "spec.pingTime";
const RENEW_TIME: &str = "spec.renewTime";

#[allow(clippy::field_reassign_with_default, reason = "the struct may get more fields")]
impl From<openapi::v1::Lease> for v1::Lease {
    fn from(lease: openapi::v1::Lease) -> Self {
        let openapi::v1::LeaseSpec {
            acquire_time,
            holder_identity,
            lease_duration_seconds,
            lease_transitions,
            preferred_holder,
            renew_time,
            strategy,
        } = lease.spec.unwrap_or_default();
        let mut spec = v1::LeaseSpec::default();
        spec.acquire_time = acquire_time.map(|time| time.0.into());
        spec.holder_identity = holder_identity;
        spec.lease_duration_seconds = lease_duration_seconds;
        spec.lease_transitions = lease_transitions;
        spec.preferred_holder = preferred_holder;
        spec.renew_time = renew_time.map(|time| time.0.into());
        spec.strategy = strategy.map(CoordinatedLeaseStrategy::from);
        Self::from_parts(lease.metadata, spec)
    }
}

impl TryFrom<v1::Lease> for openapi::v1::Lease {
    type Error = FieldError;

    fn try_from(v1::Lease { metadata, spec, .. }: v1::Lease) -> Result<Self, FieldError> {
        let spec = openapi::v1::LeaseSpec {
            acquire_time: time(spec.acquire_time, ACQUIRE_TIME)?.map(MicroTime),
            holder_identity: spec.holder_identity,
            lease_duration_seconds: spec.lease_duration_seconds,
            lease_transitions: spec.lease_transitions,
            preferred_holder: spec.preferred_holder,
            renew_time: time(spec.renew_time, RENEW_TIME)?.map(MicroTime),
            strategy: spec.strategy.map(|strategy| strategy.as_str().to_owned()),
        };
        Ok(Self { metadata, spec: Some(spec) })
    }
}

/// Both versions have the same fields, here and in `k8s-openapi`.
macro_rules! candidate {
    ($version:ident) => {
        impl From<openapi::$version::LeaseCandidate> for $version::LeaseCandidate {
            fn from(candidate: openapi::$version::LeaseCandidate) -> Self {
                let openapi::$version::LeaseCandidateSpec {
                    binary_version,
                    emulation_version,
                    lease_name,
                    ping_time,
                    renew_time,
                    strategy,
                } = Option::from(candidate.spec).unwrap_or_default();
                let mut spec =
                    $version::LeaseCandidateSpec::new(lease_name, binary_version, strategy);
                spec.emulation_version = emulation_version;
                spec.ping_time = ping_time.map(|time| time.0.into());
                spec.renew_time = renew_time.map(|time| time.0.into());
                Self::from_parts(candidate.metadata, spec)
            }
        }

        #[allow(clippy::useless_conversion, reason = "the spec is optional up to Kubernetes 1.35")]
        impl TryFrom<$version::LeaseCandidate> for openapi::$version::LeaseCandidate {
            type Error = FieldError;

            fn try_from(candidate: $version::LeaseCandidate) -> Result<Self, FieldError> {
                let spec = candidate.spec;
                let spec = openapi::$version::LeaseCandidateSpec {
                    binary_version: spec.binary_version,
                    emulation_version: spec.emulation_version,
                    lease_name: spec.lease_name,
                    ping_time: time(spec.ping_time, PING_TIME)?.map(MicroTime),
                    renew_time: time(spec.renew_time, RENEW_TIME)?.map(MicroTime),
                    strategy: spec.strategy.as_str().to_owned(),
                };
                Ok(Self { metadata: candidate.metadata, spec: spec.into() })
            }
        }
    };
}

candidate!(v1alpha2);
candidate!(v1beta1);

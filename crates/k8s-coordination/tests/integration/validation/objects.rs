//! Objects, and verdicts in short.

use k8s_coordination::conversion::ConvertPart;
use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::validation::FieldErrors;
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};

/// Field and reason of each error, without `metadata.`, `spec.` and the `FieldValue` that all reasons begin with.
pub(crate) fn short(verdict: Result<(), FieldErrors>) -> String {
    let errors = verdict.err().into_iter().flatten();
    let short = errors.map(|error| {
        let path = error.path.to_string();
        let path = path.trim_start_matches("metadata.").trim_start_matches("spec.");
        format!("{path} {}", error.reason.as_str().trim_start_matches("FieldValue"))
    });
    short.collect::<Vec<_>>().join(", ")
}

pub(crate) fn named(name: &str) -> ObjectMeta {
    ObjectMeta::default().with_name(name).with_namespace("default")
}

pub(crate) fn lease(spec: LeaseSpec) -> Lease {
    Lease::default().with_metadata(named("lock")).with_spec(spec)
}

pub(crate) fn with_metadata(metadata: ObjectMeta) -> Lease {
    Lease::default().with_metadata(metadata)
}

/// A spec of a candidate, as both generations can hold it. The strategies are separated by spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) emulation: &'static str,
    pub(crate) binary: &'static str,
    pub(crate) strategies: &'static str,
}

impl Spec {
    pub(crate) fn first_generation(self) -> v1alpha1::LeaseCandidate {
        let strategies = self.strategies.split_whitespace();
        let spec = v1alpha1::LeaseCandidateSpec::new("lock", strategies)
            .with_emulation_version(self.emulation)
            .with_binary_version(self.binary);
        v1alpha1::LeaseCandidate::new(spec).with_metadata(named("a"))
    }

    pub(crate) fn second_generation(self) -> v1beta1::LeaseCandidate {
        let strategy = self.strategies.split(' ').next().unwrap_or_default();
        let spec = v1beta1::LeaseCandidateSpec::new("lock", self.binary, strategy);
        let spec = spec.with_emulation_version(self.emulation);
        v1beta1::LeaseCandidate::new(spec).with_metadata(named("a"))
    }

    /// The version in between has the rules of the second generation.
    pub(crate) fn in_between(self) -> v1alpha2::LeaseCandidate {
        let (spec, _) = self.second_generation().spec.convert_lossy();
        v1alpha2::LeaseCandidate::new(spec).with_metadata(named("a"))
    }
}

pub(crate) fn owner(api_version: &str, kind: &str, name: &str, uid: &str) -> OwnerReference {
    OwnerReference::new(api_version, kind, name, uid)
}

pub(crate) fn managed(
    operation: &str,
    fields_type: &str,
    manager: &str,
    subresource: &str,
) -> ManagedFieldsEntry {
    ManagedFieldsEntry::default()
        .with_api_version("v1")
        .with_operation(operation)
        .with_fields_type(fields_type)
        .with_manager(manager)
        .with_subresource(subresource)
}

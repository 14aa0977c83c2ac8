//! `LeaseCandidate` of every version.

use k8s_versioned::field::{FieldError, FieldErrors, Validate, verdict};
use k8s_versioned::semantic_version::{ParseSemanticVersionError, SemanticVersion};

use super::metadata::{self, NameRule};
use super::{SPEC, strategy};
use crate::candidate_spec::{CandidateSpec, Preference};
use crate::meta::v1::ObjectMeta;
use crate::{CoordinatedLeaseStrategy, v1alpha1, v1alpha2, v1beta1};

impl Validate for v1alpha1::LeaseCandidate {
    fn validate(&self) -> Result<(), FieldErrors> {
        validate(&self.metadata, &(&self.spec).into())
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let (metadata, specs) = ((&self.metadata, &old.metadata), (&self.spec, &old.spec));
        validate_update(metadata, (&specs.0.into(), &specs.1.into()))
    }
}

impl Validate for v1alpha2::LeaseCandidate {
    fn validate(&self) -> Result<(), FieldErrors> {
        validate(&self.metadata, &(&self.spec).into())
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let (metadata, specs) = ((&self.metadata, &old.metadata), (&self.spec, &old.spec));
        validate_update(metadata, (&specs.0.into(), &specs.1.into()))
    }
}

impl Validate for v1beta1::LeaseCandidate {
    fn validate(&self) -> Result<(), FieldErrors> {
        validate(&self.metadata, &(&self.spec).into())
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let (metadata, specs) = ((&self.metadata, &old.metadata), (&self.spec, &old.spec));
        validate_update(metadata, (&specs.0.into(), &specs.1.into()))
    }
}

fn validate(metadata: &ObjectMeta, spec: &CandidateSpec<'_>) -> Result<(), FieldErrors> {
    let mut errors = Vec::new();
    metadata::check(metadata, NameRule::ConfigMapKey, &mut errors);
    check_spec(spec, &mut errors);
    verdict(errors)
}

fn validate_update(
    (metadata, old_metadata): (&ObjectMeta, &ObjectMeta),
    (spec, old): (&CandidateSpec<'_>, &CandidateSpec<'_>),
) -> Result<(), FieldErrors> {
    let mut errors = Vec::new();
    metadata::check_update(metadata, old_metadata, &mut errors);
    check_spec(spec, &mut errors);
    if spec.lease_name != old.lease_name {
        let message = format!(
            "a candidate stays with its Lease: write `{}`, or create another candidate",
            old.lease_name
        );
        errors.push(FieldError::invalid(
            SPEC.child("leaseName"),
            spec.lease_name,
            message,
        ));
    }
    verdict(errors)
}

fn check_spec(spec: &CandidateSpec<'_>, errors: &mut Vec<FieldError>) {
    if spec.lease_name.is_empty() {
        let message = "write the name of the Lease that the candidate contends for";
        errors.push(FieldError::required(SPEC.child("leaseName"), message));
    }
    let versions = Versions::check(spec, errors);
    match spec.preference {
        Preference::List(strategies) => check_list(strategies, &versions, errors),
        Preference::One(strategy) => check_one(strategy, &versions, errors),
    }
}

/// The two versions. One that is empty or cannot be read is `0.0.0`, as on the server: the rules after the
/// one that it breaks then look at that.
struct Versions {
    binary: SemanticVersion,
    emulation: SemanticVersion,
}

impl Versions {
    fn check(spec: &CandidateSpec<'_>, errors: &mut Vec<FieldError>) -> Self {
        let (binary_text, emulation_text) = (spec.binary_version, spec.emulation_version);
        let emulation = read("emulationVersion", emulation_text, errors);
        if binary_text.is_empty() && matches!(spec.preference, Preference::One(_)) {
            let message = "write the version of the candidate's program, such as `1.31.0`";
            errors.push(FieldError::required(SPEC.child("binaryVersion"), message));
        }
        let binary = read("binaryVersion", binary_text, errors);
        let both = !binary_text.is_empty() && !emulation_text.is_empty();
        if both && binary.cmp_precedence(&emulation).is_lt() {
            let message = format!(
                "write {emulation} or a later version, or lower `emulationVersion`: \
                 a program cannot behave as a later version than its own"
            );
            errors.push(FieldError::invalid(
                SPEC.child("binaryVersion"),
                binary_text,
                message,
            ));
        }
        Self { binary, emulation }
    }

    /// `OldestEmulationVersion` compares versions, so it needs them. Zero counts as absent.
    fn need(field: &str, version: &SemanticVersion, errors: &mut Vec<FieldError>) {
        if version.is_zero() {
            let message =
                "with `OldestEmulationVersion` give a version above `0.0.0`, such as `1.31.0`";
            errors.push(FieldError::required(SPEC.child(field), message));
        }
    }
}

fn read(field: &str, text: &str, errors: &mut Vec<FieldError>) -> SemanticVersion {
    if text.is_empty() {
        return SemanticVersion::default();
    }
    match text.parse() {
        Ok(version) => version,
        Err(error) => {
            errors.push(unreadable(field, text, &error));
            SemanticVersion::default()
        }
    }
}

fn unreadable(field: &str, text: &str, error: &ParseSemanticVersionError) -> FieldError {
    let instead = match SemanticVersion::parse_tolerant(text) {
        Ok(version) => format!("`{version}`"),
        Err(_) => "a version such as `1.31.0`".to_owned(),
    };
    let message = format!("write {instead}: {}", error.problem());
    FieldError::invalid(SPEC.child(field), text, message)
}

/// The strategies of `v1alpha1`. A server accepts an empty list, and the same strategy twice.
fn check_list(
    strategies: &[CoordinatedLeaseStrategy],
    versions: &Versions,
    errors: &mut Vec<FieldError>,
) {
    let path = SPEC.child("preferredStrategies");
    for (index, strategy) in strategies.iter().enumerate() {
        if *strategy == CoordinatedLeaseStrategy::OldestEmulationVersion {
            Versions::need("binaryVersion", &versions.binary, errors);
            Versions::need("emulationVersion", &versions.emulation, errors);
        }
        strategy::check(strategy, &path.index(index), errors);
    }
}

/// The strategy of the later versions.
fn check_one(
    strategy: &CoordinatedLeaseStrategy,
    versions: &Versions,
    errors: &mut Vec<FieldError>,
) {
    let path = SPEC.child("strategy");
    if strategy.is_empty() {
        let message =
            "write `OldestEmulationVersion`, or one of your own such as `example.com/by-load`";
        errors.push(FieldError::required(path, message));
        return;
    }
    if *strategy == CoordinatedLeaseStrategy::OldestEmulationVersion {
        Versions::need("emulationVersion", &versions.emulation, errors);
    }
    strategy::check(strategy, &path, errors);
}

//! `LeaseCandidate` of every version.

use k8s_versioned::Quoted;
use k8s_versioned::field::{FieldError, FieldErrors, Validate};
use k8s_versioned::{ParseError, SemanticVersion};

use super::metadata::{self, NameRule};
use super::{SPEC, names};
use crate::candidate_spec::{CandidateSpec, Preference};
use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::ObjectMeta;
use crate::{CoordinatedLeaseStrategy, v1alpha1, v1alpha2, v1beta1};

macro_rules! validate {
    ($($version:ident)*) => {$(
        impl Validate for $version::LeaseCandidate {
            fn validate(&self) -> Result<(), FieldErrors> {
                Parts::of(&self.metadata, &self.spec).validate()
            }

            fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
                let old = Parts::of(&old.metadata, &old.spec);
                Parts::of(&self.metadata, &self.spec).validate_update(&old)
            }
        }
    )*};
}

validate!(v1alpha1 v1alpha2 v1beta1);

/// By the rules of the object's version. All versions have the same immutable fields, so that the two objects may be
/// of different versions.
impl Validate for AnyLeaseCandidate {
    fn validate(&self) -> Result<(), FieldErrors> {
        Parts::of(self.metadata(), self.spec()).validate()
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let old = Parts::of(old.metadata(), old.spec());
        Parts::of(self.metadata(), self.spec()).validate_update(&old)
    }
}

/// The parts that the rules check, the same for every version.
struct Parts<'a> {
    metadata: &'a ObjectMeta,
    spec: CandidateSpec<'a>,
}

impl<'a> Parts<'a> {
    fn of(metadata: &'a ObjectMeta, spec: impl Into<CandidateSpec<'a>>) -> Self {
        let spec = spec.into();
        Self { metadata, spec }
    }

    fn validate(&self) -> Result<(), FieldErrors> {
        let mut errors = Vec::new();
        metadata::check(self.metadata, NameRule::ConfigMapKey, &mut errors);
        check_spec(&self.spec, &mut errors);
        metadata::check_path(self.metadata, &mut errors);
        FieldErrors::check(errors)
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        let mut errors = Vec::new();
        metadata::check_update(self.metadata, old.metadata, &mut errors);
        check_spec(&self.spec, &mut errors);
        check_lease_name(self.spec.lease_name, old.spec.lease_name, &mut errors);
        FieldErrors::check(errors)
    }
}

fn check_lease_name(new: &str, old: &str, errors: &mut Vec<FieldError>) {
    if new != old {
        let old = Quoted(old);
        let message =
            format!("a candidate stays with its Lease: write {old}, or create another candidate");
        errors.push(FieldError::invalid(SPEC.child("leaseName"), new, message));
    }
}

fn check_spec(spec: &CandidateSpec<'_>, errors: &mut Vec<FieldError>) {
    if spec.lease_name.is_empty() {
        let message = "write the name of the Lease that the candidate is for";
        errors.push(FieldError::required(SPEC.child("leaseName"), message));
    }
    let versions = Versions::check(spec, errors);
    match spec.preference {
        Preference::List(strategies) => check_list(strategies, &versions, errors),
        Preference::One(strategy) => check_one(strategy, &versions, errors),
    }
}

/// A version as a server sees it: `0.0.0` if it is empty or cannot be read, for the rules that follow.
#[derive(Default)]
struct Read {
    version: SemanticVersion,
    /// True if it is not empty and cannot be read.
    unreadable: bool,
}

/// The two versions.
struct Versions {
    binary: Read,
    emulation: Read,
}

impl Versions {
    fn check(spec: &CandidateSpec<'_>, errors: &mut Vec<FieldError>) -> Self {
        let emulation = read("emulationVersion", spec.emulation_version, errors);
        if spec.binary_version.is_empty() && matches!(spec.preference, Preference::One(_)) {
            let message = "write the version of the candidate's program, such as `1.31.0`";
            errors.push(FieldError::required(SPEC.child("binaryVersion"), message));
        }
        let binary = read("binaryVersion", spec.binary_version, errors);
        let versions = Self { binary, emulation };
        let both = !spec.binary_version.is_empty() && !spec.emulation_version.is_empty();
        if both && versions.is_too_low() {
            let (path, value) = (SPEC.child("binaryVersion"), spec.binary_version);
            errors.push(FieldError::invalid(path, value, versions.too_low()));
        }
        versions
    }

    fn is_too_low(&self) -> bool {
        let (binary, emulation) = (&self.binary.version, &self.emulation.version);
        binary.cmp_precedence(emulation).is_lt()
    }

    /// The reason why the binary version is too low, with a suggestion.
    fn too_low(&self) -> String {
        let emulation = self.emulation.version.to_string();
        let emulation = Quoted(&emulation);
        if self.binary.unreadable {
            return format!(
                "write a version that can be read: \
                 a server takes this one for `0.0.0`, which is below {emulation}, the `emulationVersion`"
            );
        }
        format!(
            "write {emulation} or a later version, or lower `emulationVersion`: \
             a program cannot behave as a later version than its own"
        )
    }
}

/// Checks a version that `OldestEmulationVersion` compares. Zero counts as absent.
fn need(field: &'static str, read: &Read, errors: &mut Vec<FieldError>) {
    if read.version.is_zero() {
        let message = if read.unreadable {
            "write a version that can be read: a server takes this one for `0.0.0`, \
             and `OldestEmulationVersion` needs one above that"
        } else {
            "with `OldestEmulationVersion` give a version above `0.0.0`, such as `1.31.0`"
        };
        errors.push(FieldError::required(SPEC.child(field), message));
    }
}

fn read(field: &'static str, text: &str, errors: &mut Vec<FieldError>) -> Read {
    if text.is_empty() {
        return Read::default();
    }
    match text.parse() {
        Ok(version) => Read { version, unreadable: false },
        Err(error) => {
            errors.push(unreadable(field, text, &error));
            Read { version: SemanticVersion::default(), unreadable: true }
        }
    }
}

fn unreadable(field: &'static str, text: &str, error: &ParseError) -> FieldError {
    let instead = match SemanticVersion::parse_tolerant(text) {
        Ok(version) => Quoted(&version.to_string()).to_string(),
        Err(_) => "a version such as `1.31.0`".to_owned(),
    };
    let message = format!("write {instead}: {}", error.reason());
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
            need("binaryVersion", &versions.binary, errors);
            need("emulationVersion", &versions.emulation, errors);
        }
        names::check_strategy(strategy, path.index(index), errors);
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
            "write `OldestEmulationVersion`, or a custom strategy such as `example.com/by-load`";
        errors.push(FieldError::required(path, message));
        return;
    }
    if *strategy == CoordinatedLeaseStrategy::OldestEmulationVersion {
        need("emulationVersion", &versions.emulation, errors);
    }
    names::check_strategy(strategy, path, errors);
}

//! `LeaseCandidate` of every version.

use k8s_versioned::field::{FieldError, FieldErrors};
use k8s_versioned::{ParseError, Quoted, SemanticVersion};

use super::metadata;
use super::{SPEC, Validate};
use crate::CoordinatedLeaseStrategy;
use crate::conversion::{AnyLeaseCandidateRef, ListOrFirst};

/// By the rules of the object's version. All versions have the same immutable fields, so that the two objects may be
/// of different versions.
impl<K> Validate for K
where
    for<'a> &'a K: Into<AnyLeaseCandidateRef<'a>>,
{
    fn validate(&self) -> Result<(), FieldErrors> {
        validate(self.into())
    }

    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors> {
        validate_update(self.into(), old.into())
    }
}

fn validate(candidate: AnyLeaseCandidateRef<'_>) -> Result<(), FieldErrors> {
    let mut errors = Vec::new();
    metadata::check(candidate.metadata(), metadata::CONFIG_MAP_KEY, &mut errors);
    check_spec(candidate, &mut errors);
    metadata::check_path(candidate.metadata(), &mut errors);
    FieldErrors::check(errors)
}

fn validate_update(
    new: AnyLeaseCandidateRef<'_>,
    old: AnyLeaseCandidateRef<'_>,
) -> Result<(), FieldErrors> {
    let mut errors = Vec::new();
    metadata::check_update(new.metadata(), old.metadata(), &mut errors);
    check_spec(new, &mut errors);
    check_lease_name(new.lease_name(), old.lease_name(), &mut errors);
    FieldErrors::check(errors)
}

fn check_lease_name(new: &str, old: &str, errors: &mut Vec<FieldError>) {
    if new != old {
        let old = Quoted(old);
        let message =
            format!("a candidate stays with its Lease: write {old}, or create another candidate");
        errors.push(FieldError::invalid(SPEC.child("leaseName"), new, message));
    }
}

fn check_spec(candidate: AnyLeaseCandidateRef<'_>, errors: &mut Vec<FieldError>) {
    if candidate.lease_name().is_empty() {
        let message = "write the name of the Lease that the candidate is for";
        errors.push(FieldError::required(SPEC.child("leaseName"), message));
    }
    let versions = Versions::check(candidate, errors);
    match candidate.preferred_strategies() {
        ListOrFirst::List(strategies) => check_list(strategies, &versions, errors),
        ListOrFirst::First(strategy) => check_one(strategy, &versions, errors),
    }
}

/// A version as a server sees it: `0.0.0` if it is empty or cannot be read, for the rules that follow.
#[derive(Default)]
struct ParsedVersion {
    version: SemanticVersion,
    /// Whether it is not empty and cannot be read.
    unreadable: bool,
}

struct Versions {
    binary: ParsedVersion,
    emulation: ParsedVersion,
}

impl Versions {
    fn check(candidate: AnyLeaseCandidateRef<'_>, errors: &mut Vec<FieldError>) -> Self {
        let (binary, emulation) = (candidate.binary_version(), candidate.emulation_version());
        let emulation = emulation.filter(|text| !text.is_empty());
        let both = binary.zip(emulation);
        let emulation = read("emulationVersion", emulation, errors);
        let one = matches!(candidate.preferred_strategies(), ListOrFirst::First(_));
        if binary.is_none() && one {
            let message = "write the version of the candidate's program, such as `1.31.0`";
            errors.push(FieldError::required(SPEC.child("binaryVersion"), message));
        }
        let binary = read("binaryVersion", binary, errors);
        let versions = Self { binary, emulation };
        if let Some((binary, _)) = both.filter(|_| versions.is_too_low()) {
            let path = SPEC.child("binaryVersion");
            errors.push(FieldError::invalid(path, binary, versions.too_low()));
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
fn need(field: &'static str, read: &ParsedVersion, errors: &mut Vec<FieldError>) {
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

fn read(field: &'static str, text: Option<&str>, errors: &mut Vec<FieldError>) -> ParsedVersion {
    let Some(text) = text else {
        return ParsedVersion::default();
    };
    match text.parse() {
        Ok(version) => ParsedVersion { version, unreadable: false },
        Err(error) => {
            errors.push(unreadable(field, text, &error));
            ParsedVersion { version: SemanticVersion::default(), unreadable: true }
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

/// The list of strategies. A server accepts an empty list, and the same strategy twice.
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
        metadata::check_strategy(strategy, path.index(index), errors);
    }
}

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
    metadata::check_strategy(strategy, path, errors);
}

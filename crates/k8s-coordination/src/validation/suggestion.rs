//! What to write instead of a field that a version of a kind does not have.

use std::fmt;

use k8s_versioned::nearest::nearest_field;
use k8s_versioned::{KindEntry, Quoted, Registry as _};

use crate::Kinds;

/// What to write instead of a field that a version of a kind does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suggestion {
    /// A field with almost the same name.
    Field(&'static str),
    /// The newest of the other versions of the kind that have the field.
    Version(&'static str),
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, "did you mean {}?", Quoted(name)),
            Self::Version(version) => write!(f, "a field of {}", Quoted(version)),
        }
    }
}

/// Returns what to write instead of a field that a kind does not have, if that is known.
///
/// ```
/// use k8s_coordination::validation::{BodyProblem, Submission, suggestion};
/// use k8s_coordination::{Kinds, Registry};
///
/// let kind = Kinds.find("coordination.k8s.io/v1", "Lease").ok_or("unknown kind")?;
/// let verdict = Submission::create(kind, "default").judge(r#"{"spec": {"holderIdentiy": "a"}}"#);
/// let [BodyProblem::UnknownField(path)] = verdict.warnings() else { return Err("none".into()) };
/// let suggestion = suggestion(kind, path).ok_or("no suggestion")?;
/// assert_eq!(suggestion.to_string(), "did you mean `holderIdentity`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn suggestion(kind: &KindEntry, path: &str) -> Option<Suggestion> {
    let known = kind.fields_beside(path)?;
    let mut others = Kinds.kinds().iter().filter(|other| {
        let is_of_kind = other.group() == kind.group() && other.kind() == kind.kind();
        is_of_kind && other.fields_beside(path).is_none()
    });
    if let Some(other) = others.next_back() {
        return Some(Suggestion::Version(other.version()));
    }
    let name = path.rsplit('.').next().unwrap_or(path);
    nearest_field(name, known.iter().copied()).map(Suggestion::Field)
}

#[cfg(test)]
mod tests {
    use k8s_versioned::Registry as _;

    use super::{Suggestion, suggestion};
    use crate::Kinds;

    #[test]
    fn a_field_of_this_version_or_of_another() {
        use Suggestion::{Field, Version};
        let long = "spec.a".repeat(100_000);
        for (version, kind, path, expected) in [
            ("v1", "Lease", "spec.holderIdentiy", Some(Field("holderIdentity"))),
            ("v1", "Lease", "spec.leasedurationsecond", Some(Field("leaseDurationSeconds"))),
            ("v1", "Lease", "spec.holder", Some(Field("holderIdentity"))),
            ("v1", "Lease", "metadata.lables", Some(Field("labels"))),
            ("v1", "Lease", "metadata.ownerReferences[1].controler", Some(Field("controller"))),
            ("v1", "Lease", "spce", Some(Field("spec"))),
            ("v1", "Lease", "spec.colour", None),
            ("v1", "Lease", "spec.holderIdentity", None),
            ("v1", "Lease", &long, None),
            ("v1beta1", "LeaseCandidate", "spec.preferredStrategies", Some(Version("v1alpha1"))),
            ("v1alpha1", "LeaseCandidate", "spec.strategy", Some(Version("v1beta1"))),
        ] {
            let kind = Kinds.find(&format!("coordination.k8s.io/{version}"), kind).unwrap();
            assert_eq!(suggestion(kind, path), expected, "{path:.80}");
        }
    }
}

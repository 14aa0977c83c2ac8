//! The whole verdict on a request: the answer of a server to a body.

use k8s_versioned::field::FieldError;
use k8s_versioned::{Body, DecodeError, DecodedObject, KindEntry, Quoted, Received};
use thiserror::Error;

use super::prepare::{AnyObject, duplicate_owners};
use super::{FieldErrors, Prepare, Validate};
use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::{FieldValidation, ObjectMeta};
use crate::v1::Lease;

/// A request that creates or replaces an object, without its body.
///
/// [`judge`](Self::judge) answers as a server would.
///
/// ```
/// use k8s_coordination::Kinds;
/// use k8s_coordination::Registry;
/// use k8s_coordination::validation::{Submission, Verdict};
///
/// let kind = Kinds.find("coordination.k8s.io/v1", "Lease").ok_or("unknown kind")?;
/// let request = Submission::create(kind, "default");
///
/// let lease = r#"{"metadata": {"name": "lock"}, "spec": {"renewTime": "2026-01-02T03:04:05Z"}}"#;
/// let Verdict::Unreadable { errors } = request.judge(lease) else {
///     return Err("a server refuses this time".into());
/// };
/// assert_eq!(errors[0].path(), "spec.renewTime");
///
/// let lease = r#"{"metadata": {"name": "lock"}, "spec": {"leaseDurationSeconds": 0, "colour": 1}}"#;
/// let verdict = request.judge(lease);
/// assert_eq!(verdict.status(), 422);
/// assert_eq!(verdict.warnings()[0].to_string(), r#"unknown field "spec.colour""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    kind: &'a KindEntry,
    action: Action<'a>,
    field_validation: &'a FieldValidation,
}

#[derive(Clone, Copy, Debug)]
enum Action<'a> {
    Create { namespace: &'a str },
    Update { stored: &'a dyn DecodedObject },
}

impl<'a> Submission<'a> {
    /// A request that creates an object of a kind in a namespace.
    pub const fn create(kind: &'a KindEntry, namespace: &'a str) -> Self {
        let action = Action::Create { namespace };
        Self { kind, action, field_validation: &FieldValidation::Warn }
    }

    /// A request that replaces a stored object of a kind.
    pub const fn update(kind: &'a KindEntry, stored: &'a dyn DecodedObject) -> Self {
        let action = Action::Update { stored };
        Self { kind, action, field_validation: &FieldValidation::Warn }
    }

    /// The same request with the parameter `fieldValidation`. Without, servers warn.
    #[must_use]
    pub const fn with_field_validation(self, field_validation: &'a FieldValidation) -> Self {
        Self { field_validation, ..self }
    }

    /// Returns the answer of a server to the request with this body.
    ///
    /// It knows only the body: [other checks](super#what-is-not-covered) of a server are not covered.
    pub fn judge<'b>(&self, body: impl Into<Body<'b>>) -> Verdict {
        match self.kind.receive(body) {
            Ok(received) => self.judge_received(received),
            Err(errors) => Verdict::Unreadable {
                errors: errors.into_iter().map(BodyProblem::Decode).collect(),
            },
        }
    }

    fn judge_received(&self, received: Received) -> Verdict {
        let unknown = received.unknown.into_iter().map(BodyProblem::UnknownField);
        let more = Some(received.more_unknown).filter(|count| *count > 0);
        let unknown = unknown.chain(more.map(BodyProblem::MoreUnknownFields));
        let duplicates = received.duplicates.into_iter();
        let mut warnings: Vec<_> =
            unknown.chain(duplicates.map(BodyProblem::DuplicateField)).collect();
        match self.field_validation {
            FieldValidation::Strict if !warnings.is_empty() => {
                return Verdict::Unreadable { errors: warnings };
            }
            FieldValidation::Ignore => warnings.clear(),
            _ => {}
        }
        let object = &*received.object;
        if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
            let stored = |stored: &dyn DecodedObject| stored.as_any().downcast_ref().cloned();
            return self.judge_object(lease, stored, warnings);
        }
        match AnyLeaseCandidate::from_object(object) {
            Some(candidate) => {
                self.judge_object(&candidate, AnyLeaseCandidate::from_object, warnings)
            }
            // No rules are known for other kinds.
            None => Verdict::Accepted { warnings },
        }
    }

    fn judge_object<T: AnyObject + Validate>(
        &self,
        object: &T,
        of_stored: impl Fn(&dyn DecodedObject) -> Option<T>,
        mut warnings: Vec<BodyProblem>,
    ) -> Verdict {
        let duplicates = duplicate_owners(object.meta());
        if !duplicates.is_empty() {
            warnings.push(BodyProblem::DuplicateOwners(duplicates));
        }
        let (refusals, verdict) = match self.action {
            Action::Create { namespace } => {
                let verdict = object.to_created_in(namespace).validate();
                (of_url(object.meta(), namespace, None), verdict)
            }
            Action::Update { stored } => match of_stored(stored) {
                Some(stored) => {
                    let verdict = object.to_update_of(&stored).validate_update(&stored);
                    let verdict = verdict.map_err(without_version_first);
                    let old = stored.meta();
                    let namespace = old.namespace.as_deref().unwrap_or_default();
                    let name = Some(old.name.as_deref().unwrap_or_default());
                    (of_url(object.meta(), namespace, name), verdict)
                }
                // Nothing can be said against an object of another kind.
                None => (Vec::new(), object.validate()),
            },
        };
        match verdict {
            _ if !refusals.is_empty() => Verdict::Unreadable { errors: refusals },
            Ok(()) => Verdict::Accepted { warnings },
            Err(errors) => Verdict::Invalid { errors, warnings },
        }
    }
}

/// Without a `resourceVersion` a server looks at nothing else.
fn without_version_first(errors: FieldErrors) -> FieldErrors {
    let version = |error: &&FieldError| error.path.as_str() == "metadata.resourceVersion";
    let alone: Vec<_> = errors.iter().filter(version).cloned().collect();
    FieldErrors::check(alone).err().unwrap_or(errors)
}

/// Compares the name and namespace of an object with the URL. The URL of a creation has no name.
fn of_url(metadata: &ObjectMeta, namespace: &str, name: Option<&str>) -> Vec<BodyProblem> {
    let own_namespace = metadata.namespace.as_deref().unwrap_or_default();
    let own_name = metadata.name.as_deref().unwrap_or_default();
    let namespace = Some(namespace).filter(|_| !own_namespace.is_empty());
    let names =
        [("metadata.namespace", own_namespace, namespace), ("metadata.name", own_name, name)];
    let refusals = names.into_iter().filter_map(|(field, found, expected)| {
        let expected = expected.filter(|expected| *expected != found)?.to_owned();
        Some(BodyProblem::NotOfUrl { field, found: found.to_owned(), expected })
    });
    refusals.collect()
}

/// The answer of a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// The object is fine (200 or 201).
    Accepted {
        /// The warnings of the server.
        warnings: Vec<BodyProblem>,
    },
    /// The object breaks rules (422).
    Invalid {
        /// The broken rules, with the causes that the server names.
        errors: FieldErrors,
        /// The warnings of the server.
        warnings: Vec<BodyProblem>,
    },
    /// The body is not an object of the kind, or another object than the URL names (400). No rule is checked.
    Unreadable {
        /// All problems. A server names one of them.
        errors: Vec<BodyProblem>,
    },
}

impl Verdict {
    /// Returns `true` if the server accepts the object.
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted { .. })
    }

    /// The HTTP status: 200, 400 or 422. Real servers answer 201 to an accepted creation.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Accepted { .. } => 200,
            Self::Unreadable { .. } => 400,
            Self::Invalid { .. } => 422,
        }
    }

    /// The warnings of the server, in the order of its headers.
    pub fn warnings(&self) -> &[BodyProblem] {
        match self {
            Self::Accepted { warnings } | Self::Invalid { warnings, .. } => warnings,
            Self::Unreadable { .. } => &[],
        }
    }
}

/// A problem in a body: a warning, or an error for which a server refuses the body. It has the server's text.
///
/// Fields that are unknown or duplicate are errors with `fieldValidation=Strict` and warnings otherwise.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BodyProblem {
    /// An error: the body is not JSON, or not an object of the kind.
    #[error(transparent)]
    Decode(DecodeError),
    /// An error: the URL names another object, or another namespace.
    #[error("{field}: {} is not {}, which the URL names", Quoted(found), Quoted(expected))]
    NotOfUrl {
        /// The path of the field.
        field: &'static str,
        /// The value of the field.
        found: String,
        /// The value in the URL.
        expected: String,
    },
    /// The kind does not have the field; the server drops it. [`suggestion`](super::suggestion()) says what to write instead.
    #[error("unknown field {0:?}")]
    UnknownField(String),
    /// The kind does not have this number of fields more, whose paths are too long together; the server drops them. Its own text names
    /// each.
    #[error("{0} unknown fields more, whose paths are too long together")]
    MoreUnknownFields(usize),
    /// The field is there more than once; the last one counts.
    #[error("duplicate field {0:?}")]
    DuplicateField(String),
    /// A warning: owners have the `uid` of others before them; the server drops them.
    #[error(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, \
         and may reject such requests as early as 1.24; please fix your requests; \
         duplicate UID(s) observed: {}",
        .0.join(", ")
    )]
    DuplicateOwners(Vec<String>),
}

impl BodyProblem {
    /// The path of the field; empty if the problem is about the whole body.
    pub fn path(&self) -> &str {
        match self {
            Self::Decode(error) => error.path(),
            Self::MoreUnknownFields(_) => "",
            Self::NotOfUrl { field, .. } => field,
            Self::UnknownField(path) | Self::DuplicateField(path) => path,
            Self::DuplicateOwners(_) => "metadata.ownerReferences",
        }
    }
}

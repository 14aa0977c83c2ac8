//! The whole verdict on a request: what a server answers to a body.

use std::fmt;

use k8s_versioned::registry::{Body, Received};
use k8s_versioned::{DecodeError, KindEntry, Object, Resource};
use serde::de::Error as _;
use thiserror::Error;

use super::prepare::duplicate_owners;
use super::{FieldErrors, Prepare, Validate};
use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::ObjectMeta;
use crate::v1::Lease;
use crate::{FieldValidation, Kinds};

/// A request that creates or replaces an object, without its body.
///
/// [`judge`](Self::judge) answers as a server would.
///
/// ```
/// use k8s_coordination::Kinds;
/// use k8s_coordination::k8s_versioned::Registry;
/// use k8s_coordination::validation::{Request, Verdict};
///
/// let kind = Kinds.find("coordination.k8s.io/v1", "Lease").ok_or("unknown kind")?;
/// let request = Request::create(kind, "default");
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
pub struct Request<'a> {
    kind: &'a KindEntry,
    action: Action<'a>,
    field_validation: &'a FieldValidation,
}

#[derive(Clone, Copy, Debug)]
enum Action<'a> {
    Create { namespace: &'a str },
    Update { stored: &'a dyn Object },
}

impl<'a> Request<'a> {
    /// A request that creates an object of a kind in a namespace.
    pub const fn create(kind: &'a KindEntry, namespace: &'a str) -> Self {
        let action = Action::Create { namespace };
        Self {
            kind,
            action,
            field_validation: &FieldValidation::Warn,
        }
    }

    /// A request that replaces a stored object of a kind.
    pub const fn update(kind: &'a KindEntry, stored: &'a dyn Object) -> Self {
        let action = Action::Update { stored };
        Self {
            kind,
            action,
            field_validation: &FieldValidation::Warn,
        }
    }

    /// The same request with the parameter `fieldValidation`. Without, servers warn.
    #[must_use]
    pub const fn with_field_validation(self, field_validation: &'a FieldValidation) -> Self {
        Self {
            field_validation,
            ..self
        }
    }

    /// What a server answers to the request with this body.
    ///
    /// It knows what the body holds. What else a server looks at is [not covered](super#what-is-not-covered).
    pub fn judge<'b>(&self, body: impl Into<Body<'b>>) -> Verdict {
        match self.kind.receive(body) {
            Ok(received) => self.judge_received(received),
            Err(errors) => Verdict::Unreadable { errors },
        }
    }

    fn judge_received(&self, received: Received) -> Verdict {
        let unknown = received.unknown.into_iter().map(Warning::UnknownField);
        let duplicates = received.duplicates.into_iter();
        let mut warnings: Vec<_> = unknown
            .chain(duplicates.map(Warning::DuplicateField))
            .collect();
        match self.field_validation {
            FieldValidation::Strict if !warnings.is_empty() => {
                let errors = warnings.into_iter().map(Refusal::Strict).collect();
                return Verdict::Unreadable { errors };
            }
            FieldValidation::Ignore => warnings.clear(),
            _ => {}
        }
        let object = &*received.object;
        if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
            let stored = |stored: &dyn Object| stored.as_any().downcast_ref().cloned();
            return self.judge_object(lease, &lease.metadata, stored, warnings);
        }
        match AnyLeaseCandidate::from_object(object) {
            Some(candidate) => {
                let stored = AnyLeaseCandidate::from_object;
                self.judge_object(&candidate, candidate.metadata(), stored, warnings)
            }
            // No rules are known for other kinds.
            None => Verdict::Accepted { warnings },
        }
    }

    fn judge_object<T: Prepare + Validate>(
        &self,
        object: &T,
        metadata: &ObjectMeta,
        of_stored: impl Fn(&dyn Object) -> Option<T>,
        mut warnings: Vec<Warning>,
    ) -> Verdict {
        let duplicates = duplicate_owners(metadata);
        if !duplicates.is_empty() {
            warnings.push(Warning::DuplicateOwners(duplicates));
        }
        let (namespace, name, verdict) = match self.action {
            Action::Create { namespace } => {
                let verdict = object.to_created_in(namespace).validate();
                (Some(namespace), None, verdict)
            }
            Action::Update { stored } => match of_stored(stored) {
                Some(stored) => {
                    let verdict = object.to_update_of(&stored).validate_update(&stored);
                    (stored.namespace(), stored.name(), verdict)
                }
                // Of an object of another kind nothing is known.
                None => (None, None, object.validate()),
            },
        };
        let errors = addressed(metadata, namespace, name);
        match verdict {
            _ if !errors.is_empty() => Verdict::Unreadable { errors },
            Ok(()) => Verdict::Accepted { warnings },
            Err(errors) => Verdict::Invalid { errors, warnings },
        }
    }
}

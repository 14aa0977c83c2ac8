//! The rules that API servers check before they store an object.
//!
//! [`Submission::judge`] predicts a server's answer to a request body: refused because it cannot be read
//! (400), rejected with its causes (422), or accepted, with the warnings. The rules themselves are these:
//!
//! [`Validate`] is implemented for [`Lease`](crate::v1::Lease) and for `LeaseCandidate` of every version.
//! It finds everything at once, in the order in which servers report it, with the fields and reasons that
//! they use. They follow the rules of Kubernetes since 1.31, with the feature gate
//! `CoordinatedLeaderElection` on; they were compared with recorded answers of these servers.
//!
//! ```
//! use k8s_coordination::{CoordinatedLeaseStrategy::OldestEmulationVersion, v1beta1};
//! use k8s_coordination::validation::{Prepare, Validate};
//!
//! let spec = v1beta1::LeaseCandidateSpec::new("scheduler", "v1.31.0", OldestEmulationVersion);
//! let mut candidate = v1beta1::LeaseCandidate::new(spec);
//! candidate.metadata.name = Some("node-1".to_owned());
//!
//! let errors = candidate.to_created_in("kube-system").validate().unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "spec.binaryVersion: invalid value \"v1.31.0\": write `1.31.0`: unexpected character 'v' while parsing major version number\n\
//!      spec.emulationVersion: a value is required: \
//!      with `OldestEmulationVersion` give a version above `0.0.0`, such as `1.31.0`"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What servers do before they check
//!
//! A server completes an object first: the namespace comes from the URL, an update keeps the `uid`, and so
//! on. [`Prepare`] does the same. Objects that are complete, such as those read from a cluster, need no
//! preparation. A server whose feature gate is off also drops two fields of a `Lease` first:
//! [`with_gate_off`] does that.
//!
//! # What is not covered
//!
//! Some requests fail before or after these rules are checked. [`Submission::judge`] also knows the status 400: a
//! body that does not decode (a wrong type, a number that does not fit, a time without six fractional digits), a
//! namespace or name that differs from the URL, and with `fieldValidation=Strict` a field that is unknown
//! or duplicate. `Submission::judge` and `Validate` do not cover:
//!
//! - 413 and 415: a body that is too large, or of a media type that the server does not take;
//! - 409: an outdated `resourceVersion`, a `uid` that differs from the stored `uid`, a name that is taken;
//! - 500: on an update a `resourceVersion` that is not a number, on a creation any `resourceVersion`;
//! - 403 and others: permissions, quotas, admission plugins, a namespace that is being deleted.
//!
//! These depend on the server and are not known here:
//!
//! - characters in a field manager's name that Unicode had not assigned when the server was built;
//! - the sender's own entry in `managedFields`. A server puts it among the others by its own clock: the index in
//!   a cause is one higher for an entry of `Update` with a time in the future. A server also unites the oldest
//!   entries where there are more than ten of `Update`;
//! - the versions that the server has. An entry of `v1beta1` counts as known beside `v1alpha2`; a server of 1.32,
//!   which has no `v1beta1`, drops it (recordings: `managed-unknown-version`, `managed-core-version`);
//! - the warning that an API version is deprecated, which depends on the release.
//!
//! # Invalid Unicode
//!
//! Servers read bytes that are not UTF-8, and halves of surrogate pairs (`\ud800`), as U+FFFD. So does
//! [`Submission::judge`]. Everything else in these crates refuses such text with an error, so that no letters are lost
//! silently. The conformance kit marks recordings that have such text.
//!
//! # After a conversion
//!
//! A [conversion](crate::conversion) between `v1alpha2` and `v1beta1` changes no verdict. From and to `v1alpha1`
//! the verdict is the same, except where the rules of the versions differ:
//!
//! - Only `v1alpha1` has strategies after the first. A conversion keeps them in an annotation, and they are judged
//!   again when they are restored.
//! - Later versions require `strategy` and `binaryVersion`; the report of the conversion says where they are
//!   empty. `v1alpha1` requires a `binaryVersion` for `OldestEmulationVersion` only, and one above `0.0.0`.
//!
//! # Where servers say less or more
//!
//! - On an update without `resourceVersion` a server reports only that; here it is one of all errors.
//! - A server repeats errors that several of its layers find; here each counts once. So it is with a version
//!   that several items of `preferredStrategies` need, and with a finalizer that is there twice.
//! - A field manager's name with several characters that cannot be shown is one error here.

mod candidate;
mod judge;
mod lease;
mod metadata;
mod prepare;
mod suggestion;

use k8s_versioned::field::PathRef;

pub use judge::{BodyProblem, Submission, Verdict};
pub use k8s_versioned::field::{FieldError, FieldErrors, FieldPath, Reason};
pub use lease::with_gate_off;
pub use prepare::Prepare;
pub use suggestion::{Suggestion, suggestion};

#[doc(no_inline)]
pub use k8s_versioned::Body;
#[cfg(feature = "election")]
pub(crate) use lease::check_written;

const SPEC: PathRef<'_> = PathRef::Field(&PathRef::Root, "spec");

/// A kind with known rules: its objects can be checked before they are sent, as API servers check them.
pub trait Validate {
    /// Checks an object that is to be created.
    ///
    /// # Errors
    ///
    /// All errors for which a server would reject the object, in the order of servers.
    fn validate(&self) -> Result<(), FieldErrors>;

    /// Checks an object that is to replace `old`.
    ///
    /// # Errors
    ///
    /// All errors for which a server would reject the update, in the order of servers: wrong values, and changes that
    /// are not allowed.
    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors>;
}

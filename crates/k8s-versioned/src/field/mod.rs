//! Errors of the fields of an object, as API servers name them.
//!
//! A server that rejects an object answers with a list of causes: a field, a reason out of a fixed open enum and a
//! text. [`FieldError`] is one cause, and [`FieldErrors`] has all causes of an object.
//!
//! Fields and reasons are the same as on servers. The messages are this project's: they state the value to write instead.
//!
//! ```
//! use k8s_versioned::field::{FieldError, FieldErrors, FieldPath, Reason};
//!
//! let spec = FieldPath::new("spec");
//! let found = [
//!     FieldError::required(spec.child("leaseName"), "name the Lease"),
//!     FieldError::invalid(spec.child("binaryVersion"), "v1.31.0", "write `1.31.0`"),
//! ];
//! let errors = FieldErrors::check(found).unwrap_err();
//! assert_eq!(errors.iter().next().map(|error| error.reason), Some(Reason::Required));
//! assert_eq!(
//!     errors.to_string(),
//!     "spec.leaseName: a value is required: name the Lease\n\
//!      spec.binaryVersion: invalid value \"v1.31.0\": write `1.31.0`"
//! );
//! ```

mod error;
mod path;

pub use error::{FieldError, FieldErrors, Reason};
pub(crate) use path::is_in;
pub use path::{FieldPath, PathRef, join};

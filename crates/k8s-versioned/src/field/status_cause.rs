//! Field errors as causes of a `Status`.

use super::FieldError;
use crate::meta::v1::StatusCause;

/// The cause for the answer of a webhook.
///
/// ```
/// use k8s_versioned::field::FieldError;
/// use k8s_versioned::meta::v1::StatusCause;
///
/// let error = FieldError::required("spec.leaseName", "write the name of the Lease");
/// let cause = StatusCause::from(&error);
/// assert_eq!(cause.field.as_deref(), Some("spec.leaseName"));
/// assert_eq!(cause.reason.as_deref(), Some("FieldValueRequired"));
/// assert_eq!(cause.message.as_deref(), Some("write the name of the Lease"));
/// ```
impl From<&FieldError> for StatusCause {
    fn from(error: &FieldError) -> Self {
        Self::default()
            .with_field(error.path.as_str())
            .with_reason(error.reason.as_str())
            .with_message(error.message.as_str())
    }
}

//! The error for fields that another type cannot hold.

use std::error::Error as StdError;

use jiff::Timestamp;
use thiserror::Error;

/// A field that the other type cannot hold, such as a time after the year 9999.
#[derive(Debug, Error)]
#[error("{field}: {reason}")]
pub struct FieldError {
    field: &'static str,
    #[source]
    reason: Box<dyn StdError + Send + Sync>,
}

impl FieldError {
    /// The field, such as `metadata.creationTimestamp`.
    pub fn field(&self) -> &'static str {
        self.field
    }

    pub(crate) fn new(field: &'static str, reason: impl StdError + Send + Sync + 'static) -> Self {
        let reason = Box::new(reason);
        Self { field, reason }
    }
}

/// A time as `k8s-openapi` holds it.
pub(crate) fn time<T>(time: Option<T>, field: &'static str) -> Result<Option<Timestamp>, FieldError>
where
    Timestamp: TryFrom<T, Error: StdError + Send + Sync + 'static>,
{
    time.map(Timestamp::try_from).transpose().map_err(|reason| FieldError::new(field, reason))
}

//! Conversions to and from plain objects.
use std::mem;

use k8s_coordination::prelude::HasSpec;

use super::Object;
use super::metadata::{from_plain, to_plain};
use crate::FieldError;

/// # To and from plain objects
///
/// Election, validation and the rest of [`k8s_coordination`] take plain objects. A conversion keeps every field. A value
/// that the other type cannot hold, such as a time after the year 9999, is an error.
///
/// ```
/// use k8s_coordination::v1::Lease as PlainLease;
/// use k8s_coordination_kube::v1::{Lease, LeaseSpec};
///
/// let lease = Lease::new("scheduler", LeaseSpec::default());
/// let plain: PlainLease = lease.clone().into_plain()?;
/// assert_eq!(plain.metadata.name.as_deref(), Some("scheduler"));
/// assert_eq!(Lease::from_plain(plain)?, lease);
/// # Ok::<(), k8s_coordination_kube::FieldError>(())
/// ```
impl<K: HasSpec> Object<K> {
    /// Converts to a plain object.
    ///
    /// # Errors
    ///
    /// The plain type cannot hold the `fieldsV1` of a manager. No server writes such a value.
    pub fn into_plain(self) -> Result<K, FieldError> {
        Ok(K::from_parts(to_plain(self.metadata)?, self.spec))
    }

    /// Converts from a plain object.
    ///
    /// # Errors
    ///
    /// A time of the metadata is outside of the range of `jiff`, which ends with the year 9999, or the `fieldsV1` of a
    /// manager nest deeper than `serde_json` reads.
    pub fn from_plain(mut plain: K) -> Result<Self, FieldError> {
        let metadata = from_plain(mem::take(plain.metadata_mut()))?;
        Ok(Self::from_parts(metadata, plain.spec().clone()))
    }
}

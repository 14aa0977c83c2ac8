//! Hand-written methods of candidates of any version.

use std::any::Any;

use k8s_versioned::Object;

#[cfg(feature = "validation")]
use crate::candidate_spec::CandidateSpec;
use crate::conversion::AnyLeaseCandidate;
use crate::{v1alpha1, v1alpha2, v1beta1};

impl AnyLeaseCandidate {
    /// The candidate that a decoded object is; `None` if it is of another kind.
    ///
    /// ```
    /// use k8s_coordination::conversion::AnyLeaseCandidate;
    /// use k8s_coordination::{v1, v1beta1};
    ///
    /// let spec = v1beta1::LeaseCandidateSpec::new("scheduler", "1.33.0", "example.com/own");
    /// let candidate = v1beta1::LeaseCandidate::new(spec);
    /// assert_eq!(AnyLeaseCandidate::from_object(&candidate), Some(candidate.into()));
    /// assert_eq!(AnyLeaseCandidate::from_object(&v1::Lease::default()), None);
    /// ```
    pub fn from_object(object: &dyn Object) -> Option<Self> {
        let object = object.as_any();
        of::<v1alpha1::LeaseCandidate>(object)
            .or_else(|| of::<v1alpha2::LeaseCandidate>(object))
            .or_else(|| of::<v1beta1::LeaseCandidate>(object))
    }

    /// The fields of the spec that rules look at.
    #[cfg(feature = "validation")]
    pub(crate) fn spec(&self) -> CandidateSpec<'_> {
        match self {
            Self::V1alpha1(candidate) => (&candidate.spec).into(),
            Self::V1alpha2(candidate) => (&candidate.spec).into(),
            Self::V1beta1(candidate) => (&candidate.spec).into(),
        }
    }
}

fn of<T: Clone + Into<AnyLeaseCandidate> + 'static>(object: &dyn Any) -> Option<AnyLeaseCandidate> {
    object.downcast_ref::<T>().cloned().map(Into::into)
}

/// Does the same with the kind of each version, for the crates of this project that send requests.
#[doc(hidden)]
#[macro_export]
macro_rules! with_candidate_kind {
    ($version:expr, $Kind:ident => $work:expr) => {
        match $version {
            $crate::conversion::LeaseCandidateVersion::V1alpha1 => {
                type $Kind = $crate::v1alpha1::LeaseCandidate;
                $work
            }
            $crate::conversion::LeaseCandidateVersion::V1alpha2 => {
                type $Kind = $crate::v1alpha2::LeaseCandidate;
                $work
            }
            _ => {
                type $Kind = $crate::v1beta1::LeaseCandidate;
                $work
            }
        }
    };
}

//! Conversions between versions of the API.
use std::mem;

use k8s_coordination::conversion::ConvertObject;
use k8s_coordination::conversion::{ConversionReport, Options};
use k8s_coordination::meta::v1 as plain;
use k8s_coordination::prelude::HasSpec;

use super::Object;

/// # Between versions of the API
///
/// Objects convert as plain objects do. An annotation keeps what the other version cannot hold, for the way back:
///
/// ```
/// use k8s_coordination::conversion::ConvertObject;
/// use k8s_coordination_kube::{v1alpha1, v1beta1};
///
/// let strategies = ["OldestEmulationVersion", "example.com/by-load"];
/// let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", strategies).with_binary_version("1.31.0");
/// let old = v1alpha1::LeaseCandidate::new("node-1", spec);
///
/// let (new, report): (v1beta1::LeaseCandidate, _) = old.clone().convert();
/// assert_eq!(new.spec.strategy.as_str(), "OldestEmulationVersion");
/// assert_eq!(report.len(), 1);
/// let (back, _): (v1alpha1::LeaseCandidate, _) = new.convert();
/// assert_eq!(back, old);
/// ```
impl<K, T> ConvertObject<Object<T>> for Object<K>
where
    K: HasSpec + ConvertObject<T>,
    T: HasSpec,
{
    type Policies = K::Policies;

    fn convert_reporting(
        mut self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> Object<T> {
        // A conversion reads and writes only the annotations of the metadata.
        let annotations = mem::take(&mut self.metadata.annotations).unwrap_or_default();
        let metadata = plain::ObjectMeta::default().with_annotations(annotations);
        let mut converted = K::from_parts(metadata, self.spec).convert_reporting(options, report);
        let annotations = mem::take(&mut converted.metadata_mut().annotations);
        self.metadata.annotations = Some(annotations).filter(|all| !all.is_empty());
        Object::from_parts(self.metadata, converted.spec().clone())
    }
}

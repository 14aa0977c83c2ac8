//! Short names and short forms.

pub(crate) use k8s_coordination::conversion::{
    Absent, AnyVersion, ConversionReport, ConvertObject, Options,
};
pub(crate) use k8s_coordination::conversion::{
    AnyLeaseCandidate as Any, LeaseCandidatePolicies as Policies, LeaseCandidateVersion as Version,
};
pub(crate) use k8s_coordination::meta::v1::ObjectMeta;
pub(crate) use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};

pub(crate) use testing::walk::findings;

/// A candidate of the first version.
pub(crate) type X = v1alpha1::LeaseCandidate;
/// A candidate of the second version.
pub(crate) type Y = v1alpha2::LeaseCandidate;
/// A candidate of the third version.
pub(crate) type Z = v1beta1::LeaseCandidate;

/// The key of the annotations that keep the values that a version cannot hold.
pub(crate) const K: &str = "conversion.k8s-coordination.internal/lease-candidate";

/// The annotation that keeps the strategies.
pub(crate) const KEPT: &str =
    "conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies";

/// The known strategy.
pub(crate) const A: &str = "OldestEmulationVersion";
/// Another one.
pub(crate) const B: &str = "example.com/by-load";

pub(crate) fn up(x: &X) -> (Z, ConversionReport) {
    x.convert()
}

pub(crate) fn down(z: &Z) -> (X, ConversionReport) {
    z.convert()
}

pub(crate) fn x(strategies: &[&str], binary_version: Option<&str>) -> X {
    let mut spec = v1alpha1::LeaseCandidateSpec::new("scheduler", strategies.iter().copied());
    spec.binary_version = binary_version.map(str::to_owned);
    X::new(spec)
        .with_metadata(ObjectMeta::default().with_name("a").with_annotations([("note", "1")]))
}

pub(crate) fn z(strategy: &str, binary_version: &str, kept: Option<&str>) -> Z {
    let spec = v1beta1::LeaseCandidateSpec::new("scheduler", binary_version, strategy);
    let mut metadata = ObjectMeta::default().with_name("a").with_annotations([("note", "1")]);
    metadata.annotations.extend(kept.map(|text| (KEPT.to_owned(), text.to_owned())));
    Z::new(spec).with_metadata(metadata)
}

/// The annotation's text with kept strategies.
pub(crate) fn kept_list(strategies: &[&str]) -> String {
    kept(&format!(r#""spec.preferredStrategies":{}"#, serde_json::json!(strategies)), "")
}

/// The annotation's text with these fields of v1alpha1, and these values that policies have filled in.
pub(crate) fn kept(fields: &str, filled: &str) -> String {
    let filled = if filled.is_empty() {
        String::new()
    } else {
        format!(r#""filled":{{"v1alpha1":{{{filled}}}}},"#)
    };
    format!(r#"{{"fields":{{"v1alpha1":{{{fields}}}}},{filled}"format":3}}"#)
}

/// The annotation, and the object without it.
pub(crate) fn split(z: &Z) -> (Option<String>, Z) {
    let mut without = z.clone();
    let kept = without.metadata.annotations.remove(KEPT);
    (kept, without)
}

// A program of a user. It does not know later releases.

use api::conversion::{
    AnyLeaseCandidate, ConvertObject, ConvertPart, LeaseCandidatePolicies, LeaseCandidateVersion,
    Options,
};
use api::{CoordinatedLeaseStrategy, Kinds, v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::meta::v1::{DeleteOptions, ObjectMeta};
use k8s_versioned::requests::{ListParameters, Patch, Verbs, WriteParameters};
use k8s_versioned::{HasSpec, Kind, List, Namespaced, Registry, Release, Resource, Serves, verbs};

#[test]
fn types() {
    let mut lease = v1::Lease::default();
    lease.metadata = ObjectMeta::default().with_name("a");
    let spec = v1::LeaseSpec::default().with_holder_identity("me").with_lease_duration_seconds(15);
    lease = lease.with_spec(spec);
    lease.spec.strategy = Some("example.com/mine".into());
    let text = serde_json::to_string(&lease).unwrap();
    assert_eq!(serde_json::from_str::<v1::Lease>(&text).unwrap(), lease);
    let v1::LeaseSpec { holder_identity, .. } = lease.spec;
    assert_eq!(holder_identity.as_deref(), Some("me"));

    let spec = v1beta1::LeaseCandidateSpec::new("a", "1.36.0", "OldestEmulationVersion");
    let list: v1beta1::LeaseCandidateList = List::new([v1beta1::LeaseCandidate::new(spec)]);
    assert_eq!(list.items[0].spec().lease_name, "a");
    let _ = v1::Lease::default().spec_mut();
}

#[test]
fn words() {
    let told = |strategy: &CoordinatedLeaseStrategy| match strategy {
        CoordinatedLeaseStrategy::OldestEmulationVersion => 1,
        other if other.as_str() == "NewestFirst" => 2,
        _ => 3,
    };
    let found = ["OldestEmulationVersion", "NewestFirst", "example.com/mine"];
    assert_eq!(found.map(|word| told(&word.into())), [1, 2, 3]);
}

#[test]
fn conversions() {
    let spec = v1alpha1::LeaseCandidateSpec::new("a", ["example.com/mine"]);
    let old = v1alpha1::LeaseCandidate::new(spec.clone());
    let (new, report): (v1beta1::LeaseCandidate, _) = old.clone().convert();
    assert!(!report.is_empty());
    let options = Options::new(LeaseCandidatePolicies::default());
    let strict: Result<(v1beta1::LeaseCandidate, _), _> = (&old).convert_with(&options);
    assert!(strict.is_ok());
    let _: (v1alpha2::LeaseCandidateSpec, _) = spec.convert_lossy();
    let _: v1alpha2::LeaseCandidateSpec = new.spec.clone().into();
    let any = AnyLeaseCandidate::from(old);
    assert_eq!(any.lease_name(), "a");
    assert!(any.binary_version().is_none());
    let version = match &any {
        AnyLeaseCandidate::V1alpha1(_) => LeaseCandidateVersion::V1alpha1,
        _ => LeaseCandidateVersion::V1beta1,
    };
    assert_eq!(version.to_string(), "v1alpha1");
}

#[test]
fn requests() {
    let targets = [
        v1::Lease::get("ns", "a").unwrap().target(),
        v1::Lease::list("ns", ListParameters::default().with_limit(1)).unwrap().target(),
        v1::Lease::list_all_namespaces(()).unwrap().target(),
        v1::Lease::watch("ns", ()).unwrap().target(),
        v1::Lease::create("ns", &v1::Lease::default(), WriteParameters::default()).unwrap().target(),
        v1::Lease::delete("ns", "a", DeleteOptions::default()).unwrap().target(),
        v1::Lease::delete_collection("ns", (), ()).unwrap().target(),
    ];
    assert!(targets.iter().all(|target| target.starts_with("/apis/coordination.k8s.io/v1/")));
    let patch = Patch::Merge(serde_json::json!({}));
    assert!(v1::Lease::patch("ns", "a", &patch, WriteParameters::default()).is_ok());
    let apply = <v1::Lease as Resource>::Apply::default();
    assert!(v1::Lease::apply("ns", "a", &apply, WriteParameters::default().with_field_manager("me")).is_ok());
    assert_eq!(first_page::<v1::Lease>() + first_page::<v1beta1::LeaseCandidate>(), 2);
}

fn first_page<R: Resource<Scope = Namespaced> + Serves<verbs::List>>() -> usize {
    usize::from(R::list("ns", ()).is_ok())
}

#[test]
fn kinds() {
    let entry = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    assert!(entry.is_served_in(Release::new(1, 35)));
    assert_eq!(v1::Lease::PLURAL, "leases");
    assert_eq!(v1::Lease::LIFECYCLE.map(|lifecycle| lifecycle.introduced_in()), Some(Release::new(1, 14)));
    assert_eq!(v1beta1::LeaseCandidate::LIFECYCLE.and_then(|lifecycle| lifecycle.removed_in()), Some(Release::new(1, 39)));
    assert_eq!(v1beta1::LeaseCandidate::VERSION, "v1beta1");
}

#[test]
fn shared_types() {
    let metadata = meta::ObjectMeta::default().with_name("a").with_namespace("ns");
    let text = serde_json::to_value(&metadata).unwrap();
    assert_eq!(text, serde_json::json!({"name": "a", "namespace": "ns"}));
    let mut list = meta::ListMeta::default().with_continue("token");
    list.resource_version = Some("1".to_owned());
    let meta::ListMeta { r#continue, .. } = list;
    assert_eq!(r#continue.as_deref(), Some("token"));
    let _ = meta::DeleteOptions::default().with_propagation_policy("Orphan");
    assert_eq!(meta::Status::default().code, None);
}

//! A program written for Kubernetes 1.36. It also compiled with the package before 1.37 was imported, whose documents end with
//! 1.36, and gave the same results. So it does not change: if it has to, the change breaks programs.

use k8s_resource::conversion::ConvertObject;
use k8s_resource::prelude::*;
use k8s_resource::requests::{ListParameters, WriteParameters};
use k8s_resource::subresource::Status;
use k8s_resource::{Kinds, Registry, v1, v1alpha3, v1beta1, v1beta2};
use serde_json::{Value, json};

/// `spec` is required in 1.36 and optional in 1.37: constructors and fields stay as they were.
#[test]
fn required_parts() {
    let request =
        v1::DeviceRequest::new("gpu").with_exactly(v1::ExactDeviceRequest::new("gpu.example.com"));
    let spec = v1::ResourceClaimSpec::default()
        .with_devices(v1::DeviceClaim::default().with_requests([request]));
    let claim = v1::ResourceClaim::new(spec.clone());
    assert_eq!(claim.spec.devices.requests.len(), 1);
    let template = v1::ResourceClaimTemplate::new(v1::ResourceClaimTemplateSpec::new(spec));
    assert_eq!(template.spec.spec, claim.spec);
    let class = v1::DeviceClass::named("gpu", v1::DeviceClassSpec::default());
    assert_eq!(serde_json::to_value(&class).unwrap()["spec"], json!({}));
}

#[test]
fn slices() {
    let pool = v1::ResourcePool::new("pool", 1, 1);
    let capacity = v1::DeviceCapacity::new("40Gi".parse().unwrap());
    let device = v1::Device::new("gpu-0").with_capacity([("memory", capacity)]);
    let spec = v1::ResourceSliceSpec::new("gpu.example.com", pool)
        .with_node_name("a")
        .with_devices([device]);
    let slice = v1::ResourceSlice::named("a", spec);
    let (old, report): (v1beta1::ResourceSlice, _) = slice.clone().convert();
    assert!(report.is_empty());
    assert_eq!(old.spec.node_name.as_deref(), Some("a"));
    let (again, _): (v1::ResourceSlice, _) = old.convert();
    assert_eq!(again, slice);
}

/// `DeviceTaintRule` exists in `v1alpha3` and `v1beta2` of 1.36, and in `v1` of 1.37.
#[test]
fn taints() {
    let taint = v1beta2::DeviceTaint::new("broken", "NoExecute");
    let rule = v1beta2::DeviceTaintRule::named("a", v1beta2::DeviceTaintRuleSpec::new(taint));
    let (old, report): (v1alpha3::DeviceTaintRule, _) = rule.convert();
    assert!(report.is_empty());
    assert_eq!(old.spec.taint.effect, "NoExecute");
}

#[test]
fn requests() {
    let claim = v1::ResourceClaim::named("a", v1::ResourceClaimSpec::default());
    let create = v1::ResourceClaim::create("ns", &claim, WriteParameters::default()).unwrap();
    assert_eq!(create.target(), "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims");
    let status = v1::ResourceClaim::replace_subresource::<Status>("ns", "a", &claim, ()).unwrap();
    assert_eq!(status.target(), "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/a/status");
    let list = v1beta1::ResourceSlice::list((), ListParameters::default().with_limit(1)).unwrap();
    assert_eq!(list.target(), "/apis/resource.k8s.io/v1beta1/resourceslices?limit=1");
}

#[test]
fn kinds_by_name() {
    for (version, kind) in
        [("v1", "ResourceClaim"), ("v1beta2", "DeviceTaintRule"), ("v1alpha3", "ResourceSlice")]
    {
        let kind = Kinds.find(&format!("resource.k8s.io/{version}"), kind).unwrap();
        let value: Value = json!({"apiVersion": kind.api_version(), "kind": kind.kind(), "metadata": {"name": "a"}});
        assert!(kind.decode_value(&value).is_ok());
    }
}

//! The types as protobuf.

use std::fs;
use std::path::Path;

use k8s_resource::prelude::*;
use k8s_resource::protobuf::{decode, decode_message, encode};
use k8s_resource::v1::{
    DeviceClaim, DeviceDerivedAttribute, DeviceRequest, ExactDeviceRequest, ResourceClaim,
    ResourceClaimSpec,
};
use k8s_resource::{Kinds, Registry, v1alpha3};
use serde_json::{Value, json};

/// Upstream's vectors of 1.36: each kind with every field filled, as JSON and as protobuf. The objects are equal, and the bytes
/// are the same after a round trip.
#[test]
fn vectors_of_upstream() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/protobuf/vectors");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pb") {
            continue;
        }
        let json: Value =
            serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let text = |name: &str| json[name].as_str().unwrap();
        let kind = Kinds.find(text("apiVersion"), text("kind")).unwrap();
        let codec = kind.protobuf().unwrap();
        let body = fs::read(&path).unwrap();
        let object = codec.decode(&body).unwrap();
        let expected = kind.decode_value(&json).unwrap();
        assert_eq!(object.encode().unwrap(), expected.encode().unwrap(), "{}", path.display());
        assert_eq!(object.encode().unwrap(), json, "{}", path.display());
        assert_eq!(codec.encode(&*object).unwrap(), body, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 14);
}

/// Pointers of Go keep zero values, and values that are not pointers lose them.
#[test]
fn absent_and_zero() {
    let claim = json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"},
        "spec": {"devices": {"requests": [
            {"name": "r", "exactly": {"deviceClassName": "c", "adminAccess": false, "count": 0, "allocationMode": ""}}
        ]}},
    });
    let mut claim: ResourceClaim = serde_json::from_value(claim).unwrap();
    let body = encode(&claim);
    let decoded: ResourceClaim = decode(&body).unwrap();
    let exactly = claim.spec.devices.requests[0].exactly.as_mut().unwrap();
    assert_eq!((exactly.admin_access, exactly.count), (Some(false), Some(0)));
    (exactly.count, exactly.allocation_mode) = (None, None);
    assert_eq!(decoded, claim);
    assert_eq!(encode(&decoded), body);
}

/// A configuration holds its parameters in a struct that Go embeds: a message with the number 3, which is written even if it is
/// empty. An error in it names the field in JSON.
#[test]
fn embedded_structs() {
    let of = |bytes: &[u8]| decode_message::<v1alpha3::DeviceAllocationConfiguration>(bytes);
    let opaque = [0x1a, 6, 0x0a, 4, 0x0a, 2, b'd', b'r'];
    assert_eq!(of(&opaque).unwrap().opaque.unwrap().driver, "dr");
    assert_eq!(of(&[0x1a, 0]).unwrap().opaque, None);
    let error = of(&[0x1a, 5, 0x0a, 3, 0x0a, 1, 0xff]).unwrap_err();
    assert_eq!(error.path(), "opaque.driver");
}

/// The number of this field of 1.37 is not published: nothing is written for it.
#[test]
fn fields_without_a_number() {
    let claim = |request: ExactDeviceRequest| {
        let request = DeviceRequest::new("r").with_exactly(request);
        let devices = DeviceClaim::default().with_requests([request]);
        ResourceClaim::named("a", ResourceClaimSpec::default().with_devices(devices))
    };
    let derived = [DeviceDerivedAttribute::new("a", "b")];
    let request = ExactDeviceRequest::new("c");
    let with = claim(request.clone().with_derived_attributes(derived));
    assert!(serde_json::to_string(&with).unwrap().contains("derivedAttributes"));
    assert_eq!(encode(&with), encode(&claim(request)));
}

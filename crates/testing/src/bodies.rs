//! Decodes, validates, converts and encodes any bytes.

use k8s_coordination::Kinds;
use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion, Options};
use k8s_coordination::protobuf::decode;
use k8s_coordination::requests::{ProtobufAnswer, TolerantList, Watch};
use k8s_coordination::validation::{Body, Submission};
use k8s_coordination::{Registry, from_json, v1, v1beta1};
use serde_json::Value;

/// No call may panic, and an object that decodes is equal after encoding and decoding.
pub fn exercise(bytes: &[u8]) {
    for kind in Kinds.kinds() {
        if let Ok(object) = kind.decode(bytes) {
            let again = object.encode_json().ok().and_then(|json| kind.decode(&json).ok());
            assert!(again.is_some_and(|again| again.equals(&*object)), "{object:?}");
            if kind.plural().is_some() {
                let _ = Submission::update(kind, &*object).judge(bytes).status();
            }
        }
        let _ = Submission::create(kind, "default").judge(bytes).status();
    }
    for version in LeaseCandidateVersion::ALL {
        let options = Options::default();
        let convert = |json: &Value| AnyLeaseCandidate::convert_value(json, *version, &options);
        if let Ok(value) = from_json::<Value>(bytes)
            && let Ok((converted, _)) = convert(&value)
        {
            assert!(convert(&converted).is_ok(), "{converted}");
        }
    }
}

/// The same for bytes as protobuf, as a body and as a watch.
pub fn exercise_protobuf(bytes: &[u8]) {
    for kind in Kinds.kinds() {
        if let Some(codec) = kind.protobuf()
            && let Ok(object) = codec.decode(bytes)
        {
            let body = codec.encode(&*object).unwrap_or_default();
            let again = codec.decode(&body).ok();
            assert!(again.is_some_and(|again| again.equals(&*object)), "{object:?}");
            let _ = object.encode_json();
        }
        let _ = Submission::create(kind, "default").judge(Body::Protobuf(bytes)).status();
    }
    let _ = decode::<AnyLeaseCandidate>(bytes);
    let _ = TolerantList::<v1::Lease>::decode_protobuf(bytes);
    let _ = TolerantList::<v1beta1::LeaseCandidate>::decode_protobuf(bytes);
    let mut watch = Watch::<v1::Lease>::protobuf();
    watch.push(bytes);
    while watch.next_event().is_some() {}
    let _ = watch.finish();
}

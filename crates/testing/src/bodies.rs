//! Decodes, validates, converts and encodes any bytes.

use k8s_coordination::Kinds;
use k8s_coordination::Registry;
use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion, Options};
use k8s_coordination::validation::Submission;

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
        let convert = |json: &[u8]| AnyLeaseCandidate::convert_slice(json, *version, &options);
        if let Ok((converted, _)) = convert(bytes) {
            assert!(convert(&converted).is_ok(), "{}", converted.escape_ascii());
        }
    }
}

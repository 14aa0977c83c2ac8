//! Objects of any version.

use super::support::*;

#[test]
fn is_read_by_its_api_version_and_written_as_it_is() {
    let candidates: [Any; 3] = [
        x(&[A, B], Some("1.31.0")).into(),
        Any::from(z(A, "1.33.0", None)),
        Any::from(ConvertObject::<Y>::convert(z(A, "1.33.0", None)).0),
    ];
    for candidate in candidates {
        let json = serde_json::to_value(&candidate).unwrap();
        assert_eq!(json["apiVersion"], candidate.version().api_version());
        assert_eq!(serde_json::from_value::<Any>(json).unwrap(), candidate);
        assert_eq!(candidate.lease_name(), "scheduler");
        assert_eq!(candidate.metadata().name.as_deref(), Some("a"));
        assert!(candidate.binary_version().unwrap().starts_with("1.3"));
        assert_eq!((candidate.ping_time(), candidate.renew_time()), (None, None));
    }
    for absent in [Any::from(x(&[A], None)), x(&[A], Some("")).into(), z(A, "", None).into()] {
        assert_eq!(absent.binary_version(), None);
    }
}

#[test]
fn versions_have_names() {
    for version in Version::ALL {
        assert_eq!(version.to_string().parse(), Ok(*version));
        assert_eq!(version.api_version().parse(), Ok(*version));
    }
    assert!(Version::ALL.is_sorted());
    let error = "v1".parse::<Version>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`v1` is not a version of `LeaseCandidate`: expected v1alpha1 or v1alpha2 or v1beta1"
    );
}

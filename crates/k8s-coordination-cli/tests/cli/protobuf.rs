//! Input and output in protobuf.

use std::fs;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::protobuf::{decode, encode};
use k8s_coordination::{v1, v1alpha2, v1beta1};
use tempfile::TempDir;

use crate::command::{coordination, pipe};

fn candidate() -> v1alpha2::LeaseCandidate {
    let spec = v1alpha2::LeaseCandidateSpec::new("lock", "1.31.0", "OldestEmulationVersion")
        .with_emulation_version("1.31.0");
    let metadata = ObjectMeta::default().with_name("a").with_namespace("n");
    v1alpha2::LeaseCandidate::new(spec).with_metadata(metadata)
}

#[test]
fn a_file_is_converted_in_place_and_stays_protobuf() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.pb");
    fs::write(&file, encode(&candidate())).unwrap();
    let args = ["convert", "--to", "v1beta1", "--in-place", "."];
    let ran = coordination(folder.path(), &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "1 file replaced, 0 unchanged\n"));
    let converted: v1beta1::LeaseCandidate = decode(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(AnyLeaseCandidate::from(converted.clone()).metadata(), &candidate().metadata);
    assert_eq!(converted.spec.lease_name, "lock");
    let again = coordination(folder.path(), &args);
    assert_eq!(again.stderr, "0 files replaced, 1 unchanged\n");
}

#[test]
fn the_standard_input_is_known_by_its_first_bytes() {
    // As `etcdctl get --print-value-only` prints it.
    let ran = pipe(&["validate"], [encode(&candidate()), b"\n".to_vec()].concat());
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let lease = encode(&v1::Lease::default());
    let table = [
        (lease[..20].to_vec(), "the bytes end inside of a value"),
        (lease, "metadata.name: FieldValueRequired"),
        (
            b"k8s\0\x0a\x0b\x0a\x02v1\x12\x05Other".to_vec(),
            "protobuf of an unknown kind: `Other` of `v1`",
        ),
    ];
    for (bytes, expected) in table {
        let ran = pipe(&["validate"], &bytes);
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    }
}

/// What `etcdctl get` prints with the key, and with `--prefix`; and a value that is encrypted.
#[test]
fn bytes_of_etcd_that_are_no_body_say_what_they_are() {
    let mut candidate = candidate();
    candidate.metadata.uid = Some("u".repeat(200)); // The body is longer than ASCII can say.
    let body = encode(&candidate);
    let table: [(&[&[u8]], &str); 3] = [
        (&[b"/registry/leases/n/a\n", &body, b"\n"], "`--print-value-only` of `etcdctl get`"),
        (&[&body, b"\n", &body, b"\n"], "hint: it may be several bodies: read each alone"),
        (&[b"k8s:enc:aescbc:v1:key1:\xff\xfe"], "encrypted, as an API server stores it"),
    ];
    for (bytes, expected) in table {
        let ran = pipe(&["validate"], bytes.concat());
        assert!(ran.code == 1 && ran.stdout.contains(expected), "{}", ran.stdout);
    }
}

#[test]
fn unknown_kinds_are_skipped_as_in_json() {
    let list = b"k8s\0\x0a\x2b\x0a\x0emeta.k8s.io/v1\x12\x19PartialObjectMetadataList";
    let ran = pipe(&["validate", "--skip-unknown"], list);
    let skipped = "note[skipped]: standard input at document 1: skipped: `PartialObjectMetadataList` of `meta.k8s.io/v1`\n";
    assert!(ran.stdout.contains(skipped), "{}", ran.stdout);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pb"), encode(&candidate())).unwrap();
    fs::write(folder.path().join("b.pb"), list).unwrap();
    let ran = coordination(folder.path(), &["validate", "--skip-unknown", "."]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let ran = coordination(folder.path(), &["validate", "."]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
}

//! What the decision tables leave to prose: binary versions, policies, metadata, limits, lists, strictness.

use k8s_coordination::conversion::AnyLeaseCandidateList;
use k8s_coordination::k8s_versioned::conversion::ANNOTATIONS_LIMIT;
use k8s_coordination::meta::v1::{ListMeta, ManagedFieldsEntry};

use crate::support::*;

const BINARY: &str = r#""spec.binaryVersion""#;

fn policy(binary_version: Absent<String>) -> Options<Policies> {
    Options::new(Policies { binary_version })
}

fn fill(text: &str) -> Options<Policies> {
    policy(Absent::Use(text.to_owned()))
}

#[test]
fn absent_and_empty_binary_versions_are_told_apart() {
    let empty = kept(&format!(r#"{BINARY}:"""#), "");
    for (version, live, expected) in [
        (None, "", None),
        (Some(""), "", Some(empty)),
        (Some("1.31.0"), "1.31.0", None),
        (Some("not a version"), "not a version", None),
    ] {
        let source = x(&[A], version);
        let (target, report) = up(&source);
        assert_eq!(split(&target), (expected, z(A, live, None)));
        let invalid = report.severity() == Some(Severity::Invalid);
        assert_eq!(invalid, live.is_empty(), "{report}");
        assert_eq!(down(&target).0, source);
    }
}

#[test]
fn a_policy_fills_an_absent_binary_version_and_the_way_back_undoes_it() {
    for version in [None, Some("")] {
        let source = x(&[A, B], version);
        let (target, report): (Z, _) = (&source).convert_with(&fill("1.31.4")).unwrap();
        assert_eq!(target.spec.binary_version, "1.31.4");
        assert_eq!(report.severity(), Some(Severity::Note), "{report}");
        assert_eq!(down(&target).0, source);

        let mut edited = target.clone();
        edited.spec.binary_version = "1.32.0".to_owned();
        let (back, report) = down(&edited);
        assert_eq!(back, x(&[A, B], Some("1.32.0")));
        let told = [
            "spec.binaryVersion stale",
            "spec.preferredStrategies restored",
        ];
        assert_eq!(findings(&report), told);
    }
}

#[test]
fn a_policy_leaves_a_present_binary_version_alone() {
    let source = x(&[A], Some("1.31.0"));
    for options in [
        fill("1.31.4"),
        policy(Absent::UseOther),
        policy(Absent::Refuse),
    ] {
        let (target, report): (Z, _) = (&source).convert_with(&options).unwrap();
        assert_eq!(target, z(A, "1.31.0", None));
        assert!(report.is_empty());
    }
}

#[test]
fn the_emulation_version_can_stand_in() {
    let options = policy(Absent::UseOther);
    let mut source = x(&[A], None);
    source.spec.emulation_version = Some("1.30.0".to_owned());
    let (target, _): (Y, _) = source.clone().convert_with(&options).unwrap();
    assert_eq!(target.spec.binary_version, "1.30.0");
    let (back, _): (X, _) = target.convert();
    assert_eq!(back, source);

    for emulation_version in [None, Some(String::new())] {
        source.spec.emulation_version = emulation_version;
        let (target, report): (Y, _) = source.clone().convert_with(&options).unwrap();
        assert_eq!(target.spec.binary_version, "");
        assert_eq!(findings(&report), ["spec.binaryVersion invalidInTarget"]);
    }
}

#[test]
fn a_policy_can_refuse() {
    let options = policy(Absent::Refuse);
    let refused: Result<(Z, Report), _> = x(&[A, B], None).convert_with(&options);
    let refused = refused.unwrap_err();
    assert_eq!(findings(refused.reasons()), ["spec.binaryVersion refused"]);
    assert_eq!(
        refused.to_string(),
        "not converted:\nspec.binaryVersion: has no value, but the caller requires one"
    );
    // Whatever else is wrong does not matter to it.
    let (_, report): (Z, _) = x(&[], Some("1.31.0")).convert_with(&options).unwrap();
    assert_eq!(findings(&report), ["spec.strategy invalidInTarget"]);
}

#[test]
fn each_kept_field_is_stale_on_its_own() {
    let source = x(&[A, B], Some(""));
    let (target, _) = up(&source);
    let table = [
        (A, "", source.clone()),
        (C, "", x(&[C], Some(""))),
        (A, "1.31.0", x(&[A, B], Some("1.31.0"))),
        (C, "1.31.0", x(&[C], Some("1.31.0"))),
    ];
    for (strategy, binary_version, expected) in table {
        let mut edited = target.clone();
        edited.spec.strategy = strategy.into();
        edited.spec.binary_version = binary_version.to_owned();
        assert_eq!(down(&edited).0, expected);
    }
}

#[test]
fn the_annotation_is_compact_sorted_json() {
    let (target, _): (Z, _) = x(&[B, A], None).convert_with(&fill("1.31.4")).unwrap();
    assert_eq!(
        split(&target).0.unwrap(),
        r#"{"fields":{"spec.binaryVersion":null,"spec.preferredStrategies":["example.com/by-load","OldestEmulationVersion"]},"filled":{"spec.binaryVersion":"1.31.4"},"format":1,"version":"v1alpha1"}"#
    );
}

#[test]
fn metadata_is_carried_verbatim() {
    let mut source = x(&[A, B], Some("1.31.0"));
    source.metadata = serde_json::from_value(serde_json::json!({
        "name": "a", "namespace": "b", "generateName": "c-", "uid": "u", "resourceVersion": "7",
        "generation": 3, "creationTimestamp": "2026-01-02T03:04:05Z",
        "deletionTimestamp": "2026-01-02T03:04:06Z", "deletionGracePeriodSeconds": 1,
        "labels": {"l": "m"}, "annotations": {"n": "o", "": ""}, "finalizers": ["x/y", "x/y"],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "q"}],
        "managedFields": [{"apiVersion": "coordination.k8s.io/v1alpha1", "fieldsV1": {"f:spec": {}}}],
    }))
    .unwrap();
    let (target, _) = up(&source);
    assert_eq!(split(&target).1.metadata, source.metadata);
    assert_eq!(down(&target).0, source);
}

/// A candidate whose other annotations have this many bytes.
fn annotated(bytes: usize) -> X {
    let mut source = x(&[A, B], Some("1.31.0"));
    source.metadata = source
        .metadata
        .with_annotations([("k", "v".repeat(bytes - 1))]);
    source
}

#[test]
fn nothing_is_kept_where_there_is_no_room() {
    let room = ANNOTATIONS_LIMIT - K.len() - kept_list(&[A, B]).len();
    let (target, _) = up(&annotated(room));
    let size: usize = target
        .metadata
        .annotations
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    assert_eq!(size, ANNOTATIONS_LIMIT);
    assert_eq!(down(&target).0, annotated(room));

    let source = annotated(room + 1);
    let (target, report) = up(&source);
    assert_eq!(split(&target).0, None);
    assert_eq!(findings(&report), ["spec.preferredStrategies tooLarge"]);
    assert!(report.to_string().contains(B), "what is lost: {report}");
    let strict: Result<(Z, Report), _> = source.convert_strict();
    assert_eq!(findings(strict.unwrap_err().reasons()), findings(&report));
}

#[test]
fn whatever_is_written_can_be_read() {
    let long = "b".repeat(200_000);
    let source = x(&[A, &long], Some("1.31.0"));
    assert_eq!(down(&up(&source).0).0, source);
}

#[test]
fn strict_lists_all_reasons() {
    let mut source = x(&[""], None);
    source.spec.lease_name = String::new();
    source
        .metadata
        .annotations
        .insert(K.to_owned(), "old".to_owned());
    let refused: Result<(Z, Report), _> = source.convert_strict();
    assert_eq!(
        refused.unwrap_err().to_string(),
        "not converted:\n\
         metadata.annotations[conversion.k8s-coordination.internal/lease-candidate]: discarded, as objects of \
         this version do not carry it: old\n\
         spec.leaseName: empty, but servers of the target version require it\n\
         spec.binaryVersion: empty, but servers of the target version require it\n\
         spec.strategy: empty, but servers of the target version require it"
    );
    let (_, report): (Z, _) = x(&[A, B], Some("1.31.0")).convert_strict().unwrap();
    assert_eq!(
        findings(&report),
        ["spec.preferredStrategies preserved"],
        "keeping is no loss"
    );
}

#[test]
fn across_carries_everything() {
    for text in [kept_list(&[A, B]), "garbage".to_owned(), kept_list(&[A])] {
        let source = z(A, "1.31.0", Some(&text));
        let (middle, report): (Y, _) = source.clone().convert();
        assert!(report.is_empty(), "{report}");
        assert_eq!(middle.metadata, source.metadata);
        let (back, _): (Z, _) = middle.convert();
        assert_eq!(back, source);
    }
    let (_, report): (Y, _) = z("", "", None).convert();
    let told = [
        "spec.binaryVersion invalidInTarget",
        "spec.strategy invalidInTarget",
    ];
    assert_eq!(findings(&report), told);
}

/// What is carried over is moved, and a report that says nothing is no allocation either.
#[test]
fn nothing_to_tell_costs_no_allocation() {
    let source = x(&[A], Some("1.31.0"));
    let mut converted = None;
    let measured = allocation_counter::measure(|| {
        let (target, report): (Z, _) = source.convert();
        assert!(report.is_empty());
        let (other, _): (Y, _) = target.convert();
        converted = Some(other);
    });
    assert_eq!(measured.count_total, 0, "{measured:?}");
    // Down, the list is what has to be made.
    let (target, _): (Z, _) = converted.unwrap().convert();
    let measured = allocation_counter::measure(|| drop(Convert::<X>::convert(target)));
    assert_eq!(measured.count_total, 1, "{measured:?}");
    assert_eq!(Report::new().severity(), None);
}

fn list() -> v1alpha1::LeaseCandidateList {
    let items = [
        x(&[A], Some("1.31.0")),
        x(&[A, B], None),
        x(&[], Some("1.31.0")),
    ];
    let metadata = ListMeta::default()
        .with_resource_version("12")
        .with_continue("token")
        .with_remaining_item_count(4);
    v1alpha1::LeaseCandidateList::new(items).with_metadata(metadata)
}

#[test]
fn lists_are_converted_item_by_item() {
    let source = list();
    let (target, report): (v1beta1::LeaseCandidateList, _) = (&source).convert();
    assert_eq!(target.metadata, source.metadata);
    for (index, (item, source)) in target.items.iter().zip(&source.items).enumerate() {
        let (expected, expected_report) = up(source);
        assert_eq!(*item, expected);
        assert_eq!(report.item(index), expected_report);
    }
    assert_eq!(
        findings(&report),
        [
            "items[1].spec.preferredStrategies preserved",
            "items[1].spec.binaryVersion invalidInTarget",
            "items[2].spec.strategy invalidInTarget",
        ]
    );
    let (back, _): (v1alpha1::LeaseCandidateList, _) = target.convert();
    assert_eq!(back, source);
    let strict: Result<(v1alpha2::LeaseCandidateList, Report), _> = source.convert_strict();
    assert_eq!(strict.unwrap_err().reasons().entries().len(), 2);
}

#[test]
fn mixed_lists_are_converted_item_by_item() {
    let items: Vec<Any> = vec![
        x(&[A, B], Some("1.31.0")).into(),
        z(A, "1.33.0", None).into(),
        Any::from(up(&x(&[B, C], Some("1.31.0"))).0),
    ];
    let metadata = ListMeta::default();
    let source = AnyLeaseCandidateList { metadata, items };
    let (target, report): (v1alpha1::LeaseCandidateList, _) = source.clone().convert();
    let expected = [
        x(&[A, B], Some("1.31.0")),
        x(&[A], Some("1.33.0")),
        x(&[B, C], Some("1.31.0")),
    ];
    assert_eq!(target.items, expected);
    assert_eq!(
        findings(&report),
        ["items[2].spec.preferredStrategies restored"]
    );
    let (same, told) = source.clone().convert_to(Version::V1alpha1);
    assert_eq!(same.items, expected.map(Any::from));
    assert_eq!(told, report);
    let strict = Options::default().strict();
    let refused = source.clone().convert_to_with(Version::V1beta1, &strict);
    assert!(refused.is_ok(), "nothing is lost");
    let text = serde_json::to_string(&source).unwrap();
    assert!(text.starts_with(r#"{"apiVersion":"v1","kind":"List","metadata":{},"items":[{"apiVersion":"coordination.k8s.io/v1alpha1","kind""#), "{text}");
    assert_eq!(
        serde_json::from_str::<AnyLeaseCandidateList>(&text).unwrap(),
        source
    );
}

#[test]
fn reports_are_for_programs_too() {
    let (_, report) = up(&x(&["", B], None));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        json,
        serde_json::json!([
            {"path": "spec.preferredStrategies", "finding": "preserved", "value": ["", B]},
            {"path": "spec.binaryVersion", "finding": "invalidInTarget"},
            {"path": "spec.strategy", "finding": "invalidInTarget"},
        ])
    );
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
}

#[test]
fn managed_fields_are_not_touched() {
    let entry = ManagedFieldsEntry::default().with_api_version("coordination.k8s.io/v1alpha1");
    let mut source = x(&[A, B], Some("1.31.0"));
    source.metadata.managed_fields.push(entry.clone());
    assert_eq!(up(&source).0.metadata.managed_fields, [entry]);
}

//! Lists are converted item by item.

use k8s_coordination::meta::v1::ListMeta;

use super::support::*;

fn list() -> v1alpha1::LeaseCandidateList {
    let items = [x(&[A], Some("1.31.0")), x(&[A, B], None), x(&[], Some("1.31.0"))];
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
    let strict: Result<(v1alpha2::LeaseCandidateList, ConversionReport), _> =
        source.convert_strict();
    assert_eq!(strict.unwrap_err().reasons().len(), 2);
}

//! The costs of a conversion: bytes of annotations, and allocations.

use k8s_coordination::conversion::ANNOTATIONS_LIMIT;

use super::support::*;

/// A candidate whose other annotations have this many bytes.
fn annotated(bytes: usize) -> X {
    let mut source = x(&[A, B], Some("1.31.0"));
    source.metadata = source.metadata.with_annotations([("k", "v".repeat(bytes - 1))]);
    source
}

#[test]
fn nothing_is_kept_where_there_is_no_room() {
    let room = ANNOTATIONS_LIMIT - K.len() - kept_list(&[A, B]).len();
    let (target, _) = up(&annotated(room));
    let size: usize =
        target.metadata.annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    assert_eq!(size, ANNOTATIONS_LIMIT);
    assert_eq!(down(&target).0, annotated(room));

    let source = annotated(room + 1);
    let (target, report) = up(&source);
    assert_eq!(split(&target).0, None);
    assert_eq!(findings(&report), ["spec.preferredStrategies tooLarge"]);
    assert!(report.to_string().contains(B), "what is lost: {report}");
    let strict: Result<(Z, ConversionReport), _> = source.convert_strict();
    assert_eq!(findings(strict.unwrap_err().reasons()), findings(&report));
}

/// Carried values stay if there is no room for more. If there is no room for them either, they are lost.
#[test]
fn what_is_carried_along_has_room_first() {
    let carried = r#"{"fields":{"v9":{"spec.other":"something"}},"format":2}"#;
    let lost = format!("metadata.annotations[{K}] tooLarge");
    let table: [(usize, Option<&str>, &[&str]); 3] = [
        (100_000, None, &["spec.preferredStrategies preserved"]),
        (
            ANNOTATIONS_LIMIT - K.len() - carried.len(),
            Some(carried),
            &["spec.preferredStrategies tooLarge"],
        ),
        (
            ANNOTATIONS_LIMIT - K.len() - carried.len() + 1,
            None,
            &["spec.preferredStrategies tooLarge", &lost],
        ),
    ];
    for (bytes, expected, expected_findings) in table {
        let mut source = annotated(bytes);
        source.metadata.annotations.remove("note");
        source.metadata.annotations.insert(K.to_owned(), carried.to_owned());
        let (target, report) = up(&source);
        assert_eq!(findings(&report), expected_findings, "{bytes}");
        if bytes > 100_000 {
            assert_eq!(split(&target).0.as_deref(), expected);
        }
    }
}

#[test]
fn whatever_is_written_can_be_read() {
    let long = "b".repeat(200_000);
    let source = x(&[A, &long], Some("1.31.0"));
    assert_eq!(down(&up(&source).0).0, source);
}

/// Values are moved, and an empty report needs no allocation.
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
    // The conversion down has to allocate the list.
    let (target, _): (Z, _) = converted.unwrap().convert();
    let measured = allocation_counter::measure(|| drop(ConvertObject::<X>::convert(target)));
    assert_eq!(measured.count_total, 1, "{measured:?}");
    assert_eq!(ConversionReport::new().severity(), None);
}

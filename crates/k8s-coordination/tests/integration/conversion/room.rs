//! The costs of a conversion: bytes of annotations, and allocations.

use k8s_coordination::conversion::ANNOTATIONS_LIMIT;

use super::support::*;

/// A candidate whose other annotations have this many bytes.
fn annotated(bytes: usize) -> X {
    let mut source = x(&[A, B], Some("1.31.0"));
    source.metadata = source.metadata.with_annotations([("k", "v".repeat(bytes - 1))]);
    source
}

fn size(target: &Z) -> usize {
    target.metadata.annotations.iter().map(|(key, value)| key.len() + value.len()).sum()
}

#[test]
fn nothing_is_kept_where_there_is_no_room() {
    let room = ANNOTATIONS_LIMIT - KEPT.len() - kept_list(&[A, B]).len();
    let (target, _) = up(&annotated(room));
    assert_eq!(size(&target), ANNOTATIONS_LIMIT);
    assert_eq!(down(&target).0, annotated(room));

    let source = annotated(room + 1);
    let (target, report) = up(&source);
    assert_eq!(split(&target).0, None);
    assert_eq!(findings(&report), ["spec.preferredStrategies tooLarge"]);
    assert!(report.to_string().contains(B), "what is lost: {report}");
    let strict: Result<(Z, ConversionReport), _> = source.convert_strict();
    assert_eq!(findings(strict.unwrap_err().reasons()), findings(&report));
}

/// A mark takes the place of a value without room, and the conversion back tells what is not there.
#[test]
fn a_value_without_room_is_marked() {
    let long = "b".repeat(300_000);
    let source = x(&[A, &long], Some("1.31.0"));
    let (target, report) = up(&source);
    assert_eq!(findings(&report), ["spec.preferredStrategies tooLarge"]);
    let mark = format!("{K}.NotShown");
    let text =
        r#"{"fields":{},"format":3,"notShown":{"v1alpha1":{"spec.preferredStrategies":300029}}}"#;
    assert_eq!(target.metadata.annotations[&mark], text);
    // A version that lacks the field, too, passes the mark on.
    let (other, _): (Y, _) = (&target).convert();
    assert_eq!(other.metadata.annotations[&mark], text);
    let (back, report) = down(&target);
    assert_eq!(findings(&report)[0], format!("metadata.annotations[{mark}] notShown"));
    assert!(!back.metadata.annotations.contains_key(&mark));
}

/// The largest value gives way, of those that the conversion itself keeps.
#[test]
fn what_is_carried_along_has_room_first() {
    let carried = r#"{"fields":{"v9":{"spec.other":"something"}},"format":3}"#;
    let other = format!("{K}.v9.spec.other");
    for (bytes, expected) in [
        (100_000, "spec.preferredStrategies preserved"),
        (
            ANNOTATIONS_LIMIT - other.len() - carried.len() - 150,
            "spec.preferredStrategies tooLarge",
        ),
    ] {
        let mut source = annotated(bytes);
        source.metadata.annotations.remove("note");
        source.metadata.annotations.insert(other.clone(), carried.to_owned());
        let (target, report) = up(&source);
        assert_eq!(findings(&report), [expected], "{bytes}");
        assert_eq!(target.metadata.annotations[&other], carried);
        assert!(size(&target) <= ANNOTATIONS_LIMIT);
    }
    // There is no room for anything.
    let mut source = annotated(ANNOTATIONS_LIMIT);
    source.metadata.annotations.remove("note");
    source.metadata.annotations.insert(other, carried.to_owned());
    let (target, report) = up(&source);
    let lost = format!("metadata.annotations[{K}] tooLarge");
    assert_eq!(findings(&report), ["spec.preferredStrategies tooLarge", &lost]);
    assert_eq!(size(&target), ANNOTATIONS_LIMIT);
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

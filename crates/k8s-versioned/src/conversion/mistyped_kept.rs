//! Values of another type than declared in the annotations of an object.

use serde_json::Value;

use super::annotation::Entries;
use super::any_version::AnyVersion;
use super::conversion_report::annotation as annotation_path;
use super::json_annotations::{
    annotations_of, entries_of, remove_empty_annotations, texts, write_entries,
};
use super::{ConversionFinding, ConversionReport};
use crate::field::FieldPath;

/// The most values of another type that annotations keep: each takes a few readings of the object. More are marked as not shown, since
/// a server fails a whole list if one object does not convert.
pub(super) const MOST_KEPT: usize = 32;

/// A value of another type than declared, in the object or in its annotation.
pub(super) struct Mistyped {
    pub(super) path: FieldPath,
    /// A JSON pointer with [quotes](super::mistyped_place::quoted).
    pub(super) place: String,
    pub(super) value: Value,
    pub(super) is_kept: bool,
}
/// The values of another type in the annotations, under whatever version they are, and the object without them, if there are some: no
/// path of a field begins with `/`.
pub(super) fn take_kept(object: &Value, key: &str) -> (Vec<Mistyped>, Option<Value>) {
    let (mut aside, mut rest) = (Vec::new(), None::<Value>);
    for (annotation, name, text) in texts(object, key) {
        let Ok((mut entries, misplaced)) = Entries::read(key, name, text) else { continue };
        let taken = entries.split_off(|_, path| path.starts_with('/'));
        if taken.is_empty() {
            continue;
        }
        aside.extend(taken.into_values().map(|(place, value)| {
            let path = place.clone().into();
            Mistyped { path, place, value, is_kept: true }
        }));
        entries.extend(misplaced);
        let rest = rest.get_or_insert_with(|| object.clone());
        if let Some(annotations) = annotations_of(rest) {
            annotations.remove(annotation);
            let text = entries.text().filter(|_| !entries.is_empty());
            annotations.extend(text.map(|text| (annotation.to_owned(), text.into())));
        }
        remove_empty_annotations(rest);
    }
    (aside, rest)
}

/// Reports an annotation with more values of another type than any conversion writes: they are discarded.
pub(super) fn report_broken(key: &str, count: usize, report: &mut ConversionReport) {
    let text = format!("{count} values of another type");
    let reason = format!("no conversion keeps more than {MOST_KEPT}");
    report.add(annotation_path(key), ConversionFinding::Malformed { text, reason });
}

/// Keeps values in annotations of the converted object, if the kind has some and there is room: in the entry of the lowest version,
/// also if the object went through other versions.
pub(super) fn keep<A: AnyVersion>(
    values: Vec<Mistyped>,
    key: Option<&str>,
    converted: &mut Value,
    report: &mut ConversionReport,
) {
    let lowest = A::VERSIONS.first().map(ToString::to_string).unwrap_or_default();
    let Some(key) = key else {
        for Mistyped { path, value, .. } in values {
            report.add(path, ConversionFinding::Lost { value });
        }
        return;
    };
    let mut entries = entries_of(converted, key).unwrap_or_default();
    for (index, Mistyped { place, value, .. }) in values.iter().enumerate() {
        if index < MOST_KEPT {
            entries.insert(&lowest, place, Some(value.clone()), None);
        } else {
            entries.mark(&lowest, place, value);
        }
    }
    let dropped = write_entries(converted, key, entries);
    for (index, Mistyped { path, place, value, is_kept }) in values.into_iter().enumerate() {
        if index >= MOST_KEPT || dropped.has_at(&lowest, &place) {
            report.add(path, ConversionFinding::TooLarge { value });
        } else if !is_kept {
            report.add(path, ConversionFinding::Preserved { value });
        }
    }
}

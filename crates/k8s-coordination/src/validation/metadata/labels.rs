//! Labels and annotations.

use std::collections::BTreeMap;

use k8s_versioned::field::FieldError;
use k8s_versioned::{Quoted, names};

use super::METADATA;
use crate::validation::advice;

/// The most bytes that the keys and values of all annotations may have together.
const ANNOTATIONS_SIZE: usize = 256 * 1024;

/// Checks the labels. Servers name the map and the key or value, but not at which key the value is.
pub(super) fn check_labels(labels: &BTreeMap<String, String>, errors: &mut Vec<FieldError>) {
    let path = METADATA.child("labels");
    for (key, value) in labels {
        advice::check_name(path, &"a label key", key, names::qualified_name, errors);
        let subject = format_args!("the value of label {}", Quoted(key));
        advice::check_name(path, &subject, value, names::label_value, errors);
    }
}

pub(super) fn check_annotations(
    annotations: &BTreeMap<String, String>,
    errors: &mut Vec<FieldError>,
) {
    let path = METADATA.child("annotations");
    for key in annotations.keys() {
        advice::check_name(path, &"an annotation key", key, names::annotation_key, errors);
    }
    let size: usize = annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > ANNOTATIONS_SIZE {
        let message = format!(
            "all keys and values together may have {ANNOTATIONS_SIZE} bytes, these have {size}: \
             remove some, or keep large data elsewhere"
        );
        errors.push(FieldError::too_long(path, message));
    }
}

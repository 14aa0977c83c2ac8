//! Raw bytes through the reader: a document, or problems with a place in the bytes.

#![no_main]

use std::sync::Arc;

use k8s_versioned_codegen::input::read_document;
use k8s_versioned_codegen::spec::DocumentName;
use k8s_versioned_codegen::{Problems, model};
use k8s_versioned_names::Release;
use k8s_versioned_source::{ReadLimits, json};
use libfuzzer_sys::fuzz_target;

const NAME: &str = "apis__example.dev__v1_openapi.json";

fuzz_target!(|text: &[u8]| {
    let file: Arc<str> = NAME.into();
    let name = DocumentName::parse(NAME).expect("a document's name");
    match json(&file, text, &ReadLimits::DOCUMENT) {
        Err(errors) => check(&errors.into(), text),
        Ok(tree) => {
            let mut problems = Problems::new();
            let document = read_document(&tree, Release::new(1, 1), &name, &mut problems);
            match problems.or(()) {
                Err(problems) => check(&problems, text),
                Ok(()) => drop(model::merge(&[].into(), vec![document])),
            }
        }
    }
});

/// There are problems, and each has a place in the text.
fn check(problems: &Problems, text: &[u8]) {
    assert!(!problems.is_empty());
    for problem in problems.iter() {
        let span = problem.place.span.clone().expect("a place in the text");
        assert!(span.start <= span.end && span.end <= text.len(), "{problem}");
        assert!(!problem.to_string().is_empty());
    }
}

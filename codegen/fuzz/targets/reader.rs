//! Raw bytes through the reader: a document, or problems with a place in the bytes.

#![no_main]

use std::sync::Arc;

use k8s_versioned_codegen::crd::Parts;
use k8s_versioned_codegen::json;
use k8s_versioned_codegen::spec::{self, DocumentName};
use k8s_versioned_codegen::{Problems, model};
use k8s_versioned_names::Release;
use libfuzzer_sys::fuzz_target;

const NAME: &str = "apis__example.dev__v1_openapi.json";

fuzz_target!(|text: &[u8]| {
    let file: Arc<str> = NAME.into();
    let name = DocumentName::parse(NAME).expect("a document's name");
    match json::parse(&file, text) {
        Err(problems) => check(&problems, text),
        Ok(node) => {
            let mut problems = Problems::new();
            let (of, from) = ((&file, Release::new(1, 1), &name), (&node, &Parts::default()));
            let document = spec::read(of, from, false, &mut problems);
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

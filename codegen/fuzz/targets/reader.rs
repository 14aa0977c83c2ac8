//! Raw bytes as a document: Rust, or problems with a place in the bytes.

#![no_main]

use k8s_versioned_codegen::{Builder, Files, Problems, manifest};
use libfuzzer_sys::fuzz_target;

const NAME: &str = "apis__example.dev__v1_openapi.json";

fuzz_target!(|text: &[u8]| {
    let path = format!("v1.1/{NAME}");
    let sum = manifest::sha256(text);
    let entry = format!(
        "[[document]]\nrelease = \"v1.1\"\nsource = \"source-tree\"\nfile = {NAME:?}\nsource-sha256 = {sum:?}\nsha256 = {sum:?}\n"
    );
    let files = Files::from([
        (path.clone(), text.to_vec()),
        (manifest::PATH.to_owned(), entry.into_bytes()),
        ("group.toml".to_owned(), b"descriptions = \"documents\"".to_vec()),
    ]);
    if let Err(problems) = Builder::new(files).generate() {
        check(&problems, &path, text);
    }
});

/// There are problems, and their places are in the text.
fn check(problems: &Problems, path: &str, text: &[u8]) {
    assert!(!problems.is_empty());
    for problem in problems.iter() {
        if &*problem.place.file == path
            && let Some(span) = problem.place.span.clone()
        {
            assert!(span.start <= span.end && span.end <= text.len(), "{problem}");
        }
        assert!(!problem.to_string().is_empty());
    }
}

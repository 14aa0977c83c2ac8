//! Raw bytes as definitions of custom resources: Rust, or problems with a place.

#![no_main]

use k8s_versioned_codegen::{Builder, Files};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let files = Files::from([
        ("crd.yaml".to_owned(), text.to_vec()),
        ("group.toml".to_owned(), b"descriptions = \"documents\"".to_vec()),
    ]);
    match Builder::new(files).generate() {
        Ok(generated) => {
            for path in generated.files.keys() {
                let inside = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
                assert!(inside, "{path}");
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems.iter() {
                assert!(!problem.place.file.is_empty(), "{problem}");
            }
        }
    }
});

//! The generator in a build script.

use k8s_versioned_codegen::{BuildError, Builder, Files};

/// `main` of a build script shows the `Debug` of its error.
#[test]
fn an_error_is_readable() {
    let rules = "# A rule.\n[[field]]\nfield = \"com.example.v1.Widget.size\"\nempty = \"kept\"\nreason = \"\"\n";
    let document = r#"{"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "unversioned"}, "paths": {}}"#;
    let specs = Files::from([
        ("fields.toml".to_owned(), rules.into()),
        ("v1.36/apis__example.com__v1_openapi.json".to_owned(), document.into()),
    ]);
    let error = Builder::new(specs).build_script("api").unwrap_err();
    let expected = "the rule has no reason\n  at fields.toml\n  line 5: reason = \"\"\n  hint: state the evidence for the \
                    rule in `reason`";
    assert_eq!(format!("{error:?}"), expected);
    assert_eq!(error.to_string(), expected);
    assert_eq!(format!("{:?}", BuildError::NoOutDir), BuildError::NoOutDir.to_string());
}

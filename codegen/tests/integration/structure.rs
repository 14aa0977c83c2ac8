//! The structure of the model as text. Its diff shows what a change of the documents means for each API version.

use k8s_versioned_codegen::outline;
use testing::specs;

/// One snapshot for each API version: its own types, and its operations.
#[test]
fn each_api_version() {
    let specs = specs::project();
    for version in ["v1", "v1alpha1", "v1alpha2", "v1beta1"] {
        let types = format!("io.k8s.api.coordination.{version}.");
        let paths = format!("/apis/coordination.k8s.io/{version}/");
        let is_own = |name: &str| name.starts_with(&types) || name.starts_with(&paths);
        insta::assert_snapshot!(version, outline(&specs, |_| true, is_own).unwrap());
    }
}

/// All versions share the meta types, and the discovery of the group.
#[test]
fn meta_types() {
    let shared = |name: &str| {
        name.starts_with("io.k8s.apimachinery.") || name == "/apis/coordination.k8s.io/"
    };
    let text = outline(&specs::project(), |_| true, shared).unwrap();
    insta::assert_snapshot!("meta", text);
}

//! The structure of the model as text. Its diff shows what a change of the documents means for each API version.

use k8s_versioned_codegen::Plans;
use k8s_versioned_codegen::model::{Model, outline};
use testing::specs;

fn model() -> Model {
    Plans::read(&specs::project()).unwrap().model
}

/// One snapshot for each API version: its own types, and its operations.
#[test]
fn each_api_version() {
    let model = model();
    for (_, version) in model.versions.keys() {
        let types = format!("io.k8s.api.coordination.{version}.");
        let paths = format!("/apis/coordination.k8s.io/{version}/");
        let text = outline(&model, |name| name.starts_with(&types) || name.starts_with(&paths));
        insta::assert_snapshot!(version.to_string(), text);
    }
}

/// All versions share the meta types, and the discovery of the group.
#[test]
fn meta_types() {
    let shared = |name: &str| {
        name.starts_with("io.k8s.apimachinery.") || name == "/apis/coordination.k8s.io/"
    };
    insta::assert_snapshot!("meta", outline(&model(), shared));
}

//! The structure of the model as text: what a change of the documents means for each API version.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod support;

use std::fmt::Write;

use coordination_codegen::model::{Model, merge, outline};
use coordination_codegen::{conversion, manifest, plan, rules, spec};

fn model() -> Model {
    let specs = support::specs();
    let manifest = manifest::verify(&specs).unwrap();
    let documents = spec::read_all(&specs, &manifest).unwrap();
    merge(&rules::read(&specs).unwrap().group, &documents).unwrap()
}

/// One snapshot for each API version: its own types, and its operations.
#[test]
fn each_api_version() {
    let model = model();
    for version in model.versions.keys() {
        let types = format!("io.k8s.api.coordination.{version}.");
        let paths = format!("/apis/coordination.k8s.io/{version}/");
        let text = outline(&model, |name| name.starts_with(&types) || name.starts_with(&paths));
        insta::assert_snapshot!(version.to_string(), text);
    }
}

/// What all versions share: the meta types, and the discovery of the group.
#[test]
fn meta_types() {
    let shared = |name: &str| {
        name.starts_with("io.k8s.apimachinery.") || name == "/apis/coordination.k8s.io/"
    };
    insta::assert_snapshot!("meta", outline(&model(), shared));
}

/// The plans of the conversions, and what callers can choose.
#[test]
fn conversions() {
    let rules = rules::read(&support::specs()).unwrap();
    let plan = plan::plan(&model(), &rules).unwrap();
    let mut text = String::new();
    for kind in conversion::plan(&plan, &rules).unwrap() {
        for policy in &kind.policies {
            let other = policy.other.as_deref().unwrap_or("nothing");
            let (path, name) = (&policy.path, &policy.name);
            writeln!(text, "{}: policy `{name}` for {path}, or {other}", kind.kind).unwrap();
        }
        for pair in &kind.pairs {
            let table = conversion::table(&kind, pair);
            write!(text, "\n{}: {} to {}\n\n{table}", kind.kind, pair.from, pair.to).unwrap();
        }
    }
    insta::assert_snapshot!(text);
}

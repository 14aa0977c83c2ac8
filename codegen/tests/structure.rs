//! The structure of the model as text: what a change of the documents means for each API version.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod support;

use std::fmt::Write;

use coordination_codegen::model::outline;
use coordination_codegen::{Plans, conversion};

fn plans() -> Plans {
    Plans::read(&support::specs()).unwrap()
}

/// One snapshot for each API version: its own types, and its operations.
#[test]
fn each_api_version() {
    let model = plans().model;
    for version in model.versions.keys() {
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
    insta::assert_snapshot!("meta", outline(&plans().model, shared));
}

/// The plans of the conversions, and what callers can choose.
#[test]
fn conversions() {
    let mut text = String::new();
    for kind in plans().conversions {
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

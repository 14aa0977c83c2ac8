//! The features of a generated package, and the files with which one begins.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{ItemPath, Origin, Plan, RustType};
use crate::rules::Feature;
use crate::{Files, text};

/// The features of a package, each with those that it needs.
pub type Features = BTreeMap<String, BTreeSet<String>>;

/// The features that the generated code of a plan names.
pub(crate) fn features(plan: &Plan, has_conversions: bool) -> Features {
    let none = BTreeSet::new;
    let mut features = Features::from([("schemars".to_owned(), none())]);
    if has_conversions {
        features.insert("conversion".to_owned(), none());
    }
    if plan.messages.is_some() {
        features.insert("protobuf".to_owned(), none());
    }
    for (part, name) in [(Feature::Apply, "apply"), (Feature::Registry, "registry")] {
        if plan.features.contains(&part) {
            features.insert(name.to_owned(), none());
        }
    }
    if plan.features.contains(&Feature::Groups) {
        for planned in plan.structs().filter(|planned| planned.path.origin == Origin::Generated) {
            let needs = features.entry(group(&planned.path).to_owned()).or_default();
            let held = planned.fields.iter().filter_map(|field| held(&field.rust_type));
            let others = held.filter(|path| path.origin == Origin::Generated).map(group);
            needs.extend(others.filter(|it| *it != group(&planned.path)).map(str::to_owned));
        }
    }
    features
}

/// The module of a group.
fn group(path: &ItemPath) -> &str {
    path.module.split("::").next().unwrap_or_default()
}

fn held(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(_, path) | RustType::Vocabulary(path) => {
            Some(path)
        }
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => held(inner),
        _ => None,
    }
}

/// The features that are off by default.
const OFF: [&str; 2] = ["protobuf", "schemars"];

/// The files with which a new package begins: `Cargo.toml` and `src/lib.rs`. `crates` is the folder of the packages that
/// generated code depends on, if they do not come from a registry.
pub fn begin(name: &str, features: &Features, crates: Option<&str>) -> Files {
    let mut lines = String::new();
    for (feature, needs) in features {
        let needs = match feature.as_str() {
            "schemars" => "\"k8s-versioned/schemars\"".to_owned(),
            "conversion" => "\"dep:k8s-versioned-conversion\"".to_owned(),
            "protobuf" if features.contains_key("conversion") => {
                "\"k8s-versioned/protobuf\", \"k8s-versioned-conversion?/protobuf\"".to_owned()
            }
            "protobuf" => "\"k8s-versioned/protobuf\"".to_owned(),
            _ => text::join(needs.iter().map(|name| format!("{name:?}")), ", "),
        };
        lines.extend([feature, " = [", &needs, "]\n"]);
    }
    let all: Vec<&str> =
        features.keys().map(String::as_str).filter(|it| !OFF.contains(it)).collect();
    let dependency = |name: &str, more: &str| match crates {
        Some(folder) => format!("{name} = {{ path = {:?}{more} }}\n", format!("{folder}/{name}")),
        None => format!("{name} = {{ version = {:?}{more} }}\n", env!("CARGO_PKG_VERSION")),
    };
    let mut dependencies = dependency("k8s-versioned", "");
    if features.contains_key("conversion") {
        dependencies += &dependency("k8s-versioned-conversion", ", optional = true");
    }
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[features]\ndefault = {all:?}\n\
         {lines}\n[dependencies]\n{dependencies}serde = {{ version = \"1\", features = [\"derive\"] }}\n\n[dev-dependencies]\n{}\n[workspace]\n",
        dependency("k8s-versioned-conformance", "")
    );
    let library = "//! Types of Kubernetes APIs, generated from OpenAPI documents.\n\nmod generated;\n\npub use generated::*;\n";
    Files::from([
        ("Cargo.toml".to_owned(), manifest.into_bytes()),
        ("src/lib.rs".to_owned(), library.into()),
    ])
}

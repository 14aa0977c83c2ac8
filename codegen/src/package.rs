//! The features of a generated package.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{ItemPath, Operations, Origin, Plan};
use crate::rules::Feature;

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
            let held = planned.fields.iter().filter_map(|field| field.rust_type.held());
            let others = held.filter(|path| path.origin == Origin::Generated).map(group);
            needs.extend(others.filter(|it| *it != group(&planned.path)).map(str::to_owned));
        }
        for (of, body) in plan.operations.iter().flat_map(Operations::bodies) {
            let needs = features.entry(group(of).to_owned()).or_default();
            let other = Some(body).filter(|body| body.origin == Origin::Generated).map(group);
            needs.extend(other.filter(|it| *it != group(of)).map(str::to_owned));
        }
    }
    features
}

/// The module of a group.
fn group(path: &ItemPath) -> &str {
    path.module.split("::").next().unwrap_or_default()
}

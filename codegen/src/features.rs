//! The features of a generated package.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::Feature;
use crate::plan::{ItemPath, Package, Plan};

/// The features of a package, each with the features that it needs.
pub type Features = BTreeMap<String, BTreeSet<String>>;

/// The features that the generated code of a plan names, and `requests` unless the rules ask for no verbs.
pub(crate) fn features(plan: &Plan, has_conversions: bool) -> Features {
    let none = BTreeSet::new;
    let mut features = Features::new();
    features.insert("schemars".to_owned(), none());
    if has_conversions {
        features.insert("conversion".to_owned(), none());
    }
    if plan.protobuf {
        features.insert("protobuf".to_owned(), none());
    }
    if plan.has_verbs {
        features.insert("requests".to_owned(), none());
    }
    for (part, name) in [(Feature::Apply, "apply"), (Feature::Registry, "registry")] {
        if plan.features.contains(&part) {
            features.insert(name.to_owned(), none());
        }
    }
    if plan.features.contains(&Feature::Groups) {
        let own = plan.structs().filter(|planned| planned.path.package == Package::Generated);
        let held = own.flat_map(|planned| {
            let held = planned.fields.iter().filter_map(|field| field.rust_type.held());
            held.map(Some).chain([None]).map(|other| (&planned.path, other))
        });
        let bodies = plan.operations.bodies();
        for (of, other) in held.chain(bodies.map(|(of, body)| (of, Some(body)))) {
            let needs = features.entry(of.folder().to_owned()).or_default();
            let other =
                other.filter(|path| path.package == Package::Generated).map(ItemPath::folder);
            needs.extend(other.filter(|folder| *folder != of.folder()).map(str::to_owned));
        }
    }
    features
}

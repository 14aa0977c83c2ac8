//! Random walks over all kinds of `resource.k8s.io` that have conversions.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` choose the number of walks and the first seed.

use std::path::Path;

use k8s_resource::Kinds;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use testing::walk::seeds;

#[test]
fn nothing_is_lost() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let schemas = Schemas::load(specs).unwrap();
    let kinds = Convertible::all::<Kinds>();
    assert_eq!(kinds.len(), 5);
    for (seed, kind) in seeds().zip(kinds.iter().cycle()) {
        walk(kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// An object that never had a value for a required field lacks it also after a conversion into its own version.
#[test]
fn an_empty_driver_is_not_lost() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let schemas = Schemas::load(specs).unwrap();
    for kind in Convertible::all::<Kinds>() {
        walk(&kind, &schemas, 4_102_861_832_081_057_296).unwrap();
    }
}

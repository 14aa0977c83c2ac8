//! Random walks over kinds that have all combinations of a rule, the versions with each form of its field, and those that require it.
//!
//! `COMBINATIONS=all cargo test -p codegen-cases --test cases combinations -- --include-ignored` compiles the kinds of all rules, and
//! takes many walks. `CONVERSION_CASES` and `CONVERSION_SEED` are for each kind.

use std::fmt::Debug;

use k8s_versioned::conversion::generic::{ConvertibleVisitor, Convertibles};
use k8s_versioned::conversion::{AnyVersion, Options};
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};
use testing::walk::seeds_of;

use crate::emitted::combinations::Kinds;

struct SpecsOfAnotherType;

impl ConvertibleVisitor for SpecsOfAnotherType {
    fn kind<A>(&mut self)
    where
        A: AnyVersion<Policies: Send + Sync + 'static> + Clone + PartialEq + Debug + 'static,
    {
        let convert =
            |object: &Value, to| A::convert_value(object, to, &Options::default()).unwrap().0;
        let pairs =
            A::VERSIONS.iter().flat_map(|from| A::VERSIONS.iter().map(move |to| (from, to)));
        for (from, to) in pairs {
            let object = json!({
                "apiVersion": A::api_version(*from), "kind": A::KIND,
                "metadata": {"name": "a", "namespace": "n"}, "spec": "x",
            });
            let there = convert(&object, *to);
            assert_eq!(there["spec"], "x", "{there}");
            assert_eq!(convert(&there, *from)["spec"], "x", "{there}");
        }
    }
}

/// A spec of another type is passed on, whatever the rules of its fields make of an absent one.
#[test]
fn a_spec_of_another_type_comes_back() {
    Kinds::visit(&mut SpecsOfAnotherType);
}

#[test]
fn nothing_is_lost() {
    walks(30);
}

#[test]
#[ignore = "takes 1,000 walks over each kind"]
fn nothing_is_lost_on_many_walks() {
    walks(1_000);
}

/// Takes this many walks over each kind, until one loses something.
fn walks(count: u32) {
    let schemas = Schemas::load(concat!(env!("OUT_DIR"), "/of-combinations/specs")).unwrap();
    let seeds: Vec<u64> = seeds_of(count).collect();
    // The kinds are many, and each error names the fields that differ.
    let mut failures = Vec::new();
    for kind in Convertible::all::<Kinds>() {
        let walked = seeds.iter().try_for_each(|seed| walk(&kind, &schemas, *seed));
        failures.extend(walked.err().map(|error| error.to_string()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

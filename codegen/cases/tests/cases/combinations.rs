//! Random walks over kinds that have all combinations of a rule, the versions with each form of its field, and those that require it.
//!
//! `COMBINATIONS=all cargo test -p codegen-cases --test cases combinations -- --include-ignored` compiles the kinds of all rules, and
//! takes many walks. `CONVERSION_CASES` and `CONVERSION_SEED` are for each kind.

use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use testing::specs::combinations;
use testing::walk::seeds;

use crate::emitted::combinations::Kinds;

/// The beginnings of the names of kinds that lose values on few walks.
const OPEN: [(&str, &str); 1] = [(
    "NestFilled",
    "a field with a `fill` is in a new object in some versions, and an empty value, an empty object and no value become one",
)];

#[test]
fn nothing_is_lost() {
    let mut failures = walks(30);
    failures.retain(|failure| !OPEN.iter().any(|(open, _)| failure.starts_with(open)));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
#[ignore = "takes 1,000 walks over each kind"]
fn nothing_is_lost_on_many_walks() {
    let mut failures = walks(1_000);
    for (open, why) in OPEN.iter().filter(|(open, _)| combinations::is_compiled(open)) {
        let before = failures.len();
        failures.retain(|failure| !failure.starts_with(open));
        assert!(failures.len() < before, "nothing is lost any more where {why}: remove {open}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Takes this many walks over each kind, until one loses something.
fn walks(count: usize) -> Vec<String> {
    let schemas = Schemas::load(concat!(env!("OUT_DIR"), "/of-combinations/specs")).unwrap();
    // The kinds are many, and each error names the fields that differ.
    let mut failures = Vec::new();
    for kind in Convertible::all::<Kinds>() {
        let walked = seeds().take(count).try_for_each(|seed| walk(&kind, &schemas, seed));
        failures.extend(walked.err().map(|error| error.to_string()));
    }
    failures
}

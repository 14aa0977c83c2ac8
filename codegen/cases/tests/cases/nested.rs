//! Random walks over a kind whose versions differ inside lists, lists of lists and maps.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` are for `walk`.

use codegen_cases::autoscaling::conversion::AnyHorizontalPodAutoscaler;
use codegen_cases::nested::conversion::AnyFleet;
use testing::lists::{Documents, seeds, walk};

use crate::support::folder;

#[test]
fn nothing_is_lost_over_lists() {
    let documents = Documents::load(&folder("good/nested"));
    seeds().for_each(|seed| walk::<AnyFleet>(&documents, seed));
}

/// A built-in kind: seven rules, also between optional and plain fields.
#[test]
fn nothing_is_lost_of_autoscalers() {
    let documents = Documents::load(&folder("good/autoscaling"));
    seeds().for_each(|seed| walk::<AnyHorizontalPodAutoscaler>(&documents, seed));
}

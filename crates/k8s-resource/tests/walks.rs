//! Random walks over all kinds of `resource.k8s.io` that have conversions.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` choose the number of walks and the first seed.

use std::path::Path;

use k8s_resource::conversion::{
    AnyDeviceClass, AnyDeviceTaintRule, AnyResourceClaim, AnyResourceClaimTemplate,
    AnyResourceSlice,
};
use testing::lists::{Documents, seeds, walk};

#[test]
fn nothing_is_lost() {
    let documents = Documents::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs"));
    let kinds = [
        walk::<AnyResourceClaim>,
        walk::<AnyResourceSlice>,
        walk::<AnyResourceClaimTemplate>,
        walk::<AnyDeviceClass>,
        walk::<AnyDeviceTaintRule>,
    ];
    for (seed, walk) in seeds().zip(kinds.into_iter().cycle()) {
        walk(&documents, seed);
    }
}

//! Duplicate owners.

use std::collections::HashSet;

use crate::meta::v1::{ObjectMeta, OwnerReference};

/// Removes owners that are equal to one before them.
pub(super) fn deduplicate(metadata: &mut ObjectMeta) {
    let again = again(&metadata.owner_references);
    let mut again = again.into_iter();
    metadata.owner_references.retain(|_| again.next() != Some(true));
}

/// The `uid` of each owner that is equal to one before it. Servers warn of them.
pub(in crate::validation) fn duplicate_owners(metadata: &ObjectMeta) -> Vec<String> {
    let owners = &metadata.owner_references;
    let duplicates = owners.iter().zip(again(owners)).filter(|(_, again)| *again);
    duplicates.map(|(owner, _)| owner.uid.clone()).collect()
}

/// `true` for each owner that is equal to one before it.
fn again(owners: &[OwnerReference]) -> Vec<bool> {
    let mut seen = HashSet::new();
    owners.iter().map(|owner| !seen.insert(owner)).collect()
}

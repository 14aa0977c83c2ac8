//! Rules of several kinds that are about an object which only some of these kinds have.

use std::collections::HashMap;

use litemap::LiteMap;

use super::structs::Structs;
use crate::Problems;
use crate::plan::Struct;
use crate::problem::RuleCause;
use crate::rules::{Correspondence, KindRule};

/// Returns `true` if no version of a kind has the object that the paths of a rule begin in: the rule is for other kinds.
pub(super) fn is_of_others(
    stated: &Correspondence,
    versions: &LiteMap<String, &Struct>,
    structs: &Structs<'_>,
) -> bool {
    let under = stated.under.iter().flatten();
    let mut objects = under.filter_map(|(version, path)| Some((versions.get(version)?, path)));
    stated.under.as_ref().is_some_and(|under| !under.is_empty())
        && !objects.any(|(object, path)| structs.struct_at(object, &path.value).is_some())
}

/// Reports each object that shared rules are about, and that none of their kinds has. `kinds` are the kinds with their groups.
pub(super) fn check<'r>(
    kinds: impl Iterator<Item = (String, &'r KindRule)>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) {
    let (mut at, mut all) = (HashMap::new(), Vec::new());
    for (group, rule) in kinds {
        let versions = structs.of_kind(&group, &rule.kind.value);
        for stated in &rule.fields {
            let first = stated.under.iter().flatten().next();
            let Some((version, path)) = first.filter(|_| !versions.is_empty()) else { continue };
            let is_missing = is_of_others(stated, &versions, structs);
            let index = *at.entry(path.place.span.clone()).or_insert(all.len());
            if let Some((_, is_missing_in_all)) = all.get_mut(index) {
                *is_missing_in_all &= is_missing;
                continue;
            }
            let object = versions.get(version);
            let near = object.and_then(|object| structs.near(object, &path.value));
            let field = format!("{version} {}", path.value);
            let cause = RuleCause::NoSuchField { field, near, in_metadata: false };
            all.push(((&path.place, cause), is_missing));
        }
    }
    for ((place, cause), _) in all.into_iter().filter(|(_, is_missing)| *is_missing) {
        problems.push(place, cause);
    }
}

//! The kept fields of custom resources whose values can have any size. Annotations have 256 KiB together.

use std::collections::BTreeSet;

use super::plan::{Pair, Step};
use super::structs::Structs;
use crate::plan::{Field, RustType};
use crate::spec::Dialect;

/// The most fields in a message.
const MOST_SHOWN: usize = 8;

/// The fields without a limit, each with its version and the keyword that would state one.
pub(super) fn unbounded(pairs: &[Pair], structs: &Structs<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for pair in pairs {
        for from in pair.object.leaves().into_iter().flat_map(Step::kept_fields) {
            let is_custom = |of: &&_| {
                structs
                    .get(of)
                    .is_some_and(|planned| planned.schema_type.dialect == Dialect::Custom)
            };
            let field = Some(&from.parent).filter(is_custom).and_then(|_| structs.field(from));
            let keyword = field.and_then(missing_limit);
            found.extend(
                keyword.map(|keyword| format!("`{}` of {} ({keyword})", from.path, pair.from)),
            );
        }
    }
    let more = found.len().saturating_sub(MOST_SHOWN);
    let shown = found.into_iter().take(MOST_SHOWN);
    shown.chain((more > 0).then(|| format!("{more} more"))).collect()
}

/// The keyword that a field lacks.
fn missing_limit(field: &Field) -> Option<&'static str> {
    let facts = &field.property.facts;
    let keyword = match field.rust_type.present() {
        RustType::String if facts.get("enum").is_none() && facts.get("format").is_none() => {
            "maxLength"
        }
        RustType::List(_) => "maxItems",
        RustType::Map(_) => "maxProperties",
        _ => return None,
    };
    facts.get(keyword).is_none().then_some(keyword)
}

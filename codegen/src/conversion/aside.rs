//! Values that conversions keep aside.

use super::items::Pair;
use crate::plan::RustType;
use crate::rules::FieldRuleName;

/// Tells if any conversion keeps a value aside.
pub(super) fn is_needed(pairs: &[Pair]) -> bool {
    pairs.iter().any(|pair| pair.object.can_keep())
}

/// Tells if a field is kept aside in the form of this version, because the other versions say less. `all` are its
/// types in all versions.
pub(super) fn is_kept(rule: FieldRuleName, of: &RustType, all: &[RustType]) -> bool {
    match (rule, of) {
        (FieldRuleName::FirstOfList, RustType::List(inner))
        | (FieldRuleName::AbsentToZero, RustType::Option(inner)) => all.contains(inner),
        (FieldRuleName::KeepAside, _) => true,
        _ => false,
    }
}

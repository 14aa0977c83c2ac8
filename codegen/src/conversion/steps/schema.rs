//! `schema`: a value that has a schema in some versions, and in others is any JSON.

use super::{Applied, Argument, Between, Call, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to, in_option) = between.inside()?;
    let step = |function, arguments: Vec<Argument>| Call {
        in_option,
        ..call(("schema", function), arguments)
    };
    match (is_free(from), is_free(to)) {
        (true, false) => {
            let around = Argument::Around(between.rule.paths(&|_, _| true));
            Some(Applied::keeps(
                step("read", vec![around, Argument::Borrowed]),
                "by its schema; a value that lacks required fields is reported",
                "kept in the annotation, unless the value alone restores it",
            ))
        }
        (false, true) => {
            let how = "the kept JSON if it has this value, else the value as JSON";
            Some(Applied::restores(step("write", vec![Argument::Borrowed]), how))
        }
        _ => None,
    }
}

/// Returns `true` for any JSON.
pub(in crate::conversion) fn is_free(rust_type: &RustType) -> bool {
    matches!(rust_type, RustType::External(path, _) if path.name == "Json")
}

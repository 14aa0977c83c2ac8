//! `first-of-list`: a list in one version, its first element in another.

use super::{Applied, Argument, Between, Effect, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let arguments = vec![Argument::Places, Argument::Value, Argument::Context];
    match between.types() {
        (RustType::List(item), other) if **item == *other => Some(Applied {
            call: call(("first_of_list", "first"), arguments),
            how: "the first element, empty if there is none".to_owned(),
            loss: "any other list than its first element alone is kept in the annotation",
            effect: Effect::Keeps,
        }),
        (other, RustType::List(item)) if **item == *other => Some(Applied {
            call: call(("first_of_list", "list"), arguments),
            how: "the kept list if it begins with this value; else a list of this value alone, empty if the value \
                  is empty"
                .to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        }),
        _ => None,
    }
}

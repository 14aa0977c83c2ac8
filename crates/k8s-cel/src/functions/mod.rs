//! The functions of CEL and of Kubernetes' libraries: the table of them is in `library`.

mod arguments;
pub(crate) mod convert;
pub(crate) mod format;
pub(crate) mod library;
pub(crate) mod lists;
pub(crate) mod named;
pub(crate) mod network;
pub(crate) mod operators;
pub(crate) mod quantity;
mod search;
pub(crate) mod semver;
pub(crate) mod strings;
pub(crate) mod time;
mod url;

use crate::check::types::Type;
use crate::eval::value::{Evaluated, Value};
use crate::eval::{Meter, Patterns};
use crate::since::Facts;

/// What a function can ask beside its arguments.
pub(crate) struct Context<'a> {
    pub(crate) facts: Facts,
    pub(crate) patterns: &'a Patterns,
    pub(crate) meter: &'a Meter,
    /// What the only overload for the static types returns.
    pub(crate) result: Option<&'a Type>,
}

/// A function. Its arguments have the types of its row.
pub(crate) type Native = for<'v> fn(&Context<'_>, &[Value<'v>]) -> Evaluated<Value<'v>>;

//! What a function can use beside its arguments.

use crate::check::types::Type;
use crate::eval::value::{Evaluated, Value};
use crate::eval::{Meter, Patterns};
use crate::since::Facts;

/// What a function can use beside its arguments.
pub(crate) struct Context<'a> {
    pub(crate) facts: Facts,
    pub(crate) patterns: &'a Patterns,
    pub(crate) meter: &'a Meter,
    /// The result type of the only overload for the static types.
    pub(crate) result: Option<&'a Type>,
}

/// A function. Its arguments have the types of its row.
pub(crate) type Native = for<'v> fn(&Context<'_>, &[Value<'v>]) -> Evaluated<Value<'v>>;

//! Values that are known when a rule is created.

use crate::syntax::ast::Literal;
use crate::values::instant::Time;

/// A value that is known when a rule is created.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Literal(Literal),
    Timestamp(Time),
    Duration(i64),
    Type(&'static str),
    List(Vec<Self>),
}

//! Why an expression has no value.

use std::borrow::Cow;

/// Why an expression has no value.
///
/// A fault has the size of a pointer, so that a `Result` is no larger than the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(Box<Cause>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// An error of CEL, in the server's words. The other operand of `&&` or `||` may make it irrelevant.
    Error(Cow<'static, str>),
    /// The server's result is not known here.
    NotJudged(String),
    /// The call costs more than a server allows.
    Cancelled,
}

impl Fault {
    pub(crate) fn error(message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Cause::Error(message.into())))
    }

    pub(crate) fn no_overload() -> Self {
        Self::error("no such overload")
    }

    pub(crate) fn not_judged(reason: impl Into<String>) -> Self {
        Self(Box::new(Cause::NotJudged(reason.into())))
    }

    pub(crate) fn cancelled() -> Self {
        Self(Box::new(Cause::Cancelled))
    }

    pub(crate) fn into_cause(self) -> Cause {
        *self.0
    }

    /// Returns `true` if nothing can make the fault irrelevant.
    pub(crate) const fn is_final(&self) -> bool {
        !matches!(*self.0, Cause::Error(_))
    }
}

pub(crate) type Evaluated<T> = Result<T, Fault>;

//! Why an expression has no value.

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An error of CEL, in the server's words. The other operand of `&&` or `||` may make it irrelevant.
    Error(String),
    /// What a server makes of it is not known here.
    NotJudged(String),
    /// The call costs more than a server allows.
    Cancelled,
}

impl Fault {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    /// Returns `true` if nothing can make the fault irrelevant.
    pub(crate) const fn is_final(&self) -> bool {
        matches!(self, Self::NotJudged(_) | Self::Cancelled)
    }

    pub(crate) fn no_overload() -> Self {
        Self::Error("no such overload".to_owned())
    }

    pub(crate) fn not_judged(reason: impl Into<String>) -> Self {
        Self::NotJudged(reason.into())
    }
}

pub(crate) type Evaluated<T> = Result<T, Fault>;

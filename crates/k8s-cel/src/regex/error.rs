//! Why a pattern does not compile.

use thiserror::Error;

/// Why a pattern does not compile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Go refuses the pattern. The text is the text of Go's error.
    #[error("error parsing regexp: {reason}: `{at}`")]
    Refused {
        /// The rule that is broken.
        reason: PatternFault,
        /// The part of the pattern that breaks it.
        at: String,
    },
    /// Go compiles the pattern, but it is too large for this package.
    #[error("the regular expression is valid, but too large to be compiled here")]
    TooLarge,
}

impl PatternError {
    /// Returns `true` if Go refuses the pattern.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

/// The rules of Go's syntax; the text is Go's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternFault {
    /// A range whose end is before its start, or a class that does not exist.
    #[error("invalid character class range")]
    InvalidCharRange,
    /// An escape that does not exist.
    #[error("invalid escape sequence")]
    InvalidEscape,
    /// The name of a group is empty, not closed, or has other characters than letters, digits and `_`.
    #[error("invalid named capture")]
    InvalidNamedCapture,
    /// `(?` with anything but flags or a name.
    #[error("invalid or unsupported Perl syntax")]
    InvalidPerlOp,
    /// `a**`.
    #[error("invalid nested repetition operator")]
    InvalidRepeatOp,
    /// A count above 1000, also as a product of nested counts, or a maximum below the minimum.
    #[error("invalid repeat count")]
    InvalidRepeatSize,
    /// `[` without `]`.
    #[error("missing closing ]")]
    MissingBracket,
    /// `(` without `)`.
    #[error("missing closing )")]
    MissingParen,
    /// A repetition of nothing.
    #[error("missing argument to repetition operator")]
    MissingRepeatArgument,
    /// `\` at the end.
    #[error("trailing backslash at end of expression")]
    TrailingBackslash,
    /// `)` without `(`.
    #[error("unexpected )")]
    UnexpectedParen,
    /// More than 1000 levels.
    #[error("expression nests too deeply")]
    NestingDepth,
    /// More than 3,355,443 instructions.
    #[error("expression too large")]
    Large,
}

//! Why a pattern does not compile.

use std::fmt;

use thiserror::Error;

/// Why a pattern does not compile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Go refuses the pattern. The text is the text of Go's error.
    #[error("error parsing regexp: {reason}: `{at}`")]
    Refused {
        /// The rule that is broken.
        reason: Reason,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A range whose end is before its start, or a class that does not exist.
    InvalidCharRange,
    /// An escape that does not exist.
    InvalidEscape,
    /// The name of a group is empty, not closed, or has other characters than letters, digits and `_`.
    InvalidNamedCapture,
    /// `(?` with something else than flags or a name.
    InvalidPerlOp,
    /// `a**`.
    InvalidRepeatOp,
    /// A count above 1000, also as a product of nested counts, or a maximum below the minimum.
    InvalidRepeatSize,
    /// `[` without `]`.
    MissingBracket,
    /// `(` without `)`.
    MissingParen,
    /// A repetition of nothing.
    MissingRepeatArgument,
    /// `\` at the end.
    TrailingBackslash,
    /// `)` without `(`.
    UnexpectedParen,
    /// More than 1000 levels.
    NestingDepth,
    /// More than 3,355,443 instructions.
    Large,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidCharRange => "invalid character class range",
            Self::InvalidEscape => "invalid escape sequence",
            Self::InvalidNamedCapture => "invalid named capture",
            Self::InvalidPerlOp => "invalid or unsupported Perl syntax",
            Self::InvalidRepeatOp => "invalid nested repetition operator",
            Self::InvalidRepeatSize => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParen => "missing closing )",
            Self::MissingRepeatArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParen => "unexpected )",
            Self::NestingDepth => "expression nests too deeply",
            Self::Large => "expression too large",
        })
    }
}

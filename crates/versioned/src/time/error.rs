//! What is no time.

use thiserror::Error;

use crate::Quoted;

/// A text or another program's time that is not one of ours, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text does not have the form of RFC 3339.
    #[error("{} is not an RFC 3339 time: expected a time such as `{example}`", Quoted(found))]
    Syntax {
        /// The text that was found.
        found: String,
        /// A text that would be read.
        example: &'static str,
    },
    /// The form is right, but there is no such date, time of day or offset.
    #[error("{} does not exist: expected a time such as `{example}`", Quoted(found))]
    Nonexistent {
        /// The text that was found.
        found: String,
        /// A text that would be read.
        example: &'static str,
    },
    /// The time is before or after all times that a type can hold.
    #[error("{} is out of the range of {range}", Quoted(found))]
    OutOfRange {
        /// The time that was found.
        found: String,
        /// The type whose range it is.
        range: &'static str,
    },
    /// The text is a time, but API servers do not read it.
    #[error("{} is a time that API servers do not read: write `{instead}`", Quoted(found))]
    Refused {
        /// The text that was found.
        found: String,
        /// The same time as servers read it.
        instead: String,
    },
}

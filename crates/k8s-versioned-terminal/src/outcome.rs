//! Exit codes.

use std::process::ExitCode;

/// The result of a command, from which the exit code follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success: exit code 0.
    Success,
    /// Failure, with the reason in the output: exit code 1.
    Failure,
    /// Wrong usage: exit code 2.
    Usage,
    /// Another exit code, which the help of the command explains.
    Code(u8),
}

impl Outcome {
    /// Success or failure.
    pub fn new(success: bool) -> Self {
        if success { Self::Success } else { Self::Failure }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Failure => Self::FAILURE,
            Outcome::Usage => Self::from(2),
            Outcome::Code(code) => Self::from(code),
        }
    }
}

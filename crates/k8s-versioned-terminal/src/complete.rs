//! Completions. The command answers the shell itself, because it knows what the files around it contain.

use std::env;
use std::ffi::OsString;

use clap::{Command, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

/// The environment variable by which the script of a shell asks for completions.
pub(crate) const VARIABLE: &str = "COMPLETE";

/// A shell that completions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "they are names")]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    pub(crate) fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Self::Bash => &Bash,
            Self::Elvish => &Elvish,
            Self::Fish => &Fish,
            Self::Powershell => &Powershell,
            Self::Zsh => &Zsh,
        }
    }
}

/// Answers a shell that asks for completions, and ends the process. Otherwise it does nothing. A command calls it before it reads
/// its arguments or writes anything.
pub fn answer_shell(command: fn() -> Command) {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Values that a shell completes for an argument, which takes others, too. They are computed when a shell asks.
pub fn candidates<I>(values: fn() -> I) -> ArgValueCandidates
where
    I: IntoIterator<Item = String> + 'static,
{
    ArgValueCandidates::new(move || values().into_iter().map(CompletionCandidate::new).collect())
}

/// The words of the command line to complete, after the name of the command.
pub fn words_to_complete() -> impl Iterator<Item = OsString> {
    // The arguments of this process are its own name, `--`, and the words with the name of the command.
    env::args_os().skip_while(|word| word != "--").skip(2)
}

/// The word that follows an option in the command line to complete.
pub fn value_to_complete_after(option: &str) -> Option<OsString> {
    words_to_complete().skip_while(|word| word != option).nth(1)
}

//! Completions. The command answers the shell itself, because it can read the files that the command line names.

use std::env;
use std::ffi::OsString;

use clap::{Command, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

/// The environment variable by which the script of a shell asks for completions.
pub(crate) const VARIABLE: &str = "COMPLETE";

/// A shell that the command can answer.
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

/// Answers a shell that asks for completions, and then ends the process. Does nothing if no shell asks. A command calls this function
/// before it reads its arguments or writes anything.
pub fn answer_shell(command: fn() -> Command) {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// The values that a shell offers for an argument. The argument also accepts others. They are computed when a shell asks.
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

/// The value of an option in the command line to complete: the folder in `--root FOLDER` and in `--root=FOLDER`.
pub fn value_of_option(option: &str) -> Option<OsString> {
    // `=` is a word of its own in `bash`.
    let mut words = words_to_complete().filter(|word| word != "=");
    while let Some(word) = words.next() {
        if word == option {
            return words.next();
        }
        let value = word.to_str().and_then(|word| word.strip_prefix(option)?.strip_prefix('='));
        if let Some(value) = value {
            return Some(value.into());
        }
    }
    None
}

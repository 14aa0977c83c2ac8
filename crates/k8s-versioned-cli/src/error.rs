//! Errors of commands.

use std::io;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::tools::diff::DiffError;
use k8s_versioned_codegen::{Files, Problems};
use k8s_versioned_conformance::recordings::LoadError;
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity, count};
use k8s_versioned_terminal::PagesError;

use crate::project::changes::Changes;
use crate::text::finding_kinds::{self, FindingKind};

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The action: `read`, `write`, ….
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file that the arguments name cannot be read.
    #[error("cannot read {}", path.display())]
    Argument {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file of a project that is wrong.
    #[error("{}: {}", .0.display(), .1)]
    Project(PathBuf, String),
    /// No project, or no workspace, around the current folder.
    #[error("{}: {}", .0.display(), .1)]
    NoProject(PathBuf, &'static str),
    /// A command that this build lacks, or an argument that names nothing.
    #[error("{0}")]
    Usage(String),
    /// `fetch` or `new` cannot do what the arguments ask.
    #[error("{0}")]
    Refusal(String),
    /// A file name that is not UTF-8.
    #[error("the file name {} is not UTF-8; rename or remove the file", .0.display())]
    NotUtf8(PathBuf),
    /// A link, a folder or a device where a file is expected. Links are never followed: they could lead out
    /// of the workspace.
    #[error("{} is not a regular file; links are not followed", .0.display())]
    NotAFile(PathBuf),
    /// A link or a file where a folder is expected.
    #[error("{} is not a folder; links are not followed", .0.display())]
    NotAFolder(PathBuf),
    /// A folder to import from that has no documents of API groups.
    #[error(
        "{} has no file named apis__*.json; in the source tree of Kubernetes, such files are in \
         api/openapi-spec/v3",
        .0.display()
    )]
    NoDocuments(PathBuf),
    /// A release or version to compare that does not exist.
    #[error(transparent)]
    NothingToCompare(Box<DiffError>),
    /// Releases without recordings and without a stated reason, and recorded releases with one.
    #[error("{}", recordings(missing, surplus, folder, exceptions))]
    Recorded {
        /// The releases without recordings and without a reason.
        missing: Vec<Release>,
        /// The recorded releases with a reason why they are not recorded.
        surplus: Vec<Release>,
        /// The folder of the recordings.
        folder: String,
        /// The file of the releases without recordings.
        exceptions: String,
    },
    /// The folder of the recordings cannot be read.
    #[error(transparent)]
    Recordings(LoadError),
    /// There is no release before the newest one.
    #[error(
        "specs has only one release, so there is nothing to compare it with; import the release before it"
    )]
    OneRelease,
    /// The command `git` failed.
    #[error("git: {0}")]
    Git(String),
    /// The generator found problems in its input.
    #[error("{}", .0.problems)]
    Refused(Box<Refused>),
    /// Changes have an effect on which `diff` is to fail. The report is written already.
    #[error("{}", changes_and_objects(*changes, *objects))]
    Differs {
        /// The number of changes.
        changes: usize,
        /// The number of stored objects that a server does not take as they are.
        objects: usize,
    },
    /// Objects are not valid or have warnings, there are none, or documents cannot be read. The report is written already.
    #[error("{}", of_invalid(*.0))]
    Invalid(ValidateCounts),
    /// The output cannot be written.
    #[error("cannot write the output")]
    Output(#[source] io::Error),
    /// The generated files, by folder, are not what the specs yield.
    #[error("the generated files are not up to date")]
    Stale {
        /// The changes by folder.
        folders: Vec<Changes>,
        /// The command that repairs them.
        command: String,
    },
}

impl From<PagesError> for Error {
    fn from(error: PagesError) -> Self {
        match error {
            PagesError::Folder(path, source) => Self::Io { action: "write", path, source },
            PagesError::Output(source) => Self::Output(source),
        }
    }
}

impl Error {
    /// An argument of `map_err` for an operation on a path.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_path_buf(), source }
    }

    /// The kind of the error among findings.
    pub(crate) fn kind(&self) -> FindingKind {
        match self {
            Self::Io { .. } => finding_kinds::IO,
            Self::Argument { .. } => finding_kinds::ARGUMENT,
            Self::Project(..) => finding_kinds::PROJECT,
            Self::NoProject(..) => finding_kinds::NO_PROJECT,
            Self::Usage(_) => finding_kinds::USAGE,
            Self::Refusal(_) => finding_kinds::REFUSAL,
            Self::NotUtf8(_) => finding_kinds::FILE_NAME_NOT_UTF8,
            Self::NotAFile(_) => finding_kinds::NOT_A_FILE,
            Self::NotAFolder(_) => finding_kinds::NOT_A_FOLDER,
            Self::NoDocuments(_) => finding_kinds::NO_DOCUMENTS,
            Self::NothingToCompare(_) => finding_kinds::NOTHING_TO_COMPARE,
            Self::Recorded { .. } => finding_kinds::RECORDED,
            Self::Recordings(_) => finding_kinds::RECORDINGS,
            Self::OneRelease => finding_kinds::ONE_RELEASE,
            Self::Git(_) => finding_kinds::GIT,
            Self::Refused(_) => finding_kinds::REFUSED,
            Self::Differs { .. } => finding_kinds::DIFFERS,
            Self::Invalid(_) => finding_kinds::NOT_VALID,
            Self::Output(_) => finding_kinds::OUTPUT,
            Self::Stale { .. } => finding_kinds::STALE,
        }
    }

    /// The exit code of the command: 2 if its arguments name what is not there.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Argument { .. }
            | Self::NoProject(..)
            | Self::NothingToCompare(_)
            | Self::Usage(_) => 2,
            Self::Refused(refused) if refused.lacks_groups() => 2,
            _ => 1,
        }
    }

    /// The error of a command that only reads.
    #[must_use]
    pub(crate) fn of_reader(mut self) -> Self {
        if let Self::Refused(refused) = &mut self {
            refused.writes = false;
        }
        self
    }

    /// The error as a user repairs it who named the package by `--root`.
    #[must_use]
    pub(crate) fn of_root(mut self, root: Option<&Path>) -> Self {
        if let (Self::Stale { command, .. }, Some(root)) = (&mut self, root) {
            *command = format!("{command} --root {}", root.display());
        }
        self
    }

    /// Problems in the files of some folders; of each file only the first.
    pub fn refused(problems: Problems, sources: Vec<SourceFolder>) -> Self {
        let problems = problems.shorten();
        Self::Refused(Box::new(Refused { problems, sources, advice: None, writes: true }))
    }
}

/// What `validate` found.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValidateCounts {
    /// The objects that a server takes.
    pub valid: usize,
    /// Those that a server refuses.
    pub invalid: usize,
    /// Those that a server takes, with a finding that fails the command.
    pub warned: usize,
    /// The documents that cannot be read.
    pub unreadable: usize,
    /// The objects of kinds that the package does not have.
    pub skipped: usize,
    /// The findings that fail the command.
    pub findings: usize,
}

impl ValidateCounts {
    /// Counts an object with these findings, of which those at least so grave fail the command.
    pub(crate) fn add(&mut self, findings: &[Finding], least: Severity) {
        let failing = findings.iter().map(|finding| finding.severity).filter(|it| *it <= least);
        self.findings += failing.clone().count();
        *match failing.min() {
            None => &mut self.valid,
            Some(Severity::Error) => &mut self.invalid,
            Some(_) => &mut self.warned,
        } += 1;
    }

    pub(crate) fn objects(self) -> usize {
        self.valid + self.invalid + self.warned
    }

    /// Returns `true` if nothing fails the command.
    pub(crate) fn is_success(self) -> bool {
        self.invalid + self.unreadable + self.warned == 0
    }
}

fn of_invalid(counts: ValidateCounts) -> String {
    let ValidateCounts { invalid, warned, unreadable, findings, .. } = counts;
    if counts.is_success() {
        return "there are no objects".to_owned();
    }
    let objects = |number: usize, one: &str, many: &str| {
        let what = if number == 1 { one } else { many };
        (number > 0).then(|| format!("{} {what}", count(number, "object")))
    };
    let parts = [
        (unreadable > 0).then(|| format!("{} cannot be read", count(unreadable, "document"))),
        objects(invalid, "is not valid", "are not valid"),
        objects(warned, "has warnings", "have warnings"),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if findings == 0 { text } else { format!("{text}, {}", count(findings, "finding")) }
}

fn recordings(missing: &[Release], surplus: &[Release], folder: &str, exceptions: &str) -> String {
    let missing = missing.iter().map(|release| {
        format!(
            "no recordings of {release} in {folder}/{release}: record its servers as docs/guides/recordings.md says, \
             or state in {exceptions} why not: \"{release}\" = \"the reason\""
        )
    });
    let surplus = surplus.iter().map(|release| {
        format!("{exceptions} says that {release} is not recorded, but it is: remove the entry")
    });
    missing.chain(surplus).collect::<Vec<_>>().join("\nerror: ")
}

/// Problems, and the files that have them.
#[derive(Debug)]
pub struct Refused {
    /// The problems, in the order of the files.
    pub problems: Problems,
    /// The folders in which the files of the problems are looked up, in this order.
    pub sources: Vec<SourceFolder>,
    /// What else the user can do, for all problems.
    pub advice: Option<&'static str>,
    /// Whether the command writes files.
    pub writes: bool,
}

impl Refused {
    /// Returns `true` if the source has nothing of the groups that are wanted.
    pub(crate) fn lacks_groups(&self) -> bool {
        let ids = ["nothing-to-import", "other-groups"];
        self.problems.iter().all(|problem| ids.contains(&problem.id()))
    }
}

/// The files of one folder, as the generator read them.
#[derive(Clone, Debug)]
pub struct SourceFolder {
    /// The folder, as messages show it.
    pub label: String,
    /// The files, by their names in the folder.
    pub files: Files,
}

/// What made `diff` fail, in words.
fn changes_and_objects(changes: usize, objects: usize) -> String {
    let of_effect = (changes > 0)
        .then(|| format!("{} of an effect that `--fail-on` names", count(changes, "change")));
    let affected = (objects > 0).then(|| format!("{} affected", count(objects, "stored object")));
    of_effect.into_iter().chain(affected).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{ValidateCounts, of_invalid};

    #[test]
    fn an_error_counts_what_fails_the_command() {
        let none = ValidateCounts::default();
        let table = [
            (none, "there are no objects"),
            (
                ValidateCounts { valid: 3, invalid: 1, findings: 2, ..none },
                "1 object is not valid, 2 findings",
            ),
            (
                ValidateCounts { valid: 1, warned: 2, findings: 2, ..none },
                "2 objects have warnings, 2 findings",
            ),
            (ValidateCounts { valid: 1, unreadable: 1, ..none }, "1 document cannot be read"),
            (
                ValidateCounts { invalid: 2, warned: 1, unreadable: 1, findings: 4, ..none },
                "1 document cannot be read; 2 objects are not valid; 1 object has warnings, 4 findings",
            ),
        ];
        for (counts, expected) in table {
            assert_eq!(of_invalid(counts), expected);
        }
    }
}

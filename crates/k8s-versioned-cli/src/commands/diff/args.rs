//! The arguments of `diff`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgAction, Args, ValueEnum};
use k8s_versioned_codegen::tools::diff::comparison::LIMIT;
use k8s_versioned_codegen::tools::diff::{Class, Selection};
use k8s_versioned_core::Version;
use k8s_versioned_terminal::{ReportFormat, candidates};

use crate::Error;
use crate::args::completions;

/// The two sides of a comparison.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The older side: a release of the package or a version of the API in it, for example `v1.35` or `v1.31/v1alpha1`; or a file or
    /// folder of CustomResourceDefinitions in YAML or JSON, for which no package is needed. `-` is the standard input.
    #[arg(add = candidates(completions::sides))]
    pub old: DiffSide,
    /// The newer side, for example `v1.36`, `v1.36/v1beta1`, or another file or folder.
    #[arg(add = candidates(completions::sides))]
    pub new: Option<DiffSide>,
    /// Compare two versions of definitions in files, such as `--between v1beta1 v1`: the first one as OLD has it with the second one as
    /// NEW has it. Without NEW, both are in OLD.
    #[arg(long, num_args = 2, action = ArgAction::Set, value_names = ["VERSION", "VERSION"], add = candidates(completions::versions))]
    pub between: Vec<Version>,
    /// Stored objects to judge as a server with the definitions of the newer side would: files of JSON or YAML, and folders with
    /// such files.
    #[arg(long, value_name = "PATH")]
    pub objects: Vec<PathBuf>,
    /// End with exit code 1 if a change has one of these effects; several are separated by commas.
    #[arg(long, value_name = "EFFECT", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// The most characters of a report in Markdown. What does not fit is cut, and counted.
    #[arg(long, value_name = "CHARACTERS", default_value_t = LIMIT)]
    pub limit: usize,
    /// The form of the findings; `github` and `gitlab` leave out the changes without effect, and only those are errors on which the command
    /// fails.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::FINDINGS), default_value = "text")]
    pub format: ReportFormat,
}

impl DiffArgs {
    /// Returns `true` if the command is to fail for a change with these effects.
    pub(super) fn fails_on(&self, classes: &[Class]) -> bool {
        classes.iter().any(|class| self.fail_on.iter().any(|effect| effect.has(*class)))
    }

    /// Returns `true` if the command is to fail for a stored object that a server of the newer side does not take as it is.
    pub(super) fn fails_on_objects(&self) -> bool {
        self.fails_on(&[Class::BreaksWriters])
    }

    /// The two sides, and the versions of definitions that are compared.
    ///
    /// # Errors
    /// There is only one side; or `--between` stands beside releases.
    pub(super) fn sides(&self) -> Result<(Sides<'_>, Option<[Version; 2]>), Error> {
        let versions = <[Version; 2]>::try_from(self.between.as_slice()).ok();
        let sides = match (&self.old, &self.new, versions) {
            (DiffSide::Path(old), Some(DiffSide::Path(new)), _) => Sides::Paths(old, Some(new)),
            (DiffSide::Path(only), None, Some(_)) => Sides::Paths(only, None),
            (DiffSide::Release(old), Some(DiffSide::Release(new)), None) => {
                Sides::Releases([*old, *new])
            }
            (DiffSide::Path(only), None, None) => {
                let only = only.display();
                return Err(Error::Usage(format!(
                    "`{only}` is only one side: name the newer file or folder, or two versions in this one, such as \
                     `{only} --between v1beta1 v1`"
                )));
            }
            (DiffSide::Release(only), None, None) => {
                return Err(Error::Usage(format!(
                    "`{only}` is only one side: name the newer release, or version of the API, after it"
                )));
            }
            (DiffSide::Release(of), _, Some([old, new]))
            | (_, Some(DiffSide::Release(of)), Some([old, new])) => {
                let release = of.release;
                return Err(Error::Usage(format!(
                    "`--between` is for definitions in files; versions in releases of the package are \
                     `{release}/{old} {release}/{new}`"
                )));
            }
            (DiffSide::Release(_), Some(DiffSide::Path(_)), None)
            | (DiffSide::Path(_), Some(DiffSide::Release(_)), None) => {
                return Err(Error::Usage(
                    "one side is a release of the package and the other a path: name two releases or two paths, such as \
                     `specs/1.0.0` for a release"
                        .to_owned(),
                ));
            }
        };
        Ok((sides, versions))
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sides<'a> {
    /// Two releases of the package, or versions of the API in them.
    Releases([Selection; 2]),
    /// The definitions at the first path, with those at the second path or with each other.
    Paths(&'a Path, Option<&'a Path>),
}

/// A side of a comparison.
#[derive(Clone, Debug)]
pub enum DiffSide {
    /// A release of the package, or a version of the API in it.
    Release(Selection),
    /// A file or folder of definitions.
    Path(PathBuf),
}

impl FromStr for DiffSide {
    type Err = String;

    /// Reads a release such as `v1.36` or `v1.36/v1beta1`; any other text is a path if something is there or it looks like one.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = Path::new(text);
        let is_path = || {
            let has_extension = path.extension().is_some_and(|extension| {
                ["json", "yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
            });
            text == "-" || text.contains(['/', '\\']) || has_extension || path.exists()
        };
        match text.parse() {
            Ok(selection) => Ok(Self::Release(selection)),
            Err(_) if is_path() => Ok(Self::Path(path.to_path_buf())),
            Err(error) if text.parse().is_ok_and(Version::is_numbered) => {
                Err(format!("{error}; two versions in one file are `crd.yaml --between {text} v2`"))
            }
            Err(error) => Err(format!("{error}; no file or folder of definitions has this name")),
        }
    }
}

impl fmt::Display for DiffSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Release(selection) => selection.fmt(f),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

/// An effect of changes on which `diff` fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A program can stop working: writers, readers, server-side apply, or programs with the package.
    Breaking,
    /// Servers refuse or drop what they took, or a request has another effect.
    Narrower,
    /// Readers can fail on responses, or misread them.
    Readers,
    /// A program with the generated package can fail to compile.
    Programs,
    /// The documents do not state the effect.
    Unknown,
    /// A response may have more than before.
    Wider,
    /// Any change that has an effect.
    Any,
}

impl FailOn {
    fn has(self, class: Class) -> bool {
        match self {
            Self::Breaking => class.breaks(),
            Self::Narrower => matches!(class, Class::BreaksWriters | Class::BreaksApply),
            Self::Readers => class == Class::BreaksReaders,
            Self::Programs => class == Class::BreaksPrograms,
            Self::Unknown => class == Class::Unknown,
            Self::Wider => matches!(class, Class::Wider | Class::BreaksReaders),
            Self::Any => class != Class::NoEffect,
        }
    }
}

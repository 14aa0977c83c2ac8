//! `diff`: the changes between two releases of a package, or between two sets of definitions.

mod stored_objects;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use k8s_versioned_admission::NEWEST;
use k8s_versioned_codegen::tools::diff::comparison::{self, Comparison, LIMIT};
use k8s_versioned_codegen::tools::diff::{self, Class, DiffError, Selection};
use k8s_versioned_codegen::{Files, crd, read_group};
use k8s_versioned_terminal::{Format, candidates};

use crate::args::completions;
use crate::error::Source;
use crate::input::read_paths;
use crate::project::specs::Specs;
use crate::{Error, Project};
use stored_objects::{Definitions, Judge};

/// The two sides of a comparison.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The older side: a release of the package or a version of the API in it, for example `v1.35` or `v1.31/v1alpha1`; or a file or
    /// folder of CustomResourceDefinitions in YAML or JSON, for which no package is needed. `-` is the standard input.
    #[arg(add = candidates(completions::sides))]
    pub old: Side,
    /// The newer side, for example `v1.36`, `v1.36/v1beta1`, or another file or folder.
    #[arg(add = candidates(completions::sides))]
    pub new: Side,
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
    /// The form of the findings.
    #[arg(long, value_parser = Format::one_of(&Format::PAGE), default_value = "text")]
    pub format: Format,
}

impl DiffArgs {
    /// The report on a comparison, in the form that is asked for.
    pub fn report(&self, comparison: &Comparison) -> String {
        let format = match self.format {
            Format::Json => comparison::Format::Json,
            Format::Markdown => comparison::Format::Markdown,
            _ => comparison::Format::Text,
        };
        comparison.write_within(format, self.limit)
    }

    /// Fails if the comparison has an effect on which the command is to fail.
    ///
    /// # Errors
    /// The number of such changes, and of stored objects that a server no longer takes.
    pub fn judge(&self, comparison: &Comparison) -> Result<(), Error> {
        let is_one = |class: &Class| self.fail_on.iter().any(|effect| effect.has(*class));
        let changes =
            comparison.findings.iter().filter(|finding| finding.classes.iter().any(is_one)).count();
        let fails_on_objects = self.fail_on.iter().any(|effect| effect.has(Class::BreaksWriters));
        let objects = comparison.objects.iter().filter(|_| fails_on_objects);
        let objects = objects.map(|objects| objects.affected.len()).sum();
        if changes + objects == 0 { Ok(()) } else { Err(Error::Differs { changes, objects }) }
    }
}

/// A side of a comparison.
#[derive(Clone, Debug)]
pub enum Side {
    /// A release of the package, or a version of the API in it.
    Release(Selection),
    /// A file or folder of definitions.
    Path(PathBuf),
}

impl FromStr for Side {
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
            Err(error) => Err(format!("{error}; no file or folder of definitions has this name")),
        }
    }
}

impl fmt::Display for Side {
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

/// Compares two releases of the package, or two versions of the API, and the packages that are generated from them; or the definitions
/// in files, without a package. Judges stored objects.
///
/// # Errors
/// Files cannot be read, there is nothing to compare, or the specs or definitions have problems.
pub fn run(
    project: impl FnOnce() -> Result<Project, Error>,
    args: &DiffArgs,
    say: &dyn Fn(&str),
) -> Result<Comparison, Error> {
    match (&args.old, &args.new) {
        (Side::Release(old), Side::Release(new)) => {
            of_package(&project()?, [*old, *new], &args.objects, say)
        }
        (Side::Path(old), Side::Path(new)) => of_paths([old, new], &args.objects, say),
        _ => Err(Error::Usage(
            "one side is a release of the package and the other a path: name two releases or two paths, such as \
             `specs/1.0.0` for a release"
                .to_owned(),
        )),
    }
}

fn of_package(
    project: &Project,
    [old, new]: [Selection; 2],
    objects: &[PathBuf],
    say: &dyn Fn(&str),
) -> Result<Comparison, Error> {
    let specs = Specs::read(project)?;
    let mut report = report(project, &specs.files, old, new)?;
    report.findings.extend(diff::rust_items(&specs.files, old, new));
    if !objects.is_empty() {
        let refused = |problems| specs.refused(problems);
        let older = crd::of_release(&specs.files, old.release).map_err(refused)?;
        let newer = crd::of_release(&specs.files, new.release).map_err(refused)?;
        let group = read_group(&specs.files).map_err(refused)?;
        let of_product = group.product.is_some();
        let [older, newer] = [(older, old), (newer, new)].map(|(all, side)| Definitions {
            all,
            release: side.release,
            of_product,
        });
        let judge = Judge::new(older, newer, old.version.zip(new.version));
        report.objects = Some(judge.objects(objects, say)?);
    }
    Ok(report)
}

fn of_paths(
    [old, new]: [&PathBuf; 2],
    objects: &[PathBuf],
    say: &dyn Fn(&str),
) -> Result<Comparison, Error> {
    let files = |path: &PathBuf| read_paths(std::slice::from_ref(path));
    let (older, newer) = (files(old)?, files(new)?);
    let refused = |problems| {
        let sources = [&older, &newer];
        let source = |files: &Files| Source { label: String::new(), files: files.clone() };
        Error::refused(problems, sources.into_iter().map(source).collect())
    };
    let findings = diff::diff_definitions(&older, &newer).map_err(refused)?;
    let [old, new] = [old, new].map(|path| path.display().to_string());
    let mut report = Comparison { old, new, findings, objects: None };
    if !objects.is_empty() {
        let side = |files| {
            let all = crd::manifests(files).map_err(refused)?;
            Ok::<_, Error>(Definitions { all, release: NEWEST, of_product: false })
        };
        let judge = Judge::new(side(&older)?, side(&newer)?, None);
        report.objects = Some(judge.objects(objects, say)?);
    }
    Ok(report)
}

/// The differences of the documents of two sides.
///
/// # Errors
/// There is nothing to compare, or the specs have problems.
pub fn report(
    project: &Project,
    specs: &Files,
    old: Selection,
    new: Selection,
) -> Result<Comparison, Error> {
    let findings = diff::diff(specs, old, new).map_err(|error| match error {
        DiffError::Problems(problems) => {
            Error::refused(problems, vec![Source::specs(project, specs.clone())])
        }
        other => Error::NothingToCompare(Box::new(other)),
    })?;
    Ok(Comparison { old: old.to_string(), new: new.to_string(), findings, objects: None })
}

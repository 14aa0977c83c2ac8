//! `diff`: the changes between two releases of a package, or between two sets of definitions.

mod annotations;
mod args;
mod stored_objects;

use std::path::{Path, PathBuf};

use k8s_versioned_admission::NEWEST;
use k8s_versioned_codegen::tools::diff::comparison::{self, Comparison};
use k8s_versioned_codegen::tools::diff::{self, DiffError, Selection};
use k8s_versioned_codegen::{Files, Problems, crd, read_group};
use k8s_versioned_core::Version;
use k8s_versioned_core::findings::Finding;
use k8s_versioned_terminal::ReportFormat;

use crate::error::SourceFolder;
use crate::input::{check_stdin, read_paths};
use crate::project::specs::Specs;
use crate::{Error, Project};
use args::Sides;
pub use args::{DiffArgs, DiffSide, FailOn};
use stored_objects::{Definitions, UpgradeJudge};

/// A comparison, and the files of its sides.
#[derive(Debug)]
pub struct Compared {
    comparison: Comparison,
    sources: Vec<SourceFolder>,
    /// What of the paths is left out.
    notes: Vec<Finding>,
}

impl Compared {
    /// What of the paths is left out, for people.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &Finding> {
        self.notes.iter()
    }

    /// The report, in the form that is asked for.
    pub fn report(&self, args: &DiffArgs) -> String {
        let format = match args.format {
            ReportFormat::Json => comparison::DiffFormat::Json,
            ReportFormat::Markdown => comparison::DiffFormat::Markdown,
            ReportFormat::Text => comparison::DiffFormat::Text,
            ReportFormat::Github | ReportFormat::Gitlab => {
                return annotations::write(&self.comparison, &self.sources, args);
            }
        };
        self.comparison.write_within(format, args.limit)
    }

    /// Fails if the comparison has an effect on which the command is to fail.
    ///
    /// # Errors
    /// The number of such changes, and of stored objects that a server no longer takes.
    pub fn judge(&self, args: &DiffArgs) -> Result<(), Error> {
        let Comparison { findings, objects, .. } = &self.comparison;
        let changes = findings.iter().filter(|finding| args.fails_on(&finding.classes)).count();
        let objects = objects.iter().filter(|_| args.fails_on_objects());
        let objects = objects.map(|objects| objects.affected.len()).sum();
        if changes + objects == 0 { Ok(()) } else { Err(Error::Differs { changes, objects }) }
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
) -> Result<Compared, Error> {
    let (sides, versions) = args.sides()?;
    match sides {
        Sides::Releases(sides) => of_package(&project()?, sides, &args.objects, say),
        Sides::Paths(old, new) => of_paths(old, new, versions, &args.objects, say),
    }
}

fn of_package(
    project: &Project,
    [old, new]: [Selection; 2],
    objects: &[PathBuf],
    say: &dyn Fn(&str),
) -> Result<Compared, Error> {
    let specs = Specs::read(project)?;
    let mut comparison = report(project, &specs.files, old, new)?;
    comparison.findings.extend(diff::rust_items(&specs.files, old, new));
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
        let judge = UpgradeJudge::new(older, newer, old.version.zip(new.version));
        comparison.objects = Some(judge.objects(objects, say)?);
    }
    let folder = project.root.join(&project.specs);
    let label = folder.strip_prefix(".").unwrap_or(&folder).display().to_string();
    Ok(Compared {
        comparison,
        sources: vec![SourceFolder { label, files: specs.files }],
        notes: Vec::new(),
    })
}

/// If there is no newer path, both sides are at the older one.
fn of_paths(
    old: &Path,
    new: Option<&Path>,
    versions: Option<[Version; 2]>,
    objects: &[PathBuf],
    say: &dyn Fn(&str),
) -> Result<Compared, Error> {
    check_stdin([old].into_iter().chain(new).chain(objects.iter().map(PathBuf::as_path)))?;
    let mut notes = Vec::new();
    let mut source = |path: &Path| {
        let (files, of_side) = read_paths(&[path.to_path_buf()])?;
        notes.extend(of_side);
        Ok::<_, Error>(SourceFolder { label: String::new(), files })
    };
    let (older, other) = (source(old)?, new.map(&mut source).transpose()?);
    let newer = other.as_ref().unwrap_or(&older);
    let refused = |problems| Error::refused(problems, vec![older.clone(), newer.clone()]);
    let findings = diff::diff_definitions(&older.files, &newer.files, versions)
        .map_err(|error| of_diff(error, refused))?;
    let [old_version, new_version] = versions.map_or([None; 2], |pair| pair.map(Some));
    let title = |path: &Path, version: Option<Version>| match version {
        Some(version) => format!("{version} of {}", path.display()),
        None => path.display().to_string(),
    };
    let (old, new) = (title(old, old_version), title(new.unwrap_or(old), new_version));
    let mut comparison = Comparison { old, new, findings, objects: None };
    if !objects.is_empty() {
        let side = |files: &Files| {
            let all = crd::manifests(files).map_err(refused)?;
            Ok::<_, Error>(Definitions { all, release: NEWEST, of_product: false })
        };
        let judge =
            UpgradeJudge::new(side(&older.files)?, side(&newer.files)?, versions.map(Into::into));
        comparison.objects = Some(judge.objects(objects, say)?);
    }
    // The place of most findings is in the files of the newer side.
    Ok(Compared { comparison, sources: other.into_iter().chain([older]).collect(), notes })
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
    let refused =
        |problems| Error::refused(problems, vec![SourceFolder::specs(project, specs.clone())]);
    let findings = diff::diff(specs, old, new).map_err(|error| of_diff(error, refused))?;
    Ok(Comparison { old: old.to_string(), new: new.to_string(), findings, objects: None })
}

fn of_diff(error: DiffError, refused: impl Fn(Problems) -> Error) -> Error {
    match error {
        DiffError::Problems(problems) => refused(problems),
        other => Error::NothingToCompare(Box::new(other)),
    }
}

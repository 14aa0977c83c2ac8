//! `new`: a package whose types are generated.

mod operator;

use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use k8s_versioned_codegen::is_name;
use k8s_versioned_core::syntax::dns1123_subdomain;
use k8s_versioned_terminal::lock::Lock;
use k8s_versioned_terminal::temporary;

use crate::commands::fetch::imported::Imported;
use crate::commands::fetch::{self, FetchArgs};
use crate::project::{Crates, Git, package_files};
use crate::text::output::Output;
use crate::{Error, Project, project};

/// The package to make.
#[derive(Clone, Debug, Args)]
pub struct NewArgs {
    /// The folder of the package, whose last part is its name. It must not exist.
    pub path: PathBuf,
    /// An API group, such as `batch` or `gateway.networking.k8s.io`; `core` is the one of pods; may be repeated. Without it, the
    /// package has all groups of its documents.
    #[arg(long)]
    pub group: Vec<String>,
    /// The product that the documents belong to, if not Kubernetes.
    #[arg(long)]
    pub product: Option<String>,
    /// A checkout of this project, its folder `crates`, or the address of its repository: generated code depends on the
    /// packages there. By default the checkout that built this command; the registry if the command is from there.
    #[arg(long, value_name = "DIR_OR_ADDRESS")]
    pub crates: Option<PathBuf>,
    /// The commit or tag of the repository that `--crates` names: each build has the same code.
    #[arg(long, requires = "crates")]
    pub revision: Option<String>,
    /// A program around the types, for the definitions of `--crds`.
    #[arg(long)]
    pub template: Option<Template>,
    /// The documents to fetch at once.
    #[command(flatten)]
    pub fetch: FetchArgs,
}

/// A program to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A controller with `kube` and leader election, the webhook for conversions, manifests, and tests.
    Operator,
}

/// Makes a package, and fetches its documents if the arguments name a source. The package gets its name when it is complete.
///
/// # Errors
/// The name is not the name of a package, the folder exists, the operating system refuses, or the documents cannot be
/// fetched. There is no package then.
pub fn run(args: &NewArgs, progress: &dyn Fn(&str)) -> Result<Output, Error> {
    let name = args.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check(args, name)?;
    let around = args.path.parent().filter(|parent| *parent != Path::new(""));
    let around = around.unwrap_or(Path::new("."));
    fs::create_dir_all(around).map_err(Error::io("create", around))?;
    let _lock = Lock::all([around]).map_err(|(path, error)| Error::io("lock", &path)(error))?;
    let beside = temporary::builder().tempdir_in(around).map_err(Error::io("create", around))?;
    let folder = beside.path().join(name);
    let fetched = fill(args, name, &folder, progress).map_err(advised)?;
    fs::rename(&folder, &args.path).map_err(Error::io("create", &args.path))?;
    let next = if fetched.is_some() { "generate" } else { "fetch" };
    let mut text = format!("made {}\n", args.path.display());
    text.extend(fetched.map(|report| report.to_string()));
    if next == "fetch" {
        text += "next, in this folder: `k8s-versioned fetch`, which needs a source (`fetch --help` lists them)\n";
    }
    let json = serde_json::json!({ "package": name, "folder": args.path, "next": next });
    Ok(Output { text, json })
}

/// Writes the package of this name into a folder, and fetches its documents.
fn fill(
    args: &NewArgs,
    name: &str,
    folder: &Path,
    progress: &dyn Fn(&str),
) -> Result<Option<Imported>, Error> {
    make(args, name, folder)?;
    let project = Project::read(folder)?;
    let source = args.fetch.is_given();
    let fetched = source.then(|| fetch::run(&project, &args.fetch, progress)).transpose()?;
    if args.template == Some(Template::Operator) {
        operator::write(&project, name)?;
    }
    Ok(fetched)
}

/// Problems whose hints name files of a package need one.
fn advised(mut error: Error) -> Error {
    if let Error::Refused(refused) = &mut error
        && !refused.lacks_groups()
    {
        refused.advice = Some(
            "no package was made; `new` without a source makes one, whose `group.toml` can have rules before `fetch`",
        );
    }
    error
}

/// The beginning of `not-recorded.toml`.
const NOT_RECORDED: &str = "# Nothing is recorded yet. With recordings in `tests/recordings`, remove this file: `tests/recorded.rs` then needs them.\n";

/// The beginning of `k8s-versioned.toml`.
const PROJECT: &str = "# Pages about the kinds and their fields.\nreference = \"docs/reference\"\n";

/// The packages that each program has already, and those that generated code names.
const TAKEN: [&str; 9] = [
    "alloc",
    "core",
    "k8s-versioned",
    "k8s-versioned-conformance",
    "proc-macro",
    "serde",
    "serde-json",
    "std",
    "test",
];

fn check(args: &NewArgs, name: &str) -> Result<(), Error> {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !name.bytes().all(known) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        let message = format!(
            "`{name}` is not the name of a package: use lower-case letters, digits and `-`"
        );
        return Err(Error::Usage(message));
    }
    // Code names the package as an item of Rust, next to the packages that it depends on.
    if !is_name(&name.replace('-', "_")) || TAKEN.contains(&name) {
        let message = format!(
            "`{name}` cannot be the name of the package, because Rust has a meaning for it: write `{name}-types`"
        );
        return Err(Error::Usage(message));
    }
    let is_group = |group: &str| group.is_empty() || dns1123_subdomain(group).is_empty();
    if let Some(group) = args.group.iter().find(|group| !is_group(group)) {
        let message = format!(
            "`{group}` is not the name of an API group: use lower-case letters, digits, `-` and `.`"
        );
        return Err(Error::Usage(message));
    }
    if args.path.symlink_metadata().is_ok() {
        let message = format!(
            "{} exists already: choose another name, or run `k8s-versioned fetch` in this folder",
            args.path.display()
        );
        return Err(Error::Usage(message));
    }
    Ok(())
}

fn make(args: &NewArgs, name: &str, folder: &Path) -> Result<(), Error> {
    let krate = name.replace('-', "_");
    let quoted = |text: &str| toml::Value::from(text).to_string();
    // The name of the core group is empty, which nobody types.
    let named = |group: &String| quoted(if group == "core" { "" } else { group });
    let groups = args.group.iter().map(named).collect::<Vec<_>>().join(", ");
    let product = args.product.iter().map(|product| format!("product = {}\n", quoted(product)));
    let group = format!(include_str!("../../template/group.toml.txt"), groups = groups);
    let files = [
        (
            "tests/recorded.rs",
            format!(include_str!("../../template/recorded.rs.txt"), krate = krate),
        ),
        ("specs/group.toml", group + &product.collect::<String>()),
        ("specs/not-recorded.toml", NOT_RECORDED.to_owned()),
        ("specs/conversions.toml", include_str!("../../template/conversions.toml.txt").to_owned()),
        (".gitignore", "/target\n".to_owned()),
    ];
    for (file, text) in files {
        package_files::write(&folder.join(file), &text)?;
    }
    let mut project = PROJECT.to_owned();
    // The package moves up when it is complete.
    let around = folder.ancestors().nth(2).unwrap_or(folder);
    let package = around.canonicalize().map_err(Error::io("find", around))?.join(name);
    if let Some(crates) = crates(args, &package)? {
        let about = "Where `generate` finds the packages that it adds to Cargo.toml. Lines that are there stay: edit them as well.";
        let _ = writeln!(project, "# {about}\ncrates = {}", crates.to_toml());
    }
    package_files::write(&folder.join(project::FILE), &project)
}

/// The place of the packages on which the code of a package depends; `None` for a registry.
fn crates(args: &NewArgs, package: &Path) -> Result<Option<Crates>, Error> {
    let address = args.crates.as_deref().and_then(Path::to_str).filter(|text| is_address(text));
    match (address, &args.revision) {
        (Some(git), Some(revision)) => {
            let git = Git { git: git.to_owned(), rev: Some(revision.clone()) };
            return Ok(Some(Crates::Git(git)));
        }
        (Some(git), None) => {
            let message = format!(
                "--crates: without a revision, each build can get other code of {git}: add `--revision COMMIT`, the commit from which \
                 this command is built, or a tag"
            );
            return Err(Error::Usage(message));
        }
        (None, _) => {}
    }
    if args.revision.is_some() {
        let message = "--revision: `--crates` is not the address of a repository";
        return Err(Error::Usage(message.to_owned()));
    }
    let folder = match args.crates.as_deref() {
        Some(folder) => Some(crates_of(folder)?),
        None => own_crates(Path::new(env!("CARGO_MANIFEST_DIR")))?,
    };
    let seen = |folder: PathBuf| seen_from(package, &folder).display().to_string();
    Ok(folder.map(seen).map(Crates::Folder))
}

/// Whether a text is the address of a repository, in a form that Cargo takes.
fn is_address(text: &str) -> bool {
    ["https://", "http://", "ssh://", "git://", "file://"].iter().any(|it| text.starts_with(it))
}

/// The folder `crates` of a checkout, which can also be named itself.
fn crates_of(folder: &Path) -> Result<PathBuf, Error> {
    let crates =
        [folder.join("crates"), folder.to_path_buf()].into_iter().find(|it| has_packages(it));
    let crates = crates.and_then(|crates| crates.canonicalize().ok());
    crates.ok_or_else(|| {
        Error::Usage(format!("--crates: {} is not a checkout of this project", folder.display()))
    })
}

fn has_packages(crates: &Path) -> bool {
    crates.join("k8s-versioned/Cargo.toml").is_file()
}

/// The folder `crates` of the checkout that built this command: the packages have the same version as the command. `None` if Cargo
/// has built it from a registry, in a folder with the version in its name.
fn own_crates(built: &Path) -> Result<Option<PathBuf>, Error> {
    if built.file_name().is_some_and(|name| name != env!("CARGO_PKG_NAME")) {
        return Ok(None);
    }
    match built.parent().filter(|crates| has_packages(crates)) {
        Some(crates) => Ok(Some(crates.to_path_buf())),
        None => Err(Error::Usage(
            "the checkout that built this command is gone, and the package would depend on it: name another by `--crates FOLDER`, or a repository \
             by `--crates ADDRESS --revision COMMIT`"
                .to_owned(),
        )),
    }
}

/// The path that leads from a folder to another: relative if a folder above has both, so that they can move together.
/// Both are absolute.
fn seen_from(folder: &Path, to: &Path) -> PathBuf {
    let both = folder.components().zip(to.components()).take_while(|(one, other)| one == other);
    let both = both.count();
    // The root does not show where they belong.
    if both < 2 {
        return to.to_path_buf();
    }
    let up = folder.components().skip(both).map(|_| Component::ParentDir);
    up.chain(to.components().skip(both)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{own_crates, seen_from};

    #[test]
    fn nothing_depends_on_a_registry_that_did_not_build_the_command() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(own_crates(here).unwrap().as_deref(), here.parent());
        let registry = Path::new("/registry/src/index/k8s-versioned-cli-0.1.0");
        assert_eq!(own_crates(registry).unwrap(), None);
        assert!(own_crates(Path::new("/gone/crates/k8s-versioned-cli")).is_err());
    }

    #[test]
    fn paths_are_relative_within_a_tree() {
        for (folder, to, seen) in [
            ("/home/a/types", "/home/a/kube/crates", "../kube/crates"),
            ("/home/a/b/types", "/home/c/crates", "../../../c/crates"),
            ("/tmp/types", "/home/c/crates", "/home/c/crates"),
        ] {
            assert_eq!(seen_from(Path::new(folder), Path::new(to)), Path::new(seen));
        }
    }
}

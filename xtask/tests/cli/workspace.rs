//! Workspaces for the commands, one for each test.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use clap::Parser as _;
use k8s_versioned_cli::text::errors;
use k8s_versioned_codegen::Files;
use k8s_versioned_core::Release;
use tempfile::TempDir;
use walkdir::WalkDir;
use xtask::args::Cli;

/// This repository. Tests run in the folder of their package.
pub(crate) fn repository() -> PathBuf {
    xtask::workspace(&std::env::current_dir().unwrap()).unwrap()
}

/// The folder of the generated code.
pub(crate) const CODE: &str = "crates/k8s-coordination/src/generated";

/// The newest release of the small specs.
pub(crate) const NEWEST: &str = "v1.3";

/// The document of the newest version in the small specs.
pub(crate) const DOCUMENT: &str = "apis__example.dev__v1beta1_openapi.json";

/// A change of a workspace before a command.
pub(crate) type Edit = fn(&Workspace);

/// The time of all files of an aged workspace, in seconds.
const LONG_AGO: u64 = 1_000_000_000;

/// The entries of a workspace by their paths; files have their content.
type Entries = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A workspace with specs and generated files, which is removed on drop.
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// A workspace with the specs of the generator's case `two-versions`.
    pub(crate) fn small() -> Self {
        static SMALL: OnceLock<Entries> = OnceLock::new();
        Self::of(SMALL.get_or_init(|| Self::import_small().entries()))
    }

    /// A workspace with the specs of this repository, and one recording of each release.
    pub(crate) fn real() -> Self {
        static REAL: OnceLock<Entries> = OnceLock::new();
        Self::of(REAL.get_or_init(|| Self::generate_real().entries()))
    }

    fn generate_real() -> Self {
        let workspace = Self::empty();
        copy_folder(&repository().join("specs"), &workspace.path("specs"));
        for entry in fs::read_dir(repository().join("fixtures")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.parse::<Release>().is_ok() {
                workspace.record(&name, "coordination.k8s.io");
            }
        }
        workspace.succeed(&["regenerate"]);
        workspace
    }

    /// A workspace like [`real`](Self::real), with the specs of the other packages.
    pub(crate) fn all_specs() -> Self {
        let workspace = Self::real();
        for package in packages(&repository()) {
            let specs = package.join("specs");
            if specs.is_dir() {
                let name = specs.strip_prefix(repository()).unwrap().to_str().unwrap();
                copy_folder(&specs, &workspace.path(name));
            }
        }
        workspace
    }

    /// A workspace like [`real`](Self::real), with the packages. It is always the same folder, so that cargo finds what
    /// it compiled before.
    pub(crate) fn packages() -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let _ = fs::remove_dir_all(parent.join("packages"));
        let folder = tempfile::Builder::new().prefix("packages").rand_bytes(0).tempdir_in(parent);
        let workspace = Self { folder: folder.unwrap() };
        copy_folder(Self::real().folder.path(), workspace.folder.path());
        for folder in [".cargo", "codegen", "crates", "docs", "examples", "xtask"] {
            copy_folder(&repository().join(folder), &workspace.path(folder));
        }
        // The invented release has documents of one group: the other packages keep their code.
        for other in packages(workspace.folder.path()) {
            let _ = fs::remove_dir_all(other.join("specs"));
        }
        for file in ["Cargo.toml", "Cargo.lock", "README.md", "clippy.toml", "rustfmt.toml"] {
            workspace.write(file, fs::read(repository().join(file)).unwrap());
        }
        workspace
    }

    fn import_small() -> Self {
        let workspace = Self::empty();
        let case = repository().join("codegen/cases/good/two-versions");
        copy_folder(&case, &workspace.path("specs"));
        for release in ["v1.1", "v1.2", NEWEST] {
            workspace.remove(&format!("specs/{release}"));
        }
        for release in ["v1.1", "v1.2", NEWEST] {
            copy_folder(&case.join(release), &workspace.path("from"));
            workspace.succeed(&["import", "--release", release, "--from", "from"]);
            workspace.remove("from");
            workspace.record(release, "example.dev");
        }
        workspace.succeed(&["regenerate"]);
        workspace
    }

    /// Writes a recording of a release.
    fn record(&self, release: &str, group: &str) {
        let name = format!("fixtures/{release}/{group}/v1/set/a.json");
        self.write(&name, r#"{"name": "a", "object": {}}"#);
    }

    fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        Self { folder }
    }

    /// A workspace with these entries. Tests share entries, not a folder: nothing would remove the folder of a static.
    fn of(entries: &Entries) -> Self {
        let workspace = Self::empty();
        for (path, bytes) in entries {
            let path = workspace.folder.path().join(path);
            match bytes {
                Some(bytes) => fs::write(path, bytes).unwrap(),
                None => fs::create_dir_all(path).unwrap(),
            }
        }
        workspace
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The name of a generated file, relative to the root.
    pub(crate) fn generated(name: &str) -> String {
        format!("{CODE}/{name}")
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes a file, and creates its folder.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Replaces text in a file; the text must be there.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} does not contain {from}");
        self.write(name, text.replacen(from, to, 1));
    }

    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }

    /// Copies the vendored documents of a release to the folder `from`, in place of upstream's.
    pub(crate) fn documents(&self, release: &str) {
        copy_folder(&self.path(&format!("specs/{release}")), &self.path("from"));
    }

    /// Removes a release from the specs.
    pub(crate) fn forget(&self, release: &str) {
        self.remove(&format!("specs/{release}"));
        let manifest = self.read("specs/manifest.toml");
        let quoted = format!("\"{release}\"");
        let entries = manifest.split("[[document]]");
        let entries: Vec<&str> = entries.filter(|entry| !entry.contains(&quoted)).collect();
        self.write("specs/manifest.toml", entries.join("[[document]]"));
    }

    /// Makes the workspace a repository with one commit.
    pub(crate) fn commit(&self) {
        let commit = ["commit", "--quiet", "--message", "before"];
        let identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
        for args in
            [&["init", "--quiet"], &["add", "--all"], &[&identity[..], &commit].concat()[..]]
        {
            let mut git = Command::new("git");
            let status = git.arg("-C").arg(self.folder.path()).args(args).status();
            assert!(status.unwrap().success(), "git {args:?}");
        }
    }

    /// Runs a command, and returns its output: `Err` if it fails. Names such as `from` are paths in the workspace, and
    /// the output has `ROOT` for the path of the workspace.
    pub(crate) fn call(&self, args: &[&str]) -> Result<String, String> {
        let root = self.folder.path();
        let path = |name| root.join(name).into_os_string();
        let args = args.iter().map(|arg| match *arg {
            "from" | "nowhere" | "file" | "empty" | "others" | "link" => path(arg),
            arg => OsStr::new(arg).to_owned(),
        });
        let head = ["cargo xtask", "--root"].map(|arg| OsStr::new(arg).to_owned());
        let args = head.into_iter().chain([root.into()]).chain(args);
        let shown = |text: String| text.replace(root.to_str().unwrap(), "ROOT");
        let cli = Cli::try_parse_from(args).map_err(|error| shown(error.to_string()))?;
        match xtask::run(&cli) {
            Ok(text) => Ok(shown(text)),
            Err(error) => Err(shown(errors::error(&error, false))),
        }
    }

    /// Runs a command that must succeed, and returns its output.
    pub(crate) fn succeed(&self, args: &[&str]) -> String {
        self.call(args).unwrap_or_else(|output| panic!("{args:?}: {output}"))
    }

    /// Runs a command that must fail and change no file, and returns its output.
    pub(crate) fn fail(&self, args: &[&str]) -> String {
        let before = self.entries();
        let output = self.call(args).unwrap_err();
        assert!(self.entries() == before, "{args:?} fails and changes something");
        output
    }

    /// All entries of a folder.
    fn entries_in(&self, folder: &str) -> Entries {
        let root = self.path(folder);
        let walk = WalkDir::new(&root).into_iter().map(Result::unwrap);
        walk.map(|entry| {
            let is_file = entry.file_type().is_file();
            let bytes = is_file.then(|| fs::read(entry.path()).unwrap());
            (entry.path().strip_prefix(&root).unwrap().to_owned(), bytes)
        })
        .collect()
    }

    /// All entries of the workspace.
    pub(crate) fn entries(&self) -> Entries {
        self.entries_in("")
    }

    /// All files in a folder, by their names relative to it.
    pub(crate) fn files(&self, folder: &str) -> Files {
        let entries = self.entries_in(folder).into_iter();
        let named = |path: PathBuf| path.to_str().unwrap().to_owned();
        entries.filter_map(|(path, bytes)| Some((named(path), bytes?))).collect()
    }

    /// Makes all files look old, so that files that are written later can be found.
    pub(crate) fn age(&self) {
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(LONG_AGO);
        for name in self.files("").keys() {
            let file = File::options().append(true).open(self.path(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
    }

    /// The files that were written since the workspace was [aged](Self::age).
    pub(crate) fn written(&self) -> Vec<String> {
        let age = |name: &String| {
            let modified = fs::metadata(self.path(name)).unwrap().modified().unwrap();
            modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
        };
        let names = self.files("").into_keys();
        names.filter(|name| age(name) != LONG_AGO).collect()
    }
}

/// The folders of the packages of a workspace, other than the generator and this one.
fn packages(workspace: &Path) -> impl Iterator<Item = PathBuf> {
    let folders =
        ["crates", "examples"].map(|folder| fs::read_dir(workspace.join(folder)).unwrap());
    folders.into_iter().flatten().map(|package| package.unwrap().path())
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

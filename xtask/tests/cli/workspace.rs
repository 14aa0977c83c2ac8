//! A copy of what the commands work on.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use clap::Parser as _;
use tempfile::TempDir;
use walkdir::WalkDir;
use xtask::args::Cli;
use xtask::{regenerate, render, specs};

/// The name of the group's document of version `v1`.
pub(crate) const V1: &str = "apis__coordination.k8s.io__v1_openapi.json";

/// A copy of the workspace's specs and generated code, which is removed in the end.
pub(crate) struct Workspace {
    folder: TempDir,
}

/// What a run of the command did.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    /// What it said; `ROOT` stands for the copy's path.
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workspace {
    pub(crate) fn copy() -> Self {
        static GENERATED: OnceLock<Workspace> = OnceLock::new();
        let workspace = Self {
            folder: TempDir::new().unwrap(),
        };
        let generated = GENERATED.get_or_init(Self::generate);
        copy_folder(generated.folder.path(), workspace.folder.path());
        workspace
    }

    /// The workspace's specs, few recordings, and what they yield.
    fn generate() -> Self {
        let workspace = Self {
            folder: TempDir::new().unwrap(),
        };
        let specs = specs::FOLDER;
        copy_folder(&xtask::workspace().join(specs), &workspace.path(specs));
        // One recording of each release is enough to have some.
        for release in fs::read_dir(workspace.path(specs)).unwrap() {
            let release = release.unwrap();
            if release.file_type().unwrap().is_dir() {
                let release = release.file_name().into_string().unwrap();
                workspace.write(&format!("fixtures/{release}/group/v1/set/a.json"), "{}");
            }
        }
        workspace.succeed(&["regenerate"]);
        workspace
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A generated file's name relative to the root.
    pub(crate) fn generated(name: &str) -> String {
        format!("{}/{name}", regenerate::FOLDER)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes a file, in a new folder if need be.
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
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Copies a release's vendored documents to the folder `from`. They stand in for upstream's.
    pub(crate) fn documents(&self, release: &str) {
        copy_folder(&self.path(&format!("specs/{release}")), &self.path("from"));
    }

    /// Makes the specs what they were before a release was imported.
    pub(crate) fn forget(&self, release: &str) {
        fs::remove_dir_all(self.path(&format!("specs/{release}"))).unwrap();
        let manifest = self.read("specs/manifest.toml");
        let quoted = format!("\"{release}\"");
        let entries = manifest
            .split("[[document]]")
            .filter(|entry| !entry.contains(&quoted));
        let entries: Vec<&str> = entries.collect();
        self.write("specs/manifest.toml", entries.join("[[document]]"));
    }

    /// Runs the command in the copy's root.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let root = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.env_remove("COLUMNS");
        let output = command
            .arg("--root")
            .arg(root)
            .args(args)
            .current_dir(root)
            .output()
            .unwrap();
        let text = |bytes| {
            String::from_utf8(bytes)
                .unwrap()
                .replace(root.to_str().unwrap(), "ROOT")
        };
        Run {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Makes the copy a repository with one commit.
    pub(crate) fn commit(&self) {
        let identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
        let commit = ["commit", "--quiet", "--message", "before"];
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            let status = command
                .arg("-C")
                .arg(self.folder.path())
                .args(args)
                .status();
            assert!(status.unwrap().success(), "git {args:?}");
        };
        git(&["init", "--quiet"]);
        git(&["add", "--all"]);
        git(&[&identity[..], &commit[..]].concat());
    }

    /// Runs the command in this process, and returns what it said or why it failed.
    pub(crate) fn call(&self, args: &[&str]) -> Result<String, String> {
        let root = self.folder.path();
        let from = root.join("from");
        let args = args.iter().map(|arg| match *arg {
            "from" => from.as_os_str(),
            arg => OsStr::new(arg),
        });
        let head = ["cargo xtask", "--root"].map(OsStr::new);
        let args = head.into_iter().chain([root.as_os_str()]).chain(args);
        let said = xtask::run(&Cli::try_parse_from(args).unwrap());
        let said = said.map_err(|error| render::error(&error, false));
        let shown = |text: String| text.replace(root.to_str().unwrap(), "ROOT");
        said.map(|said| shown(said.text)).map_err(shown)
    }

    /// Runs the command, which must succeed, and returns what it said.
    pub(crate) fn succeed(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout
    }

    /// Runs the command, which must fail and change nothing, and returns what it said.
    pub(crate) fn fail(&self, args: &[&str], code: i32) -> String {
        let before = self.entries();
        let run = self.run(args);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (Some(code), ""),
            "{}",
            run.stderr
        );
        assert!(
            self.entries() == before,
            "a command that fails must change nothing"
        );
        run.stderr
    }

    /// All that is in the copy: folders and links with their kind, files with what they hold.
    pub(crate) fn entries(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let walk = WalkDir::new(self.folder.path())
            .into_iter()
            .map(Result::unwrap);
        walk.map(|entry| {
            let bytes = entry
                .file_type()
                .is_file()
                .then(|| fs::read(entry.path()).unwrap());
            (entry.into_path(), bytes)
        })
        .collect()
    }

    /// Makes all files look old, so that it shows which ones are written.
    pub(crate) fn age(&self) {
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        for path in self
            .entries()
            .into_iter()
            .filter_map(|(path, bytes)| bytes.and(Some(path)))
        {
            File::options()
                .append(true)
                .open(path)
                .unwrap()
                .set_modified(long_ago)
                .unwrap();
        }
    }

    /// The files that were written since they were [aged](Self::age), relative to the root.
    pub(crate) fn written(&self) -> Vec<String> {
        let files = self
            .entries()
            .into_iter()
            .filter_map(|(path, bytes)| bytes.and(Some(path)));
        let written = files.filter(|path| {
            let modified = fs::metadata(path).unwrap().modified().unwrap();
            modified
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap()
                .as_secs()
                != 1_000_000_000
        });
        let relative = |path: PathBuf| path.strip_prefix(self.folder.path()).unwrap().to_path_buf();
        written
            .map(|path| relative(path).to_str().unwrap().to_owned())
            .collect()
    }
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

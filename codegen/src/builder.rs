//! The generator for build scripts and other tools: files in, files out. Only this module reads and writes folders.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use k8s_versioned_core::quoted::OneLine;
use k8s_versioned_source::ReadLimits;
use thiserror::Error;

use crate::ident::is_name;
use crate::text::{has_extension, join};
use crate::{EmitOptions, Files, Generated, Problem, Problems, generate};

/// How deep folders are read.
const DEPTH: usize = 8;

/// Generates code from a `specs/` folder.
///
/// A tool gives the files and gets files:
///
/// ```
/// use k8s_versioned_codegen::{Builder, Files};
///
/// let document = br#"{
///   "openapi": "3.0.0",
///   "info": {"title": "Kubernetes", "version": "unversioned"},
///   "paths": {},
///   "components": {"schemas": {"com.example.v1.Widget": {
///     "type": "object",
///     "properties": {"size": {"type": "integer", "format": "int32", "default": 0}}
///   }}}
/// }"#;
/// let name = "v1.36/apis__example.com__v1_openapi.json".to_owned();
/// let rules = ("group.toml".to_owned(), b"groups = [\"example.com\"]".to_vec());
/// let specs = Files::from([(name, document.to_vec()), rules]);
///
/// let generated = Builder::new(specs).root("crate::api").command("my-tool").generate()?;
/// assert!(generated.files.keys().any(|path| path.ends_with("v1/widget.rs")));
/// # Ok::<(), k8s_versioned_codegen::Problems>(())
/// ```
///
/// A build script reads a folder, and writes a module for the crate:
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), k8s_versioned_codegen::BuildError> {
///     k8s_versioned_codegen::Builder::read("specs")?.build_script("api")
/// }
/// ```
///
/// ```text
/// // src/lib.rs
/// include!(concat!(env!("OUT_DIR"), "/api.rs"));
/// ```
///
/// Commit generated code instead, made by the command `k8s-versioned`, if people review changes of an API or if the package
/// is published: its users then do not build the generator.
#[derive(Clone, Debug)]
pub struct Builder {
    specs: Files,
    /// The folder that the files are from, which Cargo watches.
    folder: Option<PathBuf>,
    options: EmitOptions,
}

impl Builder {
    /// A generator for the files of a `specs/` folder: documents at `<release>/<name>`, and rule files.
    pub fn new(specs: Files) -> Self {
        let (root, command) = ("crate".to_owned(), "cargo build".to_owned());
        Self { specs, folder: None, options: EmitOptions { root, command, shared: None } }
    }

    /// A generator for a `specs/` folder. It follows no links, and reads only documents, definitions and rule files.
    ///
    /// # Errors
    /// A folder or a file cannot be read, or a folder is more than eight folders below the first.
    pub fn read(folder: impl AsRef<Path>) -> Result<Self, BuildError> {
        let mut files = Files::new();
        read(folder.as_ref(), "", 0, &mut files)?;
        Ok(Self { folder: Some(folder.as_ref().to_path_buf()), ..Self::new(files) })
    }

    /// Sets the Rust path of the module that includes the generated files; `crate` by default.
    #[must_use]
    pub fn root(mut self, path: impl Into<String>) -> Self {
        self.options.root = path.into();
        self
    }

    /// Sets the command that the header of each file names; `cargo build` by default.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.options.command = command.into();
        self
    }

    /// Generates the files.
    ///
    /// # Errors
    /// All problems of the documents and rules, each with its place and a hint.
    pub fn generate(&self) -> Result<Generated, Problems> {
        generate(&self.specs, &self.options)
    }

    /// Generates the module `crate::<module>` in a build script: the file `<module>.rs` in the folder `OUT_DIR`, for
    /// `include!`. Declares to Cargo the features that the code checks, so that the package need not have them, and the folder of
    /// [`read`](Self::read), so that a change in it runs the build script again. A build script that reads other files declares
    /// these: `cargo::rerun-if-changed=PATH`.
    ///
    /// # Errors
    /// The errors of [`generate`](Self::generate); no module can have this name; a file cannot be written; there is no
    /// `OUT_DIR`.
    pub fn build_script(self, module: &str) -> Result<(), BuildError> {
        // The name is also the name of a folder, which is removed.
        if !is_name(module) {
            return Err(BuildError::NotAModule { module: module.to_owned() });
        }
        let builder = self.root(format!("crate::{module}"));
        let generated = match builder.generate() {
            Ok(generated) => generated,
            Err(problems) => return Err(BuildError::Specs { problems, specs: builder.specs }),
        };
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?);
        let folder = out.join(module);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BuildError::io(&folder)(error));
            }
            _ => {}
        }
        for warning in generated.warnings.iter() {
            println!("cargo::warning={}", in_one_line(warning));
        }
        for (path, text) in &generated.files {
            let path = folder.join(path);
            let parent = path.parent().unwrap_or(&folder);
            fs::create_dir_all(parent).map_err(BuildError::io(parent))?;
            fs::write(&path, text).map_err(BuildError::io(&path))?;
        }
        // As a literal of Rust: paths can hold backslashes.
        let root = format!("{:?}", folder.join("mod.rs").to_string_lossy());
        let path = out.join(format!("{module}.rs"));
        let item = format!("#[path = {root}]\npub mod {module};\n");
        fs::write(&path, item).map_err(BuildError::io(&path))?;
        let names: Vec<String> =
            generated.features.keys().map(|name| format!("{name:?}")).collect();
        println!("cargo::rustc-check-cfg=cfg(feature, values({}))", names.join(", "));
        if let Some(instruction) = builder.folder.as_deref().and_then(watched) {
            println!("{instruction}");
        }
        Ok(())
    }
}

/// The instruction to Cargo to watch a folder, also outside of the package; `None` if its path would be several lines.
fn watched(folder: &Path) -> Option<String> {
    let path = folder.to_str().filter(|path| !path.contains(['\n', '\r']))?;
    Some(format!("cargo::rerun-if-changed={path}"))
}

/// Returns `true` if a file of this name in a `specs/` folder is a document, a definition or a rule file. All other files are
/// ignored, such as a README or the temporary files of editors.
pub fn is_spec(name: &str) -> bool {
    let is_hidden = name.split('/').any(|part| part.starts_with('.'));
    !is_hidden && has_extension(name, &["json", "toml", "yaml", "yml"])
}

/// Reads the files of a folder and of the folders in it.
fn read(folder: &Path, prefix: &str, depth: usize, files: &mut Files) -> Result<(), BuildError> {
    let entries = fs::read_dir(folder).map_err(BuildError::io(folder))?;
    for entry in entries {
        let entry = entry.map_err(BuildError::io(folder))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(BuildError::io(&path))?;
        let Some(name) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else {
            continue;
        };
        if kind.is_dir() {
            if depth == DEPTH {
                return Err(BuildError::TooDeep { path });
            }
            read(&path, &format!("{name}/"), depth + 1, files)?;
        } else if kind.is_file() && is_spec(&name) {
            files.insert(name, read_file(&path).map_err(BuildError::io(&path))?);
        }
    }
    Ok(())
}

/// Reads a file, up to one byte more than the limit: the reader of the bytes refuses a file that is too large.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(ReadLimits::MANIFESTS.bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The reason why a build script generated no code. Its `Debug` is its `Display`, because Cargo shows the `Debug` of
/// the error that a build script's `main` returns.
#[derive(Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The documents or rules have problems.
    #[error("{0}")]
    Problems(#[from] Problems),
    /// The documents or rules of a folder have problems, which show their lines.
    #[error("{}", with_lines(problems, specs))]
    Specs {
        /// The problems.
        problems: Problems,
        /// The files of the folder.
        specs: Files,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or the folder.
        path: PathBuf,
        /// The reason of the operating system.
        source: io::Error,
    },
    /// A folder is too many folders below the one to read.
    #[error("{} is more than {DEPTH} folders deep: files of a release are in the folder of the release", path.display())]
    TooDeep {
        /// The folder.
        path: PathBuf,
    },
    /// A module cannot have this name.
    #[error("`{module}` is not a valid name of a Rust module, such as `api`")]
    NotAModule {
        /// The name.
        module: String,
    },
    /// The environment has no `OUT_DIR`: Cargo sets it for build scripts.
    #[error("there is no `OUT_DIR`: only a build script has it")]
    NoOutDir,
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A problem in one line. A name in a definition could end it, and begin an instruction to Cargo.
fn in_one_line(problem: &Problem) -> String {
    OneLine(&format!("{}: {}", problem.place, problem.cause)).to_string()
}

/// The problems as they display themselves, each with the line of its file.
fn with_lines(problems: &Problems, specs: &Files) -> String {
    let shown = problems.iter().map(|problem| {
        // Writing to a string cannot fail.
        let mut text = format!("{}\n  at {}", problem.cause, problem.place);
        if let Some(understood) = problem.understood() {
            let _ = write!(text, "\n  understood: {understood}");
        }
        if let Some((number, line)) = line(problem, specs) {
            let _ = write!(text, "\n  line {number}: {line}");
        }
        text + "\n  hint: " + &problem.hint()
    });
    join(shown, "\n\n")
}

/// The line at which the place of a problem begins, and its number.
fn line<'a>(problem: &Problem, specs: &'a Files) -> Option<(usize, &'a str)> {
    /// The most bytes of a line: documents can be a single one.
    const LONGEST: usize = 200;
    let text = str::from_utf8(specs.get(&*problem.place.file)?).ok()?;
    let (before, after) = text.split_at_checked(problem.place.span.as_ref()?.start)?;
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(begin..)?.lines().next().filter(|_| !after.is_empty())?.trim();
    (line.len() <= LONGEST).then(|| (before.matches('\n').count() + 1, line))
}

impl BuildError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_path_buf(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{BuildError, Builder, DEPTH, in_one_line, watched};
    use crate::Files;

    #[test]
    fn no_folder_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let deepest = (0..DEPTH).fold(folder.path().to_path_buf(), |path, _| path.join("a"));
        fs::create_dir_all(&deepest).unwrap();
        fs::write(deepest.join("group.toml"), "").unwrap();
        assert_eq!(Builder::read(folder.path()).unwrap().specs.len(), 1);
        fs::create_dir(deepest.join("a")).unwrap();
        let refused = Builder::read(folder.path()).unwrap_err();
        assert!(matches!(refused, BuildError::TooDeep { path } if path == deepest.join("a")));
    }

    #[test]
    fn cargo_watches_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let builder = Builder::read(folder.path()).unwrap();
        assert_eq!(builder.folder.as_deref(), Some(folder.path()));
        let instruction = watched(Path::new("../specs"));
        assert_eq!(instruction.as_deref(), Some("cargo::rerun-if-changed=../specs"));
        assert_eq!(watched(Path::new("a\ncargo::rustc-link-arg=b")), None);
        assert_eq!(Builder::new(Files::new()).folder, None);
    }

    #[test]
    fn no_warning_is_an_instruction() {
        let definition = br#"{
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com", "scope": "Cluster", "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "a\ncargo::rustc-link-arg=b": 1
                }}}]
            }
        }"#;
        let specs = Files::from([("widgets.yaml".to_owned(), definition.to_vec())]);
        let generated = Builder::new(specs).generate().unwrap();
        let warnings: Vec<String> = generated.warnings.iter().map(in_one_line).collect();
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert!(warning.contains(r"`a\ncargo::rustc-link-arg=b`"), "{warning}");
    }
}
